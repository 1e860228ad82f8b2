// The editor of rules: checked while they are typed, with a picture of the board beside them. A draft
// stays in the browser until it is thrown away.
import { enc, get, keepGame, lookInside, post } from "./api.js";
import { drawBoard } from "./board.js";
import { listProblems, ruleEditor } from "./rules.js";
import { TEMPLATES } from "./templates.js";
import { busy, el, failed, lookProgress, say, show, title } from "./parts.js";

const DRAFT = "marelle-draft";
const CHECK_AFTER = 250; // milliseconds of silence at the keyboard
const LOOK_AFTER = 800;
const ASK_AGAIN = 250;

function readDraft() {
  try {
    return JSON.parse(localStorage.getItem(DRAFT));
  } catch {
    return null;
  }
}

// What to begin with: a game to copy, the draft, or the first template.
async function beginning(query) {
  const from = query.get("from");
  if (from) {
    const [game, rules] = await Promise.all([get(`/api/games/${enc(from)}`), get(`/api/games/${enc(from)}/rules`)]);
    return { name: game.uploaded ? game.name : `my ${game.name}`, rules };
  }
  return readDraft() || { name: "my game", rules: TEMPLATES[0][1] };
}

export async function own(query) {
  title("Your rules");
  const first = await beginning(query);
  const leaving = new AbortController();
  const name = el("input", { type: "text", maxlength: "60", value: first.name, "aria-label": "Name of the game", oninput: () => keepDraft() });
  const verdict = el("p", { role: "status", id: "verdict" });
  const problems = el("div", {});
  const preview = el("section", { class: "preview", "aria-label": "The board" });
  const save = el("button", { type: "button", class: "primary", id: "save", disabled: true, onclick: () => keep().catch(failed) }, "Play this");
  const template = el("select", { id: "template", "aria-label": "Begin with a template", onchange: () => take(template.value) }, el("option", { value: "" }, "Begin with …"), TEMPLATES.map(([kind], i) => el("option", { value: i }, kind)));
  let [timer, lookTimer, round] = [null, null, 0];
  const keepDraft = () => localStorage.setItem(DRAFT, JSON.stringify({ name: name.value, rules: editor.area.value }));
  const take = (number) => {
    if (number === "" || !confirm("Replace what is in the editor?")) return;
    editor.area.value = TEMPLATES[number][1];
    editor.area.dispatchEvent(new Event("input"));
    template.value = "";
  };

  // Uploads the rules as a preview and waits for a look at their board.
  const look = async (mine) => {
    const answer = await post("/api/preview", { rules: editor.area.value }, { quiet: true, signal: leaving.signal });
    if (mine !== round) return;
    if (answer.state !== "done") {
      const isLong = answer.state === "running" ? answer.seconds > 2 : answer.place > 1;
      preview.replaceChildren(el("h2", {}, "The board"), isLong ? lookProgress(answer) : busy("The board is being drawn …"));
      lookTimer = setTimeout(() => look(mine).catch(() => {}), ASK_AGAIN);
      return;
    }
    const { found } = answer;
    preview.replaceChildren(el("h2", {}, "The board"), found.missing ? el("p", { class: "bad" }, found.missing) : drawBoard(found.board, found.start));
  };
  const check = async () => {
    const mine = ++round;
    const answer = await post("/api/check", { rules: editor.area.value }, { signal: leaving.signal });
    if (mine !== round) return;
    editor.mark(answer.diagnostics);
    problems.replaceChildren(listProblems(answer.diagnostics, editor.area));
    verdict.textContent = answer.ok ? `well-formed${answer.warnings ? `, ${answer.warnings} warning${answer.warnings === 1 ? "" : "s"}` : ""}` : `${answer.errors} error${answer.errors === 1 ? "" : "s"}`;
    verdict.className = answer.ok ? "good" : "bad";
    save.disabled = !answer.ok;
    clearTimeout(lookTimer);
    if (answer.ok) lookTimer = setTimeout(() => look(mine).catch(() => {}), mine > 1 ? LOOK_AFTER : 0);
  };
  const later = () => {
    clearTimeout(timer);
    save.disabled = true;
    keepDraft();
    timer = setTimeout(() => check().catch(failed), CHECK_AFTER);
  };
  const keep = async () => {
    const answer = await post("/api/games", { name: name.value, rules: editor.area.value });
    if (answer.owner) keepGame(answer.id, answer.owner);
    say("The game is there. Your draft stays in the editor.");
    location.hash = `#/games/${enc(answer.id)}`;
  };
  const editor = ruleEditor(first.rules, later);
  const file = el("input", {
    type: "file", accept: ".kif,.gdl,.txt", "aria-label": "Read rules from a file", onchange: async () => {
      if (!file.files[0]) return;
      name.value = file.files[0].name.replace(/\.[a-z]+$/, "");
      editor.area.value = await file.files[0].text();
      editor.area.dispatchEvent(new Event("input"));
    },
  });
  show(el("h1", {}, "Your rules"),
    el("p", {}, "Write, paste or open a game in GDL. It is checked as you type and can be played at once. What you write stays in this browser."),
    el("div", { class: "filters" }, el("label", {}, "Name ", name), template, file, save), verdict, problems,
    el("div", { class: "columns editor-columns" }, editor.frame, preview));
  preview.replaceChildren(el("h2", {}, "The board"), el("p", { class: "quiet" }, "A picture appears here once the rules are well-formed."));
  await check();
  return () => {
    clearTimeout(timer);
    clearTimeout(lookTimer);
    leaving.abort();
  };
}
