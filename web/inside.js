// Looking inside a game: the games it is made of, its symmetries, its circuit, its structure.
import { enc, get } from "./api.js";
import { drawBoard } from "./board.js";
import { el, failed, moveText, number, pretty, show, svg, title } from "./parts.js";

const GOLDEN = 137.5;
const colour = (i) => `hsl(${(i * GOLDEN + 210) % 360} 62% 72%)`;

function painter(groups) {
  const colours = new Map();
  groups.forEach((squares, i) => squares.forEach((square) => { if (!colours.has(square.join())) colours.set(square.join(), colour(i)); }));
  return (square) => colours.get(square);
}

// Springs along links, everything pushes everything else away; starts subgame by subgame.
function layout(vertices, links, width, height) {
  const count = vertices.length;
  const groups = [...new Set(vertices.map((vertex) => vertex.group))];
  const points = vertices.map((vertex, i) => {
    const angle = (2 * Math.PI * groups.indexOf(vertex.group)) / groups.length;
    return { x: width / 2 + Math.cos(angle) * width * 0.3 + ((i * 37) % 41) - 20, y: height / 2 + Math.sin(angle) * height * 0.3 + ((i * 53) % 41) - 20 };
  });
  const reach = Math.sqrt((width * height) / Math.max(count, 1)) * 0.8;
  for (let round = 0; round < 120; round++) {
    const heat = (1 - round / 120) * 14;
    const push = points.map(() => ({ x: 0, y: 0 }));
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) {
        const dx = points[i].x - points[j].x;
        const dy = points[i].y - points[j].y;
        const distance = dx * dx + dy * dy + 0.1;
        if (distance > 9 * reach * reach) continue;
        const force = (reach * reach) / distance;
        push[i].x += dx * force / 8; push[i].y += dy * force / 8;
        push[j].x -= dx * force / 8; push[j].y -= dy * force / 8;
      }
    for (const [a, b] of links) {
      const dx = points[a].x - points[b].x;
      const dy = points[a].y - points[b].y;
      const pull = Math.sqrt(dx * dx + dy * dy) / reach / 6;
      push[a].x -= dx * pull; push[a].y -= dy * pull;
      push[b].x += dx * pull; push[b].y += dy * pull;
    }
    points.forEach((point, i) => {
      push[i].x += (width / 2 - point.x) * 0.06;
      push[i].y += (height / 2 - point.y) * 0.06;
      const length = Math.hypot(push[i].x, push[i].y) || 1;
      const step = Math.min(length, heat) / length;
      point.x = Math.min(width - 8, Math.max(8, point.x + push[i].x * step));
      point.y = Math.min(height - 8, Math.max(8, point.y + push[i].y * step));
    });
  }
  return points;
}

function drawGraph(graph) {
  const numbers = new Map();
  const vertices = [];
  graph.vertices.forEach(([text, group, isAction], i) => {
    if (group === null) return;
    numbers.set(i, vertices.length);
    vertices.push({ text, group, isAction });
  });
  if (vertices.length > 400) return el("p", { class: "quiet" }, `The graph has ${vertices.length} vertices: too many to draw here; marelle decompose --svg draws it.`);
  const links = graph.links.filter(([a, b]) => numbers.has(a) && numbers.has(b)).map(([a, b, kind, cut]) => [numbers.get(a), numbers.get(b), kind, cut]);
  const [width, height] = [760, 460];
  const points = layout(vertices, links.filter(([, , , cut]) => !cut), width, height);
  return svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Dependency graph: ${vertices.length} vertices, ${links.length} links` },
    links.map(([a, b, , cut]) => svg("line", { x1: points[a].x, y1: points[a].y, x2: points[b].x, y2: points[b].y, class: cut ? "cut" : null })),
    vertices.map((vertex, i) => {
      const shape = vertex.isAction ? svg("rect", { x: points[i].x - 4, y: points[i].y - 4, width: 8, height: 8 }) : svg("circle", { cx: points[i].x, cy: points[i].y, r: 5 });
      shape.style.fill = colour(vertex.group);
      shape.append(svg("title", {}, vertex.text));
      return shape;
    }));
}

function drawSubgame(subgame, i) {
  const words = [subgame.label === "AD" ? "moves matter to it" : "runs by itself", subgame.useful ? null : "matters to nothing", subgame.control ? "whose turn it is" : null, subgame.stepper ? "counts turns" : null, subgame.order ? `number ${subgame.order} of a series` : null].filter(Boolean);
  const chip = el("span", { class: "chip" }, `game ${i + 1}`);
  chip.style.background = colour(i);
  return el("details", { class: "subgame" }, el("summary", {}, chip, ` ${subgame.fluents.length} fluents, ${subgame.actions.length} kinds of moves: ${words.join(", ")}`),
    el("p", {}, subgame.fluents.slice(0, 200).map((fluent) => [el("code", {}, moveText(fluent)), " · "])));
}

function decomposition(game, found) {
  if (found.missing) return el("p", {}, `Not to be had: ${found.missing}`);
  const useful = found.counts.ad - found.counts.uad;
  return [
    el("p", { id: "verdict" }, useful > 1 ? `${useful} games in one` : "one game", `; ${found.counts.ad} parts that moves change (${found.counts.uad} useless), ${found.counts.ai} that run by themselves (${found.counts.uai} useless). Confidence ${found.confidence.toFixed(2)}, ${number(found.playouts)} play-outs, ${found.cpu_seconds.toFixed(2)} s.`),
    game.view && game.board.grids.length ? drawBoard(game.board, game.view, { roles: game.roles, paint: painter(found.subgames.map((subgame) => subgame.squares)) }) : null,
    found.subgames.map(drawSubgame),
    found.graph ? [el("h3", {}, "Dependency graph"), el("p", { class: "quiet" }, "Circles are fluents, squares are moves; a line joins what depends on each other."), drawGraph(found.graph)] : null,
  ];
}

function symmetry(game, found) {
  if (found.missing) return el("p", {}, `Not to be had: ${found.missing}`);
  const orbits = found.orbits.map((orbit, i) => ({ orbit, squares: found.orbit_squares[i] })).sort((a, b) => b.orbit.length - a.orbit.length);
  return [
    el("p", {}, `${found.order ?? "unknown"} symmetries from ${found.generators} generators; ${found.orbits.reduce((sum, orbit) => sum + orbit.length, 0)} fluents in ${found.orbits.length} orbits.`),
    game.view && game.board.grids.length ? [el("p", { class: "quiet" }, "Squares of one colour can be carried into each other."), drawBoard(game.board, game.view, { roles: game.roles, paint: painter(orbits.map((one) => one.squares)) })] : null,
    el("details", {}, el("summary", {}, "Orbits of fluents"), el("ul", {}, orbits.slice(0, 60).map(({ orbit }) => el("li", {}, `${orbit.length}: ${orbit.slice(0, 12).map(moveText).join(" · ")}${orbit.length > 12 ? " …" : ""}`)))),
  ];
}

function table(rows) {
  return el("table", { class: "facts-table" }, el("tbody", {}, rows.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
}

function circuit(game, found) {
  if (found.missing) return el("p", {}, `The rules are interpreted: ${found.missing}`);
  return table([["fluents", `${found.fluents}, of which ${found.constant_fluents} never change`], ["moves", found.moves], ["two-input ands", number(found.ands)], ["three-input gates", number(found.luts)], ["depth", found.depth], ["loops", found.loops], ["phases", found.phases], ["built in", `${found.cpu_seconds.toFixed(3)} CPU seconds`]]);
}

function analysis(game, found) {
  const sure = (certainty) => (certainty ? ` (${certainty})` : "");
  return table([
    ["turns", `${found.turns}${sure(found.turns_certainty)}`],
    ["whose turn", found.controls.map((one) => `${moveText(one.fluent)}${one.role ? " → " + one.role : ""}`).join(", ")],
    ["step counters", found.steppers.map((one) => `${one.fluents.length} fluents`).join(", ")],
    ["idle moves", found.noops.map((one) => `${one.role} ${moveText(one.move)}`).slice(0, 12).join(", ")],
    ["exclusions", `${found.mutex_groups} groups of fluents of which one holds at most`],
    ["constant sum", found.zero_sum ? `${found.sum}${sure(found.zero_sum_certainty)}` : "no"],
    ["cooperative", found.cooperative ? `yes${sure(found.cooperative_certainty)}` : null],
    ["impartial", found.impartial ? "yes" : null],
    ["longest match", found.fragments.horizon ? `${found.fragments.horizon} turns${sure(found.fragments.horizon_certainty)}` : null],
    ["never change", found.unchanging.length ? `${found.unchanging.length} fluents` : null],
    ["useless", found.useless_fluents?.length ? `${found.useless_fluents.length} fluents` : null],
  ]);
}

const LOOKS = [["decomposition", "Games inside", decomposition], ["symmetry", "Symmetries", symmetry], ["circuit", "Circuit", circuit], ["analysis", "Structure", analysis]];

export async function look(id) {
  const game = await get(`/api/games/${enc(id)}`);
  title(`Inside ${pretty(game.name)}`);
  const sections = LOOKS.map(([name, heading]) => el("section", { id: name, "aria-busy": "true" }, el("h2", {}, heading), el("p", { class: "quiet" }, "looking …")));
  show(el("h1", {}, "Inside ", el("a", { href: `#/games/${enc(id)}` }, pretty(game.name))), sections);
  LOOKS.forEach(async ([name, heading, draw], i) => {
    try {
      const found = await get(`/api/games/${enc(id)}/inside/${name}`);
      sections[i].replaceChildren(...[el("h2", {}, heading), draw(game, found)].flat(Infinity).filter(Boolean));
      sections[i].removeAttribute("aria-busy");
    } catch (error) {
      failed(error);
    }
  });
}
