"""Runs the jobs of a study that are missing, in one process or several, and writes its page."""
from __future__ import annotations

import math
import multiprocessing
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from marelle import BudgetError, UnfitError

from experiments.page import Page, save
from experiments.runs import RunsFile
from experiments.study import Key, Setup, Study, StudyError


@dataclass
class Counts:
    """How far a study is."""

    planned: int
    done: int  # planned jobs that are done, now or earlier, here or elsewhere
    ran: int  # jobs that were done now and here
    failed: int  # jobs that could not be run
    was_interrupted: bool

    @property
    def is_complete(self) -> bool:
        """True if every planned job is done."""
        return self.done == self.planned


def complain(message: str) -> None:
    """Tells the user about a problem."""
    print(f"experiments: {message}", file=sys.stderr)


class _Counter:
    """A number that several processes increase."""

    def __init__(self) -> None:
        self._lock = multiprocessing.Lock()
        self._number = multiprocessing.RawValue("Q", 0)

    def increment(self) -> None:
        with self._lock:
            self._number.value += 1

    @property
    def value(self) -> int:
        return int(self._number.value)


class _Worker:
    """Runs jobs until none is left, the time is over, or the user interrupts."""

    def __init__(self, study: Study, setup: Setup, jobs: Sequence[Key], deadline: float, shows_progress: bool) -> None:
        self.study, self.setup, self.jobs, self.deadline = study, setup, jobs, deadline
        self.shows_progress = shows_progress
        self.ran = _Counter()
        self.failed = _Counter()

    def work(self) -> bool:
        """Goes through the jobs. Several processes may do so at the same time. Returns true if the user interrupted."""
        runs = RunsFile(self.setup.folder, self.study.keys, self.study.values)
        try:
            for key in self.jobs:
                if runs.is_done(key):
                    continue
                if time.monotonic() >= self.deadline:
                    break
                if runs.claim(key):
                    self._run(key, runs)
        except KeyboardInterrupt:
            return True
        finally:
            runs.close()
        return False

    def _run(self, key: Key, runs: RunsFile) -> None:
        self._show(runs)
        try:
            runs.append(key, self.study.run(self.setup, key))
            self.ran.increment()
        except (StudyError, UnfitError, BudgetError) as error:
            complain(str(error))
            self.failed.increment()
        finally:
            runs.release(key)

    def _show(self, runs: RunsFile) -> None:
        if self.shows_progress and sys.stderr.isatty():
            done = sum(map(runs.is_done, self.jobs))
            print(f"\r{self.study.name}: {done} of {len(self.jobs)}", end="", file=sys.stderr, flush=True)


def _work_together(worker: _Worker, processes: int) -> bool:
    """Lets several processes work. Returns true if the user interrupted."""
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=worker.work) for _ in range(processes)]
    was_interrupted = False
    for child in children:
        child.start()
    for child in children:
        while child.is_alive():
            try:
                child.join()
            except KeyboardInterrupt:  # the children hear of it themselves
                was_interrupted = True
        if child.exitcode:
            complain(f"a worker ended with status {child.exitcode}")
            worker.failed.increment()
    return was_interrupted


def _write_page(study: Study, setup: Setup, runs: RunsFile, missing: int, planned: int) -> None:
    page = Page(setup.folder)
    study.report(setup, runs.rows, page)
    if missing:
        page.add(f"{missing} of {planned} planned runs are still missing.\n")
    notes = setup.folder / "notes.md"  # what a person has to say about the runs, such as which build they are of
    if notes.exists():
        page.add("\n" + notes.read_text(encoding="utf-8"))
    save(setup.folder / "README.md", page.text())
    if page.lacks_plots:
        complain("there is no matplotlib, so the plots were not drawn")


def run_study(study: Study, setup: Setup, *, seconds: float = math.inf, workers: int = 1,
              is_quiet: bool = False) -> Counts:
    """Runs the missing jobs, then writes page, tables and plots. Raises StudyError if the folder cannot be used."""
    deadline = time.monotonic() + seconds
    RunsFile(setup.folder, study.keys, study.values).close()  # complains before anything is done
    jobs = list(study.plan(setup))
    worker = _Worker(study, setup, jobs, deadline, not is_quiet)
    was_interrupted = worker.work() if workers == 1 else _work_together(worker, workers)
    runs = RunsFile(setup.folder, study.keys, study.values)
    try:
        done = sum(map(runs.is_done, jobs))
        _write_page(study, setup, runs, len(jobs) - done, len(jobs))
    finally:
        runs.close()
    return Counts(len(jobs), done, worker.ran.value, worker.failed.value, was_interrupted)
