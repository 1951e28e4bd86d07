// Show one view at a time by its address, restore scroll positions, switch the theme.
const opened = byId("opened");
const ready = (root) => {
  for (const node of all("[data-hint]", root)) node.setAttribute("aria-description", node.dataset.hint);
  for (const list of all("select[data-panels]", root)) choosePanels(list);
  for (const control of all(".tools .tool", root)) control.hidden = false;
  // Reserve the height of charts that are not drawn yet, so that the page does not jump.
  for (const holder of all(".chart[data-height]", root)) holder.style.minHeight = `${holder.dataset.height}px`;
};
const put = (view) => {
  opened.replaceChildren(...(view ? [view] : []));
  if (view) ready(view);
};
const show = (view, focus) => {
  for (const other of all(".view")) other.hidden = other !== view;
  for (const holder of all(".chart[data-chart]", view)) observer.observe(holder);
  if (focus) {
    view.querySelector("h2")?.focus({ preventScroll: true });
    scrollTo({ top: Math.max(0, byId("main").offsetTop - 24), behavior: "instant" });
  }
  drawRest();
};

// Scroll positions by the number of the history entry.
const places = new Map();
let visit = 0;
const visitOf = () => history.state?.visit;
const remember = () => { places.set(visit, scrollY); };
const arrive = () => {
  const known = visitOf();
  const again = known !== undefined && places.has(known);
  visit = known ?? Math.max(0, ...places.keys()) + 1;
  try { history.replaceState({ visit }, ""); } catch { /* a page inside another may not keep a history */ }
  const place = again ? places.get(visit) : null;
  if (!again) places.set(visit, 0);
  return place;
};
const titled = (name) => { document.title = name ? `${name} · ${data.title}` : data.title; };
let turn = 0;
// Load a page, or show why it fails: its file may be missing, its server stopped.
const opening = async (address) => {
  try {
    const page = await sheet(address);
    return [await (address.startsWith("topic/") ? topicNode(page) : pageNode(page)), page.title];
  } catch (problem) {
    const name = unquoted(address.split("/").slice(1).join("/"));
    const lost = problem.message;
    announce(lost);
    return [element("article", { className: "view page", "aria-labelledby": "lost-title" },
      element("nav", { className: "back", "aria-label": "Back" }, element("a", { href: data.alone ? `#${data.alone}` : "#campaign" }, "← Back")),
      element("h2", { id: "lost-title", className: "run-title", tabIndex: -1 }, name),
      element("p", { className: "note warning" }, `This page cannot be shown: ${lost}.`)), name];
  }
};

const route = async (first) => {
  hideTip();
  const mine = ++turn;
  const place = arrive();
  const wanted = location.hash.slice(1);
  const settle = () => { if (place !== null) scrollTo({ top: place, behavior: "instant" }); };
  for (const link of all(".contents a")) {
    if (wanted && link.getAttribute("href") === `#${wanted}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const address = wanted.includes("/") ? addressOf(wanted) : undefined;
  if (address) {
    const [view, title] = await opening(address);
    if (mine !== turn) return;
    put(view);
    titled(title);
    show(view, true);
    return settle();
  }
  if (wanted.startsWith("compare/") && byId("compare")) {
    const selection = await compared(wanted);
    if (mine !== turn) return;
    if (selection) {
      put(null);
      show(byId("compare"), true);
      showComparison(...selection);
      titled(byId("compare-title").textContent);
      drawRest();
      return settle();
    }
  }
  put(null);
  const target = wanted ? byId(unquoted(wanted)) : null;
  const view = target?.closest(".view") ?? (byId("campaign").children.length ? byId("campaign") : document.querySelector(".view.page"));
  if (!view) return;
  titled("");
  show(view, !first && (view !== byId("campaign") || wanted === "campaign" || wanted === ""));
  // What is folded opens where a link leads into it.
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (target && target !== view && place === null) target.scrollIntoView();
  if (wanted.includes("/")) announce("There is no such page in this report.");
  settle();
};

const theme = byId("theme");
const themes = ["auto", "light", "dark"];
const setTheme = (name) => {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = `Theme: ${name}`;
  document.dispatchEvent(new Event("theme"));
};
theme.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "auto";
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});
setTheme("auto");
theme.hidden = false;
ready(document);
history.scrollRestoration = "manual";
addEventListener("scroll", remember, { passive: true });
addEventListener("hashchange", () => route(false));
route(true);
