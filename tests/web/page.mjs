// node page.mjs ADDRESS BROWSER SCREENSHOTS [CASE...]: what a person does with the page, in a real
// browser, as TAP.  Run by test_page.py.
import { chromium } from "playwright-core";

const [address, executablePath, shots, ...only] = process.argv.slice(2);
const PHONE = { width: 390, height: 844 };
const cases = [];
const test = (name, run, options = {}) => cases.push({ name, run, options });

function equal(actual, expected, what) {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

function check(truth, what) {
  if (!truth) throw new Error(what);
}

// Asks again and again: the policy of the page forbids what waitForFunction does inside it.
async function until(page, truth, argument = null, milliseconds = 20000) {
  for (const end = Date.now() + milliseconds; ;) {
    if (await page.evaluate(truth, argument)) return;
    if (Date.now() > end) throw new Error(`waited in vain for ${truth}`);
    await page.waitForTimeout(40);
  }
}

const headline = (page) => page.locator(".headline");

// Starts a match of a game; `players` says by role who plays, the others stay as offered.
async function begin(page, game, players = {}, seconds = "0.2") {
  await page.goto(`${address}#/games/${game}`);
  await page.locator("#start").waitFor();
  for (const [role, player] of Object.entries(players)) await page.locator(`select[data-role="${role}"]`).selectOption(player);
  await page.getByLabel("Strength").selectOption(seconds);
  await page.locator("#start").click();
  await headline(page).waitFor();
}

// Plays whatever is open, by clicking, until the match is over; `choose(page)` makes one move.
async function playToEnd(page, choose, most = 80) {
  for (let i = 0; i < most; i++) {
    await until(page, () => /^Your move/.test(document.querySelector(".headline")?.textContent) || document.querySelector(".headline.over"), null, 30000);
    if (await page.locator(".headline.over").count()) return headline(page).textContent();
    const before = await page.locator(".history li").count();
    await choose(page);
    await until(page, (count) => document.querySelectorAll(".history li").length > count || document.querySelector(".headline.over"), before, 30000);
  }
  throw new Error("the match does not end");
}

const clickOpenSquare = async (page) => page.locator(".cell.open").first().click();
const clickFirstMove = async (page) => page.locator(".moves .move").first().click();

async function api(path) {
  return (await fetch(address.replace(/\/$/, "") + path)).json();
}

const matchOf = (page) => api(`/api/matches/${page.url().split("/match/")[1].split("?")[0]}`);

test("games are listed and can be searched", async (page) => {
  await page.goto(address);
  await page.locator(".card").first().waitFor();
  equal(await page.locator(".card").count(), 10, "cards");
  await page.getByLabel("Search games").fill("four");
  equal(await page.locator(".card strong").allTextContents(), ["Connect four"], "found");
  await page.getByLabel("Search games").fill("");
  await page.getByLabel("Players").selectOption({ label: "one player" });
  const alone = await page.locator(".card strong").allTextContents();
  check(alone.includes("Eight puzzle") && !alone.includes("Nim"), `one player: ${alone}`);
}, { shot: "games" });

test("a whole match of Tictactoe by clicking has the right result", async (page) => {
  await begin(page, "tic_tac_toe", { o: "random" });
  const said = await playToEnd(page, clickOpenSquare);
  const match = await matchOf(page);
  const cells = [...match.state.matchAll(/\(cell (\d) (\d) ([xo])\)/g)].map(([, a, b, piece]) => [`${a}${b}`, piece]);
  const at = Object.fromEntries(cells);
  const lines = ["11 12 13", "21 22 23", "31 32 33", "11 21 31", "12 22 32", "13 23 33", "11 22 33", "13 22 31"];
  const won = ["x", "o"].find((side) => lines.some((line) => line.split(" ").every((square) => at[square] === side)));
  equal(match.goals, won ? { x: won === "x" ? 100 : 0, o: won === "o" ? 100 : 0 } : { x: 50, o: 50 }, "goals");
  check(said.startsWith(won ? `${won} wins` : "A draw"), `it says ${said}`);
}, { shot: "tictactoe" });

test("the engine does not lose at Tictactoe", async (page) => {
  await begin(page, "tic_tac_toe");
  await playToEnd(page, clickOpenSquare);
  const match = await matchOf(page);
  check(match.goals.o >= 50, `the engine has ${match.goals.o}`);
  check(match.thoughts.length > 0, "it shows no thoughts");
}, { shot: "tictactoe-engine" });

test("Connect Four is played by dropping into columns", async (page) => {
  await begin(page, "connect_four", { yellow: "random" });
  equal(await page.locator(".board svg.grid .cell").count(), 42, "squares");
  await playToEnd(page, async () => {
    const squares = page.locator(".cell.open");
    await squares.nth(Math.floor((await squares.count()) / 2)).click();
  });
  const match = await matchOf(page);
  check(match.state.includes("red") && match.state.includes("yellow"), match.state);
}, { shot: "connect-four" });

test("Breakthrough is played from square to square, with the engine's hint", async (page) => {
  await begin(page, "breakthrough", { black: "random" });
  await until(page, () => /^Your move/.test(document.querySelector(".headline").textContent));
  await page.locator("#hint").click();
  await page.locator(".move .score").first().waitFor();
  await page.screenshot({ path: `${shots}/breakthrough-hint.png` });
  for (let i = 0; i < 3; i++) {
    await until(page, () => /^Your move/.test(document.querySelector(".headline").textContent));
    const before = await page.locator(".history li").count();
    await page.locator(".cell.open").first().click();
    await page.locator(".cell.open").last().click();
    await until(page, (count) => document.querySelectorAll(".history li").length > count, before);
  }
  await until(page, () => /^Your move/.test(document.querySelector(".headline").textContent));
  const turns = await page.locator(".history li").count();
  await page.locator("#back").click();
  await until(page, (count) => document.querySelectorAll(".history li").length === count, turns - 2);
}, { shot: "breakthrough" });

test("Nim is played from the list of moves", async (page) => {
  await begin(page, "nim", {});
  const said = await playToEnd(page, clickFirstMove);
  check(/wins/.test(said), said);
}, { shot: "nim" });

test("a nonogram is filled in by one person", async (page) => {
  await begin(page, "nonogram_chequers");
  const said = await playToEnd(page, clickFirstMove, 120);
  check(/scores \d+/.test(said), said);
}, { shot: "nonogram" });

test("Monty Hall hides the car until the end", async (page) => {
  await begin(page, "monty_hall");
  await page.locator(".secrets").waitFor();
  await page.locator(".moves .move").first().click();
  await until(page, () => /positions are possible/.test(document.querySelector(".secrets")?.textContent));
  check(!/\(car/.test(await page.locator("main").textContent()), "the car is shown");
  await page.screenshot({ path: `${shots}/monty-hall-hidden.png` });
  const said = await playToEnd(page, clickFirstMove);
  check(/scores (0|100)/.test(said), said);
}, { shot: "monty-hall" });

test("rules with an error say so at the right line, and play once it is mended", async (page) => {
  await page.goto(`${address}#/new`);
  const area = page.locator("textarea.editor");
  await area.waitFor();
  const rules = await area.inputValue();
  const lines = rules.split("\n");
  const wrong = lines.findIndex((line) => line.includes("(plus ?step ?n ?m))"));
  await area.fill(lines.map((line, i) => (i === wrong ? "    (plus ?step ?n ?k))" : line)).join("\n"));
  await until(page, () => document.querySelector("#verdict").textContent.includes("error"));
  const first = page.locator(".problems li.error button").first();
  const head = lines.findIndex((line) => line.includes("(legal ?r (say ?m))")) + 1;
  equal(Number(await first.getAttribute("data-line")), head, "line of the error");
  check(await page.locator(`.numbers span:nth-child(${head}).error`).count(), "the line is not marked");
  check(await page.locator("#save").isDisabled(), "it could be played");
  await page.screenshot({ path: `${shots}/rules-error.png` });
  await area.fill(rules);
  await until(page, () => document.querySelector("#verdict").textContent.startsWith("well-formed"));
  await page.getByLabel("Name of the game").fill("<b>count</b> to ten");
  await page.locator("#save").click();
  await page.locator("#start").click();
  await headline(page).waitFor();
  equal(await page.locator("h1").textContent(), "<b>count</b> to ten", "the name is text");
  const said = await playToEnd(page, clickFirstMove);
  check(/wins/.test(said), said);
}, { shot: "own-rules" });

test("a live match is watched by somebody else", async (page, context) => {
  await begin(page, "connect_four", { red: "uct", yellow: "uct" }, "1");
  const id = page.url().split("/match/")[1];
  const spectator = await context.newPage();
  await spectator.goto(`${address}#/watch`);
  await spectator.locator(`#live a[href*="${id}"]`).click();
  await until(spectator, () => document.querySelectorAll(".history li").length > 2, null, 60000);
  const seen = await spectator.locator(".history li").count();
  await until(spectator, (count) => document.querySelectorAll(".history li").length > count, seen, 60000);
  await spectator.locator(".thinking").first().waitFor();
  await spectator.screenshot({ path: `${shots}/watch.png`, fullPage: true });
  page.on("dialog", (dialog) => dialog.accept());
  await page.bringToFront();
  await page.getByText("End match").click();
  await spectator.bringToFront();
  await until(spectator, () => document.querySelector(".headline.broken"), null, 60000);
  await spectator.locator(".history button").nth(2).click();
  await until(spectator, () => document.querySelector(".timeline span").textContent.startsWith("turn 3 of"));
  equal(await spectator.locator(".piece").count(), 3, "pieces after three turns");
  await spectator.screenshot({ path: `${shots}/replay.png`, fullPage: true });
  await spectator.close();
});

test("Double Tictactoe falls into two coloured games", async (page) => {
  await page.goto(`${address}#/inside/double_tic_tac_toe`);
  await page.locator("#decomposition #verdict").waitFor({ timeout: 60000 });
  check((await page.locator("#decomposition #verdict").textContent()).startsWith("2 games in one"), "verdict");
  const colours = await page.locator("#decomposition .square").evaluateAll((all) => new Set(all.map((one) => one.style.fill)).size);
  check(colours >= 2, `${colours} colours on the board`);
  await page.locator("#symmetry .square").first().waitFor();
  await page.locator("#analysis table").waitFor({ timeout: 60000 });
}, { shot: "inside-double-tictactoe" });

test("Incredible falls into its games", async (page) => {
  await page.goto(`${address}#/inside/incredible`);
  await page.locator("#decomposition #verdict").waitFor({ timeout: 60000 });
  check(/games in one/.test(await page.locator("#decomposition #verdict").textContent()), "verdict");
  check(await page.locator("#decomposition .graph circle").count() > 10, "no graph");
  await page.locator("#circuit table").waitFor();
}, { shot: "inside-incredible" });

test("a tournament from its start to its table", async (page) => {
  await page.goto(`${address}#/tournaments`);
  await page.locator("#new summary").click();
  await page.getByLabel("Name").fill("browser cup");
  await page.getByLabel("Players, one a line").fill("uct:playouts=300\nrandom\nlegal");
  await page.locator("#begin").click();
  await until(page, () => document.querySelector(".headline.over"), null, 60000);
  equal(await page.locator("#standings tbody tr").count(), 3, "rows");
  equal(await page.locator("#standings tbody tr b").first().textContent(), "uct:playouts=300", "who won");
}, { shot: "tournament" });

test("everything works with the keyboard alone", async (page) => {
  await begin(page, "tic_tac_toe", { o: "random" });
  await playToEnd(page, async () => {
    await page.locator(".cell.open").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
  });
});

test("on a phone: the list, a match, in the dark", async (page) => {
  await page.goto(address);
  await page.locator(".card").first().waitFor();
  await page.screenshot({ path: `${shots}/phone-games.png` });
  await begin(page, "tic_tac_toe", { o: "random" });
  await playToEnd(page, clickOpenSquare);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 1, `the page is ${wide} pixels too wide`);
}, { phone: true, dark: true, shot: "phone-match" });

test("on a phone: Breakthrough, looking inside, tournaments", async (page) => {
  await begin(page, "breakthrough", { black: "random" });
  await until(page, () => /^Your move/.test(document.querySelector(".headline").textContent));
  await page.locator(".cell.open").first().click();
  await page.locator(".cell.open").last().click();
  await page.screenshot({ path: `${shots}/phone-breakthrough.png` });
  for (const path of ["/inside/double_tic_tac_toe", "/tournaments", "/watch", "/new"]) {
    await page.goto(`${address}#${path}`);
    await page.locator("h1").waitFor();
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 1, `${path} is ${wide} pixels too wide`);
  }
}, { phone: true, shot: "phone-new" });

async function runAll() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const chosen = cases.filter(({ name }) => !only.length || only.some((part) => name.includes(part)));
  console.log("TAP version 13");
  console.log(`1..${chosen.length}`);
  let number = 0;
  for (const { name, run, options } of chosen) {
    const context = await browser.newContext({ viewport: options.phone ? PHONE : { width: 1180, height: 900 }, colorScheme: options.dark ? "dark" : "light" });
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => { if (message.type() === "error" && !options.complains) complaints.push(message.text()); });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.setDefaultTimeout(20000);
    let failure = null;
    try {
      await run(page, context);
      check(!complaints.length, `the browser complains: ${complaints.join("; ")}`);
    } catch (error) {
      failure = error;
    }
    if (options.shot || failure) await page.screenshot({ path: `${shots}/${options.shot || `failed-${number}`}.png`, fullPage: true }).catch(() => {});
    console.log(`${failure ? "not ok" : "ok"} ${++number} - ${name}`);
    if (failure) console.log(String(failure.stack).replace(/^/gm, "# "));
    await context.close();
  }
  await browser.close();
}

await runAll();
