// Find a run or a topic by its name from every page of the report.
const find = byId("find");
if (find) {
  const MOST_RESULTS = 12;
  const results = byId("find-results");
  const entries = [...data.pages.map(([address, name]) => [address, name, "run"]),
    ...data.topics.map((name, place) => [addressAt(place), name, data.unit])];
  let chosen = -1;
  const close = () => { results.hidden = true; chosen = -1; find.setAttribute("aria-expanded", "false"); find.removeAttribute("aria-activedescendant"); };
  const choose = (place) => {
    const items = all("li", results);
    if (!items.length) return;
    chosen = (place + items.length) % items.length;
    for (const [i, item] of items.entries()) item.setAttribute("aria-selected", String(i === chosen));
    find.setAttribute("aria-activedescendant", items[chosen].id);
  };
  const open = (item) => { location.hash = item.dataset.address; find.value = ""; close(); };
  const search = () => {
    const wanted = find.value.trim().toLocaleLowerCase();
    // Names that begin with the words come first.
    const found = wanted ? entries.filter(([, name]) => name.toLocaleLowerCase().includes(wanted))
      .sort(([, a], [, b]) => b.toLocaleLowerCase().startsWith(wanted) - a.toLocaleLowerCase().startsWith(wanted)) : [];
    results.replaceChildren(...found.slice(0, MOST_RESULTS).map(([address, name, kind], i) => element("li", { id: `find-${i}`, role: "option", "data-address": address },
      name, " ", element("span", { className: "ends" }, kind))));
    if (wanted && !found.length) results.replaceChildren(element("li", { className: "empty", role: "option", "aria-disabled": "true" }, "nothing found"));
    results.hidden = !wanted;
    find.setAttribute("aria-expanded", String(!results.hidden));
    chosen = -1;
    if (found.length) choose(0);
  };
  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => {
    const items = all("li[data-address]", results);
    if (event.key === "ArrowDown") { choose(chosen + 1); event.preventDefault(); }
    if (event.key === "ArrowUp") { choose(chosen - 1); event.preventDefault(); }
    if (event.key === "Enter" && items[chosen]) open(items[chosen]);
    if (event.key === "Escape") close();
  });
  find.addEventListener("blur", () => setTimeout(close, 150));
  results.addEventListener("mousedown", (event) => { const item = event.target.closest("li[data-address]"); if (item) { event.preventDefault(); open(item); } });
  find.parentElement.hidden = false;
}
