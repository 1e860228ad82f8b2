#!/usr/bin/env python3
"""Grounding beside gringo: CPU seconds of `marelle ground` and of `gringo` on what
`marelle translate --to asp` writes, for every canonical game of the corpus.

    bench/gringo.py [--marelle build/marelle] [--limit 20] [--sample N] [--out FILE.csv]

Prints one line a game in which gringo needs over 0.1 s, and the share of them in which we need at
most as much. Games on which either gives up within the limit are listed as such.
"""
import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile


def cpu_of(command, limit, stdout):
    """CPU seconds of a command and whether it ended well; None for the seconds if it ran too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command, stdout=stdout, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
    status = process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, status == 0


def canonical_games(shared):
    with open(os.path.join(shared, "corpus", "index.csv"), newline="") as index:
        files = {row["file"] for row in csv.DictReader(index) if row["canonical"] == "1"}
    return sorted(os.path.join(shared, "corpus", name) for name in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("--limit", type=int, default=20, help="CPU seconds for either program")
    parser.add_argument("--sample", type=int, default=0, help="every how many games, 0 for all")
    parser.add_argument("--out", help="write all figures here as CSV")
    arguments = parser.parse_args()
    shared = os.environ.get("MARELLE_SHARED", "../shared")
    if not os.path.isdir(shared):
        print("skipped: no test material in $MARELLE_SHARED")
        return 0
    games = canonical_games(shared)
    if arguments.sample:
        games = games[:: arguments.sample]
    rows, better, slow = [], 0, 0
    for game in games:
        with tempfile.NamedTemporaryFile(suffix=".lp") as program:
            _, readable = cpu_of([arguments.marelle, "translate", game, "--to", "asp"],
                                 arguments.limit, program)
            if not readable:
                continue
            theirs, they = cpu_of(["gringo", program.name], arguments.limit, subprocess.DEVNULL)
        ours, we = cpu_of([arguments.marelle, "ground", game, "--time", str(arguments.limit),
                           "--json"], 2 * arguments.limit, subprocess.DEVNULL)
        name = os.path.relpath(game, os.path.join(shared, "corpus"))
        rows.append([name, f"{theirs:.3f}", they, f"{ours:.3f}", we])
        if theirs <= 0.1:
            continue
        slow += 1
        won = we and (not they or ours <= theirs)
        better += won
        print(f"{name:60} gringo {theirs:8.3f}{' ' if they else '+'} marelle {ours:8.3f}"
              f"{' ' if we else '+'} {'' if won else 'slower'}", flush=True)
    if arguments.out:
        with open(arguments.out, "w", newline="") as out:
            csv.writer(out).writerows([["game", "gringo_cpu_s", "gringo_ok", "marelle_cpu_s",
                                        "marelle_ok"]] + rows)
    share = 100 * better / slow if slow else 100
    print(f"{len(rows)} games; gringo over 0.1 s in {slow}; marelle at most as long in {better} "
          f"({share:.1f} %)")
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
