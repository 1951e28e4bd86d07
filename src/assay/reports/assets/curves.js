// Superimpose the recall-precision curves of chosen runs. Their points are the data of the chart of all runs.
const CURVES = "recall-precision";
const MOST_CURVES = 8;
const CURVES_LEAST = 280;
const [CURVES_WIDE, CURVES_TALL, CURVES_LEFT, CURVES_TOP] = [640, 300, 44, 22];
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
const curvesOf = async () => {
  await chartsRead;
  const curves = new Map();
  if (!data.charts[CURVES]) return curves;
  const { front, back } = datasetsOf(CURVES);
  for (const row of [...front, ...back]) {
    if (!curves.has(row.run)) curves.set(row.run, []);
    curves.get(row.run).push([row.recall, row.precision]);
  }
  return curves;
};
const curveStyle = (i) => ({ class: "curve-line", stroke: `var(--chart-c${(i % MOST_CURVES) + 1})`, "stroke-dasharray": DASHES[i % DASHES.length] });
const curvesPicture = (named) => {
  const wide = Math.max(CURVES_LEAST, Math.min(CURVES_WIDE, innerWidth - 40));
  const x = (recall) => (CURVES_LEFT + (wide - CURVES_LEFT - 10) * recall).toFixed(1);
  const y = (precision) => (CURVES_TOP + (CURVES_TALL - CURVES_TOP - 40) * (1 - precision)).toFixed(1);
  const label = (at, down, text, anchor) => drawing("text", { x: at, y: down, "text-anchor": anchor }, text);
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((tick) => [
    drawing("line", { class: "gr", x1: x(0), x2: x(1), y1: y(tick), y2: y(tick) }),
    label(CURVES_LEFT - 8, Number(y(tick)) + 4, String(tick).replace(/^0\./, "."), "end"),
    label(x(tick), CURVES_TALL - 22, String(tick).replace(/^0\./, "."), "middle")]);
  parts.push(label(0, 11, "Precision, higher is better", "start"), label(x(0.5), CURVES_TALL - 4, "Recall", "middle"));
  named.forEach(([, points], i) => parts.push(drawing("polyline", { ...curveStyle(i), points: points.map(([recall, precision]) => `${x(recall)},${y(precision)}`).join(" ") })));
  const names = named.map(([run]) => run).join(", ");
  const picture = drawing("svg", { class: "curves-picture", viewBox: `0 0 ${wide} ${CURVES_TALL}`, role: "img", "aria-label": `Recall-precision curves of ${names}` }, ...parts);
  const keys = named.map(([run], i) => element("li", {}, drawing("svg", { width: 28, height: 12, "aria-hidden": "true" }, drawing("path", { ...curveStyle(i), d: "M0 6h28" })), ` ${run}`));
  return element("figure", { className: "block curves" }, element("ul", { className: "legend" }, ...keys), picture);
};
// The curves of two runs on the page that compares them.
const bothCurves = async (holder, first, second) => {
  const curves = await curvesOf();
  const known = [first, second].filter((run) => curves.has(run));
  holder.replaceChildren(...(known.length === 2 ? [element("h3", {}, "Recall and precision of both"), curvesPicture(known.map((run) => [run, curves.get(run)]))] : []));
};
// A box per run below the chart of all runs; a ninth replaces the first.
const addCurveChooser = async () => {
  const chart = byId(CURVES);
  const curves = chart ? await curvesOf() : new Map();
  if (curves.size < 3) return;
  const place = element("div", { id: "chosen-curves", role: "status" });
  let chosen = [];
  const boxes = new Map([...curves.keys()].map((run) => [run, element("input", { type: "checkbox", value: run })]));
  const show = () => {
    for (const [run, box] of boxes) box.checked = chosen.includes(run);
    place.replaceChildren(...(chosen.length ? [curvesPicture(chosen.map((run) => [run, curves.get(run)]))] : []));
  };
  for (const [run, box] of boxes) box.addEventListener("change", () => {
    chosen = box.checked ? [...chosen, run].slice(-MOST_CURVES) : chosen.filter((other) => other !== run);
    show();
  });
  const search = element("input", { type: "search", autocomplete: "off", "aria-label": "Find a run" });
  const items = [...boxes].map(([run, box]) => element("li", {}, element("label", {}, box, ` ${run}`)));
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    for (const item of items) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  });
  chart.after(element("details", { className: "fold small curve-choice" }, element("summary", {}, element("b", {}, "Compare the curves of some runs")),
    items.length > 12 ? search : null, element("ul", { className: "curve-runs" }, ...items), place));
};
addCurveChooser();
