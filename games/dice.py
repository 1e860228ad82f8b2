"""Games of dice and cards in which everything is open.

Dice are rolled one a turn, so that chance has six moves at most; it plays
`noop` while players decide, except where its moves may be the same always.
"""

from layout import (WIN_GOALS, chain, each, fill, header, numbers, require,
                    two_and_chance)

TREES = ("apple", "pear", "cherry", "plum", "peach", "fig")


# ---------------------------------------------------------------- orchard

def orchard(trees=4, fruits=10, raven=9):
    require(1 <= trees <= len(TREES) and fruits >= 1 and raven >= 1,
            f"1 to {len(TREES)} trees, at least one fruit and one piece")
    known = ("""the best player always picks from the fullest tree and wins with
        probability 0.6840475; one that picks from the emptiest wins with
        0.5323991, and one that picks at random with 0.6319980."""
             if (trees, fruits, raven) == (4, 10, 9)
             else "none recorded for this size.")
    return f"""\
{header("Orchard",
        Rules=f'''{trees} trees bear {fruits} fruits each.  Chance rolls a die: a
        tree loses a fruit if it has one, or the raven gets one of {raven}
        pieces, or the player picks two fruits from trees of its choice.  All
        fruits picked before the raven is complete score 100, else 0.''',
        Roles="player and random.",
        Structure='''one player against chance, which rolls also while the
        player picks, to no effect; a match can last for ever, with probability
        0.''',
        Known=known,
        Source="board game Obstgarten, rules written afresh.")}

; ---- Roles ----

(role player)
(role random)

; ---- Trees, faces of the die, numbers ----

{each("tree", TREES[:trees])}

(<= (face ?tree)
    (tree ?tree))
(face raven)
(face basket)

{chain("succ", 0, max(fruits, raven))}
{numbers("fruits", 0, fruits)}
{numbers("pieces", 0, raven)}

; What a turn is for, and what follows when the basket is rolled or picked for.
(turn roll) (turn pick_two) (turn pick_one)
(picking pick_two pick_one)
(picking pick_one roll)

; ---- Fluents and moves ----

(<= (base (turn ?turn))
    (turn ?turn))
(<= (base (fruits ?tree ?number))
    (tree ?tree)
    (fruits ?number))
(<= (base (raven ?number))
    (pieces ?number))

(<= (input random (roll ?face))
    (face ?face))
(input player noop)
(<= (input player (pick ?tree))
    (tree ?tree))

; ---- Start ----

(init (turn roll))
(<= (init (fruits ?tree {fruits}))
    (tree ?tree))
(init (raven {raven}))

; ---- Legal moves ----

(<= (legal random (roll ?face))
    (face ?face))
(<= (legal player noop)
    (true (turn roll)))
(<= (legal player (pick ?tree))
    (true (turn ?turn))
    (picking ?turn ?later)
    (true (fruits ?tree ?number))
    (distinct ?number 0))

; ---- Next state ----

(<= (rolled ?face)
    (true (turn roll))
    (does random (roll ?face)))

(<= (next (turn pick_two))
    (rolled basket))
(<= (next (turn roll))
    (rolled ?face)
    (distinct ?face basket))
(<= (next (turn ?later))
    (true (turn ?turn))
    (picking ?turn ?later))

(<= (taken ?tree)
    (rolled ?tree)
    (tree ?tree))
(<= (taken ?tree)
    (does player (pick ?tree)))

(<= (next (fruits ?tree ?number))
    (true (fruits ?tree ?number))
    (not (taken ?tree)))
(<= (next (fruits ?tree ?fewer))
    (true (fruits ?tree ?number))
    (taken ?tree)
    (succ ?fewer ?number))
(<= (next (fruits ?tree 0))
    (true (fruits ?tree 0))
    (taken ?tree))

(<= (next (raven ?number))
    (true (raven ?number))
    (not (rolled raven)))
(<= (next (raven ?fewer))
    (true (raven ?number))
    (rolled raven)
    (succ ?fewer ?number))

; ---- End ----

(<= fruits_left
    (true (fruits ?tree ?number))
    (distinct ?number 0))

(<= terminal
    (not fruits_left))
(<= terminal
    (true (raven 0)))

(<= (goal player 100)
    (not fruits_left))
(<= (goal player 0)
    fruits_left)
(goal random 0)
"""


# ------------------------------------------------ two players and chance

# Who does not act has a move without effect.  `rolling` says when chance acts.
IDLE = """\
(<= (acts ?player)
    (true (control ?player))
    (not rolling))
(<= (legal ?player noop)
    (opponent ?player ?other)
    (not (acts ?player)))
(<= (legal random noop)
    (not rolling))"""

CONTROL_BASE = """\
(<= (base (control ?player))
    (opponent ?player ?other))"""

IDLE_INPUT = """\
(<= (input ?role noop)
    (role ?role))"""

# `turn_over` says when the other player's turn begins.
CONTROL_NEXT = """\
(<= (next (control ?player))
    (true (control ?player))
    (not turn_over))
(<= (next (control ?other))
    (true (control ?player))
    (opponent ?player ?other)
    turn_over)"""


def turn_counter(limit):
    """Fluents, start and next state of a counter of turns."""
    return (f"""\
(<= (base (turn ?turn))
    (turn ?turn))""", "(init (turn 1))", """\
(<= (next (turn ?turn))
    (true (turn ?turn))
    (not turn_over))
(<= (next (turn ?later))
    (true (turn ?turn))
    turn_over
    (succ ?turn ?later))""", numbers("turn", 1, limit + 1))


# ------------------------------------------------------------- backgammon

BACKGAMMON_STARTS = {15: {24: 2, 13: 5, 8: 3, 6: 5}, 3: {24: 1, 23: 1, 22: 1}}


def backgammon(checkers=15, steps=400):
    require(checkers in BACKGAMMON_STARTS, "15 checkers, or 3 (hypergammon)")
    start = BACKGAMMON_STARTS[checkers]
    pips = sum(point * number for point, number in start.items())
    points = ", ".join(f"{number} on {point}"
                       for point, number in start.items())
    return f"""\
{header("Backgammon" if checkers == 15 else "Hypergammon",
        Rules=f'''{checkers} checkers each, at first {points}, counted as steps
        to go.  A turn: two dice, doubles count four times, each used to move
        one checker that many steps, as long as some checker can; checkers on
        the bar, 25 steps from home, come first.  A point with two or more
        enemy checkers is closed; one alone is hit and goes to the bar.  When
        all are within the last six points they may be borne off, by the exact
        number or from the farthest point by a larger one.  The first to bear
        off all wins (100/0).  After {steps} turns of the rules fewer steps to
        go win; equal is a draw.  Nobody need look for a way to use both
        dice.''',
        Roles="white (rolls first), black and random.",
        Structure=f'''two players and chance, everything open; at most {steps}
        turns.''',
        Known="none.",
        Source="traditional game, rules written afresh.")}

{two_and_chance("white", "black")}

; ---- Dice, points and numbers ----

{numbers("die", 1, 6)}

{numbers("point", 1, 24)}
{numbers("home", 1, 6)}
{chain("succ", 0, steps + 1)}
{numbers("number", 0, 25)}

; The same point as the players call it.
{fill(f"(mirror {point} {25 - point})" for point in range(1, 25))}

; (target from die to)
{fill(f"(target {point} {die} {point - die})" for point in range(1, 26)
      for die in range(1, 7) if point > die)}

; (larger die point): the die goes beyond.
{fill(f"(larger {die} {point})" for die in range(1, 7)
      for point in range(1, die))}

; (farther point point)
(<= (farther ?far ?near)
    (home ?near)
    (succ ?near ?far)
    (home ?far))
(<= (farther ?farther ?near)
    (farther ?far ?near)
    (succ ?far ?farther)
    (home ?farther))

; Steps to go are counted in base 25: a checker that is hit gains 25 and loses
; what it had to go.
; (falls digit steps digit): the lower digit.
(falls 0 1 24)
(<= (falls ?digit 1 ?less)
    (succ ?less ?digit)
    (number ?digit)
    (distinct ?digit 25))
(<= (falls ?digit ?steps ?less)
    (falls ?digit ?fewer ?more)
    (number ?more)
    (succ ?fewer ?steps)
    (point ?steps)
    (falls ?more 1 ?less))
; (borrows digit steps)
(<= (borrows ?digit ?steps)
    (number ?digit)
    (succ ?digit ?steps)
    (point ?steps))
(<= (borrows ?digit ?steps)
    (borrows ?digit ?fewer)
    (succ ?fewer ?steps)
    (point ?steps))

; ---- Fluents and moves ----

; (checkers player steps_to_go number), the bar being 25 and home 0
{CONTROL_BASE}
(base (phase roll1))
(base (phase roll2))
(base (phase move))
(<= (base (step ?step))
    (succ ?before ?step))
(<= (base (uses ?die ?number))
    (die ?die)
    (times ?number))
(<= (base (checkers ?player ?place ?count))
    (opponent ?player ?other)
    (number ?place)
    (count ?count))
(<= (base (high ?player ?digit))
    (opponent ?player ?other)
    (high ?digit))
(<= (base (low ?player ?digit))
    (opponent ?player ?other)
    (number ?digit)
    (distinct ?digit 25))

{numbers("count", 1, checkers)}
{numbers("times", 1, 4)}
{numbers("high", 0, checkers)}

{IDLE_INPUT}
(<= (input ?player pass)
    (opponent ?player ?other))
(<= (input ?player (move ?place ?die))
    (opponent ?player ?other)
    (number ?place)
    (distinct ?place 0)
    (die ?die))
(<= (input random (roll ?die))
    (die ?die))

; ---- Start ----

(init (control white))
(init (phase roll1))
(init (step 1))
(<= (init (checkers ?player ?place ?count))
    (opponent ?player ?other)
    (start ?place ?count))
{fill(f"(start {place} {count})" for place, count in start.items())}
(<= (init (high ?player {pips // 25}))
    (opponent ?player ?other))
(<= (init (low ?player {pips % 25}))
    (opponent ?player ?other))

; ---- Legal moves ----

(<= rolling
    (true (phase roll1)))
(<= rolling
    (true (phase roll2)))
{IDLE}
(<= (legal random (roll ?die))
    rolling
    (die ?die))

(<= (has ?player ?place)
    (true (checkers ?player ?place ?count)))
(<= (source ?player 25)
    (has ?player 25))
(<= (source ?player ?point)
    (has ?player ?point)
    (point ?point)
    (not (has ?player 25)))
(<= (closed ?player ?point)
    (opponent ?player ?other)
    (mirror ?point ?theirs)
    (true (checkers ?other ?theirs ?count))
    (distinct ?count 1))
(<= (outside ?player)
    (has ?player ?place)
    (distinct ?place 0)
    (not (home ?place)))
(<= (behind ?player ?point)
    (has ?player ?far)
    (farther ?far ?point))

(<= (possible ?player ?place ?die)
    (acts ?player)
    (true (uses ?die ?number))
    (source ?player ?place)
    (target ?place ?die ?to)
    (not (closed ?player ?to)))
(<= (possible ?player ?die ?die)
    (acts ?player)
    (true (uses ?die ?number))
    (source ?player ?die)
    (not (outside ?player)))
(<= (possible ?player ?point ?die)
    (acts ?player)
    (true (uses ?die ?number))
    (larger ?die ?point)
    (source ?player ?point)
    (not (outside ?player))
    (not (behind ?player ?point)))
(<= can_move
    (possible ?player ?place ?die))

(<= (legal ?player (move ?place ?die))
    (possible ?player ?place ?die))
(<= (legal ?player pass)
    (acts ?player)
    (not can_move))

; ---- Next state: the checkers ----

(<= (leaves ?player ?place)
    (does ?player (move ?place ?die)))
(<= (gains ?player ?to)
    (does ?player (move ?place ?die))
    (target ?place ?die ?to))
(<= (gains ?player 0)
    (does ?player (move ?die ?die)))
(<= (gains ?player 0)
    (does ?player (move ?point ?die))
    (larger ?die ?point))
(<= (hit ?other ?theirs)
    (does ?player (move ?place ?die))
    (target ?place ?die ?to)
    (opponent ?player ?other)
    (mirror ?to ?theirs)
    (true (checkers ?other ?theirs 1)))
(<= (leaves ?player ?point)
    (hit ?player ?point))
(<= (gains ?player 25)
    (hit ?player ?point))

(<= (next (checkers ?player ?place ?count))
    (true (checkers ?player ?place ?count))
    (not (leaves ?player ?place))
    (not (gains ?player ?place)))
(<= (next (checkers ?player ?place ?fewer))
    (true (checkers ?player ?place ?count))
    (leaves ?player ?place)
    (succ ?fewer ?count)
    (distinct ?fewer 0))
(<= (next (checkers ?player ?place ?more))
    (true (checkers ?player ?place ?count))
    (gains ?player ?place)
    (succ ?count ?more)
    (count ?more))
(<= (next (checkers ?player ?place 1))
    (gains ?player ?place)
    (not (has ?player ?place)))

; ---- Next state: steps to go ----

(<= (goes ?player ?die)
    (does ?player (move ?place ?die))
    (target ?place ?die ?to))
(<= (goes ?player ?point)
    (does ?player (move ?point ?die))
    (gains ?player 0))
(<= (goes ?player ?point)
    (hit ?player ?point))
(<= (is_hit ?player)
    (hit ?player ?point))
(<= (moves ?player)
    (goes ?player ?steps))
(<= (carries ?player)
    (goes ?player ?steps)
    (true (low ?player ?digit))
    (borrows ?digit ?steps))

(<= (next (low ?player ?digit))
    (true (low ?player ?digit))
    (not (moves ?player)))
(<= (next (low ?player ?less))
    (true (low ?player ?digit))
    (goes ?player ?steps)
    (falls ?digit ?steps ?less))
(<= (next (high ?player ?digit))
    (true (high ?player ?digit))
    (not (carries ?player))
    (not (is_hit ?player)))
(<= (next (high ?player ?digit))
    (true (high ?player ?digit))
    (carries ?player)
    (is_hit ?player))
(<= (next (high ?player ?less))
    (true (high ?player ?digit))
    (carries ?player)
    (not (is_hit ?player))
    (succ ?less ?digit))
(<= (next (high ?player ?more))
    (true (high ?player ?digit))
    (is_hit ?player)
    (not (carries ?player))
    (succ ?digit ?more)
    (high ?more))

; ---- Next state: dice and turns ----

(<= (next (phase roll2))
    (true (phase roll1)))
(<= (next (phase move))
    (true (phase roll2)))
(<= (next (phase move))
    (true (phase move))
    (not turn_over))
(<= (next (phase roll1))
    turn_over)

(<= (next (uses ?die 1))
    (true (phase roll1))
    (does random (roll ?die)))
(<= (next (uses ?die 1))
    (true (phase roll2))
    (true (uses ?die 1))
    (not (does random (roll ?die))))
(<= (next (uses ?die 1))
    (true (phase roll2))
    (does random (roll ?die))
    (not (true (uses ?die 1))))
(<= (next (uses ?die 4))
    (true (phase roll2))
    (does random (roll ?die))
    (true (uses ?die 1)))
(<= (used ?die)
    (does ?player (move ?place ?die)))
(<= (next (uses ?die ?number))
    (true (phase move))
    (true (uses ?die ?number))
    (not (used ?die))
    (not turn_over))
(<= (next (uses ?die ?fewer))
    (true (uses ?die ?number))
    (used ?die)
    (succ ?fewer ?number)
    (distinct ?fewer 0))

(<= turn_over
    (does ?player pass))
(<= turn_over
    (used ?die)
    (true (uses ?die 1))
    (not (other_left ?die)))
(<= (other_left ?die)
    (die ?die)
    (true (uses ?other ?number))
    (distinct ?other ?die))

{CONTROL_NEXT}
(<= (next (step ?later))
    (true (step ?step))
    (succ ?step ?later))

; ---- End ----

(<= (all_home ?player)
    (true (checkers ?player 0 {checkers})))
(<= some_home
    (all_home ?player))
(<= (ahead ?player)
    (opponent ?player ?other)
    (true (high ?player ?less))
    (true (high ?other ?more))
    (smaller ?less ?more))
(<= (ahead ?player)
    (opponent ?player ?other)
    (true (high ?player ?digit))
    (true (high ?other ?digit))
    (true (low ?player ?less))
    (true (low ?other ?more))
    (smaller ?less ?more))
(<= (better ?player)
    (all_home ?player))
(<= (better ?player)
    (ahead ?player)
    (not some_home))
(<= (smaller ?i ?j)
    (number ?i)
    (succ ?i ?j)
    (number ?j))
(<= (smaller ?i ?k)
    (smaller ?i ?j)
    (succ ?j ?k)
    (number ?k))

(<= terminal
    some_home)
(<= terminal
    (true (step {steps + 1})))

{WIN_GOALS}
"""


# -------------------------------------------------------------- cant_stop

def cant_stop(first=3, growth=2, wanted=3, turns=200):
    require(first >= 1 and growth >= 0 and wanted >= 1 and turns >= 1,
            "positive lengths, columns and turns")
    columns = range(2, 13)
    lengths = {c: first + growth * min(c - 2, 12 - c) for c in columns}
    longest = max(lengths.values())
    heights = ", ".join(map(str, lengths.values()))
    base, init, later, numbered = turn_counter(turns)
    return f"""\
{header("Can't Stop",
        Rules=f'''Columns 2 to 12 are {heights}
        steps high.  In a turn four dice are rolled and the player splits them
        into pairs; it moves a runner up in the column of each sum, from its
        marker there at first, both if possible; there are three runners.  If
        no pair can move, the turn ends and the runners are lost.  Then it rolls
        again, or stops and marks what the runners have reached.  A marker on
        top wins the column for good.  The first with {wanted} columns wins
        (100/0); after {turns} turns more columns win, equal is a draw.''',
        Roles="red (begins), blue and random.",
        Structure=f'''two players and chance, everything open; at most {turns}
        turns, of six moves a throw.''',
        Known="none.",
        Source="board game by Sackson 1980, rules written afresh.")}

{two_and_chance("red", "blue")}

; ---- Dice and columns ----

{numbers("face", 1, 6)}
{numbers("dice", 1, 4)}
{numbers("column", 2, 12)}
{fill(f"(height {c} {n})" for c, n in lengths.items())}
{chain("succ", 0, max(turns + 1, 12, longest))}
{numbers("step", 1, longest)}
{numbered}
{fill(f"(sum {i} {j} {i + j})" for i in range(1, 7) for j in range(1, 7))}

; (split a b c d): a and b together, c and d together
(split 1 2 3 4) (split 3 4 1 2) (split 1 3 2 4) (split 2 4 1 3)
(split 1 4 2 3) (split 2 3 1 4)

; ---- Fluents and moves ----

{CONTROL_BASE}
(<= (base (phase (roll ?number)))
    (dice ?number))
(base (phase choose))
(base (phase decide))
{base}
(<= (base (die ?number ?face))
    (dice ?number)
    (face ?face))
(<= (base (runner ?column ?step))
    (column ?column)
    (step ?step)
    (reach ?column ?step))
(<= (base (marker ?player ?column ?step))
    (opponent ?player ?other)
    (column ?column)
    (step ?step)
    (reach ?column ?step))
(base (runners_left 0)) (base (runners_left 1))
(base (runners_left 2)) (base (runners_left 3))

; (reach column step): there are that many.
(<= (reach ?column ?step)
    (height ?column ?step))
(<= (reach ?column ?less)
    (reach ?column ?step)
    (succ ?less ?step)
    (step ?less))

{IDLE_INPUT}
(<= (input random (roll ?face))
    (face ?face))
(<= (input ?player ?move)
    (opponent ?player ?other)
    (plain ?move))
(<= (input ?player (advance ?column))
    (opponent ?player ?other)
    (column ?column))
(<= (input ?player (advance_both ?column1 ?column2))
    (opponent ?player ?other)
    (column ?column1)
    (column ?column2)
    (not (below ?column2 ?column1)))
(plain bust) (plain roll) (plain stop)

(<= (below ?i ?j)
    (column ?i)
    (succ ?i ?j)
    (column ?j))
(<= (below ?i ?k)
    (below ?i ?j)
    (succ ?j ?k)
    (column ?k))

; ---- Start ----

(init (control red))
(init (phase (roll 1)))
(init (runners_left 3))
{init}

; ---- What can move ----

(<= rolling
    (true (phase (roll ?number))))

(<= (pairs ?sum1 ?sum2)
    (true (phase choose))
    (split ?a ?b ?c ?d)
    (true (die ?a ?face1))
    (true (die ?b ?face2))
    (sum ?face1 ?face2 ?sum1)
    (true (die ?c ?face3))
    (true (die ?d ?face4))
    (sum ?face3 ?face4 ?sum2))

(<= (won ?player ?column)
    (true (marker ?player ?column ?top))
    (height ?column ?top))
(<= (closed ?column)
    (won ?player ?column))
(<= (runs ?column)
    (true (runner ?column ?step)))

; (stands column step): where the mover's next step there begins.
(<= (marked ?player ?column)
    (true (marker ?player ?column ?step)))
(<= (stands ?column ?step)
    (true (runner ?column ?step)))
(<= (stands ?column ?step)
    (true (control ?player))
    (true (marker ?player ?column ?step))
    (not (runs ?column)))
(<= (stands ?column 0)
    (column ?column)
    (true (control ?player))
    (not (marked ?player ?column))
    (not (runs ?column)))

(<= (can_step ?column)
    (column ?column)
    (not (closed ?column))
    (stands ?column ?step)
    (succ ?step ?more)
    (reach ?column ?more))
(<= (can_go ?column)
    (can_step ?column)
    (runs ?column))
(<= (can_go ?column)
    (can_step ?column)
    (true (runners_left ?number))
    (distinct ?number 0))
(<= (can_go_twice ?column)
    (can_go ?column)
    (stands ?column ?step)
    (succ ?step ?more)
    (succ ?more ?most)
    (reach ?column ?most))
(<= (both ?column1 ?column2)
    (pairs ?column1 ?column2)
    (distinct ?column1 ?column2)
    (can_go ?column1)
    (can_go ?column2)
    (not (short_of_runners ?column1 ?column2)))
(<= (short_of_runners ?column1 ?column2)
    (pairs ?column1 ?column2)
    (true (runners_left 1))
    (not (runs ?column1))
    (not (runs ?column2)))
(<= some_can_go
    (pairs ?column1 ?column2)
    (can_go ?column1))

; ---- Legal moves ----

{IDLE}
(<= (legal random (roll ?face))
    rolling
    (face ?face))
(<= (legal ?player (advance_both ?column1 ?column2))
    (acts ?player)
    (both ?column1 ?column2)
    (below ?column1 ?column2))
(<= (legal ?player (advance_both ?column ?column))
    (acts ?player)
    (pairs ?column ?column)
    (can_go_twice ?column))
(<= (legal ?player (advance ?column1))
    (acts ?player)
    (pairs ?column1 ?column2)
    (can_go ?column1)
    (distinct ?column1 ?column2)
    (not (both ?column1 ?column2)))
(<= (legal ?player (advance ?column))
    (acts ?player)
    (pairs ?column ?column)
    (can_go ?column)
    (not (can_go_twice ?column)))
(<= (legal ?player bust)
    (acts ?player)
    (true (phase choose))
    (not some_can_go))
(<= (legal ?player roll)
    (acts ?player)
    (true (phase decide)))
(<= (legal ?player stop)
    (acts ?player)
    (true (phase decide)))

; ---- Next state ----

(<= (next (die ?number ?face))
    (true (phase (roll ?number)))
    (does random (roll ?face)))
(<= (next (die ?number ?face))
    (true (die ?number ?face))
    rolling)

(<= (next (phase (roll ?later)))
    (true (phase (roll ?number)))
    (succ ?number ?later)
    (dice ?later))
(<= (next (phase choose))
    (true (phase (roll 4))))
(<= (next (phase decide))
    (true (phase choose))
    (not turn_over))
(<= (next (phase (roll 1)))
    turn_over)
(<= (next (phase (roll 1)))
    (does ?player roll))

(<= turn_over
    (does ?player stop))
(<= turn_over
    (does ?player bust))
{CONTROL_NEXT}
{later}

; (climbs column steps)
(<= (climbs ?column 1)
    (does ?player (advance ?column)))
(<= (climbs ?column1 1)
    (does ?player (advance_both ?column1 ?column2))
    (distinct ?column1 ?column2))
(<= (climbs ?column2 1)
    (does ?player (advance_both ?column1 ?column2))
    (distinct ?column1 ?column2))
(<= (climbs ?column 2)
    (does ?player (advance_both ?column ?column)))
(<= (climbing ?column)
    (climbs ?column ?steps))

(<= (next (runner ?column ?more))
    (climbs ?column 1)
    (stands ?column ?step)
    (succ ?step ?more)
    (reach ?column ?more))
(<= (next (runner ?column ?most))
    (climbs ?column 2)
    (stands ?column ?step)
    (succ ?step ?more)
    (succ ?more ?most)
    (reach ?column ?most))
(<= (next (runner ?column ?step))
    (true (runner ?column ?step))
    (not (climbing ?column))
    (not turn_over))

(<= (starts ?column)
    (climbing ?column)
    (not (runs ?column)))
(<= two_start
    (starts ?column1)
    (starts ?column2)
    (distinct ?column1 ?column2))
(<= one_starts
    (starts ?column)
    (not two_start))
(<= none_starts
    (true (phase ?phase))
    (not two_start)
    (not one_starts))
(<= (next (runners_left 3))
    turn_over)
(<= (next (runners_left ?number))
    (true (runners_left ?number))
    none_starts
    (not turn_over))
(<= (next (runners_left ?less))
    (true (runners_left ?number))
    one_starts
    (succ ?less ?number))
(<= (next (runners_left ?least))
    (true (runners_left ?number))
    two_start
    (succ ?less ?number)
    (succ ?least ?less))

(<= (next (marker ?player ?column ?step))
    (does ?player stop)
    (true (runner ?column ?step)))
(<= (next (marker ?player ?column ?step))
    (true (marker ?player ?column ?step))
    (not (replaced ?player ?column)))
(<= (replaced ?player ?column)
    (does ?player stop)
    (runs ?column))

; ---- End ----

; (columns player column number): how many it has won up to the column.
(<= (columns ?player 1 0)
    (opponent ?player ?other))
(<= (columns ?player ?column ?more)
    (columns ?player ?before ?number)
    (succ ?before ?column)
    (won ?player ?column)
    (succ ?number ?more))
(<= (columns ?player ?column ?number)
    (columns ?player ?before ?number)
    (succ ?before ?column)
    (column ?column)
    (not (won ?player ?column)))
(<= (better ?player)
    (opponent ?player ?other)
    (columns ?player 12 ?more)
    (columns ?other 12 ?number)
    (more ?more ?number))
(<= (more ?more ?number)
    (succ ?number ?more)
    (few ?more))
(<= (more ?most ?number)
    (more ?more ?number)
    (succ ?more ?most)
    (few ?most))
{numbers("few", 0, wanted + 2)}
(<= finished
    (columns ?player 12 ?number)
    (enough ?number))
{numbers("enough", wanted, wanted + 2)}

(<= terminal
    finished)
(<= terminal
    (true (turn {turns + 1})))

{WIN_GOALS}
"""


# -------------------------------------------------------------- kaeseklau

CAT_DIE = (0, 0, 1, 1, 2, 2)
MOUSE_DIE = (1, 1, 2, 2, 3, 3)


def kaeseklau(rooms=5, cards=6, empty=3, steps=300):
    total = rooms * cards
    require(rooms >= 3 and cards >= 1 and 1 <= empty <= rooms
            and total % 3 == 0, "at least 3 rooms, and a multiple of 3 cards")
    cheese = 2 * total
    return f"""\
{header("Kaeseklau",
        Rules=f'''{rooms} rooms in a circle hold {cards} cards of cheese each; of
        all the cards a third each are worth 1, 2 and 3.  In its turn a player
        rolls: the cat goes on 0, 1 or 2 rooms, then the mouse 1, 2 or 3, each
        with the same probability.  If they meet, the turn ends and the cheese
        of this turn is lost.  Else a card of the mouse's room is taken, if one
        is left, and the player goes on or stops and keeps the cheese.  When
        {empty} rooms are empty the match ends, and the player who moves keeps
        what it holds.  More cheese wins (100/0), equal is a draw; after {steps}
        turns of the rules what is kept counts.''',
        Roles="red (begins), blue and random.",
        Structure=f'''two players and chance, everything open; at most {steps}
        turns.''',
        Known="none.",
        Source="board game Kaeseklau, rules written afresh.")}

{two_and_chance("red", "blue")}

; ---- Rooms, dice, cards ----

{numbers("room", 1, rooms)}
{numbers("face", 1, 6)}
{fill(f"(goes cat {i} {n})" for i, n in enumerate(CAT_DIE, 1))}
{fill(f"(goes mouse {i} {n})" for i, n in enumerate(MOUSE_DIE, 1))}

; (onward room steps room)
{fill(f"(onward {room + 1} {n} {(room + n) % rooms + 1})"
      for room in range(rooms) for n in range(4))}

{numbers("card", 1, total)}
{fill(f"(value {card + 1} {card * 3 // total + 1})" for card in range(total))}
{numbers("left", 0, cards)}
{numbers("cheese", 0, cheese)}
{chain("succ", 0, max(steps + 1, cheese))}
(<= (plus ?i 0 ?i)
    (cheese ?i))
(<= (plus ?i ?j1 ?sum1)
    (plus ?i ?j ?sum)
    (succ ?j ?j1)
    (succ ?sum ?sum1)
    (cheese ?sum1))

; ---- Fluents and moves ----

{CONTROL_BASE}
(<= (base (phase ?phase))
    (phase ?phase))
(phase roll_cat) (phase roll_mouse) (phase draw) (phase decide)
(<= (base (step ?step))
    (succ ?before ?step))
(<= (base (card ?card))
    (card ?card))
(<= (base (cards ?room ?number))
    (room ?room)
    (left ?number))
(<= (base (cat ?room))
    (room ?room))
(<= (base (mouse ?room))
    (room ?room))
(<= (base (holds ?number))
    (cheese ?number))
(<= (base (keeps ?player ?number))
    (opponent ?player ?other)
    (cheese ?number))

{IDLE_INPUT}
(<= (input random (roll ?face))
    (face ?face))
(<= (input random (draw ?card))
    (card ?card))
(<= (input ?player again)
    (opponent ?player ?other))
(<= (input ?player stop)
    (opponent ?player ?other))

; ---- Start ----

(init (control red))
(init (phase roll_cat))
(init (step 1))
(init (mouse 1))
(init (cat 3))
(init (holds 0))
(<= (init (keeps ?player 0))
    (opponent ?player ?other))
(<= (init (card ?card))
    (card ?card))
(<= (init (cards ?room {cards}))
    (room ?room))

; ---- Legal moves ----

(<= rolling
    (true (phase ?phase))
    (distinct ?phase decide))
{IDLE}
(<= (legal random (roll ?face))
    (true (phase roll_cat))
    (face ?face))
(<= (legal random (roll ?face))
    (true (phase roll_mouse))
    (face ?face))
(<= (legal random (draw ?card))
    (true (phase draw))
    (true (card ?card)))
(<= (legal ?player again)
    (acts ?player))
(<= (legal ?player stop)
    (acts ?player))

; ---- Next state: cat and mouse ----

(<= (next (cat ?room))
    (true (cat ?room))
    (not (true (phase roll_cat))))
(<= (next (cat ?to))
    (true (phase roll_cat))
    (does random (roll ?face))
    (goes cat ?face ?steps)
    (true (cat ?room))
    (onward ?room ?steps ?to))
(<= (arrives ?to)
    (true (phase roll_mouse))
    (does random (roll ?face))
    (goes mouse ?face ?steps)
    (true (mouse ?room))
    (onward ?room ?steps ?to))
(<= (next (mouse ?room))
    (true (mouse ?room))
    (not (true (phase roll_mouse))))
(<= (next (mouse ?room))
    (arrives ?room))
(<= caught
    (arrives ?room)
    (true (cat ?room)))

; ---- Next state: cheese ----

(<= (takes ?value)
    (does random (draw ?card))
    (value ?card ?value))
(<= taking
    (takes ?value))
(<= (next (card ?card))
    (true (card ?card))
    (not (does random (draw ?card))))
(<= (next (cards ?room ?less))
    (true (cards ?room ?number))
    (true (mouse ?room))
    taking
    (succ ?less ?number))
(<= (next (cards ?room ?number))
    (true (cards ?room ?number))
    (not taking))
(<= (next (cards ?room ?number))
    (true (cards ?room ?number))
    (not (true (mouse ?room))))

; (hand number): what the mover holds after this turn of the rules.
(<= (hand ?sum)
    (true (holds ?number))
    (takes ?value)
    (plus ?number ?value ?sum))
(<= (hand ?number)
    (true (holds ?number))
    (not taking))
(<= (next (holds ?number))
    (hand ?number)
    (not turn_over))
(<= (next (holds 0))
    turn_over)

(<= (next (keeps ?player ?sum))
    (true (keeps ?player ?number))
    (true (control ?player))
    keeping
    (hand ?held)
    (plus ?number ?held ?sum))
(<= (next (keeps ?player ?number))
    (true (keeps ?player ?number))
    (not (true (control ?player))))
(<= (next (keeps ?player ?number))
    (true (keeps ?player ?number))
    (not keeping))
(<= keeping
    (does ?player stop))
(<= keeping
    ends_now)

; ---- Next state: turns ----

(<= turn_over
    caught)
(<= turn_over
    keeping)
{CONTROL_NEXT}
(<= (next (step ?later))
    (true (step ?step))
    (succ ?step ?later))

(<= (next (phase roll_mouse))
    (true (phase roll_cat)))
(<= (next (phase draw))
    (arrives ?room)
    (not caught)
    (not (true (cards ?room 0))))
(<= (next (phase decide))
    (arrives ?room)
    (not caught)
    (true (cards ?room 0)))
(<= (next (phase decide))
    taking
    (not ends_now))
(<= (next (phase roll_cat))
    (does ?player again))
(<= (next (phase roll_cat))
    turn_over)

; ---- End ----

; (empty room number): how many are empty up to the room.
(empty 0 0)
(<= (empty ?room ?more)
    (empty ?before ?number)
    (succ ?before ?room)
    (true (cards ?room 0))
    (succ ?number ?more))
(<= (empty ?room ?number)
    (empty ?before ?number)
    (succ ?before ?room)
    (room ?room)
    (not (true (cards ?room 0))))
(<= ends_now
    taking
    (true (mouse ?room))
    (true (cards ?room 1))
    (empty {rooms} {empty - 1}))

(<= (better ?player)
    (opponent ?player ?other)
    (true (keeps ?player ?more))
    (true (keeps ?other ?less))
    (less ?less ?more))
(<= (less ?i ?j)
    (cheese ?i)
    (succ ?i ?j)
    (cheese ?j))
(<= (less ?i ?k)
    (less ?i ?j)
    (succ ?j ?k)
    (cheese ?k))

(<= terminal
    (empty {rooms} {empty}))
(<= terminal
    (true (step {steps + 1})))

{WIN_GOALS}
"""


# -------------------------------------------------------------- pickomino

def pickomino(dice=8, low=21, high=36, turns=100):
    tiles = high - low + 1
    require(dice >= 1 and tiles >= 4 and tiles % 4 == 0 and low >= 1
            and high <= 5 * dice,
            "a multiple of 4 tiles that the dice can reach")
    worms = {low + i: 1 + 4 * i // tiles for i in range(tiles)}
    most = sum(worms.values())
    largest = 5 * dice
    base, init, later, numbered = turn_counter(turns)
    return f"""\
{header("Pickomino",
        Rules=f'''Tiles {low} to {high} lie in the middle, worth 1 to 4 worms.  In
        its turn a player rolls {dice} dice with the faces 1 to 5 and a worm,
        worth 5, sets all dice of one face aside that it has not set aside
        before, and rolls the others or stops.  With a worm set aside it may
        steal the other's top tile if that is exactly the sum, or take the
        highest tile from the middle that is not above the sum.  Who cannot set
        dice aside, or has no dice left and no tile to take, gives its top tile
        back, and the highest tile in the middle is turned over, out of play,
        unless it came back just now.  When no tile is left more worms win
        (100/0), and of equal numbers the highest tile; after {turns} turns the
        same.''',
        Roles="red (begins), blue and random.",
        Structure=f'''two players and chance, everything open; at most {turns}
        turns.''',
        Known="none.",
        Source="dice game Heckmeck by Knizia 2005, rules written afresh.")}

{two_and_chance("red", "blue")}

; ---- Dice, tiles, numbers ----

{fill(f"(face {f} {v})" for f, v in ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), ("worm", 5)))}
{numbers("dice", 1, dice)}
{fill(f"(tile {t} {n})" for t, n in worms.items())}
{numbers("place", 1, tiles)}
{numbers("worms", 0, most)}
{numbers("sum", 0, largest)}
{chain("succ", 0, max(turns + 1, most, largest, high))}
{numbered}

(<= (number ?i)
    (sum ?i))
(<= (number ?i)
    (worms ?i))
(<= (smaller ?i ?j)
    (number ?i)
    (succ ?i ?j)
    (number ?j))
(<= (smaller ?i ?k)
    (smaller ?i ?j)
    (succ ?j ?k)
    (number ?k))
(<= (at_most ?i ?i)
    (number ?i))
(<= (at_most ?i ?j)
    (smaller ?i ?j))

; (plus i j sum) and (times i j product), as far as they are needed
(<= (plus ?i 0 ?i)
    (number ?i))
(<= (plus ?i ?j1 ?sum1)
    (plus ?i ?j ?sum)
    (succ ?j ?j1)
    (succ ?sum ?sum1)
    (number ?sum1))
(<= (times 0 ?value 0)
    (face ?face ?value))
(<= (times ?i1 ?value ?sum)
    (times ?i ?value ?product)
    (succ ?i ?i1)
    (dice ?i1)
    (plus ?product ?value ?sum))

; ---- Fluents and moves ----

{CONTROL_BASE}
(<= (base (phase (roll ?dice)))
    (dice ?dice))
(base (phase choose))
(base (phase decide))
{base}
(<= (base (rolled ?face ?number))
    (face ?face ?value)
    (dice ?number))
(<= (base (aside ?face))
    (face ?face ?value))
(<= (base (sum ?sum))
    (sum ?sum))
(base (free 0))
(<= (base (free ?dice))
    (dice ?dice))
(<= (base (middle ?tile))
    (tile ?tile ?worms))
(<= (base (stack ?player ?place ?tile))
    (opponent ?player ?other)
    (place ?place)
    (tile ?tile ?worms))
(<= (base (height ?player 0))
    (opponent ?player ?other))
(<= (base (height ?player ?place))
    (opponent ?player ?other)
    (place ?place))
(<= (base (worms ?player ?number))
    (opponent ?player ?other)
    (worms ?number))

{IDLE_INPUT}
(<= (input random (roll ?face))
    (face ?face ?value))
(<= (input ?player (set_aside ?face))
    (opponent ?player ?other)
    (face ?face ?value))
(<= (input ?player ?move)
    (opponent ?player ?other)
    (plain ?move))
(plain roll) (plain take) (plain steal) (plain fail)

; ---- Start ----

(init (control red))
(init (phase (roll {dice})))
(init (free {dice}))
(init (sum 0))
{init}
(<= (init (middle ?tile))
    (tile ?tile ?worms))
(<= (init (height ?player 0))
    (opponent ?player ?other))
(<= (init (worms ?player 0))
    (opponent ?player ?other))

; ---- Legal moves ----

(<= rolling
    (true (phase (roll ?dice))))
{IDLE}
(<= (legal random (roll ?face))
    rolling
    (face ?face ?value))

(<= (can_set_aside ?face)
    (true (phase choose))
    (true (rolled ?face ?number))
    (not (true (aside ?face))))
(<= some_face
    (can_set_aside ?face))

; (best tile): the highest one within reach
(<= (in_reach ?tile)
    (true (sum ?sum))
    (true (middle ?tile))
    (at_most ?tile ?sum))
(<= (beaten ?tile)
    (in_reach ?tile)
    (in_reach ?higher)
    (smaller ?tile ?higher))
(<= (best ?tile)
    (in_reach ?tile)
    (not (beaten ?tile)))
(<= (top ?player ?tile)
    (true (height ?player ?place))
    (true (stack ?player ?place ?tile)))

(<= can_take
    (true (phase decide))
    (true (aside worm))
    (best ?tile))
(<= can_steal
    (true (phase decide))
    (true (aside worm))
    (true (control ?player))
    (opponent ?player ?other)
    (top ?other ?tile)
    (true (sum ?tile)))

(<= (legal ?player (set_aside ?face))
    (acts ?player)
    (can_set_aside ?face))
(<= (legal ?player fail)
    (acts ?player)
    (true (phase choose))
    (not some_face))
(<= (legal ?player fail)
    (acts ?player)
    (true (phase decide))
    (true (free 0))
    (not can_take)
    (not can_steal))
(<= (legal ?player roll)
    (acts ?player)
    (true (phase decide))
    (not (true (free 0))))
(<= (legal ?player take)
    (acts ?player)
    can_take)
(<= (legal ?player steal)
    (acts ?player)
    can_steal)

; ---- Next state: dice ----

(<= (rolls ?face)
    rolling
    (does random (roll ?face)))
(<= (shows ?face)
    (true (rolled ?face ?number)))
(<= (next (rolled ?face ?more))
    (rolls ?face)
    (true (rolled ?face ?number))
    (succ ?number ?more)
    (dice ?more))
(<= (next (rolled ?face 1))
    (rolls ?face)
    (not (shows ?face)))
(<= (next (rolled ?face ?number))
    rolling
    (true (rolled ?face ?number))
    (not (rolls ?face)))

(<= (next (phase (roll ?less)))
    (true (phase (roll ?dice)))
    (succ ?less ?dice)
    (distinct ?less 0))
(<= (next (phase choose))
    (true (phase (roll 1))))
(<= (next (phase decide))
    (does ?player (set_aside ?face)))
(<= (next (phase (roll ?dice)))
    (does ?player roll)
    (true (free ?dice)))
(<= (next (phase (roll {dice})))
    turn_over)

(<= setting_aside
    (does ?player (set_aside ?face)))
(<= (next (aside ?face))
    (does ?player (set_aside ?face)))
(<= (next (aside ?face))
    (true (aside ?face))
    (not turn_over))
(<= (next (sum ?sum))
    (does ?player (set_aside ?face))
    (true (rolled ?face ?number))
    (face ?face ?value)
    (times ?number ?value ?product)
    (true (sum ?before))
    (plus ?before ?product ?sum))
(<= (next (sum ?sum))
    (true (sum ?sum))
    (not setting_aside)
    (not turn_over))
(<= (next (sum 0))
    turn_over)
(<= (next (free ?less))
    (does ?player (set_aside ?face))
    (true (rolled ?face ?number))
    (true (free ?dice))
    (plus ?less ?number ?dice))
(<= (next (free ?dice))
    (true (free ?dice))
    (not setting_aside)
    (not turn_over))
(<= (next (free {dice}))
    turn_over)

; ---- Next state: tiles ----

; (gets player tile) and (loses player tile)
(<= (gets ?player ?tile)
    (does ?player take)
    (best ?tile))
(<= (gets ?player ?tile)
    (does ?player steal)
    (opponent ?player ?other)
    (top ?other ?tile))
(<= (loses ?other ?tile)
    (does ?player steal)
    (opponent ?player ?other)
    (top ?other ?tile))
(<= (loses ?player ?tile)
    (does ?player fail)
    (top ?player ?tile))

(<= (higher_in_middle ?tile)
    (true (middle ?tile))
    (true (middle ?higher))
    (smaller ?tile ?higher))
(<= (spared ?tile)
    (true (middle ?tile))
    (does ?player fail)
    (top ?player ?back)
    (smaller ?tile ?back))
(<= (turned ?tile)
    (does ?player fail)
    (true (middle ?tile))
    (not (higher_in_middle ?tile))
    (not (spared ?tile)))
(<= (taken ?tile)
    (does ?player take)
    (best ?tile))

(<= (next (middle ?tile))
    (true (middle ?tile))
    (not (taken ?tile))
    (not (turned ?tile)))
(<= (next (middle ?tile))
    (does ?player fail)
    (top ?player ?tile))

(<= (next (stack ?player ?place ?tile))
    (true (stack ?player ?place ?tile))
    (not (loses ?player ?tile)))
(<= (next (stack ?player ?place ?tile))
    (gets ?player ?tile)
    (true (height ?player ?below))
    (succ ?below ?place)
    (place ?place))
(<= (gaining ?player)
    (gets ?player ?tile))
(<= (losing ?player)
    (loses ?player ?tile))
(<= (next (height ?player ?place))
    (true (height ?player ?below))
    (gaining ?player)
    (succ ?below ?place)
    (place ?place))
(<= (next (height ?player ?below))
    (true (height ?player ?place))
    (losing ?player)
    (succ ?below ?place))
(<= (next (height ?player ?place))
    (true (height ?player ?place))
    (not (gaining ?player))
    (not (losing ?player)))
(<= (next (worms ?player ?sum))
    (true (worms ?player ?number))
    (gets ?player ?tile)
    (tile ?tile ?worms)
    (plus ?number ?worms ?sum))
(<= (next (worms ?player ?less))
    (true (worms ?player ?number))
    (loses ?player ?tile)
    (tile ?tile ?worms)
    (plus ?less ?worms ?number))
(<= (next (worms ?player ?number))
    (true (worms ?player ?number))
    (not (gaining ?player))
    (not (losing ?player)))

; ---- Next state: turns ----

(<= turn_over
    (does ?player take))
(<= turn_over
    (does ?player steal))
(<= turn_over
    (does ?player fail))
{CONTROL_NEXT}
{later}

; ---- End ----

(<= some_in_middle
    (true (middle ?tile)))

(<= (better ?player)
    (opponent ?player ?other)
    (true (worms ?player ?more))
    (true (worms ?other ?less))
    (smaller ?less ?more))
(<= (better ?player)
    (opponent ?player ?other)
    (true (worms ?player ?number))
    (true (worms ?other ?number))
    (owns ?player ?tile)
    (not (owns_above ?other ?tile)))
(<= (owns ?player ?tile)
    (true (stack ?player ?place ?tile)))
(<= (owns_above ?player ?tile)
    (owns ?player ?higher)
    (tile ?tile ?worms)
    (smaller ?tile ?higher))

(<= terminal
    (not some_in_middle))
(<= terminal
    (true (turn {turns + 1})))

{WIN_GOALS}
"""


# ---------------------------------------------------------------- yahtzee

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
CATEGORIES = UPPER + ("three_of_a_kind", "four_of_a_kind", "full_house",
                      "small_straight", "large_straight", "yahtzee", "chance")


def yahtzee():
    die = range(1, 6)
    masks = [[("roll" if mask >> i & 1 else "keep") for i in range(5)]
             for mask in range(1, 32)]
    variables = " ".join(f"?mark{i}" for i in die)
    rerolled = "\n".join(f"""\
(<= (rerolled {i})
    (does ?player (reroll {' '.join('roll' if j == i else f'?mark{j}' for j in die)})))"""
                         for i in die)
    straights = "\n".join(f"""\
(<= {name}
{chr(10).join(f'    (shown {face})' for face in range(first, first + size))})"""
                          for name, size in (("in_row_of_4", 4),
                                             ("in_row_of_5", 5))
                          for first in range(1, 8 - size))
    return f"""\
{header("Yahtzee",
        Rules='''The players take 13 turns each.  In a turn five dice are
        rolled; the player may roll any of them again, twice, and then scores
        one of its open categories: ones to sixes count the dice of that face,
        three or four of a kind and chance the sum of all dice, full house 25,
        four in a row 30, five in a row 40, five of a kind 50.  63 points in
        the first six categories earn 35 more.  More points win (100/0), equal
        is a draw.''',
        Roles="red (begins), blue and random.",
        Structure='''two players and chance, everything open; 26 turns, of 18
        moves at most.''',
        Known='''the best player alone scores about 245.9 points on the average;
        it rolls five of a kind in three throws with probability 0.0460 if it
        wants nothing else, and 23.33 points for chance.''',
        Source="traditional dice game, rules written afresh.")}

{two_and_chance("red", "blue")}

; ---- Dice, numbers, categories ----

{numbers("dice", 1, 5)}
{numbers("face", 1, 6)}
{each("category", CATEGORIES)}
{fill(f"(upper {name} {face})" for face, name in enumerate(UPPER, 1))}
{fill(f"(mask {' '.join(mask)})" for mask in masks)}

{chain("succ", 0, 65)}
{numbers("digit", 0, 9)}
{numbers("tens", 0, 37)}
{numbers("upper_sum", 0, 63)}
{fill(f"(written {n} {n // 10} {n % 10})" for n in range(66))}
{numbers("number", 0, 65)}
(<= (smaller ?i ?j)
    (number ?i)
    (succ ?i ?j))
(<= (smaller ?i ?k)
    (smaller ?i ?j)
    (succ ?j ?k))
(<= (plus ?i 0 ?i)
    (number ?i))
(<= (plus ?i ?j1 ?sum1)
    (plus ?i ?j ?sum)
    (succ ?j ?j1)
    (succ ?sum ?sum1))
(<= (times 0 ?face 0)
    (face ?face))
(<= (times ?i1 ?face ?sum)
    (times ?i ?face ?product)
    (succ ?i ?i1)
    (dice ?i1)
    (plus ?product ?face ?sum))

; ---- Fluents and moves ----

{CONTROL_BASE}
(<= (base (waits ?dice))
    (dice ?dice))
(<= (base (die ?dice ?face))
    (dice ?dice)
    (face ?face))
(base (throw 1)) (base (throw 2)) (base (throw 3))
(<= (base (open ?player ?category))
    (opponent ?player ?other)
    (category ?category))
(<= (base (tens ?player ?tens))
    (opponent ?player ?other)
    (tens ?tens))
(<= (base (units ?player ?digit))
    (opponent ?player ?other)
    (digit ?digit))
(<= (base (upper ?player ?sum))
    (opponent ?player ?other)
    (upper_sum ?sum))

{IDLE_INPUT}
(<= (input random (roll ?face))
    (face ?face))
(<= (input ?player (reroll {variables}))
    (opponent ?player ?other)
    (mask {variables}))
(<= (input ?player (score ?category))
    (opponent ?player ?other)
    (category ?category))

; ---- Start ----

(init (control red))
(init (throw 1))
(<= (init (waits ?dice))
    (dice ?dice))
(<= (init (open ?player ?category))
    (opponent ?player ?other)
    (category ?category))
(<= (init (tens ?player 0))
    (opponent ?player ?other))
(<= (init (units ?player 0))
    (opponent ?player ?other))
(<= (init (upper ?player 0))
    (opponent ?player ?other))

; ---- Legal moves ----

(<= rolling
    (true (waits ?dice)))
; Dice are rolled in their order.
(<= (later ?dice)
    (true (waits ?before))
    (smaller ?before ?dice)
    (dice ?dice))
(<= (rolls ?dice)
    (true (waits ?dice))
    (not (later ?dice)))
{IDLE}
(<= (legal random (roll ?face))
    rolling
    (face ?face))
(<= (legal ?player (reroll {variables}))
    (acts ?player)
    (not (true (throw 3)))
    (mask {variables}))
(<= (legal ?player (score ?category))
    (acts ?player)
    (true (open ?player ?category)))

; ---- Next state: dice ----

{rerolled}
(<= rerolling
    (rerolled ?dice))
(<= turn_over
    (does ?player (score ?category)))

(<= (next (waits ?dice))
    (true (waits ?dice))
    (not (rolls ?dice)))
(<= (next (waits ?dice))
    (rerolled ?dice))
(<= (next (waits ?dice))
    turn_over
    (dice ?dice))
(<= (next (die ?dice ?face))
    (rolls ?dice)
    (does random (roll ?face)))
(<= (next (die ?dice ?face))
    (true (die ?dice ?face))
    (not (rerolled ?dice))
    (not turn_over))
(<= (next (throw ?later))
    rerolling
    (true (throw ?throw))
    (succ ?throw ?later))
(<= (next (throw 1))
    turn_over)
(<= (next (throw ?throw))
    (true (throw ?throw))
    (not rerolling)
    (not turn_over))
{CONTROL_NEXT}

; ---- What the dice are worth ----

; (count face dice number) and (total dice sum): over the first dice.
(<= (count ?face 0 0)
    (face ?face))
(<= (count ?face ?dice ?more)
    (count ?face ?before ?number)
    (succ ?before ?dice)
    (true (die ?dice ?face))
    (succ ?number ?more))
(<= (count ?face ?dice ?number)
    (count ?face ?before ?number)
    (succ ?before ?dice)
    (dice ?dice)
    (not (true (die ?dice ?face))))
(total 0 0)
(<= (total ?dice ?sum)
    (total ?before ?number)
    (succ ?before ?dice)
    (true (die ?dice ?face))
    (plus ?number ?face ?sum))

(<= (shown ?face)
    (true (die ?dice ?face)))
(<= (alike ?number)
    (count ?face 5 ?number))
{straights}
(<= three_alike
    (alike 3))
(<= three_alike
    four_alike)
(<= four_alike
    (alike 4))
(<= four_alike
    (alike 5))
(<= full
    (alike 3)
    (alike 2))

; (points category number), for those that are worth something.
(<= (points ?category ?points)
    (upper ?category ?face)
    (count ?face 5 ?number)
    (times ?number ?face ?points))
(<= (points three_of_a_kind ?sum)
    three_alike
    (total 5 ?sum))
(<= (points four_of_a_kind ?sum)
    four_alike
    (total 5 ?sum))
(<= (points full_house 25)
    full)
(<= (points small_straight 30)
    in_row_of_4)
(<= (points large_straight 40)
    in_row_of_5)
(<= (points yahtzee 50)
    (alike 5))
(<= (points chance ?sum)
    (total 5 ?sum))

; ---- Next state: scores ----

(<= (next (open ?player ?category))
    (true (open ?player ?category))
    (not (does ?player (score ?category))))

(<= (scores ?player ?points)
    (does ?player (score ?category))
    (points ?category ?points))
(<= (scoring ?player)
    (scores ?player ?points))

; The first six categories are counted up to 63.
(<= (upper_after ?player ?sum)
    (does ?player (score ?category))
    (upper ?category ?face)
    (points ?category ?points)
    (true (upper ?player ?before))
    (plus ?before ?points ?sum))
(<= (upper_after ?player 65)
    (does ?player (score ?category))
    (upper ?category ?face)
    (points ?category ?points)
    (true (upper ?player ?before))
    (passes ?before ?points))
(<= (passes ?i ?j)
    (upper_sum ?i)
    (times ?number ?face ?j)
    (smaller ?room ?j)
    (plus ?i ?room 65))
(<= (counting ?player)
    (upper_after ?player ?sum))
(<= (next (upper ?player ?sum))
    (true (upper ?player ?sum))
    (not (counting ?player)))
(<= (next (upper ?player ?sum))
    (upper_after ?player ?sum)
    (upper_sum ?sum))
(<= (next (upper ?player 63))
    (upper_after ?player ?sum)
    (smaller 63 ?sum))

(<= (bonus ?player)
    (upper_after ?player ?sum)
    (smaller 62 ?sum)
    (true (upper ?player ?before))
    (smaller ?before 63))
(<= (earns ?player ?points)
    (scores ?player ?points)
    (not (bonus ?player)))
(<= (earns ?player ?sum)
    (scores ?player ?points)
    (bonus ?player)
    (plus ?points 35 ?sum))

; Points are kept as tens and units.
(<= (carries ?player)
    (earns ?player ?points)
    (written ?points ?tens ?units)
    (true (units ?player ?before))
    (plus ?units ?before ?sum)
    (smaller 9 ?sum))
(<= (next (units ?player ?units))
    (true (units ?player ?units))
    (not (scoring ?player)))
(<= (next (units ?player ?sum))
    (earns ?player ?points)
    (written ?points ?tens ?units)
    (true (units ?player ?before))
    (plus ?units ?before ?sum)
    (digit ?sum))
(<= (next (units ?player ?rest))
    (earns ?player ?points)
    (written ?points ?tens ?units)
    (true (units ?player ?before))
    (plus ?units ?before ?sum)
    (plus ?rest 10 ?sum))
(<= (next (tens ?player ?tens))
    (true (tens ?player ?tens))
    (not (scoring ?player)))
(<= (next (tens ?player ?sum))
    (earns ?player ?points)
    (written ?points ?tens ?units)
    (true (tens ?player ?before))
    (plus ?tens ?before ?sum)
    (tens ?sum)
    (not (carries ?player)))
(<= (next (tens ?player ?more))
    (earns ?player ?points)
    (written ?points ?tens ?units)
    (true (tens ?player ?before))
    (plus ?tens ?before ?sum)
    (succ ?sum ?more)
    (tens ?more)
    (carries ?player))

; ---- End ----

(<= some_open
    (true (open ?player ?category)))
(<= (better ?player)
    (opponent ?player ?other)
    (true (tens ?player ?more))
    (true (tens ?other ?less))
    (smaller ?less ?more))
(<= (better ?player)
    (opponent ?player ?other)
    (true (tens ?player ?tens))
    (true (tens ?other ?tens))
    (true (units ?player ?more))
    (true (units ?other ?less))
    (smaller ?less ?more))

(<= terminal
    (not some_open))

{WIN_GOALS}
"""


# ------------------------------------------------------------------ names

STORED = {family.__name__: family
          for family in (backgammon, cant_stop, kaeseklau, orchard, pickomino,
                         yahtzee)}

FAMILIES = {
    "backgammon": (backgammon, {"checkers": 15, "steps": 400}),
    "cant_stop": (cant_stop, {"first": 3, "growth": 2, "wanted": 3,
                              "turns": 200}),
    "kaeseklau": (kaeseklau, {"rooms": 5, "cards": 6, "empty": 3,
                              "steps": 300}),
    "orchard": (orchard, {"trees": 4, "fruits": 10, "raven": 9}),
    "pickomino": (pickomino, {"dice": 8, "low": 21, "high": 36,
                              "turns": 100}),
}
