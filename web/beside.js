// What stands beside the board of a match: the headline, the players with their clocks, the moves so far,
// what a player knows, links to share.
import { enc } from "./api.js";
import { dot } from "./thoughts.js";
import { busyMoves, jointText, moveWords } from "./moves.js";
import { clockText, el, failed, number, say } from "./parts.js";

export const isOver = (match) => ["over", "broken"].includes(match.status);

export function result(match, mine) {
  const goals = Object.entries(match.goals || {}).filter(([role]) => role !== "random");
  const best = Math.max(...goals.map(([, goal]) => goal ?? -1));
  const winners = goals.filter(([, goal]) => goal === best).map(([role]) => role);
  if (goals.length === 1) return `${goals[0][0]} scores ${goals[0][1] ?? "nothing"}.`;
  const scores = goals.map(([role, goal]) => `${role} ${goal ?? "–"}`).join(", ");
  if (winners.length === goals.length) return `A draw: ${scores}.`;
  if (mine.length === 1 && winners.length === 1) return `${winners[0] === mine[0] ? "You won" : "You lost"}: ${scores}.`;
  return winners.length === 1 ? `${winners[0]} wins: ${scores}.` : `${winners.join(" and ")} share the win: ${scores}.`;
}

// How it went for whoever looks: won, lost or nothing of the kind.
export function outcome(match, mine) {
  if (match.status !== "over" || mine.length !== 1) return "";
  const said = result(match, mine);
  return said.startsWith("You won") ? "won" : said.startsWith("You lost") ? "lost" : "";
}

export function headline(match, mine, isLost) {
  if (match.status === "over") return result(match, mine);
  if (match.status === "broken") return "The match was broken off.";
  if (isLost) return "The server does not answer. Trying again …";
  if (match.waiting.includes(match.you)) return `Your move, ${match.you}.`;
  if (match.waiting.length) return `Waiting for ${match.waiting.join(" and ")}.`;
  return "The engine is thinking …";
}

// The moves of each turn, with the colours of those who made them.
export function moveList(match, at, go, board) {
  const rows = match.moves.map((moves, i) => {
    const known = busyMoves(moves, match.roles).map(([r, move], k) => [k ? " · " : "", dot(board, match.roles[r]), moveWords(move, board)]);
    return el("li", { class: i + 1 === at ? "now" : null }, el("button", { type: "button", disabled: match.secrets, title: moves.map((move) => move ?? "?").join(" · "), "aria-label": `turn ${i + 1}: ${jointText(moves, board, match.roles)}`, "aria-current": i + 1 === at ? "step" : null, onclick: () => go(i + 1) }, known.length ? known : "?"));
  });
  return el("ol", { class: "history", "aria-label": "Moves so far", tabindex: "0" }, rows);
}

export function playersList(match, board) {
  return el("ul", { class: "players" }, match.roles.map((name, i) => el("li", { class: match.waiting.includes(name) ? "turn" : null, "data-role": name }, dot(board, name), el("b", {}, name), name === "random" ? " chance" : ` ${match.players[i]}`,
    match.goals && name !== "random" ? el("span", { class: "goal" }, match.goals[name] ?? "–") : name === "random" ? null : el("span", { class: "clock", title: "time used" }, clockText(match.spent?.[i] || 0)))));
}

export function knowledge(match) {
  if (!match.secrets) return null;
  if (!match.you) return el("p", { class: "quiet" }, "This game has hidden information; the match is shown in full when it is over.");
  const seen = match.percepts.map((text, i) => [i + 1, text]).filter(([, text]) => text);
  return el("section", { class: "secrets" }, el("h2", {}, "What you know"),
    el("p", { class: "quiet" }, match.possible === 1 ? "You know the whole position." : `${match.certain ? "" : "at least "}${number(match.possible)} positions are possible; the board shows what holds in all of them.`),
    seen.length ? el("ul", {}, seen.map(([turn, text]) => el("li", {}, `turn ${turn}: `, el("code", {}, text)))) : el("p", {}, "You have perceived nothing yet."));
}

export function sharing(id, keys) {
  const base = `${location.origin}${location.pathname}#/match/${enc(id)}`;
  const reserved = ["owner", "mine", "setup", "at"];
  const links = [["to watch", base], ...Object.entries(keys).filter(([role, key]) => typeof key === "string" && !reserved.includes(role) && !(keys.mine || []).includes(role)).map(([role, key]) => [`to play ${role}`, `${base}?key=${key}`])];
  return el("details", { class: "share", open: links.length > 1 }, el("summary", {}, "Share"), links.map(([what, link]) => el("p", {}, `${what}: `, el("input", { readonly: true, value: link, "aria-label": `Link ${what}`, onfocus: (event) => event.target.select() }),
    el("button", { type: "button", "aria-label": `Copy the link ${what}`, onclick: () => navigator.clipboard.writeText(link).then(() => say("copied"), failed) }, "copy"))));
}
