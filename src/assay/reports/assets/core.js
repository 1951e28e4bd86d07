// The report's behaviour. Names go into the page as text only, never as markup.
const data = JSON.parse(document.getElementById("report-data").textContent);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const announce = (message) => { byId("announce").textContent = message; };

const element = (tag, properties = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
const drawing = (tag, attributes, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

// ---------------------------------------------------------------- what waits until it is asked for
const waiting = JSON.parse(byId("report-pages").textContent);
const inflate = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
const fetched = new Map();
const sheet = (address) => {
  if (!(address in waiting)) return Promise.resolve(null);
  if (!fetched.has(address)) {
    fetched.set(address, inflate(waiting[address]));
    // The pages a reader has just seen stay; hundreds need not.
    if (fetched.size > 40) for (const key of fetched.keys()) { if (key.includes("/")) { fetched.delete(key); break; } }
  }
  return fetched.get(address);
};
const unquoted = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
// Browsers differ in which letters of an address they leave alone: two addresses are one if they say the same.
const addressOf = (hash) => (hash in waiting ? hash
  : Object.keys(waiting).find((known) => known.split("/").map(unquoted).join("\n") === hash.split("/").map(unquoted).join("\n")));
const encoded = (name) => encodeURIComponent(name).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

// ---------------------------------------------------------------- numbers, with the digits that Python gives them
const fixed = (value, digits) => {
  const text = value.toFixed(digits);
  if (Math.abs(value) * 10 ** digits % 1 !== 0.5) return text;
  const exact = Math.abs(value).toFixed(100);
  const cut = exact.indexOf(".") + 1 + digits;
  if (!/^50*$/.test(exact.slice(cut))) return text;
  // Halfway between two: the even one.
  const below = exact.slice(0, digits ? cut : cut - 1);
  return "02468".includes(below.at(-1)) ? (value < 0 ? `-${below}` : below) : text;
};
const number = (value, digits = 4, signed = false) => {
  if (value === null || value === undefined) return "n/a";
  const text = fixed(value, digits);
  if (!/[1-9]/.test(text)) return text.replace("-", "");
  return signed && value > 0 ? `+${text}` : text;
};
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
