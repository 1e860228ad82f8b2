// Marks on a drawn board: arrows for moves and values on squares; and a board that the keyboard reaches.
// Squares are found by what board.js writes on them: data-square="grid.plane.x.y".
import { svg } from "./parts.js";

const idOf = ({ grid, plane, x, y }) => `${grid}.${plane ?? 0}.${x}.${y}`;
const isOpen = ({ x, y }) => x === null || y === null;

// The cell of a square. If the move leaves a coordinate open, such as the row of a drop, it is the one at
// the end of the row or column.
function cellOf(frame, square) {
  if (!isOpen(square)) return frame.querySelector(`[data-square="${idOf(square)}"]`);
  let found = null;
  for (const cell of frame.querySelectorAll("[data-square]")) {
    const [grid, plane, x, y] = cell.dataset.square.split(".").map(Number);
    const fits = grid === square.grid && (square.plane ?? plane) === plane && (square.x ?? x) === x && (square.y ?? y) === y;
    if (fits && (!found || x + y > found.at)) found = { cell, at: x + y };
  }
  return found?.cell;
}

// Centre and size of a square in the coordinates of its picture.
function boxOf(frame, square) {
  const cell = cellOf(frame, square);
  const shape = cell?.querySelector(".square") || cell;
  const toPicture = cell?.ownerSVGElement.getScreenCTM()?.inverse();
  if (!toPicture) return null;
  const box = shape.getBoundingClientRect();
  const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(toPicture);
  return { picture: cell.ownerSVGElement, x: centre.x, y: centre.y, size: Math.min(box.width, box.height) * toPicture.a };
}

// An arrow along the squares of a move, or a ring around its only one.
export function markMove(frame, squares, kind) {
  if (kind === "was" && squares.some(isOpen)) return; // the square that changed is marked already
  const places = (squares || []).map((square) => boxOf(frame, square)).filter(Boolean);
  if (!places.length || places.some(({ picture }) => picture !== places[0].picture)) return;
  const { picture, size } = places[0];
  const end = places[places.length - 1];
  if (places.length === 1) {
    picture.append(svg("circle", { class: `ring ${kind}`, cx: end.x, cy: end.y, r: size * 0.44 }));
    return;
  }
  const before = places[places.length - 2];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const tip = (turn, length) => `${(end.x - length * Math.cos(angle + turn)).toFixed(1)},${(end.y - length * Math.sin(angle + turn)).toFixed(1)}`;
  picture.append(svg("polyline", { class: `arrow ${kind}`, points: places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }),
    svg("polygon", { class: `arrow-head ${kind}`, points: [`${end.x.toFixed(1)},${end.y.toFixed(1)}`, tip(0.45, size * 0.38), tip(-0.45, size * 0.38)].join(" ") }));
}

// A value in the lower part of a square, where also a hexagon is wide enough.
export function valueText(value, isBest, { x, y }, size, more = "") {
  return svg("text", { class: `value ${isBest ? "best" : ""} ${more}`, x, y: y + size * 0.36 }, Math.round(value));
}

// Writes the value of each move on its last square: the best one where several end there.
export function markValues(frame, moves) {
  const best = Math.max(...moves.map(({ value }) => value));
  const places = new Map();
  for (const { squares, value } of moves) {
    const last = squares?.[squares.length - 1];
    if (last && (places.get(idOf(last))?.value ?? -1) < value) places.set(idOf(last), { square: last, value });
  }
  for (const { square, value } of places.values()) {
    const place = boxOf(frame, square);
    if (place) place.picture.append(valueText(value, value === best, place, place.size, "marked"));
  }
}

// Makes every square reachable by arrow keys, with one place for the Tab key on each board.
export function makeReachable(frame) {
  for (const picture of frame.querySelectorAll("svg")) {
    const cells = [...picture.querySelectorAll("[data-square]")];
    const focused = cells.find((cell) => cell === document.activeElement);
    const first = focused || cells.find((cell) => cell.classList.contains("chosen")) || cells.find((cell) => cell.classList.contains("open")) || cells[0];
    for (const cell of cells) {
      cell.setAttribute("tabindex", cell === first ? "0" : "-1");
      if (cell.getAttribute("role")) continue;
      cell.setAttribute("role", "img");
      cell.setAttribute("aria-label", cell.querySelector("title")?.textContent || cell.dataset.square);
    }
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The square that lies next in that direction on the screen; null if there is none.
function neighbour(cell, [dx, dy]) {
  const from = cell.getBoundingClientRect();
  let [found, least] = [null, Infinity];
  for (const other of cell.ownerSVGElement.querySelectorAll("[data-square]")) {
    const to = other.getBoundingClientRect();
    const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
    const along = x * dx + y * dy;
    const distance = along + 3 * Math.abs(x * dy - y * dx);
    if (along > from.width * 0.3 && distance < least) [found, least] = [other, distance];
  }
  return found;
}

// Arrow keys go from square to square wherever a square has the focus. True if the key was one.
export function walk(event) {
  const cell = event.target.closest?.("[data-square]");
  const step = STEPS[event.key];
  if (!cell || !step) return false;
  event.preventDefault();
  const next = neighbour(cell, step);
  if (!next) return true;
  cell.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  return true;
}
