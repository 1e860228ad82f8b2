// The games: a list with a search field, a page about each game, and an editor for new rules.
import { enc, get, keepKeys, listen, post } from "./api.js";
import { drawBoard } from "./board.js";
import { drawRules, listProblems, ruleEditor } from "./rules.js";
import { SEARCHES } from "./searches.js";
import { el, factTable, failed, number, pretty, say, show, title } from "./parts.js";

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

function tags(game) {
  const words = [game.players === 1 ? "1 player" : `${game.players} players`];
  if ((game.survey?.subgames ?? 0) > 1) words.push(`${game.survey.subgames} games in one`);
  if (game.chance) words.push("chance");
  if (game.hidden) words.push("hidden information");
  if (game.uploaded) words.push("uploaded");
  return el("span", { class: "tags" }, words.map((word) => [el("span", { class: "tag" }, word), " "]));
}

function card(game) {
  const thumbnail = game.survey?.board && game.survey.view ? drawBoard(game.survey.board, game.survey.view, { small: true }) : el("div", { class: "board small" });
  return el("li", { class: "card" }, el("a", { href: `#/games/${enc(game.id)}` }, thumbnail, el("strong", {}, pretty(game.name))), tags(game));
}

export async function list() {
  title("Games");
  const load = async () => (await get("/api/games")).games.sort((a, b) => a.name.localeCompare(b.name));
  let games = await load();
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search games", oninput: () => refresh() });
  const choose = (options, label) => el("select", { "aria-label": label, onchange: () => refresh() }, options.map(([name], i) => el("option", { value: i }, name)));
  const players = choose(FILTERS, "Players");
  const size = choose(SIZES, "Size");
  const kinds = KINDS.map(([id, name]) => el("label", { class: "check" }, el("input", { type: "checkbox", "data-kind": id, onchange: () => refresh() }), name));
  const found = el("p", { class: "quiet", role: "status" });
  const cards = el("ul", { class: "cards" });
  const refresh = () => {
    const words = search.value.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
    const wanted = KINDS.filter(([id]) => kinds.some((label) => label.firstChild.checked && label.firstChild.dataset.kind === id));
    const fitting = games.filter((game) => {
      const text = `${game.name} ${game.title}`.toLowerCase().replaceAll("_", " ");
      return words.every((word) => text.includes(word)) && FILTERS[players.value][1](game) && SIZES[size.value][1](game) && wanted.every(([, , test]) => test(game));
    });
    found.textContent = `${fitting.length} of ${games.length} games`;
    cards.replaceChildren(...fitting.map(card));
  };
  show(el("h1", {}, "Games"),
    el("p", {}, "Pick a game to play against the engine. Boards are drawn from the rules alone. ", el("a", { href: "#/new" }, "Bring your own rules"), "."),
    el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, search, players, size, kinds), found, cards);
  refresh();
  let known = null;
  return listen("/api/events", async (news) => {
    if (known !== null && known !== news.games) {
      games = await load();
      refresh();
    }
    known = news.games;
  });
}

// The choice of players; at first a human in the first role and the engine in the others.
function seatChooser(game) {
  const roles = game.roles.filter((role) => role !== "random");
  const named = { auto: "the engine", random: "random moves" };
  const searches = SEARCHES.filter(({ singlePlayer }) => !singlePlayer || roles.length === 1);
  const options = [["human", "you"], ["auto", named.auto], ["friend", "somebody else"], ["random", named.random],
    ...searches.filter(({ name }) => !named[name]).map(({ name, summary }) => [name, `engine: ${name}`, summary]), ["http", "a player on the network"]];
  const seats = roles.map((role, i) => {
    const select = el("select", { "data-role": role, "aria-label": `Who plays ${role}` }, options.map(([value, name, summary]) => el("option", summary ? { value, title: summary } : { value }, name)));
    select.value = i === 0 ? "human" : "auto";
    const address = el("input", { type: "url", placeholder: "http://host:port", hidden: true, "aria-label": `Address of the player of ${role}` });
    select.addEventListener("change", () => { address.hidden = select.value !== "http"; });
    return { role, select, address, row: el("div", { class: "seat" }, el("span", {}, role), select, address) };
  });
  const seconds = el("select", { "aria-label": "Strength" }, [["0.2", "quick: 0.2 s a move"], ["1", "1 s a move"], ["3", "3 s a move"], ["10", "10 s a move"], ["30", "30 s a move"]].map(([value, name]) => el("option", { value }, name)));
  seconds.value = "1";
  return { seats, seconds };
}

async function begin(game, chooser, from) {
  const players = chooser.seats.map(({ select, address }) => {
    if (select.value === "human") return { player: "human", name: "you" };
    if (select.value === "friend") return { player: "human", name: "friend" };
    if (select.value === "http") return { player: address.value, name: address.value };
    return { player: select.value, name: select.value === "auto" ? "engine" : select.value };
  });
  const match = await post("/api/matches", { game: game.id, players, seconds: Number(chooser.seconds.value), ...(from ? { from } : {}) });
  const keys = { owner: match.owner };
  const mine = [];
  chooser.seats.forEach(({ role, select }, i) => {
    if (match.keys[i]) keys[role] = match.keys[i];
    if (select.value === "human" && match.keys[i]) mine.push(role);
  });
  keepKeys(match.id, { ...keys, mine });
  location.hash = `#/match/${enc(match.id)}`;
}

const sure = (certainty) => (certainty && certainty !== "proved" ? ` (${certainty})` : "");

// Facts from the rules, random matches and the analysis, which takes a while the first time.
function facts(game, found) {
  const survey = game.survey || {};
  const means = (survey.mean_goals || []).map((goal, i) => [game.roles[i], goal]).filter(([, goal]) => goal !== null);
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
async function startOf(game, query) {
  const [match, turn] = [query.get("from"), Number(query.get("turn"))];
  if (!match) return { view: game.view, from: null };
  const past = await get(`/api/matches/${enc(match)}/turns/${turn}`);
  return { view: past.view, from: { match, turn } };
}

const sameWords = (a, b) => a.toLowerCase().replace(/[^a-z0-9]/g, "") === b.toLowerCase().replace(/[^a-z0-9]/g, "");

export async function detail(id, query) {
  const [game, rules] = await Promise.all([get(`/api/games/${enc(id)}`), get(`/api/games/${enc(id)}/rules`)]);
  const { view, from } = await startOf(game, query);
  title(pretty(game.name));
  const chooser = seatChooser(game);
  const start = el("button", { type: "button", class: "primary", id: "start", onclick: () => begin(game, chooser, from).catch(failed) }, from ? "Play on" : "Play");
  const known = el("div", { id: "facts" }, facts(game, null));
  show(el("h1", {}, pretty(game.name)), game.title && !sameWords(game.title, game.name) ? el("p", { class: "quiet" }, game.title) : null, el("p", {}, tags(game)),
    from ? el("p", { id: "from" }, `A new match from turn ${from.turn} of `, el("a", { href: `#/match/${enc(from.match)}` }, "this one"), ".") : null,
    el("div", { class: "columns" },
      el("section", { "aria-label": "First position" }, view ? drawBoard(game.board, view) : null),
      el("section", { class: "panel", "aria-label": "A new match" }, el("h2", {}, "Play"), chooser.seats.map((seat) => seat.row),
        el("label", { class: "seat" }, el("span", {}, "strength"), chooser.seconds), start,
        el("h2", {}, "Facts"), known, el("p", {}, el("a", { class: "button", id: "inside", href: `#/inside/${enc(game.id)}` }, "Look inside")))),
    el("details", { class: "rules-box" }, el("summary", {}, "Rules"), drawRules(rules)));
  get(`/api/games/${enc(id)}/inside/analysis`).then((found) => known.replaceChildren(facts(game, found)), failed);
}

const EXAMPLE = `; Count to ten: take one or two in turn; whoever says ten wins.
(role first)
(role second)
(init (count 0))
(init (control first))

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(other first second)
(other second first)

(<= (plus 1 ?n ?m) (succ ?n ?m))
(<= (plus 2 ?n ?m) (succ ?n ?k) (succ ?k ?m))

(<= (legal ?r (say ?m))
    (true (control ?r))
    (true (count ?n))
    (plus ?step ?n ?m))
(<= (legal ?r wait)
    (true (control ?o))
    (other ?o ?r))

(<= (next (count ?m)) (does ?r (say ?m)))
(<= (next (control ?r)) (true (control ?o)) (other ?o ?r))

(<= terminal (true (count 10)))
(<= (goal ?r 100) (true (count 10)) (true (control ?o)) (other ?o ?r))
(<= (goal ?r 0) (true (count 10)) (true (control ?r)))
(<= (goal ?r 50) (role ?r) (not terminal))
`;

export async function own() {
  title("Your rules");
  const name = el("input", { type: "text", maxlength: "60", value: "my game", "aria-label": "Name of the game" });
  const verdict = el("p", { role: "status", id: "verdict" });
  const problems = el("div", {});
  const save = el("button", { type: "button", class: "primary", id: "save", disabled: true, onclick: () => keep().catch(failed) }, "Play this");
  let timer = null;
  let round = 0;
  const check = async () => {
    const mine = ++round;
    const answer = await post("/api/check", { rules: editor.area.value });
    if (mine !== round) return;
    editor.mark(answer.diagnostics);
    problems.replaceChildren(listProblems(answer.diagnostics, editor.area));
    verdict.textContent = answer.ok ? `well-formed${answer.warnings ? `, ${answer.warnings} warnings` : ""}` : `${answer.errors} error${answer.errors === 1 ? "" : "s"}`;
    verdict.className = answer.ok ? "good" : "bad";
    save.disabled = !answer.ok;
  };
  const later = () => {
    clearTimeout(timer);
    save.disabled = true;
    timer = setTimeout(() => check().catch(failed), 250);
  };
  const keep = async () => {
    const answer = await post("/api/games", { name: name.value, rules: editor.area.value });
    say("The game is there.");
    location.hash = `#/games/${enc(answer.id)}`;
  };
  const editor = ruleEditor(EXAMPLE, later);
  const file = el("input", {
    type: "file", accept: ".kif,.gdl,.txt", "aria-label": "Read rules from a file", onchange: async () => {
      if (!file.files[0]) return;
      name.value = file.files[0].name.replace(/\.[a-z]+$/, "");
      editor.area.value = await file.files[0].text();
      editor.area.dispatchEvent(new Event("input"));
    },
  });
  show(el("h1", {}, "Your rules"),
    el("p", {}, "Write, paste or open a game in GDL. It is checked as you type and can be played at once."),
    el("div", { class: "filters" }, el("label", {}, "Name ", name), file, save), verdict, problems, editor.frame);
  await check();
  return () => clearTimeout(timer);
}
