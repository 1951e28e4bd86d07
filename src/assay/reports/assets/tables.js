// Downloads, sorting, filtering and hints.
const save = (name, type, content) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
// Escape formulas: a spreadsheet would run them.
const quoted = (value) => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
const cellValue = (cell) => {
  if (cell.classList.contains("missing")) return null;
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  const text = (cell.dataset.text ?? cell.textContent).trim();
  return cell.classList.contains("n") && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
};
const tableRows = (table) => {
  const wide = table.querySelector("tbody [data-low]") !== null;
  const split = (cell) => (wide && cell.dataset.low !== undefined
    ? [cellValue(cell), Number(cell.dataset.low), Number(cell.dataset.high)] : [cellValue(cell)]);
  const kept = (row) => [...row.cells].filter((cell) => !cell.matches(".choose, .plot, .endings, .ci"));
  const first = table.tBodies[0].rows[0];
  const places = first ? kept(first).map((cell) => cell.dataset.low !== undefined) : [];
  const head = table.tHead ? kept(table.tHead.rows[0]).flatMap((cell, i) => {
    const label = cell.textContent.trim();
    return places[i] ? [label, `${label} low`, `${label} high`] : [label];
  }) : null;
  // Export the rows of runs without headings between them.
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => !table.matches(".of-runs") || !row.matches(".span"));
  const body = rows.map((row) => kept(row).flatMap(split));
  return head ? [head, ...body] : body;
};
const chartRows = (id) => {
  const rows = Object.entries(datasetsOf(id)).filter(([name]) => !["bands", "middle", "edges", "lines", "diagonal", "start"].includes(name) && !/-(key|above|below)$/.test(name))
    .flatMap(([, list]) => list);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? null))];
};
// Return the drawn chart as a file of a fixed size: stretched paths at their width, percentages as pixels, colours of the page.
const FONT = '"IBM Plex Sans", "Helvetica Neue", Arial, sans-serif';
const standalone = (holder) => {
  const fluid = holder.querySelector(".fluid");
  const svg = fluid.querySelector("svg");
  const outer = fluid.getBoundingClientRect();
  const inner = svg.getBoundingClientRect();
  const legend = holder.querySelector(".legend");
  const keys = legend?.getBoundingClientRect();
  const above = keys ? keys.height + 6 : 0;
  const copy = svg.cloneNode(true);
  for (const part of all(".stretched", copy)) {
    const scale = inner.width / part.viewBox.baseVal.width;
    for (const path of part.querySelectorAll("path")) path.setAttribute("d", widened(path.getAttribute("d"), scale));
    part.replaceWith(...part.childNodes);
  }
  for (const node of all("[x], [width]", copy)) for (const name of ["x", "width"]) {
    const value = node.getAttribute(name);
    if (value?.endsWith("%")) node.setAttribute(name, short(Number.parseFloat(value) / 100 * inner.width));
  }
  const group = drawing("g", { transform: `translate(${short(inner.left - outer.left)} ${short(above)})` }, ...copy.childNodes);
  const [width, height] = [Math.ceil(Math.max(outer.width, inner.right - outer.left)), Math.ceil(inner.height + above)];
  const items = legend ? all("li", legend).flatMap((item) => {
    const words = document.createRange();
    words.selectNodeContents(item);
    const at = item.getBoundingClientRect();
    const swatch = item.querySelector("svg");
    const moved = drawing("g", { transform: `translate(${short(at.left - outer.left)} ${short(at.top - keys.top + 4)})` }, ...(swatch ? swatch.cloneNode(true).childNodes : []));
    return [moved, drawing("text", { x: short(at.left - outer.left + (swatch ? 20 : 0)), y: short(at.top - keys.top + 14), "font-size": 12, fill: "var(--chart-ink)" }, item.textContent.trim())];
  }) : [];
  const whole = drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    drawing("rect", { width, height, fill: "var(--chart-paper)" }), ...items, group);
  const style = getComputedStyle(document.documentElement);
  const resolve = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  for (const node of [whole, ...all("*", whole)]) {
    for (const { name, value } of [...node.attributes]) if (value.includes("var(")) node.setAttribute(name, resolve(value));
  }
  whole.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return { text: new XMLSerializer().serializeToString(whole), width, height };
};
// Return the leaderboard as a file, as it stands on the page: bands, words and drawings at their places.
const LOOK = ["fill", "stroke", "stroke-width", "stroke-dasharray", "paint-order", "font-size", "font-weight"];
const boardPicture = (figure) => {
  const frame = figure.getBoundingClientRect();
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
  const at = (box) => ({ x: short(box.left - frame.left), y: short(box.top - frame.top), width: short(box.width), height: short(box.height) });
  const bands = all("tbody.top > tr, tbody.odd > tr", figure).map((row) => drawing("rect",
    { ...at(row.getBoundingClientRect()), fill: getComputedStyle(row.cells[0]).backgroundColor }));
  const words = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT, (node) => (node.data.trim() && !node.parentElement.closest("svg, .unseen, .tools")
    && node.parentElement.checkVisibility() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
  const texts = [];
  while (words.nextNode()) {
    const place = document.createRange();
    place.selectNodeContents(words.currentNode);
    const box = place.getBoundingClientRect();
    const style = getComputedStyle(words.currentNode.parentElement);
    const size = Number.parseFloat(style.fontSize);
    texts.push(drawing("text", { x: short(box.left - frame.left), y: short(box.top - frame.top + box.height / 2 + size * 0.35),
      "font-size": size, "font-weight": style.fontWeight, fill: style.color }, words.currentNode.data.trim()));
  }
  const pictures = all("svg", figure).filter((svg) => !svg.parentElement.closest("svg") && svg.checkVisibility()).map((svg) => {
    const copy = svg.cloneNode(true);
    const [from, to] = [all("*", svg), all("*", copy)];
    for (const [i, node] of to.entries()) {
      const style = getComputedStyle(from[i]);
      if (!["title", "svg", "g"].includes(node.tagName)) for (const name of LOOK) node.setAttribute(name, style.getPropertyValue(name).replaceAll('"', ""));
    }
    for (const [name, value] of Object.entries({ ...at(svg.getBoundingClientRect()), overflow: "visible" })) copy.setAttribute(name, value);
    return copy;
  });
  const whole = drawing("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    drawing("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }), document.querySelector(".patterns defs").cloneNode(true),
    ...bands, ...pictures, ...texts);
  const style = getComputedStyle(document.documentElement);
  for (const node of all("*", whole)) for (const { name, value } of [...node.attributes]) {
    if (value.includes("var(")) node.setAttribute(name, value.replace(/var\((--[\w-]+)\)/g, (_, colour) => style.getPropertyValue(colour).trim()));
  }
  return { text: new XMLSerializer().serializeToString(whole), width, height };
};
// Scale the x of a path of the commands M, L, H, V, h, v and Z.
const widened = (d, scale) => d.replace(/([MLHVhvZ])([^MLHVhvZ]*)/g, (_, command, numbers) => {
  const values = numbers.trim() ? numbers.trim().split(/[\s,]+/).map(Number) : [];
  if ("MLHh".includes(command)) values[0] *= scale;
  return command + values.map(short).join(" ");
});
const savePicture = (name, { text, width, height }) => {
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = element("canvas", { width: 2 * width, height: 2 * height });
    const pen = canvas.getContext("2d");
    pen.scale(2, 2);
    pen.drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => save(`${name}.png`, "image/png", blob));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
};
const dataTable = (rows, limit = 400) => {
  const [head, ...body] = rows;
  const table = element("table");
  table.append(element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))));
  const cells = (row) => row.map((value) => element("td", {}, value === null ? "n/a" : String(value)));
  table.append(element("tbody", {}, ...body.slice(0, limit).map((row) => element("tr", {}, ...cells(row)))));
  const box = element("div", { className: "chart-data", tabIndex: 0, role: "region", "aria-label": "Data of the chart" }, table);
  if (body.length > limit) box.append(element("p", { className: "caption" }, `The first ${limit} of ${body.length} rows; the CSV has all.`));
  return box;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { csv: tableId, chartCsv, svg, png, table, step } = button.dataset;
  await chartsRead;
  if (tableId) save(`${tableId}.csv`, "text/csv", csv(all("table:not(.again)", byId(tableId)).flatMap((table, i) => tableRows(table).slice(i ? 1 : 0))));
  const holder = (id) => byId(id).querySelector(".chart");
  if (chartCsv) save(`${shownIn(holder(chartCsv))}.csv`, "text/csv", csv(chartRows(shownIn(holder(chartCsv)))));
  if (svg || png) {
    const chosen = holder(svg ?? png);
    await draw(chosen);
    if (svg) save(`${shownIn(chosen)}.svg`, "image/svg+xml", standalone(chosen).text);
    else savePicture(shownIn(chosen), standalone(chosen));
  }
  const { board } = button.dataset;
  if (board) {
    const [id, form] = board.split("|");
    const picture = boardPicture(byId(id));
    if (form === "svg") save(`${id}.svg`, "image/svg+xml", picture.text);
    else savePicture(id, picture);
  }
  if (table) toggleData(button, holder(table));
  if (step) {
    const list = button.parentElement.querySelector("select");
    list.selectedIndex = (list.selectedIndex + Number(step) + list.length) % list.length;
    list.dispatchEvent(new Event("change"));
  }
  if (button.classList.contains("sort")) sortBy(button.closest("th"));
});
const toggleData = (button, holder) => {
  const open = button.getAttribute("aria-expanded") === "true";
  holder.parentElement.querySelector(".chart-data")?.remove();
  button.setAttribute("aria-expanded", String(!open));
  if (!open) holder.after(dataTable(chartRows(shownIn(holder))));
};

const collator = new Intl.Collator(document.documentElement.lang || "en", { numeric: true, sensitivity: "base" });
const compareCells = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)));
// Group a table's rows by the spanning heading above them; the first group may have none.
const groupsOf = (table) => {
  const groups = [[null, []]];
  for (const row of table.tBodies[0].rows) row.matches(".span") ? groups.push([row, []]) : groups.at(-1)[1].push(row);
  return groups;
};
const sortBy = (head) => {
  const table = head.closest("table");
  const place = head.cellIndex;
  // Sort numbers from the largest at first, names and places from the first.
  const groups = groupsOf(table);
  const cells = new Map(groups.flatMap(([, rows]) => rows).map((row) => [row, cellValue(row.cells[place])]));
  const numbers = [...cells.values()].some((value) => typeof value === "number") && !head.matches(":first-child");
  const before = head.getAttribute("aria-sort");
  const order = before ? (before === "ascending" ? "descending" : "ascending") : numbers ? "descending" : "ascending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  // Undefined values are last in either direction.
  const inOrder = (a, b) => (a === null || b === null ? (a === null) - (b === null) : sign * compareCells(a, b));
  for (const [heading, rows] of groups) {
    rows.sort((a, b) => inOrder(cells.get(a), cells.get(b)));
    table.tBodies[0].append(...(heading ? [heading] : []), ...rows);
  }
  announce(`Sorted by ${head.textContent.trim()}, ${order}.`);
};
// The median of the rows that a facet picks, below each column of numbers.
const medianOf = (values) => {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const showMedians = (table, rows) => {
  table.tFoot?.remove();
  if (rows.length < 2) return;
  const cells = [...table.tHead.rows[0].cells].map((head, at) => {
    if (!at) return element("th", { scope: "row" }, `Median of ${rows.length} runs`);
    const column = rows.map((row) => row.cells[at]).filter((cell) => cell && !cell.matches(".missing"));
    const known = column.map((cell) => Number(cell.dataset.v ?? (cell.textContent.trim() || NaN))).filter((value) => !Number.isNaN(value));
    if (!head.matches(".n") || !known.length) return element("td", {});
    const digits = /\.(\d+)/.exec(column[0].textContent)?.[1].length ?? 0;
    return element("td", { className: "n" }, among(medianOf(known), digits));
  });
  table.append(element("tfoot", {}, element("tr", { className: "medians" }, ...cells)));
};
// A row must match the text filter and all facets.
const narrow = (id) => {
  const groups = groupsOf(byId(id).querySelector("table"));
  const rows = groups.flatMap(([, below]) => below);
  const words = document.querySelector(`input[data-filter="${id}"]`).value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const facets = all(`select[data-of="${id}"]`).filter((list) => list.value);
  let seen = 0;
  byId(id).querySelector("table").classList.toggle("filtered", words.length + facets.length > 0);
  for (const row of rows) {
    const text = row.textContent.toLocaleLowerCase();
    row.hidden = !words.every((word) => text.includes(word))
      || !facets.every((list) => row.getAttribute(`data-facet-${list.dataset.facet}`) === list.value);
    seen += row.hidden ? 0 : 1;
  }
  if (id === "measures") showMedians(byId(id).querySelector("table"), facets.length ? rows.filter((row) => !row.hidden) : []);
  for (const [heading, below] of groups) if (heading) heading.hidden = below.every((row) => row.hidden);
  document.querySelector(`[data-count="${id}"]`).textContent = words.length || facets.length ? `${seen} of ${rows.length}` : "";
};
for (const box of all("input[data-filter]")) box.addEventListener("input", () => narrow(box.dataset.filter));
for (const list of all("select[data-of]")) list.addEventListener("change", () => narrow(list.dataset.of));
// A table that fits has a sticky header; a wider one scrolls in a box that the keyboard can reach.
const fitting = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    target.classList.remove("fits");
    const fits = target.scrollWidth <= target.clientWidth;
    target.classList.toggle("fits", fits);
    if (fits) target.removeAttribute("tabindex"); else target.tabIndex = 0;
  }
});
for (const box of all(".scroll")) fitting.observe(box);

const choosePanels = (list) => {
  const figure = byId(list.dataset.panels) ?? list.closest("figure");
  const holder = figure.querySelector(".chart");
  figure.querySelector(".panel-choice").hidden = false;
  list.addEventListener("change", async () => {
    holder.dataset.shows = list.value;
    figure.querySelector(".panel-caption").textContent = data.charts[list.value][1];
    const link = figure.querySelector(".panel-link");
    const chosen = list.selectedOptions[0];
    const name = chosen.dataset.name ?? chosen.textContent;
    if (link) { link.href = `#${topicAddress(name)}`; link.textContent = `${list.labels[0].firstChild.textContent.trim()} ${name}`; }
    await draw(holder);
    const button = figure.querySelector("[data-table][aria-expanded=true]");
    if (button) { toggleData(button, holder); toggleData(button, holder); }
  });
};
const hinted = (event) => event.target.closest?.("[data-hint]");
const showHint = (event) => {
  const node = hinted(event);
  if (!node) return;
  const box = node.getBoundingClientRect();
  showTip(document.createTextNode(node.dataset.hint), box.left - 14, box.bottom - 12);
};
const leaveHint = (event) => { if (hinted(event)) hideTip(); };
for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, showHint);
for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, leaveHint);
addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
addEventListener("scroll", hideTip, { passive: true });
