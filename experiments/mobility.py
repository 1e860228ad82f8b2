"""The study of legal moves as features. Pairs of models are trained on the same states; one of them knows the number of
legal moves. The study measures their errors on states of matches that neither has seen, the cost of evaluating a state,
and matches between searches with them at equal CPU time. There are several pairs, because two trainings that differ only
in their seed may differ in strength. A job is a game."""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from marelle import BudgetError, Data, Game, Model, UnfitError, collect, duel, errors, try_model, worth

from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Table, short_name
from experiments.trials import LEARNER, Trial, total, use_of

KEYS = ("game",)
VALUES = ("states", "groups", "brier", "brier_moves", "judge_us", "judge_us_moves", "use", "shares", "matches", "wins",
          "draws", "cpu_s")

ROWS, QUICK_ROWS = 30_000, 1000
ACCEPTANCE_MATCHES = 20  # matches that choose how both models are used
PAIRS = 5
MATCHES, QUICK_MATCHES = 40, 2  # per pair
TEST_SHARE = 0.25
DATA_SECONDS = 200.0  # wall-clock time of the matches that give data
MOVE_SECONDS = 0.0015  # CPU time per move
PRICED_STATES = 300  # states on which the cost of an evaluation is measured

OWN_GAMES = ("tic_tac_toe", "breakthrough", "connect_four", "reversi", "hex", "checkers", "chomp")


def plan(setup: Setup) -> Iterator[Key]:
    """One job for each game."""
    return ((game,) for game in setup.choose_games(OWN_GAMES, OWN_GAMES[:1]))


@dataclass(frozen=True)
class Side:
    """All models that count legal moves, or all that do not."""

    models: list[Model]
    brier: float  # mean Brier score on the test states
    seconds: float  # CPU seconds in which one of sixteen states is judged


def _learn(setup: Setup, game: Game, train: Data, test: Data, features: str) -> Side:
    models = [train.train(f"{LEARNER}{features},seed={setup.first_seed + k}", game=game) for k in range(PAIRS)]
    brier = sum(errors(model, test, game=game, alike=True).brier for model in models) / PAIRS
    return Side(models, brier, worth(models[0], game, test, states=PRICED_STATES, seed=setup.first_seed).seconds)


def _measure(setup: Setup, game: Game, train: Data, test: Data) -> list[object]:
    """All models are used in the way that is best for the first model without moves."""
    started, seed = time.process_time(), setup.first_seed
    without, with_moves = (_learn(setup, game, train, test, features) for features in ("", ",moves=1"))
    tried = try_model(without.models[0], game, cpu_seconds=MOVE_SECONDS, seed=seed,
                      matches=QUICK_MATCHES if setup.quick else ACCEPTANCE_MATCHES)
    played = [duel(game, own, other, method=f"uct:{tried.use}", cpu_seconds=MOVE_SECONDS, always=True,
                   matches=QUICK_MATCHES if setup.quick else MATCHES, seed=seed + 2 + k)
              for k, (own, other) in enumerate(zip(with_moves.models, without.models))]
    everything = total(Trial(one.matches, one.wins, one.draws) for one in played)
    return [train.rows, with_moves.models[0].features - without.models[0].features, f"{without.brier:.5f}",
            f"{with_moves.brier:.5f}", f"{1e6 * without.seconds:.3f}", f"{1e6 * with_moves.seconds:.3f}", use_of(tried),
            " ".join(f"{100 * one.share:.0f}" for one in played), everything.matches, everything.wins, everything.draws,
            f"{time.process_time() - started:.1f}"]


def run(setup: Setup, key: Key) -> list[object]:
    """Learns and plays. The cells are empty if there is nothing to learn from."""
    game, seed = open_game(key[0]), setup.first_seed
    try:
        data = collect(game, rows=QUICK_ROWS if setup.quick else ROWS, seconds=DATA_SECONDS, seed=seed + 1).distinct()
        train, test = data.split(TEST_SHARE, seed=seed)
        return _measure(setup, game, train, test) if train.rows and test.rows else []
    except (UnfitError, BudgetError):
        return []


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


STUDY = Study("mobility", "whether models gain from knowing how many moves are legal", KEYS, VALUES, plan, run, report)
