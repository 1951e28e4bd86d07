// Shared functions of the report's script. Names are inserted as text, never as markup.
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

// ---------------------------------------------------------------- pages loaded on demand
const waiting = JSON.parse(byId("report-pages").textContent);
const unquoted = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const encoded = (name) => encodeURIComponent(name).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
// An address is derived from the name; addresses of names with escaped characters are in the data.
const placeOf = new Map(data.topics.map((name, place) => [name, place]));
const addressAt = (place) => data.addresses[place] ?? `topic/${encoded(data.topics[place])}`;
const topicAddress = (topic) => (placeOf.has(topic) ? addressAt(placeOf.get(topic)) : undefined);
// Browsers differ in which characters of an address they escape, so compare decoded addresses.
const decoded = (address) => address.split("/").map(unquoted).join("\n");
const byDecoded = new Map([...data.pages.map(([address]) => [decoded(address), address]),
  ...data.topics.map((_, place) => [decoded(addressAt(place)), addressAt(place)])]);
// Text next to a link: the title of a topic, the team of a run.
const titleOf = (topic) => data.titles[placeOf.get(topic)] ?? "";
const labels = new Map([...data.pages.map(([address], i) => [address, data.teams[i] ?? ""]), ...data.topics.map((name, place) => [addressAt(place), titleOf(name)])]);
const besideNode = (label) => (label ? element("span", { className: "beside" }, label) : null);
const idAndTitle = (topic) => [topic, titleOf(topic)].filter(Boolean).join(" ");
const addressOf = (hash) => byDecoded.get(decoded(hash));

const inflate = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
// Load from the page's server, with chart specifications that the page lacks.
const served = async (address) => {
  // The ending protects a topic called `..`, which a browser would resolve.
  const answer = await fetch(`sheet/${address}.json`).catch(() => { throw new Error("the server does not answer; was it stopped?"); });
  if (answer.status === 403) throw new Error("the server was restarted; open its new link");
  const reply = answer.status === 404 ? null : await answer.json();
  if (!answer.ok) throw new Error(reply?.problem ?? "the server has no such page");
  for (const [place, spec] of Object.entries(reply.specs)) data.specs[place] = spec;
  return reply.sheet;
};
// Load from a file beside the page: a script, because a page opened from disk may not fetch.
window.assaySheets = (sheets) => Object.assign(waiting, sheets);
const besides = new Map();
const placeByAddress = new Map(data.beside ? data.topics.map((_, place) => [addressAt(place), place]) : []);
const fileOf = (address) => {
  const place = placeByAddress.get(address);
  return data.beside.files.findLast(([first]) => (place === undefined ? first === address : first <= place))?.[1];
};
const fromBeside = (address) => {
  const name = fileOf(address);
  if (!name) return Promise.resolve(null);
  if (!besides.has(name)) {
    besides.set(name, new Promise((done, fail) => {
      const where = `${encoded(data.beside.folder)}/${name}`;
      const script = element("script", { src: where });
      script.addEventListener("load", done);
      script.addEventListener("error", () => fail(new Error(`${unquoted(where)} could not be read: it belongs beside this file`)));
      document.head.append(script);
    }));
  }
  return besides.get(name).then(() => inflate(waiting[address]));
};
const read = (address) => {
  if (address in waiting) return inflate(waiting[address]);
  if (data.served) return served(address);
  return data.beside ? fromBeside(address) : Promise.resolve(null);
};
const fetched = new Map();
const sheet = (address) => {
  if (!fetched.has(address)) {
    const loading = read(address);
    fetched.set(address, loading);
    loading.catch(() => fetched.delete(address));
    // Cache only the most recent pages.
    if (fetched.size > 40) for (const key of fetched.keys()) { if (key.includes("/")) { fetched.delete(key); break; } }
  }
  return fetched.get(address);
};

// ---------------------------------------------------------------- numbers, formatted as in Python
const fixed = (value, digits) => {
  const text = value.toFixed(digits);
  if (Math.abs(value) * 10 ** digits % 1 !== 0.5) return text;
  const exact = Math.abs(value).toFixed(100);
  const cut = exact.indexOf(".") + 1 + digits;
  if (!/^50*$/.test(exact.slice(cut))) return text;
  // Round half to even.
  const below = exact.slice(0, digits ? cut : cut - 1);
  return "02468".includes(below.at(-1)) ? (value < 0 ? `-${below}` : below) : text;
};
const number = (value, digits = 4, signed = false) => {
  if (value === null || value === undefined) return "n/a";
  const text = fixed(value, digits);
  if (!/[1-9]/.test(text)) return text.replace("-", "");
  return signed && value > 0 ? `+${text}` : text;
};
// Format a value or a median; the median of counts may be half-way between two.
const among = (value, digits, signed = false) => number(value, digits === 0 && value !== null && value % 1 ? 1 : digits, signed);
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
