#!/usr/bin/env python3
"""The networks of the games of the constraint papers against the reasoner, in all
states of random matches: joint actions, successors, percepts, ends and goals.

usage: test_networks.py --compare PROGRAM --games DIR [--matches N] [--seconds S]
                        [--corpus yes] [--table FILE] [--only TEXT] [--sample N]

The games of chance are in DIR; --corpus adds the deterministic ones, which are in
$MARELLE_SHARED.  A game is compared in N matches (1000), or for S seconds of CPU
time; --table writes what was compared as a table in Markdown.  A sample of N takes
one game for each hundred, and ten seconds of each.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys

OWN = ("backgammon", "cant_stop", "kaeseklau", "pickomino", "yahtzee", "guess_dice", "mastermind",
       "monty_hall", "vacuum_cleaner", "wumpus", "pacman", "schnappt_hubi", "sheep_and_wolf",
       "latent_tic_tac_toe", "war")
# Three of the paper's twenty are not in the corpus: their nearest relatives are.
OTHERS = ("amazonsTorus_10x10", "battlebrushes", "breakthroughSuicide", "chess",
          "connectFourLarger", "connectFourSimultaneous", "copolymer_4", "dotsAndBoxes",
          "englishDraughts", "2pffa", "hex", "majorities", "pentago", "quarto", "shmup",
          "skirmishZeroSum", "2pttc", "ttcc4_2player", "reversiSuicide")
ELSEWHERE = ("other/knightthrough_2008_AAAI_GGP_Competition.kif",)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", required=True, help="the program compare_network")
    parser.add_argument("--games", required=True, help="folder of our own games")
    parser.add_argument("--matches", default="1000", help="random matches of a game")
    parser.add_argument("--seconds", help="CPU seconds of a game, at most")
    parser.add_argument("--corpus", help="anything: games of the corpus as well")
    parser.add_argument("--table", help="file for a table of what was compared")
    parser.add_argument("--sample", type=int, help="size of a sample of the corpus (see above)")
    parser.add_argument("--only", default="", help="games whose name contains the text")
    return parser.parse_args()


def paths_of(options):
    paths = [os.path.join(options.games, name + ".kif") for name in OWN]
    shared = os.environ.get("MARELLE_SHARED", "")
    if options.corpus and shared:
        corpus = os.path.join(shared, "corpus")
        paths += [os.path.join(corpus, "base", name + "_v0.kif") for name in OTHERS]
        paths += [os.path.join(corpus, name) for name in ELSEWHERE]
    paths = [path for path in paths if options.only in path and os.path.exists(path)]
    if options.sample is None:
        return paths
    options.seconds = "10"
    order = sorted(paths, key=lambda path: hashlib.sha256(os.path.basename(path).encode()).digest())
    return order[: -(-options.sample // 100)]


def compare(options, path):
    limit = ["--seconds", options.seconds] if options.seconds else []
    run = subprocess.run([options.compare, "--matches", options.matches, *limit, path],
                         capture_output=True, text=True, check=False)
    try:
        return json.loads(run.stdout)
    except json.JSONDecodeError:
        return {"difference": run.stderr.strip() or f"status {run.returncode}", "states": 0,
                "matches": 0, "outcomes": 0, "cpu_seconds": 0}


def main():
    options = read_arguments()
    paths = paths_of(options)
    failed = 0
    print(f"1..{len(paths)}")
    lines = ["| game | matches | states | joint moves | CPU s | differences |",
             "|---|---:|---:|---:|---:|---|"]
    for number, path in enumerate(paths, 1):
        name = os.path.basename(path)[:-4]
        found = compare(options, path)
        is_ok = not found["difference"] and found["states"] > 0
        no_network = found["difference"] == "no network"
        failed += not is_ok and not no_network
        print(f"{'ok' if is_ok or no_network else 'not ok'} {number} - {name}: "
              f"{found['matches']} matches, {found['states']} states"
              + (" # SKIP no network" if no_network else ""))
        if not is_ok:
            print("#   " + found["difference"])
        sys.stdout.flush()
        lines.append(f"| {name} | {found['matches']} | {found['states']} | {found['outcomes']} | "
                     f"{found['cpu_seconds']} | {found['difference'] or 'none'} |")
        if options.table:
            with open(options.table, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
