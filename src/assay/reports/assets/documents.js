// The documents of a topic: verdict, runs that returned it, best rank.
const MOST_DOCUMENTS = 50; // as the style sheet folds it
const MOST_BEST = 3;
const documentsOf = (page) => {
  const found = page.things.map((thing) => ({ thing, runs: [] }));
  for (const [run, list] of page.entries.entries()) for (const [thing, rank] of list) found[thing].runs.push({ run, rank });
  for (const one of found) {
    one.runs.sort((a, b) => a.rank - b.rank);
    one.best = one.runs[0].rank;
  }
  return found.sort((a, b) => b.runs.length - a.runs.length || (a.best ?? 0) - (b.best ?? 0) || collator.compare(a.thing[0], b.thing[0]));
};
// Show the number of runs until the reader opens their names.
const returnedBy = ({ runs }, total) => {
  const fold = element("details", {}, element("summary", {}, `${runs.length} of ${total}`));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(element("ul", { className: "entries plain" }, ...runs.map(({ run, rank }) => element("li", {}, runLink(run), rank === null ? null : ` at rank ${rank}`))));
  });
  const cell = element("td", { className: "n" }, fold);
  cell.dataset.v = runs.length;
  return cell;
};
const bestBy = ({ runs, best }) => {
  const first = runs.filter(({ rank }) => rank === best);
  const named = first.slice(0, MOST_BEST).flatMap(({ run }, i) => [...(i ? [", "] : []), runLink(run)]);
  return element("td", {}, ...named, first.length > MOST_BEST ? ` and ${first.length - MOST_BEST} more` : null);
};
const documentsNode = (page) => {
  const total = (page.entries ?? []).length;
  if (!unitIsTopic() || total < 2 || !page.things?.length) return null;
  const found = documentsOf(page);
  const placed = found.some(({ best }) => best !== null);
  const row = (one) => element("tr", {},
    element("th", { scope: "row", "data-text": one.thing[0] }, one.thing[0], one.thing[3] ? element("p", { className: "snippet" }, one.thing[3]) : null),
    element("td", { "data-text": one.thing[1] }, verdictNode(one.thing)), returnedBy(one, total),
    placed ? element("td", { className: "n" }, String(one.best)) : null, placed ? bestBy(one) : null);
  const heads = [["Document"], ["Verdict"], ["Returned by", true], ...(placed ? [["Best rank", true], ["by"]] : [])];
  const table = element("table", { className: found.length > MOST_DOCUMENTS ? "folded" : "" },
    element("thead", {}, element("tr", {}, ...heads.map(([label, numeric]) => headNode({ label, numeric }, true)))), element("tbody", {}, ...found.map(row)));
  const rest = found.length > MOST_DOCUMENTS ? button(`All ${found.length} documents`) : null;
  rest?.addEventListener("click", () => { table.classList.remove("folded"); rest.remove(); announce(`${found.length} documents.`); });
  const box = element("div", { className: "scroll", role: "region", "aria-label": "Documents" }, table);
  fitting.observe(box);
  const caption = `What runs returned, as far as it is shown above${placed ? ": the first documents of each, and relevant ones further down" : ""}. The numbers of runs open their names.`;
  return element("figure", { className: "block table-block", id: "topic-documents", "aria-labelledby": "topic-documents-title" },
    element("div", { className: "block-head" }, element("h3", { id: "topic-documents-title" }, "Documents"), element("div", { className: "tools" }, button("CSV", { "data-csv": "topic-documents" }))),
    box, rest, element("figcaption", { className: "caption" }, caption));
};
