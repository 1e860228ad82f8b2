#!/usr/bin/env python3
"""The same program as several processes: sums, tournaments and data sets that do not depend
on how many there are, and go on after one of them was killed.  TAP; all is skipped without mpirun or where
the program was built without MPI.

usage: test_cluster.py --marelle PROGRAM
"""
import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_btl="self,vader,tcp")


class Cases:
    def __init__(self, marelle):
        self.marelle, self.number, self.failed = marelle, 0, False

    def say(self, ok, name, why=""):
        self.number += 1
        self.failed |= not ok
        print(f"{'ok' if ok else 'not ok'} {self.number} - {name}")
        for line in why.splitlines() if not ok else []:
            print(f"# {line}")

    def run(self, ranks, *words):
        start = ["mpirun", "-n", str(ranks)] if ranks else []
        return subprocess.run(start + [self.marelle, *words], env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=200, check=False)

    def json(self, ranks, *words):
        run = self.run(ranks, *words, "--json")
        return json.loads(run.stdout) if run.returncode == 0 else {"error": run.stderr}


def same_but(a, b, *names):
    return {k: v for k, v in a.items() if k not in names} == {k: v for k, v in b.items() if k not in names}


def matches(cases):
    words = ["simulate", "tic_tac_toe", "--playouts", "30011", "--seed", "5"]
    alone = cases.json(0, *words, "--threads", "3")
    together = cases.json(3, *words)
    cases.say(same_but(alone, together, "ranks"), "three processes play what three threads play",
              f"{alone}\n{together}")
    many = cases.json(16, *words)
    cases.say(same_but(cases.json(0, *words, "--threads", "16"), many, "ranks") and many["ranks"] == 16,
              "sixteen processes, more than processors", str(many))


def search(cases):
    words = ["search", "tic_tac_toe", "--playouts", "4000", "--moves",
             "(mark 1 1) noop; noop (mark 1 2); (mark 2 2) noop; noop (mark 2 1)"]
    found = cases.json(2, *words)
    cases.say(found.get("best") == "(mark 3 3)", "two trees find the winning move", str(found)[:400])
    visits = cases.json(2, "search", "connect_four", "--playouts", "5000", "--algo", "uct")
    cases.say(visits.get("playouts", 0) >= 5000, "playouts of all processes count", str(visits)[:400])


def children(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def run_and_kill(cases, ranks, words, has_begun):
    """Starts the processes, kills the last one when some work is stored; what was said."""
    with subprocess.Popen(["mpirun", "-n", str(ranks), cases.marelle, *words], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None and not has_begun():
            time.sleep(0.01)
        workers = children(process.pid)
        if workers and process.poll() is None:
            os.kill(workers[-1], signal.SIGKILL)
        _, complaint = process.communicate(timeout=60)
    return process.returncode, complaint


def cup_results(database):
    connection = sqlite3.connect(database)
    try:
        return connection.execute(
            "SELECT j.number, j.round, j.encounter, j.seed, j.seats, "
            "(SELECT group_concat(goal) FROM seats s WHERE s.match = j.match) FROM jobs j ORDER BY number").fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def played(database):
    return sum(goals is not None for *_, goals in cup_results(database)) if os.path.exists(database) else 0


def tournament(cases, folder):
    cup = {"format": "swiss", "games": ["tic_tac_toe", "connect_four"], "seed": 5, "startclock": 20, "playclock": 20,
           "players": ["random", "legal", {"name": "tree", "player": "uct:playouts=3000"},
                       {"name": "larger", "player": "uct:playouts=6000"}, {"name": "other", "player": "random:seed=4"}]}
    path = os.path.join(folder, "cup.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(cup, file)
    alone = cases.json(0, "tournament", path, "--db", f"{folder}/alone.db")
    together = cases.json(3, "tournament", path, "--db", f"{folder}/together.db")
    cases.say(alone == together and cup_results(f"{folder}/alone.db") == cup_results(f"{folder}/together.db"),
              "a tournament of three processes has the results of one", f"{alone}\n{together}")
    words = ["tournament", path, "--db", f"{folder}/killed.db"]
    code, complaint = run_and_kill(cases, 3, words, lambda: played(f"{folder}/killed.db") > 2)
    cases.say(code != 0 and bool(complaint.strip()), "a killed process ends the others, with a message", complaint)
    kept = played(f"{folder}/killed.db")
    cases.run(2, *words)
    cases.say(cup_results(f"{folder}/killed.db") == cup_results(f"{folder}/alone.db"),
              f"a tournament goes on after a process was killed, {kept} matches stored")


def data(cases, folder):
    words = ["learn", "data", "connect_four", "--matches", "1000", "--seed", "3", "--source", "random", "--output"]

    def content(name):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return file.read()

    def log_bytes():
        path = f"{folder}/data-killed.jobs"
        return os.path.getsize(path) if os.path.exists(path) else 0

    cases.run(0, *words, f"{folder}/data-alone")
    together = cases.run(3, *words, f"{folder}/data-together")
    cases.say(together.returncode == 0 and content("data-alone") == content("data-together"),
              "data of three processes are those of one", together.stderr)
    run_and_kill(cases, 3, [*words, f"{folder}/data-killed"], lambda: log_bytes() > 100000)
    kept = log_bytes()
    rest = cases.run(2, *words, f"{folder}/data-killed")
    cases.say(rest.returncode == 0 and content("data-killed") == content("data-alone") and not log_bytes(),
              f"data go on after a process was killed, {kept} bytes in the log", rest.stderr)


def has_mpi(marelle):
    version = subprocess.run([marelle, "version", "--verbose", "--json"], capture_output=True, text=True, check=True)
    return json.loads(version.stdout)["mpi"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    marelle = parser.parse_args().marelle
    cases = Cases(marelle)
    if not shutil.which("mpirun") or not has_mpi(marelle):
        print("1..0 # SKIP no MPI here")
        return
    matches(cases)
    search(cases)
    with tempfile.TemporaryDirectory() as folder:
        tournament(cases, folder)
        data(cases, folder)
    print(f"1..{cases.number}")
    sys.exit(cases.failed)


main()
