// Matches: those that are being played, and those that are over.
import { enc, get, listen } from "./api.js";
import { el, pretty, show, title } from "./parts.js";

const STATES = { waiting: "waits for a person", thinking: "the engine thinks", parked: "at rest", over: "over", broken: "broken off" };

function row(match) {
  const goals = Array.isArray(match.goals) ? match.goals : match.goals ? Object.values(match.goals) : [];
  return el("tr", {}, el("td", {}, el("a", { href: `#/match/${enc(match.id)}` }, pretty(match.name || match.game))),
    el("td", {}, match.players.map((player, i) => [i ? ", " : "", player, goals.length ? ` ${goals[i] ?? "–"}` : ""])),
    el("td", {}, match.turn ?? ""), el("td", {}, STATES[match.status] || match.status),
    el("td", {}, match.started ? new Date(match.started).toLocaleString() : ""));
}

function table(caption, matches) {
  if (!matches.length) return el("p", { class: "quiet" }, `${caption}: none.`);
  return el("div", { class: "wide" }, el("table", { class: "list" }, el("caption", {}, caption), el("thead", {}, el("tr", {}, ["game", "players", "turns", "state", "begun"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, matches.map(row))));
}

export async function list() {
  title("Watch");
  const live = el("section", { id: "live" });
  const ended = el("section", { id: "ended" });
  show(el("h1", {}, "Watch"), el("p", {}, "Matches among people, searches and players on the network. To see two engines meet, pick a game and give both sides to the engine."), live, ended);
  const refresh = async () => {
    const lists = await get("/api/matches");
    live.replaceChildren(table("Being played", lists.live));
    ended.replaceChildren(table("Over", lists.ended));
  };
  await refresh();
  const timer = setInterval(refresh, 5000);
  const end = listen("/api/events", refresh);
  return () => {
    clearInterval(timer);
    end();
  };
}
