// Tournaments: a form for new ones, the list, and a page with the table of each.
import { enc, get, listen, post } from "./api.js";
import { drawBoard } from "./board.js";
import { el, failed, listTable, pretty, show, timeText, title } from "./parts.js";
import { playersText } from "./watch.js";

const STATES = { queued: "waits", playing: "being played", over: "over", failed: "failed" };

function progress(one) {
  const results = one.results;
  return results ? `${results.played} of ${results.planned} matches` : "";
}

function standings(results) {
  if (!results) return el("p", { class: "quiet" }, "No match has been played yet.");
  const best = Math.max(1, ...results.standings.map((row) => row.points));
  return listTable(["", "player", "points", "+", "+matches", "+won", "+drawn", "+lost", "+mean goal", "rating"], results.standings.map((row) => {
    const bar = el("span", { class: "bar" });
    bar.style.width = `${(row.points / best) * 6}rem`;
    return [row.place, el("b", {}, row.player), row.points, bar, row.matches, row.wins, row.draws, row.losses, row.mean.toFixed(1), `${Math.round(row.rating) || 0} ± ${Math.round(row.rating_error)}`];
  }), { id: "standings" });
}

function form(games) {
  const name = el("input", { type: "text", maxlength: "60", required: true, value: `cup of ${timeText(Date.now())}`, id: "cup-name" });
  const format = el("select", { id: "cup-format" }, [["round-robin", "everybody meets everybody"], ["swiss", "Swiss rounds"], ["knockout", "knockout"], ["duel", "two players, many matches"]].map(([value, text]) => el("option", { value }, text)));
  const sorted = [...games].sort((a, b) => a.name.localeCompare(b.name));
  const chosen = el("select", { multiple: true, id: "cup-games" }, sorted.map((game) => el("option", { value: game.id, selected: game.id === "tic_tac_toe" }, pretty(game.name))));
  const players = el("textarea", { rows: "5", spellcheck: "false", id: "cup-players", value: "auto:time=0.2\nuct:playouts=200\nrandom" });
  const clock = el("input", { type: "number", min: "0.1", max: "60", step: "0.1", value: "1", id: "cup-clock" });
  const begin = async () => {
    const answer = await post("/api/tournaments", {
      name: name.value, format: format.value, startclock: 5, playclock: Number(clock.value),
      games: [...chosen.selectedOptions].map((option) => option.value),
      players: players.value.split("\n").map((line) => line.trim()).filter(Boolean),
    });
    location.hash = `#/tournaments/${enc(answer.name)}`;
  };
  const row = (text, input) => [el("label", { for: input.id }, text), input];
  return el("details", { id: "new", class: "panel" }, el("summary", {}, "A new tournament"),
    el("form", { onsubmit: (event) => { event.preventDefault(); begin().catch(failed); } },
      el("div", { class: "form-grid" }, row("name", name), row("format", format), row("games", chosen), row("players, one a line", players), row("seconds a move", clock)),
      el("button", { class: "primary", id: "begin" }, "Begin")));
}

export async function list() {
  title("Tournaments");
  const { games } = await get("/api/games");
  const table = el("section", { "aria-label": "All tournaments" });
  show(el("h1", {}, "Tournaments"), el("p", {}, "The format decides who meets whom; ratings are on Elo's scale. A player is a search with options, or http://host:port."), form(games), table);
  const refresh = async () => {
    const { tournaments } = await get("/api/tournaments");
    table.replaceChildren(tournaments.length ? listTable(["name", "+format", "+players", "state", "played"], tournaments.map((one) => [el("a", { href: `#/tournaments/${enc(one.name)}` }, one.name), one.definition.format, one.definition.players.length, STATES[one.state], progress(one)])) : el("p", { class: "quiet" }, "None yet."));
  };
  await refresh();
  return listen("/api/events", () => refresh().catch(failed));
}

// Shows the match being played, and draws it again whenever it changes.
function liveMatch(frame) {
  let [shown, end] = [null, null];
  return async (id) => {
    if (id === shown) return;
    if (end) end();
    [shown, end] = [id, null];
    if (!id) {
      frame.replaceChildren();
      return;
    }
    const first = await get(`/api/matches/${enc(id)}`);
    const game = await get(`/api/games/${enc(first.game)}`);
    if (shown !== id) return;
    end = listen(`/api/matches/${enc(id)}/events`, (match) => {
      frame.replaceChildren(el("h2", {}, "Being played: ", el("a", { id: "watch", href: `#/match/${enc(id)}` }, pretty(match.name))),
        el("p", {}, playersText(match), `, turn ${match.turn}`), match.view ? drawBoard(game.board, match.view, { changed: match.changed }) : "");
      if (["over", "broken"].includes(match.status)) end();
    });
  };
}

function matchTable(matches) {
  if (!matches.length) return "";
  return [el("h2", {}, "Matches"), listTable(["", "game", "players", "turns"], matches.map((match, i) => [i + 1, el("a", { href: `#/match/${enc(match.id)}` }, pretty(match.name || match.game)), playersText(match), match.turn]), { id: "matches" })];
}

export async function detail(name) {
  title(name);
  const body = el("div", {});
  const live = el("section", { class: "live", "aria-label": "Being played" });
  const played = el("section", { "aria-label": "Matches" });
  const follow = liveMatch(live);
  show(el("h1", {}, name), body, live, played);
  const refresh = async () => {
    const one = await get(`/api/tournaments/${enc(name)}`);
    body.replaceChildren(
      el("p", { class: `headline ${one.state}`, role: "status" }, `${STATES[one.state]}${one.message ? ": " + one.message : ""}${one.results ? ", " + progress(one) : ""}`),
      el("p", {}, `${one.definition.format}: ${one.definition.games.map((game) => pretty(game.game || game)).join(", ")}`), standings(one.results));
    played.replaceChildren(...[matchTable(one.matches)].flat());
    await follow(one.match).catch(() => {}); // it may be over by now
  };
  await refresh();
  const end = listen("/api/events", () => refresh().catch(failed));
  return () => {
    end();
    follow(null);
  };
}
