#!/usr/bin/env python3
"""Tournaments that are killed again and again, and players on the network.

usage: test_tournament.py --marelle PROGRAM [CASE...]

The killed tournament must end as the one that was left alone: the same
pairings, the same goals, each match once.
"""
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tools"))
import scenario  # noqa: E402

PLAYERS = ["random", "legal", {"name": "second", "player": "random"}, {"name": "third", "player": "random"},
           {"name": "fourth", "player": "random:seed=4"}]


def define(folder, **keys):
    path = os.path.join(folder, "cup.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"games": ["tic_tac_toe"], "players": PLAYERS, "parallel": 2, "seed": 5, **keys}, file)
    return path


def start(program, path):
    return subprocess.Popen([program, "tournament", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def finish(process):
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return json.loads(out)


def contents(path):
    """Every planned match with its result, and how many matches are stored at all."""
    database = sqlite3.connect(path.replace(".json", ".db"))
    with database:
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        jobs = database.execute(
            "SELECT j.number, j.round, j.encounter, j.game, j.board, j.seed, j.seats, "
            "(SELECT group_concat(goal) FROM seats s WHERE s.match = j.match) FROM jobs j ORDER BY number").fetchall()
        matches = database.execute("SELECT count(*), count(DISTINCT match_id) FROM matches").fetchone()
        tournaments = database.execute("SELECT count(*) FROM tournaments").fetchone()[0]
    database.close()
    assert tournaments <= 1 and matches[0] == matches[1]
    return jobs, matches[0]


def kill_often(program, path, longest, played):
    """Starts it and kills it again within so many seconds, until it is through; how many kills came while it played."""
    dice = random.Random(3)
    kills_inside = 0
    for _ in range(200):
        process = start(program, path)
        time.sleep(dice.random() * longest)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if process.returncode == 0:
            break
        if os.path.exists(path.replace(".json", ".db")):
            try:
                jobs, matches = contents(path)
            except sqlite3.OperationalError:
                continue  # not even the tables
            done = sum(job[-1] is not None for job in jobs)
            assert matches == done, f"{matches} matches stored for {done} jobs"
            kills_inside += 0 < done < played
    return kills_inside


def killed(program, **keys):
    with tempfile.TemporaryDirectory() as calm:
        began = time.time()
        expected = finish(start(program, define(calm, **keys)))
        longest = (time.time() - began) * 0.4
        # A machine that was busy and is not any more plays all of it before the first kill: kill sooner then.
        for attempt in range(5):
            with tempfile.TemporaryDirectory() as rough:
                path = define(rough, **keys)
                kills_inside = kill_often(program, path, longest / 3 ** attempt, expected["played"])
                result = finish(start(program, path))
                assert result == expected, "other standings after kills"
                first, count = contents(define(calm, **keys))
                second, count_again = contents(path)
                assert count == count_again == len(first) == result["played"], (count, count_again, len(first))
                assert first == second, "other pairings or results after kills"
            if kills_inside:
                return
        raise AssertionError("no kill hit the tournament while it played")


def killed_round_robin(program):
    killed(program, format="round-robin", matches=20)


def killed_swiss(program):
    killed(program, format="swiss", matches=20, rounds=5)


def killed_knockout(program):
    killed(program, format="knockout", matches=60)


def interrupted(program):
    """SIGINT: partial standings, status 130, and the rest later."""
    with tempfile.TemporaryDirectory() as folder:
        path = define(folder, format="round-robin", matches=4, playclock=5, games=["connect_four"],
                      players=["uct:time=0.02", "grave:time=0.02", "random"])
        process = start(program, path)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 130, (process.returncode, err)
        result = json.loads(out)
        assert not result["complete"] and result["played"] < 12 and len(result["standings"]) == 3, result
        assert finish(start(program, path))["played"] == 12


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Players:
    """Players on the network; one that is asked into a second match answers `busy`, which is recorded."""

    def __init__(self, program, count):
        self.processes = [subprocess.Popen([program, "player", "--port", str(free_port()), "--strategy", "random"],
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                          for _ in range(count)]

    def __enter__(self):
        return [process.stdout.readline().split()[-1] for process in self.processes]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()


def players_on_the_network(program):
    with Players(program, 3) as addresses, tempfile.TemporaryDirectory() as folder:
        path = define(folder, format="round-robin", matches=2, parallel=4, startclock=5, playclock=5,
                      players=addresses + ["random"])
        result = finish(start(program, path))
        assert result["played"] == 12
        assert all(row["errors"] == 0 and row["matches"] == 6 for row in result["standings"]), result


def two_at_once(program):
    """A second process on the same database is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = define(folder, format="duel", matches=1, playclock=5, games=["connect_four"],
                      players=["uct:time=0.1", "grave:time=0.1"])
        first = start(program, path)
        while not os.path.exists(path.replace(".json", ".db-running")):
            time.sleep(0.02)
        second = start(program, path)
        err = second.communicate(timeout=20)[1]
        assert second.returncode == 2 and "another process plays" in err, (second.returncode, err)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        assert finish(start(program, path))["played"] == 1


CASES = [killed_round_robin, killed_swiss, killed_knockout, interrupted, players_on_the_network, two_at_once]


if __name__ == "__main__":
    scenario.run_functions(CASES, __doc__)
