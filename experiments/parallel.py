"""The study of more than one core: random matches and searches with vectors, threads and processes; the cost of messages;
threads kept or restarted; the strength that threads and a GPU add in matches; random play on the GPU if there is one; and
models of more machines. Speeds are per second of the clock, so the machine has to be idle, and jobs run one at a time.
Speeds of threads are measured several times, because the clock rates of processors vary."""
from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from marelle import Game, GpuVectorEnv, RulesError, Search, UnfitError

from experiments import ROOT
from experiments.duel import Limit, play, seats_of
from experiments.games import open_game, path_of
from experiments.machines import COPIES, count_messages, finish_time, jobs_of_nested_search, trace_of
from experiments.page import Page
from experiments.plots import MAX_SERIES, Plot
from experiments.study import Key, Setup, Study, StudyError
from experiments.tables import Row, Table, different, ratio

KEYS = ("part", "game", "variant", "threads", "run")
VALUES = ("matches", "seconds", "points")

# All matches of the eight-puzzle have the same length, as in the thesis.
OWN_GAMES = ("tic_tac_toe", "eight_puzzle", "connect_four", "breakthrough", "reversi")
QUICK_GAMES = ("tic_tac_toe",)
WAYS = ("leaf", "tree", "root")
# Other rules to merge the root statistics of threads, and a shared tree without virtual losses.
OTHER_WAYS = ("root+merge=sum10", "root+merge=best", "root+merge=raw", "root+merge=vote", "tree+novirtual=1")
KERNELS = ("interpreted", "sse2", "avx2", "avx512", "neon")  # that evaluate gates, the slowest first
ANY_GAME = "(role a) (init s) (legal a go) (<= (next t) (does a go)) (<= terminal (true t)) (goal a 100)"
CARES = ("kept", "spinning", "restarted")
MESSAGE_BYTES = (200, 2000, 20000)
MACHINES = (2, 16, 64)
DISPATCHERS = ("round-robin", "last-minute")

JOB_SECONDS, REPEATED_SECONDS, QUICK_SECONDS = 1.0, 0.4, 0.05
MOVE_SECONDS, QUICK_MOVE_SECONDS = 0.02, 0.002
NESTED_SECONDS, QUICK_NESTED_SECONDS = 0.2, 0.01
SIMULATIONS, QUICK_SIMULATIONS = 100_000, 1000
RUNS, QUICK_RUNS = 5, 2
DUELS, OTHER_DUELS, QUICK_DUELS, PARALLEL_GPU_DUELS = 200, 100, 2, 4
ROUNDS_PROGRAM = ROOT / "build" / "tests" / "thread_rounds"  # from bench/thread_rounds.c
MPIRUN = ("mpirun", "--oversubscribe")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def clock_of_moves(setup: Setup) -> float:
    """Seconds a move in matches."""
    return setup.clock or (QUICK_MOVE_SECONDS if setup.quick else MOVE_SECONDS)


# ---- the jobs ----

def has_mpirun() -> bool:
    """True if mpirun starts processes. It is tried, because an installed one may not be allowed to start any."""
    if shutil.which("mpirun") is None or "OMPI_COMM_WORLD_SIZE" in os.environ:
        return False
    return subprocess.run([*MPIRUN, "-n", "2", "true"], env=os.environ | AS_ROOT, capture_output=True,
                          check=False).returncode == 0


def has_gpu(game: Game) -> bool:
    """True if random matches can be played on a GPU."""
    try:
        GpuVectorEnv(game, 1)
    except (UnfitError, ImportError):
        return False
    return True


def _runs_here(kernel: str) -> bool:
    try:
        Game(ANY_GAME, kernel=kernel)
    except RulesError:
        return False
    return True


def _doubling(first: int, last: int) -> Iterator[int]:
    while first <= last:
        yield first
        first *= 2


class _Plan:
    """Plans the jobs for this machine."""

    def __init__(self, setup: Setup) -> None:
        self.processors = os.cpu_count() or 1
        self.runs = range(1, 1 + (QUICK_RUNS if setup.quick else RUNS))
        self.kernels = [kernel for kernel in KERNELS if _runs_here(kernel)]
        self.has_gpu = has_gpu(Game(ANY_GAME))
        self.has_ranks = has_mpirun()

    def game(self, game: str) -> Iterator[Key]:
        """All jobs on a game but those of strength."""
        yield from (("vectors", game, kernel, "1", "1") for kernel in self.kernels)
        yield from self.threads(game)
        for ranks in _doubling(1, self.processors) if self.has_ranks else ():
            yield "ranks", game, "ranks", str(ranks), "1"
        if self.has_gpu:
            yield "gpu", game, "gpu", "1", "1"
        yield from (("distributed", game, variant, str(n), "1") for variant in COPIES for n in MACHINES)
        yield from (("nested", game, dispatcher, str(n), "1") for dispatcher in DISPATCHERS for n in MACHINES)

    def threads(self, game: str) -> Iterator[Key]:
        for run in self.runs:
            yield from (("matches", game, "threads", str(n), str(run)) for n in _doubling(1, self.processors))
        for run in self.runs:
            yield from (("search", game, way, str(n), str(run)) for way in WAYS for n in _doubling(1, self.processors))
        if ROUNDS_PROGRAM.is_file():
            yield from (("rounds", game, care, str(n), "1") for care in CARES for n in _doubling(2, self.processors))

    def messages(self, game: str) -> Iterator[Key]:
        for n in _doubling(2, self.processors) if self.has_ranks else ():
            yield from (("messages", game, str(size), str(n), "1") for size in MESSAGE_BYTES)

    def strength(self, game: str) -> Iterator[Key]:
        """Duels with two threads, and with a quarter of all processors."""
        several = self.processors // 4 if self.processors > 8 else 2
        if self.processors > 1:
            for way in WAYS:
                yield from (("strength", game, way, str(n), "1") for n in sorted({2, several}))
            yield from (("strength", game, way, str(several), "1") for way in OTHER_WAYS)
        if self.has_gpu:
            yield "strength", game, "gpu", "1", "1"


def plan(setup: Setup) -> Iterator[Key]:
    """Matches come last, because they take longest."""
    games, jobs = setup.choose_games(OWN_GAMES, QUICK_GAMES), _Plan(setup)
    for game in games:
        yield from jobs.game(game)
    yield from jobs.messages(games[0])
    for game in games:
        yield from jobs.strength(game)


# ---- one job ----

@dataclass(frozen=True)
class Job:
    """What is measured."""

    part: str
    name: str
    game: Game
    variant: str
    threads: int


def _seconds(setup: Setup) -> float:
    return QUICK_SECONDS if setup.quick else JOB_SECONDS


def _program() -> str:
    """The program `marelle`: that of this tree if it is built."""
    built = ROOT / "build" / "marelle"
    return str(built) if built.is_file() else "marelle"


@dataclass(frozen=True)
class Measured:
    """Matches, playouts or messages; seconds by the clock; and points of the first side in duels."""

    matches: float = 0
    seconds: float = 0
    points: float = 0


def _elapsed(work: Callable[[], float]) -> Measured:
    started = time.monotonic()
    matches = work()
    return Measured(matches, time.monotonic() - started)


def _play_vectors(setup: Setup, job: Job) -> Measured:
    game = open_game(job.name, kernel=job.variant)
    return _elapsed(lambda: game.playouts(seconds=_seconds(setup), seed=setup.first_seed).playouts)


def _play_threads(setup: Setup, job: Job) -> Measured:
    seconds = QUICK_SECONDS if setup.quick else REPEATED_SECONDS
    return _elapsed(lambda: job.game.playouts(seconds=seconds, seed=setup.first_seed, threads=job.threads).playouts)


def _play_on_gpu(setup: Setup, job: Job) -> Measured:
    return _elapsed(lambda: job.game.playouts(seconds=_seconds(setup), seed=setup.first_seed, gpu=True).playouts)


def _search(setup: Setup, job: Job) -> Measured:
    method = f"uct:threads={job.threads},parallel={job.variant},seed={setup.first_seed}"
    search, seconds = Search(job.game, job.game.roles[0], method), QUICK_SECONDS if setup.quick else REPEATED_SECONDS
    return _elapsed(lambda: search.run(seconds=seconds).playouts)


def _ask(command: Sequence[str]) -> dict[str, float]:
    """What a program measured, as a JSON object."""
    done = subprocess.run(command, env=os.environ | AS_ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False)
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        raise StudyError(f"`{' '.join(command)}` measured nothing") from None


def _bench_ranks(setup: Setup, job: Job) -> Measured:
    seconds = _seconds(setup)
    found = _ask([*MPIRUN, "-n", str(job.threads), _program(), "bench", job.name, "--json", "--quiet", "--seconds",
                  f"{seconds:g}"])
    return Measured(found["playouts"], seconds)


def _bench_messages(setup: Setup, job: Job) -> Measured:
    found = _ask([*MPIRUN, "-n", str(job.threads), _program(), "bench", job.name, "--json", "--quiet", "--messages",
                  job.variant, "--seconds", f"{_seconds(setup):g}"])
    return Measured(found["messages"], found["seconds"])


def _bench_rounds(setup: Setup, job: Job) -> Measured:
    """Rounds in which every thread plays a few matches and all wait for the last one."""
    found = _ask([str(ROUNDS_PROGRAM), str(path_of(job.name)), job.variant, str(job.threads), f"{_seconds(setup):g}"])
    return Measured(found["matches"], found["seconds"])


def _duel(setup: Setup, job: Job) -> Measured:
    """Matches run in parallel if the threads of one match leave processors free. Games that are not for two players have
    no matches."""
    if len(seats_of(job.game)) != 2 or len(job.game.roles) != 2 or job.game.hides:
        return Measured()
    is_on_gpu = job.variant == "gpu"
    own = "uct:gpu=1" if is_on_gpu else f"uct:threads={job.threads},parallel={job.variant.replace('+', ',')}"
    count = QUICK_DUELS if setup.quick else OTHER_DUELS if "+" in job.variant else DUELS
    limit = Limit(clock_of_moves(setup), is_by_the_clock=True)
    at_once = PARALLEL_GPU_DUELS if is_on_gpu else max(1, (os.cpu_count() or 1) // job.threads)
    started = time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        sides = list(pool.map(lambda number: play(job.game, (own, "uct"), number, limit), range(count)))
    points = sum((first.goal > second.goal) + (first.goal == second.goal) / 2 for first, second in sides)
    return Measured(count, time.monotonic() - started, points)


def _model_distributed_tree(setup: Setup, job: Job) -> Measured:
    """Games with hidden information have no tree of positions."""
    started = time.monotonic()
    if job.game.hides:
        return Measured()
    trace = trace_of(job.game, QUICK_SIMULATIONS if setup.quick else SIMULATIONS, setup.first_seed)
    messages = count_messages(trace, COPIES[job.variant], job.threads)
    return Measured(len(trace), time.monotonic() - started, messages)


def _model_nested_search(setup: Setup, job: Job) -> Measured:
    """Only games with one role have nested searches."""
    if len(job.game.roles) != 1:
        return Measured()
    seconds = QUICK_NESTED_SECONDS if setup.quick else NESTED_SECONDS
    medians = [list(jobs_of_nested_search(job.game, client + 1, seconds)) for client in range(job.threads)]
    return Measured(sum(job for steps in medians for step in steps for job in step), finish_time(medians, job.variant))


MEASUREMENTS: dict[str, Callable[[Setup, Job], Measured]] = {
    "vectors": _play_vectors, "matches": _play_threads, "gpu": _play_on_gpu, "search": _search, "ranks": _bench_ranks,
    "messages": _bench_messages, "rounds": _bench_rounds, "strength": _duel,
    "distributed": _model_distributed_tree, "nested": _model_nested_search}


def run(setup: Setup, key: Key) -> list[object]:
    """Measures one thing."""
    part, name, variant, threads, _ = key
    measured = MEASUREMENTS[part](setup, Job(part, name, open_game(name), variant, int(threads)))
    return [f"{measured.matches:.15g}", f"{measured.seconds:.4f}", f"{measured.points:.1f}"]


# ---- the page ----

@dataclass(frozen=True)
class Rate:
    """A rate that was measured several times: the median, and the range divided by the median."""

    median: float
    spread: float


class Rates:
    """All rates, by what was measured."""

    def __init__(self, runs: Sequence[Row]) -> None:
        self.rows = runs
        self._rates: dict[Key, list[float]] = {}
        for row in runs:
            if row.number("seconds") > 0:
                self._rates.setdefault(self._what(row), []).append(row.number("matches") / row.number("seconds"))

    @staticmethod
    def _what(row: Row) -> Key:
        return tuple(row[column] for column in KEYS[:-1])

    def of(self, row: Row) -> Rate:
        """The rate of what this row measured."""
        rates = sorted(self._rates.get(self._what(row), [0.0]))
        median = rates[len(rates) // 2]
        return Rate(median, (rates[-1] - rates[0]) / median if median > 0 else 0)

    def times(self, row: Row) -> float:
        """The rate over that with which the row is compared: one thread of the same kind, the narrowest vectors, one
        core, small messages between two processes, or two threads that are kept."""
        part = row["part"]
        base = "matches" if part in ("gpu", "leaves") else part
        threads = "2" if part in ("rounds", "messages") else "1"
        variant = {"rounds": "kept", "messages": "200"}.get(part, row["variant"])
        for other in self.rows:  # the narrowest vectors come first
            if (other["game"] == row["game"] and other["part"] == base and other["threads"] == threads
                    and (base != part or part == "vectors" or other["variant"] == variant)):
                return ratio(self.of(row).median, self.of(other).median)
        return math.nan

    def first_runs(self, part: str) -> list[Row]:
        """The rows of the first run of each job of a part."""
        return [row for row in self.rows if row["part"] == part and row["run"] == "1"]


def _add_part(rates: Rates, part: str, title: str, page: Page) -> None:
    table = Table("game", "variant", "threads", "a second", "spread", "times")
    for row in rates.first_runs(part):
        rate = rates.of(row)
        table.add(row["game"], row["variant"], row["threads"], f"{rate.median:.4g}", f"{rate.spread:.2f}",
                  f"{rates.times(row):.2f}")
    if table.rows:
        page.heading(title)
        page.table(part, table)


def _add_strength(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Points with their standard errors."""
    table = Table("game", "variant", "threads", "points", "matches", "error")
    for row in runs:
        matches, points = row.number("matches"), row.number("points")
        if row["part"] == "strength" and matches > 0:
            table.add(row["game"], row["variant"], row["threads"], f"{points:g}", f"{matches:g}",
                      f"{math.sqrt(points * (1 - points / matches)):.1f}")
    if table.rows:
        page.heading(f"Against one thread, {clock_of_moves(setup):g} seconds a move by the clock")
        page.table("strength", table)


def _add_model(runs: Sequence[Row], part: str, title: str, count: str, unit: str, label: str, page: Page) -> None:
    """The results of a model: one column divided by another."""
    table = Table("game", "variant", "machines", label)
    for row in runs:
        if row["part"] == part and row.number(unit) > 0:
            table.add(row["game"], row["variant"], row["threads"], f"{row.number(count) / row.number(unit):.4g}")
    if table.rows:
        page.heading(title)
        page.table(part, table)


def _add_speedups(rates: Rates, part: str, name: str, title: str, label: str, page: Page) -> None:
    plot = Plot(title, label, "times one")
    rows = rates.first_runs(part)
    for game in different(row["game"] for row in rows)[:MAX_SERIES]:
        series = plot.add_series(game)
        for row in rows:
            if row["game"] == game:
                series.add(row.number("threads"), rates.times(row))
    if plot.series:
        page.plot(name, plot)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    rates = Rates(runs)
    page.heading("Beyond one core", 1)
    page.prose("""Written by `marelle experiment parallel`; `runs.csv` holds every run. Everything is per second of the
        clock. What threads are worth is a median; `spread` is the range from the least to the most as a share of it.
        docs/results/parallel.md has the verdicts.""")
    _add_part(rates, "vectors", "Random matches, by the width of vectors (one core)", page)
    _add_part(rates, "matches", "Random matches over threads", page)
    _add_speedups(rates, "matches", "speedups", "Random matches over threads", "threads", page)
    _add_part(rates, "ranks", "Random matches over processes", page)
    _add_speedups(rates, "ranks", "ranks", "Random matches over processes", "processes", page)
    _add_part(rates, "messages", "Messages to the first process and back, by bytes", page)
    _add_part(rates, "rounds", "Rounds of 512 matches a thread: threads that are kept, or not", page)
    _add_part(rates, "search", "Playouts of UCT over threads", page)
    _add_strength(setup, runs, page)
    _add_part(rates, "gpu", "Random matches on the GPU, against one core", page)
    _add_part(rates, "leaves", "Playouts on the GPU by the states of a batch, against one core", page)
    _add_model(runs, "distributed", "Model: messages of a distributed tree, by which positions are copied and how often "
               "they are synchronised", "points", "matches", "messages a simulation", page)
    _add_model(runs, "nested", "Model: nested searches on machines, with the lengths that jobs have here", "matches",
               "seconds", "times one", page)


STUDY = Study("parallel", "matches and searches over vectors, threads, processes and the GPU",
              KEYS, VALUES, plan, run, report, is_by_the_clock=True)
