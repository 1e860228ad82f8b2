#!/usr/bin/env python3
"""Compare all reasoners on random games and on those of games/.

usage: test_reasoners.py --compare PROGRAM --games FOLDER [--count N | --seconds S] [--first SEED]

TAP on standard output, one case for each kernel (skipped where this machine
lacks it) and for each batch of random games.  A game on
which reasoners differ is kept in a file that the case names.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile
import time

from random_game import random_game

BATCH = 100


def run(program, arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def keep(path):
    """Saves a game for whoever reads the report; returns where."""
    folder = tempfile.mkdtemp(prefix="marelle-fuzz-")
    kept = os.path.join(folder, os.path.basename(path))
    os.rename(path, kept)
    return kept


def one_by_one(options, paths, first):
    """Which of these games fail, with what they say: a crash takes the whole batch with it."""
    said = []
    for number, path in enumerate(paths):
        status, output = run(options.compare, ["--seed", str(first + number), path])
        if status:
            said += output.splitlines()[:8] + [f"ended with {status}, seed {first + number}: "
                                               f"{keep(path)}"]
    return said


def random_batch(options, first):
    """What is wrong with the games of these seeds, and the last line of the driver."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(first, first + BATCH):
            paths.append(os.path.join(folder, f"{seed}.kif"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(random_game(seed))
        status, output = run(options.compare, ["--seed", str(first), *paths])
        summary = output.strip().splitlines()[-1:] or [""]
        return (one_by_one(options, paths, first) or ["ends badly"]) if status else [], summary[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compare", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    number = 0
    failed = False

    def tell(wrong, name, note=""):
        nonlocal number, failed
        number += 1
        failed |= bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for line in wrong or ([note] if note else []):
            print(f"# {line}")
        sys.stdout.flush()

    for line in run(options.compare, [])[1].splitlines():
        kernel, state = line.split(" ", 1)
        tell([], f"kernel {kernel}" + ("" if state == "compared" else f" # SKIP needs {state}"))
    for path in sorted(glob.glob(os.path.join(options.games, "*.kif"))):
        status, output = run(options.compare, ["--matches", "1", "--steps", "25", path])
        tell(output.splitlines()[:8] + [f"ended with {status}"] if status else [],
             f"all reasoners agree on {os.path.basename(path)}")
    seed = options.first
    while (time.monotonic() - started < options.seconds if options.seconds
           else seed < options.first + options.count):
        wrong, summary = random_batch(options, seed)
        tell(wrong, f"all reasoners agree on random games {seed} to {seed + BATCH - 1}", summary)
        seed += BATCH
    print(f"1..{number}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
