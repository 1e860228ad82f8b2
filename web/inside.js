// Looks inside a game: its subgames, symmetries, circuit and structure, its best policy if it is small
// enough, and what can be learnt about it in a few seconds.
import { enc, get, lookInside } from "./api.js";
import { drawBoard } from "./board.js";
import { busy, el, factTable, lookProgress, moveText, number, pretty, show, svg, title } from "./parts.js";

const NARROW = 700; // pixels of a window that is drawn for as on a phone
const LETTER = 6.8; // width of a letter in the picture of a network
const GOLDEN = 137.5;
const colour = (i) => `hsl(${(i * GOLDEN + 210) % 360} 62% 72%)`;

function painter(groups) {
  const colours = new Map();
  groups.forEach((squares, i) => squares.forEach((square) => { if (!colours.has(square.join())) colours.set(square.join(), colour(i)); }));
  return (square) => colours.get(square);
}

// A force-directed layout: links are springs, vertices repel each other; subgames start apart.
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
  return el("details", { class: "subgame" }, el("summary", {}, chip, ` ${count(subgame.fluents.length, "fluent")}${subgame.actions.length ? `, ${count(subgame.actions.length, "kind")} of moves` : ""}: ${words.join(", ")}`),
    el("p", {}, subgame.fluents.slice(0, 200).map((fluent) => [el("code", {}, moveText(fluent)), " · "])));
}

const count = (amount, thing) => `${amount} ${thing}${amount === 1 ? "" : "s"}`;

// What moves change, and what goes on by itself, with what of it matters to nothing.
function partsText({ ad, uad, ai, uai }) {
  const idle = (useless, all) => (!useless ? "" : useless === all ? (all === 1 ? "; it matters to nothing" : "; none of them matters") : `; ${useless} of them ${useless === 1 ? "matters" : "matter"} to nothing`);
  const acted = `Moves change ${count(ad, "part")} of the position${idle(uad, ad)}.`;
  return ai ? `${acted} ${count(ai, "part")} ${ai === 1 ? "changes" : "change"} without them, as a count of turns does${idle(uai, ai)}.` : acted;
}

function decomposition(game, found) {
  if (found.missing) return el("p", {}, `Not to be had: ${found.missing}`);
  const useful = found.counts.ad - found.counts.uad;
  return [
    el("p", { id: "verdict" }, el("b", {}, useful > 1 ? `${useful} games in one` : "One game"), `. ${partsText(found.counts)}`),
    el("p", { class: "quiet" }, `${found.confidence > 0 ? `Certain to ${Math.round(100 * found.confidence)} %` : "Nothing but a guess"}, after ${number(found.playouts)} playouts and ${found.cpu_seconds.toFixed(2)} s.`),
    game.view && game.board?.grids.length ? drawBoard(game.board, game.view, { paint: painter(found.subgames.map((subgame) => subgame.squares)) }) : null,
    found.subgames.map(drawSubgame),
    found.graph ? [el("h3", {}, "Dependency graph"), el("p", { class: "quiet" }, "Circles are fluents, squares are moves; a line joins what depends on each other."), drawGraph(found.graph)] : null,
  ];
}

function symmetry(game, found) {
  if (found.missing) return el("p", {}, `Not to be had: ${found.missing}`);
  const orbits = found.orbits.map((orbit, i) => ({ orbit, squares: found.orbit_squares[i] })).sort((a, b) => b.orbit.length - a.orbit.length);
  return [
    el("p", {}, `${found.order === null ? (found.generators ? `More than ${found.generators} symmetries, not all of which are known` : "None was found, but not all was tried") : found.order === 1 ? "None" : `${found.order} symmetries from ${count(found.generators, "generator")}`}; ${found.orbits.reduce((sum, orbit) => sum + orbit.length, 0)} fluents in ${found.orbits.length} orbits.`),
    game.view && game.board?.grids.length ? [el("p", { class: "quiet" }, "Squares of one colour can be carried into each other."), drawBoard(game.board, game.view, { paint: painter(orbits.map((one) => one.squares)) })] : null,
    el("details", {}, el("summary", {}, "Orbits of fluents"), el("ul", {}, orbits.slice(0, 60).map(({ orbit }) => el("li", {}, `${orbit.length}: ${orbit.slice(0, 12).map(moveText).join(" · ")}${orbit.length > 12 ? " …" : ""}`)))),
  ];
}

function circuit(game, found) {
  if (found.missing) return el("p", {}, `The rules are interpreted: ${found.missing}`);
  return factTable([["fluents", `${found.fluents}, of which ${found.constant_fluents} never change`], ["moves", found.moves], ["two-input ands", number(found.ands)], ["three-input gates", number(found.luts)], ["depth", found.depth], ["loops", found.loops], ["phases", found.phases], ["built in", `${found.cpu_seconds.toFixed(3)} CPU seconds`]]);
}

function analysis(game, found) {
  if (found.missing) return el("p", {}, `Not to be had: ${found.missing}.`);
  const sure = (certainty) => (certainty ? ` (${certainty})` : "");
  return factTable([
    ["turns", `${found.turns}${sure(found.turns_certainty)}`],
    ["whose turn", found.controls.map((one) => `${moveText(one.fluent)}${one.role ? " → " + one.role : ""}`).join(", ")],
    ["step counters", found.steppers.map((one) => `${one.fluents.length} fluents`).join(", ")],
    ["idle moves", found.noops.map((one) => `${one.role} ${moveText(one.move)}`).slice(0, 12).join(", ")],
    ["exclusions", `${found.mutex_groups} groups of fluents of which one holds at most`],
    ["constant sum", found.zero_sum ? `${found.sum}${sure(found.zero_sum_certainty)}` : "no"],
    ["cooperative", found.cooperative ? `yes${sure(found.cooperative_certainty)}` : null],
    ["impartial", found.impartial ? "yes" : null],
    ["length of a match", !found.fragments.horizon ? "no bound is known" : found.fragments.horizon_certainty === "proved" ? `${found.fragments.horizon} turns at most (proved)` : `the longest of ${found.matches} random matches took ${found.fragments.horizon / 2} turns; others may be longer`],
    ["never change", found.unchanging.length ? count(found.unchanging.length, "fluent") : null],
    ["useless", found.useless_fluents?.length ? count(found.useless_fluents.length, "fluent") : null],
  ]);
}

// One node of a policy and its branches. Nodes are shared, so branches are drawn when they are opened.
function drawStep(game, nodes, number, what, open) {
  const node = nodes.get(number);
  const label = el("span", { class: "policy-step" }, what);
  if (node.kind === "end") return el("li", {}, label, " ", el("b", { class: "goal-chip" }, `${node.goal}`));
  const children = () => node.branches.map((branch) => drawStep(game, nodes, branch.node, [branch.probability ? el("span", { class: "chance" }, branch.probability) : null, branch.probability ? " " : "", branch.what], open - 1));
  if (node.branches.length === 1) return [el("li", {}, label), children()];
  const list = el("ul", { class: "tree" });
  const details = el("details", { open: open > 0, ontoggle: () => { if (details.open && !list.firstChild) list.append(...children().flat(Infinity)); } },
    el("summary", {}, label, el("span", { class: "quiet" }, ` ${node.branches.length} possibilities`)), list);
  return el("li", {}, details);
}

function policy(game, found) {
  if (found.missing) return el("p", {}, `None was found: ${found.missing}.`);
  const value = found.value ?? found.value_decimal.toFixed(6);
  const words = found.whole ? `${found.role} gets ${value} of the points on average if everybody plays for the best.`
    : `Not solved: only matches of up to ${found.turns} turns were searched, and longer ones counted nothing. Within them ${found.role} can be sure of ${value} of the points.`;
  const head = el("p", {}, `${words} ${number(found.work)} nodes were searched, the policy has ${number(found.nodes)}.`);
  if (!found.policy) return [head, el("p", { class: "quiet" }, "That is too large to be shown; marelle scsp writes it to a file.")];
  const nodes = new Map(found.policy.nodes.map((node) => [node.node, node]));
  return [head, el("ul", { class: "tree", id: "policy-tree" }, drawStep(game, nodes, found.policy.root, "at the start", 3))];
}

const shareText = (share) => (share > 0 ? `${Math.round(share * 100)} % of the differences` : "nothing");

// Draws a network: inputs on the left, hidden units in the middle, one output per role on the right.
// The width of an edge shows its weight; negative ones are red.
function drawNetwork(game, network) {
  const isNarrow = innerWidth < NARROW;
  const longest = Math.max(...network.inputs.map((name) => moveText(name).length), ...game.roles.map((role) => role.length));
  const left = Math.min(isNarrow ? 190 : 250, 12 + LETTER * longest);
  const width = isNarrow ? 380 : 760;
  const [middle, right] = [(left + width - 90) / 2, width - (isNarrow ? 74 : 130)];
  const height = Math.max(220, network.inputs.length * 20 + 20);
  const fit = (name, room) => (name.length * LETTER > room ? `${name.slice(0, Math.floor(room / LETTER) - 1)}…` : name);
  const outputs = new Map(network.outputs.map((node, role) => [node, game.roles[role]]));
  const hidden = network.nodes.map((_, i) => i).filter((i) => !outputs.has(i));
  const spread = (i, count) => ((i + 0.5) * height) / count;
  const place = (from) => {
    if (from < network.inputs.length) return [left, spread(from, network.inputs.length)];
    const node = from - network.inputs.length;
    return outputs.has(node) ? [right, spread(network.outputs.indexOf(node), network.outputs.length)] : [middle, spread(hidden.indexOf(node), hidden.length)];
  };
  const heaviest = Math.max(1e-9, ...network.nodes.flatMap((node) => node.edges.map(([, weight]) => Math.abs(weight))));
  const edges = network.nodes.flatMap((node, i) => node.edges.map(([from, weight]) => {
    const [[x1, y1], [x2, y2]] = [place(from), place(network.inputs.length + i)];
    const line = svg("line", { x1, y1, x2, y2, class: weight < 0 ? "against" : "for" }, svg("title", {}, weight.toFixed(3)));
    line.style.strokeWidth = `${(4 * Math.abs(weight)) / heaviest}px`;
    return line;
  }));
  return svg("svg", { class: "network", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Network of ${network.inputs.length} inputs, ${hidden.length} hidden units and ${outputs.size} outputs` },
    edges,
    network.inputs.map((name, i) => svg("text", { x: left - 8, y: spread(i, network.inputs.length), class: "input" }, fit(moveText(name), left - 12), svg("title", {}, moveText(name)))),
    network.inputs.map((_, i) => svg("circle", { cx: left, cy: spread(i, network.inputs.length), r: 3 })),
    hidden.map((_, i) => svg("circle", { cx: middle, cy: spread(i, hidden.length), r: 8 })),
    network.outputs.map((node, role) => [svg("circle", { cx: right, cy: spread(role, network.outputs.length), r: 9 }), svg("text", { x: right + 14, y: spread(role, network.outputs.length), class: "output" }, fit(game.roles[role], width - right - 14))]));
}

// The facts with the largest positive and negative values for a role.
function drawWorths(worths, role) {
  const sorted = worths.map(([fact, values]) => [fact, values[role]]).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1e-9, ...sorted.map(([, worth]) => Math.abs(worth)));
  const rows = sorted.length > 12 ? [...sorted.slice(0, 6), ...sorted.slice(-6)] : sorted;
  return el("table", { class: "worths" }, el("tbody", {}, rows.map(([fact, worth]) => {
    const bar = el("span", { class: worth < 0 ? "bar against" : "bar" });
    bar.style.width = `${(Math.abs(worth) / most) * 6}rem`;
    return el("tr", {}, el("th", { scope: "row" }, el("code", {}, moveText(fact))), el("td", {}, worth.toFixed(2)), el("td", {}, bar));
  })));
}

function learned(game, found) {
  if (found.missing) return el("p", {}, `Nothing was learnt: ${found.missing}.`);
  const roles = game.roles.map((role, i) => [role, i]).filter(([role]) => role !== "random");
  return [
    el("p", {}, `From ${number(found.states)} positions of random matches, with what further random matches made of them. On ${number(found.tested)} others, one weight a fact explains ${shareText(found.explained_by_sums)}, the network below ${shareText(found.explained_by_network)}.`),
    el("h3", {}, "What a fact is worth"),
    el("div", { class: "side-by-side" }, roles.slice(0, 4).map(([role, i]) => el("figure", {}, el("figcaption", {}, role), drawWorths(found.worths, i)))),
    el("h3", {}, "A small network"),
    el("p", { class: "quiet" }, `Its ${found.network.inputs.length} weightiest inputs of ${found.network.all_inputs}; blue speaks for a role, red against it.`),
    el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "The network" }, drawNetwork(game, found.network)),
  ];
}

const LOOKS = [["decomposition", "Games inside", decomposition], ["symmetry", "Symmetries", symmetry], ["analysis", "Structure", analysis], ["circuit", "Circuit", circuit], ["policy", "Best policy", policy], ["network", "What can be learnt", learned]];

// One section: waits for its look, and draws what it finds.
async function fill(section, game, [name, heading, draw], signal, again = false) {
  const body = el("div", {}, busy("asking …"));
  section.replaceChildren(el("h2", {}, heading), body);
  section.setAttribute("aria-busy", "true");
  try {
    const found = await lookInside(game.id, name, { again, signal, progress: (answer) => body.replaceChildren(lookProgress(answer)) });
    const retry = el("button", { type: "button", onclick: () => fill(section, game, [name, heading, draw], signal, true) }, "Look again");
    body.replaceChildren(...[draw(game, found)].flat(Infinity).filter(Boolean),
      ...(found.final === false ? [el("p", { class: "quiet" }, "This is not the last word: a limit ended it. ", retry)] : []));
  } catch (error) {
    if (error.name === "AbortError") return;
    body.replaceChildren(el("p", {}, `Not to be had: ${error.message}.`));
  }
  section.removeAttribute("aria-busy");
}

export async function look(id) {
  show(busy("Opening the game …"));
  const leaving = new AbortController();
  let game = await get(`/api/games/${enc(id)}`);
  title(`Inside ${pretty(game.name)}`);
  const sections = LOOKS.map(([name]) => el("section", { id: name, class: "look", "aria-busy": "true" }));
  show(el("h1", {}, "Inside ", el("a", { href: `#/games/${enc(id)}` }, pretty(game.name))),
    el("nav", { class: "contents", "aria-label": "On this page" }, LOOKS.map(([name, heading]) => el("button", { type: "button", onclick: () => document.getElementById(name)?.scrollIntoView({ behavior: "smooth" }) }, heading))), sections);
  const begin = async () => {
    if (!game.board) {
      sections[0].replaceChildren(el("h2", {}, LOOKS[0][1]), busy("The board is being recognised …"));
      await lookInside(id, "opening", { signal: leaving.signal }).catch(() => null);
      game = await get(`/api/games/${enc(id)}`, leaving.signal);
    }
    LOOKS.forEach((one, i) => fill(sections[i], game, one, leaving.signal));
  };
  begin().catch(() => {});
  return () => leaving.abort();
}
