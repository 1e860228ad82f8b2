#!/usr/bin/env python3
"""Rules from a string, their board, and a match of the engine against first moves: PYTHONPATH=python examples/play.py"""
import marelle

LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
RULES = """
(role left) (role right) (init (control left))
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (column ?x) (row ?y) (not (taken ?x ?y)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y))) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
(<= (taken ?x ?y) (true (cell ?x ?y ?p))) (<= open (column ?x) (row ?y) (not (taken ?x ?y)))
(<= terminal (line ?p)) (<= terminal (not open)) (<= (goal ?p 100) (line ?p))
(<= (goal ?p 0) (role ?p) (line ?q) (distinct ?p ?q)) (<= (goal ?p 50) (role ?p) (not (line left)) (not (line right)))
(column a) (column b) (column c) (row 1) (row 2) (row 3)
""" + "".join(f"(<= (line ?p) {' '.join(f'(true (cell {x} {y} ?p))' for x, y in line.split())})\n" for line in LINES)

game = marelle.Game(RULES)
state, engine = game.initial(), marelle.Search(game, "left", "uct:seed=1")
while not state.is_terminal:
    moves = [engine.run(playouts=2000).best, state.legal("right")[0]]
    state = state.play(*moves)
    print(*moves, state.draw(legend=False), sep="\n")
    if not state.is_terminal:
        engine.advance(*moves)
print(state.goals)
