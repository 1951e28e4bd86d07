// Draw charts when they come into view, and decode their data.
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

// In a narrow window, place legends below charts, and let charts with a minimum width scroll.
const NARROW = 480;
const EVERY_LETTER = 7;
const fitted = (spec, config, room) => {
  const least = spec.usermeta?.narrowest ?? 0;
  spec.width = Math.max(least, Math.min(spec.usermeta?.widest ?? Infinity, room || spec.width));
  if (spec.width >= NARROW) return config;
  const coloured = spec.layer.map((layer) => layer.encoding?.color).filter((color) => color?.field);
  for (const { legend } of coloured) if (legend?.orient === "right") legend.orient = "bottom";
  const longest = Math.max(1, ...coloured.flatMap((color) => color.scale?.domain ?? []).map((name) => String(name).length));
  const columns = Math.max(1, Math.floor(spec.width / (40 + EVERY_LETTER * longest)));
  return { ...config, legend: { ...config.legend, orient: "bottom", columns } };
};

const draw = async (holder) => {
  if (holder.dataset.drawn === shownIn(holder)) return;
  const id = shownIn(holder);
  holder.dataset.drawn = id;
  await chartsRead;
  const [place, alt] = data.charts[id];
  const spec = structuredClone(data.specs[place]);
  spec.datasets = datasetsOf(id);
  spec.description = alt;
  const room = Math.floor(holder.clientWidth);
  const config = fitted(spec, data.config, room);
  spec.autosize = { type: "fit-x", contains: "padding" };
  const target = element("div");
  try {
    const result = await vegaEmbed(target, spec, {
      mode: "vega-lite", ast: true, actions: false, defaultStyle: false, renderer: "svg", config,
      // Log only errors: Vega warns of empty series.
      logLevel: ERRORS,
      tooltip: (_, event, __, value) => {
        if (value === null || value === undefined || value === "") return hideTip();
        return showTip(describe(value), event.clientX, event.clientY);
      },
    });
    views.get(holder)?.finalize();
    views.set(holder, result.view);
    result.view.addEventListener("click", (_, item) => {
      const address = item?.datum?.topic === undefined ? undefined : topicAddress(String(item.datum.topic));
      if (address) location.hash = `#${address}`;
    });
    const svg = target.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", alt);
    for (const part of svg.children) part.setAttribute("aria-hidden", "true");
    holder.replaceChildren(target);
    const scrolls = spec.width > room;
    holder.classList.toggle("wide", scrolls);
    if (scrolls) { holder.tabIndex = 0; holder.setAttribute("role", "region"); holder.setAttribute("aria-label", "Scrollable chart"); }
    holder.style.minHeight = "";
    holder.dataset.state = "drawn";
  } catch (problem) {
    holder.dataset.state = "failed";
    console.error(`chart ${id}: ${problem.message}`);
  }
};
// Highlight the run pointed at on the leaderboard in all charts of many runs.
const highlight = (run) => {
  for (const holder of all("#campaign .chart[data-state=drawn]")) {
    const sets = datasetsOf(shownIn(holder));
    if (!sets.marked) continue;
    const rows = [...sets.front, ...sets.back].filter((row) => row.run === run);
    views.get(holder).data("marked", rows).runAsync();
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
