"""The study of legal moves as features. Pairs of models are trained on the same states; one of them knows the number of
legal moves. The study measures their errors on states of matches that neither has seen, the cost of evaluating a state,
and matches between searches with them at equal CPU time. There are several pairs, because two trainings that differ only
in their seed may differ in strength. A job is a game."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Table, short_name
from experiments.trials import Trial

KEYS = ("game",)
VALUES = ("states", "groups", "brier", "brier_moves", "judge_us", "judge_us_moves", "use", "shares", "matches", "wins",
          "draws", "cpu_s")

ROWS, QUICK_ROWS = 30_000, 200
ACCEPTANCE_MATCHES = 20  # matches that choose how both models are used
PAIRS = 5
MATCHES, QUICK_MATCHES = 40, 2  # per pair
TEST_SHARE = 0.25
DATA_SECONDS = 400.0  # wall-clock time of the matches that give data
MOVE_SECONDS = 0.0015  # CPU time per move
EVALUATED_TIMES = 2000  # passes over sixteen states to measure the cost of an evaluation

OWN_GAMES = ("tic_tac_toe", "breakthrough", "connect_four", "reversi", "hex", "checkers", "chomp")


def plan(setup: Setup) -> Iterator[Key]:
    """One job for each game."""
    return ((game,) for game in setup.choose_games(OWN_GAMES, OWN_GAMES[:1]))


# ---- the page ----

def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    table = Table("game", "states", "groups", "Brier", "with moves", "difference", "µs", "µs with moves", "use", "share",
                  "95 % interval", "of each pair")
    for row in runs:
        if row["matches"]:
            trial, brier, with_moves = Trial.of(row), row.number("brier"), row.number("brier_moves")
            table.add(short_name(row["game"]), row["states"], row["groups"], f"{brier:.5f}", f"{with_moves:.5f}",
                      f"{100 * (with_moves / brier - 1) if brier > 0 else 0:+.1f} %", row["judge_us"],
                      row["judge_us_moves"], row["use"], trial.text, trial.interval, row["shares"])
    page.heading("Legal moves as features", 1)
    page.prose(f"""Written by `marelle experiment mobility`; `runs.csv` holds every run. Two kinds of models are trained on
        the same {ROWS} states of matches of UCT against itself (equal states are merged): one on facts and counts of
        facts, one also on numbers of legal moves (`groups`: how many numbers). Each has {PAIRS} trainings. Brier scores
        are means of all trainings on a quarter of the matches that was held out. `µs` is the processor time for judging
        one of sixteen states. `share` is the share of points that `uct` with moves in its model takes from `uct` with the
        other model, {MOVE_SECONDS:.4f} CPU seconds per move, sides swapped, {MATCHES} matches of each pair of trainings;
        the interval is that of the matches alone. All models are used in the way that suits the first one without
        moves.""")
    page.table("mobility", table)


STUDY = Study("mobility", "whether models gain from knowing how many moves are legal", KEYS, VALUES, plan, report)
