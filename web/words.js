// The rules of a game in plain words: what the author says on top of them, and what analysis knows.
// It says what it does not know.
import { endsInWords } from "./ends.js";
import { el, factTable } from "./parts.js";

// A rule that was commented out, such as "(<= terminal" or "(cell 1 1 b)"; "(50/50)." is prose.
const isRule = (text) => /^\((<=|role|init|base|input|legal|next|goal|true|does|not|distinct|or)[\s)]/.test(text) || /^\([^()]*(\([^()]*\)[^()]*)*\)$/.test(text);

// Lines about the file and not about the game.
const isRemark = (text) => /-\*-|\.kif\b|^(first draft|edits?|edited|last revision|revision|author|version|date|copyright)\b/i.test(text);

const LABEL = /^([A-Z][a-z]+):\s+(.*)$/;

// The comment on top of the rules: paragraphs under labels such as "Rules:", or one without.
export function headerOf(rules) {
  const lines = [];
  for (const line of rules.split("\n")) {
    if (line.trim() === "" && !lines.length) continue;
    if (!line.trim().startsWith(";")) break;
    lines.push(line.trim().replace(/^;+ ?/, ""));
  }
  const parts = new Map();
  let label = "";
  for (const line of lines) {
    const found = LABEL.exec(line);
    if (found) label = found[1];
    const text = (found ? found[2] : line).replace(/^[\s*]+|[\s*]+$/g, "");
    if (/^[-=*;_\s]*$/.test(text) || (!label && (isRule(text) || isRemark(text)))) continue;
    parts.set(label, `${parts.get(label) || ""} ${text}`.trim());
  }
  return parts;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
const numberWord = (count) => NUMBERS[count] ?? String(count);
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
const listOf = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);
const seen = (certainty) => (certainty === "proved" ? "" : ", as far as random matches show");

function playersText(game, found) {
  const roles = game.roles.filter((role) => role !== "random");
  const turns = { alternating: "who move in turn", simultaneous: "who move at the same time", single: "" }[found?.turns];
  const who = roles.length === 1 ? `a game for one, ${roles[0]}` : `${numberWord(roles.length)} players, ${listOf(roles)}${turns ? `, ${turns}${seen(found.turns_certainty)}` : ""}`;
  return `${sentence(who)}.${game.chance ? " Chance has a hand in it." : ""}${game.hidden ? " Not everybody knows everything." : ""}`;
}

function boardText(game) {
  const shapes = (game.board?.grids || []).map((grid) => `${grid.planes.length > 1 ? `${grid.planes.length} boards` : "a board"} of ${grid.width} by ${Math.max(grid.height, 1)} ${grid.shape === "hexagons" ? "hexagons" : "squares"}`);
  return shapes.length ? `It is played on ${listOf(shapes)}.` : "No board was recognised in the rules.";
}

function moveText({ role, name, squares, count }) {
  const what = ["names no square", "names a square", "leads from one square to another"][squares] || `names ${squares} squares`;
  return `${role} may “${name}”, which ${what} (${count} ${count === 1 ? "way" : "ways"})`;
}

function movesText(game) {
  const kinds = (game.first_moves || []).filter(({ role, count }) => role !== "random" && (count > 1 || game.first_moves.filter((one) => one.role === role).length > 1));
  if (!game.first_moves) return "";
  if (!kinds.length) return game.chance ? "Chance begins." : "At the start nobody has a choice.";
  return `At the start ${listOf(kinds.slice(0, 6).map(moveText))}.`;
}

function endText(game, found, own) {
  const survey = game.survey || {};
  const bound = found?.fragments?.horizon;
  const words = [];
  if (bound && found.fragments.horizon_certainty === "proved") words.push(`no match is longer than ${bound} turns`);
  if (survey.matches && survey.mean_length) words.push(`a random match takes about ${Math.round(survey.mean_length)} turns`);
  if (survey.endless) words.push("some random matches did not end");
  return words.length ? `${sentence(listOf(words))}.` : own ? "" : "How long a match lasts is not known.";
}

function scoreText(game, found) {
  const means = (game.survey?.mean_goals || []).map((goal, i) => [game.roles[i], goal]).filter(([role, goal]) => goal !== null && role !== "random");
  const random = means.length ? ` Where everybody moves at random, ${listOf(means.map(([role, goal]) => `${role} gets ${Math.round(goal)}`))} on average.` : "";
  return `${sumText(game, found)}${random}`;
}

function sumText(game, found) {
  if (!found || game.players === 1) return "";
  if (found.zero_sum) return `What one wins the others lose: the scores add up to ${found.sum}${seen(found.zero_sum_certainty)}.`;
  if (found.cooperative) return `All have the same score${seen(found.cooperative_certainty)}.`;
  return "The scores have no constant sum, so several may do well.";
}

function fromAnalysis(game, found, own) {
  const texts = [playersText(game, found), boardText(game), movesText(game), endText(game, found, own), scoreText(game, found)];
  return texts.filter(Boolean).join(" ");
}

// The section. `found` is the analysis, or null while it is not known.
export function rulesInWords(game, rules, found) {
  const header = headerOf(rules);
  const own = header.get("Rules") || [...header].filter(([label, text]) => label === "" && text.split(" ").length > 8).map(([, text]) => text).join(" ");
  const ends = own ? null : endsInWords(rules);
  const more = ["Roles", "Structure", "Known", "Source"].filter((label) => header.get(label)).map((label) => [label.toLowerCase(), header.get(label)]);
  return el("section", { id: "words", "aria-label": "Rules in plain words" }, el("h2", {}, "How it is played"),
    own ? el("p", { class: "own-words" }, own) : el("p", { class: "quiet" }, "Nobody has described these rules; this is what the program sees in them."),
    el("p", { id: "generated" }, fromAnalysis(game, found, own)),
    own ? null : ends || "",
    own ? null : el("p", { class: "quiet" }, ends ? "What stands in quotation marks are conditions in the rules' own words; the rules below say what they mean." : "When exactly a match ends and who wins then is not recognised; the rules below say it."),
    more.length ? el("details", {}, el("summary", {}, "What the author says besides"), factTable(more)) : null);
}
