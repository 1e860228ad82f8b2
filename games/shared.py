"""Games of several players who see the same, though not everything.

All moves of the players are told to all; of what chance does only a part is.
The rules for `sees` have a variable for the player that occurs nowhere else.
"""

from hidden import COMPASS, grid_ways
from layout import (WIN_GOALS, chain, each, fill, header, numbers, require,
                    two_and_chance)

SEES_MOVES = """\
(<= (sees ?role (did ?player ?move))
    (role ?role)
    (does ?player ?move)
    (distinct ?player random))"""


# --------------------------------------------- latent_tic_tac_toe

def latent_tic_tac_toe(size=10, line=5):
    require(2 <= line <= size, "the line does not fit the board")
    span = range(1, line + 1)

    def line_rule(comment, row, column):
        premises = []
        for i in span:
            if i > 1 and row:
                premises.append(f"(succ ?row{i - 1} ?row{i})" if row > 0
                                else f"(succ ?row{i} ?row{i - 1})")
            if i > 1 and column:
                premises.append(f"(succ ?column{i - 1} ?column{i})")
            premises.append("(true (cell {} {} ?symbol))".format(
                f"?row{i}" if row else "?row",
                f"?column{i}" if column else "?column"))
        body = "\n".join("    " + premise for premise in premises)
        return f"; {comment}\n(<= (line ?symbol)\n{body})"

    return f"""\
{header("Latent Tic-Tac-Toe",
        Rules=f'''x, o and chance mark squares of a {size} x {size} board in turn.
        Chance puts one of the two symbols on a free square, and nobody sees it.
        A player marks a square that is not known to be taken; if a latent mark
        is there, all see it and the turn is lost.  {line} equal symbols in a
        row, horizontally, vertically or diagonally, latent ones included, give
        their player 100 and the other 0; a full board is a draw.''',
        Roles="x (moves first), o and random.",
        Structure='''two players and chance in turn, hidden information that
        both share.''',
        Known="none.",
        Source="rules written afresh.")}

{two_and_chance("x", "o")}
(after x o) (after o random) (after random x)

; ---- Board ----

{numbers("index", 1, size)}
{chain("succ", 1, size)}
(<= (symbol ?player)
    (opponent ?player ?other))

; ---- Fluents and moves ----

(<= (base (control ?role))
    (role ?role))
(<= (base (cell ?row ?column ?symbol))
    (index ?row)
    (index ?column)
    (symbol ?symbol))
; (open row column): all know that the square is taken.
(<= (base (open ?row ?column))
    (index ?row)
    (index ?column))

(<= (input ?role noop)
    (role ?role))
(<= (input ?player (mark ?row ?column))
    (opponent ?player ?other)
    (index ?row)
    (index ?column))
(<= (input random (hide ?symbol ?row ?column))
    (symbol ?symbol)
    (index ?row)
    (index ?column))

; ---- Start ----

(init (control x))

; ---- Legal moves ----

(<= (taken ?row ?column)
    (true (cell ?row ?column ?symbol)))
(<= (free ?row ?column)
    (index ?row)
    (index ?column)
    (not (taken ?row ?column)))

(<= (legal ?player (mark ?row ?column))
    (opponent ?player ?other)
    (true (control ?player))
    (index ?row)
    (index ?column)
    (not (true (open ?row ?column))))
(<= (legal random (hide ?symbol ?row ?column))
    (true (control random))
    (symbol ?symbol)
    (free ?row ?column))
(<= (legal ?role noop)
    (role ?role)
    (not (true (control ?role))))

; ---- Next state ----

(<= (next (control ?later))
    (true (control ?role))
    (after ?role ?later))
(<= (next (cell ?row ?column ?symbol))
    (true (cell ?row ?column ?symbol)))
(<= (next (cell ?row ?column ?player))
    (does ?player (mark ?row ?column))
    (free ?row ?column))
(<= (next (cell ?row ?column ?symbol))
    (does random (hide ?symbol ?row ?column)))
(<= (next (open ?row ?column))
    (true (open ?row ?column)))
(<= (next (open ?row ?column))
    (does ?player (mark ?row ?column)))

; ---- Percepts ----

{SEES_MOVES}
(<= (sees ?role (latent ?row ?column ?symbol))
    (role ?role)
    (does ?player (mark ?row ?column))
    (true (cell ?row ?column ?symbol)))

; ---- End ----

{line_rule("along a row", 0, 1)}
{line_rule("along a column", 1, 0)}
{line_rule("diagonally upwards", 1, 1)}
{line_rule("diagonally downwards", -1, 1)}

(<= some_free
    (free ?row ?column))
(<= (better ?player)
    (opponent ?player ?other)
    (line ?player))

(<= terminal
    (line ?symbol))
(<= terminal
    (not some_free))

{WIN_GOALS}
"""


# ----------------------------------------------------------------- pacman

# The corridors as seen from above, all joined to their neighbours; P, B and I
# are where pacman, blinky and inky start.
MAZE = """\
  ....
  .  .
...BI...
. .  . .
. .  . .
....P...
  .  .
  ....""".split("\n")


def pacman(steps=60):
    require(steps >= 1, "at least one step")
    rows = len(MAZE)
    cells = {(x + 1, rows - y): kind for y, line in enumerate(MAZE)
             for x, kind in enumerate(line) if kind != " "}
    order = sorted(cells)
    start = {kind: cell for cell, kind in cells.items()}
    pellets = [cell for cell in order if cells[cell] == "."]
    ways = fill(f"(way {name} {x} {y} {x + dx} {y + dy})"
                for name, (dx, dy) in COMPASS.items()
                for x, y in order if (x + dx, y + dy) in cells)
    near = [(abs(i - j), i, j) for i in range(1, rows + 1)
            for j in range(1, rows + 1) if abs(i - j) <= 2]
    return f"""\
{header("Pacman",
        Rules=f'''Pacman, played by one player, eats {len(pellets)} pellets in a
        maze; blinky, played by the other, and inky, moved by chance, hunt it.
        All move at once, one square a turn.  It ends when a ghost meets pacman
        or changes places with it, when all pellets are eaten, and after {steps}
        turns.  Inky is seen when it is within two squares of pacman or blinky,
        counted across and along.  Pacman scores the percentage of the pellets
        that it has eaten, blinky the rest.''',
        Roles="pacman, blinky and random (moves inky).",
        Structure=f'''two players and chance at once, hidden information that
        both share; {steps} turns at most.''',
        Known="none.",
        Source='''the maze of a GGP game after the arcade game, rules written
        afresh.''')}

; ---- Roles ----

(role pacman)
(role blinky)
(role random)
(moves pacman pacman)
(moves blinky blinky)
(moves random inky)
(ghost blinky)
(ghost inky)

; ---- Maze ----

{fill(f"(cell {x} {y})" for x, y in order)}
{fill(f"(pellet {x} {y})" for x, y in pellets)}
{ways}

; (apart i j distance), for small distances, and which of them are near.
{fill(f"(apart {i} {j} {d})" for d, i, j in near)}
(near 0 0) (near 0 1) (near 0 2) (near 1 0) (near 1 1) (near 2 0)

; ---- Numbers ----

{chain("succ", 0, max(steps + 1, len(pellets)))}
{numbers("step", 1, steps + 1)}
; (score pellets points rest)
{fill(f"(score {n} {100 * n // len(pellets)} {100 - 100 * n // len(pellets)})"
      for n in range(len(pellets) + 1))}

; ---- Fluents and moves ----

(<= (base (step ?step))
    (step ?step))
(<= (base (at ?figure ?x ?y))
    (moves ?role ?figure)
    (cell ?x ?y))
(<= (base (pellet ?x ?y))
    (pellet ?x ?y))
(<= (base (eaten ?number))
    (score ?number ?points ?rest))
(base caught)

(<= (input ?role (move ?direction))
    (role ?role)
    (way ?direction ?x ?y ?x2 ?y2))

; ---- Start ----

(init (step 1))
(init (eaten 0))
(init (at pacman {start["P"][0]} {start["P"][1]}))
(init (at blinky {start["B"][0]} {start["B"][1]}))
(init (at inky {start["I"][0]} {start["I"][1]}))
(<= (init (pellet ?x ?y))
    (pellet ?x ?y))

; ---- Legal moves ----

(<= (legal ?role (move ?direction))
    (moves ?role ?figure)
    (true (at ?figure ?x ?y))
    (way ?direction ?x ?y ?x2 ?y2))

; ---- Next state ----

(<= (goes ?figure ?x2 ?y2)
    (moves ?role ?figure)
    (does ?role (move ?direction))
    (true (at ?figure ?x ?y))
    (way ?direction ?x ?y ?x2 ?y2))
(<= (next (at ?figure ?x ?y))
    (goes ?figure ?x ?y))
(<= (next caught)
    (ghost ?ghost)
    (goes ?ghost ?x ?y)
    (goes pacman ?x ?y))
(<= (next caught)
    (ghost ?ghost)
    (true (at ?ghost ?x ?y))
    (goes ?ghost ?x2 ?y2)
    (true (at pacman ?x2 ?y2))
    (goes pacman ?x ?y))

(<= eats
    (goes pacman ?x ?y)
    (true (pellet ?x ?y)))
(<= (next (pellet ?x ?y))
    (true (pellet ?x ?y))
    (not (goes pacman ?x ?y)))
(<= (next (eaten ?more))
    (true (eaten ?number))
    eats
    (succ ?number ?more)
    (score ?more ?points ?rest))
(<= (next (eaten ?number))
    (true (eaten ?number))
    (not eats))
(<= (next (step ?later))
    (true (step ?step))
    (succ ?step ?later)
    (step ?later))

; ---- Percepts ----

{SEES_MOVES}
(<= (sees ?role (inky ?x ?y))
    (role ?role)
    (goes inky ?x ?y)
    (moves ?player ?figure)
    (distinct ?player random)
    (goes ?figure ?x2 ?y2)
    (apart ?x ?x2 ?across)
    (apart ?y ?y2 ?along)
    (near ?across ?along))

; ---- End ----

(<= terminal
    (true caught))
(<= terminal
    (true (eaten {len(pellets)})))
(<= terminal
    (true (step {steps + 1})))

(<= (goal pacman ?points)
    (true (eaten ?number))
    (score ?number ?points ?rest))
(<= (goal blinky ?rest)
    (true (eaten ?number))
    (score ?number ?points ?rest))
(goal random 0)
"""


# ---------------------------------------------------------- schnappt_hubi

def schnappt_hubi(size=4, rounds=60):
    require(size >= 2 and rounds >= 1, "at least 2 x 2 rooms and one round")
    rooms = size * size
    pairs = ([(room, room + 1) for room in range(1, rooms + 1) if room % size]
             + [(room, room + size) for room in range(1, rooms - size + 1)])
    edges = {pair: number for number, pair in enumerate(pairs, 1)}
    return f"""\
{header("Schnappt Hubi",
        Rules=f'''A hare and a mouse, in opposite corners of a house of {size} x
        {size} rooms, look for a ghost together.  In its turn a player goes to a
        room beside its own, waits, or asks.  What is between two rooms is drawn
        when it is first tried: open (2 of 5 chances), a window for the hare, a
        hole for the mouse or a wall (1 of 5 each); the player goes on if it
        can.  One place, drawn at first and hidden, is a magic door instead,
        which is shown when tried and opens when both stand at its sides.  Then
        Hubi appears in a room that nobody sees, and after every turn goes to a
        room beside his, whatever is between, or stays.  Who asks is told his
        row in odd rounds, his column in even ones.  Both in Hubi's room score
        100; after {rounds} rounds of one turn each both score 0.''',
        Roles="hare (begins), mouse and random.",
        Structure=f'''two players who work together and chance, hidden
        information that both share; {rounds} rounds at most.''',
        Known="none.",
        Source="board game by Steffen Bogen 2011, rules written afresh.")}

; ---- Roles ----

(role hare)
(role mouse)
(role random)
(other hare mouse)
(other mouse hare)

; ---- House ----

{numbers("room", 1, rooms)}
{grid_ways(size, size)}
{each("direction", COMPASS)}
; (between room room edge)
{fill(f"(between {a} {b} {edge}) (between {b} {a} {edge})"
      for (a, b), edge in edges.items())}
{numbers("edge", 1, len(edges))}
{fill(f"(place {room + 1} {room // size + 1} {room % size + 1})"
      for room in range(rooms))}
(<= (step ?room ?room)
    (room ?room))
(<= (step ?room ?other)
    (leads ?direction ?room ?other))

; What may be drawn, what it is, and who passes.
(lot open1 open) (lot open2 open) (lot window window) (lot hole hole)
(lot wall wall)
(passable open hare) (passable open mouse) (passable window hare)
(passable hole mouse)
(<= (type ?type)
    (lot ?lot ?type))
(type door)

{chain("succ", 1, rounds + 1)}
{numbers("round", 1, rounds + 1)}
{each("odd", range(1, rounds + 1, 2))}

; ---- Fluents and moves ----

(base (phase hide)) (base (phase act)) (base (phase house))
(<= (base (round ?round))
    (round ?round))
(<= (base (control ?player))
    (other ?player ?other))
(<= (base (at ?player ?room))
    (other ?player ?other)
    (room ?room))
(<= (base (magic ?edge))
    (edge ?edge))
(<= (base (type ?edge ?type))
    (edge ?edge)
    (type ?type))
(<= (base (tries ?room))
    (room ?room))
(<= (base (hubi ?room))
    (room ?room))

(<= (input ?role noop)
    (role ?role))
(<= (input ?player wait)
    (other ?player ?other))
(<= (input ?player ask)
    (other ?player ?other))
(<= (input ?player (go ?direction))
    (other ?player ?other)
    (direction ?direction))
(<= (input random (hide ?edge))
    (edge ?edge))
(<= (input random (draw ?lot))
    (lot ?lot ?type))
(<= (input random (appear ?room))
    (room ?room))
(<= (input random (haunt ?room))
    (room ?room))

; ---- Start ----

(init (phase hide))
(init (round 1))
(init (control hare))
(init (at hare 1))
(init (at mouse {rooms}))

; ---- Legal moves ----

(<= (acts ?player)
    (true (phase act))
    (true (control ?player)))
(<= hubi_is_there
    (true (hubi ?room)))
(<= trying
    (true (tries ?room)))

; Nothing is known of the edge, or the player can pass.
(<= (known ?edge)
    (true (type ?edge ?type)))
(<= (passes ?player ?edge)
    (true (type ?edge ?type))
    (passable ?type ?player))
(<= (passes ?player ?edge)
    (other ?player ?other)
    (true (type ?edge door))
    hubi_is_there)

(<= (way ?player ?direction ?to ?edge)
    (acts ?player)
    (true (at ?player ?room))
    (leads ?direction ?room ?to)
    (between ?room ?to ?edge))
(<= (legal ?player (go ?direction))
    (way ?player ?direction ?to ?edge)
    (not (known ?edge)))
(<= (legal ?player (go ?direction))
    (way ?player ?direction ?to ?edge)
    (passes ?player ?edge))
(<= (legal ?player wait)
    (acts ?player))
(<= (legal ?player ask)
    (acts ?player)
    hubi_is_there)
(<= (legal ?player noop)
    (other ?player ?other)
    (not (acts ?player)))

(<= (legal random (hide ?edge))
    (true (phase hide))
    (edge ?edge))
(<= (legal random (draw ?lot))
    (true (phase house))
    trying
    (lot ?lot ?type))
(<= (legal random (appear ?room))
    (true (phase house))
    (not trying)
    (not hubi_is_there)
    (room ?room))
(<= (legal random (haunt ?to))
    (true (phase house))
    (not trying)
    (true (hubi ?room))
    (step ?room ?to))
(<= (legal random noop)
    (true (phase act)))

; ---- Next state: the players ----

(<= (goes ?player ?to ?edge)
    (does ?player (go ?direction))
    (way ?player ?direction ?to ?edge))
(<= (arrives ?player ?to)
    (goes ?player ?to ?edge)
    (passes ?player ?edge))
(<= (drawn ?edge ?type)
    (does random (draw ?lot))
    (lot ?lot ?type)
    (true (control ?player))
    (true (at ?player ?room))
    (true (tries ?to))
    (between ?room ?to ?edge))
(<= (arrives ?player ?to)
    (drawn ?edge ?type)
    (true (control ?player))
    (passable ?type ?player)
    (true (tries ?to)))
(<= (moving ?player)
    (arrives ?player ?to))
(<= (ends_at ?player ?room)
    (arrives ?player ?room))
(<= (ends_at ?player ?room)
    (true (at ?player ?room))
    (not (moving ?player)))

(<= (next (at ?player ?room))
    (ends_at ?player ?room))
(<= (next (tries ?to))
    (goes ?player ?to ?edge)
    (not (known ?edge))
    (not (true (magic ?edge))))

; ---- Next state: the house ----

(<= (type_after ?edge ?type)
    (true (type ?edge ?type)))
(<= (type_after ?edge ?type)
    (drawn ?edge ?type))
(<= (type_after ?edge door)
    (goes ?player ?to ?edge)
    (true (magic ?edge)))
(<= (next (type ?edge ?type))
    (type_after ?edge ?type))
(<= (next (magic ?edge))
    (true (magic ?edge)))
(<= (next (magic ?edge))
    (does random (hide ?edge)))
(<= (next (hubi ?room))
    (does random (appear ?room)))
(<= (next (hubi ?room))
    (does random (haunt ?room)))
(<= (next (hubi ?room))
    (true (hubi ?room))
    (not haunting))
(<= haunting
    (does random (haunt ?room)))

; ---- Next state: turns ----

; Chance has something to do: an edge is tried, the door opens, Hubi goes on.
(<= opens
    (not hubi_is_there)
    (type_after ?edge door)
    (ends_at hare ?room1)
    (ends_at mouse ?room2)
    (between ?room1 ?room2 ?edge))
(<= (busy act)
    (goes ?player ?to ?edge)
    (not (known ?edge))
    (not (true (magic ?edge))))
(<= (busy act)
    (true (phase act))
    hubi_is_there)
(<= (busy act)
    (true (phase act))
    opens)
(<= (busy house)
    trying
    hubi_is_there)
(<= (busy house)
    trying
    opens)

(<= (next (phase act))
    (true (phase hide)))
(<= (next (phase house))
    (busy ?phase))
(<= turn_over
    (true (phase ?phase))
    (distinct ?phase hide)
    (not (busy ?phase)))
(<= (next (phase act))
    turn_over)
(<= (next (control ?player))
    (true (control ?player))
    (not turn_over))
(<= (next (control ?other))
    (true (control ?player))
    (other ?player ?other)
    turn_over)
(<= (next (round ?round))
    (true (round ?round))
    (not turn_over))
(<= (next (round ?later))
    (true (round ?round))
    turn_over
    (succ ?round ?later))

; ---- Percepts ----

{SEES_MOVES}
(<= (sees ?role (found ?edge ?type))
    (role ?role)
    (drawn ?edge ?type))
(<= (sees ?role (found ?edge door))
    (role ?role)
    (goes ?player ?to ?edge)
    (true (magic ?edge)))
(<= (sees ?role (row ?row))
    (role ?role)
    (does ?player ask)
    (true (round ?round))
    (odd ?round)
    (true (hubi ?room))
    (place ?room ?row ?column))
(<= (sees ?role (column ?column))
    (role ?role)
    (does ?player ask)
    (true (round ?round))
    (not (odd ?round))
    (true (hubi ?room))
    (place ?room ?row ?column))

; ---- End ----

(<= caught
    (true (hubi ?room))
    (true (at hare ?room))
    (true (at mouse ?room)))

(<= terminal
    caught)
(<= terminal
    (true (round {rounds + 1})))

(<= (goal ?player 100)
    (other ?player ?other)
    caught)
(<= (goal ?player 0)
    (other ?player ?other)
    (not caught))
(goal random 0)
"""


# ---------------------------------------------------------- sheep_and_wolf

def sheep_and_wolf(size=8, rounds=60):
    require(size >= 4 and size % 4 == 0 and rounds >= 1,
            "a size that is a multiple of 4")
    span = range(1, size + 1)
    dark = [(x, y) for y in span for x in span if (x + y) % 2 == 0]
    front = [x for x in span if x % 2 == 1]
    mine = {"anna": front[:len(front) // 2], "bert": front[len(front) // 2:]}
    return f"""\
{header("Sheep and Wolf",
        Rules=f'''The shepherds anna and bert, each with {size // 4} sheep on the
        first row, drive a wolf into a corner on the dark squares of a {size} x
        {size} board.  In its turn a shepherd moves one of its sheep a square
        diagonally forward, if it can; then the wolf, which starts hidden on the
        last row, moves at random to a free square diagonally beside its own, in
        any direction.  All see the wolf while it is within two squares of a
        sheep.  A sheep that runs into it stays where it was.  A wolf that
        cannot move scores 100 for both; a wolf on the first row, sheep that
        cannot move, or {rounds} rounds of one turn each score 0.''',
        Roles="anna (moves first), bert and random (the wolf).",
        Structure=f'''two players who work together and chance, hidden
        information that both share; {rounds} rounds at most.''',
        Known="none.",
        Source="traditional game, rules written afresh.")}

; ---- Roles ----

(role anna)
(role bert)
(role random)
(other anna bert)
(other bert anna)

; ---- Board ----

{fill(f"(dark {x} {y})" for x, y in dark)}
{numbers("index", 1, size)}
{chain("succ", 1, max(rounds + 1, size))}
{numbers("round", 1, rounds + 1)}

(<= (beside ?i ?j)
    (index ?i)
    (succ ?i ?j)
    (index ?j))
(<= (beside ?j ?i)
    (beside ?i ?j)
    (succ ?i ?j))
(<= (forward ?x ?y ?x2 ?y2)
    (dark ?x ?y)
    (beside ?x ?x2)
    (succ ?y ?y2)
    (dark ?x2 ?y2))
(<= (diagonal ?x ?y ?x2 ?y2)
    (forward ?x ?y ?x2 ?y2))
(<= (diagonal ?x2 ?y2 ?x ?y)
    (forward ?x ?y ?x2 ?y2))

; (near i j): two apart at most
(<= (near ?i ?i)
    (index ?i))
(<= (near ?i ?j)
    (beside ?i ?j))
(<= (near ?i ?k)
    (beside ?i ?j)
    (beside ?j ?k)
    (distinct ?i ?k))

; Whose turn it is, and what follows.
(follows place anna)
(follows anna wolf_after_anna)
(follows wolf_after_anna bert)
(follows bert wolf_after_bert)
(follows wolf_after_bert anna)
(hunts wolf_after_anna) (hunts wolf_after_bert)

; ---- Fluents and moves ----

(<= (base (turn ?turn))
    (follows ?turn ?later))
(<= (base (round ?round))
    (round ?round))
(<= (base (sheep ?player ?x ?y))
    (other ?player ?other)
    (dark ?x ?y))
(<= (base (wolf ?x ?y))
    (dark ?x ?y))

(<= (input ?role noop)
    (role ?role))
(<= (input ?player (step ?x ?y ?x2 ?y2))
    (other ?player ?other)
    (forward ?x ?y ?x2 ?y2))
(<= (input random (wolf ?x ?y))
    (dark ?x ?y))

; ---- Start ----

(init (turn place))
(init (round 1))
{fill(f"(init (sheep {name} {x} 1))" for name, xs in mine.items() for x in xs)}

; ---- Legal moves ----

(<= (sheep_on ?x ?y)
    (true (sheep ?player ?x ?y)))
(<= (way ?player ?x ?y ?x2 ?y2)
    (true (sheep ?player ?x ?y))
    (forward ?x ?y ?x2 ?y2)
    (not (sheep_on ?x2 ?y2)))
(<= (can_move ?player)
    (way ?player ?x ?y ?x2 ?y2))
(<= (acts ?player)
    (true (turn ?player))
    (can_move ?player))
(<= (legal ?player (step ?x ?y ?x2 ?y2))
    (true (turn ?player))
    (way ?player ?x ?y ?x2 ?y2))
(<= (legal ?player noop)
    (other ?player ?other)
    (not (acts ?player)))

(<= (prowl ?x ?y)
    (true (wolf ?x1 ?y1))
    (diagonal ?x1 ?y1 ?x ?y)
    (not (sheep_on ?x ?y)))
(<= hunting
    (true (turn ?turn))
    (hunts ?turn))
(<= (legal random (wolf ?x {size}))
    (true (turn place))
    (dark ?x {size}))
(<= (legal random (wolf ?x ?y))
    hunting
    (prowl ?x ?y))
(<= (legal random noop)
    (true (turn ?player))
    (other ?player ?other))

; ---- Next state ----

(<= (next (turn ?later))
    (true (turn ?turn))
    (follows ?turn ?later))
(<= (next (round ?round))
    (true (round ?round))
    (not hunting))
(<= (next (round ?later))
    (true (round ?round))
    hunting
    (succ ?round ?later)
    (round ?later))

(<= (leaves ?x ?y)
    (does ?player (step ?x ?y ?x2 ?y2))
    (not (true (wolf ?x2 ?y2))))
(<= (sheep_after ?player ?x ?y)
    (true (sheep ?player ?x ?y))
    (not (leaves ?x ?y)))
(<= (sheep_after ?player ?x2 ?y2)
    (does ?player (step ?x ?y ?x2 ?y2))
    (not (true (wolf ?x2 ?y2))))
(<= (next (sheep ?player ?x ?y))
    (sheep_after ?player ?x ?y))

(<= (wolf_after ?x ?y)
    (does random (wolf ?x ?y)))
(<= (wolf_after ?x ?y)
    (true (wolf ?x ?y))
    (not hunting))
(<= (next (wolf ?x ?y))
    (wolf_after ?x ?y))

; ---- Percepts ----

{SEES_MOVES}
(<= (sees ?role (wolf ?x ?y))
    (role ?role)
    (wolf_after ?x ?y)
    (sheep_after ?player ?x2 ?y2)
    (near ?x ?x2)
    (near ?y ?y2))

; ---- End ----

(<= can_prowl
    (prowl ?x ?y))
(<= driven_in
    (true (wolf ?x ?y))
    (not can_prowl))
(<= sheep_can_move
    (can_move ?player))

(<= terminal
    driven_in)
(<= terminal
    (true (wolf ?x 1)))
(<= terminal
    (not sheep_can_move))
(<= terminal
    (true (round {rounds + 1})))

(<= (goal ?player 100)
    (other ?player ?other)
    driven_in)
(<= (goal ?player 0)
    (other ?player ?other)
    (not driven_in))
(goal random 0)
"""


# -------------------------------------------------------------------- war

SUITS = ("clubs", "diamonds", "hearts", "spades")
DEAL = [(player, slot) for player in ("red", "blue")
        for slot in ("left", "right", "down")]


def war(ranks=13, suits=4):
    cards = ranks * suits
    require(1 <= suits <= len(SUITS) and ranks >= 2 and cards >= 6
            and cards % 2 == 0, "an even number of at least 6 cards")
    tricks = cards // 2
    order = ([f"(deal {player} {slot})" for player, slot in DEAL] + ["play"])
    return f"""\
{header("War",
        Rules=f'''{cards} cards of the ranks 2 to {ranks + 1}.  Each player has a
        row of three: two face up, one face down, which nobody knows.  Both
        choose a card of their row at once and show it; the higher rank takes
        both cards and the pot, equal ranks go to the pot.  Who played a card
        that was face up turns the other one up in its place.  As long as there
        is a stock chance then deals each a new card face down.  When the rows
        are empty more cards win (100/0), equal is a draw.''',
        Roles="red, blue and random (deals).",
        Structure=f'''two players who choose at once and chance, hidden
        information that both share; {6 + tricks + cards - 6} turns.''',
        Known="none.",
        Source="traditional game with a choice added, rules written afresh.")}

{two_and_chance("red", "blue")}

; ---- Cards and phases ----

{numbers("rank", 2, ranks + 1)}
{each("suit", SUITS[:suits])}
{chain("succ", 0, max(ranks + 1, tricks))}
(slot left) (slot right) (slot down)
(up left) (up right)

{fill(f"(follows {a} {b})" for a, b in zip(order, order[1:]))}
(follows (refill red) (refill blue))
(follows (refill blue) play)

(<= (higher ?i ?j)
    (rank ?j)
    (succ ?j ?i)
    (rank ?i))
(<= (higher ?k ?j)
    (higher ?i ?j)
    (succ ?i ?k)
    (rank ?k))

; Cards are counted in pairs.
{numbers("pairs", 0, tricks)}
(<= (plus ?i 0 ?i)
    (pairs ?i))
(<= (plus ?i ?j1 ?sum1)
    (plus ?i ?j ?sum)
    (succ ?j ?j1)
    (succ ?sum ?sum1)
    (pairs ?sum1))

; ---- Fluents and moves ----

(<= (base (phase ?phase))
    (follows ?phase ?later))
(base (phase play))
(<= (base (stock ?rank ?suit))
    (rank ?rank)
    (suit ?suit))
(<= (base (row ?player ?slot ?rank ?suit))
    (opponent ?player ?other)
    (slot ?slot)
    (rank ?rank)
    (suit ?suit))
(<= (base (pot ?pairs))
    (pairs ?pairs))
(<= (base (captured ?player ?pairs))
    (opponent ?player ?other)
    (pairs ?pairs))

(<= (input ?role noop)
    (role ?role))
(<= (input ?player (play ?slot))
    (opponent ?player ?other)
    (slot ?slot))
(<= (input random (deal ?rank ?suit))
    (rank ?rank)
    (suit ?suit))

; ---- Start ----

(init (phase (deal red left)))
(init (pot 0))
(<= (init (captured ?player 0))
    (opponent ?player ?other))
(<= (init (stock ?rank ?suit))
    (rank ?rank)
    (suit ?suit))

; ---- Legal moves ----

(<= (legal ?player (play ?slot))
    (true (phase play))
    (true (row ?player ?slot ?rank ?suit)))
(<= (legal ?player noop)
    (opponent ?player ?other)
    (not (true (phase play))))
(<= (legal random (deal ?rank ?suit))
    (not (true (phase play)))
    (true (stock ?rank ?suit)))
(<= (legal random noop)
    (true (phase play)))

; ---- Next state: cards ----

(<= (next (stock ?rank ?suit))
    (true (stock ?rank ?suit))
    (not (does random (deal ?rank ?suit))))

(<= (dealt ?player ?slot ?rank ?suit)
    (true (phase (deal ?player ?slot)))
    (does random (deal ?rank ?suit)))
(<= (dealt ?player down ?rank ?suit)
    (true (phase (refill ?player)))
    (does random (deal ?rank ?suit)))
(<= (played ?player ?rank ?suit)
    (does ?player (play ?slot))
    (true (row ?player ?slot ?rank ?suit)))
; (turned player slot rank suit): the card face down is turned up in the place.
(<= (turned ?player ?slot ?rank ?suit)
    (does ?player (play ?slot))
    (up ?slot)
    (true (row ?player down ?rank ?suit)))
(<= (turning ?player)
    (turned ?player ?slot ?rank ?suit))
(<= (moved ?player down)
    (turning ?player))

(<= (next (row ?player ?slot ?rank ?suit))
    (dealt ?player ?slot ?rank ?suit))
(<= (next (row ?player ?slot ?rank ?suit))
    (turned ?player ?slot ?rank ?suit))
(<= (next (row ?player ?slot ?rank ?suit))
    (true (row ?player ?slot ?rank ?suit))
    (not (does ?player (play ?slot)))
    (not (moved ?player ?slot)))

; ---- Next state: who takes them ----

(<= (takes ?player)
    (opponent ?player ?other)
    (played ?player ?rank1 ?suit1)
    (played ?other ?rank2 ?suit2)
    (higher ?rank1 ?rank2))
(<= some_take
    (takes ?player))
(<= (next (captured ?player ?sum))
    (true (captured ?player ?pairs))
    (takes ?player)
    (true (pot ?pot))
    (succ ?pot ?more)
    (plus ?pairs ?more ?sum))
(<= (next (captured ?player ?pairs))
    (true (captured ?player ?pairs))
    (not (takes ?player)))
(<= (next (pot 0))
    some_take)
(<= (next (pot ?more))
    (true (phase play))
    (not some_take)
    (true (pot ?pot))
    (succ ?pot ?more)
    (pairs ?more))
(<= (next (pot ?pot))
    (not (true (phase play)))
    (true (pot ?pot)))

; ---- Next state: phases ----

(<= stock_left
    (true (stock ?rank ?suit)))
(<= (next (phase ?later))
    (true (phase ?phase))
    (follows ?phase ?later))
(<= (next (phase (refill red)))
    (true (phase play))
    stock_left)
(<= (next (phase play))
    (true (phase play))
    (not stock_left))

; ---- Percepts ----

{SEES_MOVES}
(<= (sees ?role (plays ?player ?rank ?suit))
    (role ?role)
    (played ?player ?rank ?suit))
(<= (sees ?role (turns ?player ?rank ?suit))
    (role ?role)
    (turned ?player ?slot ?rank ?suit))
(<= (sees ?role (gets ?player ?slot ?rank ?suit))
    (role ?role)
    (dealt ?player ?slot ?rank ?suit)
    (up ?slot))

; ---- End ----

(<= some_card
    (true (row ?player ?slot ?rank ?suit)))
(<= (better ?player)
    (opponent ?player ?other)
    (true (captured ?player ?more))
    (true (captured ?other ?less))
    (plus ?less ?difference ?more)
    (distinct ?difference 0))

(<= terminal
    (true (phase play))
    (not some_card))

{WIN_GOALS}
"""


# ------------------------------------------------------------------ names

STORED = {family.__name__: family
          for family in (latent_tic_tac_toe, pacman, schnappt_hubi,
                         sheep_and_wolf, war)}

FAMILIES = {
    "latent_tic_tac_toe": (latent_tic_tac_toe, {"size": 10, "line": 5}),
    "pacman": (pacman, {"steps": 60}),
    "schnappt_hubi": (schnappt_hubi, {"size": 4, "rounds": 60}),
    "sheep_and_wolf": (sheep_and_wolf, {"size": 8, "rounds": 60}),
    "war": (war, {"ranks": 13, "suits": 4}),
}
