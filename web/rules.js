// Rules as text: highlighted, with line numbers and with what is wrong at its line.
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

export function drawRules(text, diagnostics = []) {
  const lines = text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  return el("ol", { class: "rules" }, lines.map((line, i) => {
    const here = diagnostics.filter((one) => one.line === i + 1);
    const worst = here.some((one) => one.severity === "error") ? "error" : here.length ? "warning" : null;
    return el("li", { id: `line-${i + 1}`, class: worst }, el("code", {}, highlighted(line)), here.map(drawDiagnostic));
  }));
}

function drawDiagnostic(one) {
  return el("div", { class: `diagnostic ${one.severity}` }, el("b", {}, one.severity), ` ${one.message}`, one.hint ? el("i", {}, ` ${one.hint}`) : null);
}

// A list of problems; each leads to its line in the text area.
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

// A text area with line numbers beside it; numbers of lines with problems are marked.
export function ruleEditor(text, onChange) {
  const numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
  const area = el("textarea", { class: "editor", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: "24", "aria-label": "Rules", value: text });
  let marked = new Map();
  const count = () => {
    const lines = area.value.split("\n").length;
    numbers.replaceChildren(...Array.from({ length: lines }, (_, i) => el("span", { class: marked.get(i + 1) || null }, `${i + 1}\n`)));
    numbers.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", () => { count(); onChange(); });
  area.addEventListener("scroll", () => { numbers.scrollTop = area.scrollTop; });
  count();
  return {
    area,
    frame: el("div", { class: "editing" }, numbers, area),
    mark(diagnostics) {
      marked = new Map();
      for (const one of diagnostics)
        if (marked.get(one.line) !== "error") marked.set(one.line, one.severity);
      count();
    },
  };
}
