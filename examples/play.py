#!/usr/bin/env python3
"""Rules from a string, and a match of the engine against first legal moves: PYTHONPATH=python examples/play.py"""
import marelle

RULES = """
(role left) (role right) (init (heap 7)) (init (control left))
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?rest)) (does ?p (take ?n)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
""" + "".join(f"(minus {h} {n} {h - n})\n" for h in range(1, 8) for n in (1, 2, 3) if n <= h)

game = marelle.Game(RULES)
state, engine = game.initial(), marelle.Search(game, "left", "uct:seed=1")
while True:
    moves = [engine.run(playouts=1000).best, state.legal("right")[0]]
    state = state.play(*moves)
    print(*moves, "->", state)
    if state.is_terminal:
        break
    engine.advance(*moves)
print(state.goals)
