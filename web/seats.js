// Who plays: a choice for each role, the strength of the engine, and the request for a match. What was
// chosen is kept with the match, for a rematch with sides swapped.
import { enc, keepKeys, post } from "./api.js";
import { SEARCHES } from "./searches.js";
import { el } from "./parts.js";

// Named levels: the search that plays, and its seconds a move.
export const LEVELS = [
  ["beginner", "Beginner", "uct:playouts=4", 1],
  ["easy", "Easy", "uct:playouts=40", 1],
  ["medium", "Medium", "uct:playouts=600", 2],
  ["strong", "Strong: 1 s a move", "auto", 1],
  ["full", "Full strength: 5 s a move", "auto", 5],
  ["patient", "Patient: 30 s a move", "auto", 30],
];
const level = (id) => LEVELS.find(([one]) => one === id);

const myName = () => localStorage.getItem("marelle-name") || "you";

// A seat as the server wants it. `kind` is a value of the choice below.
function playerOf({ kind, address, name }, strength) {
  if (kind === "human") return { player: "human", name: name || myName() };
  if (kind === "here") return { player: "human", name: name || "your neighbour" };
  if (kind === "friend") return { player: "human", name: name || "friend" };
  if (kind === "http") return { player: address, name: address };
  if (kind === "auto") return { player: level(strength)[2], name: `engine (${strength})` };
  return { player: kind, name: kind };
}

// The choice of players; at first a human in the first role and the engine in the others.
export function seatChooser(game) {
  const roles = game.roles.filter((role) => role !== "random");
  const named = { auto: "the engine", random: "random moves" };
  const searches = SEARCHES.filter(({ singlePlayer }) => !singlePlayer || roles.length === 1);
  const main = [["human", "you"], ["auto", named.auto], ...(roles.length > 1 ? [["here", "somebody beside you"], ["friend", "somebody with a link"]] : []), ["random", named.random]];
  const others = [...searches.filter(({ name }) => !named[name]).map(({ name, summary }) => [name, `search: ${name}`, summary]), ["http", "a player on the network"]];
  const option = ([value, name, summary]) => el("option", summary ? { value, title: summary } : { value }, name);
  const help = el("input", { type: "checkbox", id: "help" });
  const helpRow = el("label", { class: "check", hidden: true }, help, "the engine may give hints");
  const advanced = el("input", { type: "checkbox", id: "advanced", checked: localStorage.getItem("marelle-advanced") === "yes", onchange: () => {
    localStorage.setItem("marelle-advanced", advanced.checked ? "yes" : "no");
    refresh();
  } });
  // Whoever does not experiment need not choose among searches; a choice that was made stays.
  const refresh = () => {
    helpRow.hidden = !seats.some(({ select }) => select.value === "friend");
    levelRow.hidden = !seats.some(({ select }) => select.value === "auto");
    for (const { select, more } of seats) {
      if (advanced.checked) select.append(more);
      else if (!others.some(([value]) => value === select.value)) more.remove();
    }
  };
  const seats = roles.map((role, i) => {
    const select = el("select", { "data-role": role, "aria-label": `Who plays ${role}` }, main.map(option));
    const more = el("optgroup", { label: "for experiments" }, others.map(option));
    select.value = i === 0 ? "human" : "auto";
    const address = el("input", { type: "url", placeholder: "http://host:port", hidden: true, "aria-label": `Address of the player of ${role}` });
    select.addEventListener("change", () => { address.hidden = select.value !== "http"; refresh(); });
    return { role, select, address, more, row: el("div", { class: "seat" }, el("span", {}, role), select, address) };
  });
  const strength = el("select", { id: "strength", onchange: () => localStorage.setItem("marelle-level", strength.value) }, LEVELS.map(([value, name]) => el("option", { value }, name)));
  strength.value = level(localStorage.getItem("marelle-level")) ? localStorage.getItem("marelle-level") : "strong";
  const name = el("input", { type: "text", id: "name", maxlength: "30", autocomplete: "nickname", placeholder: "you", value: localStorage.getItem("marelle-name") || "", onchange: () => localStorage.setItem("marelle-name", name.value.trim()) });
  const levelRow = el("div", { class: "seat" }, el("label", { for: "strength" }, "engine"), strength);
  const rows = [...seats.map((seat) => seat.row), levelRow, el("div", { class: "seat" }, el("label", { for: "name" }, "your name"), name), helpRow,
    el("label", { class: "check quiet" }, advanced, "advanced: single searches, players on the network")];
  refresh();
  const setup = () => ({
    seats: seats.map(({ role, select, address }) => ({ role, kind: select.value, address: address.value })),
    strength: strength.value, help: help.checked,
  });
  return { rows, setup };
}

// Begins a match and goes there. `from` is a position of another match.
export async function begin(game, setup, from) {
  const kinds = setup.seats.map(({ kind }) => kind);
  const body = {
    game, players: setup.seats.map((seat) => playerOf(seat, setup.strength)),
    seconds: level(setup.strength)[3], ...(from ? { from } : {}),
  };
  if (kinds.includes("friend")) body.help = setup.help;
  else if (kinds.includes("here")) body.help = true; // both see the same screen
  const match = await post("/api/matches", body);
  const keys = { owner: match.owner, setup: { ...setup, game }, mine: [] };
  setup.seats.forEach(({ role, kind }, i) => {
    if (match.keys[i]) keys[role] = match.keys[i];
    if (["human", "here"].includes(kind)) keys.mine.push(role);
  });
  keepKeys(match.id, keys);
  location.hash = `#/match/${enc(match.id)}`;
}

// The same again with every player in the next role.
export function swapped(setup) {
  const last = setup.seats.length - 1;
  return { ...setup, seats: setup.seats.map(({ role }, i) => ({ ...setup.seats[i ? i - 1 : last], role })) };
}
