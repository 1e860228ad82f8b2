#!/usr/bin/env python3
"""10^8 random matches of Tictactoe, bit-sliced, against the exact figures.

usage: bench/uniformity.py --marelle PROGRAM [--playouts N]

Of uniformly random matches the first player wins 737/1260, 8/63 are draws, and
the mean length is 3203/420 turns.  Each must be met within four standard
errors.
"""
import argparse
import json
import math
import subprocess
import sys

# Matches that end after 5 to 9 turns, from the tree.
LENGTHS = {5: 1440 / 15120, 6: 5328 / 60480, 7: 47952 / 181440, 8: 72576 / 362880, 9: 127872 / 362880}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("--playouts", type=int, default=10**8)
    options, _ = parser.parse_known_args()
    run = subprocess.run([options.marelle, "simulate", "tic_tac_toe", "--json", "--quiet",
                          "--playouts", str(options.playouts), "--seed", "1"],
                         capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    n = found["playouts"]
    goals = found["goals"]["x"]
    mean = 3203 / 420
    variance = sum(share * (length - mean) ** 2 for length, share in LENGTHS.items())
    tests = []
    for name, value, p in (("wins of x", goals["100"] / n, 737 / 1260),
                           ("draws", goals["50"] / n, 8 / 63)):
        tests.append((name, value, p, math.sqrt(p * (1 - p) / n)))
    tests.append(("mean length", found["mean_length"], mean, math.sqrt(variance / n)))
    failed = n != options.playouts
    print(f"1..{len(tests)}")
    for number, (name, value, exact, error) in enumerate(tests, 1):
        ok = abs(value - exact) <= 4 * error
        failed |= not ok
        print(f"{'ok' if ok else 'not ok'} {number} - {name} of {n} matches: {value:.6f}, exactly "
              f"{exact:.6f}, {abs(value - exact) / error:.2f} standard errors off")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
