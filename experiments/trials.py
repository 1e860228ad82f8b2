"""Matches between two searches that differ in a model, as studies of learning count them."""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from marelle import Model

from experiments.tables import Row

WORTH_MAX_PLAYOUTS = 128  # a worth above that is not measured


@dataclass(frozen=True)
class Trial:
    """Results of the first side."""

    matches: int = 0
    wins: int = 0
    draws: int = 0

    @classmethod
    def of_model(cls, model: Model) -> Trial:
        """The trial that a model knows."""
        return cls(model.matches, model.wins, model.draws)

    @classmethod
    def of(cls, row: Row) -> Trial:
        """The columns of a row."""
        return cls(row.count("matches"), row.count("wins"), row.count("draws"))

    def __add__(self, other: Trial) -> Trial:
        return Trial(self.matches + other.matches, self.wins + other.wins, self.draws + other.draws)

    @property
    def share(self) -> float:
        """The share of points; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else 0.5

    @property
    def error(self) -> float:
        """The standard error of the share, with half a match of each kind added."""
        if self.matches < 2:
            return 0.5
        losses = self.matches - self.wins - self.draws
        squares = (self.wins * (1 - self.share) * (1 - self.share) + self.draws * (0.5 - self.share) * (0.5 - self.share)
                   + losses * self.share * self.share)
        return math.sqrt((squares + 0.25) / self.matches / self.matches)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return self.share - 1.96 * self.error, self.share + 1.96 * self.error

    @property
    def interval(self) -> str:
        """The 95 % interval in per cent."""
        low, high = self.bounds
        return f"{100 * low:.1f} to {100 * high:.1f}"

    @property
    def text(self) -> str:
        """The share of how many matches."""
        return f"{100 * self.share:.1f} % of {self.matches}"


# A model that can be learnt in a start clock: its hidden units with two outputs fill one vector of 16 floats.
LEARNER = "mlp:counts=1,hidden=14"


def use_of(model: Model) -> str:
    """Whether the model judges leaves alone, half of a leaf's value are random matches, or it only foresees moves."""
    return "judged" if "cutoff=0," in model.use else "foreseen" if model.use.endswith("mix=0") else "mixed"


def total(trials: Iterable[Trial]) -> Trial:
    """All of them together."""
    return sum(trials, Trial())
