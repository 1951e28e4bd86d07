// The heat map of runs × topics, with arrow-key navigation.
const heat = byId("heat-map");
const canvas = byId("heat-canvas");
const cursor = { row: 0, column: 0, seen: false };
const LABELS = 130;
const MOST_FOUND = 20;
const [HEAD_OF_IDS, HEAD_OF_TITLES, WIDE] = [46, 150, 13];
let HEAD = HEAD_OF_IDS; // room for the names of topics; for titles where every column has its name
const picture = document.createElement("canvas");
let cells = null; // the drawn orders, sizes and colours
const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const rgb = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
const between = (stops, share) => {
  const at = Math.min(stops.length - 2, Math.floor(share * (stops.length - 1)));
  const part = share * (stops.length - 1) - at;
  return `rgb(${stops[at].map((low, i) => Math.round(low + part * (stops[at + 1][i] - low))).join(" ")})`;
};
// Thousands of topics are shown in windows.
const MOST_COLUMNS = 400;
let from = 0;
const windowed = (topics) => {
  const many = topics.length > MOST_COLUMNS;
  byId("heat-window").hidden = !many;
  if (!many) return topics;
  from = Math.max(0, Math.min(from, topics.length - 1));
  const shown = topics.slice(from, from + MOST_COLUMNS);
  byId("heat-window").querySelector("span").textContent = `${from + 1} to ${from + shown.length} of ${topics.length}`;
  for (const button of all("[data-window]", byId("heat-window"))) {
    button.disabled = button.dataset.window === "-1" ? from === 0 : from + MOST_COLUMNS >= topics.length;
  }
  return shown;
};
const heatOrders = (measure) => {
  const topics = comparison.topics.map((_, i) => i);
  const by = byId("heat-topics").value;
  const field = Object.values(comparison.fields)[by];
  const last = (value) => (value === null ? Infinity : value);
  if (by === "median") topics.sort((a, b) => (measure.higher_is_better ? 1 : -1) * (last(measure.medians[a]) - last(measure.medians[b])));
  else if (field) topics.sort((a, b) => collator.compare(field[a], field[b]) || a - b);
  const runs = [...comparison.order];
  if (byId("heat-runs").value === "name") runs.sort((a, b) => collator.compare(comparison.runs[a], comparison.runs[b]));
  return { topics: windowed(topics), runs };
};
const drawHeat = () => {
  if (!comparison || !heat.clientWidth) return;
  const measure = comparison.measures.filter((measure) => measure.topics.length)[byId("heat-measure").value];
  const { topics, runs } = heatOrders(measure);
  const against = byId("heat-shown").value === "differences";
  const value = (run, topic) => {
    const score = measure.topics[run][topic];
    return score === null || !against ? score : measure.medians[topic] === null ? null : score - measure.medians[topic];
  };
  // The scale covers all topics, not only those shown. A reduce, because Math.min(...) limits the number of arguments.
  const known = measure.topics.flat().filter((score) => score !== null);
  const [least, greatest] = known.reduce(([low, high], score) => [Math.min(low, score), Math.max(high, score)], [0, 1e-9]);
  const spread = measure.topics.reduce((most, row) => row.reduce((high, score, topic) => (score === null || measure.medians[topic] === null ? high : Math.max(high, Math.abs(score - measure.medians[topic]))), most), 0) || 1;
  const [low, high] = against ? [-spread, spread] : [least, greatest];
  const ramp = data.ramp.map(rgb);
  const stops = against ? [rgb(styled("--chart-c2")), rgb(styled("--chart-band")), rgb(styled("--chart-c1"))] : ramp;
  const w = Math.max(7, Math.floor((heat.clientWidth - LABELS) / topics.length * 100) / 100);
  const h = Math.max(7, Math.min(20, 640 / runs.length));
  HEAD = data.titles.length && Math.min(w, 34) >= WIDE ? HEAD_OF_TITLES : HEAD_OF_IDS;
  cells = { topics, runs, measure, value, against, w: Math.min(w, 34), h };
  cursor.column = Math.min(cursor.column, topics.length - 1);
  const [width, height] = [LABELS + cells.w * topics.length + 2, HEAD + h * runs.length + 2];
  const dense = devicePixelRatio || 1;
  for (const target of [canvas, picture]) { target.width = Math.round(width * dense); target.height = Math.round(height * dense); }
  canvas.style.width = `${width}px`; canvas.style.height = `${height}px`;
  const pen = picture.getContext("2d");
  pen.scale(dense, dense);
  for (const [row, run] of runs.entries()) {
    for (const [column, topic] of topics.entries()) {
      const score = value(run, topic);
      if (score === null) continue;
      pen.fillStyle = between(stops, (score - low) / (high - low));
      pen.fillRect(LABELS + column * cells.w, HEAD + row * h, cells.w - (cells.w > 6 ? 1 : 0), h - (h > 6 ? 1 : 0));
    }
  }
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = styled("--chart-soft");
  pen.textBaseline = "middle";
  const every = Math.ceil(12 / h);
  for (const [row, run] of runs.entries()) if (row % every === 0) pen.fillText(cut(pen, comparison.runs[run], LABELS - 10), 0, HEAD + (row + 0.5) * h);
  const step = Math.ceil(WIDE / cells.w);
  for (const [column, topic] of topics.entries()) {
    if (column % step) continue;
    pen.save();
    pen.translate(LABELS + (column + 0.5) * cells.w, HEAD - 4);
    pen.rotate(-Math.PI / 2);
    pen.fillText(cut(pen, HEAD > HEAD_OF_IDS ? idAndTitle(comparison.topics[topic]) : comparison.topics[topic], HEAD - 8), 0, 0);
    pen.restore();
  }
  point();
  const bar = element("span", { className: "heat-bar" });
  bar.style.background = `linear-gradient(to right, ${stops.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
  byId("heat-key").replaceChildren(number(low, 2, against), bar, number(high, 2, against), ` ${measure.words}${against ? `, from the median of each ${comparison.unit}` : ""}; nothing where it is undefined`);
};
// Draw the cells, and the cursor around one.
const point = () => {
  const pen = canvas.getContext("2d");
  const dense = devicePixelRatio || 1;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  if (picture.width) pen.drawImage(picture, 0, 0);
  if (!cursor.seen) return;
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.strokeStyle = styled("--chart-ink");
  pen.lineWidth = 2;
  pen.strokeRect(LABELS + cursor.column * cells.w - 1, HEAD + cursor.row * cells.h - 1, cells.w + 1, cells.h + 1);
};
const cut = (pen, text, room) => {
  let shown = text;
  while (shown.length > 1 && pen.measureText(shown).width > room) shown = shown.slice(0, -2) + "…";
  return shown;
};
const heatFacts = () => {
  const [run, topic] = [cells.runs[cursor.row], cells.topics[cursor.column]];
  const { measure } = cells;
  const middle = measure.medians[topic];
  return { run: comparison.runs[run], [comparison.unit]: idAndTitle(comparison.topics[topic]), [measure.words]: among(measure.topics[run][topic], measure.topic_digits), median: among(middle, measure.topic_digits) };
};
const heatAt = (event) => {
  const box = canvas.getBoundingClientRect();
  const [column, row] = [Math.floor((event.clientX - box.left - LABELS) / cells.w), Math.floor((event.clientY - box.top - HEAD) / cells.h)];
  if (column < 0 || row < 0 || column >= cells.topics.length || row >= cells.runs.length) return false;
  Object.assign(cursor, { row, column, seen: true });
  return true;
};
const openTopic = () => { atRun = cells.runs[cursor.row]; location.hash = `#${addressAt(cells.topics[cursor.column])}`; };
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0] };
if (heat) {
  heat.hidden = false;
  new IntersectionObserver(async (entries, watcher) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    await loadComparison();
    drawHeat();
    new ResizeObserver(drawHeat).observe(heat);
  }, { rootMargin: "600px" }).observe(heat);
  document.addEventListener("theme", drawHeat);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawHeat);
  heat.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  for (const list of all("select", heat)) list.addEventListener("change", () => { from = 0; drawHeat(); });
  const turns = all("[data-window]", heat);
  for (const button of turns) button.addEventListener("click", () => {
    from += button.dataset.window * MOST_COLUMNS;
    drawHeat();
    // The button is disabled at the end: move the focus to the other one.
    if (button.disabled) turns.find((other) => other !== button).focus();
  });
  const box = byId("find-topic");
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLocaleLowerCase();
    const matches = (wanted ? [...data.topics.entries()] : []).filter(([, name]) => idAndTitle(name).toLocaleLowerCase().includes(wanted)).sort(([, a], [, b]) => a.length - b.length);
    const list = byId("found-topics");
    list.hidden = !wanted;
    list.replaceChildren(...matches.slice(0, MOST_FOUND).map(([place, name]) => element("li", {}, element("a", { href: `#${addressAt(place)}` }, idAndTitle(name)))),
      ...(matches.length > MOST_FOUND ? [element("li", {}, `and ${matches.length - MOST_FOUND} more`)] : []), ...(wanted && !matches.length ? [element("li", {}, "none")] : []));
    announce(wanted ? `${matches.length || "none"} found` : "");
  });
  box.addEventListener("keydown", (event) => { if (event.key === "Enter") byId("found-topics").querySelector("a")?.click(); });
  canvas.addEventListener("mousemove", (event) => {
    if (!cells || !heatAt(event)) return hideTip();
    point();
    return showTip(describe(heatFacts()), event.clientX, event.clientY);
  });
  canvas.addEventListener("mouseleave", hideTip);
  canvas.addEventListener("click", (event) => { if (cells && heatAt(event)) openTopic(); });
  canvas.addEventListener("focus", () => { if (cells) { cursor.seen = true; point(); } });
  canvas.addEventListener("keydown", (event) => {
    if (!cells) return;
    if (event.key === "Enter") { event.preventDefault(); return openTopic(); }
    if (event.key === "r" || event.key === "R") { location.hash = `#${data.pages[cells.runs[cursor.row]][0]}`; return; }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    cursor.seen = true;
    cursor.row = Math.max(0, Math.min(cells.runs.length - 1, cursor.row + step[0]));
    cursor.column = Math.max(0, Math.min(cells.topics.length - 1, cursor.column + step[1]));
    point();
    const facts = heatFacts();
    announce(Object.entries(facts).map(([name, value]) => `${name} ${value}`).join(", "));
    const box = canvas.getBoundingClientRect();
    showTip(describe(facts), box.left + LABELS + (cursor.column + 1) * cells.w, box.top + HEAD + (cursor.row + 1) * cells.h);
  });
}
