"""The study of deep learning: `uct` with a model that has a policy, learnt by self-play in a number of minutes on this
machine (on the GPU if there is one). It is compared with a model of values only, learnt on one core in as many minutes.
Each plays against `uct` without a model, with a clock that is long enough for a network. A job is a game, a learner and a
number of minutes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from experiments import minutes
from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row

KEYS = ("game", "learner", "minutes")
VALUES = ("on", "states", "evaluations", "learn_s", "use", "clock", "matches", "wins", "draws")
PARTS = ("mlp", "policy")

ACCEPTANCE_MATCHES, MATCHES, QUICK_MATCHES = 40, 100, 2
MOVE_SECONDS, QUICK_SECONDS = 0.05, 0.001  # CPU time per move


def clock_of(setup: Setup) -> float:
    """CPU seconds per move."""
    return setup.clock or (QUICK_SECONDS if setup.quick else MOVE_SECONDS)


def plan(setup: Setup) -> Iterator[Key]:
    """Few minutes come first, so that an interrupted study has results for every game."""
    return ((game, part, time) for time in (("0.005",) if setup.quick else ("1", "10"))
            for game in setup.choose_games(minutes.OWN_GAMES, minutes.QUICK_GAMES)
            for part in PARTS if setup.wants(part))


# ---- the page ----

def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    page.heading("Deep learning", 1)
    page.prose(f"""Written by `marelle experiment selfplay`; `runs.csv` holds every run. `uct` with a model plays against
        `uct` without, `clock` CPU seconds per move, sides swapped. `policy` is a network that judges states and proposes
        moves, learnt by self-play in so many minutes of the clock. `mlp` is the value model of `marelle experiment
        minutes`, learnt in as many minutes of one processor; its use is chosen by {ACCEPTANCE_MATCHES} other matches.
        `states` are the positions learnt from, `learn_s` is what learning took.""")
    minutes.add_table(runs, "selfplay", ("learner", "minutes", "on", "states", "learn_s", "use", "clock"), page)


STUDY = Study("selfplay", "deep learning: a policy and values from matches of a search against itself",
              KEYS, VALUES, plan, report, parts=PARTS)
