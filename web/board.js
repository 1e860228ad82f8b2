// Drawing positions from what the server recognised in the rules: grids of squares or hexagons, heaps,
// stacks, hands, counters. A legal move is made by clicking its squares, one after the other if it has
// several.
import { el, moveText, svg } from "./parts.js";

const SIZE = 40;

// The colour of a piece: the colour it is named after, else that of the role it is named after, else
// one of a palette.
export function colourOf(piece, pieces, roles) {
  const words = piece.split(/[\s()]+/).filter(Boolean);
  for (const word of words)
    if (/^[a-z]{3,}$/.test(word) && CSS.supports("color", word) && !CSS.supports("color", word + "x")) return word;
  for (const word of words)
    if (roles.includes(word)) return `var(--side${roles.indexOf(word) % 4})`;
  const index = pieces.findIndex((one) => one.piece === piece);
  return `var(--side${(index < 0 ? 0 : index) % 4})`;
}

function isDark(colour) {
  return !["white", "yellow", "silver", "gold", "pink", "cyan", "lime", "beige", "ivory"].includes(colour);
}

// The centre of a square.
function place(grid, x, y) {
  const rows = Math.max(grid.height, 1);
  if (grid.shape !== "hexagons") return [(x + 0.5) * SIZE, (rows - 1 - y + 0.5) * SIZE];
  const shift = grid.slant > 0 ? y : rows - 1 - y;
  return [(x + 0.5 + shift / 2) * SIZE, (rows - 1 - y) * SIZE * 0.866 + SIZE * 0.5];
}

function outline(grid, x, y) {
  const [cx, cy] = place(grid, x, y);
  if (grid.shape !== "hexagons")
    return svg("rect", { x: cx - SIZE / 2, y: cy - SIZE / 2, width: SIZE, height: SIZE, class: (x + y) % 2 ? "square odd" : "square" });
  const radius = SIZE * 0.577;
  const points = [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = Math.PI / 6 + (corner * Math.PI) / 3;
    return `${(cx + radius * Math.cos(angle)).toFixed(1)},${(cy + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return svg("polygon", { points: points.join(" "), class: "square" });
}

function drawPiece(cell, layer, layers, grid, roles) {
  const [cx, cy] = place(grid, cell.x, cell.y);
  const radius = SIZE * (layers > 1 ? 0.24 : 0.38);
  const offset = layers > 1 ? (layer - (layers - 1) / 2) * radius * 0.9 : 0;
  const isNumber = /^\d+$/.test(cell.mark);
  const group = svg("g", { class: "piece" });
  if (cell.absence) {
    group.append(svg("rect", { x: cx - SIZE * 0.44, y: cy - SIZE * 0.44, width: SIZE * 0.88, height: SIZE * 0.88, rx: 2, class: "absence" }));
    return group;
  }
  const colour = colourOf(cell.piece, grid.pieces, roles);
  if (!isNumber) {
    const disc = svg("circle", { cx: cx + offset, cy: cy + offset, r: radius });
    disc.style.fill = colour;
    group.append(disc);
  }
  const text = svg("text", { x: cx + offset, y: cy + offset, class: "mark" }, cell.mark);
  text.style.fontSize = `${(cell.mark.length > 1 ? 1.1 / cell.mark.length + 0.35 : 1) * radius}px`;
  if (!isNumber && !colour.startsWith("var")) text.style.fill = isDark(colour) ? "white" : "black";
  if (isNumber) text.classList.add("number");
  group.append(text);
  return group;
}

const same = (a, b) => a === null || a === undefined || a === b;

function covers(square, grid, plane, x, y) {
  return square.grid === grid && same(square.plane, plane) && same(square.x, x) && same(square.y, y);
}

function labels(grid) {
  const group = svg("g", { class: "labels", "aria-hidden": "true" });
  for (let x = 0; x < grid.width; x++) {
    const [cx, cy] = place(grid, x, 0);
    group.append(svg("text", { x: cx, y: cy + SIZE * 0.78 }, grid.x[x]));
  }
  for (let y = 0; y < grid.y.length; y++) {
    const [cx, cy] = place(grid, 0, y);
    group.append(svg("text", { x: cx - SIZE * 0.75, y: cy }, grid.y[y]));
  }
  return group;
}

// Draws one grid of the board; `options` as in drawBoard. Returns the picture and its squares by place.
function drawGrid(board, view, index, plane, options) {
  const grid = board.grids[index];
  const holes = new Set(grid.holes.map(([x, y]) => `${x},${y}`));
  const rows = Math.max(grid.height, 1);
  const hex = grid.shape === "hexagons";
  const width = grid.width * SIZE + (hex ? (rows / 2) * SIZE : 0);
  const height = hex ? (rows - 1) * SIZE * 0.866 + SIZE * 1.2 : rows * SIZE;
  const margin = options.small ? 2 : SIZE * 1.1;
  const picture = svg("svg", {
    viewBox: `${-margin} ${-4} ${width + margin + 4} ${height + (options.small ? margin : SIZE * 0.6) + 6}`, class: "grid",
    role: options.small ? "img" : "group", "aria-label": `board of ${grid.width} by ${rows}`,
  });
  if (!options.small) picture.style.maxWidth = `${Math.min(44, Math.max(8, grid.width * (grid.width < 6 ? 6 : 4.6) + 3))}rem`;
  const squares = [];
  const contents = new Map();
  for (const cell of view.cells)
    if (cell.grid === index && cell.plane === plane) contents.set(`${cell.x},${cell.y}`, [...(contents.get(`${cell.x},${cell.y}`) || []), cell]);
  for (let y = rows - 1; y >= 0; y--)
    for (let x = 0; x < grid.width; x++) {
      if (holes.has(`${x},${y}`)) continue;
      const here = contents.get(`${x},${y}`) || [];
      const pieces = here.filter((cell) => !cell.blank);
      const name = `${grid.x[x]} ${grid.y[y] ?? ""}`.trim();
      const group = svg("g", { class: "cell", "data-square": `${index}.${plane}.${x}.${y}` }, outline(grid, x, y),
        svg("title", {}, `${name}${here.length ? ": " + here.map((cell) => cell.piece).join(", ") : ""}`));
      pieces.slice(0, 3).forEach((cell, layer) => group.append(drawPiece(cell, layer, Math.min(pieces.length, 3), grid, options.roles || [])));
      if (options.paint) {
        const colour = options.paint(`${index},${plane},${x},${y}`);
        if (colour) group.querySelector(".square").style.fill = colour;
      }
      picture.append(group);
      squares.push({ grid: index, plane, x, y, at: place(grid, x, y), group, name, text: pieces.map((cell) => cell.piece).join(", ") || "empty" });
    }
  if (!options.small) picture.append(labels(grid));
  return { picture, squares };
}

// Draws stacks as towers.
function drawStacks(counters) {
  const below = new Map(counters.map((counter) => [counter.key, counter.value]));
  const above = new Map();
  for (const [key, value] of below) above.set(value, [...(above.get(value) || []), key]);
  const towers = [];
  const climb = (thing, tower) => {
    tower.push(thing);
    const next = above.get(thing) || [];
    next.forEach((one, i) => (i ? towers.push(climb(one, [])) : climb(one, tower)));
    return tower;
  };
  for (const [value, things] of above)
    if (!below.has(value)) for (const thing of things) towers.push(climb(thing, things.length > 1 || [...below.values()].filter((v) => v === value).length > 1 ? [] : [value]));
  return el("div", { class: "stacks" }, towers.map((tower) => el("ol", { class: "tower", "aria-label": "from the bottom" }, tower.map((thing) => el("li", {}, thing)))));
}

// Draws the hand of each role as cards.
function drawHands(counters) {
  const hands = new Map();
  for (const counter of counters) hands.set(counter.key, [...(hands.get(counter.key) || []), counter.value]);
  return el("dl", { class: "hands" }, [...hands].map(([role, things]) => [el("dt", {}, role), el("dd", {}, el("ul", { class: "hand" }, things.map((thing) => el("li", {}, thing))))]));
}

function drawCounters(view) {
  const parts = [];
  const kinds = new Map();
  for (const counter of view.counters) {
    const id = `${counter.kind} ${counter.fluent}`;
    kinds.set(id, [...(kinds.get(id) || []), counter]);
  }
  for (const counters of kinds.values()) {
    const [{ kind, fluent }] = counters;
    if (kind === "stacks") parts.push(el("figure", {}, el("figcaption", {}, fluent), drawStacks(counters)));
    else if (kind === "heaps")
      parts.push(el("figure", {}, el("figcaption", {}, fluent), el("dl", { class: "heaps" }, counters.map((one) => [
        el("dt", {}, one.key ?? fluent),
        el("dd", {}, one.amount > 0 && one.amount <= 40 ? el("span", { class: "beads", "aria-hidden": "true" }, "●".repeat(one.amount)) : null, ` ${one.value}`)]))));
    else if (kind === "hands") parts.push(el("figure", {}, el("figcaption", {}, fluent), drawHands(counters)));
    else
      parts.push(...counters.map((one) => el("span", { class: `counter ${kind}` }, kind === "turn" ? "to move: " : `${fluent}${one.key ? " " + one.key : ""}: `, el("b", {}, one.value))));
  }
  return parts;
}

/* Draws a position. Options: small (a thumbnail), roles, paint("grid,plane,x,y") -> colour,
 * legal ([{move, squares}]), play(move), values (Map from move to value), changed (squares to mark), over
 * (nobody is to move).
 * Answers an element. */
export function drawBoard(board, view, options = {}) {
  const frame = el("div", { class: options.small ? "board small" : "board" });
  const squares = [];
  const pictures = options.small ? frame : el("div", { class: "grids" });
  if (!options.small && board.grids.length) frame.append(pictures);
  board.grids.forEach((grid, index) => {
    const planes = Math.max(grid.planes.length, 1);
    for (let plane = 0; plane < (options.small ? 1 : planes); plane++) {
      const drawn = drawGrid(board, view, index, plane, options);
      squares.push(...drawn.squares);
      pictures.append(planes > 1 && !options.small ? el("figure", {}, el("figcaption", {}, grid.planes[plane]), drawn.picture) : drawn.picture);
    }
  });
  if (options.small) {
    if (!board.grids.length) frame.append(el("div", { class: "plain" }, drawCounters(view).slice(0, 4), view.facts.slice(0, 4).map((fact) => el("code", {}, fact))));
    return frame;
  }
  const rest = drawCounters(options.over ? { counters: view.counters.filter((one) => one.kind !== "turn") } : view);
  if (rest.length) frame.append(el("div", { class: "counters" }, rest));
  if (view.facts.length)
    frame.append(el("details", { open: !board.grids.length && view.facts.length < 40 }, el("summary", {}, `${view.facts.length} more facts`),
      el("p", { class: "facts" }, view.facts.map((fact) => [el("code", {}, fact), " "]))));
  markChanges(squares, options.changed || []);
  if (options.legal && options.legal.length) frame.append(addMoves(squares, options));
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
  one.group.append(svg("text", { class: value === best ? "value best" : "value", x: one.at[0] + SIZE * 0.46, y: one.at[1] + SIZE * 0.45 }, Math.round(value)));
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

// Makes squares clickable and lists all moves as buttons, restricted by the squares already chosen.
function addMoves(squares, options) {
  const chosen = [];
  const list = el("div", { class: "moves", role: "group", "aria-label": "Moves" });
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
    list.replaceChildren(...left.slice(0, 200).map(({ move }) =>
      el("button", { type: "button", class: "move", "data-move": move, onclick: () => options.play(move) },
        moveText(move), values.has(move) ? el("span", { class: "score" }, values.get(move).toFixed(0)) : null)),
    left.length > 200 ? el("span", {}, `and ${left.length - 200} more`) : "");
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
  return list;
}
