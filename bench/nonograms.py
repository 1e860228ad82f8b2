#!/usr/bin/env python3
"""Whether search over several trees does as well on nonograms that nobody chose.

usage: bench/nonograms.py [--marelle PROGRAM] [--count N] [--seeds N] [--seed N] [--playouts N]

Draws grids of 5 x 5 and 6 x 6 cells at random, keeps those whose clues have one solution, and lets
`mtmcts`, `auto` and `uct` solve them, the last with --playouts at most. Prints for each size how many
runs were solved, mean and greatest number of playouts, and CPU seconds with decomposition, then the
grids of which some run was not solved. bench/nonograms.txt is what it printed.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = (5, 6)
INK = 0.55  # of the cells
METHODS = ("mtmcts", "auto", "uct")


def clues(line):
    return tuple(len(list(run)) for cell, run in itertools.groupby(line) if cell)


def lines_by_clues(size):
    lines = {}
    for line in itertools.product((False, True), repeat=size):
        lines.setdefault(clues(line), []).append(line)
    return lines


def has_one_solution(rows, columns, lines):
    """Row by row, as long as every column is the beginning of a line with its clues."""
    size = len(rows)
    beginnings = [{line[:n] for line in lines[column] for n in range(size + 1)} for column in columns]

    def count(begun):
        row = len(begun[0])
        if row == size:
            return 1
        found = 0
        for line in lines[rows[row]]:
            longer = [begun[c] + (line[c],) for c in range(size)]
            if all(longer[c] in beginnings[c] for c in range(size)):
                found += count(longer)
            if found > 1:
                break
        return found

    return count([()] * size) == 1


def draw_grids(size, number, rng):
    lines = lines_by_clues(size)
    while number:
        grid = [[rng.random() < INK for _ in range(size)] for _ in range(size)]
        rows, columns = [clues(row) for row in grid], [clues(column) for column in zip(*grid)]
        if all(rows) and all(columns) and has_one_solution(rows, columns, lines):
            number -= 1
            yield tuple(" ".join("-".join(map(str, clue)) for clue in side) for side in (rows, columns))


def solve(program, game, method, options):
    limit = options.playouts if method == "uct" else 2000000
    answer = subprocess.run([program, "solve", game, "--algo", method, "--seeds", str(options.seeds),
                             "--playouts", str(limit), "--json"], capture_output=True, text=True, check=False)
    return json.loads(answer.stdout)["runs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--playouts", type=int, default=300000)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    unsolved = []
    print("| cells | method | solved | playouts, mean | most | CPU s, mean |\n|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        game = os.path.join(folder, "nonogram.kif")
        for size in SIZES:
            runs = {method: [] for method in METHODS}
            for rows, columns in draw_grids(size, options.count, rng):
                with open(game, "w", encoding="utf-8") as file:
                    subprocess.run([sys.executable, os.path.join(HERE, "..", "games", "generate.py"), "nonogram",
                                    "--rows", rows, "--columns", columns], stdout=file, check=True)
                for method in METHODS:
                    found = solve(options.marelle, game, method, options)
                    runs[method] += found
                    missing = sum(not run["solved"] for run in found)
                    if missing and method != "uct":
                        unsolved.append(f"{method} missed {missing} of {options.seeds}: rows {rows}, columns {columns}")
            for method in METHODS:
                of = runs[method]
                playouts = [run["playouts"] for run in of]
                seconds = sum(run["cpu_seconds"] + run["decomposition_cpu_seconds"] for run in of) / len(of)
                print(f"| {size} x {size} | {method} | {sum(run['solved'] for run in of)} of {len(of)} | "
                      f"{sum(playouts) / len(of):.0f} | {max(playouts)} | {seconds:.3f} |")
    print("\n" + ("\n".join(unsolved) or "`mtmcts` and `auto` solved every grid with every seed."))


if __name__ == "__main__":
    main()
