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

// Asks from outside: the page's policy forbids what waitForFunction does inside it.
async function until(holds, seconds = 30) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) if (await holds()) return;
  throw new Error(`nothing happened for ${seconds} seconds`);
}

// Plays whatever is open, by clicking, until the match is over; `choose(page)` makes one move.
async function playToEnd(page, choose, most = 80) {
  for (let i = 0; i < most; i++) {
    await until(async () => /^Your move/.test(await headline(page).textContent()) || (await page.locator(".headline.over").count()));
    if (await page.locator(".headline.over").count()) return headline(page).textContent();
    const before = await page.locator(".history li").count();
    await choose(page);
    await until(async () => (await page.locator(".history li").count()) > before || (await page.locator(".headline.over").count()));
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
