// The documents of a topic: verdict, runs that returned it, best rank.
const MOST_DOCUMENTS = 50; // as in report.css
const MOST_BEST = 3;
const documentsOf = (page) => {
  const documents = page.things.map((thing) => ({ thing, runs: [] }));
  for (const [run, list] of listsOf(page).entries()) for (const [thing, rank] of list) documents[thing].runs.push({ run, rank });
  for (const item of documents) {
    item.runs.sort((a, b) => a.rank - b.rank);
    item.best = item.runs[0].rank;
  }
  return documents.sort((a, b) => b.runs.length - a.runs.length || (a.best ?? 0) - (b.best ?? 0) || collator.compare(a.thing[0], b.thing[0]));
};
// Show the number of runs until the reader opens their names.
const returnedBy = ({ runs }, total) => {
  const fold = element("details", {}, element("summary", {}, `${runs.length} of ${total}`));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(element("ul", { className: "entries plain" }, ...runs.map(({ run, rank }) => element("li", {}, runLink(run), rank === null ? null : ` at rank ${rank}`))));
  });
  const cell = element("td", { className: "n" }, fold);
  cell.dataset.v = runs.length;
  return cell;
};
const bestBy = ({ runs, best }) => {
  const first = runs.filter(({ rank }) => rank === best);
  const named = first.slice(0, MOST_BEST).flatMap(({ run }, i) => [...(i ? [", "] : []), runLink(run)]);
  return element("td", {}, ...named, first.length > MOST_BEST ? ` and ${first.length - MOST_BEST} more` : null);
};
const documentsNode = (page) => {
  const total = listsOf(page).length;
  if (!unitIsTopic() || total < 2 || !page.things?.length) return null;
  const documents = documentsOf(page);
  const placed = documents.some(({ best }) => best !== null);
  const row = (item) => element("tr", {},
    element("th", { scope: "row", "data-text": item.thing[0] }, item.thing[0], item.thing[3] ? element("p", { className: "snippet" }, item.thing[3]) : null),
    element("td", { "data-text": item.thing[1] }, verdictNode(item.thing)), returnedBy(item, total),
    placed ? element("td", { className: "n" }, String(item.best)) : null, placed ? bestBy(item) : null);
  const heads = [["Document"], ["Verdict"], ["Returned by", true], ...(placed ? [["Best rank", true], ["by"]] : [])];
  const table = element("table", { className: documents.length > MOST_DOCUMENTS ? "folded" : "" },
    element("thead", {}, element("tr", {}, ...heads.map(([label, numeric]) => headNode({ label, numeric }, true)))), element("tbody", {}, ...documents.map(row)));
  const rest = documents.length > MOST_DOCUMENTS ? button(`All ${documents.length} documents`) : null;
  rest?.addEventListener("click", () => { table.classList.remove("folded"); rest.remove(); announce(`${documents.length} documents.`); });
  const box = element("div", { className: "scroll", role: "region", "aria-label": "Documents" }, table);
  fitting.observe(box);
  const caption = `The documents listed above${placed ? ": the first of each run, and relevant ones further down" : ""}. Open a number to see the names of the runs.`;
  return element("figure", { className: "block table-block", id: "topic-documents", "aria-labelledby": "topic-documents-title" },
    element("div", { className: "block-head" }, element("h3", { id: "topic-documents-title" }, "Documents"), element("div", { className: "tools" }, button("CSV", { "data-csv": "topic-documents" }))),
    box, rest, element("figcaption", { className: "caption" }, caption));
};
