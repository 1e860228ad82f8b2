"""Two searches against each other with equal time or playouts per move, in one process. The first side plays one seat,
which changes from match to match; the second side plays the others."""
from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from marelle import Game, Search, SearchResult, State

from experiments.study import StudyError


@dataclass(frozen=True)
class Limit:
    """What a side may use: seconds a move, of the processor or by the clock, or playouts a move; and seconds of the
    processor before the first move."""

    seconds: float = 0
    playouts: int = 0
    start_seconds: float = 0
    is_by_the_clock: bool = False

    def think(self, search: Search) -> SearchResult:
        """Lets a search choose a move."""
        if self.playouts:
            return search.run(playouts=self.playouts)
        if self.is_by_the_clock:
            return search.run(seconds=self.seconds)
        return search.run(cpu_seconds=self.seconds)


@dataclass
class Side:
    """What a side has at the end. Only moves where it had a choice are counted."""

    goal: float = 0  # the mean over its seats
    playouts: int = 0
    moves: int = 0

    @property
    def playouts_per_move(self) -> float:
        """The mean."""
        return self.playouts / max(1, self.moves)


def with_option(method: str, option: str) -> str:
    """A method with another option.

    >>> with_option("uct", "seed=1"), with_option("uct:batch=1", "seed=1")
    ('uct:seed=1', 'uct:batch=1,seed=1')
    """
    return method + ("," if ":" in method else ":") + option


def seats_of(game: Game) -> list[str]:
    """The roles that are played; `random` is chance."""
    return [role for role in game.roles if role != "random"]


def _choose(game: Game, state: State, role: str, search: Optional[Search], side: Side, limit: Limit,
            chance: random.Random) -> str:
    legal = state.legal(role)
    if not legal:
        raise StudyError(f"{role} has no legal move")
    guess = chance.choice(legal)
    if search is None or len(legal) == 1:
        return guess
    found = limit.think(search)
    side.playouts += found.playouts
    side.moves += 1
    return found.best or guess


def play(game: Game, methods: Sequence[str], number: int, limit: Limit) -> tuple[Side, Side]:
    """Plays match `number`, which determines the seeds. In match 0 the first method has the first seat, in match 1 the
    second one, and so on."""
    seats, first_seed = seats_of(game), number * len(game.roles)
    if len(seats) < 2 or game.hides:
        raise StudyError("the study is about games of several roles that hide nothing")
    own_seat = seats[number % len(seats)]
    sides = (Side(), Side())
    side_of = {role: sides[role != own_seat] for role in seats}
    searches = {role: Search(game, role, with_option(methods[role != own_seat], f"seed={first_seed + i}"))
                for i, role in enumerate(game.roles) if role in seats}
    if limit.start_seconds:
        for search in searches.values():
            search.prepare(cpu_seconds=limit.start_seconds)
    chance, state = random.Random(first_seed), game.initial()
    while not state.is_terminal:
        moves = [_choose(game, state, role, searches.get(role), side_of.get(role, Side()), limit, chance)
                 for role in game.roles]
        state = state.play(*moves)
        for search in searches.values() if not state.is_terminal else ():
            search.advance(*moves)
    for role in seats:
        side_of[role].goal += (state.goals[role] or 0) / (1 if role == own_seat else len(seats) - 1)
    return sides
