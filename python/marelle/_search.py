"""Searching and solving. Long calls run in a thread of their own, so that Ctrl-C stops them."""
from __future__ import annotations

import ctypes
import json
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence

from marelle import _library as c
from marelle._game import Game, State
from marelle._library import Handle, lib, text_bytes, time, whole
from marelle._models import Model


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
    """The values of a game; `reason` tells why it is not solved. With one role, the value is the best goal that was
    found, and the line leads to it. `json` is a run of `marelle solve --json`."""

    solved: bool
    reason: str
    method: str
    values: dict[str, float]
    line: tuple[tuple[str, ...], ...]
    states: int
    cpu_seconds: float
    playouts: int
    decomposition_cpu_seconds: float
    json: dict[str, Any] = field(repr=False)


def _run_with_budget(call: Callable[[Any, Any], Any], seconds: float, playouts: int, size: int,
                     cpu_seconds: float = 0) -> None:
    """Makes the call with a budget that an interrupt of this thread ends, and raises its problem."""
    stopped, problem = ctypes.c_bool(False), c.Problem()
    budget = c.Budget(seconds=time(seconds), playouts=whole(playouts, "playouts"), bytes=whole(size, "bytes"),
                      cpu_seconds=time(cpu_seconds, "cpu_seconds"), stopped=ctypes.pointer(stopped))
    c.raise_problem(c.run_interruptibly(lambda: call(ctypes.byref(budget), ctypes.byref(problem)), stopped), problem)


def _expect_state(state: Any, game: Game) -> None:
    if not isinstance(state, State):
        raise TypeError(f"a State is needed, not {type(state).__name__}")
    if state.game is not game:
        raise ValueError("the state belongs to another game")


def methods() -> list[dict[str, Any]]:
    """All searches with their options, types, defaults and ranges.

    >>> [method["name"] for method in methods()][:2]
    ['auto', 'uct']
    """
    return list(json.loads(c.take_text(lib.search_methods()))["searches"])


class Search:
    """A search for one role, which goes on from position to position. `method` is NAME[:key=value,...].

    >>> game = Game.from_file("games/tic_tac_toe.kif")
    >>> one = Search(game, "o", "uct:seed=1")
    >>> one.advance("(mark 2 2)", "noop")
    >>> len(one.run(playouts=100).moves)
    8
    """

    def __init__(self, game: Game, role: str, method: str = "auto", *, model: Optional[Model] = None) -> None:
        self.game, self.role = game, role
        self._role = game.role_number(role)
        self._lock = threading.Lock()
        if model is not None and not isinstance(model, Model):
            raise TypeError(f"a Model is needed, not {type(model).__name__}")
        pointer = ctypes.c_void_p()
        c.checked(lib.search_create, game._handle.pointer, self._role, text_bytes(method, "the method"),
                  model._handle.pointer if model else None, ctypes.byref(pointer))
        self._handle = Handle("search", lib.search_free, pointer, game._handle)

    def set_state(self, state: State) -> None:
        """Goes on in any state of the same game."""
        _expect_state(state, self.game)
        with self._lock:
            c.checked(lib.search_set_state, self._handle.pointer, state._handle.pointer)

    def advance(self, *moves: str) -> None:
        """Goes on after a joint move and keeps what is known below it."""
        roles = self.game.roles
        if len(moves) != len(roles):
            raise ValueError(f"one move for each of {', '.join(roles)} must be given, not {len(moves)}")
        numbers = [self.game.move_number(role, move) for role, move in zip(roles, moves)]
        with self._lock:
            c.checked(lib.search_advance, self._handle.pointer, (ctypes.c_uint32 * len(roles))(*numbers))

    def observe(self, move: str, percepts: Sequence[str] = (), *, seconds: float = 1) -> None:
        """With hidden information: the role made this move and saw these percepts, and the match goes on."""
        number = self.game.move_number(self.role, move)
        text = b" ".join(text_bytes(percept, "a percept") for percept in percepts)
        with self._lock:
            _run_with_budget(
                lambda budget, problem: lib.search_observe(self._handle.pointer, number, text, budget, problem),
                seconds, 0, 0)

    def prepare(self, *, seconds: float = 0, playouts: int = 0, cpu_seconds: float = 0) -> str:
        """Lets a search that chooses between methods find out how to play. Returns its choice in words; "" if it made
        none."""
        with self._lock:
            _run_with_budget(lambda budget, problem: lib.search_prepare(self._handle.pointer, budget, problem), seconds,
                             playouts, 0, cpu_seconds)
            return str(lib.search_choice(self._handle.pointer).decode())

    def close(self) -> None:
        """Frees the memory of the search, which cannot be used any more."""
        with self._lock:
            self._handle.close()

    def run(self, *, seconds: float = 0, playouts: int = 0, cpu_seconds: float = 0) -> SearchResult:
        """Searches for so many seconds, playouts or seconds of CPU time; without all of these, for a second."""
        if not seconds and not playouts and not cpu_seconds:
            seconds = 1
        with self._lock:
            _run_with_budget(lambda budget, problem: lib.search_run(self._handle.pointer, budget, problem), seconds,
                             playouts, 0, cpu_seconds)
            return self._result()

    def _result(self) -> SearchResult:
        r = lib.search_result(self._handle.pointer).contents
        text = self.game._move_text
        moves = tuple(MoveValue(text(self._role, m.move), m.value, m.visits, m.is_proven)
                      for m in r.moves[:r.move_count]) if r.move_count else ()
        return SearchResult(None if r.best == c.NO_MOVE else text(self._role, r.best), r.is_decided, moves,
                            self.game._lines(r.line, r.line_turns), r.playouts, r.nodes, r.depth, r.cpu_seconds,
                            r.belief_states, r.is_belief_exact)


def search(game: Game, role: str, *, method: str = "auto", model: Optional[Model] = None,
           state: Optional[State] = None, seconds: float = 0, playouts: int = 0,
           cpu_seconds: float = 0) -> SearchResult:
    """Searches one position; without a state, the initial one."""
    one = Search(game, role, method, model=model)
    if state is not None:
        one.set_state(state)
    return one.run(seconds=seconds, playouts=playouts, cpu_seconds=cpu_seconds)


def solving_methods() -> list[dict[str, Any]]:
    """All ways to solve a game with their options, types, defaults and ranges.

    >>> [method["name"] for method in solving_methods()]
    ['auto', 'exact', 'plan', 'nmcs', 'nrpa', 'uct', 'uct1', 'mtmcts', 'cds']
    """
    return list(json.loads(c.take_text(lib.solving_methods()))["methods"])


def solve(game: Game, *, method: str = "exact", state: Optional[State] = None, seconds: Optional[float] = None,
          cpu_seconds: float = 0, playouts: int = 0, bytes: int = 1 << 32) -> Solution:
    """Solves the game from the state, within a budget of time, playouts and memory; by default, of ten seconds. The
    method is NAME[:key=value,...]; all but "exact" and "auto" are for games with one role.

    >>> game = Game.from_file("games/queens_guided.kif")
    >>> found = solve(game, method="mtmcts:seed=1", playouts=20000)
    >>> found.solved, found.values, len(found.line)
    (True, {'player': 100.0}, 8)
    """
    if state is not None:
        _expect_state(state, game)
    if seconds is None:
        seconds = 0 if cpu_seconds or playouts else 10
    found = ctypes.POINTER(c.Solution)()
    start = state._handle.pointer if state is not None else None
    name = text_bytes(method, "the method")
    _run_with_budget(
        lambda budget, problem: lib.solve_by(game._handle.pointer, start, name, budget, ctypes.byref(found), problem),
        seconds, playouts, bytes, cpu_seconds)
    try:
        s = found.contents
        values = dict(zip(game.roles, s.values[:s.value_count])) if s.value_count else {}
        return Solution(s.is_solved, s.reason.decode(), s.method.decode(), values, game._lines(s.line, s.line_turns),
                        s.states, s.cpu_seconds, s.playouts, s.decomposition_cpu_seconds, json.loads(s.json))
    finally:
        lib.solution_free(found)
