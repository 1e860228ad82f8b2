"""The study of decomposed search: `uct`, `uct1` and `mtmcts` on games that consist of subgames, the weight alpha of the
global score, and the contribution of each rule of the algorithm."""
from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Optional

from marelle import Game, solve

from experiments import asp_plan
from experiments.duel import with_option
from experiments.games import open_game
from experiments.page import Page
from experiments.plots import MAX_SERIES, Plot
from experiments.study import Key, Setup, Study, StudyError
from experiments.tables import Row, Summary, Table, different

KEYS = ("part", "game", "variant", "seed")
VALUES = ("solved", "score", "playouts", "cpu_seconds", "decomposition_cpu_seconds", "moves", "descents", "positions",
          "nodes")

SEEDS, QUICK_SEEDS = 30, 2
FEW = 3  # seeds of jobs that take long and tell little
MAX_PLAYOUTS, MAX_TREE_PLAYOUTS, QUICK_PLAYOUTS = 1_000_000, 2_000_000, 20_000  # of uct and uct1; of mtmcts and cds
POLICY_PLAYOUTS, CYCLES_PLAYOUTS = 100_000, 300_000
ASP_SECONDS = 30.0
CDS_BYTES = 1 << 30


@dataclass(frozen=True)
class Variant:
    """A variant of the search over several trees: options of the method `mtmcts`."""

    part: str
    name: str
    options: str
    alpha: Optional[float] = None  # where it is on the plot of alpha
    has_our_rules: bool = False  # true if it has rules of ours that were not published
    is_short: bool = False  # true if it gets only FEW seeds

    @property
    def method(self) -> str:
        """The method for marelle.solve, without the seed."""
        return f"mtmcts:{self.options}" + ("" if self.has_our_rules else ",unordered=1")


def _variant(part: str, name: str, options: str = "", ours: bool = False, short: bool = False,
             alpha: Optional[float] = None, keys: str = "depth") -> Variant:
    weight = 0.5 if alpha is None else alpha
    return Variant(part, name, f"alpha={weight:g},keys={keys}" + options, alpha, ours, short)


PASSAGE = "passage"
PLAYED = ",move=500"  # the best move is made after every 500 playouts, as in a match
VARIANTS = (
    _variant("solve", "mtmcts", ours=True, keys=PASSAGE),
    _variant("solve", "by depth"),
    _variant("solve", "overlapping", ",overlap=subgoals", ours=True, keys=PASSAGE),
    _variant("solve", "overlapping by depth", ",overlap=subgoals"),
    _variant("solve", "lines", ",overlap=demands", ours=True, keys=PASSAGE),
    _variant("solve", "lines by depth", ",overlap=demands"),
    _variant("cycles", "by depth", ",alone=1", short=True),
    _variant("cycles", "by passage", ",alone=1", short=True, keys=PASSAGE),
    _variant("cycles", "by depth, in order", ",alone=1", ours=True, short=True),
    _variant("cycles", "by passage, in order", ",alone=1", ours=True, keys=PASSAGE),
    _variant("alpha", "0", alpha=0),
    _variant("alpha", "0.25", alpha=0.25),
    _variant("alpha", "0.5", alpha=0.5),
    _variant("alpha", "0.75", alpha=0.75),
    _variant("alpha", "1", alpha=1),
    Variant("alpha", "least", "alpha=0,keys=depth,local=least"),
    Variant("alpha", "middle", "alpha=0,keys=depth,local=middle"),
    _variant("ablation", "all rules"),
    _variant("ablation", "sum of gains", ",join=sum"),
    _variant("ablation", "subgames by sub-goals", ",overlap=subgoals"),
    _variant("ablation", "no rule for ends", ",ends=1"),
    _variant("ablation", "no marks", ",unmarked=1"),
    _variant("ablation", "by passage", ours=True, keys=PASSAGE),
    _variant("play", "first subgames", PLAYED),
    _variant("play", "subgames found again", PLAYED + ",again=1"),
    _variant("play", "first, by passage", PLAYED, ours=True, keys=PASSAGE),
    _variant("play", "found again, by passage", PLAYED + ",again=1", ours=True, keys=PASSAGE),
)

# The first MAX_SERIES are in the plots.
ALGORITHMS = ("mtmcts", "by depth", "overlapping", "lines", "cds", "uct1", "uct", "asp", "overlapping by depth",
              "lines by depth")

EASY_GAMES = ("incredible", "queens_guided", "futoshiki_4", "selective_sukoshi")  # which `uct1` solves soon
# Games whose sub-goals depend on rows and columns.
LINED_GAMES = ("nonogram_chequers", "nonogram_g", "nonogram_g_negative", "nonogram_dog", "nonogram_tetris",
               "nonogram_closed_chequers")
SOLVE_GAMES = EASY_GAMES + LINED_GAMES
HARD_GAMES = ("nonogram_box", "nonogram_cube")  # the first one is also solved by depth
CYCLIC_GAMES = ("eight_puzzle",)  # only a step counter ends its cycles
POLICY_GAMES = ("incredible", "nonogram_chequers")
QUICK_GAMES = ("queens_guided", "nonogram_chequers")


# ---- the jobs ----

def _plan_variants(setup: Setup, seeds: range) -> Iterator[Key]:
    """All kinds of jobs except `solve`."""
    is_usual = not setup.games and not setup.quick
    games_of = {"play": LINED_GAMES if is_usual else (), "cycles": CYCLIC_GAMES if is_usual else ()}
    studied = setup.choose_games(POLICY_GAMES, QUICK_GAMES)
    for seed in seeds:
        for variant in VARIANTS:
            if variant.part != "solve" and not (variant.is_short and seed - setup.first_seed >= FEW):
                for game in games_of.get(variant.part, studied):
                    yield variant.part, game, variant.name, str(seed)


def plan(setup: Setup) -> Iterator[Key]:
    """Quick jobs come first. `uct1` gets few seeds in nonograms, where it takes long."""
    seeds = setup.seed_range(SEEDS, QUICK_SEEDS)
    is_usual = not setup.games and not setup.quick
    games = setup.choose_games(SOLVE_GAMES, QUICK_GAMES)
    hard, lined, easy = ((HARD_GAMES, LINED_GAMES, EASY_GAMES) if is_usual else ((), (), ()))

    def solving(games: Sequence[str], algorithm: str, seeds: range) -> Iterator[Key]:
        return (("solve", game, algorithm, str(seed)) for seed in seeds for game in games)

    yield from solving(games, "mtmcts", seeds)
    yield from solving(hard, "mtmcts", seeds)
    yield from solving(games, "by depth", seeds)
    yield from solving(games, "cds", seeds)
    yield from solving(lined, "overlapping", seeds)
    yield from solving(hard, "overlapping", seeds)
    yield from solving(lined, "overlapping by depth", seeds)
    yield from solving(lined, "lines", seeds)
    yield from solving(hard, "lines", seeds)
    if not setup.quick and asp_plan.is_installed():  # clingo is deterministic: one seed is enough
        yield from solving(games, "asp", seeds[:1])
        yield from solving(hard, "asp", seeds[:1])
    yield from _plan_variants(setup, seeds)
    yield from solving(easy, "uct1", seeds)
    yield from solving(games[len(easy):], "uct1", seeds[:FEW])
    yield from solving(games, "uct", seeds)
    yield from solving(lined, "lines by depth", seeds[:FEW])
    yield from solving(hard, "cds", seeds[:FEW])
    yield from solving(hard, "uct", seeds[:FEW])
    yield from solving(hard[:1], "by depth", seeds)


def _most_playouts(setup: Setup, part: str, name: str, variant: Optional[Variant]) -> int:
    """Policies are compared by their results after a hundred thousand playouts."""
    if setup.playouts or setup.quick:
        return setup.playouts or QUICK_PLAYOUTS
    if part == "cycles":
        return MAX_PLAYOUTS if variant is not None and variant.has_our_rules else CYCLES_PLAYOUTS
    if part != "solve":
        return POLICY_PLAYOUTS
    return MAX_PLAYOUTS if name in ("uct", "uct1") else MAX_TREE_PLAYOUTS


def _run_asp(game: Game) -> list[object]:
    greatest = max(map(int, re.findall(r"\(goal \S+ (\d+)\)", game.write())), default=100)
    found = asp_plan.solve(game.write("plan"), greatest, ASP_SECONDS)
    score, moves = (greatest, found.turns) if found.is_solved else ("-", 0)
    return [int(found.is_solved), score, 0, f"{found.cpu_seconds:.6f}", "0.000000", moves, 0, 0, 0]


def run(setup: Setup, key: Key) -> list[object]:
    """Looks for a line to the greatest goal."""
    part, name, method, seed = key
    game = open_game(name)
    if len(game.roles) != 1 or game.why_interpreted:
        raise StudyError(f"{name}: the study is about games of one role that have a circuit")
    if method == "asp":
        return _run_asp(game)
    variant = next((v for v in VARIANTS if (v.part, v.name) == (part, method)), None)
    playouts = _most_playouts(setup, part, method, variant)
    options = f"seed={seed}" + (f",descents={2 * playouts}" if variant or method == "uct1" else "")
    found = solve(game, method=with_option(variant.method if variant else method, options), playouts=playouts,
                  bytes=CDS_BYTES if method == "cds" else 0)
    return [int(found.solved), found.json.get("score", "-"), found.playouts, f"{found.cpu_seconds:.6f}",
            f"{found.decomposition_cpu_seconds:.6f}", len(found.line),
            *(found.json.get(count, 0) for count in ("descents", "positions", "nodes"))]


# ---- the page ----

@dataclass
class Cell:
    """All runs of a game and variant."""

    playouts: Summary = field(default_factory=Summary)  # over the runs that solved the game, as the next two
    seconds: Summary = field(default_factory=Summary)
    decomposition: Summary = field(default_factory=Summary)
    nodes: Summary = field(default_factory=Summary)  # of all runs in which they were counted
    runs: int = 0
    solved: int = 0
    all_playouts: float = 0
    all_seconds: float = 0  # without decomposition

    def add(self, row: Row) -> None:
        """Takes a run into account."""
        seconds, before = row.number("cpu_seconds"), row.number("decomposition_cpu_seconds")
        self.runs += 1
        self.all_playouts += row.number("playouts")
        self.all_seconds += seconds
        if row["nodes"] != "-":
            self.nodes.add(row.number("nodes"))
        if row.number("solved") == 0:
            return
        self.solved += 1
        self.playouts.add(row.number("playouts"))
        self.seconds.add(seconds + before)
        self.decomposition.add(before)

    @property
    def playouts_per_run(self) -> float:
        """Failed runs are included; they would have taken longer."""
        return self.all_playouts / self.runs if self.runs else 0

    @property
    def seconds_per_run(self) -> float:
        """With decomposition."""
        return self.all_seconds / self.runs + self.decomposition.mean if self.runs else 0


class Cells:
    """The runs by part, game and variant."""

    def __init__(self, runs: Sequence[Row]) -> None:
        self._cells: dict[tuple[str, str, str], Cell] = defaultdict(Cell)
        for row in runs:
            self._cells[row["part"], row["game"], row["variant"]].add(row)

    def get(self, part: str, game: str, variant: str) -> Cell:
        """The cell, which may be empty."""
        return self._cells.get((part, game, variant)) or Cell()

    def games(self, part: str) -> list[str]:
        """The games of a part, in the order of their first runs."""
        return different(game for p, game, _ in self._cells if p == part)

    def variants(self, part: str) -> list[str]:
        """The variants of a part, in the order of their first runs."""
        return different(variant for p, _, variant in self._cells if p == part)


def _ratio(over: float, under: float, is_more: bool = False) -> str:
    if not (over > 0 and under > 0):
        return "-"
    return ("> " if is_more else "") + (f"{over / under:.2f}" if over / under < 10 else f"{over / under:.0f}")


def _add_results(cells: Cells, page: Page) -> None:
    table = Table("game", "method", "solved", "playouts", "CPU s", "of decomposition", "µs a playout")
    playouts = Plot("Playouts until solved", y_label="playouts", y_is_log=True)
    seconds = Plot("CPU seconds until solved, decomposition included", y_label="CPU s", y_is_log=True)
    for algorithm in ALGORITHMS[:MAX_SERIES]:
        playouts.add_series(algorithm)
        seconds.add_series(algorithm)
    for game in cells.games("solve"):
        for a, algorithm in enumerate(ALGORITHMS):
            cell = cells.get("solve", game, algorithm)
            if not cell.runs:
                continue
            per_playout = f"{1e6 * cell.all_seconds / cell.all_playouts:.2f}" if cell.all_playouts > 0 else ""
            table.add(game, algorithm, f"{cell.solved} of {cell.runs}", cell.playouts.text(0), cell.seconds.text(4),
                      cell.decomposition.text(4), per_playout)
            if cell.solved and a < MAX_SERIES:
                playouts.series[a].bars[game] = cell.playouts.mean
                seconds.series[a].bars[game] = cell.seconds.mean
    page.heading("Solving")
    page.prose("""Runs end when the greatest goal is found, or after 1,000,000 playouts of `uct` and `uct1` and 2,000,000
        of the others (fewer with `--quick` and `--playouts`). Means and standard deviations are over the runs that found
        it. Seconds are CPU time with decomposition; microseconds are those of the search alone, over all runs. `mtmcts`
        has one node per part of a state and passage, and cuts the game in other ways as well where it finds nothing
        better for 20,000 descents. `by depth` has one node per depth, as published; `uct1` is that with one tree for
        the whole game. In `overlapping` (sub-goals) and `lines` (everything that the goal demands at once, such as rows
        and columns) parts share fluents. `cds` counts states of subgames and of the game as playouts. `asp` is clingo,
        asked for a line of 1, 2, 3 ... turns (`translate --to plan`).""")
    page.table("solving", table)
    page.plot("playouts", playouts)
    page.plot("seconds", seconds)


def _add_ratios(cells: Cells, page: Page) -> None:
    """The ratios between `mtmcts` and the other searches."""
    table = Table("game", "playouts, uct", "CPU time, uct", "playouts, uct1", "CPU time, uct1", "cost factor")
    for game in cells.games("solve"):
        trees, uct, uct1 = (cells.get("solve", game, name) for name in ("mtmcts", "uct", "uct1"))
        row = [game]
        for other in (uct, uct1):
            is_more = other.solved < other.runs
            row += [_ratio(other.playouts_per_run, trees.playouts_per_run, is_more),
                    _ratio(other.seconds_per_run, trees.seconds_per_run, is_more)]
        table.add(*row, _ratio(trees.all_seconds / (trees.all_playouts + 1e-9),
                               uct.all_seconds / (uct.all_playouts + 1e-9)))
    page.heading("Against one tree")
    page.prose("""What `uct` and `uct1` need, as multiples of `mtmcts`; with > where some of their runs ended at the
        limit, for which the limit counts. The cost factor is the time of one playout of `mtmcts` as a multiple of one
        of `uct`.""")
    page.table("ratios", table)


def _add_policies(cells: Cells, part: str, title: str, page: Page) -> None:
    table = Table("game", "variant", "solved", "playouts", "CPU s", "nodes, all runs")
    for game in cells.games(part):
        for variant in cells.variants(part):
            cell = cells.get(part, game, variant)
            if cell.runs:
                table.add(game, variant, f"{cell.solved} of {cell.runs}", cell.playouts.text(0), cell.seconds.text(4),
                          cell.nodes.text(0))
    if table.rows:
        page.heading(title)
        page.table(part, table)


def _add_alpha_plot(cells: Cells, page: Page) -> None:
    plot = Plot("Playouts by the weight of the global score", "alpha", "playouts", y_is_log=True)
    for game in cells.games("alpha")[:MAX_SERIES]:
        series = plot.add_series(game)
        for variant in VARIANTS:
            if variant.alpha is not None:
                cell = cells.get("alpha", game, variant.name)
                if cell.solved:
                    series.add(variant.alpha, cell.playouts.mean, cell.playouts.error)
    page.plot("alpha", plot)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    cells = Cells(runs)
    page.heading("Search over several trees", 1)
    page.prose("""Written by `marelle experiment mtmcts`; `runs.csv` holds every run. docs/how-it-works/searches.md
        explains the methods.""")
    _add_results(cells, page)
    _add_ratios(cells, page)
    _add_policies(cells, "alpha", "The weight of the global score, by depth (`least`, `middle`: other local estimates)",
                  page)
    _add_alpha_plot(cells, page)
    _add_policies(cells, "ablation", "Without one of the rules, by depth where not said otherwise", page)
    _add_policies(cells, "cycles", "Cycles behind a step counter: a tree of the subgame alone, at most 300,000 playouts "
                  "(`in order`: 1,000,000)", page)
    _add_policies(cells, "play", "The best move made after every 500 playouts, as in a match", page)


STUDY = Study("mtmcts", "solving decomposed games: uct, uct1 and a tree for each subgame", KEYS, VALUES, plan, run, report)
