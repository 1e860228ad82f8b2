"""Searching and solving. Long calls run in a thread of their own, so that Ctrl-C stops them."""
from __future__ import annotations

import ctypes
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Optional

from marelle import _library as c
from marelle._game import Game, State
from marelle._library import lib


@dataclass(frozen=True)
class MoveValue:
    """A move with its expected goal from 0 to 100, and how often it was tried."""

    move: str
    value: float
    visits: int
    proven: bool


@dataclass(frozen=True)
class SearchResult:
    """What a search knows: the best move, all moves with the best first, and the expected line of play."""

    best: Optional[str]
    decided: bool
    moves: tuple[MoveValue, ...]
    line: tuple[tuple[str, ...], ...]
    playouts: int
    nodes: int
    depth: int
    cpu_seconds: float
    belief_states: int
    belief_exact: bool


@dataclass(frozen=True)
class Solution:
    """The exact values; `reason` tells why there are none if the game is not solved."""

    solved: bool
    reason: str
    method: str
    values: dict[str, float]
    line: tuple[tuple[str, ...], ...]
    states: int
    cpu_seconds: float


def _run_with_budget(call: Callable[[Any], int], seconds: float, playouts: int, size: int) -> int:
    """Runs the call with a budget that an interrupt of this thread ends."""
    if not (seconds >= 0 and playouts >= 0 and size >= 0):
        raise ValueError("seconds, playouts and bytes must be numbers from 0 on")
    stopped = ctypes.c_bool(False)
    budget = c.Budget(seconds=seconds, playouts=playouts, bytes=size, stopped=ctypes.pointer(stopped))
    return c.run_interruptibly(lambda: call(ctypes.byref(budget)), stopped)


class Search:
    """A search for one role, which goes on from position to position. `method` is NAME[:key=value,...].

    >>> game = Game.from_file("games/tic_tac_toe.kif")
    >>> one = Search(game, "o", "uct:seed=1")
    >>> one.advance("(mark 2 2)", "noop")
    >>> len(one.run(playouts=100).moves)
    8
    """

    def __init__(self, game: Game, role: str, method: str = "auto") -> None:
        self.game, self.role = game, role
        self._role = game.role_number(role)
        self._handle = ctypes.c_void_p()
        self._lock = threading.Lock()
        status = lib.search_create(game._handle, self._role, method.encode(), ctypes.byref(self._handle))
        weakref.finalize(self, _free_search, self._handle, game)
        self._expect(status)

    def _expect(self, status: int) -> None:
        if status != c.OK:
            raise ValueError(lib.search_problem(self._handle).decode())

    def set_state(self, state: State) -> None:
        """Goes on in any state of the same game."""
        if state.game is not self.game:
            raise ValueError("the state belongs to another game")
        with self._lock:
            self._expect(lib.search_set_state(self._handle, state._handle))

    def advance(self, *moves: str) -> None:
        """Goes on after a joint move and keeps what is known below it."""
        roles = self.game.roles
        if len(moves) != len(roles):
            raise ValueError(f"one move for each of {', '.join(roles)} must be given, not {len(moves)}")
        numbers = [self.game.move_number(role, move) for role, move in zip(roles, moves)]
        with self._lock:
            self._expect(lib.search_advance(self._handle, (ctypes.c_uint32 * len(roles))(*numbers)))

    def observe(self, move: str, percepts: tuple[str, ...] = (), *, seconds: float = 1) -> None:
        """With hidden information: the role made this move and saw these percepts, and the match goes on."""
        number, text = self.game.move_number(self.role, move), " ".join(percepts).encode()
        with self._lock:
            self._expect(_run_with_budget(lambda budget: lib.search_observe(self._handle, number, text, budget),
                                          seconds, 0, 0))

    def run(self, *, seconds: float = 0, playouts: int = 0) -> SearchResult:
        """Searches for so many seconds or playouts; with neither, for a second."""
        if not seconds and not playouts:
            seconds = 1
        with self._lock:
            self._expect(_run_with_budget(lambda budget: lib.search_run(self._handle, budget), seconds, playouts, 0))
            return self._result()

    def _result(self) -> SearchResult:
        r = lib.search_result(self._handle).contents
        text = self.game._move_text
        moves = tuple(MoveValue(text(self._role, m.move), m.value, m.visits, m.is_proven)
                      for m in r.moves[:r.move_count]) if r.move_count else ()
        return SearchResult(None if r.best == c.NO_MOVE else text(self._role, r.best), r.is_decided, moves,
                            self.game._lines(r.line, r.line_turns), r.playouts, r.nodes, r.depth, r.cpu_seconds,
                            r.belief_states, r.is_belief_exact)


def _free_search(handle: Any, _game: Game) -> None:
    """The game is an argument so that it outlives the search."""
    lib.search_free(handle)


def search(game: Game, role: str, *, method: str = "auto", state: Optional[State] = None, seconds: float = 0,
           playouts: int = 0) -> SearchResult:
    """Searches one position; without a state, the initial one."""
    one = Search(game, role, method)
    if state is not None:
        one.set_state(state)
    return one.run(seconds=seconds, playouts=playouts)


def solve(game: Game, *, state: Optional[State] = None, seconds: float = 10, bytes: int = 1 << 32) -> Solution:
    """Solves the game exactly from the state, within a budget of time and memory."""
    if state is not None and state.game is not game:
        raise ValueError("the state belongs to another game")
    found = ctypes.POINTER(c.Solution)()
    start = state._handle if state is not None else None
    status = _run_with_budget(lambda budget: lib.solve(game._handle, start, budget, ctypes.byref(found)), seconds, 0,
                              bytes)
    if status != c.OK:
        raise ValueError("the budget is empty")
    try:
        s = found.contents
        values = dict(zip(game.roles, s.values[:s.value_count])) if s.value_count else {}
        return Solution(s.is_solved, s.reason.decode(), s.method.decode(), values, game._lines(s.line, s.line_turns),
                        s.states, s.cpu_seconds)
    finally:
        lib.solution_free(found)
