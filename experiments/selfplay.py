"""The study of deep learning: `uct` with a model that has a policy, learnt by self-play in a number of minutes on this
machine (on the GPU if there is one). It is compared with a model of values only, learnt on one core in as many minutes.
Each plays against `uct` without a model, with a clock that is long enough for a network. A job is a game, a learner and a
number of minutes."""
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Optional

import marelle
from marelle import Model, Training, UnfitError, duel

from experiments import minutes
from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, short_name
from experiments.trials import use_of

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


def _name_of_gpu() -> str:
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                              check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "GPU"


def _learn_policy(setup: Setup, name: str, minutes_of_clock: float) -> tuple[Model, list[object]]:
    """Learns on the GPU if there is one. The model is kept in the study's folder, so that others can use it."""
    game, threads = open_game(name), os.cpu_count() or 1
    last: list[Training] = []

    def train(gpu: bool) -> Model:
        last.clear()
        return marelle.learn(game, kind="policy", seconds=60 * minutes_of_clock, seed=setup.first_seed, threads=threads,
                             gpu=gpu, progress=lambda training: last.append(training))

    try:
        model, place = train(True), f"{_name_of_gpu()}; {threads} threads"
    except UnfitError:
        model, place = train(False), f"{threads} threads"
    model.save(setup.folder / f"{short_name(name)}-{minutes_of_clock:g}.model")
    positions, seconds = (last[-1].positions, last[-1].seconds) if last else ("", 60 * minutes_of_clock)
    return model, [place, positions, "", f"{seconds:.1f}", "advised"]


def _learn_values(setup: Setup, name: str, minutes_of_processor: float) -> Optional[tuple[Model, list[object]]]:
    learnt = minutes.learn(open_game(name), 60 * minutes_of_processor, setup.first_seed, move_seconds=clock_of(setup),
                           matches=QUICK_MATCHES if setup.quick else ACCEPTANCE_MATCHES)
    if learnt is None:
        return None
    return learnt.model, ["one processor", learnt.states, 0, f"{learnt.seconds:.1f}", use_of(learnt.model)]


def run(setup: Setup, key: Key) -> list[object]:
    """Learns and plays. The cells are empty if the game does not suit the learner."""
    name, learner, time = key
    try:
        learnt = (_learn_policy if learner == "policy" else _learn_values)(setup, name, float(time))
    except UnfitError:
        learnt = None
    if learnt is None:
        return []
    model, cells = learnt
    played = duel(open_game(name), model, cpu_seconds=clock_of(setup), matches=QUICK_MATCHES if setup.quick else MATCHES,
                  seed=setup.first_seed + 2, threads=os.cpu_count() or 1, always=True)
    return [*cells, f"{clock_of(setup):g}", played.matches, played.wins, played.draws]


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
              KEYS, VALUES, plan, run, report, parts=PARTS)
