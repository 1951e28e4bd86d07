"use strict";
// Show one document at a time. Topics and documents become text nodes, never markup; "saved" appears only after the server's answer.
// The keys are those of judging_page_keys.py: actions by key, and the help text of each.
const $ = id => document.getElementById(id);
let view = null, busy = false, toastTimer = 0, waitTimer = 0;
const PATIENCE = 5000, BLOCK = 2000;
const [NAVIGATION_KEYS, KEY_HELP] = /*keys*/;

// Isolate an id, which may have characters that change the direction of writing.
const isolated = id => `\u2068${id}\u2069`;
const percent = (done, total) => Math.round(100 * done / total);
const called = grade => {
  const name = view.scale.find(([value]) => value === grade)[1];
  return name ? `${grade} ${name}` : `${grade}`;
};

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

function marked(target, pieces) {
  target.replaceChildren(...pieces.map((piece, i) => i % 2 ? element("mark", piece) : document.createTextNode(piece)));
}

// Show a long text in blocks, of which the browser lays out only those in view: laying out a megabyte takes seconds.
function blocks(target, pieces) {
  const parts = [element("div", "")];
  let size = 0;
  pieces.forEach((piece, i) => {
    if (i % 2) parts.at(-1).append(element("mark", piece));
    let rest = i % 2 ? "" : piece, end = rest.indexOf("\n", Math.max(0, BLOCK - size));
    for (; end >= 0; end = rest.indexOf("\n", BLOCK)) {
      parts.at(-1).append(rest.slice(0, end + 1));
      parts.push(element("div", ""));
      rest = rest.slice(end + 1);
      size = 0;
    }
    parts.at(-1).append(rest);
    size += i % 2 ? piece.length : rest.length;
  });
  target.replaceChildren(...parts);
}

function bar(id, done, total) {
  $(id).setAttribute("aria-valuenow", percent(done, total));
  $(id).setAttribute("aria-valuetext", `${done} of ${total}`);
  $(id).firstElementChild.style.width = `${100 * done / total}%`;
}

function count(target, done, total, after) {
  target.replaceChildren(element("b", done), ` of ${total} ${after}`);
}

function show(next) {
  const before = view;
  view = next;
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
  $("missing").textContent = text.problem || "The text of this document is missing. Judge it by its id, or skip it.";
  $("cut").hidden = !text.cut;
  $("cut").textContent = `${text.cut.toLocaleString("en")} more letters of this document are not shown.`;
  $("link").hidden = !text.link;
  if (text.link) Object.assign($("link").firstElementChild, { href: text.link, textContent: text.link });
  $("complete").hidden = !view.complete;
  $("complete").textContent = `All ${view.total} documents are judged and saved in ${view.file}. You can still correct judgments; Ctrl-C in the terminal stops assay judge.`;
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
    ...view.scale.map(([, name, key]) => [key, name ? `${name}, then the next document` : "this grade, then the next document"]),
    ...Object.entries(KEY_HELP),
  ];
  $("help-keys").replaceChildren(...keys.flatMap(([key, does]) => {
    const term = element("dt", "");
    term.append(element("kbd", key));
    return [term, element("dd", does)];
  }));
  $("help-file").textContent = `To correct a judgment, judge again: the last one counts. Judgments are saved in ${view.file}.`;
}

async function ask(path, sent) {
  if (busy) {
    tell("Ignored: the previous judgment is still being saved.", false);
    return null;
  }
  busy = true;
  waitTimer = setTimeout(() => complain("assay judge has not answered yet: the judgment is not saved."), PATIENCE);
  document.body.dataset.busy = "";
  try {
    const options = sent ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {};
    const answer = await fetch(path, options);
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    let problem = text;
    try { problem = JSON.parse(text).problem || text; } catch { /* plain text */ }
    const words = sent ? `Not saved: ${problem}` : problem;
    if (answer.status === 409) await refresh();
    complain(words);
  } catch {
    // The server may have stopped after saving: only the file shows whether it did.
    complain(`${sent ? "Perhaps not saved: " : ""}assay judge does not answer. Restart it and open the new link, which shows what was saved.`);
  } finally {
    clearTimeout(waitTimer);
    busy = false;
    delete document.body.dataset.busy;
  }
  return null;
}

// Another window has judged meanwhile: show its judgment first.
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
  const next = await ask(path);
  if (next) show(next);
}

async function judge(grade) {
  if (!view || !view.scale.some(([value]) => value === grade)) return;
  const { topic, document: text } = view;
  const next = await ask("judge.json", { topic: topic.id, document: text.id, grade, shown: view.grade });
  if (!next) return;
  tell(`Saved: ${isolated(text.id)} is ${called(grade)}`, true);
  show(next);
}

async function undo() {
  if (!view || !view.last) return;
  const { topic, document: text, grade } = view.last;
  const next = await ask("undo.json", { topic, document: text, grade });
  if (!next) return;
  tell(`Undone: ${isolated(text)} was ${called(grade)}`, false);
  show(next);
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

const ACTIONS = {
  undo, skip: () => go(`after/${view.place}.json`), back: () => move(-1), forward: () => move(1), nextMark,
  topicBefore: () => view.topic.before !== null && go(`at/${view.topic.before}.json`),
  topicAfter: () => view.topic.after !== null && go(`at/${view.topic.after}.json`), help: () => $("help").showModal(),
};

addEventListener("keydown", event => {
  if (event.repeat && event.target.tagName === "BUTTON") event.preventDefault(); // holding Enter presses a button once
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !view) return;
  if ($("help").open) {
    if (NAVIGATION_KEYS[event.key] === "help") $("help").close();
    return;
  }
  // On keyboards whose digits need Shift, the key itself counts.
  const digit = /^\d$/.test(event.key) ? event.key : !event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.at(-1) : "";
  const key = digit || (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const grade = view.scale.find(([, , gradeKey]) => gradeKey === key);
  const act = grade ? () => judge(grade[0]) : ACTIONS[NAVIGATION_KEYS[key]];
  if (!act) return;
  event.preventDefault();
  at = act === nextMark ? at : -1;
  act();
});

$("back").addEventListener("click", () => move(-1));
$("forward").addEventListener("click", () => move(1));
$("undo").addEventListener("click", undo);
$("toast-undo").addEventListener("click", undo);
$("skip").addEventListener("click", ACTIONS.skip);
$("help-button").addEventListener("click", ACTIONS.help);
$("help-close").addEventListener("click", () => $("help").close());
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
// Keep the last line of a document above the keys.
new ResizeObserver(() => {
  document.body.style.paddingBottom = `${$("keys").offsetHeight + 32}px`;
}).observe($("keys"));
go("start.json");
