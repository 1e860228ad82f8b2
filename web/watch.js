// The list of matches: one's own, those being played, with their boards, and those that are over.
import { enc, get, listen, ownMatches } from "./api.js";
import { drawBoard } from "./board.js";
import { busy, connection, el, failed, listTable, pretty, show, timeText, title } from "./parts.js";

const STATES = { waiting: "waiting for a person", thinking: "being played", parked: "paused", over: "over", broken: "broken off" };
const MAX_BOARDS = 8;
const MOST_OWN = 30;

// The players, with their scores if there are any.
export function playersText(match) {
  const goals = Array.isArray(match.goals) ? match.goals : match.goals ? Object.values(match.goals) : [];
  return match.players.map((player, i) => [i ? " – " : "", player, goals.length ? [" ", el("b", {}, goals[i] ?? "–")] : ""]);
}

const linkTo = (match) => el("a", { href: `#/match/${enc(match.id)}` }, pretty(match.name || match.game));

function card(match, boards) {
  const board = boards.get(match.game);
  const picture = match.view && board ? drawBoard(board, match.view, { small: true }) : el("div", { class: "board small" });
  picture.setAttribute("aria-hidden", "true");
  return el("li", { class: "card" }, el("a", { href: `#/match/${enc(match.id)}` }, picture, el("strong", {}, pretty(match.name || match.game))),
    el("span", {}, playersText(match)), el("span", { class: "quiet" }, `${STATES[match.status] || match.status}, turn ${match.turn ?? 0}`));
}

const rowOf = (match) => [linkTo(match), playersText(match), match.turn ?? "", STATES[match.status] || match.status, match.started ? timeText(match.started) : ""];
const tableOf = (matches, label) => listTable(["game", "players", "turns", "state", "+begun"], matches.map(rowOf), { "aria-label": label });

export async function list() {
  title("Watch");
  const own = el("section", { id: "own", "aria-label": "My games" });
  const live = el("section", { id: "live", "aria-label": "Being played" });
  const ended = el("section", { id: "ended", "aria-label": "Over" });
  const filter = el("input", { type: "search", placeholder: "game or player", "aria-label": "Show only matches with", oninput: () => draw() });
  const boards = new Map();
  let [lists, older, mine, shown] = [null, [], [], []];
  show(el("h1", {}, "Watch"), el("p", {}, "Matches among people, searches and players on the network. To see two engines meet, pick a game and give both sides to the engine."),
    el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, filter), own, live, ended);
  live.replaceChildren(busy("Loading the matches …"));
  const fits = (match) => {
    const text = `${match.name || match.game} ${match.players.join(" ")}`.toLowerCase().replaceAll("_", " ");
    return filter.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const boardOf = async (id) => {
    if (!boards.has(id)) boards.set(id, (await get(`/api/games/${enc(id)}`).catch(() => ({}))).board);
  };
  // Fetches the board of a match, which may end between two requests.
  const look = async (match) => {
    await boardOf(match.game);
    return { ...match, ...(await get(`/api/matches/${enc(match.id)}`).catch(() => ({}))) };
  };
  const more = async () => {
    const last = [...lists.ended, ...older].at(-1);
    const answer = await get(`/api/matches?before=${last.number}`);
    older.push(...answer.ended);
    more.isEnd = !answer.ended.length;
    draw();
  };
  const draw = () => {
    if (!lists) return;
    const known = new Set(shown.map((match) => match.id));
    const others = lists.live.filter((match) => !known.has(match.id) && fits(match));
    const cards = shown.filter(fits);
    const over = [...lists.ended, ...older].filter(fits);
    own.replaceChildren(...(mine.length ? [el("h2", {}, "My games"), tableOf(mine.filter(fits), "My games")] : []));
    live.replaceChildren(el("h2", {}, "Being played"), cards.length ? el("ul", { class: "cards" }, cards.map((match) => card(match, boards))) : el("p", { class: "quiet" }, "Nothing right now."),
      others.length ? tableOf(others, "Others that are not over") : "");
    ended.replaceChildren(el("h2", {}, "Over"), over.length ? tableOf(over, "Matches that are over") : el("p", { class: "quiet" }, "None yet."),
      lists.ended.length >= 50 && !more.isEnd ? el("button", { type: "button", id: "older", onclick: () => more().catch(failed) }, "Older matches") : "");
  };
  const refresh = async () => {
    const ids = ownMatches().slice(0, MOST_OWN);
    [lists, mine] = await Promise.all([get("/api/matches"), ids.length ? get(`/api/matches?ids=${ids.map(enc).join(",")}`).then((answer) => answer.matches) : []]);
    older = older.filter((match) => !lists.ended.some(({ id }) => id === match.id));
    shown = await Promise.all(lists.live.filter((match) => match.status !== "parked").slice(0, MAX_BOARDS).map(look));
    draw();
  };
  await refresh();
  const again = () => (document.hidden ? null : refresh().catch(() => {}));
  const timer = setInterval(again, 4000);
  const end = listen("/api/events", again, connection);
  return () => {
    clearInterval(timer);
    end();
  };
}
