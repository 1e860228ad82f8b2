"""The study of how strength grows with learning time: `uct` with a model learnt by self-play in a number of CPU minutes
on one core, with values but no policy, against `uct` without a model. A job is a game and a number of minutes."""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional

from marelle import BudgetError, Game, Model, UnfitError, collect, duel, try_model, worth

from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Table, short_name
from experiments.trials import LEARNER, WORTH_MAX_PLAYOUTS, Trial, use_of

KEYS = ("game", "minutes")
VALUES = ("states", "worth", "learn_s", "use", "gate_share", "matches", "wins", "draws")

ACCEPTANCE_MATCHES, MATCHES, QUICK_MATCHES, WORTH_STATES = 200, 200, 4, 300
TEST_SHARE = 0.1
DATA_SHARE = 0.5  # share of the minutes for self-play; training may take as long
MOVE_SECONDS = 0.0015  # CPU time per move
OWN_GAMES, QUICK_GAMES = ("connect_four", "breakthrough"), ("nim",)


def plan(setup: Setup) -> Iterator[Key]:
    """Few minutes come first, so that an interrupted study has results for every game."""
    return ((game, minutes) for minutes in (("0.005",) if setup.quick else ("1", "10", "60"))
            for game in setup.choose_games(OWN_GAMES, QUICK_GAMES))


@dataclass(frozen=True)
class Learnt:
    """A model, the states learnt from, the random matches from a state that predict as well, and the CPU seconds."""

    model: Model
    states: int
    worth: int
    seconds: float


def learn(game: Game, seconds: float, seed: int, *, move_seconds: float, matches: int) -> Optional[Learnt]:
    """Learns a model in that many CPU seconds on one core. Matches, whose time does not count, choose how the model is
    used. None if there was nothing to learn from."""
    started = time.process_time()
    try:
        data = collect(game, cpu_seconds=DATA_SHARE * seconds, merges=True, seed=seed + 1)
        train, test = data.split(TEST_SHARE, seed=seed)
        model = train.train(f"{LEARNER},seed={seed}", game=game)
        spent = time.process_time() - started
        tried = try_model(model, game, cpu_seconds=move_seconds, matches=matches, seed=seed)
    except (UnfitError, BudgetError):
        return None
    value = worth(tried, game, test, states=WORTH_STATES, seed=seed).worth if test.rows else 0
    return Learnt(tried, train.rows, value, spent)


def run(setup: Setup, key: Key) -> list[object]:
    """Learns a model and plays with it. The cells are empty if there is nothing to learn."""
    game, seed = open_game(key[0]), setup.first_seed
    learnt = learn(game, 60 * float(key[1]), seed, move_seconds=MOVE_SECONDS,
                   matches=QUICK_MATCHES if setup.quick else ACCEPTANCE_MATCHES)
    if learnt is None:
        return []
    played = duel(game, learnt.model, cpu_seconds=MOVE_SECONDS, matches=QUICK_MATCHES if setup.quick else MATCHES,
                  seed=seed + 2, always=True)
    return [learnt.states, learnt.worth, f"{learnt.seconds:.1f}", use_of(learnt.model),
            f"{Trial.of_model(learnt.model).share:.3f}", played.matches, played.wins, played.draws]


# ---- the page ----

def add_table(runs: Sequence[Row], name: str, columns: Sequence[str], page: Page) -> None:
    """Adds the table of all finished runs: the game, the columns `columns`, and the share of points with its interval."""
    table = Table("game", *columns, "share", "95 % interval")
    for row in runs:
        if row["matches"]:
            trial = Trial.of(row)
            table.add(short_name(row["game"]), *(row[column] for column in columns), trial.text, trial.interval)
    page.table(name, table)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    page.heading("Minutes of learning", 1)
    page.prose(f"""Written by `marelle experiment minutes`; `runs.csv` holds every run. `uct` with a model plays against
        `uct` without, {MOVE_SECONDS:.4f} CPU seconds per move, sides swapped. The model was learnt in so many minutes of
        one processor: half of them for matches of UCT against itself, half for training, with as many passes over the
        states after ten minutes as after one. `learn_s` is what both took. `worth` is the number of random matches from a
        state that predict held-out values of searches as well as the model does; {WORTH_MAX_PLAYOUTS + 1} means more than
        that.""")
    add_table(runs, "minutes", ("minutes", "learn_s", "states", "worth", "use"), page)


STUDY = Study("minutes", "how strength grows with minutes of learning", KEYS, VALUES, plan, run, report)
