// Two runs side by side.
let comparison = null;
const loadComparison = async () => { await chartsRead; comparison ??= await sheet("values"); return comparison; };
const showComparison = (a, b, m) => {
  const measure = comparison.measures[m];
  const unit = comparison.unit[0].toUpperCase() + comparison.unit.slice(1);
  const [first, second] = [comparison.runs[a], comparison.runs[b]];
  const shown = (value, signed = false) => number(value, measure.digits, signed);
  byId("compare-a").value = a; byId("compare-b").value = b; byId("compare-measure").value = m;
  byId("compare-title").textContent = `${first} and ${second}`;
  const rows = (measure.topics.length ? comparison.topics : []).map((topic, t) => {
    const [x, y] = [measure.topics[a][t], measure.topics[b][t]];
    const difference = x === null || y === null ? null : x - y;
    return { topic, a: x, b: y, difference, side: difference > 0 ? "above" : "below" };
  });
  const known = rows.filter((row) => row.difference !== null);
  const wins = (sign) => known.filter((row) => Math.sign(row.difference) === sign).length;
  const pair = measure.pairs.find(([p, q]) => (p === a && q === b) || (p === b && q === a));
  const facts = element("dl", { className: "verdict" });
  const fact = (label, value, small = "") => facts.append(
    element("div", {}, element("dt", {}, label), element("dd", {}, value, element("small", {}, small))));
  fact(`${measure.name}, ${first}`, shown(measure.runs[a]));
  fact(`${measure.name}, ${second}`, shown(measure.runs[b]));
  if (pair) {
    const flip = pair[0] === a ? 1 : -1;
    const ends = [pair[3], pair[4]].map((end) => (end === null ? null : flip * end)).sort((x, y) => x - y);
    const interval = ends[0] === null ? "" : `interval [${shown(ends[0], true)}, ${shown(ends[1], true)}]`;
    const p = pair[5] === null ? "" : `p = ${pair[5] < 0.0001 ? "< 0.0001" : pair[5].toFixed(4)}`.replace("= <", "<");
    fact("Difference", shown(flip * pair[2], true), [interval, p].filter(Boolean).join(", "));
  }
  const byTopic = measure.topics.length > 0;
  byId(comparison.chart).hidden = byId("compare-table").hidden = !byTopic;
  if (byTopic) fact(`${unit}s won`, `${wins(1)} : ${wins(-1)}`, `${wins(0)} equal, of ${known.length} where both are defined`);
  byId("compare-result").replaceChildren(facts, element("p", { className: "caption" }, measure.caption));

  const id = comparison.chart;
  filled.set(id, { topics: known });
  data.charts[id][1] = `Difference between ${first} and ${second} in ${measure.name}, a bar per ${comparison.unit}; ${first} is higher on ${wins(1)} of ${known.length}.`;
  const holder = byId(id).querySelector(".chart");
  delete holder.dataset.drawn;
  observer.observe(holder);

  const column = (label, numeric) => element("th", { scope: "col", className: numeric ? "n" : "" },
    element("button", { type: "button", className: "sort" }, label));
  const numeric = (value, signed) => {
    const cell = element("td", { className: "n" }, shown(value, signed));
    if (value === null) cell.classList.add("missing");
    else cell.dataset.v = value;
    if (signed && value) cell.classList.add(value > 0 ? "up" : "down");
    return cell;
  };
  const table = element("table", {},
    element("thead", {}, element("tr", {}, column(unit), column(first, true), column(second, true), column("Difference", true))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, element("th", { scope: "row" }, topicLink(row.topic)),
      numeric(row.a), numeric(row.b), numeric(row.difference, true)))));
  const tools = element("div", { className: "tools" }, element("button", { type: "button", className: "tool", "data-csv": "comparison-values" }, "CSV"));
  byId("compare-table").replaceChildren(element("figure", { className: "block table-block", id: "comparison-values" },
    element("div", { className: "block-head" }, element("h3", {}, `${measure.name} by ${comparison.unit}`), tools),
    element("div", { className: "scroll" }, table)));
  showReturned(a, b);
};
const topicLink = (topic) => {
  const address = topicAddress(topic);
  return address ? element("a", { href: `#${address}` }, topic) : document.createTextNode(topic);
};
const compareHash = (a, b, m) => ["#compare", comparison.runs[a], comparison.runs[b], ...(Number(m) ? [comparison.measures[m].name] : [])]
  .map((part, i) => (i ? encoded(part) : part)).join("/");
// The places of the runs and the measure that an address names; null where there are none such.
const compared = async (wanted) => {
  await loadComparison();
  const [, first, second, name] = wanted.split("/").map(unquoted);
  const [a, b] = [first, second].map((run) => comparison.runs.indexOf(run));
  const m = name === undefined ? 0 : comparison.measures.findIndex((measure) => measure.name === name);
  return a < 0 || b < 0 || m < 0 ? null : [a, b, m];
};
if (byId("compare")) {
  for (const form of all(".chooser")) form.addEventListener("submit", (event) => event.preventDefault());
  const go = async (prefix) => {
    await loadComparison();
    location.hash = compareHash(...["a", "b", "measure"].map((name) => byId(`${prefix}-${name}`).value));
  };
  byId("pick-go").addEventListener("click", () => go("pick"));
  for (const name of ["a", "b", "measure"]) byId(`compare-${name}`).addEventListener("change", () => go("compare"));
  addCheckboxes();
}

// Two boxes ticked on the leaderboard are two runs to compare; a third replaces the older of them.
function addCheckboxes() {
  const table = document.querySelector("table.leaderboard");
  if (!table) return;
  const place = new Map(data.pages.map(([address], i) => [`#${address}`, i]));
  const tray = element("div", { className: "tray", hidden: true });
  table.closest(".scroll").after(tray);
  const boxes = new Map();
  let ticked = [];
  const show = () => {
    tray.hidden = ticked.length === 0;
    const names = ticked.map((i) => data.pages[i][1]);
    const go = element("button", { type: "button", className: "primary" }, "Compare them");
    go.addEventListener("click", async () => { await loadComparison(); location.hash = compareHash(ticked[0], ticked[1], 0); });
    tray.replaceChildren(element("span", {}, names.length === 2 ? `${names[0]} and ${names[1]}` : `${names[0]}: tick another run to compare it with`),
      ...(names.length === 2 ? [go] : []));
  };
  for (const row of table.tBodies[0].rows) {
    const link = row.querySelector("a");
    const i = place.get(link.getAttribute("href"));
    const box = element("input", { type: "checkbox", "aria-label": `Compare ${link.textContent}` });
    box.addEventListener("change", () => {
      ticked = box.checked ? [...ticked, i] : ticked.filter((other) => other !== i);
      if (ticked.length > 2) {
        const gone = ticked.shift();
        boxes.get(gone).checked = false;
      }
      show();
    });
    boxes.set(i, box);
    row.append(element("td", { className: "choose", role: "cell" }, box));
  }
  const runOf = (event) => event.target.closest?.("tbody tr")?.querySelector("a")?.textContent ?? null;
  let pointed = null;
  const point = (event) => {
    const run = runOf(event) ?? (ticked.length ? data.pages[ticked.at(-1)][1] : null);
    if (run !== pointed) { pointed = run; highlight(run); }
  };
  table.addEventListener("mouseover", point);
  table.addEventListener("focusin", point);
  table.addEventListener("mouseleave", point);
  table.tHead.rows[0].append(element("th", { className: "choose", scope: "col", role: "columnheader" }, element("span", { className: "unseen" }, "Compare")));
}

// ---------------------------------------------------------------- what both returned
const OUTCOMES = ["right", "wrong", "declined", "partly right", "failed", "unknown"];
const DECLINED = /unanswered|declin|refus|unparsed|abstain|skipp/;
const outcomeOf = (page, run) => {
  const [entry] = entriesOf(page, run);
  if (!entry) return "unknown";
  const [, verdict, good] = entry.thing;
  if (/fail/.test(verdict)) return "failed";
  if (/part/.test(verdict)) return "partly right";
  if (DECLINED.test(verdict)) return "declined";
  return good === true ? "right" : good === false ? "wrong" : "unknown";
};
const pagesOfTopics = () => Promise.all(data.topics.map(([address]) => inflate(waiting[address])));
const foldedTopic = (page, a, b) => {
  const fold = element("details", { className: "topic-fold" }, element("summary", {}, data.topics[page.place][1], page.text ? element("span", { className: "ends" }, ` ${page.text.slice(0, 120)}${page.text.length > 120 ? "…" : ""}`) : ""));
  fold.addEventListener("toggle", () => { if (fold.open && fold.children.length === 1) fold.append(bothNode(page, a, b)); });
  return fold;
};
const outcomeTable = (pages, a, b, show) => {
  const groups = new Map();
  for (const page of pages) {
    const key = `${outcomeOf(page, a)}\n${outcomeOf(page, b)}`;
    groups.set(key, [...(groups.get(key) ?? []), page]);
  }
  const used = OUTCOMES.filter((outcome, i) => i < 3 || [...groups.keys()].some((key) => key.split("\n").includes(outcome)));
  const cell = (x, y) => {
    const found = groups.get(`${x}\n${y}`) ?? [];
    if (!found.length) return element("td", { className: "n" }, "0");
    const open = element("button", { type: "button", className: "tool", "aria-label": `${found.length}: ${comparison.runs[a]} ${x}, ${comparison.runs[b]} ${y}` }, String(found.length));
    open.addEventListener("click", () => show(`${comparison.runs[a]} ${x}, ${comparison.runs[b]} ${y}`, found));
    return element("td", { className: "n" }, open);
  };
  return element("table", { className: "few outcome-table" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, `${comparison.runs[a]} ↓ ${comparison.runs[b]} →`), ...used.map((y) => element("th", { scope: "col", className: "n" }, y)))),
    element("tbody", {}, ...used.map((x) => element("tr", {}, element("th", { scope: "row" }, x), ...used.map((y) => cell(x, y))))));
};
let showing = 0;
const showReturned = async (a, b) => {
  const holder = byId("compare-items");
  const mine = ++showing;
  holder.replaceChildren();
  if (!data.items) return;
  const pages = (await pagesOfTopics()).filter((page) => page.entries?.some((list) => list.length));
  if (mine !== showing || !pages.length) return;
  const list = element("div", { id: "compare-list" });
  const show = (title, found) => {
    list.replaceChildren(element("h4", {}, `${title}: ${found.length}`), ...found.map((page) => foldedTopic(page, a, b)));
    announce(`${title}: ${found.length} listed below.`);
  };
  const lists = pages.some(ranked);
  holder.append(element("section", { "aria-labelledby": "compare-items-title" },
    element("h3", { id: "compare-items-title" }, lists ? "What both returned" : "Outcomes of both"),
    ...(lists ? [] : [element("div", { className: "scroll" }, outcomeTable(pages, a, b, show)),
      element("p", { className: "caption" }, `A number opens its ${comparison.unit}s, with both answers and the words in which they differ.`)]), list));
  if (lists) show(`Both lists of each ${comparison.unit}`, pages);
};
