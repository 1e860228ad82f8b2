#!/usr/bin/env python3
"""Continuous play: one `marelle player` plays match after match under `marelle match` while its memory is sampled.

    bench/soak.py --marelle build/marelle --minutes 60 --csv soak.csv

Every round plays each game once, from both sides where there are two. The memory that counts is what the player
holds between matches: the last third of the rounds must hold no more than the first, give or take a tenth and 16 MB
for what the allocator keeps. The most held in a round is said as well; it depends on how much processor time a second
of thinking was. Exit status 1 if they do, or if a match was not completed.
Errors (answers too late on a machine that is busy otherwise) are counted.
"""
import argparse
import csv
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
GAMES = ["tic_tac_toe", "connect_four", "nim", "maze", "lights_out", "chomp", "hunter", "breakthrough"]
TWO_ROLES = {"tic_tac_toe", "connect_four", "nim", "chomp", "breakthrough"}


def resident_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


class Sampler(threading.Thread):
    """The most memory held since it was last asked."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most = pid, 0.0

    def run(self):
        while True:
            try:
                self.most = max(self.most, resident_mb(self.pid))
            except OSError:
                return
            time.sleep(1)

    def take(self):
        most, self.most = self.most, 0.0
        return most


def play(arguments, address, game, seed):
    rival = f"uct:playouts={arguments.rival}"
    seats = [[address]] if game not in TWO_ROLES else [[address, rival], [rival, address]]
    problems, errors = [], 0
    for seat in seats:
        run = subprocess.run(
            [arguments.marelle, "match", game, *seat, "--startclock", str(arguments.clock), "--playclock",
             str(arguments.clock), "--seed", str(seed), "--json"], capture_output=True, text=True, check=False)
        record = json.loads(run.stdout) if run.returncode == 0 else None
        if not record or not record["isCompleted"]:
            problems.append(f"{game}: {run.stderr or record['faults']}")
        errors += len(record["faults"]) if record else 0
    return len(seats), problems, errors


def soak(arguments, process, address, rows):
    sampler = Sampler(process.pid)
    sampler.start()
    began, matches, errors, problems = time.time(), 0, 0, []
    while time.time() - began < arguments.minutes * 60:
        for game in arguments.games.split(","):
            played, wrong, late = play(arguments, address, game, len(rows))
            matches, problems, errors = matches + played, problems + wrong, errors + late
        rows.append({"minutes": round((time.time() - began) / 60, 2), "matches": matches, "errors": errors,
                     "idle_mb": round(resident_mb(process.pid), 1), "most_mb": round(sampler.take(), 1)})
        print(rows[-1], flush=True)
    return problems


def has_grown(rows):
    third = max(1, len(rows) // 3)
    first, last = (statistics.median(row["idle_mb"] for row in part) for part in (rows[1:1 + third], rows[-third:]))
    return last > first * 1.1 + 16


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--clock", type=float, default=1, help="start and play clock in seconds")
    parser.add_argument("--rival", type=int, default=200, help="playouts a move of the opponent")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--port", type=int, default=9471)
    parser.add_argument("--nice", type=int, default=5)
    parser.add_argument("--csv", help="write the samples there, one round a line")
    arguments = parser.parse_args()
    process = subprocess.Popen([arguments.marelle, "player", "--port", str(arguments.port), "--quiet"],
                               stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.nice(arguments.nice))
    address = re.search(r"http://\S+", process.stdout.readline()).group(0)
    rows = []
    try:
        problems = soak(arguments, process, address, rows)
        alive = process.poll() is None
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
    if arguments.csv:
        with open(arguments.csv, "w", encoding="ascii", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
    middle = rows[len(rows) // 2]
    print(f"{rows[-1]['matches']} matches in {rows[-1]['minutes']} minutes; MB between matches: first "
          f"{rows[0]['idle_mb']}, middle {middle['idle_mb']}, last {rows[-1]['idle_mb']}; most in a round: "
          f"{rows[0]['most_mb']}, {middle['most_mb']}, {rows[-1]['most_mb']}; {rows[-1]['errors']} errors, "
          f"{len(problems)} matches not completed")
    for problem in problems[:10]:
        print(problem)
    grown = len(rows) > 3 and has_grown(rows)
    sys.exit(1 if grown or problems or not alive else 0)


if __name__ == "__main__":
    main()
