"""Matches among searches and functions, and a player of the game protocol without a socket."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence, Union

from marelle import _library as c
from marelle._game import Game, split_terms
from marelle._library import Handle, checked, lib, take_text, text_bytes, time, whole


@dataclass(frozen=True)
class Question:
    """A choice among several legal moves. `state` is None if something is hidden in the game; then `percepts` is what
    the role perceived since its last choice."""

    role: str
    state: Optional[tuple[str, ...]]
    percepts: tuple[str, ...]
    legal: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """A match that was played; `json` is its record, as `marelle match --json`."""

    is_completed: bool
    goals: dict[str, Optional[int]]
    turns: int
    errors: int
    json: dict[str, Any] = field(repr=False)


Chooser = Callable[[Question], str]
_NO_CHOICE = (1 << 8 * ctypes.sizeof(ctypes.c_size_t)) - 1


class _Table:
    """The functions of a match as callbacks, and the first exception among them, which ends the match."""

    def __init__(self) -> None:
        self.stopped = ctypes.c_bool(False)
        self.failed: list[BaseException] = []
        self.kept: list[Any] = []

    def _fail(self, error: BaseException) -> None:
        self.failed.append(error)
        self.stopped.value = True

    def chooser(self, choose: Chooser) -> Any:
        def ask(_context: Any, pointer: Any) -> int:
            try:
                q = pointer.contents
                legal = tuple(q.legal[i].decode() for i in range(q.legal_count))
                state = split_terms(q.state.decode()) if q.state is not None else None
                move = choose(Question(q.role_name.decode(), state, split_terms((q.percepts or b"").decode()), legal))
                if move not in legal:
                    raise ValueError(f"{move!r} is no legal move of {q.role_name.decode()}")
                return legal.index(move)
            except BaseException as error:  # it must not cross the library
                self._fail(error)
                return _NO_CHOICE
        self.kept.append(c.Chooser(ask))
        return self.kept[-1]

    def watcher(self, watch: Callable[[int, tuple[str, ...], tuple[str, ...]], None], roles: int) -> Any:
        def tell(_context: Any, turn: int, moves: Any, state: bytes) -> None:
            try:
                watch(turn, tuple(moves[r].decode() for r in range(roles)), split_terms(state.decode()))
            except BaseException as error:
                self._fail(error)
        self.kept.append(c.MatchWatcher(tell))
        return self.kept[-1]


def match(game: Game, players: Sequence[Union[str, Chooser]], *, startclock: float = 0, playclock: float = 0,
          seed: int = 0, step_limit: int = 0, cpu_clock: bool = False,
          watch: Optional[Callable[[int, tuple[str, ...], tuple[str, ...]], None]] = None) -> Match:
    """Plays a match. There is a player for each role but `random`: a search, NAME[:key=value,...], or a function that
    takes a Question and returns a legal move. With `cpu_clock`, the play clock of searches is CPU time. `watch` is
    called after each turn with its number, the moves and the state. An exception in a function ends the match and is raised.

    >>> game = Game.from_file("games/tic_tac_toe.kif")
    >>> match(game, ["uct:playouts=100", lambda question: question.legal[0]], seed=1).is_completed
    True
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    table, problem, found = _Table(), c.Problem(), ctypes.POINTER(c.Match)()
    seats = (c.Seat * max(1, len(players)))()
    for seat, player in zip(seats, players):
        if callable(player):
            seat.choose = table.chooser(player)
            seat.name = getattr(player, "__name__", type(player).__name__).encode()
        else:
            seat.name = text_bytes(player, "a player")
    options = c.MatchOptions(startclock=time(startclock, "startclock"), playclock=time(playclock, "playclock"),
                             seed=whole(seed, "seed"), step_limit=whole(step_limit, "step_limit", c.NO_MOVE),
                             cpu_clock=bool(cpu_clock), stopped=ctypes.pointer(table.stopped))
    if watch is not None:
        options.watch = table.watcher(watch, len(game.roles))
    status = c.run_interruptibly(
        lambda: lib.match_play(game._handle.pointer, seats, len(players), ctypes.byref(options), ctypes.byref(found),
                               ctypes.byref(problem)), table.stopped)
    try:
        if table.failed:
            raise table.failed[0]
        c.raise_problem(status, problem)
        m = found.contents
        goals = {role: m.goals[r] if m.goals[r] >= 0 else None for r, role in enumerate(game.roles)}
        return Match(m.is_completed, goals, m.turns, m.error_count, json.loads(m.json))
    finally:
        lib.match_free(found)


class Player:
    """A player of the game protocol: it takes a message of a manager and answers it. Threads may share it.

    >>> player = Player("random", seed=1)
    >>> player.answer("(INFO)")
    'available'
    """

    def __init__(self, strategy: str = "auto", *, margin: float = 0, rests: bool = False, never_learns: bool = False,
                 seed: int = 0, threads: int = 0) -> None:
        options = c.PlayerOptions(strategy=text_bytes(strategy, "the strategy"), margin=time(margin, "margin"),
                                  rests=bool(rests), never_learns=bool(never_learns), seed=whole(seed, "seed"),
                                  threads=whole(threads, "threads", 1024))
        pointer = ctypes.c_void_p()
        checked(lib.player_create, ctypes.byref(options), ctypes.byref(pointer))
        self._handle = Handle("player", lib.player_free, pointer)

    def answer(self, message: str) -> str:
        """The answer to a message, such as (START ...) or (PLAY ...). Raises a ValueError if it is no message."""
        data, pointer = text_bytes(message, "a message"), ctypes.c_void_p()
        status = lib.player_answer(self._handle.pointer, data, len(data), ctypes.byref(pointer))
        answer = take_text(pointer)
        if status != c.OK:
            raise ValueError(answer)
        return answer

    def close(self) -> None:
        """Ends its searches and frees it."""
        self._handle.close()
