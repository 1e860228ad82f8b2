"""Games and their states. A Game has one workspace, so a lock orders the threads that ask it questions."""
from __future__ import annotations

import ctypes
import json
import math
import os
import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional

from marelle import _library as c
from marelle._library import Handle, checked, lib, path_bytes, take_text, text_bytes, time, whole

NOTATIONS = ("kif", "infix", "asp", "plan")
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


@dataclass(frozen=True)
class Count:
    """Different positions after a number of turns, and sequences of joint moves that lead to them."""

    positions: int
    terminal_positions: int
    sequences: int
    terminal_sequences: int
    stuck_positions: int


@dataclass(frozen=True)
class TraceCheck:
    """How recorded matches compare with a game, and the place of the first difference."""

    is_equal: bool
    matches: int
    steps: int
    match: int
    line: int
    difference: str


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

    def __init__(self, text: str, *, name: str = "rules", build_seconds: float = 0,
                 interpreter_only: bool = False, kernel: Optional[str] = None) -> None:
        data, title = text_bytes(text, "the rules"), text_bytes(name, "the name")
        self._build(lambda rules: lib.rules_read_text(title, data, len(data), rules), build_seconds, interpreter_only,
                    kernel)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, build_seconds: float = 0,
                  interpreter_only: bool = False, kernel: Optional[str] = None) -> Game:
        """Reads a file."""
        game = cls.__new__(cls)
        name = path_bytes(path)
        game._build(lambda rules: lib.rules_read_file(name, rules), build_seconds, interpreter_only, kernel)
        return game

    def _build(self, read: Callable[[Any], Any], build_seconds: float, interpreter_only: bool,
               kernel: Optional[str]) -> None:
        options = c.GameOptions(build_seconds=time(build_seconds, "build_seconds"),
                                interpreter_only=bool(interpreter_only),
                                kernel=None if kernel is None else text_bytes(kernel, "the kernel"))
        rules, handle, stopped = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_bool(False)
        options.stopped = ctypes.pointer(stopped)
        status = read(ctypes.byref(rules))
        self._rules = Handle("game", lib.rules_free, rules)
        if status == c.OK:
            status = c.run_interruptibly(
                lambda: lib.game_build(rules, ctypes.byref(options), ctypes.byref(handle)), stopped)
        if status != c.OK:
            raise RulesError(lib.status_text(status).decode(), self._diagnostics())
        self._handle = Handle("game", lib.game_free, handle)
        self._play = Handle("game", lib.play_free, ctypes.c_void_p(lib.play_create(handle)), self._handle)
        self._lock = threading.RLock()
        self._board: Optional[Board] = None
        count = lib.game_role_count(handle)
        self.roles: tuple[str, ...] = tuple(lib.game_role_name(handle, r).decode() for r in range(count))

    def _diagnostics(self) -> tuple[Diagnostic, ...]:
        found = []
        for i in range(lib.diagnostic_count(self._rules.pointer)):
            d = lib.diagnostic(self._rules.pointer, i)
            found.append(Diagnostic(SEVERITIES[d.severity], d.code.decode(), d.file.decode(errors="replace"), d.line,
                                    d.column, d.message.decode(errors="replace"), d.hint.decode(errors="replace")))
        return tuple(found)

    def check(self) -> tuple[Diagnostic, ...]:
        """What `marelle check` says about the rules."""
        with self._lock:
            lib.rules_check(self._rules.pointer)
            return self._diagnostics()

    def write(self, notation: str = "kif") -> str:
        """The rules as text: "kif", "infix", "asp" or "plan", a task for clingo."""
        if notation not in NOTATIONS:
            raise ValueError(f"the notation must be one of {', '.join(NOTATIONS)}")
        return take_text(lib.rules_write(self._rules.pointer, NOTATIONS.index(notation)))

    def info(self) -> dict[str, Any]:
        """Sizes, predicates and recursion of the rules, as `marelle info --json`.

        >>> Game.from_file("games/tic_tac_toe.kif").info()["moves"]
        20
        """
        return dict(json.loads(take_text(lib.rules_info(self._rules.pointer))))

    def ground(self, *, seconds: float = 0, bytes: int = 0) -> dict[str, Any]:
        """Counts the rules with their variables replaced, as `marelle ground --json`."""
        pointer, stopped, problem = ctypes.c_void_p(), ctypes.c_bool(False), c.Problem()
        budget = c.Budget(seconds=time(seconds), bytes=whole(bytes, "bytes"), stopped=ctypes.pointer(stopped))
        c.raise_problem(c.run_interruptibly(
            lambda: lib.rules_ground(self._rules.pointer, ctypes.byref(budget), ctypes.byref(pointer),
                                     ctypes.byref(problem)), stopped), problem)
        return dict(json.loads(take_text(pointer)))

    def check_trace(self, path: str | os.PathLike[str]) -> TraceCheck:
        """Compares recorded matches with the game, as `marelle trace-check`.

        >>> Game.from_file("games/tic_tac_toe.kif").check_trace("games/tic_tac_toe.trace").is_equal
        True
        """
        r = c.TraceCheck()
        checked(lib.trace_check, self._handle.pointer, path_bytes(path), ctypes.byref(r))
        return TraceCheck(r.is_equal, r.matches, r.steps, r.match, r.line, r.difference.decode(errors="replace"))

    def circuit(self) -> Optional[dict[str, Any]]:
        """Sizes of the circuit; None if there is none."""
        text = lib.game_circuit(self._handle.pointer)
        return dict(json.loads(take_text(text))) if text else None

    def write_circuit(self, path: str | os.PathLike[str], format: str = "aiger") -> None:
        """Writes the circuit to a file, in the format "aiger" or "dot"."""
        checked(lib.game_write_circuit, self._handle.pointer, text_bytes(format, "the format"), path_bytes(path))

    def count(self, depth: int, *, seconds: float = 0, bytes: int = 0) -> list[Count]:
        """Counts positions and sequences of joint moves by depth, from 0 to `depth`, as `marelle perft`.

        >>> [count.positions for count in Game.from_file("games/tic_tac_toe.kif").count(3)]
        [1, 9, 72, 252]
        """
        rows = (c.Count * (whole(depth, "the depth", 1 << 20) + 1))()
        counted, stopped = ctypes.c_uint32(), ctypes.c_bool(False)
        budget = c.Budget(seconds=time(seconds), bytes=whole(bytes, "bytes"), stopped=ctypes.pointer(stopped))
        problem = c.Problem()
        status = c.run_interruptibly(lambda: lib.count(self._handle.pointer, depth, ctypes.byref(budget), rows,
                                                       ctypes.byref(counted), ctypes.byref(problem)), stopped)
        c.raise_problem(status, problem)
        return [Count(r.positions, r.terminal_positions, r.sequences, r.terminal_sequences, r.stuck_positions)
                for r in rows[:counted.value]]

    @property
    def board(self) -> Board:
        """What is recognised as boards, heaps and counters."""
        with self._lock:
            if self._board is None:
                self._board = Board(self)
            return self._board

    @property
    def why_interpreted(self) -> Optional[str]:
        """None if the game has a circuit, else why it has none."""
        reason = lib.game_why_interpreted(self._handle.pointer)
        return reason.decode() if reason else None

    @property
    def hides(self) -> bool:
        """True if roles do not see the state, but percepts alone (GDL-II)."""
        return bool(lib.game_hides(self._handle.pointer))

    def move_count(self, role: str) -> int:
        """Moves of the role have numbers below this one; without a circuit, those met so far."""
        return int(lib.game_move_count(self._handle.pointer, self.role_number(role)))

    @property
    def fluent_count(self) -> int:
        """Fluents have numbers below this one; without a circuit, those met so far."""
        return int(lib.game_fluent_count(self._handle.pointer))

    def role_number(self, role: str) -> int:
        """The number of a role, from 0."""
        if not isinstance(role, str):
            raise TypeError(f"a role is named by a str, not {type(role).__name__}")
        if role not in self.roles:
            raise ValueError(f"there is no role {role!r}; the roles are {', '.join(self.roles)}")
        return self.roles.index(role)

    def move_number(self, role: str, move: str) -> int:
        """The number of a move, as environments have it."""
        with self._lock:
            number = int(lib.find_move(self._play.pointer, self.role_number(role), text_bytes(move, "a move")))
        if number == c.NO_MOVE:
            raise ValueError(f"{role} has no move {move!r}")
        return number

    def move_text(self, role: str, number: int) -> str:
        """The text of the move with this number."""
        return self._move_text(self.role_number(role), number)

    def _move_text(self, role: int, number: int) -> str:
        whole(number, "the number of a move", (1 << 64) - 1, -(1 << 64))
        with self._lock:
            text = lib.move_text(self._play.pointer, role, number) if 0 <= number < c.NO_MOVE else None
        if text is None:
            raise ValueError(f"{self.roles[role]} has no move with number {number}")
        return str(text.decode())

    def fluent_text(self, number: int) -> str:
        """The text of a fluent, by its bit in the observations of environments."""
        whole(number, "the number of a fluent", (1 << 64) - 1, -(1 << 64))
        with self._lock:
            text = lib.fluent_text(self._play.pointer, number) if 0 <= number < c.NO_MOVE else None
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
            lib.initial(self._play.pointer, state._handle.pointer)
        return state

    def playouts(self, playouts: int = 0, *, seconds: float = 0, seed: int = 0, step_limit: int = 0,
                 threads: int = 0, gpu: bool = False, state: Optional[State] = None) -> Playouts:
        """Plays random matches, so many or for so many seconds: from the initial state, where they are played 512 at a
        time, or one by one from another state.

        >>> game = Game.from_file("games/tic_tac_toe.kif")
        >>> game.playouts(100, seed=1, state=game.initial().play("(mark 2 2)", "noop")).playouts
        100
        """
        if state is not None and (not isinstance(state, State) or state.game is not self):
            raise ValueError("the state belongs to another game")
        stopped = ctypes.c_bool(False)
        options = c.PlayoutOptions(playouts=whole(playouts, "playouts"), seconds=time(seconds),
                                   seed=whole(seed, "seed"), step_limit=whole(step_limit, "step_limit", c.NO_MOVE),
                                   threads=whole(threads, "threads", 1024), gpu=bool(gpu),
                                   stopped=ctypes.pointer(stopped))
        if state is not None:
            setattr(options, "from", state._handle.pointer)
        result, goals = c.PlayoutStatistics(), (ctypes.c_double * len(self.roles))()
        status = c.run_interruptibly(
            lambda: lib.playouts(self._handle.pointer, ctypes.byref(options), ctypes.byref(result), goals), stopped)
        if status == c.UNFIT:
            raise c.UnfitError("no GPU can play this game")
        if status != c.OK:
            raise ValueError("a number of playouts or of seconds must be given; a GPU begins in the initial state")
        means = {role: None if math.isnan(goal) else float(goal) for role, goal in zip(self.roles, goals)}
        return Playouts(result.playouts, result.stuck, result.too_long, result.turns, result.cpu_seconds, means)


class State:
    """A state of a game. It does not change; `play` makes another one. From Game.initial."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._handle = Handle("state", lib.state_free, ctypes.c_void_p(lib.state_create()))

    @property
    def is_terminal(self) -> bool:
        """True if the match is over."""
        with self.game._lock:
            return bool(lib.is_terminal(self.game._play.pointer, self._handle.pointer))

    def legal(self, role: str) -> tuple[str, ...]:
        """The legal moves of a role."""
        number = self.game.role_number(role)
        return tuple(self.game._move_text(number, move) for move in self._legal_numbers(number))

    def legal_numbers(self, role: str) -> list[int]:
        """The numbers of the legal moves of a role, as environments have them."""
        return self._legal_numbers(self.game.role_number(role))

    def _legal_numbers(self, role: int) -> list[int]:
        moves = ctypes.POINTER(ctypes.c_uint32)()
        with self.game._lock:
            count = lib.legal(self.game._play.pointer, self._handle.pointer, role, ctypes.byref(moves))
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
            lib.next(self.game._play.pointer, self._handle.pointer, joint, result._handle.pointer)
        return result

    def sees(self, role: str, *moves: str) -> tuple[str, ...]:
        """The percepts of a role when these moves are made (GDL-II)."""
        joint, number = self._joint(moves), self.game.role_number(role)
        with self.game._lock:
            return split_terms(lib.sees(self.game._play.pointer, self._handle.pointer, joint, number).decode())

    @property
    def goals(self) -> dict[str, Optional[int]]:
        """The goal of each role; None where the rules give none, or several."""
        with self.game._lock:
            found = [lib.goal(self.game._play.pointer, self._handle.pointer, r) for r in range(len(self.game.roles))]
        return {role: goal if goal >= 0 else None for role, goal in zip(self.game.roles, found)}

    @property
    def fluents(self) -> tuple[str, ...]:
        """What is true, sorted."""
        return split_terms(str(self))

    def draw(self, *, ascii: bool = False, colour: bool = False, legend: bool = True, width: int = 80) -> str:
        """The state as lines of text, on the board that is recognised.

        >>> print(Game.from_file("games/tic_tac_toe.kif").initial().draw(ascii=True, legend=False).splitlines()[1])
        3 | . . . |
        """
        return self.game.board.text(self, ascii=ascii, colour=colour, legend=legend, width=width)

    def svg(self, *, turned: bool = False) -> str:
        """The state as a picture, an SVG document; `turned`: seen from the other side. Notebooks show it.

        >>> Game.from_file("games/tic_tac_toe.kif").initial().svg()[:4]
        '<svg'
        """
        return self.game.board.svg(self, turned=turned)

    def _repr_svg_(self) -> str:
        return self.svg()

    def describe(self, *, legal: bool = False) -> dict[str, Any]:
        """The state with its cells and counters, as `marelle show --json`; with the legal moves and the squares they
        point at if asked."""
        return self.game.board.describe(self, legal=legal)

    def __str__(self) -> str:
        with self.game._lock:
            return str(lib.state_text(self.game._play.pointer, self._handle.pointer).decode())

    def __repr__(self) -> str:
        return f"<State {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and other.game is self.game and bool(
            lib.state_equal(self._handle.pointer, other._handle.pointer))

    def __hash__(self) -> int:
        return int(lib.state_hash(self._handle.pointer))


class Board:
    """What is recognised from the rules alone as boards, heaps and counters. From Game.board.

    >>> board = Game.from_file("games/tic_tac_toe.kif").board
    >>> board.json["grids"][0]["width"], board.json["grids"][0]["height"]
    (3, 3)
    """

    def __init__(self, game: Game, seed: int = 0, *, cpu_seconds: float = 0) -> None:
        self.game, pointer, stopped, problem = game, ctypes.c_void_p(), ctypes.c_bool(False), c.Problem()
        options = c.BoardOptions(seed=whole(seed, "seed"), cpu_seconds=time(cpu_seconds, "cpu_seconds"),
                                 stopped=ctypes.pointer(stopped))
        c.raise_problem(c.run_interruptibly(
            lambda: lib.board_create(game._handle.pointer, ctypes.byref(options), ctypes.byref(pointer),
                                     ctypes.byref(problem)), stopped), problem)
        self._handle = Handle("board", lib.board_free, pointer)

    @property
    def json(self) -> dict[str, Any]:
        """What does not change during a match: grids with labels and pieces, the meaning of fluents and moves."""
        return dict(json.loads(take_text(lib.board_json(self._handle.pointer))))

    def _check(self, state: State) -> None:
        if not isinstance(state, State):
            raise TypeError(f"a State is needed, not {type(state).__name__}")
        if state.game is not self.game:
            raise ValueError("the state belongs to another game")

    def describe(self, state: State, *, legal: bool = False) -> dict[str, Any]:
        """See State.describe."""
        self._check(state)
        with self.game._lock:
            text = lib.board_state_json(self._handle.pointer, self.game._play.pointer, state._handle.pointer,
                                        bool(legal))
        return dict(json.loads(take_text(text)))

    def text(self, state: State, *, ascii: bool = False, colour: bool = False, legend: bool = True,
             width: int = 80) -> str:
        """See State.draw."""
        self._check(state)
        options = c.PictureOptions(ascii=bool(ascii), colour=bool(colour), no_legend=not legend,
                                   width=whole(width, "width", c.NO_MOVE))
        with self.game._lock:
            text = lib.board_text(self._handle.pointer, self.game._play.pointer, state._handle.pointer,
                                  ctypes.byref(options))
        return take_text(text)

    def svg(self, state: State, *, turned: bool = False) -> str:
        """See State.svg."""
        self._check(state)
        with self.game._lock:
            text = lib.board_svg(self._handle.pointer, self.game._play.pointer, state._handle.pointer, bool(turned))
        return take_text(text)
