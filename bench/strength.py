#!/usr/bin/env python3
"""How well Marelle plays, each part a table in docs/results/strength.md:

    bench/strength.py solve                  values and lines that are known, found by `marelle solve`
    bench/strength.py tic_tac_toe            200 matches through the protocol, none of them lost
    bench/strength.py random                 `auto` against `random` in twelve two-player games of the corpus
    bench/strength.py alone                  the goal of the best line found in games with one role

Games of others come from $MARELLE_SHARED/corpus (default ../shared); what is not there is left out and said so.
Exit status 1 if a figure is missed.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
SHARED = os.environ.get("MARELLE_SHARED", os.path.join(ROOT, "..", "shared"))

# Game, values of the roles, turns of the line (None: any).
SOLVED = [
    ("games/tic_tac_toe.kif", [50, 50], None),
    ("corpus/base/ticTacToe_v0.kif", [50, 50], None),
    ("corpus/base/nim1_v0.kif", [100, 0], None),
    ("corpus/base/nim2_v0.kif", [0, 100], None),
    ("corpus/base/nim3_v0.kif", [100, 0], None),
    ("corpus/base/nim4_v0.kif", [0, 100], None),
    ("generate connect_four --columns 4 --rows 4", [50, 50], None),
    ("generate connect_four --columns 5 --rows 4", [50, 50], None),
    ("generate connect_four --columns 4 --rows 5", [50, 50], None),
    ("generate connect_four --columns 5 --rows 5", [50, 50], None),
    ("generate connect_four --columns 6 --rows 4", [0, 100], None),
    ("generate connect_four --columns 4 --rows 4 --line 3", [100, 0], None),
    ("games/eight_puzzle.kif", [100], 30),
    ("corpus/base/eightPuzzle_v0.kif", [100], 30),
    ("corpus/stanford/eightpuzzle_v0.kif", [100], None),
    ("generate sliding --rows 2 --columns 3", [100], 14),
    ("corpus/stanford/3puzzle_v0.kif", [100], None),
]

AGAINST_RANDOM = ["base/connectFour_v0.kif", "base/breakthrough_v0.kif", "base/reversi_v0.kif", "base/hex_v0.kif",
                  "base/checkers_v0.kif", "base/ttcc4_2player_v0.kif", "base/quarto_v0.kif", "base/amazons_8x8_v0.kif",
                  "base/dotsAndBoxes_v0.kif", "base/connect5_v0.kif", "base/gomoku_11x11_v0.kif", "base/skirmish_v0.kif"]

MUST_SOLVE = ["maze", "buttons", "hanoi", "lightson", "blocksworld", "blocks_v", "lights_on"]


def find(name, folder):
    """The file behind the name of a game; None if it is not there."""
    if name.startswith("generate "):
        path = os.path.join(folder, re.sub(r"\W+", "_", name) + ".kif")
        with open(path, "w", encoding="ascii") as file:
            subprocess.run([sys.executable, os.path.join(ROOT, "games", "generate.py"), *name.split()[1:]], stdout=file, check=True)
        return path
    path = os.path.join(ROOT, name) if name.startswith("games/") else os.path.join(SHARED, name)
    return path if os.path.exists(path) else None


def ask(arguments, *words, limit=600):
    try:
        run = subprocess.run([arguments.marelle, *words, "--json"], capture_output=True, text=True, check=False, timeout=limit)
        return json.loads(run.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def part_solve(arguments, folder):
    missed = 0
    row("game", "values", "turns of the line", "states", "method", "CPU seconds", "as known")
    row(*["---"] * 7)
    for name, values, turns in SOLVED:
        path = find(name, folder)
        if not path:
            row(name, "not there", "", "", "", "", "")
            continue
        answer = ask(arguments, "solve", path, "--algo", "exact", "--time", str(arguments.seconds or 300))
        found = list(answer["values"].values()) if answer and answer.get("values") else None
        line = len(answer["runs"][0]["line"]) if found else "-"
        right = found == values and turns in (None, line)
        missed += not right
        row(name.replace("generate ", "generate.py "), found, line, answer and answer["states"], answer and answer["method"],
            f"{answer['runs'][0]['cpu_seconds']:.2f}" if answer else "-", "yes" if right else f"NO, {values} {turns or ''}")
    return missed


class Player:
    """A `marelle player` on a free port."""

    def __init__(self, arguments):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen([arguments.marelle, "player", "--port", str(port), "--quiet"],
                                        stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)


def part_tic_tac_toe(arguments, _folder):
    """The opponents: random play, a little search, and search that solves the game before its first move."""
    rivals = {"random": 60, "uct:playouts=50": 60, "uct:playouts=1000": 40, "uct:playouts=400000": 40}
    player, missed = Player(arguments), 0
    row("opponent", "side", "matches", "won", "drawn", "lost", "errors")
    row(*["---"] * 7)
    for rival, matches in rivals.items():
        for side in 0, 1:
            won = drawn = lost = errors = 0
            for seed in range(matches // 2):
                players = [player.address, rival] if side == 0 else [rival, player.address]
                record = ask(arguments, "match", "tic_tac_toe", *players, "--startclock", "1", "--playclock", "5", "--seed", str(seed))
                goal = record["goalValues"][side]
                won, drawn, lost = won + (goal == 100), drawn + (goal == 50), lost + (goal == 0)
                errors += len(record["errors"])
            row(rival, "xo"[side], matches // 2, won, drawn, lost, errors)
            missed += lost + errors
    player.close()
    return missed


def part_random(arguments, folder):
    missed = 0
    row("game", "matches", "won", "drawn", "points of 100", "mean goal", "of `random`", "playouts a move")
    row(*["---"] * 8)

    def duel(name):
        path = find("corpus/" + name, folder)
        if not path:
            return name, None
        run = subprocess.run([arguments.duel, path, str(arguments.matches), str(arguments.seconds or 0.1), "auto", "random"],
                             capture_output=True, text=True, check=False)
        return name, json.loads(run.stdout) if run.returncode == 0 else None

    with concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        for name, found in pool.map(duel, arguments.games or AGAINST_RANDOM):
            if not found:
                row(name, "not there")
                continue
            points = 100 * (found["wins"] + found["draws"] / 2) / found["matches"]
            missed += points < 95
            row(name, found["matches"], found["wins"], found["draws"], f"{points:.1f}", *found["goals"], found["playouts"][0])
    return missed


def games_with_one_role():
    with open(os.path.join(SHARED, "corpus", "index.csv"), encoding="utf-8") as file:
        files = {r["file"]: r for r in csv.DictReader(file) if r["roles"] == "1" and r["canonical"] == "1"}
    return sorted(files)


def part_alone(arguments, _folder):
    if not os.path.exists(os.path.join(SHARED, "corpus", "index.csv")):
        print("no corpus")
        return 0
    missed, seconds = 0, arguments.seconds or 5
    row("game", "goal of the line", "turns", "best possible", "playouts and states", "CPU seconds")
    row(*["---"] * 6)

    def search(name):
        path = os.path.join(SHARED, "corpus", name)
        return name, ask(arguments, "search", path, "--time", str(seconds), limit=seconds + 120)

    with concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        for name, answer in pool.map(search, arguments.games or games_with_one_role()):
            if not answer or not answer["moves"]:
                row(name, "no answer", "", "", "", "")
                continue
            best = answer["moves"][0]
            must = any(word in os.path.basename(name).lower() for word in MUST_SOLVE)
            missed += must and best["value"] < 100
            row(name, f"{best['value']:.4g}", len(answer["line"]), "yes" if best["proven"] else "", answer["playouts"],
                f"{answer['cpu_seconds']:.2f}")
    return missed


def main():
    parts = {"solve": part_solve, "tic_tac_toe": part_tic_tac_toe, "random": part_random, "alone": part_alone}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=parts)
    parser.add_argument("games", nargs="*", help="files of the corpus, instead of all (random, alone)")
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"))
    parser.add_argument("--duel", default=os.path.join(ROOT, "build", "tests", "duel"))
    parser.add_argument("--seconds", type=float, help="a move (random, 0.1), a search (alone, 5), a game (solve, 300)")
    parser.add_argument("--matches", type=int, default=100, help="a game (random)")
    parser.add_argument("--workers", type=int, default=1, help="games at a time (random, alone)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        missed = parts[arguments.part](arguments, folder)
    print(f"{missed} missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
