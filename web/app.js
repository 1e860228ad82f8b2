// The frame of the page: chooses the view for an address, and the light or dark theme.
import { el, failed, show } from "./parts.js";
import * as door from "./door.js";
import * as editor from "./editor.js";
import * as game from "./game.js";
import * as inside from "./inside.js";
import * as play from "./play.js";
import * as tournaments from "./tournaments.js";
import * as watch from "./watch.js";

const views = [
  [/^\/games$/, door.list],
  [/^\/games\/([^/]+)$/, game.detail],
  [/^\/new$/, editor.own],
  [/^\/match\/([^/]+)$/, play.match],
  [/^\/inside\/([^/]+)$/, inside.look],
  [/^\/watch$/, watch.list],
  [/^\/tournaments$/, tournaments.list],
  [/^\/tournaments\/([^/]+)$/, tournaments.detail],
];

let leave = null; // ends the current view
let visits = 0; // views shown so far; a view that took long may have been left meanwhile
let moved = false; // false for the first view, which does not take the focus

async function go() {
  const [path, query] = (location.hash.slice(1) || "/games").split("?");
  if (typeof leave === "function") leave();
  leave = null;
  document.getElementById("lost").hidden = true;
  for (const link of document.querySelectorAll("nav a")) {
    if (path.startsWith(link.getAttribute("href").slice(1))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const [pattern, view] of views) {
    const found = pattern.exec(path);
    if (!found) continue;
    const here = ++visits;
    try {
      const end = await view(...found.slice(1).map(decodeURIComponent), new URLSearchParams(query));
      if (visits === here) {
        leave = end;
        if (moved) document.getElementById("main").focus({ preventScroll: true });
        moved = true;
      } else if (typeof end === "function") end();
    } catch (error) {
      if (visits !== here) return;
      show(el("h1", {}, "That did not work"), el("p", {}, error.message), el("a", { href: "#/games" }, "To the games"));
      failed(error);
    }
    return;
  }
  show(el("h1", {}, "There is nothing here"), el("a", { href: "#/games" }, "To the games"));
}

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
}

document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  theme(dark ? "light" : "dark");
  localStorage.setItem("marelle-theme", dark ? "light" : "dark");
});

theme(localStorage.getItem("marelle-theme"));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
addEventListener("hashchange", go);
go();
