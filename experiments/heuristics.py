"""The study of learners on final states of games: how well they predict scores, compared with trivial predictors. One
job is one role of one game."""
from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Optional

from marelle import BudgetError, Data, Model, UnfitError, collect, errors, evolve

from experiments.games import names as all_names
from experiments.games import open_game
from experiments.page import Page
from experiments.plots import Plot
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Summary, Table, ratio, short_name

KEYS = ("game", "role")
VALUES = ("roles", "states", "distinct", "scores", "facts", "constant", "fact", "count", "ga_start", "ga_end", "ga",
          "ga_near", "ga_generations", "ga_s", "linear", "linear_s", "linear_test", "logistic", "logistic_test",
          "logistic_s", "mlp", "mlp_test", "mlp_s", "cascade", "cascade_test", "cascade_s", "neat", "neat_test", "neat_s")

ROLES = 2  # roles studied per game, at most
MATCHES, QUICK_MATCHES = 400, 100
TEST_SHARE = 0.2
DATA_SECONDS = 5.0  # seconds of collecting matches, at most
GENERATIONS, MIN_GENERATIONS = 1000, 25  # of the genetic algorithm: as in the thesis, and in games with many facts
MAX_PRODUCTS = 6e10  # products of weight and fact that the evolution of one job may compute: about ten seconds
QUICK_EFFORT = 5
POPULATION, SETTINGS = 100, 16  # of the genetic algorithm
# Learners that are trained on some of the matches and tested on the others, with their efforts. NEAT gets few
# generations here; the study `neat` has complete runs.
COMPETITORS = {"logistic": 0, "mlp": 60, "cascade": 40, "neat": 25}
QUICK_GAMES = ("tic_tac_toe", "nim")


def plan(setup: Setup) -> Iterator[Key]:
    """All games of the tree, if no others are named."""
    names = setup.games or (QUICK_GAMES if setup.quick else all_names())
    return ((game, str(role)) for game in names for role in range(1, ROLES + 1))


# ---- one job ----

def _generations(setup: Setup, data: Data) -> int:
    """As in the thesis, but fewer in games that have many facts."""
    if setup.quick:
        return QUICK_EFFORT
    products = math.ceil(data.rows / 16) * 16 * len(data.facts) * POPULATION * SETTINGS  # of weight and fact
    return max(MIN_GENERATIONS, min(GENERATIONS, int(MAX_PRODUCTS / max(1, products))))


def _breed(setup: Setup, data: Data) -> list[object]:
    """Runs the genetic algorithm as the thesis did, on all states and with its sixteen settings."""
    started, generations = time.process_time(), _generations(setup, data)
    found = evolve(f"genetic:repaired=1,seed=1,generations={generations}", data)
    best = found["runs"][found["best"]]
    return [f"{best['start']['highest']:.3f}", f"{best['end']['highest']:.3f}", f"{best['best']:.3f}",
            best["near_generation"], generations, f"{time.process_time() - started:.4f}"]


def _train(setup: Setup, learner: str, effort: int, data: Data) -> tuple[Model, float]:
    """A model, and the CPU seconds it took."""
    started = time.process_time()
    effort = QUICK_EFFORT if setup.quick else effort
    model = data.train(f"{learner}:plain=1,seed=1" + (f",effort={effort}" if effort else ""))
    return model, time.process_time() - started


def _run_on(setup: Setup, data: Data, role: int) -> list[object]:
    def states_of(rows: Data) -> Data:
        """Distinct states of the role, weighted by the number of occurrences."""
        return rows.distinct().of_role(role)

    def fitness(model: Model, rows: Data) -> str:
        return f"{errors(model, rows).fitness:.3f}"

    everything, train, test = map(states_of, (data, *data.split(TEST_SHARE, seed=setup.first_seed)))
    audit = data.audit()
    trivial = audit["baselines"][role]
    best = [predictors[0]["fitness"] if predictors else trivial["constant"]
            for predictors in (trivial["facts"], trivial["counts"])]
    scores = {round(everything[row].scores[0], 5) for row in range(everything.rows)}
    cells = [data.roles, audit["rows"], audit["distinct"], len(scores), audit["facts"],
             *(f"{value:.3f}" for value in (trivial["constant"], *best)), *_breed(setup, everything)]
    model, seconds = _train(setup, "linear", 0, everything)
    cells += [fitness(model, everything), f"{seconds:.4f}", fitness(_train(setup, "linear", 0, train)[0], test)]
    for learner, effort in COMPETITORS.items():
        model, seconds = _train(setup, learner, effort, train)
        cells += [fitness(model, train), fitness(model, test), f"{seconds:.4f}"]
    return cells


def run(setup: Setup, key: Key) -> list[object]:
    """Learns from random matches. A row of empty cells says that no match could be played, or there is no such role."""
    game, role = open_game(key[0]), int(key[1]) - 1
    try:
        data = collect(game, source="random", states="ends", matches=QUICK_MATCHES if setup.quick else MATCHES,
                       seconds=DATA_SECONDS, seed=setup.first_seed + 1)
    except (BudgetError, UnfitError):
        return []
    return _run_on(setup, data, role) if role < data.roles else []


# ---- the classes of the thesis ----

@dataclass(frozen=True)
class Facts:
    """What decides the class of a game and role, and how its genetic algorithm did."""

    constant: float
    fact: float
    linear_test: float
    scores: float
    states: float
    distinct: float
    facts: float
    genetic: float
    near: float

    @classmethod
    def of(cls, row: Row) -> Facts:
        """The columns of a row."""
        return cls(*(row.number(column) for column in ("constant", "fact", "linear_test", "scores", "states", "distinct",
                                                       "facts", "ga", "ga_near")))


@dataclass(frozen=True)
class Class:
    """A claim of the thesis about its 93 games: a class, and how well the genetic algorithm does there. The class is
    determined without that algorithm; a row belongs to the first class that it fits."""

    name: str
    rule: str
    claim: str
    fits: Callable[[Facts], bool]
    holds: Optional[Callable[[Facts], bool]] = None  # None: nothing is claimed


CLASSES = (
    Class("one score", "a constant has more than 99.9", "none", lambda f: f.constant > 99.9),
    Class("one fact", "one fact has 99.9 or more", "at least 99, within 25 generations", lambda f: f.fact >= 99.9,
          lambda f: f.genetic >= 99 and f.near <= 25),
    Class("few states", "at most half of the states differ, and no more than there are facts",
          "at least 95: fits the sample", lambda f: f.distinct <= f.facts and 2 * f.distinct <= f.states,
          lambda f: f.genetic >= 95),
    Class("rare scores", "a constant has 90 or more", "no pattern", lambda f: f.constant >= 90),
    Class("facts to many scores", "`linear` has 97 or more in other matches, over three scores",
          "at least 90, after more than 300 generations", lambda f: f.linear_test >= 97 and f.scores > 3,
          lambda f: f.genetic >= 90 and f.near > 300),
    Class("counters compared", "`linear` has 97 or more in other matches", "at least 90", lambda f: f.linear_test >= 97,
          lambda f: f.genetic >= 90),
    Class("combinations with a bypass", "one fact has 85 or more", "80 to 95", lambda f: f.fact >= 85,
          lambda f: 80 <= f.genetic < 95),
    Class("combinations", "all others", "less than 80", lambda f: True, lambda f: f.genetic < 80),
)


def class_of(facts: Facts) -> Class:
    """The first class that fits."""
    return next(c for c in CLASSES if c.fits(facts))


def _add_classes(runs: Sequence[Row], page: Page) -> None:
    table = Table("class", "rule", "claim", "pairs", "mean of ga", "claim holds", "refuted")
    all_facts = [Facts.of(row) for row in runs]
    for c in CLASSES:
        members = [facts for facts in all_facts if class_of(facts) is c]
        confirmed = [sum(map(c.holds, members))] if c.holds else []
        table.add(c.name, c.rule, c.claim, len(members), f"{Summary(f.genetic for f in members).mean:.2f}", *confirmed,
                  *(len(members) - n for n in confirmed))
    page.heading("The classes of the thesis")
    page.prose("""The thesis sorts its games by how its genetic algorithm did. A game and role belongs to the first class
        whose rule it meets; the table of all of them says where the claim holds. In games with many facts evolution had
        fewer than 1,000 generations.""")
    page.table("classes", table)


# ---- learners ----

TOLERANCE = 0.0015  # fitness is stored with three decimals, so values are compared with this tolerance


def _is_as_good(one: float, other: float) -> bool:
    return one >= other - TOLERANCE


@dataclass
class Comparison:
    """`linear` against a thousand generations of the genetic algorithm."""

    pairs: int = 0
    as_good: int = 0
    quick: int = 0
    linear_seconds: float = 0
    genetic_seconds: float = 0
    shares: Summary = field(default_factory=Summary)

    def add(self, row: Row) -> None:
        """Takes a game and role into account."""
        linear_seconds, genetic_seconds, generations = (row.number(column)
                                                        for column in ("linear_s", "ga_s", "ga_generations"))
        share = ratio(linear_seconds * generations, genetic_seconds * GENERATIONS)
        self.pairs += 1
        self.as_good += _is_as_good(row.number("linear"), row.number("ga"))
        self.quick += share <= 0.01
        self.linear_seconds += linear_seconds
        self.genetic_seconds += ratio(genetic_seconds * GENERATIONS, generations)
        self.shares.add(share)

    def cells(self) -> tuple[object, ...]:
        """The cells of its row."""
        time = 100 * self.linear_seconds / self.genetic_seconds if self.genetic_seconds > 0 else 0
        return (self.pairs, self.as_good, f"{100 * self.as_good / max(1, self.pairs):.1f} %", f"{time:.2f} %", self.quick,
                f"{100 * self.shares.greatest:.2f} %")


def _add_linear_against_genetic(runs: Sequence[Row], page: Page) -> None:
    table = Table("pairs of game and role", "pairs", "linear as good", "share", "time, all in all", "pairs at 1 % or less",
                  "worst")
    whole, everything = Comparison(), Comparison()
    for row in runs:
        if row.number("ga_generations") >= GENERATIONS:
            whole.add(row)
        everything.add(row)
    table.add("with all generations", *whole.cells())
    table.add("all", *everything.cells())
    page.heading("One sum by gradient against evolution")
    page.prose(f"""`linear` and the repaired genetic algorithm with its sixteen settings, on the same states, for each game
        and role. As good: not more than {TOLERANCE:.4f} below, since fitness is kept with three decimals. Evolution is
        cut short where 1,000 generations would take more than about ten seconds (after {MIN_GENERATIONS} at the
        earliest); its time is then scaled to 1,000 generations.""")
    page.table("linear", table)


def _add_ends(runs: Sequence[Row], page: Page) -> None:
    columns = ("role", "states", "distinct", "facts", "constant", "fact", "count", "ga_start", "ga_end", "ga",
               "ga_generations", "ga_s", "linear", "linear_s", "logistic", "mlp", "cascade", "neat", "mlp_test")
    table = Table("game", *columns, "class", "claim holds")
    for row in runs:
        facts = Facts.of(row)
        c = class_of(facts)
        table.add(short_name(row["game"]), *(row[column] for column in columns), c.name,
                  "" if c.holds is None else "yes" if c.holds(facts) else "no")
    page.heading("Ends")
    page.prose("""Fitness is 100 less the mean error in points, on ends of random matches. `constant`, `fact` and `count`
        are the best predictors of that kind. `ga_start`, `ga_end` and `ga` are the best of the first generation, of the
        last one, and ever. `_s` are CPU seconds. Columns are on the states trained on: all for `ga` and `linear`, four
        fifths for the others; `mlp_test` is on the last fifth.""")
    page.table("ends", table)


def _add_comparison(runs: Sequence[Row], page: Page) -> None:
    table = Table("learner", "pairs", "mean fitness", "at least ga", "above 99", "CPU s a pair")
    plot = Plot("Mean fitness on ends", y_label="fitness")
    bars = plot.add_series("fitness").bars
    for name in ("constant", "fact", "count", "ga", "linear", *COMPETITORS):
        own = [row.number(name) for row in runs]
        fitness = Summary(own)
        seconds = [f"{Summary(row.number(name + '_s') for row in runs).mean:.3f}"] if f"{name}_s" in VALUES else []
        table.add(name, fitness.count, f"{fitness.mean:.2f}",
                  sum(_is_as_good(value, row.number("ga")) for value, row in zip(own, runs)),
                  sum(value > 99 for value in own), *seconds)
        bars[name] = fitness.mean
    page.heading("Learners compared")
    page.table("learners", table)
    page.plot("learners", plot)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page, from rows with all cells. The others say that no match could be played."""
    whole = [row for row in runs if row["neat_s"]]
    page.heading("Learners on ends of games", 1)
    page.prose("""Written by `marelle experiment heuristics`; `runs.csv` holds every run. docs/how-it-works/learning.md
        explains the learners.""")
    _add_comparison(whole, page)
    _add_linear_against_genetic(whole, page)
    _add_classes(whole, page)
    _add_ends(whole, page)


STUDY = Study("heuristics", "learners that predict the ends of games, beside trivial predictors",
              KEYS, VALUES, plan, run, report)
