// One match, to play, to watch or to review. The server sends the match whenever it changes; the page
// shows the last document, or an earlier turn that was chosen on the time line.
import { enc, get, keysOf, listen, post } from "./api.js";
import { colourOf, drawBoard } from "./board.js";
import { drawRules } from "./rules.js";
import { download, el, failed, moveText, number, pretty, say, show, svg, title } from "./parts.js";

const STEP_MILLISECONDS = 700;
let shownBoard = null; // of the game of the match; its roles have colours
const sideColour = (match, role) => colourOf(role, shownBoard);

function dot(match, role) {
  const mark = el("span", { class: "dot" });
  mark.style.background = sideColour(match, role);
  return mark;
}

// A chart of the values that searches gave their positions: by turn, one line per role.
function chart(match, at) {
  const points = match.thoughts.filter((thought) => thought.value !== null);
  if (points.length < 2) return null;
  const [width, height] = [320, 120];
  const most = Math.max(match.turn, 1);
  const x = (turn) => 24 + ((width - 30) * turn) / most;
  const y = (value) => 6 + ((height - 22) * (100 - value)) / 100;
  const lines = match.roles.map((role) => {
    const own = points.filter((thought) => thought.role === role);
    if (!own.length) return null;
    const places = own.map((thought) => `${x(thought.turn).toFixed(1)},${y(thought.value).toFixed(1)}`).join(" ");
    const line = svg("polyline", { class: "line", points: places, stroke: "currentColor" }, svg("title", {}, role));
    line.style.color = sideColour(match, role);
    return [svg("polyline", { class: "line under", points: places }), line];
  });
  return el("figure", { class: "chart" }, el("figcaption", {}, "What the searches expected to score"),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Expected scores by turn" },
      svg("rect", { class: "sheet", x: 24, y: y(100), width: width - 30, height: y(0) - y(100) }),
      [0, 50, 100].map((value) => [svg("line", { class: "rule", x1: 24, x2: width - 6, y1: y(value), y2: y(value) }), svg("text", { class: "axis", x: 20, y: y(value) }, value)]),
      [...new Set([0, most])].map((turn) => svg("text", { class: "axis", x: x(turn) + 3, y: height - 6 }, turn)),
      svg("line", { class: "now", x1: x(at), x2: x(at), y1: y(100), y2: y(0) }), lines),
    el("p", { class: "legend" }, match.roles.map((role) => points.some((thought) => thought.role === role) ? el("span", {}, dot(match, role), role) : null), el("span", {}, "by turn")));
}

function thinking(thought, heading) {
  if (!thought) return null;
  const speed = thought.seconds > 0 ? thought.playouts / thought.seconds : 0;
  const rows = [...(thought.moves || [])].sort((a, b) => b.visits - a.visits || b.value - a.value).slice(0, heading ? Infinity : 8);
  const most = Math.max(1, ...rows.map((row) => row.visits));
  return el("section", { class: "thinking", "aria-label": "What the engine thought" },
    el("h3", {}, heading || `${thought.role} thought ${thought.seconds.toFixed(1)} s`),
    el("p", { class: "quiet" }, thought.playouts ? `${number(thought.playouts)} playouts, ${number(speed)} per second, depth ${thought.depth}` : "No playouts were needed: the result was already known."),
    el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "move"), el("th", { scope: "col" }, "value"), el("th", { scope: "col" }, "visits"))),
      el("tbody", {}, rows.map((row) => el("tr", {}, el("td", {}, moveText(row.move)), el("td", {}, row.value.toFixed(1), row.proven ? el("span", { title: "proven", "aria-label": "proven" }, " ✓") : null),
        el("td", {}, el("meter", { min: "0", max: most, value: row.visits }), ` ${number(row.visits)}`))))));
}

function result(match) {
  const goals = Object.entries(match.goals || {}).filter(([role]) => role !== "random");
  const best = Math.max(...goals.map(([, goal]) => goal ?? -1));
  const winners = goals.filter(([, goal]) => goal === best).map(([role]) => role);
  if (goals.length === 1) return `${goals[0][0]} scores ${goals[0][1] ?? "nothing"}.`;
  const scores = goals.map(([role, goal]) => `${role} ${goal ?? "–"}`).join(", ");
  return winners.length === 1 ? `${winners[0]} wins: ${scores}.` : winners.length === goals.length ? `A draw: ${scores}.` : `${winners.join(" and ")} share the win: ${scores}.`;
}

function headline(match, role) {
  if (match.status === "over") return result(match);
  if (match.status === "broken") return "The match was broken off.";
  if (match.waiting.includes(role)) return `Your move, ${role}.`;
  if (match.waiting.length) return `Waiting for ${match.waiting.join(" and ")}.`;
  return "The engine is thinking …";
}

// The moves of each turn. A move without arguments next to one with arguments is most likely a noop,
// and is shown in grey.
function moveList(match, at, go) {
  const rows = match.moves.map((moves, i) => {
    const busy = moves.some((move) => move?.startsWith("("));
    const texts = moves.map((move, r) => [r ? " · " : "", el("span", { class: busy && !move?.startsWith("(") ? "quiet" : null }, move === null ? "?" : moveText(move))]);
    return el("li", { class: i + 1 === at ? "now" : null }, el("button", { type: "button", disabled: match.secrets, "aria-current": i + 1 === at ? "step" : null, onclick: () => go(i + 1) }, texts));
  });
  return el("ol", { class: "history", "aria-label": "Moves so far" }, rows);
}

// Scrolls the list, but not the page, to the turn shown.
function keepInSight(list) {
  const now = list?.querySelector(".now");
  if (now) list.scrollTop = Math.max(0, now.offsetTop - list.offsetTop - list.clientHeight / 2);
}

function sharing(id, keys) {
  const base = `${location.origin}${location.pathname}#/match/${enc(id)}`;
  const links = [["to watch", base], ...Object.entries(keys).filter(([role, key]) => typeof key === "string" && role !== "owner" && !(keys.mine || []).includes(role)).map(([role, key]) => [`to play ${role}`, `${base}?key=${key}`])];
  return el("details", { class: "share" }, el("summary", {}, "Share"), links.map(([what, link]) => el("p", {}, `${what}: `, el("input", { readonly: true, value: link, "aria-label": `Link ${what}`, onfocus: (event) => event.target.select() }),
    el("button", { type: "button", onclick: () => navigator.clipboard.writeText(link).then(() => say("copied"), failed) }, "copy"))));
}

export async function match(id, query) {
  const keys = keysOf(id);
  const roles = keys.mine || [];
  let role = roles[0] || null;
  let key = query.get("key") || (role && keys[role]) || "";
  const path = `/api/matches/${enc(id)}`;
  const first = await get(`${path}?key=${enc(key)}`);
  const game = await get(`/api/games/${enc(first.game)}`);
  title(pretty(first.name));
  shownBoard = game.board;
  const state = { match: first, at: null, past: null, values: null, asking: false, timer: null };
  const board = el("section", { class: "table", "aria-label": "Board" });
  const side = el("section", { class: "side", "aria-label": "The match" });
  const line = el("p", { class: "headline", role: "status" });
  const rules = el("details", { class: "rules-box", ontoggle: async () => {
    if (rules.open && rules.children.length === 1) rules.append(drawRules(await get(`/api/games/${enc(first.game)}/rules`)));
  } }, el("summary", {}, "Rules"));
  show(el("h1", {}, el("a", { href: `#/games/${enc(first.game)}` }, pretty(first.name))), line, el("div", { class: "columns" }, board, side), rules);

  const send = async (move) => {
    if (state.asking) return;
    state.asking = true;
    try {
      take(await post(`${path}/move`, { key, move }));
    } finally {
      state.asking = false;
    }
  };
  const hint = async () => {
    say("Thinking about your moves …");
    const turn = state.match.turn;
    const answer = await post(`${path}/hint`, { key, seconds: 1 });
    if (state.match.turn !== turn) return;
    state.values = new Map(answer.moves.map((one) => [one.move, one.value]));
    state.hint = answer;
    draw();
    const best = answer.moves.reduce((a, b) => (b.visits > a.visits ? b : a));
    say(`The engine would play ${moveText(best.move)}.`);
  };
  const back = async () => take(await post(`${path}/back`, { key }));
  const stop = async () => { if (confirm("End the match?")) await post(`${path}/end`, { key: key || keys.owner }); };
  const save = async () => download(`${id}.json`, JSON.stringify(await get(`${path}/record`), null, 1));
  const go = async (turn) => {
    if (turn >= state.match.turn) {
      state.at = null;
      state.past = null;
    } else {
      state.at = turn;
      state.past = await get(`${path}/turns/${turn}?key=${enc(key)}`);
    }
    draw();
  };

  // Shows one turn after the other until the user or the end of the match stops it.
  const run = () => {
    const next = async () => {
      const shown = state.past ? state.past.turn : state.match.turn;
      if (shown >= state.match.turn || !board.isConnected) return pause();
      await go(shown + 1);
      if (state.timer) state.timer = setTimeout(() => next().catch(failed), STEP_MILLISECONDS);
      return null;
    };
    state.timer = setTimeout(() => next().catch(failed), STEP_MILLISECONDS);
    if (state.at === null) go(0).catch(failed);
    else draw();
  };
  const pause = () => {
    clearTimeout(state.timer);
    state.timer = null;
    draw();
  };

  function timeline(shown) {
    const { match } = state;
    if (match.secrets || !match.turn) return null;
    const slider = el("input", { type: "range", id: "turn", min: "0", max: match.turn, value: shown, "aria-label": "Turn", onchange: () => go(Number(slider.value)).catch(failed) });
    const step = (by) => el("button", { type: "button", "aria-label": by < 0 ? "One turn back" : "One turn on", onclick: () => go(Math.min(match.turn, Math.max(0, shown + by))).catch(failed) }, by < 0 ? "◀" : "▶");
    const isEnded = ["over", "broken"].includes(match.status);
    return [el("div", { class: "timeline" }, step(-1), slider, step(1), el("span", { class: "turn-number" }, `turn ${shown} of ${match.turn}`)),
      el("div", { class: "buttons" },
        isEnded ? el("button", { type: "button", id: "run", onclick: state.timer ? pause : run }, state.timer ? "Pause" : "Show it turn by turn") : null,
        state.at !== null ? el("button", { type: "button", onclick: () => go(Infinity).catch(failed) }, isEnded ? "To the end" : "Live") : null,
        state.at !== null ? el("a", { class: "button", id: "on", href: `#/games/${enc(match.game)}?from=${enc(id)}&turn=${shown}` }, "Play on from here") : null)];
  }

  function buttons() {
    const { match } = state;
    const mine = match.you && match.status !== "over" && match.status !== "broken";
    return el("div", { class: "buttons" },
      mine && match.waiting.includes(match.you) ? el("button", { type: "button", id: "hint", onclick: () => hint().catch(failed) }, "Hint") : null,
      mine && match.turn ? el("button", { type: "button", id: "back", onclick: () => back().catch(failed) }, "Take back") : null,
      (mine || keys.owner) && !["over", "broken"].includes(match.status) ? el("button", { type: "button", onclick: () => stop().catch(failed) }, "End match") : null,
      match.status === "over" ? el("a", { class: "button", href: `#/games/${enc(match.game)}` }, "Play again") : null,
      ["over", "broken"].includes(match.status) && match.turn ? el("button", { type: "button", id: "record", onclick: () => save().catch(failed) }, "Download record") : null);
  }

  function knowledge() {
    const { match } = state;
    if (!match.secrets) return null;
    if (!match.you) return el("p", { class: "quiet" }, "This game has hidden information; the match is shown in full when it is over.");
    const seen = match.percepts.map((text, i) => [i + 1, text]).filter(([, text]) => text);
    return el("section", { class: "secrets" }, el("h3", {}, "What you know"),
      el("p", { class: "quiet" }, match.possible === 1 ? "You know the whole position." : `${match.certain ? "" : "at least "}${number(match.possible)} positions are possible; the board shows what holds in all of them.`),
      seen.length ? el("ul", {}, seen.map(([turn, text]) => el("li", {}, `turn ${turn}: `, el("code", {}, text)))) : el("p", {}, "You have perceived nothing yet."));
  }

  // Keeps the focus on the same element, for users of the keyboard.
  function draw() {
    const focused = document.activeElement;
    const again = focused?.dataset?.square ? `[data-square="${focused.dataset.square}"]` : focused?.id && focused.id !== "main" ? `#${focused.id}` : null;
    redraw();
    if (again) document.querySelector(again)?.focus();
  }

  function redraw() {
    const { match, past } = state;
    const view = past ? past.view : match.view;
    const shown = past ? past.turn : match.turn;
    line.textContent = headline(match, match.you);
    line.className = `headline ${match.status}`;
    board.replaceChildren(...[
      view ? drawBoard(game.board, view, {
        me: match.you, changed: past ? past.changed : match.changed,
        legal: past ? [] : match.legal, values: state.values, over: !past && match.status === "over",
        play: (move) => send(move).catch(failed),
      }) : el("p", {}, "There is nothing to see yet."), timeline(shown)].flat().filter(Boolean));
    side.replaceChildren(...[
      el("ul", { class: "players" }, match.roles.map((name, i) => el("li", { class: match.waiting.includes(name) ? "turn" : null }, dot(match, name), el("b", {}, name), name === "random" ? " chance" : ` ${match.players[i]}`, match.goals && name !== "random" ? el("span", { class: "goal" }, match.goals[name] ?? "–") : null))),
      roles.length > 1 ? el("label", {}, "You play ", el("select", { onchange: (event) => { role = event.target.value; key = keys[role]; restart(); } }, roles.map((one) => el("option", { value: one, selected: one === role }, one)))) : null,
      buttons(), knowledge(),
      state.hint ? thinking(state.hint, "What the engine thinks of your moves") : past ? past.thoughts.map((thought) => thinking(thought)) : thinking(match.thought),
      chart(match, shown), moveList(match, shown, (turn) => go(turn).catch(failed)),
      match.faults.length ? el("ul", { class: "problems" }, match.faults.map((fault) => el("li", {}, `turn ${fault.turn + 1}: ${fault.role ?? ""} ${fault.message}`))) : null,
      sharing(id, keys)].flat().filter(Boolean));
    keepInSight(side.querySelector(".history"));
  }

  function take(match) {
    if (match.version < state.match.version && match.you === state.match.you) return;
    const moved = match.turn !== state.match.turn;
    const ended = match.status === "over" && state.match.status !== "over";
    if (moved) {
      state.values = null;
      state.hint = null;
    }
    state.match = match;
    draw();
    if (ended) say(result(match));
  }

  let end = null;
  function restart() {
    if (end) end();
    const ended = () => ["over", "broken"].includes(state.match.status);
    end = listen(`${path}/events?key=${enc(key)}`, (match) => {
      take(match);
      if (ended()) end();
    });
  }
  draw();
  restart();
  return () => {
    clearTimeout(state.timer);
    end();
  };
}
