// Tournaments: to begin one, to follow it, its table.
import { enc, get, listen, post } from "./api.js";
import { el, failed, pretty, show, title } from "./parts.js";

const STATES = { queued: "waits", playing: "being played", over: "over", failed: "failed" };

function progress(one) {
  const results = one.results;
  return results ? `${results.played} of ${results.planned} matches` : "";
}

function standings(results) {
  if (!results) return el("p", { class: "quiet" }, "No match has been played yet.");
  const best = Math.max(1, ...results.standings.map((row) => row.points));
  return el("div", { class: "wide" }, el("table", { class: "list", id: "standings" },
    el("thead", {}, el("tr", {}, ["", "player", "points", "", "matches", "won", "drawn", "lost", "mean goal", "rating"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, results.standings.map((row) => {
      const bar = el("span", { class: "bar" });
      bar.style.width = `${(row.points / best) * 6}rem`;
      return el("tr", {}, el("td", {}, row.place), el("td", {}, el("b", {}, row.player)), el("td", {}, row.points), el("td", {}, bar), el("td", {}, row.matches), el("td", {}, row.wins), el("td", {}, row.draws), el("td", {}, row.losses),
        el("td", {}, row.mean.toFixed(1)), el("td", {}, `${row.rating.toFixed(0)} ± ${row.rating_error.toFixed(0)}`));
    }))));
}

function form(games) {
  const name = el("input", { type: "text", maxlength: "60", required: true, value: `cup of ${new Date().toLocaleString()}`.replaceAll("/", "-"), "aria-label": "Name" });
  const format = el("select", { "aria-label": "Format" }, ["round-robin", "swiss", "knockout", "duel"].map((one) => el("option", { value: one }, one)));
  const chosen = el("select", { multiple: true, "aria-label": "Games" }, games.map((game) => el("option", { value: game.id, selected: game.id === "tic_tac_toe" }, pretty(game.name))));
  const players = el("textarea", { rows: "5", spellcheck: "false", "aria-label": "Players, one a line", value: "auto:time=0.2\nuct:playouts=200\nrandom" });
  const clock = el("input", { type: "number", min: "0.1", max: "60", step: "0.1", value: "1", "aria-label": "Seconds a move" });
  const begin = async () => {
    const answer = await post("/api/tournaments", {
      name: name.value, format: format.value, startclock: 5, playclock: Number(clock.value),
      games: [...chosen.selectedOptions].map((option) => option.value),
      players: players.value.split("\n").map((line) => line.trim()).filter(Boolean),
    });
    location.hash = `#/tournaments/${enc(answer.name)}`;
  };
  return el("details", { id: "new" }, el("summary", {}, "A new tournament"),
    el("form", { onsubmit: (event) => { event.preventDefault(); begin().catch(failed); } },
      el("div", { class: "form-grid" }, el("span", {}, "name"), name, el("span", {}, "format"), format, el("span", {}, "games"), chosen,
        el("span", {}, "players, one a line"), players, el("span", {}, "seconds a move"), clock),
      el("button", { class: "primary", id: "begin" }, "Begin")));
}

export async function list() {
  title("Tournaments");
  const { games } = await get("/api/games");
  const table = el("section", {});
  show(el("h1", {}, "Tournaments"), el("p", {}, "Every player meets every other, or as the format says; ratings are on Elo's scale. Players are searches with options, or http://host:port."), form(games), table);
  const refresh = async () => {
    const { tournaments } = await get("/api/tournaments");
    table.replaceChildren(tournaments.length ? el("table", { class: "list" }, el("thead", {}, el("tr", {}, ["name", "format", "players", "state", "played"].map((one) => el("th", { scope: "col" }, one)))),
      el("tbody", {}, tournaments.map((one) => el("tr", {}, el("td", {}, el("a", { href: `#/tournaments/${enc(one.name)}` }, one.name)), el("td", {}, one.definition.format), el("td", {}, one.definition.players.length), el("td", {}, STATES[one.state]), el("td", {}, progress(one)))))) : el("p", { class: "quiet" }, "None yet."));
  };
  await refresh();
  return listen("/api/events", () => refresh().catch(failed));
}

export async function detail(name) {
  title(name);
  const body = el("div", {});
  show(el("h1", {}, name), body);
  const refresh = async () => {
    const one = await get(`/api/tournaments/${enc(name)}`);
    body.replaceChildren(
      el("p", { class: `headline ${one.state}`, role: "status" }, `${STATES[one.state]}${one.message ? ": " + one.message : ""}${one.results ? ", " + progress(one) : ""}`),
      el("p", {}, `${one.definition.format}: ${one.definition.games.map((game) => pretty(game.game || game)).join(", ")}`), standings(one.results),
      el("p", {}, el("a", { href: "#/watch" }, "The matches that are over"), " can be looked at one by one."));
  };
  await refresh();
  return listen("/api/events", () => refresh().catch(failed));
}
