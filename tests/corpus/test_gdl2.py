#!/usr/bin/env python3
"""Games with chance or hidden information from end to end: checked, simulated,
played by a search under `marelle match`, and by `marelle player` over a socket.

usage: test_gdl2.py --marelle PROGRAM [--build DIR] [--games DIR] [--sample N] [--only TEXT] [--jobs N]

Without --games it takes folder gdl2 of the corpus and writes DIR/gdl2-table.csv;
--keep FILE is such a table, whose games are not played again.  --slow yes is for
a program slowed by sanitizers: a few turns of some games, and hours for a move.
A game passes if no move had to be replaced, or if docs/results/corpus/gdl2-results.md lists it
with the reason.  A game that cannot be opened, or that the rules leave without
moves or goals, need not be played.  Every run ends after a minute of CPU time:
a game that needs more is too large, and must be listed.  Every game costs a
while, so a sample of N has N/50 games here.
"""
import csv
import glob
import json
import os
import re
import signal
import socket
import subprocess

import corpus

SECONDS = 60
MEGABYTES = 4096
PLAYOUTS = 20  # a move
TURNS = 100  # of a match
OWN_TURNS = 30  # the same for our own games, which are played in every test
SLOW_TURNS = 4  # and for a program that is slowed down
SLOW_GAMES = ("guess_dice", "kuhn_poker", "mastermind", "matching_pennies", "monty_hall",
              "orchard_light")
COLUMNS = ("file", "players", "hides", "check", "reasoner", "mean_length", "match_turns",
           "match_errors", "belief_seconds", "player_turns", "player_errors", "result")


def ask(options, seconds, *arguments):
    """The JSON that the program prints; {} with the reason if it does not."""
    run = corpus.Run([options.marelle, *arguments, "--json"], seconds,
                     0 if options.slow else MEGABYTES)
    try:
        return json.loads(run.out), run
    except json.JSONDecodeError:
        return {}, run


def errors_of(record):
    """Kinds of what went wrong, each with its number: `IL 3`."""
    kinds = [error.split()[0] for turn in record.get("errors", []) for error in turn
             if error and "given up after" not in error]
    return " ".join(f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds))) or "none"


class Player:
    """A `marelle player` on a free port of this machine.  It answers at once, by a
    move that it has in all states which it thinks possible."""

    def __init__(self, program):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [program, "player", "--port", str(port), "--strategy", "random", "--rest"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=20)


def play(options, path, players):
    """The record of one match; {} if there is none."""
    turns = SLOW_TURNS if options.slow else OWN_TURNS if options.games else TURNS
    clocks = ["3600", "3600"] if options.slow else ["10", "5"]
    return ask(options, SECONDS, "match", path, *players, "--seed", "1", "--startclock",
               clocks[0], "--playclock", clocks[1], "--steps", str(turns), "--quiet")


def try_out(options, path):
    """The row of the table."""
    line = {"file": os.path.basename(path)}
    check = corpus.Run([options.marelle, "check", "--quiet", path], SECONDS,
                       0 if options.slow else MEGABYTES)
    line["check"] = "ok" if check.status == 0 else "errors"
    facts, run = ask(options, SECONDS, "simulate", path, "--playouts", "100", "--time", "20")
    if "mean_goals" not in facts:
        line["result"] = "too large" if run.status < 0 else "refused"
        return line
    seats = len(facts["mean_goals"]) - ("random" in facts["mean_goals"])
    line["players"] = seats
    line["reasoner"] = facts.get("reasoner", "none")
    line["mean_length"] = facts.get("mean_length", "")
    others = ["random"] * (seats - 1)
    record, run = play(options, path, [f"uct:playouts={PLAYOUTS}", *others])
    line["hides"] = int(bool(record.get("percepts")))
    line["match_turns"] = len(record.get("moves", []))
    line["match_errors"] = errors_of(record)
    line["belief_seconds"] = round(run.cpu_seconds, 2)
    if run.status < 0:
        line["result"] = "too large"
        return line
    with Player(options.marelle) as player:
        record, _ = play(options, path, [player.address, *others])
    line["player_turns"] = len(record.get("moves", []))
    line["player_errors"] = errors_of(record)
    kinds = {*line["match_errors"].split()[::2], *line["player_errors"].split()[::2]}
    over_at_once = facts.get("mean_length") == 0
    if not over_at_once and not (line["match_turns"] and line["player_turns"]):
        kinds.add("no match")
    line["result"] = {frozenset(["none"]): "plays", frozenset(["RU"]): "rules at fault",
                      frozenset(["none", "RU"]): "rules at fault"}.get(frozenset(kinds), "errors")
    return line


def write_table(path, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(lines)


def kept_lines(options):
    if not options.keep or not os.path.exists(options.keep):
        return {}
    with open(options.keep, encoding="utf-8", newline="") as file:
        return {line["file"]: line for line in csv.DictReader(file)}


def is_gdl2(path):
    with open(path, encoding="utf-8") as file:
        return re.search(r"\(role random\)|\(sees ", file.read()) is not None


def paths_of(options):
    if options.games:
        paths = sorted(glob.glob(os.path.join(options.games, "*.kif")))
        if options.slow:
            return [path for path in paths if os.path.basename(path)[:-4] in SLOW_GAMES]
        return [path for path in paths if is_gdl2(path) and (options.only or "") in path]
    shared = corpus.shared_folder()
    rows = [row for row in corpus.index(shared) if row["file"].startswith("gdl2/")]
    return [os.path.join(shared, "corpus", row["file"]) for row in corpus.choose(rows, options, cost=50)]


def main():
    options = corpus.arguments(__doc__, games="folder of games instead of the corpus",
                               keep="table of games not to be played again",
                               slow="anything: the program is slowed down by sanitizers")
    known = corpus.listed("results/corpus/gdl2-results.md")
    paths = paths_of(options)
    tap = corpus.Tap()
    kept = kept_lines(options)
    lines = list(kept.values())
    paths = [path for path in paths if os.path.basename(path) not in kept]
    table = os.path.join(options.build, "gdl2-table.csv")
    for path, line in corpus.for_each(paths, lambda path: try_out(options, path), options.jobs):
        lines.append(line)
        if not options.games:
            write_table(table, lines)
        name = line["file"]
        if line["result"] == "refused":
            tap.result(line["check"] == "errors", name, "the checker finds no error in it",
                       skip="cannot be opened")
            continue
        if line["result"] == "too large":
            tap.result(name in known, name, "not played within its limits")
            continue
        tap.result(line["result"] != "errors" or name in known,
                   f"{name}: {line['match_turns']} and {line['player_turns']} turns",
                   f"match: {line['match_errors']}; player: {line['player_errors']}")
    if not options.games:
        tap.note(f"table in {table}")
    tap.finish()


if __name__ == "__main__":
    main()
