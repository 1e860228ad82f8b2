#!/usr/bin/env python3
"""Matches of two players over HTTP, one core each, and a table of points and ratings:

    bench/ladder.py build/marelle /old/marelle GAME... --matches 20 --results old.csv
    bench/ladder.py "build/marelle --strategy uct" "/path/start-other {port} {core}" GAME... --results other.csv

A player is one of
  PROGRAM [OPTION...]     a build of ours, started as `PROGRAM player --threads 1 OPTION...`
  COMMAND {port} {core}   any player: a command line that starts it on that port, in the foreground
  http://HOST:PORT        a player that runs already
Players that are started here are fresh in every match and pinned to one core. The referee is `marelle match`. Sides are
swapped from match to match. Every match is appended to the results; started again, only what is missing is played.
--sprt ends the run as soon as a sequential test says which of two ratings is the truth. `--matches 0` prints the table
of what was played. An interrupt ends the run after the matches under way. A match with more than one time-out or failed connection of a side is listed apart and not counted.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
READY = 60  # Seconds that a player may take to start, and to tidy up after a match.
COLUMNS = ["first", "second", "startclock", "playclock", "game", "match", "first_role", "first_goal", "second_goal",
           "first_timeouts", "second_timeouts", "first_errors", "second_errors", "turns", "load"]
SIDES = ("first", "second")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Player:
    """What plays on one side, and how it is started."""

    def __init__(self, text):
        self.text = self.name = text
        self.is_ours = "{port}" not in text and not text.startswith("http://")
        if self.is_ours:  # Two builds at one path are two players.
            digest = hashlib.sha256(pathlib.Path(shlex.split(text)[0]).read_bytes()).hexdigest()
            self.name = f"{text} @{digest[:8]}"

    def start(self, core, log):
        """Its address, and the process if there is one, once it says that it is free."""
        if self.text.startswith("http://"):
            wait_until_free(self.text, None)
            return self.text, None
        port = free_port()
        program, *options = shlex.split(self.text)
        command = [program, "player", "--port", str(port), "--threads", "1", *options]
        if not self.is_ours:
            command = [word.replace("{port}", str(port)).replace("{core}", str(core)) for word in [program, *options]]
        process = subprocess.Popen(["taskset", "-c", str(core), *command], stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until_free(address, process)
        except BaseException:
            stop(process)
            raise
        return address, process


def wait_until_free(address, process):
    answer = "nothing"
    for _ in range(READY * 5):
        if process and process.poll() is not None:
            raise RuntimeError(f"the player on {address} ended with status {process.returncode}")
        try:
            request = urllib.request.Request(address, b"(INFO)", {"Content-Type": "text/acl"})
            with urllib.request.urlopen(request, timeout=5) as response:
                answer = response.read().decode("utf-8", "replace")
            if "available" in answer.lower():
                return
        except OSError as error:
            answer = str(error)
        time.sleep(0.2)
    raise RuntimeError(f"{address} is not available: {answer}")


def stop(process):
    """The process and what it has started."""
    if process:
        try:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=20)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def play(options, players, game, number, cores, folder):
    """One match. Returns its row of the results."""
    stem = os.path.join(folder, f"{pathlib.Path(game).stem}-{number}")
    running = []
    load = os.getloadavg()[0]
    try:
        for player, core, side in zip(players, cores, SIDES):
            with open(f"{stem}-{side}.log", "w", encoding="utf-8") as log:
                running.append(player.start(core, log))
        seat = number % 2  # Of the first player.
        addresses = [running[seat][0], running[1 - seat][0]]
        done = subprocess.run([options.referee, "match", game, *addresses, "--startclock", str(options.startclock), "--playclock",
                               str(options.playclock), "--seed", str(number), "--json", "--record", f"{stem}.json"],
                              capture_output=True, text=True, check=False)
        if not done.stdout.strip():
            raise RuntimeError(f"{game}: {done.stderr.strip()}")
    finally:
        for _, process in running:
            stop(process)
    record = json.loads(done.stdout)
    roles = record["roles"]
    if len(roles) != 2:
        raise RuntimeError(f"{game} is not a game for two")
    row = {"first": players[0].name, "second": players[1].name, "startclock": options.startclock, "playclock": options.playclock,
           "game": game, "match": number, "first_role": roles[seat], "turns": len(record["moves"]), "load": f"{load:.1f}"}
    for side, role in zip(SIDES, (roles[seat], roles[1 - seat])):
        codes = [fault["code"] for fault in record["faults"] if fault["role"] == role]
        goal = record["goals"][role] if record["isCompleted"] else None
        row |= {f"{side}_goal": "" if goal is None else goal, f"{side}_errors": len(codes),
                f"{side}_timeouts": codes.count("TO") + codes.count("CE")}
    return row


def points(row):
    """Of the first player."""
    difference = float(row["first_goal"]) - float(row["second_goal"])
    return 0.5 if difference == 0 else float(difference > 0)


def is_void(row):
    return row["first_goal"] == "" or row["second_goal"] == ""


def is_spoilt(row):
    return any(int(row[f"{side}_timeouts"]) > 1 for side in SIDES)


def wilson(share, number):
    """The 95 % interval of a share; rather too wide where matches are drawn."""
    z = 1.96
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return middle - half, middle + half


def rating(results):
    """Elo's difference and its standard error. The prior is one match drawn, as in tournaments."""
    number = len(results) + 1
    share = (sum(results) + 0.5) / number
    spread = (sum((r - share) ** 2 for r in results) + (0.5 - share) ** 2 + 0.25) / number  # Never zero.
    return 400 * math.log10(share / (1 - share)), 400 / math.log(10) * math.sqrt(spread / number) / (share * (1 - share))


def evidence(results, low, high):
    """Logarithm of the likelihood ratio of two ratings, after the normal approximation of the generalised sequential
    probability ratio test. A win and a loss are added to the variance, so that it is never zero."""
    if not results:
        return 0.0
    share = [1 / (1 + 10 ** (-elo / 400)) for elo in (low, high)]
    seen = [*results, 0.0, 1.0]
    mean = sum(seen) / len(seen)
    variance = sum((r - mean) ** 2 for r in seen) / len(seen)
    return (share[1] - share[0]) * (2 * sum(results) - len(results) * (share[0] + share[1])) / (2 * variance)


def print_table(rows):
    """Game by game, then all; what does not count below."""
    counted = [row for row in rows if not is_void(row) and not is_spoilt(row)]
    if counted:
        print(f"\n{rows[0]['first']} against {rows[0]['second']}, {rows[0]['startclock']} s + {rows[0]['playclock']} s\n")
        print("| game | matches | points | % | 95 % interval | time-outs | errors | turns |")
        print("|---|---:|---:|---:|---|---:|---:|---:|")
    for game in [*dict.fromkeys(row["game"] for row in counted), None]:
        chosen = [row for row in counted if game in (None, row["game"])]
        if not chosen:
            continue
        results = [points(row) for row in chosen]
        share = sum(results) / len(results)
        low, high = wilson(share, len(results))
        sums = [sum(int(row[key]) for row in chosen) for key in COLUMNS[9:14]]
        print(f"| {pathlib.Path(game).stem if game else 'all'} | {len(results)} | {sum(results):g} | {100 * share:.0f} | "
              f"{100 * low:.0f} to {100 * high:.0f} | {sums[0]} : {sums[1]} | {sums[2]} : {sums[3]} | {sums[4] / len(results):.0f} |")
    if counted:
        print("\nrating of the first less that of the second: {:+.0f}, standard error {:.0f}".format(*rating([points(r) for r in counted])))
    for row in rows:
        if is_void(row) or is_spoilt(row):
            why = "without an end" if is_void(row) else "time-outs {first_timeouts} and {second_timeouts}".format(**row)
            print("not counted: {game}, match {match}, goals {first_goal} and {second_goal}: ".format(**row) + why)


class Ladder:
    """The results so far, their file, and whether enough is known. Threads share it."""

    def __init__(self, options, players):
        self.options, self.lock, self.is_decided = options, threading.Lock(), False
        self.key = [players[0].name, players[1].name, str(options.startclock), str(options.playclock)]
        self.rows = []
        if os.path.exists(options.results):
            with open(options.results, encoding="utf-8", newline="") as file:
                self.rows = [row for row in csv.DictReader(file) if [row[name] for name in COLUMNS[:4]] == self.key]
        self.look()

    def add(self, row):
        with self.lock:
            is_new = not os.path.exists(self.options.results) or os.path.getsize(self.options.results) == 0
            with open(self.options.results, "a", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS)
                if is_new:
                    writer.writeheader()
                writer.writerow(row)
            self.rows.append(row)
            print("{game} {match}: {first_role}, goals {first_goal} and {second_goal}, {turns} turns, errors {first_errors} "
                  "and {second_errors}".format(**row), flush=True)
            self.look()

    def look(self):
        if not self.options.sprt:
            return
        results = [points(row) for row in self.rows if not is_void(row) and not is_spoilt(row)]
        ratio = evidence(results, *self.options.sprt)
        bound = math.log(19)  # Both errors 5 %.
        print(f"sequential test: {ratio:+.2f} of {-bound:.2f} to {bound:+.2f}", flush=True)
        if abs(ratio) >= bound and not self.is_decided:
            self.is_decided = True
            print(f"decided: rather {self.options.sprt[ratio > 0]:+g} than {self.options.sprt[ratio <= 0]:+g}", flush=True)


def work(ladder, players, jobs, cores, folder):
    """Plays what is left until there is nothing more, or until the test has decided."""
    while True:
        with ladder.lock:
            if not jobs or ladder.is_decided:
                return
            game, number = jobs.pop(0)
        ladder.add(play(ladder.options, players, game, number, cores, folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("games", nargs="*", help="files of games for two, or names of ours")
    parser.add_argument("--results", default="ladder.csv", help="file that matches are appended to")
    parser.add_argument("--matches", type=int, default=2, help="of each game; even, so that sides are fair")
    parser.add_argument("--startclock", type=int, default=30)
    parser.add_argument("--playclock", type=int, default=4)
    parser.add_argument("--cores", nargs="+", default=["0,1"], help="pairs of cores, each for one match at a time")
    parser.add_argument("--sprt", type=float, nargs=2, metavar="ELO", help="stop when one of these differences is far likelier")
    parser.add_argument("--logs", help="folder for what players print and for records of the matches")
    parser.add_argument("--referee", default=str(ROOT / "build" / "marelle"))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    players = [Player(options.first), Player(options.second)]
    ladder = Ladder(options, players)
    played = {(row["game"], int(row["match"])) for row in ladder.rows}
    # Both sides of every game, then once more: a run that ends early is fair.
    jobs = [(game, pair + side) for pair in range(0, options.matches, 2) for game in options.games for side in (0, 1)
            if pair + side < options.matches and (game, pair + side) not in played]
    if options.logs:
        os.makedirs(options.logs, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(len(options.cores)) as pool:
        workers = [pool.submit(work, ladder, players, jobs, pair.split(","), options.logs or scratch) for pair in options.cores]
        try:
            failures = [worker.exception() for worker in workers if worker.exception()]
        finally:
            jobs.clear()  # After an interrupt, workers end with the match they play.
    print_table(ladder.rows)
    for failure in failures:
        print(f"ladder.py: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
