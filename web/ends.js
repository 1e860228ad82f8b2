// How a match ends and what is scored, read off the rules: the conditions of `terminal` and `goal` in the
// rules' own words. Knows the notation with parentheses alone; says nothing about others.
import { el } from "./parts.js";

const MOST_CASES = 5; // conditions that are spelt out
const MOST_WORDS = 6; // literals of a condition

// Nested arrays of words; null if the text is something else.
export function readTerms(text) {
  const tokens = text.replace(/;[^\n]*/g, "").match(/[()]|[^\s()]+/g) || [];
  const stack = [[]];
  for (const token of tokens) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      if (stack.length < 2) return null;
      const done = stack.pop();
      stack[stack.length - 1].push(done);
    } else stack[stack.length - 1].push(token.toLowerCase());
  }
  return stack.length === 1 ? stack[0] : null;
}

const nameOf = (word) => word.replaceAll("_", " ");
const plainTerm = (term) => (Array.isArray(term) ? term.map(plainTerm).join(" ") : nameOf(term.replace(/^\?/, "")));
const quoted = (term) => `“${plainTerm(term)}”`;

// A condition in words; null for one that says nothing to a reader.
function literalText(literal) {
  const [word, ...rest] = Array.isArray(literal) ? literal : [literal];
  if (word === "role") return null;
  if (word === "true") return quoted(rest[0]);
  if (word === "distinct") return `${plainTerm(rest[0])} is not ${plainTerm(rest[1])}`;
  if (word === "not") return `not ${literalText(rest[0]) ?? quoted(rest[0])}`;
  if (word === "or") return rest.map((one) => literalText(one) ?? quoted(one)).join(" or ");
  if (word === "and") return bodyText(rest);
  return quoted(literal);
}

function bodyText(literals) {
  const words = literals.map(literalText).filter(Boolean);
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS).join(" and ")} and more` : words.join(" and ");
}

// The conditions of a head, by its text: Map from head to texts, "" for one that always holds.
function casesOf(terms, predicate) {
  const found = new Map();
  for (const term of terms) {
    const [head, body] = term[0] === "<=" ? [term[1], term.slice(2)] : [term, []];
    const [name, ...values] = Array.isArray(head) ? head : [head];
    if (name !== predicate) continue;
    const key = values.map(plainTerm).join("\n");
    found.set(key, [...(found.get(key) || []), bodyText(body)]);
  }
  return found;
}

const caseList = (texts) => (texts.includes("") ? "always" : `when ${texts.slice(0, MOST_CASES).join(", or when ")}${texts.length > MOST_CASES ? `, or in ${texts.length - MOST_CASES} more cases` : ""}`);

// A list of sentences, or null if the rules could not be read.
export function endsInWords(rules) {
  const terms = readTerms(rules);
  const ends = terms && casesOf(terms, "terminal").get("");
  if (!ends) return null;
  const goals = [...casesOf(terms, "goal")].map(([key, texts]) => [...key.split("\n"), texts]).filter(([, value]) => value !== undefined);
  const best = goals.sort((a, b) => Number(b[1]) - Number(a[1])).slice(0, 2 * MOST_CASES);
  return el("ul", { id: "ends" }, el("li", {}, `A match ends ${caseList(ends)}.`),
    best.map(([role, value, texts]) => el("li", {}, `${role} gets ${value} ${caseList(texts)}.`)),
    goals.length > best.length ? el("li", {}, `${goals.length - best.length} more scores are in the rules.`) : null);
}
