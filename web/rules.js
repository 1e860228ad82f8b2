// Rules as highlighted text with line numbers and error messages.
import { el } from "./parts.js";

const WORDS = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees", "random", "not", "or", "and", "distinct", "<="]);
const TOKEN = /;[^\n]*|"[^"\n]*"|\?[^\s();]+|[()]|[^\s();"]+|\s+/g;

function kindOf(token) {
  if (token.startsWith(";")) return "comment";
  if (token.startsWith("?")) return "variable";
  if (token === "(" || token === ")") return "bracket";
  if (WORDS.has(token.toLowerCase())) return "word";
  if (/^\d+$/.test(token)) return "digits";
  return null;
}

function highlighted(line) {
  return (line.match(TOKEN) || []).map((token) => {
    const kind = kindOf(token);
    return kind ? el("span", { class: `gdl-${kind}` }, token) : token;
  });
}

export function drawRules(text) {
  const lines = text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  return el("ol", { class: "rules", tabindex: "0", "aria-label": "Rules" }, lines.map((line) => el("li", {}, el("code", {}, highlighted(line)))));
}

// A list of problems, each a link to its line in the text area.
export function listProblems(diagnostics, area) {
  return el("ul", { class: "problems" }, diagnostics.map((one) => el("li", { class: one.severity },
    el("button", {
      type: "button", "data-line": one.line, onclick: () => {
        const lines = area.value.split("\n");
        const start = lines.slice(0, one.line - 1).join("\n").length + (one.line > 1 ? 1 : 0);
        area.focus();
        area.setSelectionRange(start, start + (lines[one.line - 1] || "").length);
        area.scrollTop = Math.max(0, (one.line - 4) * parseFloat(getComputedStyle(area).lineHeight));
      },
    }, `line ${one.line}`), ` ${one.severity}: ${one.message}`, one.hint ? el("i", {}, ` ${one.hint}`) : null)));
}

const MAX_PAINTED = 100000; // characters; longer rules are plain text while they are edited

// The highlighted lines, with messages at the ends of lines with problems.
function paint(text, diagnostics) {
  const byLine = new Map();
  for (const one of diagnostics) byLine.set(one.line, [...(byLine.get(one.line) || []), one]);
  return text.split("\n").map((line, i) => {
    const here = byLine.get(i + 1) || [];
    const worst = here.find((one) => one.severity === "error") || here[0];
    return [el("span", { class: worst ? `line ${worst.severity}` : "line" }, highlighted(line), worst ? el("span", { class: "inline" }, `  ${worst.message}`) : null), "\n"];
  });
}

// A transparent text area over a highlighted copy of its text, with line numbers.
export function ruleEditor(text, onChange) {
  const numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
  const under = el("pre", { class: "under", "aria-hidden": "true" });
  const area = el("textarea", { class: "editor", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: "24", "aria-label": "Rules", "aria-describedby": "verdict", value: text });
  const frame = el("div", { class: "editing" }, numbers, el("div", { class: "paper" }, under, area));
  let diagnostics = [];
  const follow = () => {
    numbers.scrollTop = area.scrollTop;
    under.scrollTop = area.scrollTop;
    under.scrollLeft = area.scrollLeft;
  };
  const draw = () => {
    const worst = new Map();
    for (const one of diagnostics)
      if (worst.get(one.line) !== "error") worst.set(one.line, one.severity);
    const lines = area.value.split("\n").length;
    numbers.replaceChildren(...Array.from({ length: lines }, (_, i) => el("span", { class: worst.get(i + 1) || null }, `${i + 1}\n`)));
    frame.classList.toggle("painted", area.value.length <= MAX_PAINTED);
    under.replaceChildren(...(area.value.length <= MAX_PAINTED ? paint(area.value, diagnostics) : []).flat());
    follow();
  };
  area.addEventListener("input", () => { draw(); onChange(); });
  area.addEventListener("scroll", follow);
  draw();
  return {
    area,
    frame,
    mark(found) {
      diagnostics = found;
      area.setAttribute("aria-invalid", found.some((one) => one.severity === "error"));
      draw();
    },
  };
}
