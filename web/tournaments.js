// Tournaments: a form for new ones, the list, and a page with the table of each.
import { enc, get, listen, post } from "./api.js";
import { LEVELS } from "./seats.js";
import { FEATURED } from "./featured.js";
import { drawBoard } from "./board.js";
import { busy, connection, download, el, failed, listTable, pretty, show, timeText, title } from "./parts.js";
import { playersText } from "./watch.js";

const STATES = { queued: "waits", playing: "being played", over: "over", failed: "failed", cancelled: "cancelled" };
const OWNERS = "marelle-tournaments"; // keys of the tournaments that were begun here, by name
const owners = () => JSON.parse(localStorage.getItem(OWNERS) || "{}");

function progress(one) {
  const results = one.results;
  return results ? `${results.played} of ${results.planned} matches` : "";
}

function standings(results) {
  if (!results) return el("p", { class: "quiet" }, "No match has been played yet.");
  const best = Math.max(1, ...results.standings.map((row) => row.points));
  return listTable(["-place", "player", "points", "-share of the best", "+matches", "+won", "+drawn", "+lost", "+mean goal", "rating"], results.standings.map((row) => {
    const bar = el("span", { class: "bar" });
    bar.style.width = `${(row.points / best) * 6}rem`;
    return [row.place, el("b", {}, row.player), row.points, bar, row.matches, row.wins, row.draws, row.losses, row.mean.toFixed(1), `${Math.round(row.rating) || 0} ± ${Math.round(row.rating_error)}`];
  }), { id: "standings", "aria-label": "Standings" });
}

// Wins against each other, with draws as halves.
function crosstable(definition, matches) {
  const names = [...new Set(matches.flatMap((match) => match.players))].filter((name) => name !== "random" || definition.players.some((one) => (one.player || one) === "random"));
  if (names.length < 2 || names.length > 16 || !matches.length) return "";
  const points = new Map();
  for (const { players, goals } of matches)
    players.forEach((a, i) => players.forEach((b, k) => {
      const [mine, theirs] = [Number(goals[i]), Number(goals[k])];
      if (i === k || Number.isNaN(mine) || Number.isNaN(theirs)) return;
      const [won, met] = points.get(`${a}\n${b}`) || [0, 0];
      points.set(`${a}\n${b}`, [won + (mine > theirs ? 1 : mine === theirs ? 0.5 : 0), met + 1]);
    }));
  const cell = (a, b) => {
    const found = points.get(`${a}\n${b}`);
    return found && a !== b ? `${found[0]} of ${found[1]}` : "–";
  };
  return [el("h2", {}, "Against each other"), el("p", { class: "quiet" }, "Wins of the row against the column; a draw counts half."),
    listTable(["player", ...names], names.map((a) => [el("b", {}, a), ...names.map((b) => cell(a, b))]), { id: "crosstable", "aria-label": "Against each other" })];
}

const csvCell = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;

function asCsv(one) {
  const rows = [["place", "player", "points", "matches", "wins", "draws", "losses", "mean", "rating"]];
  for (const row of one.results?.standings || []) rows.push([row.place, row.player, row.points, row.matches, row.wins, row.draws, row.losses, row.mean, row.rating]);
  rows.push([], ["match", "game", "players", "goals", "turns"]);
  for (const match of one.matches) rows.push([match.id, match.game, match.players.join(" / "), match.goals.join(" / "), match.turn]);
  return `${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

function form(games) {
  const name = el("input", { type: "text", maxlength: "60", required: true, value: `cup of ${timeText(Date.now())}`, id: "cup-name" });
  const format = el("select", { id: "cup-format" }, [["round-robin", "everybody meets everybody"], ["swiss", "Swiss rounds"], ["knockout", "knockout"], ["duel", "two players, many matches"]].map(([value, text]) => el("option", { value }, text)));
  const rank = (game) => { const place = FEATURED.findIndex(([id]) => id === game.id); return place < 0 ? FEATURED.length : place; };
  const sorted = [...games].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  const chosen = el("select", { multiple: true, id: "cup-games" }, sorted.map((game) => el("option", { value: game.id, selected: game.id === "tic_tac_toe" }, pretty(game.name))));
  const offered = [...LEVELS.slice(0, 3).map(([id, text, player]) => [id, text, player]), ["strong", "Strong: the whole clock", "auto"], ["random", "Random moves", "random"]];
  const boxes = offered.map(([id, text, player]) => ({ player, text: text.split(":")[0], box: el("input", { type: "checkbox", id: `cup-${id}`, checked: ["beginner", "easy", "random"].includes(id) }), label: text }));
  const players = el("textarea", { rows: "4", spellcheck: "false", id: "cup-players", "aria-label": "Players, one a line", "aria-describedby": "cup-hint", placeholder: "uct:playouts=200" });
  const count = (id, value, most, step = "1", least = "1") => el("input", { type: "number", min: least, max: most, step, value, id });
  const repeats = count("cup-repeats", "1", "50");
  const startclock = count("cup-start", "5", "60", "0.5", "0.5");
  const playclock = count("cup-clock", "1", "60", "0.1", "0.1");
  const begin = async () => {
    const answer = await post("/api/tournaments", {
      name: name.value, format: format.value, startclock: Number(startclock.value), playclock: Number(playclock.value), matches: Number(repeats.value),
      games: [...chosen.selectedOptions].map((option) => option.value),
      players: [...boxes.filter(({ box }) => box.checked).map(({ player, text }) => ({ player, name: text })), ...players.value.split("\n").map((line) => line.trim()).filter(Boolean)],
    });
    localStorage.setItem(OWNERS, JSON.stringify({ ...owners(), [answer.name]: answer.owner }));
    location.hash = `#/tournaments/${enc(answer.name)}`;
  };
  const row = (text, input) => [el("label", { for: input.id }, text), input];
  const start = el("button", { class: "primary", id: "begin" }, "Begin");
  const submit = async (event) => {
    event.preventDefault();
    start.disabled = true;
    await begin().catch(failed);
    start.disabled = false;
  };
  return el("details", { id: "new", class: "panel" }, el("summary", {}, "A new tournament"),
    el("form", { onsubmit: submit },
      el("div", { class: "form-grid" }, row("Name", name), row("Format", format), row("Games", chosen), el("span", { id: "cup-who" }, "Players"),
        el("div", { role: "group", "aria-labelledby": "cup-who" }, boxes.map(({ box, label }) => el("div", {}, el("label", { class: "check" }, box, label))),
          el("details", { id: "cup-more" }, el("summary", {}, "Others: searches, players on the network"), players, el("p", { class: "quiet", id: "cup-hint" }, "One a line: a search with options, such as uct:playouts=200, or an address, http://host:port."))),
        row("Matches of each pairing", repeats), row("Start clock, seconds", startclock), row("Seconds a move", playclock)),
      start));
}

export async function list() {
  title("Tournaments");
  show(el("h1", {}, "Tournaments"), busy());
  const { games } = await get("/api/games");
  const table = el("section", { "aria-label": "All tournaments" });
  show(el("h1", {}, "Tournaments"), el("p", {}, "Searches and players on the network meet here; ratings are on Elo's scale."), form(games), table);
  const refresh = async () => {
    const { tournaments } = await get("/api/tournaments");
    table.replaceChildren(tournaments.length ? listTable(["name", "+format", "+players", "state", "played"], tournaments.map((one) => [el("a", { href: `#/tournaments/${enc(one.name)}` }, one.name), one.definition.format, one.definition.players.length, STATES[one.state], progress(one)]), { "aria-label": "Tournaments" }) : el("p", { class: "quiet" }, "None yet."));
  };
  await refresh();
  return listen("/api/events", () => refresh().catch(() => {}), connection);
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
  return [el("h2", {}, "Matches"), listTable(["-number", "game", "players", "turns"], matches.map((match, i) => [i + 1, el("a", { href: `#/match/${enc(match.id)}` }, pretty(match.name || match.game)), playersText(match), match.turn]), { id: "matches", "aria-label": "Matches" })];
}

export async function detail(name) {
  title(name);
  const body = el("div", {}, busy());
  const live = el("section", { class: "live", "aria-label": "Being played" });
  const played = el("section", { "aria-label": "Matches" });
  const follow = liveMatch(live);
  const owner = owners()[name];
  let one = null;
  const cancel = el("button", { type: "button", id: "cancel", disabled: true, onclick: async () => {
    if (confirm("Cancel the tournament?")) await post(`/api/tournaments/${enc(name)}/cancel`, { owner: owner || "" }).then(refresh, failed);
  } }, "Cancel");
  const actions = el("div", { class: "buttons" }, cancel,
    el("button", { type: "button", id: "export-csv", onclick: () => download(`${name}.csv`, asCsv(one), "text/csv") }, "Download as CSV"),
    el("button", { type: "button", id: "export-json", onclick: () => download(`${name}.json`, JSON.stringify(one, null, 1)) }, "Download as JSON"));
  show(el("h1", {}, name), body, actions, live, played);
  const refresh = async () => {
    one = await get(`/api/tournaments/${enc(name)}`);
    cancel.disabled = !["queued", "playing"].includes(one.state);
    const clocks = `${one.definition.startclock ?? "–"} s to start, ${one.definition.playclock ?? "–"} s a move`;
    body.replaceChildren(
      el("p", { class: `headline ${one.state}`, role: "status" }, `${STATES[one.state]}${one.message ? ": " + one.message : ""}${one.results ? ", " + progress(one) : ""}`),
      el("p", {}, `${one.definition.format}: ${one.definition.games.map((game) => pretty(game.game || game)).join(", ")}; ${clocks}`), standings(one.results), ...[crosstable(one.definition, one.matches)].flat());
    played.replaceChildren(...[matchTable(one.matches)].flat());
    await follow(one.match).catch(() => {}); // it may be over by now
  };
  await refresh();
  const end = listen("/api/events", () => refresh().catch(() => {}), connection);
  return () => {
    end();
    follow(null);
  };
}
