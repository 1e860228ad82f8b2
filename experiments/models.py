"""The study of models in play: `uct` with a model that can be learnt in a start clock against `uct` without it, at equal
CPU time. A job either learns a model of a game and saves it in the study's folder, or plays some of the matches with it.
Like players, it does not use a model that was not accepted. With equal playouts the model is always used, which shows
how much it knows."""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from marelle import BudgetError, Data, Model, UnfitError, collect, duel, errors, try_model, worth

from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Summary, Table, short_name
from experiments.trials import LEARNER, WORTH_MAX_PLAYOUTS, Trial, total, use_of

KEYS = ("game", "job")
VALUES = ("states", "brier", "mean_brier", "worth", "use", "is_open", "matches", "wins", "draws", "cpu_s")

ROWS = 20_000
ACCEPTANCE_MATCHES = 40
MATCHES, QUICK_MATCHES = 100, 4  # per job
EVEN_PLAYOUTS = 1024  # playouts per move, if both sides have the same number
WORTH_STATES = 300
THREADS = 2
TEST_SHARE = 0.2
DATA_SHARE, TRAIN_SHARE = 0.5, 0.2  # of the time for learning
LEARN_SECONDS, QUICK_LEARN_SECONDS = 400.0, 2.0  # wall-clock time for learning and acceptance together
MOVE_SECONDS = 0.0015  # CPU time per move

OWN_GAMES = ("tic_tac_toe", "breakthrough", "connect_four", "reversi", "hex", "checkers", "chomp",
             "double_tic_tac_toe_free", "nim", "nim_misere")
JOBS = ("model", "1", "2", "3", "4", "even")  # matches at equal time have numbers as names


def plan(setup: Setup) -> Iterator[Key]:
    """All games come before the next kind of job, so that an interrupted study has played every game."""
    return ((game, job) for job in JOBS for game in setup.choose_games(OWN_GAMES, OWN_GAMES[:1]))


def _mean_brier(data: Data) -> float:
    """The Brier score of who always says the mean: the variance of the scores, over all roles."""
    scores = [data[row].scores for row in range(data.rows)]
    return sum((Summary(row[role] / 100 for row in scores).deviation) ** 2 for role in range(data.roles)) / data.roles


def _path_of_model(setup: Setup, game: str) -> Path:
    return setup.folder / f"{short_name(game).split('.')[0]}.model"


def _learn(setup: Setup, name: str) -> list[object]:
    """Learns a model and keeps it. The cells are empty if there is nothing to learn from."""
    game, seed, started = open_game(name), setup.first_seed, time.process_time()
    seconds = QUICK_LEARN_SECONDS if setup.quick else LEARN_SECONDS
    try:
        data = collect(game, rows=ROWS, seconds=DATA_SHARE * seconds, seed=seed + 1, threads=THREADS).distinct()
        train, test = data.split(TEST_SHARE, seed=seed)
        model = train.train(f"{LEARNER},seed={seed + 1},threads={THREADS}", game=game, seconds=TRAIN_SHARE * seconds)
        tried = try_model(model, game, cpu_seconds=MOVE_SECONDS, threads=THREADS, seed=seed,
                          matches=QUICK_MATCHES if setup.quick else ACCEPTANCE_MATCHES)
    except (UnfitError, BudgetError):
        return []
    tried.save(_path_of_model(setup, name))
    return [train.rows, f"{errors(model, test, game=game, alike=True).brier:.5f}", f"{_mean_brier(test):.5f}",
            worth(tried, game, test, states=WORTH_STATES, seed=seed).worth, use_of(tried), int(tried.helps), tried.matches,
            tried.wins, tried.draws, f"{time.process_time() - started:.1f}"]


def _play(setup: Setup, name: str, job: str) -> list[object]:
    started, path = time.process_time(), _path_of_model(setup, name)
    played = Trial()
    if path.is_file():
        budget: dict[str, Any] = ({"playouts": EVEN_PLAYOUTS, "always": True} if job == "even" else
                                  {"cpu_seconds": MOVE_SECONDS})
        part = 0 if job == "even" else int(job)
        found = duel(open_game(name), Model.load(path), matches=QUICK_MATCHES if setup.quick else MATCHES,
                     threads=THREADS, seed=setup.first_seed + 2 + (part << 32), **budget)
        played = Trial(found.matches, found.wins, found.draws)
    return [""] * 6 + [played.matches, played.wins, played.draws, f"{time.process_time() - started:.1f}"]


def run(setup: Setup, key: Key) -> list[object]:
    """Learns a model, or plays with the one that was learnt. Like players, a match leaves a model alone whose gate is
    closed."""
    name, job = key
    return _learn(setup, name) if job == "model" else _play(setup, name, job)


# ---- the page ----

def _add_games(runs: Sequence[Row], page: Page) -> None:
    table = Table("game", "Brier", "of the mean", "worth", "use", "gate", "matches", "share", "95 % interval",
                  "at equal playouts")
    bounds: dict[bool, list[tuple[float, float]]] = {False: [], True: []}  # by whether the gate is open
    for row in runs:
        if not row["is_open"]:
            continue
        is_open, gate = row.number("is_open") > 0, Trial.of(row)
        own = [other for other in runs if other["game"] == row["game"]]
        timed = total(Trial.of(other) for other in own if other["job"].isdigit())
        even = total(Trial.of(other) for other in own if other["job"] == "even")
        if not timed.matches:
            continue
        table.add(short_name(row["game"]), row["brier"], row["mean_brier"], row["worth"], row["use"],
                  f"{'open' if is_open else 'closed'}: {gate.text}", timed.matches, f"{100 * timed.share:.1f} %",
                  timed.interval, f"{100 * even.share:.1f} %" if even.matches else "")
        bounds[is_open].append(timed.bounds)
    helps = {gate: sum(low > 0.5 for low, _ in found) for gate, found in bounds.items()}
    hurts = {gate: sum(high < 0.5 for _, high in found) for gate, found in bounds.items()}
    page.prose(f"""`uct` with a model of at most {ROWS} states against `uct` without, {MOVE_SECONDS:.4f} CPU seconds a
        move, sides swapped. The gate opens in {len(bounds[True])} of {len(bounds[True]) + len(bounds[False])} games;
        there the model helps in {helps[True]} (95 % interval above 50 %) and hurts in {hurts[True]} (below). Where it is
        closed the player leaves the model alone, so that the same search sits on both sides and only chance tells them
        apart: of these {len(bounds[False])} games the interval is above 50 % in {helps[False]} and below in
        {hurts[False]}. At equal playouts ({EVEN_PLAYOUTS} a move, {MATCHES} matches) the model is used whatever its gate
        says. Brier scores are against what searches of 1,024 playouts think of held-out states; worth: random matches
        from a state that do as well as the model there, {WORTH_MAX_PLAYOUTS + 1}: more than that. Judged: by the model
        alone; mixed: half of a leaf's value are random matches.""")
    page.table("models", table)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    page.heading("Models in play", 1)
    page.prose("""Written by `marelle experiment models`; `runs.csv` holds every run. docs/how-it-works/learning.md explains
        the models.""")
    _add_games(runs, page)


STUDY = Study("models", "searches with a learnt evaluation against the same without", KEYS, VALUES, plan, run, report)
