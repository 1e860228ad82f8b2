"""What a study is, and what its user may ask for."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.page import Page
from experiments.tables import Row

Key = tuple[str, ...]


class StudyError(Exception):
    """A job that cannot be run, or a folder that cannot be used; the text says why."""


@dataclass(frozen=True)
class Setup:
    """The options of the user. Numbers are 0 where the study may choose."""

    folder: Path
    quick: bool = False  # few seeds on easy games: a run takes seconds, not hours
    tier: int = 1  # how thorough the study is, from 1 to 3
    seeds: int = 0
    first_seed: int = 0
    playouts: int = 0
    clock: float = 0  # seconds a move in matches
    games: tuple[str, ...] = ()  # games to study in place of the usual ones
    parts: tuple[str, ...] = ()  # kinds of jobs; none: all

    def wants(self, part: str) -> bool:
        """True if jobs of this kind are to be run."""
        return not self.parts or part in self.parts

    def choose_games(self, usual: Sequence[str], quick: Sequence[str]) -> Sequence[str]:
        """The games to study."""
        return self.games or (quick if self.quick else usual)

    def seed_range(self, usual: int, quick: int) -> range:
        """The seeds to study."""
        return range(self.first_seed, self.first_seed + (self.seeds or (quick if self.quick else usual)))


@dataclass(frozen=True)
class Study:
    """A study: two lists of columns and three functions."""

    name: str
    summary: str
    keys: tuple[str, ...]  # columns that tell jobs apart
    values: tuple[str, ...]  # columns that a job fills in
    plan: Callable[[Setup], Iterable[Key]]  # the jobs, in the order in which they are to be run
    run: Callable[[Setup, Key], Sequence[object]]  # the values of a job, from the left; raises StudyError
    report: Callable[[Setup, Sequence[Row], Page], None]  # writes the page, maybe from some jobs only
    parts: tuple[str, ...] = ()  # kinds of jobs that can be chosen
    is_by_the_clock: bool = False  # true if jobs must not run at the same time

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of runs.csv."""
        return self.keys + self.values
