"""The study of NEAT on the tasks of the literature and of the thesis, complete and with some of its rules removed; and a
comparison of learners whose networks grow with learners whose networks do not. One job is one run."""
from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional

from marelle import Data, errors, evolve

from experiments.page import Page
from experiments.study import Key, Setup, Study
from experiments.tables import Row, Summary, Table

KEYS = ("task", "variant", "seed")
VALUES = ("solved", "evaluations", "generation", "hidden", "links", "starts", "cpu_s", "constant_links", "fitness",
          "close", "test_close", "test_right")

QUICK_SEEDS, QUICK_EFFORT = 2, 2
PUBLISHED, BLIND = "two poles, published setting", "two poles, no velocities"


@dataclass(frozen=True)
class Series:
    """Runs of NEAT on a task."""

    task: str
    variant: str
    generations: int
    seeds: int
    options: str = ""  # of the method `neat`
    published: str = ""

    @property
    def is_of_poles(self) -> bool:
        """True if the task is to balance two poles."""
        return self.kind != "data"

    @property
    def kind(self) -> str:
        """The task as the method `neat` calls it."""
        return {"two poles": "poles", PUBLISHED: "published_poles", BLIND: "blind_poles"}.get(self.task, "data")


TAUGHT = ",taught=30"  # gradient steps of a network before it is judged
ONLY_SPLIT = ",join=0"
FIXED = ",add_node=0,add_link=0"
ONE_SPECIES = ",one_species=1"
TEN_HIDDEN = ",hidden=10"
RANDOM_START = TEN_HIDDEN + ",random_start=1"
# Without species no growth survives from a minimal start (Stanley and Miikkulainen 2002).
ONE_SPECIES_AT_RANDOM = ONE_SPECIES + RANDOM_START
NO_MATING = ",mutate_only=1"
SERIES = (  # in the order of the table
    Series("xor", "alone", 100, 100, published="NEAT 2002: 4,755, worst 13,459"),
    Series("xor", "taught", 100, 100, TAUGHT),
    Series("xor", "no joined nodes", 100, 100, ONLY_SPLIT),
    Series("paire", "alone", 100, 20, published="thesis: 379 to 592 generations"),
    Series("paire", "no joined nodes", 100, 20, ONLY_SPLIT),
    Series("paire", "taught", 100, 20, TAUGHT),
    Series("nim", "alone", 20, 20, ",until=99.9", "thesis: 10 to 21 generations"),
    Series("two poles", "alone", 1000, 100, published="NEAT 2002: 3,600"),
    Series("two poles", "no hidden nodes", 1000, 50, FIXED),
    Series("two poles", "ten hidden nodes", 1000, 20, TEN_HIDDEN + FIXED, "30,239, 80 % failures"),
    Series("two poles", "one species", 1000, 50, ONE_SPECIES),
    Series("two poles", "ten hidden nodes at first", 1000, 20, TEN_HIDDEN),
    Series("two poles", "random start", 1000, 100, RANDOM_START, "23,033, 5 % failures"),
    Series("two poles", "one species, random start", 1000, 100, ONE_SPECIES_AT_RANDOM, "25,600, 25 % failures"),
    Series("two poles", "no mating", 1000, 50, NO_MATING, "5,557"),
    Series(PUBLISHED, "alone", 1000, 20, published="3,600, no failures"),
    Series(PUBLISHED, "ten hidden nodes", 1000, 10, TEN_HIDDEN + FIXED + ",connected=0", "30,239, 80 % failures"),
    Series(PUBLISHED, "one species, random start", 1000, 20, ONE_SPECIES_AT_RANDOM, "25,600, 25 % failures"),
    Series(PUBLISHED, "one species", 1000, 20, ONE_SPECIES),
    Series(PUBLISHED, "random start", 1000, 20, RANDOM_START, "23,033, 5 % failures"),
    Series(PUBLISHED, "no mating", 1000, 10, NO_MATING, "5,557, no failures"),
    Series(BLIND, "alone", 1000, 200, published="NEAT 2002: 33,184, 286 of 625 starts"),
)
PUZZLES = {"xor": "exclusive_or", "paire": "paire", "nim": "nim"}

# Two trivial predictors, which do not learn, come before the learners.
TRIVIAL = ("constant", "fact")
CONTENDERS = (*TRIVIAL, "linear", "neat", "neat-taught", "cascade", "mlp")


@dataclass(frozen=True)
class Contest:
    """A data set on which learners are compared. Learners are the variants of such a task."""

    puzzle: str
    efforts: dict[str, int]  # by learner; else the default of the learner
    rows: int = 0  # drawn from a game that has no list of all ends; equal ones are merged
    train_rows: int = 0  # the others are for tests; 0: there are none
    without: str = ""  # a relation whose facts are left out

    def data(self) -> tuple[Data, Optional[Data]]:
        """The rows to train on, and others."""
        data = Data.puzzle(self.puzzle, seed=1, rows=self.rows)
        data = data.distinct() if self.rows else data.without(self.without) if self.without else data
        if not self.train_rows:
            return data, None
        chosen = set(random.Random(1).sample(range(data.rows), self.train_rows))
        is_chosen = [row in chosen for row in range(data.rows)]
        return data.select(is_chosen), data.select([not chosen for chosen in is_chosen])


CONTESTS = {
    "Paire": Contest("paire", {"neat": 100, "neat-taught": 20}),
    "XOR": Contest("exclusive_or", {"neat": 100, "neat-taught": 20}),
    "Nim": Contest("nim", {"neat": 100, "neat-taught": 20}),
    "Roshambo": Contest("roshambo", {"neat": 3000, "neat-taught": 60}, rows=3000),
    "Point Grab": Contest("point_grab", {"neat": 3000, "neat-taught": 50}, rows=3000),
    "Tictactoe": Contest("tictactoe", {"neat": 1000, "neat-taught": 20}, train_rows=625),
    "Tictactoe without the turn": Contest("tictactoe", {"neat": 3000, "neat-taught": 20}, train_rows=625,
                                          without="control"),
    "Lines-27": Contest("lines_27", {"neat": 3000, "neat-taught": 60}, train_rows=3000),
}


def _plan_series(setup: Setup, are_of_poles: bool) -> Iterator[Key]:
    for series in SERIES:
        if series.is_of_poles == are_of_poles and not (setup.quick and are_of_poles and not setup.seeds):
            for seed in setup.seed_range(series.seeds, QUICK_SEEDS):
                yield series.task, series.variant, str(seed)


def plan(setup: Setup) -> Iterator[Key]:
    """Poles come last, because they take longest; a quick study has none."""
    yield from _plan_series(setup, False)
    for task in list(CONTESTS)[:1 if setup.quick else None]:
        for contender in CONTENDERS:
            for seed in setup.seed_range(1, 1):
                yield task, contender, str(seed)
    yield from _plan_series(setup, True)


def _run_series(series: Series, seed: str) -> list[object]:
    found = evolve(f"neat:task={series.kind},seed={seed},generations={series.generations}{series.options}",
                   Data.puzzle(PUZZLES[series.task]) if series.kind == "data" else None)
    return [int(found["solved"]), found["evaluations"], found["generation"], found["hidden"], found["links"],
            found.get("starts", ""), f"{found['cpu_seconds']:.2f}", found.get("constant_links", 0)]


def _trivial_fitness(data: Data, is_by_fact: bool) -> float:
    """Of the best constant of each role, or of the best single fact, squared as NEAT has it."""
    roles = data.audit(alike=True)["baselines"]
    mean = sum(role["facts"][0]["fitness"] if is_by_fact and role["facts"] else role["constant"]
               for role in roles) / len(roles)
    return float(mean * mean / 100)


def _run_contender(setup: Setup, contest: Contest, contender: str, seed: str) -> list[object]:
    train, test = contest.data()
    if contender in TRIVIAL:
        return [*[""] * 8, f"{_trivial_fitness(train, contender == 'fact'):.3f}"]
    effort = QUICK_EFFORT if setup.quick else contest.efforts.get(contender, 0)
    started = time.process_time()
    model = train.train(f"{contender}:plain=1,alike=1,seed={seed}" + (f",effort={effort}" if effort else ""))
    seconds, own = time.process_time() - started, errors(model, train, alike=True)
    cells: list[object] = ["", "", "", model.hidden, model.edges, "", f"{seconds:.2f}", "", f"{own.neat_fitness:.3f}",
             f"{own.close:.4f}"]
    if test is not None:
        away = errors(model, test, alike=True)
        cells += [f"{away.close:.4f}", f"{away.right:.4f}"]
    return cells


def run(setup: Setup, key: Key) -> list[object]:
    """Breeds networks, or trains a learner."""
    task, variant, seed = key
    for series in SERIES:
        if (series.task, series.variant) == (task, variant):
            return _run_series(series, seed)
    return _run_contender(setup, CONTESTS[task], variant, seed)


# ---- the page ----

def _add_series(series: Series, runs: Sequence[Row], table: Table) -> None:
    if not runs:
        return
    solved = [row for row in runs if row.number("solved") >= 1]
    evaluations, hidden, links = (Summary(row.number(column) for row in solved)
                                  for column in ("evaluations", "hidden", "links"))
    starts = Summary(row.number("starts") for row in solved if row["starts"])
    spent = sum(row.number("evaluations") for row in runs)
    table.add(series.task, series.variant, len(runs), len(solved), evaluations.text(0),
              *((f"{evaluations.greatest:.0f}", f"{spent / len(solved):.0f}") if solved else ("-", "-")),
              hidden.text(2), sum(row.number("hidden") <= 2 for row in solved), links.text(1),
              sum(row.number("constant_links") < 1 for row in solved) if series.task == "nim" else "", starts.text(0),
              series.published)


def _add_contests(by_job: dict[tuple[str, str], list[Row]], page: Page) -> None:
    table = Table("task", "learner", "runs", "fitness", "close", "close on other rows", "right on other rows",
                  "hidden nodes", "CPU s")
    for task in CONTESTS:
        for contender in CONTENDERS:
            rows = by_job.get((task, contender), [])
            learnt = [] if contender in TRIVIAL else rows
            tested = [row for row in rows if row["test_right"]]
            if rows:
                table.add(task, contender, len(rows), Summary(row.number("fitness") for row in rows).text(3),
                          Summary(100 * row.number("close") for row in learnt).text(2),
                          Summary(100 * row.number("test_close") for row in tested).text(2),
                          Summary(100 * row.number("test_right") for row in tested).text(2),
                          Summary(row.number("hidden") for row in learnt).text(1),
                          f"{Summary(row.number('cpu_s') for row in learnt).mean:.2f}" if learnt else "-")
    page.heading("Learners that grow")
    page.prose("""Squared fitness on the rows trained on, the share of them in per cent for which all outputs are within
        0.25, the same share on rows never seen, and there the share on the right side of 0.5. Beside the learners stand
        the best constant, the best single fact (per role; in Tictactoe it is whose turn it is) and one sum by gradient.
        There are 3,000 ends of Roshambo and Point Grab, 625 of the 958 ends of Tictactoe, and 3,000 of the 19,683 boards
        of Lines-27.""")
    page.table("learners", table)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    table = Table("task", "variant", "runs", "solved", "evaluations", "worst", "spent a solution", "hidden nodes",
                  "two at most", "links", "no idle inputs", "starts of 625", "published")
    by_job: dict[tuple[str, str], list[Row]] = {}
    for row in runs:
        by_job.setdefault((row["task"], row["variant"]), []).append(row)
    for series in SERIES:
        _add_series(series, by_job.get((series.task, series.variant), []), table)
    page.heading("NEAT", 1)
    page.prose("""Written by `marelle experiment neat`; `runs.csv` holds every run. docs/how-it-works/learning.md explains
        the learner. Means and standard deviations are over the runs that solved the task. `spent a solution` counts the
        evaluations of all runs, failed ones included, per run that succeeded. Hidden nodes and links are those of the
        champions; `two at most` is how many champions have no more than two hidden nodes, `no idle inputs` how many have
        no link from facts that hold in all rows. XOR, Paire and Nim share one setting. The poles have settings of their
        own, one of them that of Stanley and Miikkulainen 2002.""")
    page.table("neat", table)
    _add_contests(by_job, page)


STUDY = Study("neat", "NEAT on XOR, Paire, Nim and two poles, whole and with parts taken away",
              KEYS, VALUES, plan, run, report)
