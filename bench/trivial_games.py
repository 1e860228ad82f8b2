#!/usr/bin/env python3
"""Whether `auto` slows games down that plain UCT solves at once.

usage: bench/trivial_games.py [--marelle PROGRAM] [--seeds N] [--rounds N]

Solves each game with `uct` and `auto` in turn and prints the mean CPU seconds a solution, over all
seeds and rounds, decomposition included, and their ratio, which must be 1.2 at most. Status 1 if it
is not, or a run is not solved. Games of $MARELLE_SHARED/corpus that are not there are left out.
bench/trivial_games.txt is what it printed.
"""
import argparse
import json
import os
import subprocess
import sys

OWN = ("queens_guided", "futoshiki_4", "selective_sukoshi")
CORPUS = ("base/queens08lg_v0.kif", "base/futoshiki4_v0.kif", "stanford/selectivesukoshi_v0.kif")
MOST = 1.2


def solve(program, game, algo, seeds):
    """CPU seconds of all seeds, or None if one of them is not solved."""
    answer = subprocess.run([program, "solve", game, "--algo", algo, "--seeds", str(seeds), "--json"],
                            capture_output=True, text=True, check=False)
    runs = json.loads(answer.stdout)["runs"]
    if len(runs) < seeds or not all(run["solved"] for run in runs):
        return None
    return sum(run["cpu_seconds"] + run["decomposition_cpu_seconds"] for run in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    corpus = os.path.join(os.environ.get("MARELLE_SHARED", "../shared"), "corpus")
    games = list(OWN) + [path for path in (os.path.join(corpus, name) for name in CORPUS)
                         if os.path.exists(path)]
    holds = True
    print("| game | uct, CPU s | auto, CPU s | ratio |\n|---|---:|---:|---:|")
    for game in games:
        times = {"uct": 0.0, "auto": 0.0}
        for _ in range(options.rounds):
            for algo in times:
                seconds = solve(options.marelle, game, algo, options.seeds)
                if seconds is None:
                    sys.exit(f"trivial_games: `{algo}` does not solve {game}")
                times[algo] += seconds / options.seeds / options.rounds
        ratio = times["auto"] / times["uct"]
        holds = holds and ratio <= MOST
        print(f"| {os.path.basename(game)} | {times['uct']:.6f} | {times['auto']:.6f} | {ratio:.2f} |")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
