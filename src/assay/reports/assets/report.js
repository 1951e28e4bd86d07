// The report's behaviour: one view at a time, sorting, filtering, downloads, charts drawn as they come into view,
// and two runs set side by side. Names go into the page as text only, never as markup.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const announce = (message) => { byId("announce").textContent = message; };

  const element = (tag, properties = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in node) node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };

  // ---------------------------------------------------------------- charts
  const rowsOf = ([count, columns]) => {
    const names = Object.keys(columns);
    const read = {};
    for (const name of names) {
      const column = columns[name];
      if (column === "count") read[name] = (i) => i + 1;
      else if (column.over !== undefined) {
        const below = columns[column.over];
        read[name] = below ? (i) => (i + 1) / below[i] : (i) => (i + 1) / column.over;
      } else if (column.steps) {
        const places = column.ends.flatMap((end, i) => Array(end - (i ? column.ends[i - 1] : -1)).fill(end));
        read[name] = (i) => read[column.steps](places[i]);
      } else read[name] = Array.isArray(column) ? (i) => column[i] : () => column.all;
    }
    return Array.from({ length: count }, (_, i) => Object.fromEntries(names.map((name) => [name, read[name](i)])));
  };
  const filled = new Map();
  const datasetsOf = (id) => {
    if (filled.has(id)) return filled.get(id);
    return Object.fromEntries(Object.entries(data.charts[id][2]).map(([name, packed]) => [name, rowsOf(packed)]));
  };
  const ERRORS = 1;
  const shownIn = (holder) => holder.dataset.shows || holder.dataset.chart;
  const views = new WeakMap();

  const describe = (value) => {
    const list = element("dl");
    for (const [key, content] of Object.entries(value)) {
      list.append(element("dt", {}, key), element("dd", {}, content === null ? "n/a" : String(content)));
    }
    return list;
  };
  const tip = byId("tooltip");
  const showTip = (content, x, y) => {
    tip.replaceChildren(content);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 12) : y + 18}px`;
  };
  const hideTip = () => { tip.hidden = true; };

  const draw = async (holder) => {
    if (holder.dataset.drawn === shownIn(holder)) return;
    const id = shownIn(holder);
    holder.dataset.drawn = id;
    const [place, alt] = data.charts[id];
    const spec = structuredClone(data.specs[place]);
    spec.datasets = datasetsOf(id);
    spec.description = alt;
    spec.width = Math.min(spec.usermeta?.widest ?? Infinity, Math.floor(holder.clientWidth) || spec.width);
    spec.autosize = { type: "fit-x", contains: "padding" };
    const target = element("div");
    try {
      const result = await vegaEmbed(target, spec, {
        mode: "vega-lite", ast: true, actions: false, defaultStyle: false, renderer: "svg", config: data.config,
        // An empty series is no fault of the page: only errors are worth a line in the console.
        logLevel: ERRORS,
        tooltip: (_, event, __, value) => {
          if (value === null || value === undefined || value === "") return hideTip();
          return showTip(describe(value), event.clientX, event.clientY);
        },
      });
      views.get(holder)?.finalize();
      views.set(holder, result.view);
      const svg = target.querySelector("svg");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", alt);
      for (const part of svg.children) part.setAttribute("aria-hidden", "true");
      holder.replaceChildren(target);
      holder.dataset.state = "drawn";
    } catch (problem) {
      holder.dataset.state = "failed";
      console.error(`chart ${id}: ${problem.message}`);
    }
  };
  const current = () => all(".view").find((view) => !view.hidden);
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
  }, { rootMargin: "400px" });
  // What is not yet in sight is drawn when the browser has nothing else to do, so that printing finds it.
  const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 120));
  const drawRest = () => whenIdle(async () => {
    const next = all(".chart[data-chart]", current()).find((holder) => holder.dataset.drawn !== shownIn(holder));
    if (next && next.clientWidth) { await draw(next); drawRest(); }
  });
  let width = innerWidth;
  let resizing = 0;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(resizing);
    resizing = setTimeout(() => {
      for (const holder of all(".chart[data-drawn]")) delete holder.dataset.drawn;
      drawRest();
    }, 150);
  });

  // ---------------------------------------------------------------- downloads
  const save = (name, type, content) => {
    const link = element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  // A spreadsheet would run a name that begins like a formula.
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
    const text = cell.textContent.trim();
    return cell.classList.contains("n") && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  const tableRows = (table) => {
    const wide = table.querySelector("tbody [data-low]") !== null;
    const split = (cell) => (wide && cell.dataset.low !== undefined
      ? [cellValue(cell), Number(cell.dataset.low), Number(cell.dataset.high)] : [cellValue(cell)]);
    const kept = (row) => [...row.cells].filter((cell) => !cell.classList.contains("choose"));
    const first = table.tBodies[0].rows[0];
    const places = first ? kept(first).map((cell) => cell.dataset.low !== undefined) : [];
    const head = table.tHead ? kept(table.tHead.rows[0]).flatMap((cell, i) => {
      const label = cell.textContent.trim();
      return places[i] ? [label, `${label} low`, `${label} high`] : [label];
    }) : null;
    const body = [...table.tBodies[0].rows].map((row) => kept(row).flatMap(split));
    return head ? [head, ...body] : body;
  };
  const chartRows = (id) => {
    const rows = Object.entries(datasetsOf(id)).filter(([name]) => !["bands", "middle", "edges", "lines", "diagonal", "start"].includes(name) && !name.endsWith("-key"))
      .flatMap(([, list]) => list);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return [names, ...rows.map((row) => names.map((name) => row[name] ?? null))];
  };
  // The drawn chart with the page's colours written out, so that it stands alone.
  const standalone = (svg) => {
    const copy = svg.cloneNode(true);
    const style = getComputedStyle(document.documentElement);
    const resolve = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    for (const node of [copy, ...all("*", copy)]) {
      for (const { name, value } of [...node.attributes]) if (value.includes("var(")) node.setAttribute(name, resolve(value));
    }
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  };
  const dataTable = (rows, limit = 400) => {
    const [head, ...body] = rows;
    const table = element("table");
    table.append(element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))));
    const cells = (row) => row.map((value) => element("td", {}, value === null ? "n/a" : String(value)));
    table.append(element("tbody", {}, ...body.slice(0, limit).map((row) => element("tr", {}, ...cells(row)))));
    const box = element("div", { className: "chart-data", tabIndex: 0, role: "region", "aria-label": "Data of the chart" }, table);
    if (body.length > limit) box.append(element("p", { className: "caption" }, `The first ${limit} of ${body.length} rows; the CSV holds all.`));
    return box;
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { csv: tableId, chartCsv, svg, table, step } = button.dataset;
    if (tableId) save(`${tableId}.csv`, "text/csv", csv(tableRows(byId(tableId).querySelector("table"))));
    const holder = (id) => byId(id).querySelector(".chart");
    if (chartCsv) save(`${shownIn(holder(chartCsv))}.csv`, "text/csv", csv(chartRows(shownIn(holder(chartCsv)))));
    if (svg) {
      await draw(holder(svg));
      save(`${shownIn(holder(svg))}.svg`, "image/svg+xml", standalone(holder(svg).querySelector("svg")));
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

  // ---------------------------------------------------------------- tables
  const collator = new Intl.Collator(document.documentElement.lang || "en", { numeric: true, sensitivity: "base" });
  const compareCells = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)));
  const sortBy = (head) => {
    const table = head.closest("table");
    const place = head.cellIndex;
    // Numbers begin with the largest, names and places with the first.
    const cells = [...table.tBodies[0].rows].map((row) => cellValue(row.cells[place]));
    const numbers = cells.some((value) => typeof value === "number") && !head.matches(":first-child");
    const before = head.getAttribute("aria-sort");
    const order = before ? (before === "ascending" ? "descending" : "ascending") : numbers ? "descending" : "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row, i) => [cells[i], row]);
    // Undefined values stay last in either direction.
    rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : sign * compareCells(a, b)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    announce(`Sorted by ${head.textContent.trim()}, ${order}.`);
  };
  for (const box of all("input[data-filter]")) {
    const table = byId(box.dataset.filter).querySelector("table");
    const counted = document.querySelector(`[data-count="${box.dataset.filter}"]`);
    box.addEventListener("input", () => {
      const words = box.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      let seen = 0;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLocaleLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        seen += row.hidden ? 0 : 1;
      }
      counted.textContent = words.length ? `${seen} of ${table.tBodies[0].rows.length}` : "";
    });
  }
  for (const list of all("select[data-panels]")) {
    const figure = byId(list.dataset.panels);
    const holder = figure.querySelector(".chart");
    figure.querySelector(".panel-choice").hidden = false;
    list.addEventListener("change", async () => {
      holder.dataset.shows = list.value;
      figure.querySelector(".panel-caption").textContent = data.charts[list.value][1];
      await draw(holder);
      const button = figure.querySelector("[data-table][aria-expanded=true]");
      if (button) { toggleData(button, holder); toggleData(button, holder); }
    });
  }
  for (const node of all("[data-hint]")) {
    const show = () => {
      const box = node.getBoundingClientRect();
      showTip(document.createTextNode(node.dataset.hint), box.left - 14, box.bottom - 12);
    };
    node.setAttribute("aria-description", node.dataset.hint);
    node.addEventListener("mouseenter", show);
    node.addEventListener("focus", show);
    node.addEventListener("mouseleave", hideTip);
    node.addEventListener("blur", hideTip);
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("scroll", hideTip, { passive: true });

  // ---------------------------------------------------------------- two runs side by side
  const comparison = data.comparison;
  const showComparison = (a, b, m) => {
    const measure = comparison.measures[m];
    const unit = comparison.unit[0].toUpperCase() + comparison.unit.slice(1);
    const [first, second] = [comparison.runs[a], comparison.runs[b]];
    const shown = (value, signed = false) => {
      if (value === null) return "n/a";
      const text = value.toFixed(measure.digits);
      return signed && value > 0 && Number(text) !== 0 ? `+${text}` : text.replace(/^-(0\.?0*)$/, "$1");
    };
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
    const number = (value, signed) => {
      const cell = element("td", { className: "n" }, shown(value, signed));
      if (value === null) cell.classList.add("missing");
      else cell.dataset.v = value;
      if (signed && value) cell.classList.add(value > 0 ? "up" : "down");
      return cell;
    };
    const table = element("table", {},
      element("thead", {}, element("tr", {}, column(unit), column(first, true), column(second, true), column("Difference", true))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.topic),
        number(row.a), number(row.b), number(row.difference, true)))));
    const tools = element("div", { className: "tools" }, element("button", { type: "button", className: "tool", "data-csv": "comparison-values" }, "CSV"));
    byId("compare-table").replaceChildren(element("figure", { className: "block table-block", id: "comparison-values" },
      element("div", { className: "block-head" }, element("h3", {}, `${measure.name} by ${comparison.unit}`), tools),
      element("div", { className: "scroll" }, table)));
  };
  const compareHash = (a, b, m) => `#compare-${Number(a) + 1}-${Number(b) + 1}${Number(m) ? `-${Number(m) + 1}` : ""}`;
  if (comparison) {
    for (const form of all(".chooser")) form.addEventListener("submit", (event) => event.preventDefault());
    const chosen = (prefix) => ["a", "b", "measure"].map((name) => byId(`${prefix}-${name}`).value);
    byId("pick-go").addEventListener("click", () => { location.hash = compareHash(...chosen("pick")); });
    for (const name of ["a", "b", "measure"]) {
      byId(`compare-${name}`).addEventListener("change", () => { location.hash = compareHash(...chosen("compare")); });
    }
    addCheckboxes();
  }

  // Two boxes ticked on the leaderboard are two runs to compare; a third replaces the older of them.
  function addCheckboxes() {
    const table = document.querySelector("table.leaderboard");
    if (!table) return;
    const place = new Map(all(".contents .nav-runs a").map((link, i) => [link.getAttribute("href"), i]));
    const tray = element("div", { className: "tray", hidden: true });
    table.closest(".scroll").after(tray);
    const boxes = new Map();
    let ticked = [];
    const show = () => {
      tray.hidden = ticked.length === 0;
      const names = ticked.map((i) => comparison.runs[i]);
      const go = element("button", { type: "button", className: "primary" }, "Compare them");
      go.addEventListener("click", () => { location.hash = compareHash(ticked[0], ticked[1], 0); });
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
      row.append(element("td", { className: "choose" }, box));
    }
    table.tHead.rows[0].append(element("th", { className: "choose", scope: "col" }, element("span", { className: "unseen" }, "Compare")));
  }

  // ---------------------------------------------------------------- views
  const show = (view, focus) => {
    for (const other of all(".view")) other.hidden = other !== view;
    for (const holder of all(".chart[data-chart]", view)) observer.observe(holder);
    if (focus) {
      view.querySelector("h2")?.focus({ preventScroll: true });
      scrollTo({ top: Math.max(0, byId("main").offsetTop - 24), behavior: "instant" });
    }
    drawRest();
  };
  const route = (first) => {
    hideTip();
    const wanted = location.hash.slice(1);
    const pair = /^compare-(\d+)-(\d+)(?:-(\d+))?$/.exec(wanted);
    const target = wanted && !pair ? byId(wanted) : null;
    for (const link of all(".contents a")) {
      if (wanted && link.getAttribute("href") === `#${wanted}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (pair && comparison) {
      const [a, b, m] = [pair[1], pair[2], pair[3] ?? 1].map((text) => Number(text) - 1);
      if (a in comparison.runs && b in comparison.runs && m in comparison.measures) {
        show(byId("compare"), true);
        showComparison(a, b, m);
        return drawRest();
      }
    }
    const view = target?.closest(".view") ?? (byId("campaign").children.length ? byId("campaign") : document.querySelector(".view.page"));
    if (!view) return;
    show(view, !first && (view !== byId("campaign") || wanted === "campaign" || wanted === ""));
    if (target && target !== view) target.scrollIntoView();
  };

  // ---------------------------------------------------------------- light and dark
  const theme = byId("theme");
  const themes = ["auto", "light", "dark"];
  const setTheme = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    theme.textContent = `Theme: ${name}`;
  };
  theme.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "auto";
    setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
  });
  setTheme("auto");
  for (const control of [theme, ...all(".tools .tool")]) control.hidden = false;
  addEventListener("hashchange", () => route(false));
  route(true);
})();
