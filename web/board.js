// Positions as the server draws them (src/analysis/board/board_svg.c), made alive: a legal move is made by
// clicking its squares, one after the other if it has several.
import { valueText } from "./marks.js";
import { moveWords } from "./moves.js";
import { el } from "./parts.js";

const SIZE = 40;

// The colour of the pieces of a role.
export function colourOf(role, board) {
  return board.roles.find((one) => one.role === role)?.colour ?? "gray";
}

const same = (a, b) => a === null || a === undefined || a === b;

function covers(square, grid, plane, x, y) {
  return square.grid === grid && same(square.plane, plane) && same(square.x, x) && same(square.y, y);
}

// The point that a group is moved to.
function placeOf(group) {
  const [x, y] = group.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  return [x, y];
}

// Turns a board, so that the far side is near. Labels stay on their sides.
function turn(picture) {
  const groups = [...picture.querySelectorAll("[transform^=translate].cell")].map((group) => [group, ...placeOf(group)]);
  const sum = (values) => Math.min(...values) + Math.max(...values);
  const width = sum(groups.map(([, x]) => x));
  const height = sum(groups.map(([, , y]) => y));
  for (const [group, x, y] of groups) group.setAttribute("transform", `translate(${width - x} ${height - y})`);
  for (const line of picture.querySelectorAll(".links, .link, .edge")) line.setAttribute("transform", `rotate(180 ${width / 2} ${height / 2})`);
  for (const label of picture.querySelectorAll(".label")) {
    const [x, y] = placeOf(label);
    label.setAttribute("transform", label.classList.contains("x") ? `translate(${width - x} ${y})` : `translate(${x} ${height + 8 - y})`);
  }
}

// The drawing as an element. It is XML of our own server, in which all names are escaped.
function parse(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

// The greatest width of a board on the page: small boards have large squares.
function widthOf(picture) {
  const columns = picture.getAttribute("width") / SIZE;
  return Math.min(44, Math.max(8, columns * (columns < 6.5 ? 6 : 4.6)));
}

// Makes one picture of a board. Answers its squares.
function liveSquares(board, picture, options) {
  return [...picture.querySelectorAll(".cell")].map((group) => {
    const [grid, plane, x, y] = group.dataset.square.split(".").map(Number);
    const [name, text] = group.querySelector("title").textContent.split(": ");
    const colour = options.paint?.(`${grid},${plane},${x},${y}`);
    if (colour) group.querySelector(".square").style.fill = colour;
    return { grid, plane, x, y, group, name, text: text || "empty" };
  });
}

// A fact as a person reads it.
const plain = (fact) => fact.replace(/[()]/g, "").replaceAll("_", " ");

/* Shows a position. Options: small (a thumbnail), paint("grid,plane,x,y") -> colour, me (the role that
 * looks: its pieces start below), legal ([{move, squares}]), play(move), values (Map from move to value),
 * changed (squares to mark), over (nobody is to move).
 * Answers an element. */
export function drawBoard(board, view, options = {}) {
  const frame = el("div", { class: options.small ? "board small" : "board" });
  const squares = [];
  const grids = el("div", { class: "grids" });
  const rest = el("div", { class: "counters" });
  const shown = options.small ? view.pictures.slice(0, 1) : view.pictures;
  for (const { kind, name, grid, svg: text } of shown) {
    if (options.over && kind === "turn") continue;
    const picture = parse(text);
    const caption = ["turn", "step", "counter"].includes(kind) ? null : name;
    if (grid !== null) {
      const bottom = board.grids[grid].bottom;
      if (options.me && bottom && bottom !== options.me && board.roles.some(({ role }) => role === options.me)) turn(picture);
      squares.push(...liveSquares(board, picture, options));
    }
    if (grid !== null && !options.small) picture.style.maxWidth = `${widthOf(picture)}rem`;
    picture.setAttribute("role", grid === null || options.small ? "img" : "group");
    picture.setAttribute("aria-label", grid === null ? `${name} ${picture.textContent}` : `board ${name}`.trim());
    if (options.small) return frame.append(picture), frame;
    (grid === null ? rest : grids).append(caption ? el("figure", {}, el("figcaption", {}, caption), picture) : picture);
  }
  if (options.small) {
    frame.append(el("div", { class: "plain" }, view.facts.slice(0, 4).map((fact) => el("code", {}, plain(fact)))));
    return frame;
  }
  if (grids.children.length) frame.append(grids);
  if (rest.children.length) frame.append(rest);
  if (view.facts.length)
    frame.append(el("details", { open: view.facts.length < (board.grids.length ? 12 : 40) }, el("summary", {}, `${view.facts.length} more facts`),
      el("p", { class: "facts" }, view.facts.map((fact) => [el("code", {}, plain(fact)), " "]))));
  markChanges(squares, options.changed || []);
  if (options.legal && options.legal.length) frame.append(...addMoves(squares, options, board));
  return frame;
}

// The squares that the last turn changed, unless it changed a large part of the board.
function markChanges(squares, changed) {
  if (changed.length > Math.max(4, squares.length / 3)) return;
  const places = new Set(changed.map((square) => square.join()));
  for (const one of squares) one.group.classList.toggle("last", places.has(`${one.grid},${one.plane},${one.x},${one.y}`));
}

// Writes on each square the best value of the moves that begin or continue with it; for a move that
// names a column, on the lowest square of the column.
function writeValue(one, moves, values, best) {
  one.group.querySelector(".value")?.remove();
  const known = moves.filter(({ move }) => values.has(move));
  if (!known.length) return;
  const value = Math.max(...known.map(({ move }) => values.get(move)));
  one.group.append(valueText(value, value === best, { x: 0, y: 0 }, SIZE));
}

function focusNext(squares, from, key) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  if (!step) return false;
  let [x, y] = [from.x, from.y];
  for (let i = 0; i < 100; i++) {
    x += step[0];
    y += step[1];
    const next = squares.find((one) => one.grid === from.grid && one.plane === from.plane && one.x === x && one.y === y);
    if (next && next.group.getAttribute("tabindex") !== null) {
      next.group.focus();
      return true;
    }
    if (!next && (x < 0 || y < 0 || x > 100 || y > 100)) return true;
  }
  return true;
}

const MOST_BUTTONS = 200;
let listIsOpen = false; // the list of moves that squares can make as well, as it was left

// Makes squares clickable, and lists the moves as buttons, restricted by the squares already chosen. Moves
// that a click on a square makes are folded away; others, and those left to choose from, are not.
function addMoves(squares, options, board) {
  const chosen = [];
  const list = el("div", { class: "moves", role: "group", "aria-label": "Moves" });
  const loose = el("div", { class: "moves", role: "group", "aria-label": "Choices" });
  const summary = el("summary", {});
  const fold = el("details", { class: "all-moves", open: listIsOpen, ontoggle: () => { listIsOpen = fold.open; } }, summary, list);
  const button = ({ move }, values) => el("button", { type: "button", class: "move", "data-move": move, title: move, onclick: () => options.play(move) },
    moveWords(move, board), values.has(move) ? el("span", { class: "score" }, values.get(move).toFixed(0)) : null);
  const canBeClicked = ({ squares: named }) => named.length > 0 && squares.some((one) => covers(named[0], one.grid, one.plane, one.x, one.y));
  const fitting = () => options.legal.filter(({ squares: named }) =>
    chosen.every((one, i) => named[i] && covers(named[i], one.grid, one.plane, one.x, one.y)));
  const nextOf = (one) => fitting().filter(({ squares: named }) =>
    named[chosen.length] && covers(named[chosen.length], one.grid, one.plane, one.x, one.y));
  const click = (one) => {
    if (chosen.includes(one) && !nextOf(one).length) chosen.length = 0;
    else if (nextOf(one).length) chosen.push(one);
    else {
      chosen.length = 0;
      if (nextOf(one).length) chosen.push(one);
    }
    const left = fitting();
    if (chosen.length && left.length === 1 && left[0].squares.length === chosen.length) {
      options.play(left[0].move);
      return;
    }
    if (chosen.length && left.length === 1 && left[0].squares.length < chosen.length) chosen.length = 0;
    refresh();
  };
  const refresh = () => {
    const values = options.values || new Map();
    const best = Math.max(...fitting().filter(({ move }) => values.has(move)).map(({ move }) => values.get(move)));
    for (const one of squares) {
      const next = nextOf(one);
      const open = next.length > 0;
      writeValue(one, next.filter(({ squares: named }) => named[chosen.length].y !== null || one.y === 0), values, best);
      const restart = !open && options.legal.some(({ squares: named }) => named[0] && covers(named[0], one.grid, one.plane, one.x, one.y));
      one.group.classList.toggle("open", open);
      one.group.classList.toggle("chosen", chosen.includes(one));
      if (open || restart || chosen.includes(one)) {
        one.group.setAttribute("tabindex", "0");
        one.group.setAttribute("role", "button");
        one.group.setAttribute("aria-label", `${one.name}, ${one.text}${chosen.includes(one) ? ", chosen" : ""}`);
        one.group.setAttribute("aria-pressed", chosen.includes(one));
      } else {
        for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) one.group.removeAttribute(name);
      }
    }
    const left = fitting();
    const isChoice = chosen.length > 0 && left.every(({ squares: named }) => named.length <= chosen.length);
    const [folded, open] = [left.filter((one) => !isChoice && canBeClicked(one)), left.filter((one) => isChoice || !canBeClicked(one))];
    loose.replaceChildren(...open.slice(0, MOST_BUTTONS).map((one) => button(one, values)), open.length > MOST_BUTTONS ? el("span", {}, `and ${open.length - MOST_BUTTONS} more`) : "");
    list.replaceChildren(...folded.slice(0, MOST_BUTTONS).map((one) => button(one, values)), folded.length > MOST_BUTTONS ? el("span", {}, `and ${folded.length - MOST_BUTTONS} more`) : "");
    loose.hidden = !open.length;
    fold.hidden = !folded.length;
    summary.textContent = `${folded.length} ${folded.length === 1 ? "move" : "moves"} as text`;
  };
  for (const one of squares) {
    one.group.addEventListener("click", () => { if (one.group.getAttribute("role") === "button") click(one); });
    one.group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        if (one.group.getAttribute("role") === "button") click(one);
      } else if (event.key === "Escape") {
        chosen.length = 0;
        refresh();
      } else if (focusNext(squares, one, event.key)) event.preventDefault();
    });
  }
  refresh();
  return [loose, fold];
}
