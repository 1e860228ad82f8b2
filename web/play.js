// One match, to play, to watch or to review. The server sends the match whenever it changes; the page
// shows the last document, or an earlier turn that was chosen on the time line and that the address holds.
import { enc, get, keepKeys, keysOf, listen, post, stream } from "./api.js";
import { headline, isOver, knowledge, moveList, outcome, playersList, result, sharing } from "./beside.js";
import { drawBoard } from "./board.js";
import { makeReachable, markMove, markValues, walk } from "./marks.js";
import { drawRules } from "./rules.js";
import { begin, swapped } from "./seats.js";
import { jointText, moveWords } from "./moves.js";
import { bestMove, chart, knownMoves, thoughtTable } from "./thoughts.js";
import { announce, busy, clockText, connection, download, el, failed, pretty, say, show, title } from "./parts.js";

const STEP_MILLISECONDS = 700;
const HINT_SECONDS = 1;
const ANALYSIS_SECONDS = 30;

// Scrolls the list, but not the page, to the turn shown.
function keepInSight(list) {
  const now = list?.querySelector(".now");
  if (now) list.scrollTop = Math.max(0, now.offsetTop - list.offsetTop - list.clientHeight / 2);
}

export async function match(id, query) {
  show(busy("Opening the match …"));
  const keys = keysOf(id);
  const roles = keys.mine || [];
  let role = roles[0] || null;
  let key = query.get("key") || (role && keys[role]) || "";
  const path = `/api/matches/${enc(id)}`;
  const first = await get(`${path}?key=${enc(key)}`);
  const game = await get(`/api/games/${enc(first.game)}`);
  title(pretty(first.name));
  if (query.get("key") && first.you) keepKeys(id, { [first.you]: key, mine: [...new Set([...roles, first.you])] });
  const state = { match: first, at: null, past: null, hint: null, asking: false, timer: null, analysis: null, thought: null, lost: false, passed: null };
  const board = el("section", { class: "table", "aria-label": "Board" });
  const side = el("section", { class: "side", "aria-label": "The match" });
  const line = el("p", { class: "headline", role: "status" });
  const rules = el("details", { class: "rules-box", ontoggle: async () => {
    if (rules.open && rules.children.length === 1) rules.append(drawRules(await get(`/api/games/${enc(first.game)}/rules`)));
  } }, el("summary", {}, "Rules"));
  show(el("h1", {}, el("a", { href: `#/games/${enc(first.game)}` }, pretty(first.name))), line, el("div", { class: "columns match" }, board, side), rules);

  const ownRoles = () => (roles.length ? roles : state.match.you ? [state.match.you] : []);
  const shownTurn = () => (state.past ? state.past.turn : state.match.turn);
  const send = async (move) => {
    if (state.asking) return;
    state.asking = true;
    try {
      take(await post(`${path}/move`, { key, move }));
    } finally {
      state.asking = false;
    }
  };

  // ---- help from searches ----

  const hint = async () => {
    const turn = state.match.turn;
    let thought = null;
    say("Thinking about your moves …");
    await stream(`${path}/think`, { key, turn, role: state.match.you, seconds: HINT_SECONDS }, (one) => { thought = one; });
    if (state.match.turn !== turn || !thought) return;
    endAnalysis();
    state.hint = { ...thought, turn };
    draw();
    const best = bestMove(thought);
    say(best ? `The engine would play ${moveWords(best.move, game.board)}.` : knownMoves(thought).length ? "All moves are worth the same." : "The engine knows nothing about this position.");
  };
  const endAnalysis = () => {
    state.analysis?.abort();
    state.analysis = null;
    state.thought = null;
  };
  const analyse = () => {
    const mine = new AbortController();
    const turn = shownTurn();
    endAnalysis();
    state.analysis = mine;
    state.hint = null;
    const think = (thought) => {
      if (state.analysis !== mine) return;
      state.thought = { ...thought, turn };
      drawSide();
      drawMarks();
    };
    const body = { key, turn, seconds: ANALYSIS_SECONDS };
    return stream(`${path}/think`, body, think, mine.signal).catch((error) => {
      if (error.name !== "AbortError") think({ missing: error.message });
    });
  };
  // Another position: what was thought about the last one goes, and the analysis follows.
  const follow = () => { if (state.analysis) analyse(); };

  const back = async () => take(await post(`${path}/back`, { key }));
  const hurry = () => post(`${path}/hurry`, { key: key || keys.owner });
  const stop = async () => { if (confirm("End the match?")) await post(`${path}/end`, { key: key || keys.owner }); };
  const save = async () => download(`${id}.json`, JSON.stringify(await get(`${path}/record`), null, 1));
  const rematch = () => begin(keys.setup.game, swapped(keys.setup));

  // ---- the time line ----

  function holdAddress() {
    const turn = state.at === null ? "" : `?turn=${state.at}`;
    history.replaceState(null, "", `#/match/${enc(id)}${turn}`);
  }
  const go = async (turn) => {
    if (turn >= state.match.turn) {
      state.at = null;
      state.past = null;
    } else {
      const past = await get(`${path}/turns/${turn}?key=${enc(key)}`);
      state.at = turn;
      state.past = past;
    }
    holdAddress();
    draw();
    follow();
  };
  const step = (by) => go(Math.min(state.match.turn, Math.max(0, shownTurn() + by)));
  const next = async () => {
    if (shownTurn() >= state.match.turn || !board.isConnected) return pause();
    await step(1);
    if (state.timer) state.timer = setTimeout(() => next().catch(failed), STEP_MILLISECONDS);
    return null;
  };
  const run = () => {
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
    const slider = el("input", { type: "range", id: "turn", min: "0", max: match.turn, value: shown, "aria-label": "Turn", "aria-valuetext": `turn ${shown} of ${match.turn}`, onchange: () => go(Number(slider.value)).catch(failed) });
    const one = (by) => el("button", { type: "button", id: by < 0 ? "earlier" : "later", "aria-label": by < 0 ? "One turn back" : "One turn on", disabled: by < 0 ? shown === 0 : shown === match.turn, onclick: () => step(by).catch(failed) }, by < 0 ? "◀" : "▶");
    return [el("div", { class: "timeline" }, one(-1), slider, one(1), el("span", { class: "turn-number" }, `turn ${shown} of ${match.turn}`)),
      el("div", { class: "buttons" },
        el("button", { type: "button", id: "run", disabled: !isOver(match), onclick: state.timer ? pause : run }, state.timer ? "Pause" : "Show it turn by turn"),
        el("button", { type: "button", id: "live", disabled: state.at === null, onclick: () => go(Infinity).catch(failed) }, isOver(match) ? "To the end" : "Live"),
        el("a", { class: state.at === null ? "button off" : "button", id: "on", "aria-disabled": state.at === null ? "true" : null, href: state.at === null ? null : `#/games/${enc(match.game)}?from=${enc(id)}&turn=${shown}` }, "Play on from here"))];
  }

  // Always the same buttons in the same places; those of no use now are disabled.
  function buttons() {
    const { match } = state;
    const plays = Boolean(match.you) && !isOver(match);
    const button = (name, text, usable, act, more = {}) => el("button", { type: "button", id: name, disabled: !usable, onclick: () => Promise.resolve(act()).catch(failed), ...more }, text);
    return el("div", { class: "buttons", role: "group", "aria-label": "Actions" },
      roles.length || match.you || keys.owner ? [
        button("hint", "Hint", plays && match.help && match.waiting.includes(match.you) && !state.past, hint, { title: match.help ? null : "People play this match without hints." }),
        button("back", "Take back", plays && match.turn > 0, back),
        button("hurry", "Move now", match.status === "thinking", hurry),
        isOver(match) ? button("rematch", roles.length && keys.setup?.seats.length > 1 ? "Rematch, sides swapped" : "Play again", Boolean(keys.setup), rematch)
          : button("end", "End match", plays || keys.owner, stop)] : null,
      button("analyse", state.analysis ? "Stop analysing" : "Analyse", match.help, () => { if (state.analysis) { endAnalysis(); draw(); } else { analyse(); draw(); } }, { "aria-pressed": state.analysis ? "true" : "false" }),
      isOver(match) && match.turn ? button("record", "Download record", true, save) : null);
  }

  // The clocks of those who have to move go on between two documents.
  function tick() {
    const { match } = state;
    if (isOver(match) || state.lost) return;
    match.roles.forEach((name, i) => {
      const isMoving = match.waiting.includes(name) || (match.status === "thinking" && !match.humans[i]);
      const clock = side.querySelector(`[data-role="${CSS.escape(name)}"] .clock`);
      if (clock && isMoving) clock.textContent = clockText((match.spent?.[i] || 0) + Math.max(0, (Date.now() - match.since) / 1000));
    });
  }

  // The thoughts to show: those asked for, those before the turn shown, or the last.
  function thoughts() {
    const { match, past } = state;
    const told = { board: game.board, roles: match.roles };
    if (state.analysis) {
      const thought = state.thought?.turn === shownTurn() ? state.thought : null;
      if (thought?.missing) return el("p", { class: "quiet", id: "analysis" }, `No analysis: ${thought.missing}.`);
      const nextMoves = match.moves[shownTurn()];
      const played = nextMoves?.[match.roles.indexOf(thought?.role)];
      return el("div", { id: "analysis" }, thought ? thoughtTable(thought, { heading: `Analysis: ${thought.role} to move, ${thought.seconds.toFixed(1)} s`, played, ...told }) : busy("The analysis begins …"));
    }
    if (state.hint) return thoughtTable(state.hint, { heading: "What the engine thinks of your moves", ...told });
    const playedBy = (thought) => match.moves[thought.turn]?.[match.roles.indexOf(thought.role)];
    return (past ? past.thoughts : [match.thought]).filter(Boolean).map((thought) => thoughtTable(thought, { played: playedBy(thought), ...told }));
  }

  // ---- drawing ----

  // Keeps the focus on the same element, for users of the keyboard.
  function keepFocus(act) {
    const focused = document.activeElement;
    const again = focused?.dataset?.square ? `[data-square="${focused.dataset.square}"]` : focused?.id && focused.id !== "main" ? `#${CSS.escape(focused.id)}` : focused?.closest?.(".moves") ? ".moves .move" : null;
    act();
    if (!again || document.activeElement === focused) return;
    const now = document.querySelector(again) || board.querySelector('[data-square][tabindex="0"]');
    if (now?.dataset?.square) makeOnlyStop(now);
    now?.focus({ preventScroll: true });
  }
  function makeOnlyStop(cell) {
    for (const other of cell.ownerSVGElement.querySelectorAll('[data-square][tabindex="0"]')) other.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
  }
  const draw = () => keepFocus(() => { drawTable(); drawSide(true); });

  function drawMarks() {
    for (const old of board.querySelectorAll(".arrow, .arrow-head, .ring, text.marked")) old.remove();
    const frame = board.querySelector(".board");
    if (!frame) return;
    const last = (state.past || state.match).last || [];
    for (const move of last) if (last.length === 1 || move.squares.length) markMove(frame, move.squares, "was");
    const thought = state.analysis ? state.thought : state.past ? null : state.hint;
    const known = thought?.turn === shownTurn() ? knownMoves(thought) : [];
    if (!known.length) return;
    if (thought !== state.hint) markValues(frame, known); // those of a hint stand on the squares to click
    const best = bestMove(thought);
    if (best) markMove(frame, best.squares, "best");
  }

  function drawTable() {
    const { match, past } = state;
    const view = past ? past.view : match.view;
    line.textContent = headline(match, ownRoles(), state.lost);
    line.className = `headline ${match.status} ${outcome(match, ownRoles())}`;
    const frame = !view || !game.board ? el("p", {}, "There is nothing to see yet.") : drawBoard(game.board, view, {
      me: match.you, changed: past ? past.changed : match.changed,
      legal: past || needsPassing() ? [] : match.legal, values: state.hint && !past ? new Map(knownMoves(state.hint).map((one) => [one.move, one.value])) : null, over: !past && match.status === "over",
      play: (move) => send(move).catch(failed),
    });
    board.replaceChildren(...[needsPassing() ? passing() : frame, timeline(past ? past.turn : match.turn)].flat().filter(Boolean));
    makeReachable(board);
    drawMarks();
  }

  // Two people at one screen must not see each other's secrets.
  function needsPassing() {
    const { match } = state;
    return match.secrets && roles.length > 1 && match.waiting.includes(match.you) && state.passed !== `${match.turn} ${match.you}`;
  }
  function passing() {
    const { match } = state;
    return el("p", {}, `It is the turn of ${match.you}. `, el("button", { type: "button", class: "primary", id: "pass", onclick: () => { state.passed = `${match.turn} ${match.you}`; draw(); } }, `I am ${match.you}`));
  }

  function drawSide(whole) {
    const { match } = state;
    const shown = shownTurn();
    const old = side.querySelector(".history")?.scrollTop;
    keepFocus(() => side.replaceChildren(...[
      playersList(match, game.board), buttons(), needsPassing() ? null : knowledge(match), thoughts(),
      chart(match, game.board, shown, (turn) => go(turn).catch(failed)), moveList(match, shown, (turn) => go(turn).catch(failed), game.board),
      match.faults.length ? el("ul", { class: "problems" }, match.faults.map((fault) => el("li", {}, `turn ${fault.turn + 1}: ${fault.role ?? ""} ${fault.message}`))) : null,
      sharing(id, keys)].flat().filter(Boolean)));
    const list = side.querySelector(".history");
    if (whole) keepInSight(list);
    else if (old) list.scrollTop = old;
    tick();
  }

  // ---- news ----

  function tell(before, match) {
    if (match.turn > before.turn && match.moves.length) announce(`Turn ${match.turn}: ${jointText(match.moves[match.moves.length - 1], game.board, match.roles)}. ${headline(match, ownRoles(), false)}`);
    else if (match.status === "over" && before.status !== "over") announce(result(match, ownRoles()));
  }

  // At one screen, whoever is asked gets the board.
  function turnTable() {
    const { match } = state;
    const next = roles.find((one) => match.waiting.includes(one));
    if (!next || next === role) return false;
    role = next;
    key = keys[role];
    restart();
    return true;
  }

  function take(match) {
    if (match.version < state.match.version && match.you === state.match.you) return;
    const before = state.match;
    const moved = match.turn !== before.turn;
    state.match = match;
    if (moved) state.hint = null;
    if (!(roles.length > 1 && turnTable())) {
      draw();
      tell(before, match);
    }
    if (moved && !state.past) follow();
  }

  let end = null;
  const hear = (isLost) => {
    connection(isLost);
    if (isLost === state.lost) return;
    state.lost = isLost;
    line.textContent = headline(state.match, ownRoles(), isLost);
  };
  function restart() {
    if (end) end();
    end = listen(`${path}/events?key=${enc(key)}`, (match) => {
      take(match);
      if (isOver(state.match)) end();
    }, hear);
  }
  const onKey = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || walk(event)) return;
    if (event.target.closest?.("input, select, textarea, summary, .moves, .history")) return;
    const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(Infinity) }[event.key];
    if (!act || state.match.secrets || !state.match.turn) return;
    event.preventDefault();
    act().catch(failed);
  };
  document.addEventListener("keydown", onKey);
  board.addEventListener("click", () => makeReachable(board));
  board.addEventListener("keyup", () => makeReachable(board));
  const clock = setInterval(tick, 1000);
  draw();
  const turn = query.get("turn");
  if (turn !== null && Number(turn) < first.turn) await go(Number(turn)).catch(failed);
  if (!(roles.length > 1 && turnTable())) restart();
  return () => {
    clearTimeout(state.timer);
    clearInterval(clock);
    endAnalysis();
    document.removeEventListener("keydown", onKey);
    connection(false);
    end();
  };
}
