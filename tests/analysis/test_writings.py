#!/usr/bin/env python3
"""The same games written in other ways, each by hand: what stays is said
positively or negatively, turns and counters are driven by waiting, the door
between two games of a series stands elsewhere.

usage: test_writings.py --marelle PROGRAM --games FOLDER
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

# What stays blank is what a mark elsewhere on the same board leaves alone.
STAYS = """(<= (next (cell ?board ?row ?column ?content))
    (true (cell ?board ?row ?column ?content))
    (not (marked ?board ?row ?column)))"""
MARKED_ELSEWHERE = """(<= (next (cell ?board ?row ?column ?content))
    (true (cell ?board ?row ?column ?content)) (distinct ?content blank))
(<= (next (cell ?board ?row ?column blank))
    (true (cell ?board ?row ?column blank)) (marks ?player ?board ?other ?any) (distinct ?row ?other))
(<= (next (cell ?board ?row ?column blank))
    (true (cell ?board ?row ?column blank)) (marks ?player ?board ?any ?other) (distinct ?column ?other))"""
MARKED_NOWHERE = """
(<= (next (cell ?board ?row ?column blank))
    (true (cell ?board ?row ?column blank)) (not (touched ?board)))
(<= (touched ?board) (marks ?player ?board ?row ?column))"""

DOOR = """(<= (active 1)
    (not (over 1)))
(<= (active 2)
    (over 1))"""
TWO_DOORS = """(<= (active 1) ongoing)
(<= ongoing (open 1) (not (line 1 x)) (not (line 1 o)))
(<= (active 2) finished)
(<= finished (line 1 ?player))
(<= finished (not (open 1)))"""

TURN = "(<= (next (control ?other))"
TURN_BY_WAITING = "(<= (next (control ?other)) (does ?other noop)"
STEP = "(<= (next (step ?after))"
STEP_BY_WAITING = "(<= (next (step ?after)) (does ?anyone noop)"

# Two dials, then a third: turning it does nothing before the door is open, but is never forbidden.
DOOR_IN_NEXT = """
(role p) (init (da 0)) (init (db 0)) (init (dc 0)) (init (turn 1))
(<= door (true (da 2)) (true (db 1)))
(legal p spina) (legal p spinb) (legal p left) (legal p right)
(<= (next (da ?y)) (does p spina) (true (da ?x)) (up ?x ?y) (not door))
(<= (next (da ?x)) (true (da ?x)) (not (does p spina)))
(<= (next (da ?x)) (true (da ?x)) door)
(<= (next (db ?y)) (does p spinb) (true (db ?x)) (up ?x ?y) (not door))
(<= (next (db ?x)) (true (db ?x)) (not (does p spinb)))
(<= (next (db ?x)) (true (db ?x)) door)
(<= (next (dc ?y)) (does p left) (true (dc ?x)) (up ?x ?y) door)
(<= (next (dc ?y)) (does p right) (true (dc ?x)) (up ?y ?x) door)
(<= (next (dc ?x)) (true (dc ?x)) (not door))
(<= (next (dc ?x)) (true (dc ?x)) (does p spina))
(<= (next (dc ?x)) (true (dc ?x)) (does p spinb))
(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y)) (<= terminal (true (turn 30)))
(<= (goal p 100) door (true (dc 1))) (<= (goal p 50) door (not (true (dc 1)))) (<= (goal p 0) (not door))
(up 0 1) (up 1 2) (up 2 0)
""" + " ".join(f"(succ {i} {i + 1})" for i in range(1, 30))

# (what it is, the game, what is replaced by what, the counts (None: those of the game as it is), methods that find them).
WRITINGS = [
    ("marks elsewhere leave a square blank", "tic_tac_toe_parallel", [(STAYS, MARKED_ELSEWHERE)], "2 0 1 1", "auto stats"),
    ("marks elsewhere leave a square blank", "double_tic_tac_toe", [(STAYS, MARKED_ELSEWHERE + MARKED_NOWHERE)], "2 0 2 2",
     "auto stats"),
    ("two doors that say the opposite", "tic_tac_toe_serial", [(DOOR, TWO_DOORS)], "2 0 2 2", "auto rules stats"),
    ("the door decides about effects", None, DOOR_IN_NEXT, "2 0 1 0", "auto rules stats"),
    ("waiting gives the turn", "connect_four", [(TURN, TURN_BY_WAITING)], "1 0 1 1", "auto rules stats"),
    ("waiting gives the turn", "nim", [(TURN, TURN_BY_WAITING)], "4 0 1 0", "auto rules stats"),
    ("waiting gives the turn", "double_tic_tac_toe_free", [(TURN, TURN_BY_WAITING)], "2 0 1 1", "auto rules stats"),
    ("waiting moves the counter", "multiple_tic_tac_toe", [(STEP, STEP_BY_WAITING)], None, "auto rules stats"),
    ("waiting moves both", "multiple_tic_tac_toe", [(STEP, STEP_BY_WAITING), (TURN, TURN_BY_WAITING)], None, "auto rules stats"),
]


def counts(marelle, path, method):
    run = subprocess.run([marelle, "decompose", path, "--json", "--method", method], capture_output=True, text=True)
    if run.returncode != 0:
        return run.stderr.strip()
    found = json.loads(run.stdout)["counts"]
    return " ".join(str(found[k]) for k in ("ad", "uad", "ai", "uai"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--games", required=True)
    options = parser.parse_args()
    number, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for what, game, changes, expected, methods in WRITINGS:
            path = os.path.join(options.games, f"{game}.kif")
            text = changes if game is None else open(path, encoding="utf-8").read()
            for old, new in changes if game else []:
                assert old in text, (game, old)
                text = text.replace(old, new)
            changed = os.path.join(folder, "changed.kif")
            with open(changed, "w", encoding="utf-8") as file:
                file.write(text)
            for method in methods.split():
                number += 1
                wanted = expected or counts(options.marelle, path, method)
                found = counts(options.marelle, changed, method)
                failed += found != wanted
                print(f"{'ok' if found == wanted else 'not ok'} {number} - {game or 'dials'}: {what}, by {method}")
                if found != wanted:
                    print(f"# {found} instead of {wanted}")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
