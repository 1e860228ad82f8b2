// Small parts that every view is made of. Texts only ever become text nodes, so nothing that a game
// or a player is called can be read as HTML.

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

// Said to screen readers, and shown for a while.
export function say(text) {
  const news = document.getElementById("news");
  news.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { news.textContent = ""; }, 6000);
}

export function failed(error) {
  say(error.message || String(error));
}

export function title(text) {
  document.title = text ? `${text} – Marelle` : "Marelle";
}

// "connect_four" for people.
export function pretty(name) {
  const words = String(name).replaceAll("_", " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1) : words;
}

// "(move 2 2 3 3)" for people.
export function moveText(move) {
  return move.startsWith("(") && move.endsWith(")") ? move.slice(1, -1) : move;
}

export function number(value) {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return String(Math.round(value));
}

export function download(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
