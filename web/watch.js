// The list of matches: those being played, with their boards, and those that are over.
import { enc, get, listen } from "./api.js";
import { drawBoard } from "./board.js";
import { el, failed, listTable, pretty, show, timeText, title } from "./parts.js";

const STATES = { waiting: "waiting for a person", thinking: "being played", parked: "paused", over: "over", broken: "broken off" };
const MOST_BOARDS = 8;

// The players, with their scores if there are any.
export function playersText(match) {
  const goals = Array.isArray(match.goals) ? match.goals : match.goals ? Object.values(match.goals) : [];
  return match.players.map((player, i) => [i ? " – " : "", player, goals.length ? [" ", el("b", {}, goals[i] ?? "–")] : ""]);
}

const linkTo = (match) => el("a", { href: `#/match/${enc(match.id)}` }, pretty(match.name || match.game));

function card(match, boards) {
  const board = boards.get(match.game);
  const picture = match.view && board ? drawBoard(board, match.view, { small: true }) : el("div", { class: "board small" });
  return el("li", { class: "card" }, el("a", { href: `#/match/${enc(match.id)}` }, picture, el("strong", {}, pretty(match.name || match.game))),
    el("span", {}, playersText(match)), el("span", { class: "quiet" }, `${STATES[match.status] || match.status}, turn ${match.turn ?? 0}`));
}

export async function list() {
  title("Watch");
  const live = el("section", { id: "live", "aria-label": "Being played" });
  const ended = el("section", { id: "ended", "aria-label": "Over" });
  show(el("h1", {}, "Watch"), el("p", {}, "Matches among people, searches and players on the network. To see two engines meet, pick a game and give both sides to the engine."), live, ended);
  const boards = new Map((await get("/api/games")).games.filter((game) => game.survey?.board).map((game) => [game.id, game.survey.board]));
  // Fetches the board of a match, which may end between two requests.
  const look = async (match) => ({ ...match, ...(await get(`/api/matches/${enc(match.id)}`).catch(() => ({}))) });
  const refresh = async () => {
    const lists = await get("/api/matches");
    const shown = await Promise.all(lists.live.filter((match) => match.status !== "parked").slice(0, MOST_BOARDS).map(look));
    const known = new Set(shown.map((match) => match.id));
    const others = lists.live.filter((match) => !known.has(match.id));
    live.replaceChildren(el("h2", {}, "Being played"), shown.length ? el("ul", { class: "cards" }, shown.map((match) => card(match, boards))) : el("p", { class: "quiet" }, "Nothing right now."),
      others.length ? listTable(["game", "players", "turns", "state"], others.map((match) => [linkTo(match), playersText(match), match.turn ?? "", STATES[match.status] || match.status])) : "");
    ended.replaceChildren(el("h2", {}, "Over"), lists.ended.length ? listTable(["game", "players", "turns", "+state", "+begun"], lists.ended.map((match) => [linkTo(match), playersText(match), match.turn ?? "", STATES[match.status] || match.status, match.started ? timeText(match.started) : ""])) : el("p", { class: "quiet" }, "None yet."));
  };
  await refresh();
  const again = () => (document.hidden ? null : refresh().catch(failed));
  const timer = setInterval(again, 4000);
  const end = listen("/api/events", again);
  return () => {
    clearInterval(timer);
    end();
  };
}
