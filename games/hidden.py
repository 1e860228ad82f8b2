"""Games in which something is hidden: a code, dirt, pits, ghosts, cards.

Chance draws what is hidden one piece a turn, so that it never has many moves;
the players have `noop` meanwhile.  What players perceive is what holds after
the turn: relations such as `arrives` say where things will be.
"""

from layout import chain, each, fill, header, numbers, require


# ------------------------------------------------------------- mastermind

def mastermind(positions=3, colours=4, guesses=3):
    require(positions >= 2 and colours >= 2 and guesses >= 1,
            "at least two positions, two colours and one guess")
    optimum = {(3, 4, 3): "43/64", (3, 4, 2): "9/64", (4, 3, 3): "69/81",
               (3, 5, 3): "48/125", (4, 4, 3): "111/256", (2, 4, 3): "13/16"}
    known = optimum.get((positions, colours, guesses))
    known = (f"the best player finds the code with probability {known}."
             if known else "none recorded for this size.")
    variables = " ".join(f"?colour{i}" for i in range(1, positions + 1))
    are_colours = "\n".join(f"    (colour ?colour{i})"
                            for i in range(1, positions + 1))
    guessed = "\n".join(f"""\
(<= (guessed {i} ?colour{i})
    (does player (guess {variables})))""" for i in range(1, positions + 1))
    return f"""\
{header("Mastermind",
        Rules=f'''Chance hides a code of {positions} colours out of {colours},
        which may occur several times.  The player guesses it up to {guesses}
        times and is told how many colours are at their place (exact) and how
        many more are in the code at another one (misplaced): 100 if a guess is
        the code, 0 otherwise.''',
        Roles="player and random.",
        Structure=f'''one player against chance, hidden information,
        {positions} turns to hide the code and at most {guesses} guesses.''',
        Known=known,
        Source="traditional game, rules written afresh.")}

; ---- Roles ----

(role player)
(role random)

; ---- Positions, colours and turns ----

{numbers("position", 1, positions)}
{numbers("colour", 1, colours)}
{chain("succ", 0, max(positions, colours))}
(most {positions})
(side code) (side guess)
{fill(f"(plus {i} {j} {i + j})" for i in range(positions + 1)
      for j in range(positions + 1 - i))}
{fill(f"(smaller {i} {j} {min(i, j)})" for i in range(positions + 1)
      for j in range(positions + 1))}

; What follows what in time: positions are hidden, then guesses are made.
{fill([f"(follows (hide {i}) (hide {i + 1}))" for i in range(1, positions)]
      + [f"(follows (hide {positions}) (try 1))"]
      + [f"(follows (try {i}) (try {i + 1}))" for i in range(1, guesses)]
      + [f"(follows (try {guesses}) over)"])}

; ---- Fluents and moves ----

(base (phase (hide 1)))
(<= (base (phase ?later))
    (follows ?phase ?later))
(<= (base (code ?position ?colour))
    (position ?position)
    (colour ?colour))
(base found)

(<= (input random (hide ?colour))
    (colour ?colour))
(input random noop)
(input player noop)
(<= (input player (guess {variables}))
{are_colours})

; ---- Start ----

(init (phase (hide 1)))

; ---- Legal moves ----

(<= (legal random (hide ?colour))
    (true (phase (hide ?position)))
    (colour ?colour))
(<= (legal random noop)
    (true (phase (try ?turn))))
(<= (legal player noop)
    (true (phase (hide ?position))))
(<= (legal player (guess {variables}))
    (true (phase (try ?turn)))
{are_colours})

; ---- Next state ----

(<= (next (phase ?later))
    (true (phase ?phase))
    (follows ?phase ?later))
(<= (next (code ?position ?colour))
    (true (phase (hide ?position)))
    (does random (hide ?colour)))
(<= (next (code ?position ?colour))
    (true (code ?position ?colour)))
(<= (next found)
    (most ?all)
    (at_place ?all ?all))

; ---- Comparing a guess with the code ----

{guessed}

; (at_place position number): how many of the first positions are right.
(at_place 0 0)
(<= (at_place ?position ?more)
    (succ ?before ?position)
    (at_place ?before ?number)
    (succ ?number ?more)
    (guessed ?position ?colour)
    (true (code ?position ?colour)))
(<= (at_place ?position ?number)
    (succ ?before ?position)
    (at_place ?before ?number)
    (guessed ?position ?colour)
    (not (true (code ?position ?colour))))

; (times what colour position number): how often the colour occurs in the code
; or in the guess up to the position.
(<= (occurs code ?colour ?position)
    (true (code ?position ?colour)))
(<= (occurs guess ?colour ?position)
    (guessed ?position ?colour))
(<= (times ?what ?colour 0 0)
    (side ?what)
    (colour ?colour))
(<= (times ?what ?colour ?position ?more)
    (succ ?before ?position)
    (times ?what ?colour ?before ?number)
    (succ ?number ?more)
    (occurs ?what ?colour ?position))
(<= (times ?what ?colour ?position ?number)
    (succ ?before ?position)
    (position ?position)
    (times ?what ?colour ?before ?number)
    (not (occurs ?what ?colour ?position)))

; (shared colour number): over the first colours, how many the code and the
; guess have in common.
(shared 0 0)
(<= (shared ?colour ?sum)
    (succ ?before ?colour)
    (shared ?before ?number)
    (most ?all)
    (times code ?colour ?all ?times1)
    (times guess ?colour ?all ?times2)
    (smaller ?times1 ?times2 ?common)
    (plus ?number ?common ?sum))

; ---- Percepts ----

(<= (sees player (exact ?number))
    (true (phase (try ?turn)))
    (most ?all)
    (at_place ?all ?number))
(<= (sees player (misplaced ?number))
    (true (phase (try ?turn)))
    (most ?all)
    (at_place ?all ?exact)
    (shared {colours} ?common)
    (plus ?exact ?number ?common))

; ---- End ----

(<= terminal
    (true found))
(<= terminal
    (true (phase over)))

(<= (goal player 100)
    (true found))
(<= (goal player 0)
    (not (true found)))
(goal random 0)
"""


# --------------------------------------------------------- vacuum_cleaner

COMPASS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def grid_ways(width, height):
    """(leads direction square square) between squares of a grid, numbered
    row by row from the south-west corner."""
    return fill(f"(leads {name} {y * width + x + 1}"
                f" {(y + dy) * width + x + dx + 1})"
                for name, (dx, dy) in COMPASS.items()
                for y in range(height) for x in range(width)
                if 0 <= x + dx < width and 0 <= y + dy < height)


def vacuum_cleaner(size=3, steps=17):
    require(size >= 2 and steps >= 1, "at least 2 x 2 rooms and one step")
    rooms = size * size
    optimum = {(3, 17): "0.8394", (3, 16): "0.7297", (3, 18): "0.9117"}
    known = optimum.get((size, steps))
    known = (f"the best robot succeeds with probability {known}."
             if known else "none recorded for this size.")
    return f"""\
{header("Vacuum Cleaner",
        Rules=f'''Each of {size} x {size} rooms is dirty with probability 1/2.
        The robot starts in a corner; it always sees where it is and whether
        that room is dirty.  It moves north, east, south or west, which fails
        with probability 1/4, or cleans the room it is in; a wall bumps.  All
        rooms seen and clean after {steps} actions score 100, else 0.''',
        Roles="robot and random.",
        Structure=f'''one player against chance, hidden information, {rooms}
        turns in which dirt is drawn and {steps} actions.''',
        Known=known,
        Source="classic of artificial intelligence, rules written afresh.")}

; ---- Roles ----

(role robot)
(role random)

; ---- Rooms and turns ----

{numbers("room", 1, rooms)}
{grid_ways(size, size)}
{each("direction", COMPASS)}

(<= (wall ?direction ?room)
    (direction ?direction)
    (room ?room)
    (not (open ?direction ?room)))
(<= (open ?direction ?room)
    (leads ?direction ?room ?other))

; What follows what in time: rooms are drawn, then actions are taken.
{fill([f"(follows (draw {i}) (draw {i + 1}))" for i in range(1, rooms)]
      + [f"(follows (draw {rooms}) (step 1))"]
      + [f"(follows (step {i}) (step {i + 1}))" for i in range(1, steps)]
      + [f"(follows (step {steps}) over)"])}

; ---- Fluents and moves ----

(base (phase (draw 1)))
(<= (base (phase ?later))
    (follows ?phase ?later))
(<= (base (dirty ?room))
    (room ?room))
(<= (base (at ?room))
    (room ?room))
(<= (base (unseen ?room))
    (room ?room)
    (distinct ?room 1))

(drawn dirty) (drawn clean)
(wheels slip) (wheels grip1) (wheels grip2) (wheels grip3)

(<= (input random ?what)
    (drawn ?what))
(<= (input random ?what)
    (wheels ?what))
(input robot noop)
(input robot clean)
(<= (input robot (move ?direction))
    (direction ?direction))

; ---- Start ----

(init (phase (draw 1)))
(init (at 1))
(<= (init (unseen ?room))
    (room ?room)
    (distinct ?room 1))

; ---- Legal moves ----

(<= (legal random ?what)
    (true (phase (draw ?room)))
    (drawn ?what))
(<= (legal random ?what)
    (true (phase (step ?number)))
    (wheels ?what))
(<= (legal robot noop)
    (true (phase (draw ?room))))
(<= (legal robot clean)
    (true (phase (step ?number))))
(<= (legal robot (move ?direction))
    (true (phase (step ?number)))
    (direction ?direction))

; ---- Next state ----

(<= (next (phase ?later))
    (true (phase ?phase))
    (follows ?phase ?later))

(<= (arrives ?other)
    (true (at ?room))
    (does robot (move ?direction))
    (not (does random slip))
    (leads ?direction ?room ?other))
(<= leaves
    (arrives ?room))
(<= (ends_at ?room)
    (arrives ?room))
(<= (ends_at ?room)
    (true (at ?room))
    (not leaves))

(<= (next (at ?room))
    (ends_at ?room))
(<= (next (unseen ?room))
    (true (unseen ?room))
    (not (ends_at ?room)))

(<= (stays_dirty ?room)
    (true (phase (draw ?room)))
    (does random dirty))
(<= (stays_dirty ?room)
    (true (dirty ?room))
    (not (does robot clean)))
(<= (stays_dirty ?room)
    (true (dirty ?room))
    (not (true (at ?room))))

(<= (next (dirty ?room))
    (stays_dirty ?room))

; ---- Percepts ----

(<= (sees robot (at ?room))
    (ends_at ?room))
(<= (sees robot dirty)
    (ends_at ?room)
    (stays_dirty ?room))
(<= (sees robot bump)
    (true (at ?room))
    (does robot (move ?direction))
    (wall ?direction ?room))

; ---- End ----

(<= work_left
    (true (dirty ?room)))
(<= work_left
    (true (unseen ?room)))

(<= terminal
    (true (phase over)))

(<= (goal robot 100)
    (not work_left))
(<= (goal robot 0)
    work_left)
(goal random 0)
"""


# ----------------------------------------------------------------- wumpus

def wumpus(size=4, steps=40):
    require(size >= 2 and steps >= 1, "at least 2 x 2 squares and one step")
    squares = size * size
    known = ("""an omniscient player comes home with the gold with probability
        0.862 at most, 0.781 if it never shoots.""" if size == 4
             else "none recorded for this size.")
    return f"""\
{header("Wumpus",
        Rules=f'''A cave of {size} x {size} squares.  A wumpus, gold and two
        pits lie on squares drawn by chance, never on the first one, where the
        hunter starts; they may coincide.  The hunter smells the wumpus and
        feels pits from the squares beside them, sees the gold glitter on its
        own square, notices walls by a bump, and hears the scream of a wumpus
        that is hit.  It moves, grabs the gold, shoots its one arrow straight
        on to the wall, or climbs out from the first square.  Climbing out with
        the gold scores 100, else 0; a pit or the living wumpus kills.  After
        {steps} actions it is over.''',
        Roles="hunter and random.",
        Structure=f'''one player against chance, hidden information, 4 turns
        in which the cave is drawn, one to look round, {steps} actions at
        most.''',
        Known=known,
        Source="classic of artificial intelligence, rules written afresh.")}

; ---- Roles ----

(role hunter)
(role random)

; ---- Squares and turns ----

{numbers("square", 1, squares)}
{grid_ways(size, size)}
{each("direction", COMPASS)}

(<= (beside ?square ?other)
    (leads ?direction ?square ?other))
(<= (open ?direction ?square)
    (leads ?direction ?square ?other))
(<= (wall ?direction ?square)
    (direction ?direction)
    (square ?square)
    (not (open ?direction ?square)))

; (ahead direction square other): somewhere in this direction.
(<= (ahead ?direction ?square ?other)
    (leads ?direction ?square ?other))
(<= (ahead ?direction ?square ?farther)
    (ahead ?direction ?square ?other)
    (leads ?direction ?other ?farther))

; What follows what in time: the cave is drawn, then actions are taken.
{fill(["(follows (draw pit1) (draw pit2))", "(follows (draw pit2) (draw gold))",
       "(follows (draw gold) (draw wumpus))", "(follows (draw wumpus) look)",
       "(follows look (step 1))"]
      + [f"(follows (step {i}) (step {i + 1}))" for i in range(1, steps)]
      + [f"(follows (step {steps}) over)"])}

; What is drawn, and what it becomes.
(becomes pit1 pit) (becomes pit2 pit) (becomes gold gold)
(becomes wumpus wumpus)

; ---- Fluents and moves ----

(base (phase (draw pit1)))
(<= (base (phase ?later))
    (follows ?phase ?later))
(<= (base (in ?what ?square))
    (becomes ?drawn ?what)
    (square ?square)
    (distinct ?square 1))
(<= (base (at ?square))
    (square ?square))
(base arrow)
(base carries_gold)
(base dead)
(base out)

(<= (input random (draw ?square))
    (square ?square)
    (distinct ?square 1))
(input random noop)
(input hunter noop)
(input hunter grab)
(input hunter climb)
(<= (input hunter (move ?direction))
    (direction ?direction))
(<= (input hunter (shoot ?direction))
    (direction ?direction))

; ---- Start ----

(init (phase (draw pit1)))
(init (at 1))
(init arrow)

; ---- Legal moves ----

(<= drawing
    (true (phase (draw ?what))))
(<= acting
    (true (phase (step ?number))))

(<= (legal random (draw ?square))
    drawing
    (square ?square)
    (distinct ?square 1))
(<= (legal random noop)
    (not drawing))
(<= (legal hunter noop)
    (not acting))
(<= (legal hunter (move ?direction))
    acting
    (direction ?direction))
(<= (legal hunter (shoot ?direction))
    acting
    (true arrow)
    (direction ?direction))
(<= (legal hunter grab)
    acting)
(<= (legal hunter climb)
    acting
    (true (at 1)))

; ---- Next state ----

(<= (next (phase ?later))
    (true (phase ?phase))
    (follows ?phase ?later))

(<= (next (in ?what ?square))
    (true (phase (draw ?drawn)))
    (becomes ?drawn ?what)
    (does random (draw ?square)))
(<= (next (in pit ?square))
    (true (in pit ?square)))
(<= (next (in gold ?square))
    (true (in gold ?square))
    (not (grabs ?square)))
(<= (next (in wumpus ?square))
    (true (in wumpus ?square))
    (not hit))

(<= (grabs ?square)
    (does hunter grab)
    (true (at ?square))
    (true (in gold ?square)))
(<= hit
    (does hunter (shoot ?direction))
    (true (at ?square))
    (ahead ?direction ?square ?other)
    (true (in wumpus ?other)))

(<= (arrives ?other)
    (does hunter (move ?direction))
    (true (at ?square))
    (leads ?direction ?square ?other))
(<= leaves
    (arrives ?square))
(<= (ends_at ?square)
    (arrives ?square))
(<= (ends_at ?square)
    (true (at ?square))
    (not leaves))

(<= (next (at ?square))
    (ends_at ?square))
(<= (next arrow)
    (true arrow)
    (not shoots))
(<= shoots
    (does hunter (shoot ?direction)))
(<= (next carries_gold)
    (true carries_gold))
(<= (next carries_gold)
    (grabs ?square))
(<= (next dead)
    (arrives ?square)
    (true (in pit ?square)))
(<= (next dead)
    (arrives ?square)
    (true (in wumpus ?square)))
(<= (next out)
    (does hunter climb))

; ---- Percepts ----

(<= (sees hunter (at ?square))
    (ends_at ?square))
(<= (sees hunter breeze)
    (not drawing)
    (ends_at ?square)
    (beside ?square ?other)
    (true (in pit ?other)))
(<= (sees hunter stench)
    (not drawing)
    (ends_at ?square)
    (beside ?square ?other)
    (true (in wumpus ?other))
    (not hit))
(<= (sees hunter glitter)
    (not drawing)
    (ends_at ?square)
    (true (in gold ?square))
    (not (grabs ?square)))
(<= (sees hunter bump)
    (does hunter (move ?direction))
    (true (at ?square))
    (wall ?direction ?square))
(<= (sees hunter scream)
    hit)

; ---- End ----

(<= home
    (true out)
    (true carries_gold))

(<= terminal
    (true dead))
(<= terminal
    (true out))
(<= terminal
    (true (phase over)))

(<= (goal hunter 100)
    home)
(<= (goal hunter 0)
    (not home))
(goal random 0)
"""


# ------------------------------------------------------------------ names

STORED = {family.__name__: family
          for family in (mastermind, vacuum_cleaner, wumpus)}

FAMILIES = {
    "mastermind": (mastermind, {"positions": 3, "colours": 4, "guesses": 3}),
    "vacuum_cleaner": (vacuum_cleaner, {"size": 3, "steps": 17}),
    "wumpus": (wumpus, {"size": 4, "steps": 40}),
}
