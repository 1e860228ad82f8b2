// Moves in words: squares by their names, as the board of the game knows them, without those who only wait.
import { moveText } from "./parts.js";

const AXES = new Set(["x", "y"]);
const isLetter = (text) => /^[a-z]$/i.test(text);
const isNumber = (text) => /^\d+$/.test(text);

// "e4" for a letter and a number in either order, else "2,8".
function squareText(a, b) {
  if (isLetter(a) && isNumber(b)) return a + b;
  if (isNumber(a) && isLetter(b)) return b + a;
  return `${a},${b}`;
}

// "e2–e4" for (move e 2 e 4); "place 2,8" for (place 2 8). Without a board the move as it is.
export function moveWords(move, board) {
  const text = moveText(move);
  const [name, ...values] = text.split(" ");
  if (!move.startsWith("(") || text.includes("(")) return text;
  const axes = board?.moves.find((one) => one.name === name && one.arity === values.length && one.axes.length === values.length)?.axes || "";
  const words = [];
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const isPair = AXES.has(axes[i]) && AXES.has(axes[i + 1]) && axes[i] !== axes[i + 1];
    const word = isPair ? squareText(values[i], values[i + 1]) : values[i].replaceAll("_", " ");
    if (isPair && words.length && squares && words.isSquare) words.push(`${words.pop()}–${word}`);
    else words.push(word);
    words.isSquare = isPair;
    squares += isPair;
    i += isPair;
  }
  return (name === "move" && squares > 1 ? words : [name.replaceAll("_", " "), ...words]).join(" ");
}

// The moves of those who did something, as [role number, move]. Who plays a word while another player
// makes a move of several words most likely only waits; chance alone makes nobody wait.
export function busyMoves(moves, roles = []) {
  const known = moves.map((move, i) => [i, move]).filter(([, move]) => move !== null);
  const waits = ([i, move]) => move === "noop" || known.some(([k, other]) => k !== i && roles[k] !== "random" && other.startsWith("("));
  const busy = known.filter((one) => one[1].startsWith("(") || !waits(one));
  return busy.length ? busy : known;
}

// A joint move in words.
export const jointText = (moves, board, roles) => busyMoves(moves, roles).map(([, move]) => moveWords(move, board)).join(" · ") || "?";
