// Requests to the server. If the server needs a token, the user is asked once and the browser stores it.

export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.message || `the server answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

async function ask(path, options) {
  const response = await fetch(path, options);
  const type = response.headers.get("Content-Type") || "";
  const answer = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Refusal(response.status, typeof answer === "object" ? answer : {});
  return answer;
}

export const get = (path) => ask(path, {});

export async function post(path, body, again) {
  const headers = { "Content-Type": "application/json" };
  const token = localStorage.getItem("marelle-token");
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    return await ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  } catch (error) {
    if (error.status !== 401 || again) throw error;
    const given = prompt("This server needs a token for changes:");
    if (!given) throw error;
    localStorage.setItem("marelle-token", given);
    return post(path, body, true);
  }
}

// Calls `take` with each document of a stream; returns a function that ends it.
export function listen(path, take) {
  const source = new EventSource(path);
  source.onmessage = (event) => take(JSON.parse(event.data));
  return () => source.close();
}

export const enc = encodeURIComponent;

// The keys of a match that this browser stores: `owner`, and one for each role it may play.
export function keysOf(match) {
  return JSON.parse(localStorage.getItem(`marelle-keys-${match}`) || "{}");
}

export function keepKeys(match, keys) {
  localStorage.setItem(`marelle-keys-${match}`, JSON.stringify({ ...keysOf(match), ...keys }));
}
