"""Games and their states. A Game has one workspace, so a lock orders the threads that ask it questions."""
from __future__ import annotations

import ctypes
import math
import os
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Optional

from marelle import _library as c
from marelle._library import lib

NOTATIONS = ("kif", "infix", "asp")
SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Diagnostic:
    """A message about rules; line and column count from 1, and are 0 if it is not about a text."""

    severity: str
    code: str
    file: str
    line: int
    column: int
    message: str
    hint: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message} [{self.code}]"


class RulesError(ValueError):
    """Rules that cannot be read or played; `diagnostics` tells why, with lines and columns."""

    def __init__(self, what: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join([what, *map(str, diagnostics)]))
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Playouts:
    """What random matches came to; a mean goal is None if no match gave the role one."""

    playouts: int
    stuck: int
    too_long: int
    turns: int
    cpu_seconds: float
    mean_goals: dict[str, Optional[float]]


def split_terms(text: str) -> tuple[str, ...]:
    """The terms of a list with blanks between them.

    >>> split_terms("(cell 1 (b c)) x")
    ('(cell 1 (b c))', 'x')
    """
    terms, depth, start = [], 0, 0
    for i, char in enumerate(text + " "):
        depth += (char == "(") - (char == ")")
        if char == " " and depth == 0:
            if i > start:
                terms.append(text[start:i])
            start = i + 1
    return tuple(terms)


class Game:
    """Rules made ready to be played, from a text in prefix or infix notation.

    >>> Game("(role a")
    Traceback (most recent call last):
    ...
    marelle._game.RulesError: malformed
    rules:1:1: error: this parenthesis is never closed: 1 `)` missing [unclosed-paren]
    """

    def __init__(self, text: str, *, name: str = "rules", build_seconds: float = 0, interpreter_only: bool = False):
        data = text.encode()
        self._build(lambda rules: lib.rules_read_text(name.encode(), data, len(data), rules), build_seconds,
                    interpreter_only)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, build_seconds: float = 0,
                  interpreter_only: bool = False) -> Game:
        """Reads a file."""
        game = cls.__new__(cls)
        name = os.fsencode(path)
        game._build(lambda rules: lib.rules_read_file(name, rules), build_seconds, interpreter_only)
        return game

    def _build(self, read: Any, build_seconds: float, interpreter_only: bool) -> None:
        if not (build_seconds >= 0 and math.isfinite(build_seconds)):
            raise ValueError("build_seconds must be a number from 0 on")
        rules, handle = ctypes.c_void_p(), ctypes.c_void_p()
        options = c.GameOptions(build_seconds=build_seconds, interpreter_only=interpreter_only)
        status = read(ctypes.byref(rules))
        self._rules, self._play = rules, ctypes.c_void_p()
        weakref.finalize(self, _free_game, self._play, handle, rules)
        if status == c.OK:
            status = lib.game_build(rules, ctypes.byref(options), ctypes.byref(handle))
        if status != c.OK:
            raise RulesError(lib.status_text(status).decode(), self._diagnostics())
        self._handle = handle
        self._play.value = lib.play_create(handle)
        self._lock = threading.RLock()
        count = lib.game_role_count(handle)
        self.roles: tuple[str, ...] = tuple(lib.game_role_name(handle, r).decode() for r in range(count))

    def _diagnostics(self) -> tuple[Diagnostic, ...]:
        found = []
        for i in range(lib.diagnostic_count(self._rules)):
            d = lib.diagnostic(self._rules, i)
            found.append(Diagnostic(SEVERITIES[d.severity], d.code.decode(), d.file.decode(errors="replace"), d.line,
                                    d.column, d.message.decode(errors="replace"), d.hint.decode(errors="replace")))
        return tuple(found)

    def check(self) -> tuple[Diagnostic, ...]:
        """What `marelle check` says about the rules."""
        with self._lock:
            lib.rules_check(self._rules)
            return self._diagnostics()

    def write(self, notation: str = "kif") -> str:
        """The rules as text: "kif", "infix" or "asp"."""
        if notation not in NOTATIONS:
            raise ValueError(f"the notation must be one of {', '.join(NOTATIONS)}")
        pointer = lib.rules_write(self._rules, NOTATIONS.index(notation))
        try:
            return ctypes.string_at(pointer).decode()
        finally:
            lib.text_free(pointer)

    @property
    def why_interpreted(self) -> Optional[str]:
        """None if the game has a circuit, else why it has none."""
        reason = lib.game_why_interpreted(self._handle)
        return reason.decode() if reason else None

    def role_number(self, role: str) -> int:
        """The number of a role, from 0."""
        if role not in self.roles:
            raise ValueError(f"there is no role {role!r}; the roles are {', '.join(self.roles)}")
        return self.roles.index(role)

    def move_number(self, role: str, move: str) -> int:
        """The number of a move, as environments have it."""
        with self._lock:
            number = int(lib.find_move(self._play, self.role_number(role), move.encode()))
        if number == c.NO_MOVE:
            raise ValueError(f"{role} has no move {move!r}")
        return number

    def move_text(self, role: str, number: int) -> str:
        """The text of the move with this number."""
        return self._move_text(self.role_number(role), number)

    def _move_text(self, role: int, number: int) -> str:
        with self._lock:
            text = lib.move_text(self._play, role, number) if 0 <= number < c.NO_MOVE else None
        if text is None:
            raise ValueError(f"{self.roles[role]} has no move with number {number}")
        return str(text.decode())

    def fluent_text(self, number: int) -> str:
        """The text of a fluent, by its bit in the observations of environments."""
        with self._lock:
            text = lib.fluent_text(self._play, number) if 0 <= number < c.NO_MOVE else None
        if text is None:
            raise ValueError(f"there is no fluent with number {number}")
        return str(text.decode())

    def _lines(self, line: Any, turns: int) -> tuple[tuple[str, ...], ...]:
        """A line of joint moves as texts."""
        roles = len(self.roles)
        return tuple(tuple(self._move_text(r, line[t * roles + r]) for r in range(roles)) for t in range(turns))

    def initial(self) -> State:
        """The initial state."""
        state = State(self)
        with self._lock:
            lib.initial(self._play, state._handle)
        return state

    def playouts(self, playouts: int = 0, *, seconds: float = 0, seed: int = 0, step_limit: int = 0) -> Playouts:
        """Plays random matches: so many, or for so many seconds."""
        if not (playouts >= 0 and seconds >= 0 and 0 <= step_limit < c.NO_MOVE):
            raise ValueError("playouts, seconds and step_limit must be numbers from 0 on")
        stopped = ctypes.c_bool(False)
        options = c.PlayoutOptions(playouts=playouts, seconds=seconds, seed=seed, step_limit=step_limit,
                                   stopped=ctypes.pointer(stopped))
        result, goals = c.PlayoutStatistics(), (ctypes.c_double * len(self.roles))()
        status = c.run_interruptibly(
            lambda: lib.playouts(self._handle, ctypes.byref(options), ctypes.byref(result), goals), stopped)
        if status != c.OK:
            raise ValueError("a number of playouts or of seconds must be given")
        means = {role: None if math.isnan(goal) else float(goal) for role, goal in zip(self.roles, goals)}
        return Playouts(result.playouts, result.stuck, result.too_long, result.turns, result.cpu_seconds, means)


def _free_game(play: Any, handle: Any, rules: Any) -> None:
    lib.play_free(play)
    lib.game_free(handle)
    lib.rules_free(rules)


class State:
    """A state of a game. It does not change; `play` makes another one. From Game.initial."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._handle = ctypes.c_void_p(lib.state_create())
        weakref.finalize(self, lib.state_free, self._handle)

    @property
    def is_terminal(self) -> bool:
        """True if the match is over."""
        with self.game._lock:
            return bool(lib.is_terminal(self.game._play, self._handle))

    def legal(self, role: str) -> tuple[str, ...]:
        """The legal moves of a role."""
        number = self.game.role_number(role)
        return tuple(self.game._move_text(number, move) for move in self._legal_numbers(number))

    def _legal_numbers(self, role: int) -> list[int]:
        moves = ctypes.POINTER(ctypes.c_uint32)()
        with self.game._lock:
            count = lib.legal(self.game._play, self._handle, role, ctypes.byref(moves))
            return moves[:count] if count else []

    def _joint(self, moves: tuple[str, ...]) -> Any:
        roles = self.game.roles
        if len(moves) != len(roles):
            raise ValueError(f"one move for each of {', '.join(roles)} must be given, not {len(moves)}")
        numbers = [self.game.move_number(role, move) for role, move in zip(roles, moves)]
        for i, role in enumerate(roles):
            if numbers[i] not in self._legal_numbers(i):
                raise ValueError(f"{moves[i]!r} is no legal move of {role} in this state")
        return (ctypes.c_uint32 * len(roles))(*numbers)

    def play(self, *moves: str) -> State:
        """The state after a joint move, one move per role in the order of the roles."""
        joint, result = self._joint(moves), State(self.game)
        with self.game._lock:
            lib.next(self.game._play, self._handle, joint, result._handle)
        return result

    def sees(self, role: str, *moves: str) -> tuple[str, ...]:
        """The percepts of a role when these moves are made (GDL-II)."""
        joint, number = self._joint(moves), self.game.role_number(role)
        with self.game._lock:
            return split_terms(lib.sees(self.game._play, self._handle, joint, number).decode())

    @property
    def goals(self) -> dict[str, Optional[int]]:
        """The goal of each role; None where the rules give none, or several."""
        with self.game._lock:
            found = [lib.goal(self.game._play, self._handle, r) for r in range(len(self.game.roles))]
        return {role: goal if goal >= 0 else None for role, goal in zip(self.game.roles, found)}

    @property
    def fluents(self) -> tuple[str, ...]:
        """What is true, sorted."""
        return split_terms(str(self))

    def __str__(self) -> str:
        with self.game._lock:
            return str(lib.state_text(self.game._play, self._handle).decode())

    def __repr__(self) -> str:
        return f"<State {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and other.game is self.game and bool(lib.state_equal(self._handle, other._handle))

    def __hash__(self) -> int:
        return int(lib.state_hash(self._handle))
