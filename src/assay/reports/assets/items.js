// Results of runs: documents, answers, and word differences of two answers.
const mark = (good) => (good === true ? "good" : good === false ? "bad" : "open");
const signOf = (good) => ({ good: "✓", bad: "✗", open: "·" })[mark(good)];
const verdictNode = ([, verdict, good]) => element("span", { className: `verdict-word ${mark(good)}` },
  element("span", { "aria-hidden": "true" }, `${signOf(good)} `), verdict);
// The numbers of things, their ranks and values are three columns; each run has a list in each.
const listsOf = (page) => (page.lists ??= (page.entries?.[0] ?? []).map((things, run) =>
  things.map((thing, i) => [thing, page.entries[1][run][i], page.entries[2][run][i] ?? null])));
const entriesOf = (page, run) => (listsOf(page)[run] ?? []).map(([thing, rank, value]) => ({ thing: page.things[thing], key: thing, rank, value }));
const ranked = (page) => listsOf(page).some((list) => list.length > 1 || list.some(([, rank]) => rank !== null));
const entryNode = ({ thing, rank, value }) => element("li", rank === null ? {} : { value: rank },
  element("span", { className: "thing" }, thing[0]), " ", verdictNode(thing),
  value === null ? null : element("span", { className: "ends" }, ` ${value}`),
  thing[3] ? element("p", { className: "snippet" }, thing[3]) : null);
const listNode = (page, run) => {
  const list = entriesOf(page, run);
  const more = page.more?.[run];
  return element("div", {},
    list.length ? element(ranked(page) ? "ol" : "ul", { className: "entries" }, ...list.map(entryNode)) : element("p", { className: "empty" }, "Nothing returned."),
    more ? element("p", { className: "caption" }, more) : null);
};
const unitIsTopic = () => comparison.unit === "topic";
// Build a list's content when it is opened.
const foldedList = (page, run) => {
  const list = entriesOf(page, run);
  const good = list.filter(({ thing }) => thing[2] === true).length;
  const fold = element("details", {}, element("summary", {}, `${list.length} shown, ${good} of them ${unitIsTopic() ? "relevant" : "right"}`));
  fold.addEventListener("toggle", () => { if (fold.open && fold.children.length === 1) fold.append(listNode(page, run)); });
  return fold;
};
const answerNode = (page, run) => {
  const list = entriesOf(page, run);
  if (ranked(page) || list.length > 1) return foldedList(page, run);
  if (!list.length) return element("span", { className: "missing" }, "nothing");
  const [{ thing, value }] = list;
  return element("div", { className: "answer" }, verdictNode(thing), value === null ? null : element("span", { className: "ends" }, ` ${value} `),
    element("p", { className: "given" }, thing[0]), thing[3] ? element("p", { className: "snippet" }, thing[3]) : null);
};

// The longest common subsequence of words; very long texts are shown without differences.
const MOST_WORDS = 1500;
const wordsOf = (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
const differing = (first, second) => {
  const [a, b] = [wordsOf(first), wordsOf(second)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return [[["same", first]], [["same", second]]];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  const [left, right] = [[], []];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { left.push(["same", a[i]]); right.push(["same", b[j]]); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && length[(i + 1) * width + j] >= length[i * width + j + 1])) { left.push(["only", a[i]]); i += 1; }
    else { right.push(["only", b[j]]); j += 1; }
  }
  return [left, right];
};
const marked = (parts) => element("p", { className: "given" }, ...parts.map(([kind, text]) => (kind === "only" && text.trim() ? element("mark", {}, text) : text)));

// Two runs on one topic: answers with their words compared, or lists with the documents that both returned joined.
const bothNode = (page, a, b) => {
  const names = [a, b].map((run) => comparison.runs[run]);
  const lists = [a, b].map((run) => entriesOf(page, run));
  const text = page.text ? element("p", { className: "asked" }, page.text) : null;
  const gold = page.gold?.length && !ranked(page) ? element("p", { className: "caption" }, `Right: ${page.gold.join(" · ")}`) : null;
  if (!ranked(page) && lists.every((list) => list.length === 1)) {
    const shown = differing(lists[0][0].thing[0], lists[1][0].thing[0]).map(marked);
    return element("div", { className: "both" }, text, gold, ...lists.map(([{ thing, value }], i) => element("div", { className: "side" },
      element("h4", {}, names[i]), verdictNode(thing), value === null ? null : element("span", { className: "ends" }, ` ${value}`), shown[i],
      thing[3] ? element("p", { className: "snippet" }, thing[3]) : null)));
  }
  if (!ranked(page)) return element("div", { className: "both" }, text, gold, ...[a, b].map((run, i) => element("div", { className: "side" }, element("h4", {}, names[i]), answerNode(page, run))));
  const rankOf = lists.map((list) => new Map(list.map((entry, place) => [entry.key, entry.rank ?? place + 1])));
  const keys = [...new Set(lists.flatMap((list) => list.map((entry) => entry.key)))];
  keys.sort((x, y) => Math.min(...rankOf.map((ranks) => ranks.get(x) ?? Infinity)) - Math.min(...rankOf.map((ranks) => ranks.get(y) ?? Infinity)));
  // Sets and samples have no ranks: show whether a run has an item, or how often.
  const placed = lists.some((list) => list.some((entry) => entry.rank !== null));
  const times = (i, key) => lists[i].filter((entry) => entry.key === key).length;
  const shown = (i, key) => (placed ? String(rankOf[i].get(key)) : times(i, key) > 1 ? `${times(i, key)} times` : "yes");
  const rank = (i, key) => element("td", { className: rankOf[i].has(key) ? "n" : "n missing" }, rankOf[i].has(key) ? shown(i, key) : "–");
  const thing = unitIsTopic() ? "document" : "answer";
  const head = [capital(thing), "Verdict", ...names].map((name, i) => element("th", { scope: "col", className: i > 1 ? "n" : "" }, name));
  const rows = keys.map((key) => element("tr", { className: rankOf.every((ranks) => ranks.has(key)) ? "shared" : "" },
    element("th", { scope: "row" }, page.things[key][0], page.things[key][3] ? element("p", { className: "snippet" }, page.things[key][3]) : null),
    element("td", {}, verdictNode(page.things[key])), rank(0, key), rank(1, key)));
  const shared = keys.filter((key) => rankOf.every((ranks) => ranks.has(key))).length;
  return element("div", {}, text, element("p", { className: "caption" }, `${shared} of ${keys.length} ${thing}s are in both lists as far as they are shown${placed ? "; the numbers are ranks" : ""}.`),
    element("div", { className: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))));
};
