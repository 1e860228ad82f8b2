// What searches think, as tables and as a chart.
import { colourOf } from "./board.js";
import { jointText, moveWords } from "./moves.js";
import { el, number, svg } from "./parts.js";

const SHOWN = 8; // moves of a table, at most

const sideColour = (board, role) => (board ? colourOf(role, board) : "gray");

export function dot(board, role) {
  const mark = el("span", { class: "dot", "aria-hidden": "true" });
  mark.style.background = sideColour(board, role);
  return mark;
}

const FEW = 50; // visits below which a value says little

// The moves whose values are worth showing: proven ones, those with a fair share of the visits, and
// others that were visited often enough to be told worse. Empty where nothing is known.
export function knownMoves(thought) {
  const moves = thought?.moves || [];
  const most = Math.max(0, ...moves.map(({ visits }) => visits));
  const sure = moves.filter(({ visits, proven }) => proven || (visits > 0 && visits * 10 >= most));
  const best = Math.max(...sure.map(({ value }) => value));
  return moves.filter((one) => sure.includes(one) || (one.visits >= FEW && one.value <= best));
}

// The move to recommend: of the known ones that with the highest value. Null where nothing is known, or
// where all moves are proven to be the same.
export function bestMove(thought) {
  const known = knownMoves(thought);
  if (!known.length) return null;
  const best = known.reduce((a, b) => (b.value > a.value ? b : a));
  const isAlike = known.length > 1 && known.length === thought.moves.length && known.every(({ value, proven }) => proven && value === best.value);
  return isAlike ? null : best;
}

function row(one, most, played, board) {
  return el("tr", { class: one.move === played ? "played" : null }, el("td", {}, moveWords(one.move, board), one.move === played ? el("span", { class: "quiet" }, " (played)") : null),
    one.visits || one.proven ? el("td", {}, one.value.toFixed(1), one.proven ? el("span", { title: "proven", role: "img", "aria-label": "proven" }, " ✓") : null) : el("td", {}, "–"),
    el("td", {}, el("meter", { min: "0", max: most, value: one.visits, "aria-label": "share of the visits" }), ` ${number(one.visits)}`));
}

// The table of a thought. `played` is the move that was made after it: its row is always there.
export function thoughtTable(thought, { heading, played, board, roles } = {}) {
  if (!thought) return null;
  const speed = thought.seconds > 0 ? thought.playouts / thought.seconds : 0;
  const sorted = [...(thought.moves || [])].sort((a, b) => b.visits - a.visits || b.value - a.value);
  const most = Math.max(1, ...sorted.map(({ visits }) => visits));
  const shown = sorted.slice(0, SHOWN);
  const missing = sorted.find(({ move }) => move === played && !shown.some((one) => one.move === played));
  return el("section", { class: "thinking", "aria-label": "What the engine thought", tabindex: "0" },
    el("h2", {}, heading || `${thought.role} thought ${thought.seconds.toFixed(1)} s`),
    el("p", { class: "quiet" }, thought.playouts ? `${number(thought.playouts)} playouts, ${number(speed)} per second, depth ${thought.depth}` : "No playouts were needed: the result was already known."),
    (thought.line || []).length ? el("p", { class: "line-text" }, el("b", {}, "expects "), thought.line.slice(0, 8).map((moves) => jointText(moves, board, roles)).join(", ")) : null,
    el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "move"), el("th", { scope: "col" }, "value"), el("th", { scope: "col" }, "visits"))),
      el("tbody", {}, shown.map((one) => row(one, most, played, board)), missing ? row(missing, most, played, board) : null)),
    sorted.length > shown.length ? el("p", { class: "quiet" }, `${sorted.length - shown.length} more moves`) : null);
}

// A chart of the values that searches gave their positions: by turn, one line per role. A click goes to
// the turn.
export function chart(match, board, at, go) {
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
    line.style.color = sideColour(board, role);
    return [svg("polyline", { class: "line under", points: places }), line, own.map((thought) => {
      const point = svg("circle", { class: "point", cx: x(thought.turn), cy: y(thought.value), r: 2.2 }, svg("title", {}, `${role}, turn ${thought.turn}: ${thought.value.toFixed(0)}`));
      point.style.fill = sideColour(board, role);
      return point;
    })];
  });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Expected scores by turn; the slider below the board goes to a turn" },
    svg("rect", { class: "sheet", x: 24, y: y(100), width: width - 30, height: y(0) - y(100) }),
    [0, 50, 100].map((value) => [svg("line", { class: "rule", x1: 24, x2: width - 6, y1: y(value), y2: y(value) }), svg("text", { class: "axis", x: 20, y: y(value) }, value)]),
    [...new Set([0, most])].map((turn) => svg("text", { class: "axis", x: x(turn) + 3, y: height - 6 }, turn)),
    svg("line", { class: "now", x1: x(at), x2: x(at), y1: y(100), y2: y(0) }), lines);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const place = ((event.clientX - box.x) * width) / box.width;
    go(Math.round(Math.min(most, Math.max(0, ((place - 24) * most) / (width - 30)))));
  });
  return el("figure", { class: "chart" }, el("figcaption", {}, "What the searches expected to score"), picture,
    el("p", { class: "legend" }, match.roles.map((role) => points.some((thought) => thought.role === role) ? el("span", {}, dot(board, role), role) : null), el("span", {}, "by turn; click to go there")));
}
