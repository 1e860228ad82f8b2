// The page about a game: its board, who plays, its rules in words and as they are, and facts.
import { enc, forgetGame, get, lookInside, ownGames, post } from "./api.js";
import { drawBoard } from "./board.js";
import { tags } from "./door.js";
import { drawRules } from "./rules.js";
import { begin, seatChooser } from "./seats.js";
import { rulesInWords } from "./words.js";
import { busy, el, factTable, failed, lookProgress, number, pretty, say, show, title } from "./parts.js";

const sure = (certainty) => (certainty && certainty !== "proved" ? ` (${certainty})` : "");

// Facts from the rules, random matches and the analysis, which takes a while the first time.
function facts(game, found) {
  const survey = game.survey || {};
  const means = (survey.mean_goals || []).map((goal, i) => [game.roles[i], goal]).filter(([role, goal]) => goal !== null && role !== "random");
  return factTable([
    ["players", game.roles.join(", ")],
    ["language", `GDL${game.gdl === "II" ? "-II" : ""}, ${game.rules} rules`],
    ["turns", found && `${found.turns}${sure(found.turns_certainty)}`],
    ["scores", found && (found.zero_sum ? `always ${found.sum} together${sure(found.zero_sum_certainty)}` : found.cooperative ? "the same for all" : "no constant sum")],
    ["size", survey.fluents !== undefined ? `${survey.fluents} fluents, ${survey.moves.map((count, i) => `${count} moves of ${game.roles[i]}`).join(", ")}` : undefined],
    ["circuit", survey.circuit === false ? `none: ${survey.why_interpreted}` : survey.ands !== undefined ? `${number(survey.ands)} gates` : undefined],
    ["a random match", survey.mean_length ? `${survey.mean_length.toFixed(1)} turns` : undefined],
    ["means at random", means.length ? means.map(([role, goal]) => `${role} ${goal.toFixed(1)}`).join(", ") : undefined],
    ["games inside", survey.subgames],
  ]);
}

// The position in which a new match begins: the initial one, or one of another match.
async function startOf(query) {
  const [match, turn] = [query.get("from"), Number(query.get("turn"))];
  if (!match) return { past: null, from: null };
  return { past: await get(`/api/matches/${enc(match)}/turns/${turn}`), from: { match, turn } };
}

const sameWords = (a, b) => a.toLowerCase().replace(/[^a-z0-9]/g, "") === b.toLowerCase().replace(/[^a-z0-9]/g, "");

// What whoever brought the game may do with it.
function ownButtons(game) {
  const owner = ownGames()[game.id];
  const remove = async () => {
    if (!confirm("Delete this game?")) return;
    await post(`/api/games/${enc(game.id)}/delete`, { owner });
    forgetGame(game.id);
    say("The game is gone.");
    location.hash = "#/games";
  };
  return el("p", { class: "buttons" },
    el("a", { class: "button", id: "copy", href: `#/new?from=${enc(game.id)}` }, owner ? "Edit the rules" : "Copy into the editor"),
    owner ? el("button", { type: "button", id: "delete", onclick: () => remove().catch(failed) }, "Delete") : null);
}

export async function detail(id, query) {
  show(el("h1", {}, pretty(id)), busy());
  let [game, rules, { past, from }] = await Promise.all([get(`/api/games/${enc(id)}`), get(`/api/games/${enc(id)}/rules`), startOf(query)]);
  title(pretty(game.name));
  const leaving = new AbortController();
  const chooser = seatChooser(game);
  const start = el("button", {
    type: "button", class: "primary", id: "start", onclick: async () => {
      start.disabled = true;
      start.textContent = "Opening the game …";
      await begin(game.id, chooser.setup(), from).catch(failed);
      start.disabled = false;
      start.textContent = from ? "Play on" : "Play";
    },
  }, from ? "Play on" : "Play");
  const board = el("section", { "aria-label": "First position" });
  const known = el("div", { id: "facts" });
  const words = el("div", {});
  let found = null;
  const refuse = (why) => {
    const again = el("button", { type: "button", onclick: () => open(true).catch(failed) }, "Try again");
    board.replaceChildren(el("p", { class: "bad", id: "refused" }, `This server cannot open the game: ${why}.`), again);
    start.disabled = true;
  };
  const draw = () => {
    const view = past ? past.view : game.view;
    if (game.refused) refuse(game.refused);
    else if (view && game.board) board.replaceChildren(drawBoard(game.board, view));
    known.replaceChildren(facts(game, found));
    words.replaceChildren(rulesInWords(game, rules, found));
  };
  // Waits until the server knows the board, which is found out once.
  const open = async (again = false) => {
    const answer = await lookInside(id, "opening", { again, signal: leaving.signal, progress: (one) => board.replaceChildren(el("p", {}, "The board is being recognised."), lookProgress(one)) });
    game = await get(`/api/games/${enc(id)}`);
    if (answer.missing) game.refused = answer.missing;
    start.disabled = false;
    draw();
  };
  show(el("h1", {}, pretty(game.name)), game.title && !sameWords(game.title, game.name) ? el("p", { class: "quiet" }, game.title) : null, el("p", {}, tags(game)),
    from ? el("p", { id: "from" }, `A new match from turn ${from.turn} of `, el("a", { href: `#/match/${enc(from.match)}?turn=${from.turn}` }, "this one"), ".") : null,
    el("div", { class: "columns" }, board,
      el("section", { class: "panel", "aria-label": "A new match" }, el("h2", {}, "Play"), chooser.rows, el("p", { class: "buttons" }, start))),
    words,
    el("h2", {}, "Facts"), known,
    el("p", { class: "buttons" }, el("a", { class: "button", href: `#/inside/${enc(game.id)}` }, "Look inside")),
    el("details", { class: "rules-box" }, el("summary", {}, "Rules"), drawRules(rules)), ownButtons(game));
  draw();
  const rest = async () => {
    if (!game.board && !game.refused) await open();
    if (game.refused) return;
    found = await lookInside(id, "analysis", { signal: leaving.signal });
    if (found.missing) found = null;
    draw();
  };
  rest().catch((error) => { if (error.status !== 401) failed(error); });
  return () => leaving.abort();
}
