"use strict";
// One document at a time. Whatever a topic or a document holds becomes text nodes; "saved" is said when the server has said so.
const $ = id => document.getElementById(id);
let view = null, busy = false, toastTimer = 0, waitTimer = 0;
const PATIENCE = 5000, BLOCK = 2000;

// An id may hold marks that turn the direction of writing: they end with it.
const isolated = id => `\u2068${id}\u2069`;
const percent = (done, total) => Math.round(100 * done / total);
const called = grade => {
  const name = view.scale.find(([one]) => one === grade)[1];
  return name ? `${grade} ${name}` : `${grade}`;
};

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

function marked(target, pieces) {
  target.replaceChildren(...pieces.map((piece, i) => i % 2 ? element("mark", piece) : document.createTextNode(piece)));
}

// A book is shown in blocks of lines, of which the browser lays out those in view: one of a megabyte would take seconds.
function blocks(target, pieces) {
  const found = [element("div", "")];
  let size = 0;
  pieces.forEach((piece, i) => {
    if (i % 2) found.at(-1).append(element("mark", piece));
    let rest = i % 2 ? "" : piece, end = rest.indexOf("\n", Math.max(0, BLOCK - size));
    for (; end >= 0; end = rest.indexOf("\n", BLOCK)) {
      found.at(-1).append(rest.slice(0, end + 1));
      found.push(element("div", ""));
      rest = rest.slice(end + 1);
      size = 0;
    }
    found.at(-1).append(rest);
    size += i % 2 ? piece.length : rest.length;
  });
  target.replaceChildren(...found);
}

function bar(id, done, total) {
  $(id).setAttribute("aria-valuenow", percent(done, total));
  $(id).setAttribute("aria-valuetext", `${done} of ${total}`);
  $(id).firstElementChild.style.width = `${100 * done / total}%`;
}

function count(target, done, total, after) {
  target.replaceChildren(element("b", done), ` of ${total} ${after}`);
}

function show(found) {
  const before = view;
  view = found;
  const { topic, document: text } = view;
  document.title = `${view.done} of ${view.total} · assay judge`;
  $("judge").textContent = `as ${view.judge}`;
  count($("counts"), view.done, view.total, "judged");
  bar("bar", view.done, view.total);
  $("topic-number").textContent = `Topic ${topic.id} · ${topic.number} of ${topic.of}`;
  $("topic-title").textContent = topic.title || `Topic ${topic.id}`;
  $("description").textContent = topic.description;
  $("description").hidden = !topic.description;
  $("narrative").textContent = topic.narrative;
  $("more").hidden = !topic.narrative;
  count($("topic-counts"), topic.done, topic.total, "of this topic judged");
  bar("topic-bar", topic.done, topic.total);
  $("document-number").textContent = `Document ${text.number} of ${topic.total} ·`;
  $("document-id").textContent = text.id;
  $("given").hidden = view.grade === null;
  $("given").textContent = view.grade === null ? "" : `judged ${called(view.grade)}`;
  marked($("document-title"), text.title);
  $("document-title").hidden = text.title.join("") === "";
  blocks($("text"), text.text);
  $("missing").hidden = !text.missing;
  $("missing").textContent = text.problem || "No text of this document is here. Judge it by its id, or skip it.";
  $("cut").hidden = !text.cut;
  $("cut").textContent = `${text.cut.toLocaleString("en")} more letters of this document are not shown.`;
  $("link").hidden = !text.link;
  if (text.link) Object.assign($("link").firstElementChild, { href: text.link, textContent: text.link });
  $("complete").hidden = !view.complete;
  $("complete").textContent = `All ${view.total} documents are judged, and saved in ${view.file}. Ctrl-C in the terminal ends it; any key below still corrects.`;
  grades();
  $("back").disabled = view.place === 0;
  $("forward").disabled = view.place === view.total - 1;
  $("undo").disabled = $("toast-undo").disabled = !view.last;
  $("alert").hidden = true;
  if (!before || before.place !== view.place) {
    scrollTo(0, 0);
    if (!before || before.topic.id !== topic.id) $("more").open = innerWidth > 992;
    $("document").focus({ preventScroll: true });
    $("announce").textContent += `${$("announce").textContent && ". "}Topic ${topic.id}, document ${text.number} of ${topic.total}`;
  }
  document.body.dataset.place = view.place;
}

function grades() {
  if ($("grades").childElementCount !== view.scale.length) {
    $("grades").replaceChildren(...view.scale.map(([grade, name, key]) => {
      const button = element("button", "", { type: "button", className: "grade" });
      const label = name || (key === `${grade}` ? "" : `${grade}`);
      button.append(element("kbd", key), element("span", label));
      button.lastElementChild.hidden = !label;
      button.addEventListener("click", () => judge(grade));
      return button;
    }));
    $("grades").classList.toggle("bare", view.scale.every(([, name]) => !name));
    help();
  }
  view.scale.forEach(([grade], i) => $("grades").children[i].setAttribute("aria-pressed", grade === view.grade));
}

function help() {
  const keys = [
    ...view.scale.map(([, name, key]) => [key, name ? `${name}, and on to the next` : "this grade, and on to the next"]),
    ["u", "undo the last judgment (also Backspace)"], ["s", "skip: the document comes again at the end of the topic"],
    ["←", "back to the document before"], ["→", "forward to the next"], ["[", "to the topic before"], ["]", "to the next topic"],
    ["n", "to the next marked word"], ["?", "these keys"],
  ];
  $("help-keys").replaceChildren(...keys.flatMap(([key, does]) => {
    const term = element("dt", "");
    term.append(element("kbd", key));
    return [term, element("dd", does)];
  }));
  $("help-file").textContent = `A mistaken key is mended by judging again: the last judgment counts. Everything is saved in ${view.file}.`;
}

async function ask(path, sent) {
  if (busy) {
    tell("One moment: the key before is still being saved. This one was not taken.", false);
    return null;
  }
  busy = true;
  waitTimer = setTimeout(() => complain("assay judge has not answered yet: nothing is saved until it does."), PATIENCE);
  document.body.dataset.busy = "";
  try {
    const options = sent ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {};
    const answer = await fetch(path, options);
    const told = await answer.text();
    if (answer.ok) return JSON.parse(told);
    let problem = told;
    try { problem = JSON.parse(told).problem || told; } catch { /* plain words */ }
    const words = sent ? `Not saved: ${problem}` : problem;
    if (answer.status === 409) await refresh();
    complain(words);
  } catch {
    // It may have ended between saving and saying so; the file knows, and the next page shows what the file holds.
    complain(`${sent ? "Not known to be saved: " : ""}assay judge does not answer. Start it again, and open the new link: it shows what was saved.`);
  } finally {
    clearTimeout(waitTimer);
    busy = false;
    delete document.body.dataset.busy;
  }
  return null;
}

// Another window got ahead of this one: what it did is shown before anything else is taken.
async function refresh() {
  const answer = await fetch(`at/${view.place}.json`);
  if (answer.ok) show(await answer.json());
}

function complain(problem) {
  $("toast").hidden = true;
  $("alert").hidden = true;
  $("alert").textContent = "";
  $("alert").textContent = problem;
  $("alert").hidden = false;
}

function tell(words, undoable) {
  clearTimeout(toastTimer);
  $("toast").firstElementChild.textContent = words;
  $("announce").textContent = words;
  $("toast-undo").hidden = !undoable;
  $("toast").hidden = false;
  toastTimer = setTimeout(() => { $("toast").hidden = true; }, 6000);
}

async function go(path) {
  if (!busy) $("announce").textContent = "";
  const found = await ask(path);
  if (found) show(found);
}

async function judge(grade) {
  if (!view || !view.scale.some(([one]) => one === grade)) return;
  const { topic, document: text } = view;
  const found = await ask("judge.json", { topic: topic.id, document: text.id, grade, shown: view.grade });
  if (!found) return;
  tell(`Saved: ${isolated(text.id)} is ${called(grade)}`, true);
  show(found);
}

async function undo() {
  if (!view || !view.last) return;
  const { topic, document: text, grade } = view.last;
  const found = await ask("undo.json", { topic, document: text, grade });
  if (!found) return;
  tell(`Taken back: ${isolated(text)} was ${called(grade)}`, false);
  show(found);
}

let at = -1;
function nextMark() {
  const marks = [...document.querySelectorAll("#text mark")];
  marks[at]?.classList.remove("here");
  if (!marks.length) return;
  at = marks.findIndex((mark, i) => i > at);
  marks[at < 0 ? at = 0 : at].classList.add("here");
  marks[at].scrollIntoView({ block: "center" });
}

function move(step) {
  const to = view.place + step;
  if (to >= 0 && to < view.total) go(`at/${to}.json`);
}

const KEYS = {
  u: undo, Backspace: undo, s: () => go(`after/${view.place}.json`), ArrowLeft: () => move(-1), ArrowRight: () => move(1),
  "[": () => view.topic.before !== null && go(`at/${view.topic.before}.json`),
  "]": () => view.topic.after !== null && go(`at/${view.topic.after}.json`), n: nextMark, "?": () => $("help").showModal(),
};

addEventListener("keydown", event => {
  if (event.repeat && event.target.tagName === "BUTTON") event.preventDefault(); // Enter held on a button presses it once
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !view) return;
  if ($("help").open) {
    if (event.key === "?") $("help").close();
    return;
  }
  // On keyboards whose digits need Shift, the key itself counts.
  const digit = /^\d$/.test(event.key) ? event.key : !event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.at(-1) : "";
  const key = digit || (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const grade = view.scale.find(([, , one]) => one === key);
  const act = grade ? () => judge(grade[0]) : KEYS[key];
  if (!act) return;
  event.preventDefault();
  at = key === "n" ? at : -1;
  act();
});

$("back").addEventListener("click", () => move(-1));
$("forward").addEventListener("click", () => move(1));
$("undo").addEventListener("click", undo);
$("toast-undo").addEventListener("click", undo);
$("skip").addEventListener("click", KEYS.s);
$("help-button").addEventListener("click", KEYS["?"]);
$("help-close").addEventListener("click", () => $("help").close());
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
// The last line of a document stays above the keys, however many rows they take.
new ResizeObserver(() => {
  document.body.style.paddingBottom = `${$("keys").offsetHeight + 32}px`;
}).observe($("keys"));
go("start.json");
