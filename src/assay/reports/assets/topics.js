// A topic's page: every run's value against the median, and its items.
let atRun = null; // the run from whose page the reader came
const runLink = (run) => (data.alone ? comparison.runs[run] : element("a", { href: `#${data.pages[run][0]}` }, data.pages[run][1]));
const homeLinks = () => (data.alone ? [element("a", { href: `#${data.alone}` }, `← ${comparison.runs[0]}`)]
  : [element("a", { href: "#campaign" }, "← All runs"), element("a", { href: "#topics-section" }, `All ${comparison.unit}s`)]);
const strip = (values, middle, shown) => {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (value) => (high > low ? 8 + 584 * (value - low) / (high - low) : 300);
  const dots = known.map((value) => drawing("circle", { cx: x(value).toFixed(1), cy: 16, r: 4 }));
  const line = middle === null ? [] : [drawing("line", { x1: x(middle), x2: x(middle), y1: 3, y2: 29 })];
  const ends = high > low ? [["start", 8, low], ["end", 592, high]] : [["middle", 300, low]];
  const axis = [drawing("path", { d: "M8 34H592" }), ...ends.map(([anchor, at, value]) => drawing("text", { x: at, y: 48, "text-anchor": anchor }, shown(value)))];
  const label = `Values of ${known.length} runs from ${shown(low)} to ${shown(high)}; the line is the median, ${shown(middle)}`;
  return drawing("svg", { class: "strip", viewBox: "0 0 600 52", role: "img", "aria-label": label }, ...axis, ...dots, ...line);
};
const topicNode = async (page) => {
  await loadComparison();
  const t = page.place;
  const [before, after] = [data.topics[t - 1], data.topics[t + 1]];
  const measures = comparison.measures.filter((measure) => measure.topics.length);
  const result = element("div", { id: "topic-result" });
  const list = element("select", { id: "topic-measure" }, ...measures.map((measure, i) => element("option", { value: i }, measure.words)));
  const fill = () => result.replaceChildren(...topicValues(page, measures[list.value], t));
  list.addEventListener("change", () => { fill(); ready(result); });
  fill();
  const fields = { ...Object.fromEntries(Object.entries(comparison.fields).map(([name, values]) => [name, values[t]])), ...(page.fields ?? {}) };
  const known = Object.entries(fields).filter(([, value]) => value !== "" && value !== page.text);
  return element("article", { id: "topic", className: "view page", "aria-labelledby": "topic-title" },
    element("nav", { className: "back", "aria-label": "Neighbours" }, ...homeLinks(),
      before === undefined ? null : element("a", { href: `#${addressAt(t - 1)}`, rel: "prev" }, `← ${idAndTitle(before)}`), after === undefined ? null : element("a", { href: `#${addressAt(t + 1)}`, rel: "next" }, `${idAndTitle(after)} →`)),
    element("h2", { id: "topic-title", className: "run-title", tabIndex: -1 }, page.title),
    page.text ? element("p", { className: "asked" }, page.text) : null,
    metaNode(known.map(([name, value]) => [capital(name), value])),
    page.gold?.length ? goldNode(page) : null,
    measures.length > 1 && !comparison.outcomes.length ? element("form", { className: "chooser" }, element("label", {}, "Measure ", list)) : null, result, documentsNode(page));
};
const goldNode = (page) => {
  const many = page.gold.length;
  const label = !unitIsTopic() ? (many === 1 ? "Right answer" : "Right answers") : many === 1 ? "A relevant document that no run found" : `${many} relevant documents that no run found`;
  const inside = element("ul", { className: "entries" }, ...page.gold.map((text) => element("li", {}, text)));
  return page.gold.length > 5 ? element("details", {}, element("summary", {}, label), inside) : element("div", {}, element("h3", { className: "small" }, label), inside);
};
// Of answers: how many ended how, and each run's outcome beside its own overall value.
const topicOutcomes = (page, t) => {
  const column = (label, numeric) => headNode({ label, numeric }, true);
  const [measure] = comparison.measures;
  const ending = (run) => Number(comparison.outcomes[run][t]);
  const order = [...comparison.order].sort((a, b) => ending(a) - ending(b));
  const counts = comparison.endings.map((name, i) => [capital(name), order.filter((run) => ending(run) === i).length]).filter(([, count]) => count);
  const items = [...listsOf(page), ...(page.more ?? [])].some((list) => list.length);
  const value = (run) => { const node = element("td", { className: "n" }, among(measure.runs[run], measure.digits)); if (measure.runs[run] !== null) node.dataset.v = measure.runs[run]; return node; };
  const rows = order.map((run) => element("tr", { className: run === atRun ? "chosen" : "" }, element("th", { scope: "row", "data-text": comparison.runs[run] }, runLink(run), data.alone ? null : besideNode(data.teams[run])),
    element("td", {}, comparison.endings[ending(run)]), value(run), items ? element("td", { className: "returned" }, answerNode(page, run)) : null));
  const heads = [column("Run"), column("Outcome"), column(`${measure.words} of the run`, true), items ? headNode({ label: "Returned" }, false) : null];
  return [
    element("dl", { className: "verdict" }, ...counts.map(([label, count]) => element("div", {}, element("dt", {}, label), element("dd", {}, `${count} of ${order.length}`)))),
    element("figure", { className: "block table-block", id: "topic-runs", "aria-label": "Outcome of every run" },
      element("div", { className: "block-head" }, element("h3", {}, "Outcome of every run"), element("div", { className: "tools" }, button("CSV", { "data-csv": "topic-runs" }))),
      element("div", { className: "scroll" }, element("table", { className: items ? "" : "few" }, element("thead", {}, element("tr", {}, ...heads.filter(Boolean))), element("tbody", {}, ...rows)))),
  ];
};
const topicValues = (page, measure, t) => {
  if (comparison.outcomes.length) return topicOutcomes(page, t);
  const values = measure.topics.map((row) => row[t]);
  const middle = measure.medians[t];
  const sign = measure.higher_is_better ? -1 : 1;
  const order = comparison.order.map((run) => run).sort((a, b) => (values[a] === null) - (values[b] === null) || sign * (values[a] - values[b]));
  const known = order.filter((run) => values[run] !== null);
  const shown = (value, signed) => among(value, measure.topic_digits, signed);
  const facts = [["Median", shown(middle)]];
  if (known.length > 1) {
    const [best, worst] = [values[known[0]], values[known.at(-1)]];
    facts.unshift(["Best", shown(best)]);
    facts.push(["Worst", shown(worst)], ["Spread", shown(Math.abs(best - worst))]);
  }
  const column = (label, numeric) => headNode({ label, numeric }, true);
  // Without results, omit their column.
  const items = [...listsOf(page), ...(page.more ?? [])].some((list) => list.length);
  const cell = (value, signed) => {
    const node = element("td", { className: value === null ? "n missing" : "n" }, shown(value, signed));
    if (value !== null) node.dataset.v = value;
    if (signed && value && shown(value, true) !== shown(0)) node.classList.add(value > 0 ? "up" : "down");
    return node;
  };
  const rows = order.map((run) => element("tr", { className: run === atRun ? "chosen" : "" }, element("th", { scope: "row", "data-text": comparison.runs[run] }, runLink(run), data.alone ? null : besideNode(data.teams[run])), cell(values[run]),
    cell(values[run] === null || middle === null ? null : values[run] - middle, true), items ? element("td", { className: "returned" }, answerNode(page, run)) : null));
  const heads = [column("Run"), column(measure.words, true), column("From the median", true), items ? headNode({ label: "Returned" }, false) : null];
  return [
    element("dl", { className: "verdict" }, ...facts.map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, value)))),
    known.length > 1 ? strip(values, middle, shown) : null,
    element("figure", { className: "block table-block", id: "topic-runs", "aria-label": `${measure.words} of every run` },
      element("div", { className: "block-head" }, element("h3", {}, `${measure.words} of every run`), element("div", { className: "tools" }, button("CSV", { "data-csv": "topic-runs" }))),
      element("div", { className: "scroll" }, element("table", { className: items ? "" : "few" }, element("thead", {}, element("tr", {}, ...heads.filter(Boolean))), element("tbody", {}, ...rows)))),
  ].filter(Boolean);
};
