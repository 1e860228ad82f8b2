#!/usr/bin/env python3
"""Table of duels between two searches over many games, as in docs/results/searches.md:

    bench/duels.py --matches 20 --seconds 0.02 uct uct:batch=1,leaf=1

Games are names in games/ or files; --games takes some of them. A win counts one point, a draw a
half. The error is one standard error of the points. Each move has the same CPU time."""
import argparse
import json
import math
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMES = ["breakthrough", "checkers", "chomp", "connect_four", "hex", "nim", "nim_misere",
         "reversi", "tic_tac_toe"]


def file_of(game):
    path = ROOT / "games" / (game + ".kif")
    return path if path.exists() else pathlib.Path(game)


def duel(options, game):
    command = [str(options.duel)] + (["--wall"] if options.wall else [])
    command += ["--start", str(options.start)] if options.start else []
    command += [str(file_of(game)), str(options.matches), str(options.seconds)]
    done = subprocess.run(command + [options.first, options.second], capture_output=True, text=True)
    if done.returncode:
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--start", type=float, default=0, help="seconds to think before the first move")
    parser.add_argument("--wall", action="store_true", help="seconds of the clock, not the CPU")
    parser.add_argument("--duel", default=ROOT / "build" / "tests" / "duel")
    options = parser.parse_args()
    print(f"{options.first} against {options.second}, {options.seconds} s a move\n")
    print(f"| game | points of {options.matches} | error | playouts a move | of the other |")
    print("|---|---|---|---|---|")
    points = matches = 0
    for game in options.games:
        found = duel(options, game)
        name = pathlib.Path(game).stem
        if found is None:
            print(f"| {name} | failed | | | |", flush=True)
            continue
        score = found["wins"] + found["draws"] / 2
        mean = score / found["matches"]
        spread = found["wins"] + found["draws"] / 4 - found["matches"] * mean * mean
        error = math.sqrt(max(spread, 0.25))
        own, other = (f"{n:,.0f}" for n in found["playouts"])
        print(f"| {name} | {score:g} | {error:.1f} | {own} | {other} |", flush=True)
        points += score
        matches += found["matches"]
    print(f"\nall together {points:g} of {matches}")


if __name__ == "__main__":
    main()
