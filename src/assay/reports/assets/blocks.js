// Build pages as nodes from page_data.py's JSON, with the markup that html_elements.py gives the campaign's own pages.
const button = (label, properties) => element("button", { type: "button", className: "tool", ...properties }, label);
const heading = (level, id, title) => element(`h${level}`, { id: `${id}-title` }, title);
const captioned = (text) => (text ? element("figcaption", { className: "caption" }, text) : null);

const intervalDrawing = ([low, middle, high]) => drawing("svg", { class: "interval", width: 148, height: 12, viewBox: "0 0 148 12", "aria-hidden": "true" },
  drawing("line", { x1: low, x2: high, y1: 6, y2: 6 }), drawing("circle", { cx: middle, cy: 6, r: 3 }));
const cellNode = (packed, first) => {
  const [text, more] = Array.isArray(packed) ? packed : [packed, {}];
  const node = element(first ? "th" : "td", first ? { scope: "row" } : {});
  if (more.c) node.className = more.c;
  if (more.v !== undefined) node.dataset.v = more.v;
  if (more.hint) node.dataset.hint = more.hint;
  const content = more.to ? element("a", { href: more.to.startsWith("./") ? more.to : `#${more.to}` }, text) : document.createTextNode(text);
  node.append(content);
  const label = more.to ? labels.get(more.to) : "";
  if (label) { node.dataset.text = text; node.append(" ", besideNode(label)); }
  if (more.tag) node.append(" ", element("span", { className: "tag" }, more.tag));
  if (more.ends) {
    const [low, high, shown, places] = more.ends;
    node.dataset.low = low;
    node.dataset.high = high;
    if (shown) node.append(" ", element("span", { className: "ends" }, shown));
    if (places) node.append(intervalDrawing(places));
  }
  return node;
};
const rowNode = (row, width) => (typeof row === "string"
  ? element("tr", { className: "span" }, element("th", { colSpan: width, scope: "rowgroup" }, row))
  : element("tr", {}, ...row.map((cell, i) => cellNode(cell, i === 0))));
const headNode = (column, sortable) => {
  const hint = column.hint || undefined;
  // A long name of a measure may break where it has an underscore.
  const label = column.label.split(/(?<=_)/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));
  const inner = sortable ? [element("button", { type: "button", className: "sort", "data-hint": hint }, ...label)] : label;
  return element("th", { scope: "col", className: column.numeric ? "n" : "", "data-hint": sortable ? undefined : hint }, ...inner);
};
const tableNode = (block, level, above) => {
  const titled = block.title && block.title !== above;
  const named = titled ? { "aria-labelledby": `${block.id}-title` } : { "aria-label": block.title };
  const classes = [block.columns.length ? "" : "facts", block.few ? "few" : "", block.rows.length > 30 ? "long" : ""].join(" ").trim();
  const table = element("table", { className: classes },
    block.columns.length ? element("thead", {}, element("tr", {}, ...block.columns.map((column) => headNode(column, block.sortable)))) : null,
    element("tbody", {}, ...block.rows.map((row) => rowNode(row, block.width))));
  const box = element("div", { className: "scroll", role: "region", ...named }, table);
  fitting.observe(box);
  return element("figure", { className: "block table-block", id: block.id, ...named },
    element("div", { className: "block-head" }, titled ? heading(level, block.id, block.title) : element("span"),
      element("div", { className: "tools" }, button("CSV", { "data-csv": block.id }))),
    box,
    block.rows.length > 30 ? element("label", { className: "unfold" }, element("input", { type: "checkbox" }), ` All ${block.rows.length} rows`) : null,
    block.rows.length ? null : element("p", { className: "empty" }, "Nothing to show."), captioned(block.caption));
};
const chartTools = (id) => element("div", { className: "tools" },
  button("Data", { "data-table": id, "aria-expanded": "false" }), button("SVG", { "data-svg": id }), button("PNG", { "data-png": id }), button("CSV", { "data-chart-csv": id }));
const chartFigure = (block, level, kind, ...inside) => element("figure", { className: `block chart-block ${kind}`.trim(), id: block.id, "aria-labelledby": `${block.id}-title` },
  element("div", { className: "block-head" }, heading(level, block.id, block.title), chartTools(block.id)), ...inside, captioned(block.caption));
const chartHolder = (id, alt, more = {}) => element("div", { className: "chart", "data-chart": id, ...more }, element("p", { className: "alt" }, alt));
const chartNode = (block, level) => {
  data.charts[block.id] = block.drawn;
  return chartFigure(block, level, "", chartHolder(block.id, block.alt, { "data-height": block.height }));
};
// Link the chosen topic's plot to the topic's page.
const panelLink = (block) => {
  const [id, name] = block.charts[0];
  return topicAddress(name) ? element("a", { className: "panel-link", href: `#${topicAddress(name)}`, "data-first": id }, `${block.label} ${name}`) : null;
};
const panelsNode = (block, level) => {
  for (const [id, , drawn] of block.charts) data.charts[id] = drawn;
  const [first, , [, alt]] = block.charts[0];
  const list = element("select", { "data-panels": block.id }, ...block.charts.map(([id, name]) => element("option", { value: id, "data-name": name }, idAndTitle(name))));
  const what = block.label.toLowerCase();
  return chartFigure(block, level, "panels",
    element("div", { className: "panel-choice" },
      button("←", { "data-step": "-1", "aria-label": `Previous ${what}` }), element("label", {}, `${block.label} `, list),
      button("→", { "data-step": "1", "aria-label": `Next ${what}` }), element("span", { className: "panel-caption", role: "status" }, alt), panelLink(block)),
    chartHolder(block.id, alt, { "data-shows": first, "data-height": block.height }));
};
const blockNode = (block, level, above = "") => {
  if (block.kind === "table") return tableNode(block, level, above);
  if (block.kind === "chart") return chartNode(block, level);
  if (block.kind === "panels") return panelsNode(block, level);
  if (block.kind === "row") return element("div", { className: block.style }, ...block.blocks.map((part) => blockNode(part, level)));
  return element("p", { className: `note ${block.of}` }, block.body);
};
const sectionNode = (section, level) => element("section", { id: section.id, "aria-labelledby": `${section.id}-title` },
  element(`h${level}`, { id: `${section.id}-title`, className: "section-title" }, section.title),
  ...section.blocks.map((block) => blockNode(block, level + 1, section.title)));
const metaNode = (pairs) => (pairs.length ? element("dl", { className: "meta" },
  ...pairs.map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, value)))) : null);
const turning = (page, what) => {
  const step = (address, label, rel) => (address ? element("a", { href: `#${address}`, rel }, label) : null);
  const name = (address) => unquoted(address.split("/").slice(1).join("/"));
  return element("nav", { className: "back", "aria-label": what }, element("a", { href: "#campaign" }, "← All runs"),
    page.previous ? step(page.previous, `↑ ${name(page.previous)}`, "prev") : null,
    page.next ? step(page.next, `↓ ${name(page.next)}`, "next") : null);
};
const pageNode = (page) => {
  atRun = data.pages.findIndex(([, name]) => name === page.title);
  return element("article", { id: page.id, className: "view page", "aria-labelledby": `${page.id}-title` },
  turning(page, "Neighbours"),
  element("h2", { id: `${page.id}-title`, className: "run-title", tabIndex: -1 }, page.title),
  page.finding.length ? element("p", { className: "finding" }, ...page.finding.map(([part, name]) => (name ? element("b", {}, part) : part))) : null,
  metaNode(page.meta), ...page.sections.map((section) => sectionNode(section, 3)));
};
