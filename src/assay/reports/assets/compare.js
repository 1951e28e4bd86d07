// Compare two runs.
let comparison = null;
const loadComparison = async () => { await chartsRead; comparison ??= await sheet("values"); return comparison; };
// With thousands of topics, show those with the largest differences.
const [MOST_BARS, MOST_ROWS] = [400, 1000];
const furthest = (rows, most) => (rows.length <= most ? rows
  : [...rows].sort((x, y) => Math.abs(y.difference ?? 0) - Math.abs(x.difference ?? 0)).slice(0, most));
const showComparison = (a, b, m) => {
  const measure = comparison.measures[m];
  const unit = comparison.unit[0].toUpperCase() + comparison.unit.slice(1);
  const [first, second] = [comparison.runs[a], comparison.runs[b]];
  const shown = (value, signed = false) => among(value, measure.digits, signed);
  byId("compare-a").value = a; byId("compare-b").value = b; byId("compare-measure").value = m;
  byId("compare-title").textContent = `${first} and ${second}`;
  const rows = (measure.topics.length ? comparison.topics : []).map((topic, t) => {
    const [x, y] = [measure.topics[a][t], measure.topics[b][t]];
    const difference = x === null || y === null ? null : x - y;
    return { topic, a: x, b: y, difference, side: difference > 0 ? "above" : "below" };
  });
  const known = rows.filter((row) => row.difference !== null);
  const wins = (sign) => known.filter((row) => Math.sign(row.difference) === sign).length;
  const { pairs } = measure;
  const at = pairs.a.findIndex((p, i) => (p === a && pairs.b[i] === b) || (p === b && pairs.b[i] === a));
  const facts = element("dl", { className: "verdict" });
  const fact = (label, value, small = "") => facts.append(
    element("div", {}, element("dt", {}, label), element("dd", {}, value, element("small", {}, small))));
  fact(`${measure.words}, ${first}`, shown(measure.runs[a]));
  fact(`${measure.words}, ${second}`, shown(measure.runs[b]));
  if (at >= 0) {
    const flip = pairs.a[at] === a ? 1 : -1;
    const ends = [pairs.low[at], pairs.high[at]].map((end) => (end === null ? null : flip * end)).sort((x, y) => x - y);
    // Statistics of counts are those of their mean.
    const signed = (value) => number(value, measure.digits || 4, true);
    const interval = ends[0] === null ? "" : `interval [${signed(ends[0])}, ${signed(ends[1])}]`;
    const level = pairs.p[at];
    const p = level === null ? "" : `p = ${level < 0.0001 ? "< 0.0001" : level.toFixed(4)}`.replace("= <", "<");
    fact("Difference", signed(flip * pairs.difference[at]), [interval, p].filter(Boolean).join(", "));
  }
  const byTopic = measure.topics.length > 0;
  byId(comparison.chart).hidden = byId("compare-table").hidden = !byTopic;
  if (byTopic) fact(`${unit}s won`, `${wins(1)} : ${wins(-1)}`, `${wins(0)} equal, of ${known.length} where both are defined`);
  byId("compare-result").replaceChildren(facts, element("p", { className: "caption" }, measure.caption));

  const id = comparison.chart;
  filled.set(id, { topics: furthest(known, MOST_BARS) });
  data.charts[id][1] = `Difference between ${first} and ${second} in ${measure.words}, a bar per ${comparison.unit}; ${first} is higher on ${wins(1)} of ${known.length}.`;
  const holder = byId(id).querySelector(".chart");
  delete holder.dataset.drawn;
  observer.observe(holder);

  const column = (label, numeric) => element("th", { scope: "col", className: numeric ? "n" : "" },
    element("button", { type: "button", className: "sort" }, label));
  const numeric = (value, signed) => {
    const cell = element("td", { className: "n" }, among(value, measure.topic_digits, signed));
    if (value === null) cell.classList.add("missing");
    else cell.dataset.v = value;
    if (signed && value) cell.classList.add(value > 0 ? "up" : "down");
    return cell;
  };
  const listed = furthest(rows, MOST_ROWS);
  const table = element("table", {},
    element("thead", {}, element("tr", {}, column(unit), column(first, true), column(second, true), column("Difference", true))),
    element("tbody", {}, ...listed.map((row) => element("tr", {}, element("th", { scope: "row", "data-text": row.topic }, topicLink(row.topic)),
      numeric(row.a), numeric(row.b), numeric(row.difference, true)))));
  const tools = element("div", { className: "tools" }, element("button", { type: "button", className: "tool", "data-csv": "comparison-values" }, "CSV"));
  byId("compare-table").replaceChildren(element("figure", { className: "block table-block", id: "comparison-values" },
    element("div", { className: "block-head" }, element("h3", {}, `${measure.words} by ${comparison.unit}${listed.length < rows.length ? `: the ${listed.length} largest differences of ${rows.length}` : ""}`), tools),
    element("div", { className: "scroll" }, table)));
  showReturned(a, b, rows, (value, signed) => among(value, measure.topic_digits, signed));
  bothCurves(byId("compare-curves"), first, second);
};
const topicLink = (topic) => {
  const address = topicAddress(topic);
  return address ? element("span", {}, element("a", { href: `#${address}` }, topic), " ", besideNode(titleOf(topic))) : document.createTextNode(topic);
};
const compareHash = (a, b, m) => ["#compare", comparison.runs[a], comparison.runs[b], ...(Number(m) ? [comparison.measures[m].name] : [])]
  .map((part, i) => (i ? encoded(part) : part)).join("/");
// Return the indices of the runs and the measure in an address, or null.
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

// Two boxes ticked in the table of runs select runs to compare; a third replaces the older one.
function addCheckboxes() {
  const table = document.querySelector("table.of-runs");
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
    if (row.matches(".span")) { row.cells[0].colSpan += 1; continue; }
    const link = row.querySelector("a");
    if (!link) { row.append(element("td", { className: "choose" })); continue; } // a median
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
    row.append(element("td", { className: "choose" }, box));
  }
  const runOf = (event) => event.target.closest?.("tbody tr")?.querySelector("a")?.textContent ?? null;
  let pointed = null;
  const point = (event) => {
    const run = runOf(event) ?? (ticked.length ? data.pages[ticked.at(-1)][1] : null);
    if (run !== pointed) { pointed = run; highlight(run); }
  };
  for (const pointable of [table, ...all("table.board")]) {
    for (const kind of ["mouseover", "focusin", "mouseleave"]) pointable.addEventListener(kind, point);
  }
  table.tHead.rows[0].append(element("th", { className: "choose", scope: "col" }, element("span", { className: "unseen" }, "Compare")));
}

// ---------------------------------------------------------------- results of both runs
const AT_ONCE = 50; // topics listed per click on "more"
const MOST_LETTERS = 120; // of a question, before its page is opened
const beginning = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text);
// A topic of a list; its page is loaded when it is opened. `asked` shows the question immediately.
const foldedTopic = (t, a, b, beside, asked) => {
  const address = data.items && t in data.topics ? addressAt(t) : undefined;
  if (!address) return element("p", { className: "topic-fold" }, topicLink(comparison.topics[t]), " ", element("span", { className: "ends" }, beside));
  const note = element("span", { className: "ends" }, beside);
  const fold = element("details", { className: "topic-fold" }, element("summary", {}, comparison.topics[t], " ", besideNode(titleOf(comparison.topics[t])), " ", note));
  if (asked) sheet(address).then((page) => { if (page?.text) note.textContent = beginning(page.text); });
  fold.addEventListener("toggle", async () => {
    if (!fold.open || fold.children.length > 1) return;
    const inside = element("div");
    fold.append(inside);
    const page = await sheet(address);
    inside.append(page?.entries ? bothNode(page, a, b) : element("p", { className: "empty" }, "The results of these runs are unknown."),
      element("p", { className: "caption" }, element("a", { href: `#${address}` }, `All runs on ${comparison.unit} ${comparison.topics[t]}`)));
  });
  return fold;
};
// List topics, `AT_ONCE` at a time.
const listTopics = (list, title, topics, a, b, { beside = () => "", asked = false } = {}) => {
  const more = element("button", { type: "button", className: "tool" });
  let shown = 0;
  const show = () => {
    const next = topics.slice(shown, shown + AT_ONCE);
    shown += next.length;
    more.textContent = `Show ${Math.min(AT_ONCE, topics.length - shown)} more of ${topics.length}`;
    more.hidden = shown >= topics.length;
    const folds = next.map((t) => foldedTopic(t, a, b, beside(t), asked));
    more.before(...folds);
    return folds;
  };
  list.replaceChildren(element("h4", {}, title), more);
  show();
  more.addEventListener("click", () => {
    const [first] = show();
    first.querySelector("summary, a")?.focus();
    announce(`${shown} of ${topics.length} listed.`);
  });
};
const outcomeTable = (a, b, open) => {
  const [first, second] = [comparison.outcomes[a], comparison.outcomes[b]];
  const cells = new Map();
  for (let t = 0; t < first.length; t += 1) {
    const key = first[t] + second[t];
    cells.has(key) ? cells.get(key).push(t) : cells.set(key, [t]);
  }
  // Right, wrong and declined always; other outcomes only if they occur.
  const used = comparison.endings.map((_, i) => String(i)).filter((letter) => letter < "3" || first.includes(letter) || second.includes(letter));
  const [one, other] = [comparison.runs[a], comparison.runs[b]];
  const cell = (x, y) => {
    const topics = cells.get(x + y) ?? [];
    if (!topics.length) return element("td", { className: "n" }, "0");
    const title = `${one} ${comparison.endings[x]}, ${other} ${comparison.endings[y]}`;
    const button = element("button", { type: "button", className: "tool", "aria-label": `${topics.length}: ${title}` }, String(topics.length));
    button.addEventListener("click", () => open(`${title}: ${topics.length}`, topics));
    return element("td", { className: "n" }, button);
  };
  return element("table", { className: "few outcome-table" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, `${one} ↓ ${other} →`), ...used.map((y) => element("th", { scope: "col", className: "n" }, comparison.endings[y])))),
    element("tbody", {}, ...used.map((x) => element("tr", {}, element("th", { scope: "row" }, comparison.endings[x]), ...used.map((y) => cell(x, y))))));
};
const showReturned = (a, b, rows, shown) => {
  const holder = byId("compare-items");
  holder.replaceChildren();
  const list = element("div", { id: "compare-list" });
  const section = (title, ...parts) => holder.append(element("section", { "aria-labelledby": "compare-items-title" },
    element("h3", { id: "compare-items-title" }, title), ...parts, list));
  if (comparison.outcomes.length) {
    const open = (title, topics) => {
      listTopics(list, title, topics, a, b, { asked: true });
      announce(`${title}, listed below.`);
    };
    const caption = `A number lists its ${comparison.unit}s, with both answers and the words in which they differ.`;
    section("Outcomes of both", element("div", { className: "scroll" }, outcomeTable(a, b, open)), element("p", { className: "caption" }, caption));
  } else if (data.items && rows.length) {
    const order = rows.map((_, t) => t).sort((s, t) => (rows[s].difference === null) - (rows[t].difference === null) || rows[t].difference - rows[s].difference);
    section("What both returned");
    listTopics(list, `Both lists of each ${comparison.unit}, by difference: ${rows.length}`, order, a, b, { beside: (t) => shown(rows[t].difference, true) });
  }
};
