// Requests to the server. If the server needs a token, the user is asked once and the browser stores it.

export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.message || `the server answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

async function refusalOf(response) {
  const type = response.headers.get("Content-Type") || "";
  return new Refusal(response.status, type.includes("json") ? await response.json() : {});
}

async function ask(path, options) {
  const response = await fetch(path, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Error("The server does not answer.");
  });
  if (!response.ok) throw await refusalOf(response);
  const type = response.headers.get("Content-Type") || "";
  return type.includes("json") ? response.json() : response.text();
}

export const get = (path, signal) => ask(path, { signal });

function postOptions(body, signal) {
  const headers = { "Content-Type": "application/json" };
  const token = localStorage.getItem("marelle-token");
  if (token) headers.Authorization = `Bearer ${token}`;
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

// `quiet`: the user did not ask for it, so a missing token is no reason for a question.
export async function post(path, body, { quiet = false, signal } = {}) {
  try {
    return await ask(path, postOptions(body, signal));
  } catch (error) {
    if (error.status !== 401 || quiet) throw error;
    const given = prompt("This server needs a token for changes:");
    if (!given) throw error;
    localStorage.setItem("marelle-token", given);
    return ask(path, postOptions(body, signal));
  }
}

const SILENCE = 25000; // milliseconds without a sign of life after which the server counts as gone
const AGAIN = 1500;

// Calls `take` with each document of a stream, and `lost` with true when the server cannot be heard and
// with false when it can be again. Returns a function that ends it.
export function listen(path, take, lost = () => {}) {
  let source = null;
  let timer = null;
  let ended = false;
  const watch = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => { lost(true); open(); }, milliseconds);
  };
  const alive = () => { lost(false); watch(SILENCE); };
  function open() {
    source?.close();
    if (ended) return;
    source = new EventSource(path);
    source.onopen = alive;
    source.addEventListener("beat", alive);
    source.onmessage = (event) => { alive(); take(JSON.parse(event.data)); };
    source.onerror = () => { lost(true); watch(AGAIN); };
    watch(SILENCE);
  }
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}

// Calls `take` with each document that the server sends in answer to a POST, until the signal ends it.
export async function stream(path, body, take, signal) {
  const response = await fetch(path, postOptions(body, signal));
  if (!response.ok) throw await refusalOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = (rest + value).split("\n\n");
    rest = pieces.pop();
    for (const piece of pieces) if (piece.startsWith("data: ")) take(JSON.parse(piece.slice(6)));
  }
}

const POLL = 600;
const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

// Begins a look inside a game and waits for what it finds; `progress` is told how it stands. The server
// ends a look that nobody asks for any more.
export async function lookInside(game, look, { again = false, signal, progress = () => {} } = {}) {
  const path = `/api/games/${enc(game)}/inside/${look}`;
  let answer = await get(path, signal);
  if (answer.state === "none" || again) answer = await post(path, { again }, { quiet: true, signal });
  for (;;) {
    if (answer.state === "done") return answer.found;
    progress(answer);
    await pause(POLL);
    if (signal?.aborted) throw new DOMException("nobody looks any more", "AbortError");
    answer = await get(path, signal);
    if (answer.state === "none") answer = await post(path, {}, { quiet: true, signal });
  }
}

export const enc = encodeURIComponent;

// What this browser keeps about a match: `owner`, a key for each role, `mine` (the roles of whoever sits
// here) and `setup` (who plays, for a rematch).
export function keysOf(match) {
  return JSON.parse(localStorage.getItem(`marelle-keys-${match}`) || "{}");
}

export function keepKeys(match, keys) {
  localStorage.setItem(`marelle-keys-${match}`, JSON.stringify({ ...keysOf(match), ...keys, at: Date.now() }));
}

// The ids of the matches that were begun or joined here, newest first.
export function ownMatches() {
  const prefix = "marelle-keys-";
  const all = Object.keys(localStorage).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return all.map((id) => [id, keysOf(id).at || 0]).sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

// The keys of games that were brought from here, by id.
export function ownGames() {
  return JSON.parse(localStorage.getItem("marelle-games") || "{}");
}

export function keepGame(id, owner) {
  localStorage.setItem("marelle-games", JSON.stringify({ ...ownGames(), [id]: owner }));
}

export function forgetGame(id) {
  const games = ownGames();
  delete games[id];
  localStorage.setItem("marelle-games", JSON.stringify(games));
}
