// Charts: decode their data, show tooltips, draw what depends on a choice. The pictures are made by svg_charts.
const rowsOf = ([count, columns]) => {
  const names = Object.keys(columns);
  const read = {};
  for (const name of names) {
    const column = columns[name];
    if (column === "count") read[name] = (i) => i + 1;
    else if (column.over !== undefined) {
      read[name] = column.over in columns ? (i) => (i + 1) / read[column.over](i) : (i) => (i + 1) / column.over;
    } else if (column.rises) {
      let sum = 0;
      const whole = column.rises.map((step) => (sum += step));
      read[name] = (i) => whole[i];
    } else if (column.highest) {
      const from = Array.from({ length: count }, (_, i) => read[column.highest](i));
      for (let i = count - 2; i >= 0; i -= 1) from[i] = Math.max(from[i], from[i + 1]);
      read[name] = (i) => from[i];
    } else if (column.minus) {
      const [first, second] = column.minus;
      read[name] = (i) => read[first](i) - read[second](i);
    } else read[name] = Array.isArray(column) ? (i) => column[i] : () => column.all;
  }
  return Array.from({ length: count }, (_, i) => Object.fromEntries(names.map((name) => [name, read[name](i)])));
};
data.charts = {};
const chartsRead = sheet("charts").then((charts) => { data.charts = { ...charts, ...data.charts }; });
const filled = new Map();
const datasetsOf = (id) => {
  if (filled.has(id)) return filled.get(id);
  return Object.fromEntries(Object.entries(data.charts[id][2]).map(([name, packed]) => [name, rowsOf(packed)]));
};
const shownIn = (holder) => holder.dataset.shows || holder.dataset.chart;

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

// Format a number as the tooltip's line says: .3f, +.2f, .1%, d, ,d, or as short as it goes.
const formatted = (value, form) => {
  if (value === null || value === undefined) return "n/a";
  if (!form || typeof value !== "number") return String(value);
  const digits = Number(/\.(\d+)/.exec(form)?.[1] ?? 0);
  if (form.endsWith("d")) return form.startsWith(",") ? Math.round(value).toLocaleString("en") : String(Math.round(value));
  if (form.endsWith("%")) return `${fixed(100 * value, digits)}%`;
  if (form.endsWith("g") || form.endsWith("s")) return String(Number(value.toPrecision(4)));
  return number(value, digits, form.startsWith("+")).replace(/^([+-]?)0\./, "$1.");
};

// ---------------------------------------------------------------- places: x from 0 to 1, y in pixels
const placeOn = (scale, sets) => {
  if (Array.isArray(scale[0])) {
    const [listed, inner, outer, sources] = scale;
    const names = sources ? [...new Set(sources.flatMap(([name, field]) => sets[name].map((row) => String(row[field]))))] : listed;
    const step = 1 / (names.length - inner + 2 * outer);
    const at = new Map(names.map((name, i) => [name, [step * (outer + i), step * (outer + i + 1 - inner)]]));
    return (value) => at.get(String(value)) ?? [0, 0];
  }
  const [low, high, log] = scale;
  const of = log ? Math.log10 : (value) => value;
  return (value) => { const share = (of(value) - of(low)) / (of(high) - of(low) || 1); return [share, share]; };
};
const upwards = ([from, to], tall) => [tall * (1 - from), tall * (1 - to)];
// Return the boxes of the rows that have a tooltip, as [row, lines, left, right, top, bottom].
const boxesOf = (id) => {
  const { scales, tips } = data.specs[data.charts[id][0]];
  const sets = datasetsOf(id);
  const [onX, onY] = [placeOn(scales.x, sets), placeOn(scales.y, sets)];
  const across = (value) => onX(value);
  const down = (value) => (Array.isArray(scales.y[0]) ? onY(value).map((share) => share * scales.height) : upwards(onY(value), scales.height));
  return tips.flatMap((tip) => {
    const stacks = new Map();
    const rows = tip.order ? [...sets[tip.data]].sort((a, b) => a[tip.order] - b[tip.order]) : sets[tip.data];
    const bar = tip.mark === "bar";
    const span = (row, channel, scale, on) => {
      const value = row[tip[channel]];
      if (tip[`${channel}2`]) return [on(value)[0], on(row[tip[`${channel}2`]])[0]];
      if (!bar || Array.isArray(scale[0])) return on(value);
      if (!tip.order) return [on(0)[0], on(value)[0]];
      const name = row[tip[channel === "x" ? "y" : "x"]];
      const before = stacks.get(name) ?? 0;
      stacks.set(name, before + value);
      return [on(before)[0], on(before + value)[0]];
    };
    return rows.filter((row) => row[tip.x] !== null && row[tip.y] !== null).map((row) => {
      let [left, right] = span(row, "x", scales.x, across).sort((a, b) => a - b);
      let [top, bottom] = span(row, "y", scales.y, down).sort((a, b) => a - b);
      if (tip.offset) {
        const [field, names] = tip.offset;
        const part = (right - left) / names.length;
        [left, right] = [left + part * names.indexOf(row[field]), left + part * (names.indexOf(row[field]) + 1)];
      }
      // Over a bar, any height of its column will do.
      if (bar && Array.isArray(scales.x[0])) [top, bottom] = [0, scales.height];
      return [row, tip.lines, left, right, top, bottom];
    });
  });
};
const FINGER = 18;
const boxed = new Map();
const rowAt = (holder, event) => {
  const svg = holder.querySelector(".fluid > svg");
  const id = shownIn(holder);
  if (!svg || !data.charts[id]) return null;
  if (!boxed.has(id) || filled.has(id)) boxed.set(id, boxesOf(id));
  const box = svg.getBoundingClientRect();
  const top = box.top + Number(/ ([\d.]+)\)/.exec(svg.firstElementChild.getAttribute("transform"))[1]);
  const [x, y] = [event.clientX - box.left, event.clientY - top];
  let [best, nearest] = [null, FINGER];
  for (const found of boxed.get(id)) {
    const [, , left, right, high, low] = found;
    const apart = Math.hypot(Math.max(0, left * box.width - x, x - right * box.width), Math.max(0, high - y, y - low));
    if (apart < nearest) [best, nearest] = [found, apart];
  }
  return best;
};
document.addEventListener("pointermove", (event) => {
  const holder = event.target.closest?.(".chart[data-drawn]");
  if (!holder) { if (!event.target.closest?.("[data-hint]")) hideTip(); return; }
  const found = rowAt(holder, event);
  if (!found) return hideTip();
  const [row, lines] = found;
  showTip(describe(Object.fromEntries(lines.map(([field, title, form]) => [title, formatted(row[field], form)]))), event.clientX, event.clientY);
});
document.addEventListener("click", (event) => {
  const holder = event.target.closest?.(".chart[data-drawn]");
  const topic = holder && rowAt(holder, event)?.[0].topic;
  const address = topic === undefined || topic === null ? undefined : topicAddress(String(topic));
  if (address) location.hash = `#${address}`;
});

// ---------------------------------------------------------------- marks of what the reader chooses
const short = (value) => String(Math.round(value * 100) / 100);
const stretched = ({ width, height }, ...inside) => drawing("svg", { class: "stretched", viewBox: `0 0 ${width} ${height}`, width: "100%", height,
  preserveAspectRatio: "none", overflow: "visible" }, ...inside);
const lineOf = (points, step) => points.map(([x, y], i) => (i === 0 ? `M${short(x)} ${short(y)}`
  : step === "step-before" ? `V${short(y)}H${short(x)}` : step === "step-after" ? `H${short(x)}V${short(y)}` : `L${short(x)} ${short(y)}`)).join("");
const pointsOf = (rows, scales, x, y, sets) => {
  const [onX, onY] = [placeOn(scales.x, sets), placeOn(scales.y, sets)];
  const middle = ([from, to]) => (from + to) / 2;
  const bands = Array.isArray(scales.y[0]);
  return rows.filter((row) => row[x] !== null && row[y] !== null)
    .map((row) => [scales.width * middle(onX(row[x])), scales.height * (bands ? middle(onY(row[y])) : 1 - middle(onY(row[y])))]);
};
const round = (points, colour, wide) => drawing("path", { d: points.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join(""), stroke: colour, "stroke-width": wide, "stroke-linecap": "round" });
const drawnMarks = ({ draws, scales }, sets) => stretched(scales, ...draws.flatMap((draw) => {
  const points = pointsOf(sets[draw.data], scales, draw.x, draw.y, sets);
  if (!points.length) return [];
  if (draw.mark === "point") {
    const wide = 2 * Math.sqrt(draw.area / Math.PI);
    return [...(draw.ring ? [round(points, draw.ring, short(wide + 1))] : []), round(points, draw.colour, short(wide))];
  }
  // A rule here reaches from its point to the left end of the plot.
  const d = draw.mark === "rule" ? points.map(([x, y]) => `M0 ${short(y)}H${short(x)}`).join("") : lineOf(points, draw.step);
  return [drawing("path", { d, fill: "none", stroke: draw.colour, "stroke-width": draw.width, ...(draw.dash ? { "stroke-dasharray": draw.dash } : {}) })];
}));

// Differences of two runs: a bar per topic, in order, with three to five round ticks.
const TICK_STEPS = [1, 2, 2.5, 5, 10];
const ticksOf = (low, high) => {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  const inside = (step) => Array.from({ length: Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 }, (_, i) => (Math.ceil(low / step - 1e-9) + i) * step);
  const step = [1, 10].flatMap((ten) => TICK_STEPS.map((unit) => unit * ten * power)).find((size) => inside(size).length <= 5);
  return inside(step);
};
const plainNumber = (value) => String(Number(value.toPrecision(6))).replace(/^(-?)0\./, "$1.").replace("-", "−");
const [BARS_LEFT, BARS_TALL, BARS_ABOVE, MOST_NAMED] = [44, 280, 24, 60];
const differencePlot = (holder, rows, title, unit) => {
  const sorted = [...rows].sort((a, b) => b.difference - a.difference);
  const [low, high] = sorted.reduce(([least, most], { difference }) => [Math.min(least, difference), Math.max(most, difference)], [0, 0]);
  const scales = { x: [sorted.map((row) => String(row.topic)), 0.2, 0.1], y: low === high ? [-1, 1] : [low, high], width: 640, height: BARS_TALL };
  const [onX, onY] = [placeOn(scales.x), placeOn(scales.y)];
  const at = (value) => BARS_TALL * (1 - onY(value)[0]);
  const label = (attributes, words) => drawing("text", { "font-size": 11, fill: "var(--chart-soft)", ...attributes }, words);
  const bars = (side, colour) => drawing("path", { fill: `var(--chart-${colour})`, d: sorted.filter((row) => row.side === side)
    .map((row) => { const [left, right] = onX(row.topic).map((share) => short(640 * share)); return `M${left} ${short(at(0))}H${right}V${short(at(row.difference))}H${left}Z`; }).join("") });
  const ticks = ticksOf(...scales.y);
  const line = (value, colour) => drawing("path", { d: `M0 ${short(at(value))}H640`, stroke: `var(--chart-${colour})` });
  const named = sorted.length <= MOST_NAMED;
  const long = named ? Math.max(0, ...sorted.map((row) => Math.min(90, 6.5 * String(row.topic).length))) : 0;
  const shortName = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
  const body = drawing("g", { transform: `translate(0 ${BARS_ABOVE})` },
    label({ x: -BARS_LEFT, y: -10, "font-size": 12, fill: "var(--chart-ink)" }, title),
    ...ticks.map((value) => label({ x: -6, y: at(value) + 4, "text-anchor": "end" }, plainNumber(value))),
    stretched(scales, ...ticks.map((value) => line(value, "grid")), bars("above", "leader"), bars("below", "below"), line(0, "faint")),
    ...(named ? sorted.map((row) => drawing("svg", { class: "turned", x: `${short(50 * (onX(row.topic)[0] + onX(row.topic)[1]))}%`, y: BARS_TALL + 8, overflow: "visible" },
      label({ transform: "rotate(-90)", x: 0, y: 4, "text-anchor": "end" }, shortName(String(row.topic))))) : []),
    label({ x: "50%", y: BARS_TALL + long + 28, "font-size": 12, fill: "var(--chart-ink)", "text-anchor": "middle" }, `${capital(unit)}, by difference`));
  const svg = drawing("svg", { width: "100%", height: BARS_ABOVE + BARS_TALL + long + 36, overflow: "visible" }, body);
  data.specs[data.charts[holder.dataset.chart][0]].scales = scales;
  holder.replaceChildren(element("div", { className: `fluid l${BARS_LEFT / 4} r2` }, svg));
};

// Pictures are written by svg_charts, with all names escaped. Should one of them break out nevertheless, nothing is shown.
const PICTURE_PARTS = new Set(["div", "ul", "li", "svg", "g", "path", "text", "rect", "defs", "pattern"]);
const pictureNodes = (text) => {
  const parsed = new DOMParser().parseFromString(`<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`, "application/xhtml+xml").documentElement;
  const strange = all("*", parsed).some((node) => !PICTURE_PARTS.has(node.localName) || [...node.attributes].some(({ name }) => /^on|href|style/i.test(name)));
  return strange ? [] : [...document.adoptNode(parsed).childNodes];
};

const draw = async (holder) => {
  const id = shownIn(holder);
  if (holder.dataset.drawn === id) return;
  holder.dataset.drawn = id;
  await chartsRead;
  const [place, alt, , marks] = data.charts[id];
  const kind = data.specs[place];
  holder.setAttribute("role", "img");
  holder.setAttribute("aria-label", alt);
  if (filled.has(id)) differencePlot(holder, filled.get(id).topics, "Difference, first run minus second", comparison.unit);
  else {
    holder.replaceChildren(...pictureNodes(kind.legend + kind.frame.replace("{marks}", () => marks)));
    if (kind.draws) holder.querySelector(".fluid > svg > g").append(drawnMarks(kind, datasetsOf(id)));
  }
  scrollable(holder);
  holder.style.minHeight = "";
  holder.dataset.state = "drawn";
};
// A chart wider than its place scrolls, and the keyboard must reach it.
const scrollable = (holder) => { if (holder.scrollWidth > holder.clientWidth + 1) holder.tabIndex = 0; else holder.removeAttribute("tabindex"); };

// Highlight the run pointed at on the leaderboard in all charts of many runs.
const highlight = (run) => {
  for (const holder of all("#campaign .chart[data-drawn]")) {
    const id = shownIn(holder);
    const sets = data.charts[id] && datasetsOf(id);
    if (!sets?.marked) continue;
    holder.querySelector(".marked")?.remove();
    const rows = [...sets.front, ...sets.back].filter((row) => row.run === run);
    const { scales, tips } = data.specs[data.charts[id][0]];
    const points = rows.length ? pointsOf(rows, scales, tips[0].x, tips[0].y, sets) : [];
    if (!points.length) continue;
    const shape = points.length > 1 ? drawing("path", { d: lineOf(points.sort((a, b) => a[0] - b[0])) }) : round(points, "var(--chart-ink)", 11);
    holder.querySelector(".fluid > svg > g").append(drawing("g", { class: "marked" }, stretched(scales, shape)));
  }
};
const current = () => all(".view").find((view) => !view.hidden);
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
}, { rootMargin: "400px" });
// Draw charts out of view when the browser is idle, so that printing includes them.
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 120));
const drawRest = () => whenIdle(async () => {
  const next = all(".chart[data-chart]", current()).find((holder) => holder.dataset.drawn !== shownIn(holder));
  if (next && next.clientWidth) { await draw(next); drawRest(); }
});
addEventListener("resize", () => { for (const holder of all(".chart[data-drawn]")) scrollable(holder); });
