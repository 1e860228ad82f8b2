#!/usr/bin/env python3
"""Write game descriptions (GDL, prefix form) for families of board sizes.

The description goes to the standard output:

    python3 games/generate.py connect_four --columns 5 --rows 4
    python3 games/generate.py nim --heaps 3,4,5 --misere

With no option a family gives the game stored beside this script, byte for
byte (sliding gives eight_puzzle, nim --misere gives nim_misere).  --check
verifies that for every family (exit status 0 or 1), --update rewrites the
stored files.
"""

import argparse
import pathlib
import sys

import compound
import dice
import hidden
import shared
from layout import (ALTERNATE_BASE, ALTERNATE_NEXT, ALTERNATE_NOOP,
                    NOOP_INPUT, chain, fill, header, numbers, require,
                    two_roles)

HERE = pathlib.Path(__file__).resolve().parent


# ----------------------------------------------------------- connect_four

def connect_four(columns=7, rows=6, line=4):
    require(line >= 2 and columns >= 1 and rows >= 1
            and max(columns, rows) >= line, "the line does not fit the board")
    span = range(1, line + 1)

    def line_rule(comment, column, row):
        premises = []
        for i in span:
            if i > 1 and column:
                premises.append(f"(succ ?column{i - 1} ?column{i})")
            if i > 1 and row:
                premises.append(f"(succ ?row{i - 1} ?row{i})" if row > 0
                                else f"(succ ?row{i} ?row{i - 1})")
            premises.append("(true (cell {} {} ?player))".format(
                f"?column{i}" if column else "?column",
                f"?row{i}" if row else "?row"))
        body = "\n".join("    " + premise for premise in premises)
        return f"; {comment}\n(<= (line ?player)\n{body})"

    known = ("the first player wins with perfect play, starting in the "
             "middle column (Allen, Allis, 1988)."
             if (columns, rows, line) == (7, 6, 4) else
             "none recorded for this size.")
    return f"""\
{header("Connect Four",
        Rules=f'''The players drop discs in turn into one of {columns} columns
        that are {rows} cells high; a disc falls to the lowest free cell.  The
        first to have {line} discs in a row, horizontally, vertically or
        diagonally, wins (100/0).  A full board without such a line is a
        draw (50/50).''',
        Roles="red (moves first) and yellow.",
        Structure=f'''two players, alternating, at most {columns * rows}
        turns.''',
        Known=known,
        Source="traditional game, sold as Connect Four since 1974.")}

{two_roles("red", "yellow")}

; ---- Board ----

{numbers("column", 1, columns)}
{numbers("row", 1, rows)}
{chain("succ", 1, max(columns, rows))}

; ---- Fluents and moves ----

; Only discs are recorded; a cell without a disc is empty.
(<= (base (cell ?column ?row ?player))
    (column ?column)
    (row ?row)
    (role ?player))
{ALTERNATE_BASE}

(<= (input ?player (drop ?column))
    (role ?player)
    (column ?column))
{NOOP_INPUT}

; ---- Start ----

(init (control red))

; ---- Legal moves ----

(<= (legal ?player (drop ?column))
    (true (control ?player))
    (landing ?column ?row))
{ALTERNATE_NOOP}

; ---- Next state ----

(<= (next (cell ?column ?row ?player))
    (does ?player (drop ?column))
    (landing ?column ?row))
(<= (next (cell ?column ?row ?player))
    (true (cell ?column ?row ?player)))
{ALTERNATE_NEXT}

; ---- Where a disc lands ----

(<= (filled ?column ?row)
    (true (cell ?column ?row ?player)))

(<= (landing ?column 1)
    (column ?column)
    (not (filled ?column 1)))
(<= (landing ?column ?row)
    (filled ?column ?below)
    (succ ?below ?row)
    (row ?row)
    (not (filled ?column ?row)))

(<= open
    (landing ?column ?row))

; ---- Lines ----

{line_rule("along a row", 1, 0)}
{line_rule("along a column", 0, 1)}
{line_rule("rising diagonal", 1, 1)}
{line_rule("falling diagonal", 1, -1)}

(<= decided
    (line ?player))

; ---- End and goals ----

(<= terminal
    decided)
(<= terminal
    (not open))

(<= (goal ?player 100)
    (line ?player))
(<= (goal ?player 0)
    (opponent ?player ?other)
    (line ?other))
(<= (goal ?player 50)
    (role ?player)
    (not decided))
"""


# ----------------------------------------------------------- breakthrough

def breakthrough(columns=8, rows=8):
    require(columns >= 2 and rows >= 4, "at least 2 columns and 4 rows")

    def pawns(player, *lines):
        return "\n".join(fill(f"(init (cell {column} {row} {player}))"
                              for column in range(1, columns + 1))
                         for row in lines)

    return f"""\
{header("Breakthrough",
        Rules=f'''Each side has two rows of pawns on a board of {columns}
        columns and {rows} rows.  A pawn advances one row, straight or
        diagonally, to a cell that holds no piece; it captures an enemy pawn
        by a diagonal step only.  The first to reach the far row wins; so
        does a side that has captured every enemy pawn (100/0).  There are
        no draws, and the side to move can always move.''',
        Roles="white (moves first, up the rows) and black.",
        Structure="two players, alternating.",
        Known=f'''{columns + 2 * (columns - 1)} first moves; deep and wide,
        hard for plain UCT.''',
        Source="invented by Dan Troyka, 2000.")}

{two_roles("white", "black")}

; ---- Board ----

{numbers("column", 1, columns)}
{numbers("row", 1, rows)}
{chain("succ", 1, max(columns, rows))}

; The rows run forward for white and backward for black.
(<= (ahead white ?row1 ?row2)
    (row ?row1)
    (row ?row2)
    (succ ?row1 ?row2))
(<= (ahead black ?row2 ?row1)
    (ahead white ?row1 ?row2))

(<= (beside ?column1 ?column2)
    (column ?column1)
    (column ?column2)
    (succ ?column1 ?column2))
(<= (beside ?column2 ?column1)
    (column ?column1)
    (column ?column2)
    (succ ?column1 ?column2))

(far_row white {rows})
(far_row black 1)

; ---- Fluents and moves ----

; Only pawns are recorded; a cell without a pawn is empty.
(<= (base (cell ?column ?row ?player))
    (column ?column)
    (row ?row)
    (role ?player))
{ALTERNATE_BASE}

; (move from-column from-row to-column to-row)
(<= (input ?player (move ?column ?row1 ?column ?row2))
    (column ?column)
    (ahead ?player ?row1 ?row2))
(<= (input ?player (move ?column1 ?row1 ?column2 ?row2))
    (beside ?column1 ?column2)
    (ahead ?player ?row1 ?row2))
{NOOP_INPUT}

; ---- Start ----

{pawns("white", 1, 2)}
{pawns("black", rows - 1, rows)}
(init (control white))

; ---- Legal moves ----

; straight, to an empty cell
(<= (legal ?player (move ?column ?row1 ?column ?row2))
    (true (control ?player))
    (true (cell ?column ?row1 ?player))
    (ahead ?player ?row1 ?row2)
    (not (occupied ?column ?row2)))
; diagonally, to an empty cell or onto an enemy pawn
(<= (legal ?player (move ?column1 ?row1 ?column2 ?row2))
    (true (control ?player))
    (true (cell ?column1 ?row1 ?player))
    (ahead ?player ?row1 ?row2)
    (beside ?column1 ?column2)
    (not (true (cell ?column2 ?row2 ?player))))
{ALTERNATE_NOOP}

(<= (occupied ?column ?row)
    (true (cell ?column ?row ?player)))

; ---- Next state ----

(<= (next (cell ?column2 ?row2 ?player))
    (does ?player (move ?column1 ?row1 ?column2 ?row2)))
(<= (next (cell ?column ?row ?player))
    (true (cell ?column ?row ?player))
    (not (touched ?column ?row)))
{ALTERNATE_NEXT}

; A move touches the cell it leaves and the cell it enters.
(<= (touched ?column1 ?row1)
    (does ?player (move ?column1 ?row1 ?column2 ?row2)))
(<= (touched ?column2 ?row2)
    (does ?player (move ?column1 ?row1 ?column2 ?row2)))

; ---- End and goals ----

(<= (wins ?player)
    (far_row ?player ?row)
    (true (cell ?column ?row ?player)))
(<= (wins ?player)
    (opponent ?player ?other)
    (not (alive ?other)))

(<= (alive ?player)
    (true (cell ?column ?row ?player)))

(<= terminal
    (wins ?player))

(<= (goal ?player 100)
    (wins ?player))
(<= (goal ?player 0)
    (role ?player)
    (not (wins ?player)))
"""


# -------------------------------------------------------------------- hex

def hex_board(size=9):
    require(size >= 2, "the size must be at least 2")
    return f"""\
{header("Hex",
        Rules=f'''The players in turn colour one empty cell of a rhombus of
        {size} x {size} hexagons.  Red wins by joining the first row to the
        last with a chain of neighbouring red cells, blue by joining the
        first column to the last (100/0).  Cell (column, row) touches the
        cells one step away along its row and its column, and the two at
        (column + 1, row - 1) and (column - 1, row + 1).  No swap rule.''',
        Roles="red (moves first) and blue.",
        Structure=f'''two players, alternating, at most {size * size}
        turns.''',
        Known='''a draw is impossible, and the first player wins with perfect
        play (strategy stealing).''',
        Source="invented by Piet Hein (1942) and John Nash (1948).")}

{two_roles("red", "blue")}

; ---- Board ----

{numbers("index", 1, size)}
{chain("succ", 1, size)}

(<= (next_to ?column1 ?row ?column2 ?row)
    (index ?row)
    (succ ?column1 ?column2))
(<= (next_to ?column ?row1 ?column ?row2)
    (index ?column)
    (succ ?row1 ?row2))
(<= (next_to ?column2 ?row1 ?column1 ?row2)
    (succ ?column1 ?column2)
    (succ ?row1 ?row2))

(<= (neighbour ?column1 ?row1 ?column2 ?row2)
    (next_to ?column1 ?row1 ?column2 ?row2))
(<= (neighbour ?column1 ?row1 ?column2 ?row2)
    (next_to ?column2 ?row2 ?column1 ?row1))

; The two sides that each player has to join.
(<= (near_side red ?column 1)
    (index ?column))
(<= (far_side red ?column {size})
    (index ?column))
(<= (near_side blue 1 ?row)
    (index ?row))
(<= (far_side blue {size} ?row)
    (index ?row))

; ---- Fluents and moves ----

; Only coloured cells are recorded.
(<= (base (cell ?column ?row ?player))
    (index ?column)
    (index ?row)
    (role ?player))
{ALTERNATE_BASE}

(<= (input ?player (place ?column ?row))
    (role ?player)
    (index ?column)
    (index ?row))
{NOOP_INPUT}

; ---- Start ----

(init (control red))

; ---- Legal moves ----

(<= (legal ?player (place ?column ?row))
    (true (control ?player))
    (index ?column)
    (index ?row)
    (not (coloured ?column ?row)))
{ALTERNATE_NOOP}

(<= (coloured ?column ?row)
    (true (cell ?column ?row ?player)))

; ---- Next state ----

(<= (next (cell ?column ?row ?player))
    (does ?player (place ?column ?row)))
(<= (next (cell ?column ?row ?player))
    (true (cell ?column ?row ?player)))
{ALTERNATE_NEXT}

; ---- Chains ----

; The cell is coloured and joined to the near side of its owner.
(<= (joined ?player ?column ?row)
    (near_side ?player ?column ?row)
    (true (cell ?column ?row ?player)))
(<= (joined ?player ?column2 ?row2)
    (joined ?player ?column1 ?row1)
    (neighbour ?column1 ?row1 ?column2 ?row2)
    (true (cell ?column2 ?row2 ?player)))

(<= (wins ?player)
    (far_side ?player ?column ?row)
    (joined ?player ?column ?row))

; ---- End and goals ----

(<= terminal
    (wins ?player))

(<= (goal ?player 100)
    (wins ?player))
(<= (goal ?player 0)
    (role ?player)
    (not (wins ?player)))
"""


# ------------------------------------------------------------------ chomp

def chomp(rows=4, columns=7):
    require(min(rows, columns) >= 1 and rows * columns >= 2,
            "the bar needs at least two squares")
    return f"""\
{header("Chomp",
        Rules=f'''A bar of chocolate has {rows} rows and {columns} columns.
        The players in turn bite a remaining square: it vanishes with every
        square whose row and column are both equal or greater.  Square
        (1, 1) is poisoned: who eats it loses (0/100).''',
        Roles="first (moves first) and second.",
        Structure=f'''two players, alternating, impartial, at most
        {rows * columns} turns.''',
        Known='''the first player wins on every bar of more than one square
        (strategy stealing).''',
        Source="Frederik Schuh (1952), David Gale (1974).")}

{two_roles("first", "second")}

; ---- Board ----

{numbers("row", 1, rows)}
{numbers("column", 1, columns)}
{numbers("index", 1, max(rows, columns))}
{chain("succ", 1, max(rows, columns))}

; The second index is equal to the first or greater.
(<= (at_least ?index ?index)
    (index ?index))
(<= (at_least ?low ?high)
    (at_least ?low ?middle)
    (succ ?middle ?high))

; ---- Fluents and moves ----

(<= (base (square ?row ?column))
    (row ?row)
    (column ?column))
{ALTERNATE_BASE}

(<= (input ?player (bite ?row ?column))
    (role ?player)
    (row ?row)
    (column ?column))
{NOOP_INPUT}

; ---- Start ----

(<= (init (square ?row ?column))
    (row ?row)
    (column ?column))
(init (control first))

; ---- Legal moves ----

(<= (legal ?player (bite ?row ?column))
    (true (control ?player))
    (true (square ?row ?column)))
{ALTERNATE_NOOP}

; ---- Next state ----

(<= (next (square ?row ?column))
    (true (square ?row ?column))
    (not (eaten ?row ?column)))
{ALTERNATE_NEXT}

(<= (eaten ?row ?column)
    (does ?player (bite ?row1 ?column1))
    (at_least ?row1 ?row)
    (row ?row)
    (at_least ?column1 ?column)
    (column ?column))

; ---- End and goals ----

; The poisoned square is gone: the player to move did not eat it.
(<= terminal
    (not (true (square 1 1))))

(<= (goal ?player 100)
    (true (control ?player))
    (not (true (square 1 1))))
(<= (goal ?player 0)
    (true (control ?other))
    (opponent ?player ?other)
    (not (true (square 1 1))))
(<= (goal ?player 50)
    (role ?player)
    (true (square 1 1)))
"""


# ------------------------------------------------------------ domineering

def domineering(size=4):
    require(size >= 2, "a domino needs two squares")
    known = "; the first player wins" if size == 4 else ""
    return f"""\
{header("Domineering",
        Rules=f'''A board of {size} x {size} squares. The players in turn
        cover two free neighbouring squares with a domino: one player lays
        them upright, the other flat. The move (place row column) names the
        upper or the left one of the two squares. Who cannot move loses
        (100/0).''',
        Roles="upright (moves first) and flat.",
        Structure=f'''two players, alternating, at most {size * size // 2}
        turns; dominoes fence off areas, so that the board falls into
        independent games during a match.''',
        Known=f"{size * (size - 1)} first moves{known}.",
        Source="game of Goran Andersson (about 1973), rules written afresh.")}

{two_roles("upright", "flat")}

; ---- Board ----

{chain("succ", 1, size)}
{numbers("line", 1, size)}

; the squares that a domino of the player covers: row and column of each
(<= (domino upright ?row1 ?column ?row2 ?column)
    (succ ?row1 ?row2)
    (line ?column))
(<= (domino flat ?row ?column1 ?row ?column2)
    (succ ?column1 ?column2)
    (line ?row))

; ---- Fluents and moves ----

(<= (base (free ?row ?column))
    (line ?row)
    (line ?column))
{ALTERNATE_BASE}

(<= (input ?player (place ?row ?column))
    (domino ?player ?row ?column ?row2 ?column2))
{NOOP_INPUT}

; ---- Start ----

(<= (init (free ?row ?column))
    (line ?row)
    (line ?column))
(init (control upright))

; ---- Legal moves ----

(<= (fits ?player ?row ?column)
    (domino ?player ?row ?column ?row2 ?column2)
    (true (free ?row ?column))
    (true (free ?row2 ?column2)))

(<= (legal ?player (place ?row ?column))
    (true (control ?player))
    (fits ?player ?row ?column))
{ALTERNATE_NOOP}

; ---- Next state ----

(<= (next (free ?row ?column))
    (true (free ?row ?column))
    (not (covered ?row ?column)))
{ALTERNATE_NEXT}

(<= (covered ?row ?column)
    (does ?player (place ?row ?column)))
(<= (covered ?row2 ?column2)
    (does ?player (place ?row ?column))
    (domino ?player ?row ?column ?row2 ?column2))

; ---- End and goals ----

(<= (can_move ?player)
    (fits ?player ?row ?column))
(<= stuck
    (true (control ?player))
    (not (can_move ?player)))

(<= terminal
    stuck)

(<= (goal ?player 0)
    (true (control ?player))
    stuck)
(<= (goal ?other 100)
    (true (control ?player))
    (opponent ?player ?other)
    stuck)
(<= (goal ?player 50)
    (role ?player)
    (not stuck))
"""


# -------------------------------------------------------------------- nim

def nim(heaps=(1, 5, 4, 2), misere=False):
    require(heaps and min(heaps) >= 1, "every heap needs a match")
    require(len(heaps) <= 26, "at most 26 heaps")
    names = "abcdefghijklmnopqrstuvwxyz"[:len(heaps)]
    total = 0
    for heap in heaps:
        total ^= heap
    if misere and max(heaps) == 1:
        total = 1 - total
    sizes = fill(f"(size {name} {heap})" for name, heap in zip(names, heaps))
    last, other = ("loses", "wins") if misere else ("wins", "loses")
    winner, loser = ("?player", "?other") if misere else ("?other", "?player")
    return f"""\
{header("Nim, misere play" if misere else "Nim",
        Rules=f'''There are {len(heaps)} heaps of {' '.join(map(str, heaps))}
        matches.  The players in turn take one or more matches from one heap:
        the move (reduce heap n) leaves n matches there.  Who takes the last
        match of all {last}
        {'(0/100)' if misere else '(100/0)'}.''',
        Roles="first (moves first) and second.",
        Structure=f'''two players, alternating, impartial, a sum of
        {len(heaps)} independent heaps; at most {sum(heaps)} turns.''',
        Known=f'''the {'first' if total else 'second'} player wins
        ({'misere' if misere else 'the'} nim rule: the exclusive or of the
        heaps{' decides as in normal play while a heap exceeds 1)' if misere
              else f' is {total})'}.''',
        Source="traditional game, solved by Charles Bouton (1901).")}

{two_roles("first", "second")}

; ---- Heaps ----

{sizes}
{chain("succ", 0, max(heaps))}

(<= (smaller ?low ?high)
    (succ ?low ?high))
(<= (smaller ?low ?high)
    (smaller ?low ?middle)
    (succ ?middle ?high))

; ---- Fluents and moves ----

(<= (base (heap ?heap ?size))
    (size ?heap ?size))
(<= (base (heap ?heap ?left))
    (size ?heap ?size)
    (smaller ?left ?size))
{ALTERNATE_BASE}

(<= (input ?player (reduce ?heap ?left))
    (role ?player)
    (size ?heap ?size)
    (smaller ?left ?size))
{NOOP_INPUT}

; ---- Start ----

(<= (init (heap ?heap ?size))
    (size ?heap ?size))
(init (control first))

; ---- Legal moves ----

(<= (legal ?player (reduce ?heap ?left))
    (true (control ?player))
    (true (heap ?heap ?count))
    (smaller ?left ?count))
{ALTERNATE_NOOP}

; ---- Next state ----

(<= (next (heap ?heap ?left))
    (does ?player (reduce ?heap ?left)))
(<= (next (heap ?heap ?count))
    (true (heap ?heap ?count))
    (not (reduced ?heap)))
{ALTERNATE_NEXT}

(<= (reduced ?heap)
    (does ?player (reduce ?heap ?left)))

; ---- End and goals ----

(<= matches_left
    (true (heap ?heap ?count))
    (distinct ?count 0))

(<= terminal
    (not matches_left))

; At the end the player to move did not take the last match and {other}.
(<= (goal {winner} 100)
    (true (control ?player))
    (opponent ?player ?other)
    (not matches_left))
(<= (goal {loser} 0)
    (true (control ?player))
    (opponent ?player ?other)
    (not matches_left))
(<= (goal ?player 50)
    (role ?player)
    matches_left)
"""


# ----------------------------------------------------------------- queens

def queens_board(size):
    """Facts and rules shared by the two queens games."""
    return f"""\
; ---- Role and board ----

(role player)

{numbers("index", 1, size)}
{chain("succ", 0, size)}

(<= (adjacent ?index1 ?index2)
    (index ?index1)
    (succ ?index1 ?index2))

; ---- Lines of the board ----

; The square of row 2 and column 2 follows the other on a line of that kind.
(<= (follows row ?row ?column1 ?row ?column2)
    (index ?row)
    (adjacent ?column1 ?column2))
(<= (follows column ?row1 ?column ?row2 ?column)
    (index ?column)
    (adjacent ?row1 ?row2))
(<= (follows falling ?row1 ?column1 ?row2 ?column2)
    (adjacent ?row1 ?row2)
    (adjacent ?column1 ?column2))
(<= (follows rising ?row2 ?column1 ?row1 ?column2)
    (adjacent ?row1 ?row2)
    (adjacent ?column1 ?column2))

(kind row) (kind column) (kind falling) (kind rising)

(<= (inside ?kind ?row2 ?column2)
    (follows ?kind ?row1 ?column1 ?row2 ?column2))

; A line is named by its kind and its first square.
(<= (on_line ?row ?column ?kind ?row ?column)
    (kind ?kind)
    (index ?row)
    (index ?column)
    (not (inside ?kind ?row ?column)))
(<= (on_line ?row2 ?column2 ?kind ?row ?column)
    (on_line ?row1 ?column1 ?kind ?row ?column)
    (follows ?kind ?row1 ?column1 ?row2 ?column2))

; ---- Fluents and moves ----

(<= (base (queen ?row ?column))
    (index ?row)
    (index ?column))
(base (placed 0))
(<= (base (placed ?count))
    (index ?count))

(<= (input player (place ?row ?column))
    (index ?row)
    (index ?column))

; ---- Start ----

(init (placed 0))"""


QUEENS_NEXT = """\
; ---- Next state ----

(<= (next (queen ?row ?column))
    (does player (place ?row ?column)))
(<= (next (queen ?row ?column))
    (true (queen ?row ?column)))
(<= (next (placed ?more))
    (true (placed ?count))
    (succ ?count ?more))"""

QUEENS_COUNTS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352,
                 10: 724, 11: 2680, 12: 14200, 13: 73712, 14: 365596,
                 15: 2279184, 16: 14772512}


def queens_solutions(size):
    if size in QUEENS_COUNTS:
        return f"{QUEENS_COUNTS[size]} solutions."
    return "solutions exist for every size from 4."


def queens_guided(size=8):
    require(size >= 1, "the size must be positive")
    scores = fill(f"(score {count} {100 * count // size})"
                  for count in range(size + 1))
    return f"""\
{header(f"Queens {size} x {size}, guided by the legal moves",
        Rules=f'''Place queens one by one on a board of {size} x {size}.  A
        square that a queen attacks along its row, its column or a diagonal
        is illegal, and queens stay where they are.  The game ends when no
        square is left.  The score is the part of the {size} queens that have
        been placed, in per cent, rounded down.''',
        Roles="player.",
        Structure=f"one player, at most {size} turns.",
        Known=queens_solutions(size),
        Source="the eight queens problem, Max Bezzel (1848).")}

{queens_board(size)}

; ---- Legal moves ----

(<= (legal player (place ?row ?column))
    (safe ?row ?column))

(<= (safe ?row ?column)
    (index ?row)
    (index ?column)
    (not (attacked ?row ?column)))

(<= (attacked ?row ?column)
    (on_line ?row ?column ?kind ?row1 ?column1)
    (taken ?kind ?row1 ?column1))

; The line holds a queen.
(<= (taken ?kind ?row1 ?column1)
    (true (queen ?row ?column))
    (on_line ?row ?column ?kind ?row1 ?column1))

{QUEENS_NEXT}

; ---- End and goals ----

(<= can_place
    (safe ?row ?column))

(<= terminal
    (not can_place))

(<= (goal player ?score)
    (true (placed ?count))
    (score ?count ?score))

{scores}
"""


def queens_unguided(size=8):
    require(size >= 1, "the size must be positive")
    return f"""\
{header(f"Queens {size} x {size}, unguided",
        Rules=f'''Place {size} queens one by one on any empty squares of a
        board of {size} x {size}; queens stay where they are.  When all stand
        the score is 100 if no two of them share a row, a column or a
        diagonal, and 0 otherwise.''',
        Roles="player.",
        Structure=f"one player, exactly {size} turns.",
        Known=queens_solutions(size),
        Source="the eight queens problem, Max Bezzel (1848).")}

{queens_board(size)}

; ---- Legal moves ----

(<= (legal player (place ?row ?column))
    (index ?row)
    (index ?column)
    (not (true (queen ?row ?column))))

{QUEENS_NEXT}

; ---- End and goals ----

(<= clash
    (true (queen ?row1 ?column1))
    (true (queen ?row2 ?column2))
    (on_line ?row1 ?column1 ?kind ?row ?column)
    (on_line ?row2 ?column2 ?kind ?row ?column)
    (distinct ?row1 ?row2))
(<= clash
    (true (queen ?row ?column1))
    (true (queen ?row ?column2))
    (distinct ?column1 ?column2))

(<= terminal
    (true (placed {size})))

(<= (goal player 100)
    (true (placed {size}))
    (not clash))
(<= (goal player 0)
    (true (placed {size}))
    clash)
(<= (goal player 0)
    (true (placed ?count))
    (distinct ?count {size}))
"""


# ---------------------------------------------------------------- sliding

def sliding(rows=3, columns=3, limit=None):
    require(rows >= 2 and columns >= 2, "at least 2 rows and 2 columns")
    classic = (rows, columns, limit or 60) == (3, 3, 60)
    limit = limit or (60 if classic else 8 * rows * columns)
    require(limit >= 1, "the limit must be positive")
    count = rows * columns - 1
    tiles = list(range(count, 0, -1))
    if count * (count - 1) // 2 % 2:        # an odd order cannot be solved
        tiles[-2:] = reversed(tiles[-2:])
    tiles.append("blank")
    home = list(range(1, count + 1)) + ["blank"]

    def board(form, contents):
        return "\n".join(
            fill(form.format(row + 1, column + 1,
                             contents[row * columns + column])
                 for column in range(columns))
            for row in range(rows))

    start = " / ".join(" ".join(map(str, tiles[row * columns:][:columns]))
                       for row in range(rows))
    if classic:
        scoring = """Solved after exactly 30 moves it scores 100, after any
        other number of moves below 60 it scores 99, else 0."""
        known = """9!/2 = 181440 positions; the shortest solution has 30
        moves, so 100 means optimal play."""
        goals = """\
(<= (goal player 100)
    solved
    (true (step 30)))
(<= (goal player 99)
    solved
    (true (step ?step))
    (distinct ?step 30)
    (distinct ?step 60))
(<= (goal player 0)
    solved
    (true (step 60)))
(<= (goal player 0)
    (not solved))"""
    else:
        scoring = f"Solved within {limit} moves it scores 100, else 0."
        known = "a solution exists; its length is not recorded."
        goals = """\
(<= (goal player 100)
    solved)
(<= (goal player 0)
    (not solved))"""
    title = {8: "Eight Puzzle", 15: "Fifteen Puzzle"}.get(
        count if rows == columns else 0,
        f"Sliding puzzle, {rows} x {columns}")
    return f"""\
{header(title,
        Rules=f'''{count} numbered tiles and a blank fill {rows} rows and
        {columns} columns.  A move slides a tile beside the blank into it.
        The start is {start}; the goal is the natural order with the blank
        last.  {scoring}  The game ends when solved, or after {limit}
        moves.''',
        Roles="player.",
        Structure=f"one player, a step counter, at most {limit} turns.",
        Known=known,
        Source="Noyes Chapman's Fifteen Puzzle (1880).")}

; ---- Role and board ----

(role player)

{numbers("row", 1, rows)}
{numbers("column", 1, columns)}
{numbers("tile", 1, count)}
(content blank)
(<= (content ?tile)
    (tile ?tile))

{chain("succ", 0, max(rows, columns, limit))}

(<= (next_to ?row ?column1 ?row ?column2)
    (row ?row)
    (column ?column1)
    (column ?column2)
    (succ ?column1 ?column2))
(<= (next_to ?row1 ?column ?row2 ?column)
    (column ?column)
    (row ?row1)
    (row ?row2)
    (succ ?row1 ?row2))

(<= (adjacent ?row1 ?column1 ?row2 ?column2)
    (next_to ?row1 ?column1 ?row2 ?column2))
(<= (adjacent ?row1 ?column1 ?row2 ?column2)
    (next_to ?row2 ?column2 ?row1 ?column1))

; Where each tile has to go.
{board("(home {} {} {})", home)}

; ---- Fluents and moves ----

(<= (base (cell ?row ?column ?content))
    (row ?row)
    (column ?column)
    (content ?content))
(base (step 0))
(<= (base (step ?step))
    (succ ?before ?step))

(<= (input player (slide ?row ?column))
    (row ?row)
    (column ?column))

; ---- Start ----

{board("(init (cell {} {} {}))", tiles)}
(init (step 0))

; ---- Legal moves ----

; Slide the tile of this cell into the blank.
(<= (legal player (slide ?row ?column))
    (true (cell ?row1 ?column1 blank))
    (adjacent ?row1 ?column1 ?row ?column))

; ---- Next state ----

(<= (next (cell ?row ?column blank))
    (does player (slide ?row ?column)))
(<= (next (cell ?row1 ?column1 ?tile))
    (does player (slide ?row ?column))
    (true (cell ?row ?column ?tile))
    (adjacent ?row ?column ?row1 ?column1)
    (true (cell ?row1 ?column1 blank))
    (tile ?tile))
(<= (next (cell ?row ?column ?tile))
    (true (cell ?row ?column ?tile))
    (tile ?tile)
    (not (does player (slide ?row ?column))))
(<= (next (step ?after))
    (true (step ?step))
    (succ ?step ?after))

; ---- End and goals ----

(<= misplaced
    (true (cell ?row ?column ?tile))
    (not (home ?row ?column ?tile)))
(<= solved
    (not misplaced))

(<= terminal
    solved)
(<= terminal
    (true (step {limit})))

{goals}
"""


# ------------------------------------------------------------- lights_out

def lights_out(size=5, limit=None):
    require(size >= 1, "the size must be positive")
    classic = size == 5
    limit = limit or (20 if classic else size * size)
    require(limit >= 1, "the limit must be positive")
    if classic:
        start = ["..X..", "X..XX", ".X.X.", "..XXX", "..X.."]
        lamps = "some lit at the start (X in the figure)"
        figure = "\n;" + "".join(f"\n;   {line}" for line in start)
        known = "the shortest solution has 9 presses."
    else:
        start = ["X" * size] * size
        lamps, figure = "all lit at the start", ""
        known = "the full board has a solution for every size (Sutner, 1989)."
    lit = "\n".join(
        fill(f"(init (lit {row} {column}))"
             for column, mark in enumerate(line, 1) if mark == "X")
        for row, line in enumerate(start, 1))
    return f"""\
{header("Lights Out",
        Rules=f'''A board of {size} x {size} lamps, {lamps}.  Pressing a
        lamp toggles it and the lamps above, below, left and right of it.
        All lamps off within {limit} presses scores 100, else 0.''',
        Roles="player.",
        Structure=f"one player, a step counter, at most {limit} turns.",
        Known=known,
        Source="hand-held game by Tiger Electronics (1995).")}{figure}

; ---- Role and board ----

(role player)

{numbers("index", 1, size)}
{chain("succ", 0, max(size, limit))}

(<= (adjacent ?index1 ?index2)
    (index ?index1)
    (index ?index2)
    (succ ?index1 ?index2))
(<= (adjacent ?index2 ?index1)
    (index ?index1)
    (index ?index2)
    (succ ?index1 ?index2))

; ---- Fluents and moves ----

(<= (base (lit ?row ?column))
    (index ?row)
    (index ?column))
(base (step 0))
(<= (base (step ?step))
    (succ ?before ?step))

(<= (input player (press ?row ?column))
    (index ?row)
    (index ?column))

; ---- Start ----

{lit}
(init (step 0))

; ---- Legal moves ----

(<= (legal player (press ?row ?column))
    (index ?row)
    (index ?column))

; ---- Next state ----

(<= (next (lit ?row ?column))
    (true (lit ?row ?column))
    (not (toggled ?row ?column)))
(<= (next (lit ?row ?column))
    (toggled ?row ?column)
    (not (true (lit ?row ?column))))
(<= (next (step ?after))
    (true (step ?step))
    (succ ?step ?after))

(<= (toggled ?row ?column)
    (does player (press ?row ?column)))
(<= (toggled ?row ?column)
    (does player (press ?row1 ?column))
    (adjacent ?row1 ?row))
(<= (toggled ?row ?column)
    (does player (press ?row ?column1))
    (adjacent ?column1 ?column))

; ---- End and goals ----

(<= some_lit
    (true (lit ?row ?column)))

(<= terminal
    (not some_lit))
(<= terminal
    (true (step {limit})))

(<= (goal player 100)
    (not some_lit))
(<= (goal player 0)
    some_lit)
"""


def clue_lines(text):
    """"2 1-3" -> [[2], [1, 3]]: the runs of each line, 0 for none."""
    try:
        return [[int(run) for run in line.split("-") if run != "0"]
                for line in text.split()]
    except ValueError:
        raise argparse.ArgumentTypeError('expected clues such as "2 1-3 0"')


def clue_facts(kind, lines):
    facts = []
    for place, runs in enumerate(lines, 1):
        for number, length in enumerate(runs, 1):
            facts.append(f"(clue ({kind} {place}) {number} {length})")
        facts.append(f"(last_run ({kind} {place}) {len(runs)})")
        facts.append(f"(longest ({kind} {place}) {max(runs, default=0)})")
    return fill(facts)


def clue_text(lines):
    return ", ".join("-".join(map(str, runs)) or "0" for runs in lines)


GRIDS = {
    "box": ("4 1-2 4-1 1-1-1 1-3 5", "4 2-1 1-1-1 1-4 2-2 5"),
    "chequers": ("1-1-1 1-1 1-1-1 1-1 1-1-1", "1-1-1 1-1 1-1-1 1-1 1-1-1"),
    "g": ("3 1 1-3 1-1 3", "3 1-1 1-1-1 1-1-1 2"),
    "tetris": ("2 1 2 4 4", "2 1-3 3 2 2"),
    "closed_chequers": ("1-1-2 1-1-1 1-1-2 1-1-1 1-1-2 6",
                        "1-1-2 1-1-1 1-1-2 1-1-1 1-1-2 6"),
    "cube": ("4 1-2 4-1 1-1-1 1-2 4", "4 2-1 1-1-1 1-4 2-1 4"),
    "dog": ("2-2 1 1 4 2-1", "1-1 1-3 1-1 1-2 1-1"),
    "g_negative": ("1-1 4 1 3 1-1", "1-1 3 1-1 1-1 2-1"),
}


def nonogram(rows=GRIDS["g"][0], columns=GRIDS["g"][1]):
    rows, columns = clue_lines(rows), clue_lines(columns)
    size = max(len(rows), len(columns))
    painted = sum(map(sum, rows))
    require(rows and columns, "there must be rows and columns")
    require(painted == sum(map(sum, columns)),
            "rows and columns must paint equally many cells")
    return f"""\
{header("Nonogram",
        Rules=f'''A grid of {len(rows)} rows and {len(columns)} columns.  The
        numbers of a line are the lengths of its runs of painted cells, in
        order, with blanks between them.  The player paints one cell a turn and
        never cleans one.  A run longer than the longest of its line ends the
        match with 0; all lines as told end it with 100.''',
        Roles="painter.",
        Structure=f'''one player, {painted} turns to the goal; cells that a line
        decides by itself are independent of the others.''',
        Rows=clue_text(rows) + ".",
        Columns=clue_text(columns) + ".",
        Source="Japanese puzzle (Non Ishida, Tetsuya Nishio, 1987).")}

; ---- Role and grid ----

(role painter)

{numbers("row", 1, len(rows))}
{numbers("column", 1, len(columns))}
{chain("succ", 0, size + 1)}

{clue_facts("in_row", rows)}
{clue_facts("in_column", columns)}

(<= (cell_of (in_row ?row) ?column ?row ?column)
    (row ?row)
    (column ?column))
(<= (cell_of (in_column ?column) ?row ?row ?column)
    (row ?row)
    (column ?column))

(<= (line (in_row ?row) {len(columns)})
    (row ?row))
(<= (line (in_column ?column) {len(rows)})
    (column ?column))

; ---- Fluents and moves ----

(<= (base (blank ?row ?column))
    (row ?row)
    (column ?column))

(<= (input painter (paint ?row ?column))
    (row ?row)
    (column ?column))

; ---- Start ----

(<= (init (blank ?row ?column))
    (row ?row)
    (column ?column))

; ---- Legal moves ----

(<= (legal painter (paint ?row ?column))
    (true (blank ?row ?column)))

; ---- Next state ----

(<= (next (blank ?row ?column))
    (true (blank ?row ?column))
    (not (does painter (paint ?row ?column))))

; ---- Lines ----

(<= (filled ?line ?place)
    (cell_of ?line ?place ?row ?column)
    (not (true (blank ?row ?column))))

; After that many places of a line, so many runs have begun and the last one
; has so many cells yet; 0 if it is over.
(<= (read ?line 0 0 0)
    (line ?line ?length))
(<= (read ?line ?place ?runs 0)
    (read ?line ?before ?runs 0)
    (succ ?before ?place)
    (cell_of ?line ?place ?row ?column)
    (true (blank ?row ?column)))
(<= (read ?line ?place ?runs 0)
    (read ?line ?before ?runs ?cells)
    (clue ?line ?runs ?cells)
    (succ ?before ?place)
    (cell_of ?line ?place ?row ?column)
    (true (blank ?row ?column)))
(<= (read ?line ?place ?runs 1)
    (read ?line ?before ?earlier 0)
    (succ ?earlier ?runs)
    (clue ?line ?runs ?wanted)
    (succ ?before ?place)
    (filled ?line ?place))
(<= (read ?line ?place ?runs ?cells)
    (read ?line ?before ?runs ?fewer)
    (distinct ?fewer 0)
    (clue ?line ?runs ?wanted)
    (distinct ?fewer ?wanted)
    (succ ?fewer ?cells)
    (succ ?before ?place)
    (filled ?line ?place))

(<= (as_told ?line)
    (line ?line ?length)
    (last_run ?line ?runs)
    (read ?line ?length ?runs 0))
(<= (as_told ?line)
    (line ?line ?length)
    (last_run ?line ?runs)
    (clue ?line ?runs ?cells)
    (read ?line ?length ?runs ?cells))

(<= (run ?line ?place 1)
    (filled ?line ?place))
(<= (run ?line ?place ?cells)
    (run ?line ?before ?fewer)
    (succ ?before ?place)
    (succ ?fewer ?cells)
    (filled ?line ?place))

; ---- End and goals ----

(<= lost
    (longest ?line ?most)
    (succ ?most ?cells)
    (run ?line ?place ?cells))
(<= unfinished
    (line ?line ?length)
    (not (as_told ?line)))

(<= terminal
    lost)
(<= terminal
    (not unfinished))

(<= (goal painter 100)
    (not unfinished))
(<= (goal painter 0)
    unfinished)
"""


# ---------------------------------------------------------- command line

STORED = {
    "breakthrough": breakthrough,
    "chomp": chomp,
    "connect_four": connect_four,
    "domineering": domineering,
    "eight_puzzle": sliding,
    "hex": hex_board,
    "lights_out": lights_out,
    "nim": nim,
    "nim_misere": lambda: nim(misere=True),
    "queens_guided": queens_guided,
    "queens_unguided": queens_unguided,
    **compound.STORED,
    **dice.STORED,
    **hidden.STORED,
    **shared.STORED,
}
STORED.update({f"nonogram_{name}": lambda clues=clues: nonogram(*clues)
               for name, clues in GRIDS.items()})

FAMILIES = {
    "breakthrough": (breakthrough, {"columns": 8, "rows": 8}),
    "chomp": (chomp, {"rows": 4, "columns": 7}),
    "connect_four": (connect_four, {"columns": 7, "rows": 6, "line": 4}),
    "domineering": (domineering, {"size": 4}),
    "hex": (hex_board, {"size": 9}),
    "lights_out": (lights_out, {"size": 5, "limit": None}),
    "nim": (nim, {}),
    "nonogram": (nonogram, {}),
    "queens_guided": (queens_guided, {"size": 8}),
    "queens_unguided": (queens_unguided, {"size": 8}),
    "sliding": (sliding, {"rows": 3, "columns": 3, "limit": None}),
    **compound.FAMILIES,
    **dice.FAMILIES,
    **hidden.FAMILIES,
    **shared.FAMILIES,
}


def stored_file(name):
    return HERE / f"{name}.kif"


def check():
    """Compare the stored files with what the families give; 0 if equal."""
    status = 0
    for name, family in STORED.items():
        path = stored_file(name)
        same = path.exists() and path.read_bytes() == family().encode("ascii")
        print(f"{name}.kif: {'same' if same else 'DIFFERS'}")
        status |= not same
    return int(status)


def update():
    for name, family in STORED.items():
        stored_file(name).write_bytes(family().encode("ascii"))
    return 0


def heap_list(text):
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("expected numbers such as 3,4,5")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="compare the stored files with the families")
    parser.add_argument("--update", action="store_true",
                        help="rewrite the stored files")
    commands = parser.add_subparsers(dest="family", metavar="FAMILY")
    for name, (family, options) in FAMILIES.items():
        command = commands.add_parser(name, help=f"generate {name}")
        for option, default in options.items():
            shown = "depends on the size" if default is None else default
            command.add_argument(f"--{option}", type=int, default=default,
                                 metavar="N", help=f"default: {shown}")
        if family is nim:
            command.add_argument("--heaps", type=heap_list,
                                 default=(1, 5, 4, 2), metavar="N,N,...",
                                 help="default: 1,5,4,2")
            command.add_argument("--misere", action="store_true",
                                 help="who takes the last match loses")
        if family is nonogram:
            for lines, default in zip(("rows", "columns"), GRIDS["g"]):
                command.add_argument(f"--{lines}", type=str, default=default,
                                     metavar='"N-N ..."',
                                     help=f'default: "{default}"')
    options = vars(parser.parse_args())
    name = options.pop("family")
    if options.pop("update"):
        return update()
    if options.pop("check"):
        return check()
    if name is None:
        parser.print_usage(sys.stderr)
        return 2
    sys.stdout.write(FAMILIES[name][0](**options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
