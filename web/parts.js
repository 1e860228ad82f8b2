// Elements that all views use. Texts always become text nodes, so that the name of a game or a player
// is never read as HTML.

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in { value: 1, checked: 1, disabled: 1, selected: 1 } && name in node) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : String(child));
  return node;
}

export function el(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

export function show(...children) {
  const main = document.getElementById("main");
  main.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return main;
}

// A table of names and values; rows without a value are left out.
export function factTable(rows) {
  const known = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return el("table", { class: "facts-table" }, el("tbody", {}, known.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
}

// A text for screen readers alone.
export const unseen = (text) => el("span", { class: "unseen" }, text);

// A table that scrolls sideways on a narrow screen. Columns whose heading begins with "+" are hidden on
// a phone; one that begins with "-" is only read out.
export function listTable(headings, rows, attributes = {}) {
  const extra = headings.map((heading) => (heading.startsWith("+") ? "extra" : null));
  return el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": attributes["aria-label"] || "A table" }, el("table", { class: "list", ...attributes },
    el("thead", {}, el("tr", {}, headings.map((heading, i) => el("th", { scope: "col", class: extra[i] }, heading.startsWith("-") ? unseen(heading.slice(1)) : heading.replace("+", ""))))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: extra[i] }, cell)))))));
}

// Announces a text to screen readers and shows it for six seconds.
export function say(text) {
  const news = document.getElementById("news");
  news.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { news.textContent = ""; }, 6000);
}

// Tells screen readers alone; they read what is added.
export function announce(text) {
  const log = document.getElementById("spoken");
  log.append(el("span", {}, `${text} `));
  while (log.children.length > 5) log.firstChild.remove();
}

export function failed(error) {
  if (error.name !== "AbortError") say(error.message || String(error));
}

// What is shown while something is on its way; `text` says what.
export function busy(text = "Loading …") {
  return el("p", { class: "busy", role: "status", "aria-busy": "true" }, el("span", { class: "spinner", "aria-hidden": "true" }), text);
}

// How a look inside a game stands, with a bar.
export function lookProgress(answer) {
  if (answer.state === "waiting") return busy(answer.place > 1 ? `Number ${answer.place} in line …` : "Next in line …");
  return el("div", { class: "busy", role: "status", "aria-busy": "true" }, el("progress", { max: answer.limit, value: answer.seconds, "aria-label": "Time used" }), ` ${Math.round(answer.seconds)} s of ${answer.limit} s at most`);
}

// Says in every view whether the server can be heard.
export function connection(isLost) {
  document.getElementById("lost").hidden = !isLost;
}

// "3:07" for 187 seconds.
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function title(text) {
  document.title = text ? `${text} – Marelle` : "Marelle";
}

// "Connect four" for "connect_four".
export function pretty(name) {
  const words = String(name).replaceAll("_", " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1) : words;
}

// Local time, such as "2026-11-15 19:17".
export function timeText(milliseconds) {
  const two = (value) => String(value).padStart(2, "0");
  const time = new Date(milliseconds);
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

// A move without its outer parentheses.
export function moveText(move) {
  return move.startsWith("(") && move.endsWith(")") ? move.slice(1, -1) : move;
}

export function number(value) {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return String(Math.round(value));
}

export function download(name, text, type = "application/json") {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
