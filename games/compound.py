"""Families of games that are put together from copies of a small one.

The copies are told apart by the first argument of their fluents and moves (a
board, a group of lamps, a ship).  What the copies have in common is written
once; a family adds how their moves, ends and scores are joined.  Signatures
such as 2/0/1/1 count the parts that moves change, the useless ones among them,
the parts that change by themselves, and the useless ones among those.
"""

from layout import (ALTERNATE_BASE, ALTERNATE_NEXT, ALTERNATE_NOOP,
                    NOOP_INPUT, chain, each, fill, header, numbers, require,
                    two_roles)

STEP_BASE = """\
(base (step 1))
(<= (base (step ?step))
    (succ ?before ?step))"""

STEP_NEXT = """\
(<= (next (step ?after))
    (true (step ?step))
    (succ ?step ?after))"""


def pairs(name, firsts, seconds):
    """(name first second) for one of each."""
    return fill(f"({name} {first} {second})"
                for first, second in zip(firsts, seconds))


def sums(halves):
    """The points of two parts, and the score they make together."""
    return fill(f"(sum {first} {second} {first + second})"
                for first in halves for second in halves)


def mean_goal(role, part=""):
    """The score of a role is the sum of what both parts give it."""
    return f"""\
(<= (goal {role} ?score)
    (points {part}1 ?points1)
    (points {part}2 ?points2)
    (sum ?points1 ?points2 ?score))"""


# ------------------------------------------------------------ tic_tac_toe

SOURCE_TIC_TAC_TOE = """traditional game; the combination is a GGP benchmark,
rules written afresh."""

MARK_INPUT = """\
(<= (input ?player (mark ?board ?row ?column))
    (role ?player)
    (board ?board)
    (index ?row)
    (index ?column))"""

MARKS = """\
(<= (marks ?player ?board ?row ?column)
    (does ?player (mark ?board ?row ?column)))"""

CONTROL_EACH_BASE = """\
(<= (base (control ?board ?player))
    (board ?board)
    (role ?player))"""


def tic_tac_toe_boards(count, control, inputs, start, legal, marks, turns,
                       facts=""):
    """Boards whose cells are marked; the caller says who marks where, when."""
    return f"""\
{two_roles("x", "o")}

; ---- Boards ----

{numbers("board", 1, count)}
{numbers("index", 1, 3)}{facts}

(content blank)
(<= (content ?player)
    (role ?player))

; ---- Fluents and moves ----

(<= (base (cell ?board ?row ?column ?content))
    (board ?board)
    (index ?row)
    (index ?column)
    (content ?content))
{control}

{inputs}
{NOOP_INPUT}

; ---- Start ----

(<= (init (cell ?board ?row ?column blank))
    (board ?board)
    (index ?row)
    (index ?column))
{start}

; ---- Legal moves ----

{legal}

; ---- Next state ----

{marks}

(<= (next (cell ?board ?row ?column ?player))
    (marks ?player ?board ?row ?column))
(<= (next (cell ?board ?row ?column ?content))
    (true (cell ?board ?row ?column ?content))
    (not (marked ?board ?row ?column)))
{turns}

(<= (marked ?board ?row ?column)
    (marks ?player ?board ?row ?column))

; ---- Lines ----

(<= (line ?board ?player)
    (role ?player)
    (true (cell ?board ?row 1 ?player))
    (true (cell ?board ?row 2 ?player))
    (true (cell ?board ?row 3 ?player)))
(<= (line ?board ?player)
    (role ?player)
    (true (cell ?board 1 ?column ?player))
    (true (cell ?board 2 ?column ?player))
    (true (cell ?board 3 ?column ?player)))
(<= (line ?board ?player)
    (role ?player)
    (true (cell ?board 1 1 ?player))
    (true (cell ?board 2 2 ?player))
    (true (cell ?board 3 3 ?player)))
(<= (line ?board ?player)
    (role ?player)
    (true (cell ?board 1 3 ?player))
    (true (cell ?board 2 2 ?player))
    (true (cell ?board 3 1 ?player)))

(<= (decided ?board)
    (line ?board ?player))

(<= (open ?board)
    (true (cell ?board ?row ?column blank)))

(<= (over ?board)
    (decided ?board))
(<= (over ?board)
    (board ?board)
    (not (open ?board)))

; ---- End and goals ----
"""


TIC_TAC_TOE_MEAN = f"""\
; half the score of a board
(<= (points ?player ?board 50)
    (line ?board ?player))
(<= (points ?player ?board 0)
    (opponent ?player ?other)
    (line ?board ?other))
(<= (points ?player ?board 25)
    (role ?player)
    (board ?board)
    (not (decided ?board)))

{sums((0, 25, 50))}

{mean_goal("?player", "?player ")}
"""


def tic_tac_toe_parallel():
    boards = tic_tac_toe_boards(
        2, ALTERNATE_BASE, """\
; (mark row column row column), first on board 1, then on board 2
(<= (input ?player (mark ?row1 ?column1 ?row2 ?column2))
    (role ?player)
    (index ?row1)
    (index ?column1)
    (index ?row2)
    (index ?column2))""", "(init (control x))", f"""\
(<= (legal ?player (mark ?row1 ?column1 ?row2 ?column2))
    (true (control ?player))
    (true (cell 1 ?row1 ?column1 blank))
    (true (cell 2 ?row2 ?column2 blank)))
{ALTERNATE_NOOP}""", """\
(<= (marks ?player 1 ?row1 ?column1)
    (does ?player (mark ?row1 ?column1 ?row2 ?column2)))
(<= (marks ?player 2 ?row2 ?column2)
    (does ?player (mark ?row1 ?column1 ?row2 ?column2)))""", ALTERNATE_NEXT)
    return f"""\
{header("Tic-Tac-Toe Parallel",
        Rules='''Two boards of Tic-Tac-Toe.  The player whose turn it is marks
        an empty cell of each in one move.  The match ends as soon as a board
        has a line of three or is full.  The score is the mean of both boards:
        100 for a line, 0 for a line of the opponent, 50 else.''',
        Roles="x (moves first) and o.",
        Structure='''two players, alternating, 5 to 9 turns, compound moves;
        two synchronous games (2/0/1/1: the control is useless).''',
        Known="81 first moves; a draw with perfect play.",
        Source=SOURCE_TIC_TAC_TOE)}

{boards}
(<= terminal
    (over ?board))

{TIC_TAC_TOE_MEAN}"""


def double_tic_tac_toe():
    boards = tic_tac_toe_boards(
        2, CONTROL_EACH_BASE, MARK_INPUT, """\
(init (control 1 x))
(init (control 2 o))""", """\
(<= (legal ?player (mark ?board ?row ?column))
    (true (control ?board ?player))
    (true (cell ?board ?row ?column blank))
    (not (decided ?board)))
(<= (legal ?player noop)
    (true (control ?board ?player))
    (over ?board))""", MARKS, """\
(<= (next (control ?board ?other))
    (true (control ?board ?player))
    (opponent ?player ?other))""")
    return f"""\
{header("Double Tic-Tac-Toe",
        Rules='''Two boards of Tic-Tac-Toe.  At each turn each player marks an
        empty cell of one board: x starts on board 1, o on board 2, and they
        swap boards after every turn.  On a board with a line of three or
        without an empty cell the player can only pass.  The match ends when
        both boards are over.  The score is the mean of both: 100 for a line,
        0 for a line of the opponent, 50 else.''',
        Roles="x (starts on board 1) and o (starts on board 2).",
        Structure='''two players, simultaneous, alternating on each board, 5 to
        9 turns; two synchronous games (2/0/2/2: a useless control each).''',
        Known="9 first moves for each player; a draw with perfect play.",
        Source=SOURCE_TIC_TAC_TOE)}

{boards}
(<= terminal
    (over 1)
    (over 2))

{TIC_TAC_TOE_MEAN}"""


def double_tic_tac_toe_free():
    boards = tic_tac_toe_boards(
        2, ALTERNATE_BASE, MARK_INPUT, "(init (control x))", f"""\
(<= (legal ?player (mark ?board ?row ?column))
    (true (control ?player))
    (true (cell ?board ?row ?column blank))
    (not (decided ?board)))
{ALTERNATE_NOOP}""", MARKS, ALTERNATE_NEXT)
    return f"""\
{header("Double Tic-Tac-Toe, Free Choice",
        Rules='''Two boards of Tic-Tac-Toe.  The player whose turn it is marks
        an empty cell of either board.  A board with a line of three takes no
        more marks.  The match ends when both boards are over.  The score is
        the mean of both: 100 for a line, 0 for a line of the opponent, 50
        else.''',
        Roles="x (moves first) and o.",
        Structure='''two players, alternating, 6 to 18 turns; two asynchronous
        games (2/0/1/1: the control is useless).''',
        Known="18 first moves.",
        Source='''traditional game; the combination is known as Dengji in GGP,
        rules written afresh.''')}

{boards}
(<= terminal
    (over 1)
    (over 2))

{TIC_TAC_TOE_MEAN}"""


def tic_tac_toe_serial():
    boards = tic_tac_toe_boards(
        2, CONTROL_EACH_BASE, MARK_INPUT, """\
(init (control 1 x))
(init (control 2 x))""", """\
(<= (legal ?player (mark ?board ?row ?column))
    (active ?board)
    (true (control ?board ?player))
    (true (cell ?board ?row ?column blank)))
(<= (legal ?player noop)
    (active ?board)
    (true (control ?board ?other))
    (opponent ?player ?other))

; board 1 first
(<= (active 1)
    (not (over 1)))
(<= (active 2)
    (over 1))""", MARKS, """\
(<= (next (control ?board ?other))
    (active ?board)
    (true (control ?board ?player))
    (opponent ?player ?other))
(<= (next (control ?board ?player))
    (true (control ?board ?player))
    (not (active ?board)))""")
    return f"""\
{header("Tic-Tac-Toe Serial",
        Rules='''Two games of Tic-Tac-Toe in turn: the second board is played
        when the first has a line of three or is full, and x moves first on
        both.  The match ends when the second is over.  The score is the mean
        of both boards: 100 for a line, 0 for a line of the opponent, 50
        else.''',
        Roles="x (moves first) and o.",
        Structure='''two players, alternating, 10 to 18 turns; two games in
        series (2/0/2/2: a useless control each).''',
        Known="9 first moves; a draw with perfect play.",
        Source=SOURCE_TIC_TAC_TOE)}

{boards}
(<= terminal
    (over 2))

{TIC_TAC_TOE_MEAN}"""


def multiple_tic_tac_toe():
    boards = tic_tac_toe_boards(
        9, f"{ALTERNATE_BASE}\n{STEP_BASE}", MARK_INPUT,
        "(init (control x))\n(init (step 1))", f"""\
(<= (legal ?player (mark ?board ?row ?column))
    (true (control ?player))
    (true (cell ?board ?row ?column blank)))
{ALTERNATE_NOOP}""", MARKS, f"{ALTERNATE_NEXT}\n{STEP_NEXT}",
        "\n" + chain("succ", 1, 20))
    return f"""\
{header("Multiple Tic-Tac-Toe",
        Rules='''Nine boards of Tic-Tac-Toe.  The player whose turn it is marks
        an empty cell of any of them, but only board 5 counts.  The match ends
        when board 5 has a line of three or is full, or after 19 turns.  A line
        on board 5 wins (100/0), else the match is drawn (50/50).''',
        Roles="x (moves first) and o.",
        Structure='''two players, alternating, 5 to 19 turns; nine asynchronous
        games, eight of them useless, and a step counter (9/8/2/1: the control
        is useless too).''',
        Known="81 first moves.",
        Source=SOURCE_TIC_TAC_TOE)}

{boards}
(<= terminal
    (over 5))
(<= terminal
    (true (step 20)))

(<= (goal ?player 100)
    (line 5 ?player))
(<= (goal ?player 0)
    (opponent ?player ?other)
    (line 5 ?other))
(<= (goal ?player 50)
    (role ?player)
    (not (decided 5)))
"""


# --------------------------------------------------------------- row pairs

PLAYER_NAMES = ("red", "green", "blue", "yellow", "black", "white")


def row_pairs(players=3, cells=8):
    require(2 <= players <= len(PLAYER_NAMES), "2 to 6 players")
    require(2 <= cells <= 20, "2 to 20 cells")
    names = PLAYER_NAMES[:players]
    points = (0, 20, 50)
    return f"""\
{header("Pairs in Two Rows",
        Rules=f'''Two rows of {cells} cells.  In turn each of {players} players
        marks an empty cell of each row in one move.  Two marks
        of a player side by side are a pair.  The match ends as soon as a row
        has a pair or is full.  The score is the sum of both rows: 50 for a
        pair, 0 for a pair of somebody else, 20 for all if there is none.''',
        Roles=f"{', '.join(names[:-1])} and {names[-1]}, who move in this order.",
        Structure=f'''{players} players, alternating, at most {cells} turns,
        compound moves; two synchronous games (2/0/1/1: the control is
        useless).''',
        Known=f'''{cells ** 2} first moves.  Seats are not equal, and scores do
        not always add up to the same.''',
        Source="written for Marelle.")}

; ---- Roles ----

{fill(f"(role {name})" for name in names)}
{pairs("after", names, names[1:] + names[:1])}

; ---- Rows ----

{numbers("row", 1, 2)}
{numbers("index", 1, cells)}
{chain("succ", 1, cells)}

(content blank)
(<= (content ?player)
    (role ?player))

; ---- Fluents and moves ----

(<= (base (cell ?row ?index ?content))
    (row ?row)
    (index ?index)
    (content ?content))
{ALTERNATE_BASE}

; (mark cell cell), first in row 1, then in row 2
(<= (input ?player (mark ?index1 ?index2))
    (role ?player)
    (index ?index1)
    (index ?index2))
{NOOP_INPUT}

; ---- Start ----

(<= (init (cell ?row ?index blank))
    (row ?row)
    (index ?index))
(init (control {names[0]}))

; ---- Legal moves ----

(<= (legal ?player (mark ?index1 ?index2))
    (true (control ?player))
    (true (cell 1 ?index1 blank))
    (true (cell 2 ?index2 blank)))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))

; ---- Next state ----

(<= (marks ?player 1 ?index1)
    (does ?player (mark ?index1 ?index2)))
(<= (marks ?player 2 ?index2)
    (does ?player (mark ?index1 ?index2)))
(<= (marked ?row ?index)
    (marks ?player ?row ?index))

(<= (next (cell ?row ?index ?player))
    (marks ?player ?row ?index))
(<= (next (cell ?row ?index ?content))
    (true (cell ?row ?index ?content))
    (not (marked ?row ?index)))
(<= (next (control ?other))
    (true (control ?player))
    (after ?player ?other))

; ---- Pairs ----

(<= (pair ?row ?player)
    (role ?player)
    (true (cell ?row ?left ?player))
    (succ ?left ?right)
    (true (cell ?row ?right ?player)))
(<= (decided ?row)
    (pair ?row ?player))
(<= (open ?row)
    (true (cell ?row ?index blank)))
(<= (over ?row)
    (decided ?row))
(<= (over ?row)
    (row ?row)
    (not (open ?row)))

; ---- End and goals ----

(<= terminal
    (over ?row))

(<= (points ?player ?row 50)
    (pair ?row ?player))
(<= (points ?player ?row 0)
    (role ?player)
    (decided ?row)
    (not (pair ?row ?player)))
(<= (points ?player ?row 20)
    (role ?player)
    (row ?row)
    (not (decided ?row)))

{sums(points)}

{mean_goal("?player", "?player ")}
"""


# ------------------------------------------------------------- nine boards

def nine_boards(fluents, inputs, start, legal, marks, rest):
    """Nine boards in a square; a mark decides on which board the next is."""
    return f"""\
{two_roles("x", "o")}

; ---- Boards ----

{numbers("index", 1, 3)}

; A board and a cell are both given by row and column.
(<= (place ?across ?down ?row ?column)
    (index ?across)
    (index ?down)
    (index ?row)
    (index ?column))

; ---- Fluents and moves ----

; Only marks are recorded; a cell without a mark is empty.
(<= (base (cell ?across ?down ?row ?column ?player))
    (place ?across ?down ?row ?column)
    (role ?player))
; the board that the last mark points to
(<= (base (aim ?across ?down))
    (index ?across)
    (index ?down))
{fluents}

{inputs}
{NOOP_INPUT}

; ---- Start ----

{start}

; ---- Legal moves ----

{legal}

; At the start and when the board aimed at is full, all boards are allowed.
(<= (aimed ?across ?down)
    (true (aim ?across ?down))
    (empty ?across ?down ?row ?column))
(<= some_aimed
    (aimed ?across ?down))
(<= (allowed ?across ?down ?row ?column)
    (aimed ?across ?down)
    (empty ?across ?down ?row ?column))
(<= (allowed ?across ?down ?row ?column)
    (empty ?across ?down ?row ?column)
    (not some_aimed))

(<= (empty ?across ?down ?row ?column)
    (place ?across ?down ?row ?column)
    (not (filled ?across ?down ?row ?column)))
(<= (filled ?across ?down ?row ?column)
    (true (cell ?across ?down ?row ?column ?player)))

; ---- Next state ----

(<= (next (cell ?across ?down ?row ?column ?player))
    (does ?player ({marks} ?across ?down ?row ?column)))
(<= (next (cell ?across ?down ?row ?column ?player))
    (true (cell ?across ?down ?row ?column ?player)))
(<= (next (aim ?row ?column))
    (does ?player ({marks} ?across ?down ?row ?column)))
{rest}

; ---- Lines ----

(<= (nine_line ?player)
    (true (cell ?across ?down ?row 1 ?player))
    (true (cell ?across ?down ?row 2 ?player))
    (true (cell ?across ?down ?row 3 ?player)))
(<= (nine_line ?player)
    (true (cell ?across ?down 1 ?column ?player))
    (true (cell ?across ?down 2 ?column ?player))
    (true (cell ?across ?down 3 ?column ?player)))
(<= (nine_line ?player)
    (true (cell ?across ?down 1 1 ?player))
    (true (cell ?across ?down 2 2 ?player))
    (true (cell ?across ?down 3 3 ?player)))
(<= (nine_line ?player)
    (true (cell ?across ?down 1 3 ?player))
    (true (cell ?across ?down 2 2 ?player))
    (true (cell ?across ?down 3 1 ?player)))
"""


def nine_board_tic_tac_toe():
    boards = nine_boards(ALTERNATE_BASE, """\
; (mark board-row board-column row column)
(<= (input ?player (mark ?across ?down ?row ?column))
    (role ?player)
    (place ?across ?down ?row ?column))""", "(init (control x))", f"""\
(<= (legal ?player (mark ?across ?down ?row ?column))
    (true (control ?player))
    (allowed ?across ?down ?row ?column))
{ALTERNATE_NOOP}""", "mark", ALTERNATE_NEXT)
    return f"""\
{header("Nine Board Tic-Tac-Toe",
        Rules='''Nine boards of Tic-Tac-Toe form a square of 3 x 3.  The
        players mark an empty cell in turn.  The place of the cell on its board
        tells the board on which the opponent has to move; on the first turn,
        and when that board is full, any board may be chosen.  Three marks in
        line on any board win (100/0); all boards full without a line is a draw
        (50/50).''',
        Roles="x (moves first) and o.",
        Structure='''two players, alternating, at most 81 turns; the boards are
        linked by the moves, so that they are one game (1/0/1/1).''',
        Known="81 first moves.",
        Source="a pencil game, also played on computers since about 1980.")}

{boards}
(<= decided
    (nine_line ?player))

(<= open
    (empty ?across ?down ?row ?column))

; ---- End and goals ----

(<= terminal
    decided)
(<= terminal
    (not open))

(<= (goal ?player 100)
    (nine_line ?player))
(<= (goal ?player 0)
    (opponent ?player ?other)
    (nine_line ?other))
(<= (goal ?player 50)
    (role ?player)
    (not decided))
"""


def tic_tac_heaven():
    boards = nine_boards("""\
(<= (base (single ?row ?column ?player))
    (index ?row)
    (index ?column)
    (role ?player))
(<= (base (control ?side ?player))
    (side ?side)
    (role ?player))

(side nine) (side one)""", """\
; (mark_nine board-row board-column row column)
(<= (input ?player (mark_nine ?across ?down ?row ?column))
    (role ?player)
    (place ?across ?down ?row ?column))
(<= (input ?player (mark_one ?row ?column))
    (role ?player)
    (index ?row)
    (index ?column))""", """\
(init (control nine x))
(init (control one o))""", """\
(<= (legal ?player (mark_nine ?across ?down ?row ?column))
    (true (control nine ?player))
    (allowed ?across ?down ?row ?column))
(<= (legal ?player (mark_one ?row ?column))
    (true (control one ?player))
    (free ?row ?column))
(<= (legal ?player noop)
    (true (control nine ?player)))

(<= (free ?row ?column)
    (index ?row)
    (index ?column)
    (not (taken ?row ?column)))
(<= (taken ?row ?column)
    (true (single ?row ?column ?player)))""", "mark_nine", """\
(<= (next (aim ?across ?down))
    (true (aim ?across ?down))
    (true (control nine ?player))
    (does ?player noop))

(<= (next (single ?row ?column ?player))
    (does ?player (mark_one ?row ?column)))
(<= (next (single ?row ?column ?player))
    (true (single ?row ?column ?player)))

(<= (next (control ?side ?other))
    (true (control ?side ?player))
    (opponent ?player ?other))""")
    return f"""\
{header("Tic-Tac-Heaven",
        Rules='''Nine Board Tic-Tac-Toe and one board of Tic-Tac-Toe side by
        side.  At each turn one player moves on the nine boards and the other
        on the one; then they swap.  On the nine boards the place of a mark on
        its board tells the board of the next mark there; any board may be
        chosen on the first turn and when that board is full.  There a
        player may pass as well.  The first side that ends, by a line of three
        or by being full, ends the match: the player with a line wins (100/0);
        it is a draw (50/50) when nobody or both have one.''',
        Roles='''x (starts on the nine boards) and o (starts on the one
        board).''',
        Structure='''two players, simultaneous, alternating on each side, 5
        to 9 turns; two synchronous games with a useless control each,
        2/0/2/2 by these rules (1/0/2/2 is expected of the public version).''',
        Known="82 first moves for x, 9 for o.",
        Source='''a GGP benchmark, rules written afresh; there players may pass on
        both sides, and a match of passes never ends.''')}

{boards}
(<= (one_line ?player)
    (true (single ?row 1 ?player))
    (true (single ?row 2 ?player))
    (true (single ?row 3 ?player)))
(<= (one_line ?player)
    (true (single 1 ?column ?player))
    (true (single 2 ?column ?player))
    (true (single 3 ?column ?player)))
(<= (one_line ?player)
    (true (single 1 1 ?player))
    (true (single 2 2 ?player))
    (true (single 3 3 ?player)))
(<= (one_line ?player)
    (true (single 1 3 ?player))
    (true (single 2 2 ?player))
    (true (single 3 1 ?player)))

(<= (line ?player)
    (nine_line ?player))
(<= (line ?player)
    (one_line ?player))

(<= one_open
    (free ?row ?column))

; ---- End and goals ----

; The one board is full long before the nine boards can be.
(<= terminal
    (line ?player))
(<= terminal
    (not one_open))

(<= (wins ?player)
    (line ?player)
    (opponent ?player ?other)
    (not (line ?other)))

(<= decided
    (wins ?player))

(<= (goal ?player 100)
    (wins ?player))
(<= (goal ?player 0)
    (opponent ?player ?other)
    (wins ?other))
(<= (goal ?player 50)
    (role ?player)
    (not decided))
"""


# -------------------------------------------------------------- lights_on

def lamp_groups(groups):
    return f"""\
(role player)

{numbers("group", 1, groups)}
{numbers("index", 1, 2)}
{numbers("time", 0, 4)}"""


LAMP_BASE = """\
(<= (base (timer ?group ?row ?column ?time))
    (group ?group)
    (index ?row)
    (index ?column)
    (time ?time))"""

LAMP_INPUT = """\
(<= (input player (press ?group ?row ?column))
    (group ?group)
    (index ?row)
    (index ?column))"""

LAMP_INIT = """\
(<= (init (timer ?group ?row ?column 0))
    (group ?group)
    (index ?row)
    (index ?column))"""

LAMP_NEXT = """\
(<= (next (timer ?group ?row ?column 4))
    (pressed ?group ?row ?column))
(<= (next (timer ?group ?row ?column ?less))
    (true (timer ?group ?row ?column ?time))
    (succ ?less ?time)
    (not (pressed ?group ?row ?column)))
(<= (next (timer ?group ?row ?column 0))
    (true (timer ?group ?row ?column 0))
    (not (pressed ?group ?row ?column)))"""

LAMP_PRESSED = """\
(<= (pressed ?group ?row ?column)
    (does player (press ?group ?row ?column)))"""

LAMP_LIT = """\
(<= (some_off ?group)
    (true (timer ?group ?row ?column 0)))
(<= (lit ?group)
    (group ?group)
    (not (some_off ?group)))"""

SOURCE_LIGHTS_ON = """a GGP puzzle, rules written afresh; there a lit lamp that
is pressed holds two timer values, here it only has the value 4."""


def lights_on_any(title, groups, rules, structure, known, inputs, legal,
                  pressed):
    """Groups of lamps, any of which wins; the caller says how to press."""
    return f"""\
{header(title, Rules=rules, Roles="player.", Structure=structure,
        Known=known, Source=SOURCE_LIGHTS_ON)}

; ---- Role and lamps ----

{lamp_groups(groups)}
{chain("succ", 0, 21)}

; ---- Fluents and moves ----

{LAMP_BASE}
(base (step 1))
(<= (base (step ?step))
    (succ ?before ?step)
    (distinct ?before 0))

{inputs}

; ---- Start ----

{LAMP_INIT}
(init (step 1))

; ---- Legal moves ----

{legal}

; ---- Next state ----

{LAMP_NEXT}

{pressed}

{STEP_NEXT}

; ---- End and goals ----

{LAMP_LIT}
(<= won
    (lit ?group))

(<= terminal
    won)
(<= terminal
    (true (step 21)))

(<= (goal player 100)
    won)
(<= (goal player 0)
    (not won))
"""


def lights_on_parallel(groups=4):
    require(groups >= 1, "at least one group")
    return lights_on_any(
        "Lights On Parallel", groups,
        f"""{groups} groups of four lamps, all off.  The player presses one
        lamp a turn, which sets its timer to 4; the timers of all other lamps
        go down by one until they reach 0.  A lamp is lit while its timer is
        not 0.  The four lamps of any group lit at once within 20 moves score
        100, else 0.""",
        f"""one player, a step counter, at most 20 turns; {groups} asynchronous
        games, any of which wins ({groups}/0/1/0).""",
        f"{4 * groups} first moves; the shortest solution has 4 moves.",
        LAMP_INPUT, """\
(<= (legal player (press ?group ?row ?column))
    (group ?group)
    (index ?row)
    (index ?column))""", LAMP_PRESSED)


def lights_on_simultaneous(groups=4, presses=2):
    require(groups >= 1 and 1 <= presses <= 4, "1 to 4 presses at once")
    span = range(1, presses + 1)
    lamps = " ".join(f"?group{i} ?row{i} ?column{i}" for i in span)
    premises = "\n".join(f"    (group ?group{i})\n    (index ?row{i})\n"
                         f"    (index ?column{i})" for i in span)
    pressed = "\n".join(f"""\
(<= (pressed ?group{i} ?row{i} ?column{i})
    (does player (press {lamps})))""" for i in span)
    return lights_on_any(
        "Lights On Simultaneous", groups,
        f"""{groups} groups of four lamps, all off.  The player presses
        {presses} lamps at once (the same one twice is allowed), which sets
        their timers to 4; the timers of all other lamps go down by one until
        they reach 0.  A lamp is lit while its timer is not 0.  The four lamps
        of any group lit at once within 20 moves score 100, else 0.""",
        f"""one player, compound moves, a step counter, at most 20 turns;
        {groups} asynchronous games, any of which wins ({groups}/0/1/0).""",
        f"""{(4 * groups) ** presses} moves at each turn; the shortest solution
        has {-(-4 // presses)} moves.""", f"""\
; (press group row column ...), a lamp after the other
(<= (input player (press {lamps}))
{premises})""", f"""\
(<= (legal player (press {lamps}))
{premises})""", pressed)


def turtle_brain_easy(groups=3):
    require(groups >= 1, "at least one group")
    active = "\n".join(
        fill(f"(turn {step} {group})"
             for step in range(20 * group - 20, 20 * group))
        for group in range(1, groups + 1))
    return f"""\
{header("Turtle Brain, Easy",
        Rules=f'''{groups} groups of four lamps, all off, one after the other:
        each is in use for 20 turns.  The player presses a lamp of the group in
        use, which sets its timer to 4; the timers of all other lamps go down
        by one until they reach 0.  A lamp is lit while its timer is not 0.  A
        group whose four lamps are lit at once is won.  The match ends after
        {20 * groups} turns; one group won scores 100, none 0.''',
        Roles="player.",
        Structure=f'''one player, exactly {20 * groups} turns of 4 moves;
        {groups} games in series, switched by the step counter
        ({groups}/0/1/0).''',
        Known="100 can be reached, with 4 presses of any group.",
        Source=SOURCE_LIGHTS_ON)}

; ---- Role and lamps ----

{lamp_groups(groups)}
{chain("succ", 0, 20 * groups)}

; the group in use at a step
{active}

; ---- Fluents and moves ----

{LAMP_BASE}
(<= (base (won ?group))
    (group ?group))
(base (step 0))
(<= (base (step ?step))
    (succ ?before ?step))

{LAMP_INPUT}

; ---- Start ----

{LAMP_INIT}
(init (step 0))

; ---- Legal moves ----

(<= (legal player (press ?group ?row ?column))
    (true (step ?step))
    (turn ?step ?group)
    (index ?row)
    (index ?column))

; ---- Next state ----

{LAMP_NEXT}

{LAMP_PRESSED}

(<= (next (won ?group))
    (wins ?group))
{STEP_NEXT}

; ---- End and goals ----

{LAMP_LIT}

(<= (wins ?group)
    (true (won ?group)))
(<= (wins ?group)
    (lit ?group))

(<= some_won
    (wins ?group))

(<= terminal
    (true (step {20 * groups})))

(<= (goal player 100)
    some_won)
(<= (goal player 0)
    (not some_won))
"""


# --------------------------------------------------------------- hamilton

def hamilton_graphs(roles, inputs, legal, moves, goals):
    """Two copies of the graph; the caller says who moves on which."""
    path = fill(f"(edge {chr(i)} {chr(i + 1)})" for i in range(97, 116))
    others = fill(f"(edge {edge[0]} {edge[1]})" for edge in
                  "ae ah bj cl dn fo gq ir ks mt pt".split())
    points = (0, 1, 2, 4, 6, 9, 12, 16, 20, 25,
              30, 36, 42, 49, 56, 64, 72, 81, 90, 100)
    scores = fill(f"(score {visited} {score})"
                  for visited, score in enumerate(points, 1))
    return f"""\
{roles}

; ---- Graphs ----

; the path through all nodes
{path}
; the other edges
{others}

(<= (joined ?node1 ?node2)
    (edge ?node1 ?node2))
(<= (joined ?node1 ?node2)
    (edge ?node2 ?node1))

(<= (node ?node1)
    (joined ?node1 ?node2))

; ---- Numbers ----

{chain("succ", 1, 20)}

; (score nodes-visited points)
{scores}

; ---- Fluents and moves ----

(<= (base (at ?graph ?node))
    (graph ?graph)
    (node ?node))
(<= (base (visited ?graph ?node))
    (graph ?graph)
    (node ?node))
(<= (base (count ?graph ?count))
    (graph ?graph)
    (score ?count ?points))
{STEP_BASE}

{inputs}

; ---- Start ----

(<= (init (at ?graph a))
    (graph ?graph))
(<= (init (visited ?graph a))
    (graph ?graph))
(<= (init (count ?graph 1))
    (graph ?graph))
(init (step 1))

; ---- Legal moves ----

{legal}

; ---- Next state ----

{moves}

(<= (next (at ?graph ?node))
    (goes ?graph ?node))
(<= (next (at ?graph ?node))
    (true (at ?graph ?node))
    (not (moved ?graph)))

(<= (moved ?graph)
    (goes ?graph ?node))

(<= (next (visited ?graph ?node))
    (goes ?graph ?node))
(<= (next (visited ?graph ?node))
    (true (visited ?graph ?node)))

(<= (new_node ?graph)
    (goes ?graph ?node)
    (not (true (visited ?graph ?node))))

(<= (next (count ?graph ?more))
    (true (count ?graph ?count))
    (succ ?count ?more)
    (new_node ?graph))
(<= (next (count ?graph ?count))
    (true (count ?graph ?count))
    (not (new_node ?graph)))

{STEP_NEXT}

; ---- End and goals ----

(<= terminal
    (true (step 20)))

{goals}
"""


SOURCE_HAMILTON = "after the Icosian Game of William Rowan Hamilton (1857)."


def multiple_hamilton():
    graphs = hamilton_graphs("""\
; ---- Role ----

(role player)

(graph left) (graph right)""", """\
(<= (input player (move ?graph ?node))
    (graph ?graph)
    (node ?node))""", """\
(<= (legal player (move ?graph ?node2))
    (true (at ?graph ?node1))
    (joined ?node1 ?node2))""", """\
(<= (goes ?graph ?node)
    (does player (move ?graph ?node)))""", """\
(<= (goal player ?points)
    (true (count right ?count))
    (score ?count ?points))""")
    return f"""\
{header("Multiple Hamilton",
        Rules='''Two graphs of 20 nodes, a to t, each node with three
        neighbours.  A walker stands on node a of each; the player moves one of
        them along an edge, 19 times.  The score grows with the number of
        different nodes visited on the right graph, from 0 for one node to 100
        for all twenty; the left graph does not count.''',
        Roles="player.",
        Structure='''one player, a step counter, exactly 19 turns of 6 moves;
        two asynchronous games, the left one useless (2/1/1/0).''',
        Known='''100 can be reached: the nodes of the right graph in
        alphabetical order.''',
        Source=SOURCE_HAMILTON)}

{graphs}"""


def dual_hamilton():
    graphs = hamilton_graphs("""\
; ---- Roles, with a graph each ----

(role left)
(role right)

(<= (graph ?player)
    (role ?player))""", """\
(<= (input ?player (move ?node))
    (role ?player)
    (node ?node))""", """\
(<= (legal ?player (move ?node2))
    (true (at ?player ?node1))
    (joined ?node1 ?node2))""", """\
(<= (goes ?player ?node)
    (does ?player (move ?node)))""", """\
(<= (goal ?player ?points)
    (true (count ?player ?count))
    (score ?count ?points))""")
    return f"""\
{header("Dual Hamilton",
        Rules='''Each player has a graph of 20 nodes, a to t, each node with
        three neighbours, and starts on node a.  Both move 19 times along an
        edge of their own graph.  The score of each grows with the number of
        different nodes visited, from 0 for one node to 100 for all twenty; it
        does not depend on the other player.''',
        Roles="left and right.",
        Structure='''two players, simultaneous, a step counter, exactly 19
        turns of 3 moves each; two synchronous games for one player (2/0/1/0),
        not zero-sum.''',
        Known="100 for both can be reached: the nodes in alphabetical order.",
        Source=SOURCE_HAMILTON)}

{graphs}"""


# -------------------------------------------------------------- asteroids

SOURCE_ASTEROIDS = """a puzzle of the Stanford GGP course, rules written
afresh."""

FLIGHT = """A ship flies over a torus of 20 x 20 places from (10, 10), counted
to the east and to the north, with speed 2 to the east and 3 to the north,
heading north.  At each turn it moves by its
speeds; then it is turned a quarter clockwise or counter-clockwise, or thrusts,
which adds 1 to the speed in the direction it heads for.  Speeds stay between
-3 and 3."""


def flight(ship, fluents, inputs, start, legal, orders, waiting):
    """Ships under inertia; ship is "" for one, else the argument."""
    axes = "north east".split()
    turns = {"north": "east west", "east": "south north",
             "south": "west east", "west": "north south"}
    courses = fill(f"(course {order} {heading} {after})"
                   for heading, afters in turns.items()
                   for order, after in zip("clock counter thrust".split(),
                                           afters.split() + [heading]))
    speeds = ["minus_3", "minus_2", "minus_1", "0", "1", "2", "3"]
    flying = f"\n    (active {ship.strip()})" if waiting else ""
    stay = f"""
(<= (next (place {ship}?axis ?place))
    (true (place {ship}?axis ?place))
    (not (active {ship.strip()})))""" if waiting else ""
    keep = f"""
(<= (next (heading {ship}?heading))
    (true (heading {ship}?heading))
    (not (active {ship.strip()})))""" if waiting else ""
    counting = f"""\
(<= (next (step {ship}?after))
    (active {ship.strip()})
    (true (step {ship}?step))
    (succ ?step ?after))
(<= (next (step {ship}?step))
    (true (step {ship}?step))
    (not (active {ship.strip()})))""" if waiting else STEP_NEXT
    each_ship = f"\n    (ship {ship.strip()})" if ship else ""

    def initial(fluent):
        return (f"(<= (init ({fluent.replace(' ', ' ?ship ', 1)}))\n"
                f"    (ship ?ship))" if ship else f"(init ({fluent}))")

    begin = "\n".join(map(initial, ["place north 10", "place east 10",
                                    "speed north 3", "speed east 2",
                                    "heading north"]))
    return f"""\
; ---- Numbers and directions ----

{numbers("place", 1, 20)}
{pairs("after", range(1, 21), [*range(2, 21), 1])}
{each("speed", speeds)}
{pairs("faster", speeds, speeds[1:] + speeds[-1:])}
{pairs("slower", speeds, speeds[:1] + speeds)}
{chain("succ", 1, 50)}

; north and south are one axis, east and west the other
{each("axis", axes)}
{each("heading", turns)}
(across north east) (across south east) (across east north) (across west north)

; (course order heading next-heading)
{courses}

; from a place at some speed to the next place
(<= (drift ?place 0 ?place)
    (place ?place))
(<= (drift ?from ?fast ?to)
    (drift ?from ?slow ?between)
    (faster ?slow ?fast)
    (distinct ?slow ?fast)
    (after ?between ?to))
(<= (drift ?from ?fast ?to)
    (drift ?from ?slow ?between)
    (slower ?slow ?fast)
    (distinct ?slow ?fast)
    (after ?to ?between))

; what a thrust does to the speed along an axis
(<= (change north north ?before ?after)
    (faster ?before ?after))
(<= (change south north ?before ?after)
    (slower ?before ?after))
(<= (change east east ?before ?after)
    (faster ?before ?after))
(<= (change west east ?before ?after)
    (slower ?before ?after))
(<= (change ?heading ?axis ?speed ?speed)
    (across ?heading ?axis)
    (speed ?speed))

; ---- Fluents and moves ----

(<= (base (place {ship}?axis ?place)){each_ship}
    (axis ?axis)
    (place ?place))
(<= (base (speed {ship}?axis ?speed)){each_ship}
    (axis ?axis)
    (speed ?speed))
(<= (base (heading {ship}?heading)){each_ship}
    (heading ?heading))
{fluents}

{inputs}

; ---- Start ----

{begin}
{start}

; ---- Legal moves ----

{legal}

; ---- Next state ----

{orders}

(<= (next (place {ship}?axis ?to)){flying}
    (true (place {ship}?axis ?from))
    (true (speed {ship}?axis ?speed))
    (drift ?from ?speed ?to)){stay}

(<= (next (speed {ship}?axis ?after))
    (gets {ship}thrust)
    (true (heading {ship}?heading))
    (true (speed {ship}?axis ?before))
    (change ?heading ?axis ?before ?after))
(<= (next (speed {ship}?axis ?speed))
    (true (speed {ship}?axis ?speed))
    (not (gets {ship}thrust)))

(<= (next (heading {ship}?after))
    (gets {ship}?order)
    (true (heading {ship}?before))
    (course ?order ?before ?after)){keep}

{counting}

; ---- End and goals ----
"""


SHIPS_ENDS = """\
(<= (stopped ?ship)
    (true (speed ?ship north 0))
    (true (speed ?ship east 0)))
(<= (arrived ?ship)
    (true (place ?ship north 5))
    (true (place ?ship east 15)))"""

SHIPS_MEAN = f"""\
; half the score of a ship
(<= (points ?ship 50)
    (stopped ?ship)
    (arrived ?ship))
(<= (points ?ship 25)
    (stopped ?ship)
    (not (arrived ?ship)))
(<= (points ?ship 0)
    (ship ?ship)
    (not (stopped ?ship)))

{sums((0, 25, 50))}

{mean_goal("pilot")}
"""


def asteroids():
    return f"""\
{header("Asteroids",
        Rules=f'''{FLIGHT}  The match ends when both speeds are 0, or after 49
        turns.  A stop at the planet in (15, 5) scores 100, elsewhere 50, none
        0.''',
        Roles="pilot.",
        Structure='''one player, a step counter, at most 49 turns of 3 moves
        (1/0/1/0).''',
        Known='''the shortest way to stop has 7 moves, the shortest to the
        planet 10.''',
        Source=SOURCE_ASTEROIDS)}

; ---- Role ----

(role pilot)

{flight("", STEP_BASE, '''(input pilot clock)
(input pilot counter)
(input pilot thrust)''', "(init (step 1))", '''(legal pilot clock)
(legal pilot counter)
(legal pilot thrust)''', '''(<= (gets ?order)
    (does pilot ?order))''', False)}
(<= stopped
    (true (speed north 0))
    (true (speed east 0)))
(<= arrived
    (true (place north 5))
    (true (place east 15)))

(<= terminal
    stopped)
(<= terminal
    (true (step 50)))

(<= (goal pilot 100)
    stopped
    arrived)
(<= (goal pilot 50)
    stopped
    (not arrived))
(<= (goal pilot 0)
    (not stopped))
"""


def asteroids_parallel():
    orders = "clock counter thrust".split()
    moves = [(first, second) for first in orders for second in orders]
    parts = "\n".join(fill(f"(part {first}_{second} {ship} {order})"
                           for ship, order in ((1, first), (2, second)))
                      for first, second in moves)
    return f"""\
{header("Asteroids Parallel",
        Rules=f'''Two ships with a space of their own each.  {FLIGHT}  One move
        gives an order to both ships.  The match ends when a ship has both
        speeds 0, or after 49 turns.  The score is the mean of both ships: 100
        for a stop at the planet in (15, 5), 50 for one elsewhere, 0 for
        none.''',
        Roles="pilot.",
        Structure='''one player, 9 compound moves without arguments, a step
        counter, at most 49 turns; two synchronous games (2/0/1/0).''',
        Known="100 can be reached in 10 moves.",
        Source=SOURCE_ASTEROIDS)}

; ---- Role, ships and moves ----

(role pilot)

(ship 1) (ship 2)

; (part move ship order)
{parts}

{flight("?ship ", STEP_BASE, '''(<= (input pilot ?move)
    (part ?move 1 ?order))''', "(init (step 1))", '''(<= (legal pilot ?move)
    (part ?move 1 ?order))''', '''(<= (gets ?ship ?order)
    (does pilot ?move)
    (part ?move ?ship ?order))''', False)}
{SHIPS_ENDS}

(<= terminal
    (stopped ?ship))
(<= terminal
    (true (step 50)))

{SHIPS_MEAN}"""


def asteroids_serial():
    return f"""\
{header("Asteroids Serial",
        Rules=f'''Two flights in turn: the second ship waits until the first has
        stopped or used up its turns.  {FLIGHT}  A flight ends when both speeds
        are 0, or after 49 turns; the match ends with the second flight.  The
        score is the mean of both: 100 for a stop at the planet in (15, 5), 50 for
        one elsewhere, 0 for none.''',
        Roles="pilot.",
        Structure='''one player, at most 98 turns of 3 moves; two games in
        series with a step counter each (2/0/2/0).''',
        Known="100 can be reached in 20 moves.",
        Source=SOURCE_ASTEROIDS)}

; ---- Role and ships ----

(role pilot)

(ship 1) (ship 2)
(order clock) (order counter) (order thrust)

{flight("?ship ", '''(<= (base (step ?ship 1))
    (ship ?ship))
(<= (base (step ?ship ?step))
    (ship ?ship)
    (succ ?before ?step))''', '''(<= (input pilot (steer ?ship ?order))
    (ship ?ship)
    (order ?order))''', '''(<= (init (step ?ship 1))
    (ship ?ship))''', '''(<= (legal pilot (steer ?ship ?order))
    (active ?ship)
    (order ?order))

; ship 1 first
(<= (active 1)
    (not (over 1)))
(<= (active 2)
    (over 1))''', '''(<= (gets ?ship ?order)
    (does pilot (steer ?ship ?order)))''', True)}
{SHIPS_ENDS}

(<= (over ?ship)
    (stopped ?ship))
(<= (over ?ship)
    (true (step ?ship 50)))

(<= terminal
    (over 2))

{SHIPS_MEAN}"""


# ----------------------------------------------------------- blocks_world

SOURCE_BLOCKS = "the blocks world of early planning programs (about 1970)."

BLOCKS = """Each has three blocks a, b and c; at the start c is on a, while a and
b are on the table.  A clear block can be unstacked from another onto the table,
and a clear block that lies on the table can be stacked on another clear
block."""


def block_worlds(fluents, inputs, start, legal, moves, counting):
    """Two tables with blocks; the caller says how moves are made of steps."""
    return f"""\
; ---- Role, worlds and blocks ----

(role player)

(world 1) (world 2)
(block a) (block b) (block c)
(succ 1 2) (succ 2 3) (succ 3 4)

(<= (pair ?upper ?lower)
    (block ?upper)
    (block ?lower)
    (distinct ?upper ?lower))

; ---- Fluents and moves ----

(<= (base (on ?world ?upper ?lower))
    (world ?world)
    (pair ?upper ?lower))
(<= (base (table ?world ?block))
    (world ?world)
    (block ?block))
{fluents}

{inputs}

; ---- Start ----

(<= (init (on ?world c a))
    (world ?world))
(<= (init (table ?world a))
    (world ?world))
(<= (init (table ?world b))
    (world ?world))
{start}

; ---- Legal moves ----

{legal}

(<= (can ?world (stack ?upper ?lower))
    (clear ?world ?upper)
    (true (table ?world ?upper))
    (clear ?world ?lower)
    (distinct ?upper ?lower))
(<= (can ?world (unstack ?upper ?lower))
    (clear ?world ?upper)
    (true (on ?world ?upper ?lower)))

(<= (clear ?world ?block)
    (world ?world)
    (block ?block)
    (not (covered ?world ?block)))
(<= (covered ?world ?lower)
    (true (on ?world ?upper ?lower)))

; ---- Next state ----

{moves}

(<= (next (on ?world ?upper ?lower))
    (act ?world (stack ?upper ?lower)))
(<= (next (on ?world ?upper ?lower))
    (true (on ?world ?upper ?lower))
    (not (act ?world (unstack ?upper ?lower))))

(<= (next (table ?world ?upper))
    (act ?world (unstack ?upper ?lower)))
(<= (next (table ?world ?block))
    (true (table ?world ?block))
    (not (stacked ?world ?block)))

(<= (stacked ?world ?upper)
    (act ?world (stack ?upper ?lower)))

{counting}

; ---- End and goals ----

(<= (built ?world)
    (true (on ?world a b))
    (true (on ?world b c)))
"""


BLOCKS_MEAN = f"""\
; half the score of a world
(<= (points ?world 50)
    (built ?world))
(<= (points ?world 0)
    (world ?world)
    (not (built ?world)))

{sums((0, 50))}

{mean_goal("player")}
"""

BLOCK_ACTS = """\
(<= (action (stack ?upper ?lower))
    (pair ?upper ?lower))
(<= (action (unstack ?upper ?lower))
    (pair ?upper ?lower))"""


def blocks_world_parallel():
    worlds = block_worlds(STEP_BASE, f"""\
{BLOCK_ACTS}
(<= (input player (both ?action1 ?action2))
    (action ?action1)
    (action ?action2))""", "(init (step 1))", """\
(<= (legal player (both ?action1 ?action2))
    (can 1 ?action1)
    (can 2 ?action2))""", """\
(<= (act 1 ?action1)
    (does player (both ?action1 ?action2)))
(<= (act 2 ?action2)
    (does player (both ?action1 ?action2)))""", STEP_NEXT)
    return f"""\
{header("Blocks World Parallel",
        Rules=f'''Two worlds of blocks.  {BLOCKS}  A move does one of these
        things in each world.  The match ends when both worlds have the tower a
        on b on c, or after 3 moves.  The score is the mean of both worlds: 100
        for the tower, else 0.''',
        Roles="player.",
        Structure='''one player, compound moves, a step counter, at most 3
        turns; two synchronous games (2/0/1/0).''',
        Known='''4 first moves; 100 can be reached in 3 moves, the same in both
        worlds.''',
        Source=SOURCE_BLOCKS)}

{worlds}
(<= terminal
    (built 1)
    (built 2))
(<= terminal
    (true (step 4)))

{BLOCKS_MEAN}"""


def blocks_world_serial():
    worlds = block_worlds("""\
(<= (base (step ?world 1))
    (world ?world))
(<= (base (step ?world ?step))
    (world ?world)
    (succ ?before ?step))""", f"""\
{BLOCK_ACTS}
(<= (input player (in ?world ?action))
    (world ?world)
    (action ?action))""", """\
(<= (init (step ?world 1))
    (world ?world))""", """\
(<= (legal player (in ?world ?action))
    (active ?world)
    (can ?world ?action))

; world 1 first
(<= (active 1)
    (not (over 1)))
(<= (active 2)
    (over 1))""", """\
(<= (act ?world ?action)
    (does player (in ?world ?action)))""", """\
(<= (next (step ?world ?after))
    (active ?world)
    (true (step ?world ?step))
    (succ ?step ?after))
(<= (next (step ?world ?step))
    (true (step ?world ?step))
    (not (active ?world)))""")
    return f"""\
{header("Blocks World Serial",
        Rules=f'''Two worlds of blocks, one after the other.  {BLOCKS}  A world
        is over when it has the tower a on b on c, or after 3 moves in it; the
        match ends when the second is over.  The score is the mean of both
        worlds: 100 for the tower, else 0.''',
        Roles="player.",
        Structure='''one player, at most 6 turns; two games in series with a
        step counter each (2/0/2/0).''',
        Known="2 first moves; 100 can be reached in 6 moves.",
        Source=SOURCE_BLOCKS)}

{worlds}
(<= (over ?world)
    (built ?world))
(<= (over ?world)
    (true (step ?world 4)))

(<= terminal
    (over 2))

{BLOCKS_MEAN}"""


# ----------------------------------------------------- buttons_and_lights

SOURCE_BUTTONS = "a puzzle of the Stanford GGP course, rules written afresh."

BUTTONS = """Each has three lights p, q and r, which are off, and three buttons:
a toggles p, b exchanges the states of p and q, c exchanges those of q and r."""


def light_groups(groups, inputs, legal, presses, won):
    """Groups of lights; the caller says how to press and what is won."""
    return f"""\
; ---- Role, buttons and lights ----

(role player)

{numbers("group", 1, groups)}
(button a) (button b) (button c)
(light p) (light q) (light r)

(toggles a p)
(exchanges b p q)
(exchanges c q r)

(<= (swaps ?button ?light1 ?light2)
    (exchanges ?button ?light1 ?light2))
(<= (swaps ?button ?light1 ?light2)
    (exchanges ?button ?light2 ?light1))

; The button can change the light.
(<= (affects ?button ?light)
    (toggles ?button ?light))
(<= (affects ?button ?light1)
    (swaps ?button ?light1 ?light2))

{chain("succ", 1, 7)}

; ---- Fluents and moves ----

(<= (base (on ?group ?light))
    (group ?group)
    (light ?light))
{STEP_BASE}

{inputs}

; ---- Start ----

(init (step 1))

; ---- Legal moves ----

{legal}

; ---- Next state ----

{presses}

(<= (next (on ?group ?light))
    (pressed ?group ?button)
    (toggles ?button ?light)
    (not (true (on ?group ?light))))
(<= (next (on ?group ?light1))
    (pressed ?group ?button)
    (swaps ?button ?light1 ?light2)
    (true (on ?group ?light2)))
(<= (next (on ?group ?light))
    (true (on ?group ?light))
    (not (affected ?group ?light)))

(<= (affected ?group ?light)
    (pressed ?group ?button)
    (affects ?button ?light))

{STEP_NEXT}

; ---- End and goals ----

(<= (some_off ?group)
    (group ?group)
    (light ?light)
    (not (true (on ?group ?light))))
{won}

(<= terminal
    won)
(<= terminal
    (true (step 7)))

(<= (goal player 100)
    won)
(<= (goal player 0)
    (not won))
"""


ANY_GROUP_WON = """\
(<= won
    (group ?group)
    (not (some_off ?group)))"""

ONE_PRESS = ("""\
(<= (input player (press ?group ?button))
    (group ?group)
    (button ?button))""", """\
(<= (legal player (press ?group ?button))
    (group ?group)
    (button ?button))""", """\
(<= (pressed ?group ?button)
    (does player (press ?group ?button)))""")


def best_buttons_and_lights(groups=9):
    require(groups >= 1, "at least one group")
    return f"""\
{header("Best Buttons and Lights",
        Rules=f'''{groups} groups of lights.  {BUTTONS}  The player presses one
        button a turn.  All three lights of any group on within 6 presses score
        100, else 0.''',
        Roles="player.",
        Structure=f'''one player, a step counter, at most 6 turns of
        {3 * groups} moves; {groups} asynchronous games, any of which wins
        ({groups}/0/1/0).''',
        Known="the shortest solution has 6 presses in one group: a b c a b a.",
        Source=SOURCE_BUTTONS)}

{light_groups(groups, *ONE_PRESS, ANY_GROUP_WON)}"""


def multiple_buttons_and_lights(groups=9):
    require(groups >= 1, "at least one group")
    counts = (groups + 1) // 2
    return f"""\
{header("Multiple Buttons and Lights",
        Rules=f'''{groups} groups of lights.  {BUTTONS}  The player presses one
        button a turn.  All three lights of group {counts} on within 6 presses
        score 100, else 0; the other groups do not count.''',
        Roles="player.",
        Structure=f'''one player, a step counter, at most 6 turns of
        {3 * groups} moves; {groups} asynchronous games, all but one useless
        ({groups}/{groups - 1}/1/0).''',
        Known=f'''the shortest solution has 6 presses in group {counts}: a b c a
        b a.''',
        Source=SOURCE_BUTTONS)}

{light_groups(groups, *ONE_PRESS, f'''(<= won
    (not (some_off {counts})))''')}"""


def joint_buttons_and_lights(groups=3):
    require(1 <= groups <= 6, "1 to 6 groups")
    span = range(1, groups + 1)
    buttons = " ".join(f"?button{i}" for i in span)
    premises = "\n".join(f"    (button ?button{i})" for i in span)
    pressed = "\n".join(f"""\
(<= (pressed {i} ?button{i})
    (does player (press {buttons})))""" for i in span)
    return f"""\
{header("Joint Buttons and Lights",
        Rules=f'''{groups} groups of lights.  {BUTTONS}  A move presses one
        button of each group.  All three lights of any group on within 6 moves
        score 100, else 0.''',
        Roles="player.",
        Structure=f'''one player, compound moves, a step counter, at most 6 turns
        of {3 ** groups} moves; {groups} synchronous games, any of which wins
        ({groups}/0/1/0).''',
        Known="the shortest solution has 6 moves: a b c a b a in one group.",
        Source=SOURCE_BUTTONS)}

{light_groups(groups, f'''; (press button button ...), a button of each group
(<= (input player (press {buttons}))
{premises})''', f'''(<= (legal player (press {buttons}))
{premises})''', pressed, ANY_GROUP_WON)}"""


# ------------------------------------------------------------------ names

STORED = {
    family.__name__: family
    for family in (asteroids, asteroids_parallel, asteroids_serial,
                   best_buttons_and_lights, blocks_world_parallel,
                   blocks_world_serial, double_tic_tac_toe,
                   double_tic_tac_toe_free, dual_hamilton,
                   joint_buttons_and_lights, lights_on_parallel,
                   lights_on_simultaneous, multiple_buttons_and_lights,
                   multiple_hamilton, multiple_tic_tac_toe,
                   nine_board_tic_tac_toe, row_pairs, tic_tac_heaven,
                   tic_tac_toe_parallel, tic_tac_toe_serial,
                   turtle_brain_easy)
}

FAMILIES = {
    "best_buttons_and_lights": (best_buttons_and_lights, {"groups": 9}),
    "joint_buttons_and_lights": (joint_buttons_and_lights, {"groups": 3}),
    "lights_on_parallel": (lights_on_parallel, {"groups": 4}),
    "lights_on_simultaneous": (lights_on_simultaneous,
                               {"groups": 4, "presses": 2}),
    "multiple_buttons_and_lights": (multiple_buttons_and_lights,
                                    {"groups": 9}),
    "row_pairs": (row_pairs, {"players": 3, "cells": 8}),
    "turtle_brain_easy": (turtle_brain_easy, {"groups": 3}),
}
