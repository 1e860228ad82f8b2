#!/usr/bin/env python3
"""The partitions of our games' fluents, as a person has looked at them once.

usage: test_partitions.py --marelle PROGRAM --games FOLDER --golden FILE [--update]

FILE has a line for each game that takes at most 2 seconds: its name and its
counts; under it, for games of several action-dependent subgames, a line for
each subgame: its label, its place in a series if it has one, what it is good for and
its fluents. --update writes it anew; then look at what changed.
"""
import argparse
import json
import os
import subprocess
import sys

SECONDS = 2


def decompose(marelle, path):
    """None if it takes too long or cannot be done."""
    try:
        run = subprocess.run([marelle, "decompose", path, "--json"], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(run.stdout) if run.returncode == 0 else None


def line_of(subgame):
    words = [subgame["label"]]
    words += [f"number {subgame['order']}"] if subgame["order"] else []
    words += [key for key in ("terminal", "scoring", "control", "stepper", "synchronous") if subgame[key]]
    words += [] if subgame["useful"] else ["useless"]
    return "  " + ", ".join(words) + ": " + " ".join(sorted(subgame["fluents"]))


def lines_of(game, answer):
    counts = answer["counts"]
    head = f"{game} " + " ".join(str(counts[k]) for k in ("ad", "uad", "ai", "uai"))
    return [head] + (sorted(map(line_of, answer["subgames"])) if counts["ad"] > 1 else [])


def read_golden(path):
    """Lines by game."""
    golden = {}
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if not line.startswith(" "):
                golden[line.split()[0]] = lines = []
            lines.append(line)
    return golden


def update(options, games):
    with open(options.golden, "w", encoding="utf-8") as out:
        for game in games:
            answer = decompose(options.marelle, os.path.join(options.games, game + ".kif"))
            if answer and answer["cpu_seconds"] <= SECONDS:
                out.write("\n".join(lines_of(game, answer)) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--golden", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.update:
        update(options, sorted(name[:-4] for name in os.listdir(options.games) if name.endswith(".kif")))
        return 0
    failed = 0
    golden = read_golden(options.golden)
    for number, (game, expected) in enumerate(golden.items(), 1):
        answer = decompose(options.marelle, os.path.join(options.games, game + ".kif"))
        found = lines_of(game, answer) if answer else ["no result"]
        failed += found != expected
        print(f"{'ok' if found == expected else 'not ok'} {number} - {game}")
        for old, new in zip(expected, found):
            if old != new:
                print(f"# was {old}\n# is  {new}")
    print(f"1..{len(golden)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
