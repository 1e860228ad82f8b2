"""The study of how strength grows with learning time: `uct` with a model learnt by self-play in a number of CPU minutes
on one core, with values but no policy, against `uct` without a model. A job is a game and a number of minutes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Table, short_name
from experiments.trials import WORTH_MAX_PLAYOUTS, Trial

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


STUDY = Study("minutes", "how strength grows with minutes of learning", KEYS, VALUES, plan, report)
