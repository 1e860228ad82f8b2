#!/usr/bin/env python3
"""The partitions of our games' fluents, against what follows from their rules or from another method.

usage: test_partitions.py --marelle PROGRAM --games FOLDER

Games that were put together from parts say in their fluents which part these belong to: BY_FIRST_ARGUMENT and
BY_PREDICATE say how. Where nothing in the text says it (nonograms), the parts must be those of the published
statistical method, which shares the study of goals with `auto`, but no evidence of what moves do.
"""
import argparse
import json
import os
import subprocess
import sys

# By game: the predicates whose first argument is the part, in which moves act, and those whose first argument is the
# part of what runs by itself. All other fluents run by themselves.
BY_FIRST_ARGUMENT = {
    "asteroids_parallel": ("heading place speed", ""),
    "asteroids_serial": ("heading place speed", "step"),
    "best_buttons_and_lights": ("on", ""),
    "blocks_world_parallel": ("on table", ""),
    "blocks_world_serial": ("on table", "step"),
    "double_tic_tac_toe": ("cell", "control"),
    "double_tic_tac_toe_free": ("cell", ""),
    "dual_connect_four": ("cell", "control"),
    "dual_hamilton": ("at count visited", ""),
    "joint_buttons_and_lights": ("on", ""),
    "lights_on_parallel": ("timer", ""),
    "lights_on_simultaneous": ("timer", ""),
    "multiple_buttons_and_lights": ("on", ""),
    "multiple_hamilton": ("at count visited", ""),
    "multiple_tic_tac_toe": ("cell", ""),
    "nim": ("heap", ""),
    "nim_misere": ("heap", ""),
    "row_pairs": ("cell", ""),
    "selective_sukoshi": ("blank cell", ""),
    "tic_tac_toe_parallel": ("cell", ""),
    "tic_tac_toe_serial": ("cell", "control"),
    "turtle_brain_easy": ("timer won", ""),
}
# By game: the predicates of each part in which moves act. All other fluents run by themselves.
BY_PREDICATE = {
    "futoshiki_4": ("cell", "finished"),
    "incredible": ("on table", "gold holding robot"),
    "tic_tac_heaven": ("aim cell", "single"),
}
# The parts are those of the method `stats`.
BY_STATISTICS = ("nonogram_box", "nonogram_chequers", "nonogram_closed_chequers", "nonogram_cube", "nonogram_dog",
                 "nonogram_g", "nonogram_g_negative", "nonogram_tetris")
# The only part that the end and the goals look at; all others are useless.
USEFUL = {"multiple_buttons_and_lights": "5", "multiple_hamilton": "right", "multiple_tic_tac_toe": "5"}
# The first argument is the place in a series.
SERIES = ("asteroids_serial", "blocks_world_serial", "tic_tac_toe_serial")
# One game, as it is played by people: no part of it could be played alone.
WHOLE = ("asteroids", "blocks_world", "breakthrough", "buttons_and_lights", "checkers", "chomp", "connect_four",
         "domineering", "eight_puzzle", "hamilton", "hex", "hunter", "joined_tic_tac_toe", "kaeseklau", "knights_tour",
         "latent_tic_tac_toe", "lights_on", "lights_out", "maze", "nine_board_tic_tac_toe", "pacman", "queens_unguided",
         "reversi", "rock_paper_scissors", "sheep_and_wolf", "sudoku", "tic_tac_toe", "wumpus")


def decompose(options, game, *arguments):
    """The subgames in which moves act, and the others."""
    run = subprocess.run([options.marelle, "decompose", os.path.join(options.games, game + ".kif"), "--json", *arguments],
                         capture_output=True, text=True, timeout=120, check=True)
    subgames = json.loads(run.stdout)["subgames"]
    return [[s for s in subgames if (s["label"] == "AD") == acted] for acted in (True, False)]


def fluents_of(subgames):
    return {frozenset(s["fluents"]) for s in subgames}


def words_of(fluent):
    return fluent.strip("()").split()


def grouped(fluents, key):
    groups = {}
    for fluent in fluents:
        groups.setdefault(key(words_of(fluent)), set()).add(fluent)
    return {frozenset(group) for name, group in groups.items() if name is not None}


def expected_parts(game, fluents):
    if game in BY_FIRST_ARGUMENT:
        acted, alone = (words.split() for words in BY_FIRST_ARGUMENT[game])
        return [grouped(fluents, lambda w: w[1] if w[0] in acted else None),
                grouped(fluents, lambda w: None if w[0] in acted else (w[0], w[1]) if w[0] in alone else w[0])]
    parts = [words.split() for words in BY_PREDICATE[game]]
    part_of = {predicate: i for i, words in enumerate(parts) for predicate in words}
    # A predicate with two parts is told apart by its first argument.
    alone = lambda w: None if w[0] in part_of else (w[0], w[1]) if game == "tic_tac_heaven" else w[0]
    return [grouped(fluents, lambda w: part_of.get(w[0])), grouped(fluents, alone)]


def complaint_about(options, game):
    """What is wrong with the partition; "" if nothing is."""
    acted, alone = decompose(options, game)
    if game in WHOLE:
        return "" if len(acted) == 1 else f"{len(acted)} parts of one game"
    found = [fluents_of(acted), fluents_of(alone)]
    if game in BY_STATISTICS:
        same = found[0] == fluents_of(decompose(options, game, "--method", "stats")[0])
        return "" if same else "method stats has other parts"
    expected = expected_parts(game, [fluent for part in found[0] | found[1] for fluent in part])
    if found != expected:
        return f"{len(acted)} and {len(alone)} parts; expected {expected}"
    for subgame in acted:
        name = words_of(subgame["fluents"][0])[-1 if game in BY_PREDICATE else 1]
        if game in SERIES and str(subgame["order"]) != name:
            return f"part {name} is number {subgame['order']} of the series"
        if subgame["useful"] != (USEFUL.get(game, name) == name):
            return f"part {name} is wrongly taken for {'useful' if subgame['useful'] else 'useless'}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--games", required=True)
    options = parser.parse_args()
    games = sorted([*BY_FIRST_ARGUMENT, *BY_PREDICATE, *BY_STATISTICS, *WHOLE])
    failed = 0
    for number, game in enumerate(games, 1):
        complaint = complaint_about(options, game)
        failed += complaint != ""
        print(f"{'not ok' if complaint else 'ok'} {number} - {game}" + (f"\n# {complaint}" if complaint else ""), flush=True)
    print(f"1..{len(games)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
