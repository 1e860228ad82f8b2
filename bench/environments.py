#!/usr/bin/env python3
"""Steps of environments per CPU second on one core, from C and from Python with numpy arrays, in turn.

usage: bench/environments.py [--build build] [--matches 4096] [--seconds 2] [--kernels auto,avx2] GAME-FILE...

Moves are drawn from the masks by the caller; masks, observation bits, ends and rewards are delivered. C is
bench/environment_speed.c; Python is the same loop over marelle.VectorEnv, with the moves in a numpy array. The last
column is Python's share.
"""
import argparse
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def from_c(options, kernel, path):
    program = os.path.join(options.build, "tests", "environment_speed")
    text = subprocess.run([program, str(options.matches), str(options.seconds), kernel, path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return float(re.search(r"([\d.]+) M steps/s", text)[1])


def from_python(marelle, options, kernel, path):
    outputs = ("ends", "rewards", "masks", "observations")
    env = marelle.VectorEnv(marelle.Game.from_file(path, kernel=kernel), options.matches, outputs=outputs)
    arrays, ended, steps = env.arrays(), 0, 0
    env.reset()
    begun = time.process_time()
    while time.process_time() - begun < options.seconds:
        for _ in range(100):
            env.draw()
            env.step(arrays["moves"])
            ended += int((arrays["ends"] == 1).sum())
        steps += 100 * options.matches
    return steps / (time.process_time() - begun) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--matches", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--kernels", default="auto,avx2")
    parser.add_argument("games", nargs="+")
    options = parser.parse_args()
    os.environ["MARELLE_LIBRARY"] = os.path.join(os.path.abspath(options.build), "src", "libmarelle.so")
    sys.path.insert(0, os.path.join(ROOT, "python"))
    import marelle  # pylint: disable=import-outside-toplevel
    print("| game | kernel | C, M steps/s | Python, M steps/s | share |\n|---|---|---:|---:|---:|")
    for path in options.games:
        for kernel in options.kernels.split(","):
            runs = [(from_c(options, kernel, path), from_python(marelle, options, kernel, path)) for _ in range(3)]
            best_c, best_python = max(c for c, _ in runs), max(p for _, p in runs)
            print(f"| {os.path.basename(path)} | {kernel} | {best_c:.1f} | {best_python:.1f} | "
                  f"{best_python / best_c:.0%} |", flush=True)


if __name__ == "__main__":
    main()
