// The door: featured games with a sentence each, then the others by kind, a row of each until more are
// wanted; or what a search finds. All of it is kept until the browser is closed, so that Back leads to the
// same place.
import { enc, get, listen } from "./api.js";
import { drawBoard } from "./board.js";
import { FEATURED } from "./featured.js";
import { busy, connection, el, pretty, show, title } from "./parts.js";

const FILTERS = [
  ["any number of players", () => true],
  ["one player", (game) => game.players === 1],
  ["two players", (game) => game.players === 2],
  ["three or more", (game) => game.players > 2],
];
const SIZES = [
  ["any size", () => true],
  ["small", (game) => (game.survey?.fluents ?? 1e9) < 60],
  ["middling", (game) => (game.survey?.fluents ?? 0) >= 60 && game.survey.fluents < 300],
  ["large", (game) => (game.survey?.fluents ?? (game.survey ? 1e9 : 0)) >= 300],
];
const KINDS = [
  ["compound", "made of several games", (game) => (game.survey?.subgames ?? 0) > 1],
  ["chance", "with chance", (game) => game.chance],
  ["hidden", "with hidden information", (game) => game.hidden],
  ["uploaded", "brought by people", (game) => game.uploaded],
];
// The kinds of other games, in order: a game is in the first that fits.
const GROUPS = [
  ["uploaded", "Brought by people", (game) => game.uploaded],
  ["compound", "Several games in one", (game) => (game.survey?.subgames ?? 0) > 1],
  ["chance", "With chance or hidden information", (game) => game.chance || game.hidden],
  ["puzzle", "Puzzles for one", (game) => game.players === 1],
  ["two", "For two", (game) => game.players === 2],
  ["many", "For three and more", () => true],
];
const SHOWN_ORDER = ["two", "puzzle", "chance", "many", "compound", "uploaded"];
const ROW = 6; // games of a kind that are shown at first
const PAGE = 48; // games that a search shows at first
const KEPT = "marelle-door";

export function tags(game) {
  const words = [game.players === 1 ? "1 player" : `${game.players} players`];
  if ((game.survey?.subgames ?? 0) > 1) words.push(`${game.survey.subgames} games in one`);
  if (game.chance) words.push("chance");
  if (game.hidden) words.push("hidden information");
  if (game.uploaded) words.push("uploaded");
  return el("span", { class: "tags" }, words.map((word) => [el("span", { class: "tag" }, word), " "]));
}

const AGAIN = 3000; // milliseconds until a picture that is not known yet is asked for again
const pictures = new Map(); // by game: what draws its thumbnail, or will, so that each is asked for once

async function learn(game) {
  const whole = await get(`/api/games/${enc(game.id)}`);
  if (!whole.board || !(whole.picture || whole.view)) throw new Error("nobody has looked at this board yet");
  return () => drawBoard(whole.board, whole.picture || whole.view, { small: true });
}

async function draw(game, frame) {
  if (!pictures.has(game.id)) pictures.set(game.id, learn(game));
  try {
    const picture = (await pictures.get(game.id))();
    picture.setAttribute("aria-hidden", "true");
    frame.replaceWith(picture);
  } catch {
    pictures.delete(game.id);
    setTimeout(() => { if (frame.isConnected) sight.observe(frame); }, AGAIN);
  }
}

// Draws the board of a card once it comes into sight.
const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting) {
      sight.unobserve(target);
      draw(target.game, target);
    }
}, { rootMargin: "200px" });

function card(game, sentence) {
  const frame = el("div", { class: "board small", "aria-hidden": "true" });
  frame.game = game;
  sight.observe(frame);
  return el("li", { class: sentence ? "card featured" : "card" }, el("a", { href: `#/games/${enc(game.id)}` }, frame, el("strong", {}, pretty(game.name))),
    sentence ? el("p", { class: "quiet" }, sentence) : null, tags(game));
}

// Letters and digits alone, so that "tictactoe" finds "Tic-Tac-Toe".
const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const fits = (game, words) => {
  const text = plain(`${game.name} ${game.title}`);
  return words.every((word) => text.includes(plain(word)));
};

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

export async function list() {
  title("Games");
  const kept = recall();
  show(el("h1", {}, "Games"), busy("Loading the games …"));
  const load = async () => (await get("/api/games")).games.sort((a, b) => a.name.localeCompare(b.name));
  let games = await load();
  const change = () => { keep(); refresh(); };
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search games", value: kept.search || "", oninput: change });
  const choose = (options, label, value) => {
    const select = el("select", { "aria-label": label, onchange: change }, options.map(([name], i) => el("option", { value: i }, name)));
    select.value = value || 0;
    return select;
  };
  const players = choose(FILTERS, "Players", kept.players);
  const size = choose(SIZES, "Size", kept.size);
  const kinds = KINDS.map(([id, name]) => el("label", { class: "check" }, el("input", { type: "checkbox", "data-kind": id, checked: (kept.kinds || []).includes(id), onchange: change }), name));
  const found = el("p", { class: "quiet", role: "status" });
  const all = el("div", { id: "all" });
  const wide = new Set(kept.wide || []); // lists that are shown as a whole
  const featured = el("section", { "aria-label": "To begin with" });
  const wanted = () => kinds.map((label) => label.firstChild).filter((box) => box.checked).map((box) => box.dataset.kind);
  const keep = () => sessionStorage.setItem(KEPT, JSON.stringify({ search: search.value, players: players.value, size: size.value, kinds: wanted(), wide: [...wide], scroll: scrollY }));
  // A list of cards, with a button for those left out.
  const cardList = (name, list, most) => {
    const shown = wide.has(name) ? list : list.slice(0, most);
    const more = el("button", { type: "button", class: "more", onclick: () => {
      wide.add(name);
      keep();
      refresh();
      document.querySelectorAll(`[data-group="${name}"] .card a`)[most]?.focus();
    } }, `All ${list.length}`);
    return el("div", { "data-group": name }, el("ul", { class: "cards" }, shown.map((game) => card(game))), shown.length < list.length ? el("p", {}, more) : null);
  };
  const groups = (others) => {
    const byGroup = new Map(GROUPS.map(([id]) => [id, []]));
    for (const game of others) byGroup.get(GROUPS.find(([, , test]) => test(game))[0]).push(game);
    return SHOWN_ORDER.filter((id) => byGroup.get(id).length).map((id) => [el("h2", {}, GROUPS.find(([one]) => one === id)[1]), cardList(id, byGroup.get(id), ROW)]).flat();
  };
  const refresh = () => {
    const words = search.value.split(/\s+/).filter(plain);
    const tests = KINDS.filter(([id]) => wanted().includes(id)).map(([, , test]) => test);
    const isOpen = !words.length && !tests.length && players.value === "0" && size.value === "0";
    const first = isOpen ? FEATURED.map(([id, sentence]) => [games.find((game) => game.id === id), sentence]).filter(([game]) => game) : [];
    featured.replaceChildren(...(first.length ? [el("h2", {}, "To begin with"), el("ul", { class: "cards large" }, first.map(([game, sentence]) => card(game, sentence)))] : []));
    const fitting = games.filter((game) => fits(game, words) && FILTERS[players.value][1](game) && SIZES[size.value][1](game) && tests.every((test) => test(game)));
    found.textContent = isOpen ? "" : `${fitting.length} of ${games.length} games`;
    all.replaceChildren(...(isOpen ? groups(games.filter(({ id }) => !first.some(([game]) => game.id === id))) : [cardList(`found ${search.value}`, fitting, PAGE)]));
  };
  show(el("h1", {}, "Games"),
    el("p", {}, "Pick a game to play against the engine, or with friends. Boards are drawn from the rules alone. ", el("a", { href: "#/new" }, "Bring your own rules"), "."),
    el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, search, players, size, kinds), featured,
    el("section", { "aria-label": "All games" }, found, all));
  refresh();
  if (kept.scroll) requestAnimationFrame(() => scrollTo(0, kept.scroll));
  let known = null;
  const end = listen("/api/events", async (news) => {
    if (known !== null && known !== news.games) {
      games = await load().catch(() => games);
      refresh();
    }
    known = news.games;
  }, connection);
  return () => {
    sight.disconnect();
    end();
  };
}

// Called before another view is shown, while this one is still scrolled.
addEventListener("click", (event) => {
  if (event.target.closest?.("#main .card a") && document.querySelector("#all"))
    sessionStorage.setItem(KEPT, JSON.stringify({ ...recall(), scroll: scrollY }));
}, true);
