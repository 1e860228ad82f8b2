"""Games of dice and cards in which everything is open.

Dice are rolled one a turn, so that chance has six moves at most; it plays
`noop` while players decide, except where its moves may be the same always.
"""

from layout import chain, each, fill, header, numbers, require

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


# ------------------------------------------------------------------ names

STORED = {family.__name__: family for family in (orchard,)}

FAMILIES = {
    "orchard": (orchard, {"trees": 4, "fruits": 10, "raven": 9}),
}
