// The games that the door shows first, where the server has them, each with a sentence.
export const FEATURED = [
  ["tic_tac_toe", "Three in a row on nine squares. With good play it is a draw; can you hold it?"],
  ["connect_four", "Drop discs into seven columns; four in a line win."],
  ["chess", "The game of kings, with castling, en passant and promotion."],
  ["breakthrough", "Two rows of pawns each: the first to reach the far side wins."],
  ["checkers", "English draughts: capturing is compulsory, and men become kings."],
  ["hex", "Join your two sides with a chain of hexagons. There are no draws."],
  ["reversi", "Enclose the other's discs to turn them over; the most discs win."],
  ["nine_mens_morris", "Three in a line take a man from the board."],
  ["sudoku", "For one: every digit once in each row, column and box."],
  ["backgammon", "A race with dice, where lone men can be hit."],
  ["kuhn_poker", "Three cards, one bet: the smallest poker in which bluffing pays."],
  ["double_tic_tac_toe", "Two boards at once. The program finds out that it is two games in one."],
];
