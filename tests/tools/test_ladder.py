#!/usr/bin/env python3
"""Runs bench/ladder.py: whole matches of two players that answer at once, and tables of results that are made up."""
import csv
import os
import subprocess
import sys
import tempfile

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import ladder  # noqa: E402


def expect(condition, *words):
    if not condition:
        raise AssertionError(" ".join(str(word) for word in words))


def play(marelle, folder, first, second, *more):
    """What the run printed, and the rows of its results."""
    results = os.path.join(folder, "results.csv")
    done = subprocess.run([sys.executable, os.path.join(ROOT, "bench", "ladder.py"), first, second, "tic_tac_toe", "--results",
                           results, "--startclock", "1", "--playclock", "5", "--referee", marelle, "--cores", "0,0", *more],
                          capture_output=True, text=True, check=False)
    if not os.path.exists(results):
        return done, []
    with open(results, encoding="utf-8", newline="") as file:
        return done, list(csv.DictReader(file))


def plays_what_is_missing(marelle):
    players = f"{marelle} --strategy random", f"{marelle} player --port {{port}} --strategy legal --seed {{core}}"
    with tempfile.TemporaryDirectory() as folder:
        done, rows = play(marelle, folder, *players)
        expect(done.returncode == 0, done.stdout, done.stderr)
        expect([row["first_role"] for row in rows] == ["x", "o"], rows)
        expect(all(row["first_errors"] == row["second_errors"] == "0" for row in rows), rows)
        expect("| all | 2 |" in done.stdout, done.stdout)
        done, rows = play(marelle, folder, *players, "--matches", "4")
        expect([row["match"] for row in rows] == ["0", "1", "2", "3"], rows)
        done, again = play(marelle, folder, *players, "--matches", "4")
        expect(again == rows and "| all | 4 |" in done.stdout, done.stdout)


def says_that_a_player_does_not_start(marelle):
    with tempfile.TemporaryDirectory() as folder:
        done, rows = play(marelle, folder, "/bin/false", "/bin/false {port}")
    expect(done.returncode == 1 and "ended with status 1" in done.stderr and not rows, done.stderr, rows)


def leaves_spoilt_matches_out(_marelle):
    row = dict.fromkeys(ladder.COLUMNS, "0") | {"game": "g", "first_goal": "100"}
    expect(not ladder.is_spoilt(row | {"first_timeouts": "1", "second_timeouts": "1"}))
    expect(ladder.is_spoilt(row | {"second_timeouts": "2"}))
    expect(ladder.is_void(row | {"first_goal": ""}) and not ladder.is_void(row))


def counts_points(_marelle):
    for goals, expected in ((("100", "0"), 1), (("50", "50"), 0.5), (("18", "20"), 0)):
        found = ladder.points(dict(zip(("first_goal", "second_goal"), goals)))
        expect(found == expected, goals, found)


def computes_intervals_and_ratings(_marelle):
    low, high = ladder.wilson(0.5, 100)  # 40.4 to 59.6 % in every table.
    expect(abs(low - 0.404) < 0.001 and abs(high - 0.596) < 0.001, low, high)
    expect(abs(ladder.rating([1.0, 0.0] * 50)[0]) < 1e-9)
    difference, error = ladder.rating([1.0] * 640 + [0.0] * 360)  # 64 % are 100 points.
    expect(abs(difference - 100) < 1 and 11 < error < 12, difference, error)


def decides_in_sequence(_marelle):
    expect(ladder.evidence([], 0, 100) == 0)
    expect(ladder.evidence([1.0, 1.0, 0.0] * 60, 0, 100) > 2.94)
    expect(ladder.evidence([1.0, 0.0] * 100, 0, 100) < -2.94)
    expect(abs(ladder.evidence([1.0, 0.0] * 2, 0, 100)) < 2.94)
    expect(ladder.evidence([1.0] * 3, 0, 100) < 2.94)


if __name__ == "__main__":
    scenario.run_functions([counts_points, leaves_spoilt_matches_out, computes_intervals_and_ratings, decides_in_sequence,
                            plays_what_is_missing, says_that_a_player_does_not_start], __doc__)
