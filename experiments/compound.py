"""The study of games with one role that consist of several games: the scores of plain UCT and `auto` in equal time."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence

from marelle import Game, Search, State, solve

from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study, StudyError
from experiments.tables import Row, Summary, Table, different

KEYS = ("game", "method", "seed")
VALUES = ("solved", "score", "cpu_seconds", "cpu_seconds_to_score")

SEEDS, SLICES = 3, 2
RUN_SECONDS, QUICK_SECONDS = 2.0, 0.1
EASY_SECONDS, MIN_DIFFERENCE = 0.01, 0.005

OWN_GAMES = ("asteroids_parallel", "asteroids_serial", "best_buttons_and_lights", "blocks_world_parallel",
             "blocks_world_serial", "futoshiki_4", "incredible", "joint_buttons_and_lights", "lights_on_parallel",
             "lights_on_simultaneous", "multiple_buttons_and_lights", "multiple_hamilton", "nonogram_chequers",
             "nonogram_closed_chequers", "nonogram_g", "nonogram_tetris", "queens_guided", "selective_sukoshi")
QUICK_GAMES = ("incredible", "queens_guided")
METHODS = ("uct", "auto")


def plan(setup: Setup) -> Iterator[Key]:
    """Both methods on every game with one seed, then with the next."""
    games = setup.choose_games(OWN_GAMES, QUICK_GAMES)
    return ((game, method, str(seed)) for seed in setup.seed_range(SEEDS, 1) for game in games for method in METHODS)


def _seconds_of(setup: Setup) -> float:
    return QUICK_SECONDS if setup.quick else RUN_SECONDS


def _score_of(state: State, line: Sequence[tuple[str, ...]]) -> int:
    """The goal at the end of a line of moves; -1 if the line does not end the match."""
    for moves in line:
        if state.is_terminal:
            break
        state = state.play(*moves)
    goal = state.goals[state.game.roles[0]] if state.is_terminal else None
    return -1 if goal is None else goal


def _slices(game: Game, method: str, seed: str, seconds: float) -> Iterator[tuple[int, bool, float]]:
    """After each slice of the time: the best score, whether it is proven, and the CPU seconds until then. Plain UCT is a
    way of solving, which remembers its best match; it begins anew with more time, and does then what it did before."""
    if method == "uct":
        for part in range(1, SLICES + 1):
            found = solve(game, method=f"uct:seed={seed}", cpu_seconds=part * seconds / SLICES)
            yield int(found.values.get(game.roles[0], -1)), found.solved, found.cpu_seconds
        return
    started = time.process_time()
    search, initial = Search(game, game.roles[0], f"{method}:seed={seed}"), game.initial()
    for _ in range(SLICES):
        result = search.run(cpu_seconds=seconds / SLICES)
        spent = time.process_time() - started
        score = _score_of(initial, result.line)
        yield score, result.decided and score >= 0, spent


def run(setup: Setup, key: Key) -> list[object]:
    """Searches for a while, and looks now and then what was found."""
    name, method, seed = key
    game = open_game(name)
    if len(game.roles) != 1:
        raise StudyError(f"{name}: the study is about games of one role")
    best, until_best, is_best, spent = -1, 0.0, False, 0.0
    for score, is_best, spent in _slices(game, method, seed, _seconds_of(setup)):
        if score > best:
            best, until_best = score, spent
        if is_best:
            break
    return [int(is_best), best, f"{spent:.6f}", f"{until_best:.6f}"]


# ---- the page ----

class Cell:
    """All runs of a method on a game."""

    def __init__(self, runs: Sequence[Row]) -> None:
        self.runs = len(runs)
        self.solved = sum(row.number("solved") > 0 for row in runs)
        self.score = Summary(row.number("score") for row in runs)
        self.seconds = Summary(row.number("cpu_seconds_to_score") for row in runs)

    @property
    def is_easy(self) -> bool:
        """True if every run solved the game at once."""
        return self.solved == self.runs and self.seconds.mean < EASY_SECONDS

    def is_sooner(self, other: Cell) -> bool:
        """True if it needs at most half of the other's seconds, and the difference can be measured."""
        return (2 * self.seconds.mean <= other.seconds.mean
                and other.seconds.mean - self.seconds.mean > MIN_DIFFERENCE)


def verdict_of(plain: Cell, own: Cell) -> str:
    """Compares two searches as docs/experiments.md defines it: by the mean score; if that is equal, by the number of
    solved runs; if all were solved, by the time."""
    lead = own.score.mean - plain.score.mean
    if plain.is_easy and own.is_easy:
        return "easy"
    if abs(lead) > 1e-9:
        return "better" if lead > 0 else "worse"
    if own.solved != plain.solved:
        return "better" if own.solved > plain.solved else "worse"
    if own.solved < own.runs:
        return "same"
    return "sooner" if own.is_sooner(plain) else "later" if plain.is_sooner(own) else "same"


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    table = Table("game", "uct", "solved", "CPU s", "auto", "solved", "CPU s", "auto is")
    count: Counter[str] = Counter()
    by_job: dict[tuple[str, str], list[Row]] = {}
    for row in runs:
        by_job.setdefault((row["game"], row["method"]), []).append(row)
    for game in different(row["game"] for row in runs):
        cells = [Cell(by_job.get((game, method), [])) for method in METHODS]
        if not all(cell.runs for cell in cells):
            continue
        verdict = verdict_of(*cells)
        count[verdict] += 1
        table.add(game, *(text for cell in cells for text in (
            f"{cell.score.mean:.1f}", f"{cell.solved} of {cell.runs}", f"{cell.seconds.mean:.3f}")), verdict)
    page.heading("Games of one role that are made of others", 1)
    page.prose(f"""Written by `marelle experiment compound`; `runs.csv` holds every run, and
        docs/reference/experiments.md defines the measure. The mean of the best scores that plain UCT and `auto` found in
        {_seconds_of(setup):g} CPU seconds (less where the game was solved, which is to say that the greatest goal was
        reached or the best score proven), and how long the score took. {count["easy"]} of {len(table.rows)} games are
        easy: both solve them within {EASY_SECONDS:g} s. Of the other {len(table.rows) - count["easy"]} `auto` is better
        on {count["better"]}, solves {count["sooner"]} more in half the time or less, is the same on {count["same"]},
        takes twice the time or more on {count["later"]}, and is worse on {count["worse"]}.""")
    page.table("compound", table)


STUDY = Study("compound", "games of one role made of others: auto against plain UCT in equal time",
              KEYS, VALUES, plan, run, report)
