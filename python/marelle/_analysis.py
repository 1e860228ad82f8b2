"""What the structure of a game says: findings, the games inside it, symmetries. Everything is in `json`, with the keys
of the verbs; the other fields are what is common to all games."""
from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any, Optional

from marelle import _library as c
from marelle._game import Game, State
from marelle._library import lib, text_bytes, time, whole

CERTAINTIES = ("unknown", "observed", "proved")


@dataclass(frozen=True)
class Analysis:
    """Findings. A certainty is "unknown", "observed" or "proved"."""

    turns: str
    turns_certainty: str
    zero_sum: str
    sum: int
    cooperative: str
    impartial: str
    horizon: int
    horizon_certainty: str
    mutex_groups: int
    noops: int
    cpu_seconds: float
    json: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Subgame:
    """A game inside a game: its fluents, and for each role the moves that act in it."""

    has_actions: bool
    is_useful: bool
    is_terminal: bool
    is_scoring: bool
    is_control: bool
    is_stepper: bool
    is_synchronous: bool
    order: int
    fluents: tuple[str, ...]
    moves: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Decomposition:
    """The games inside a game. `graph` is the graph of dependencies in the language of graphviz; where graphviz is
    installed, a notebook shows it as a picture."""

    subgames: tuple[Subgame, ...]
    composition: str
    is_imperfect: bool
    confidence: float
    playouts: int
    cpu_seconds: float
    json: dict[str, Any] = field(repr=False)
    graph: str = field(repr=False)

    def svg(self) -> str:
        """The graph as a picture, drawn by graphviz."""
        program = shutil.which("sfdp")
        if program is None:
            raise RuntimeError("graphviz's program `sfdp` is not installed")
        done = subprocess.run([program, "-Tsvg"], input=self.graph, stdout=subprocess.PIPE, check=True, text=True)
        return done.stdout

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if shutil.which("sfdp") else None


@dataclass(frozen=True)
class Symmetries:
    """Symmetries of the rules: how many there are that keep every role in its place (None if time ran out), and with
    players exchanged; orbits of fluents; generators as images of what they move."""

    order: Optional[int]
    order_with_roles: Optional[int]
    is_complete: bool
    orbits: tuple[tuple[str, ...], ...]
    generators: tuple[dict[str, str], ...]
    cpu_seconds: float
    json: dict[str, Any] = field(repr=False)


def _expect_game(game: Any) -> Game:
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    return game


def _ask(function: Any, kind: Any, game: Game, options: Any) -> Any:
    """The result as a pointer. Ctrl-C ends the call."""
    found, stopped, problem = ctypes.POINTER(kind)(), ctypes.c_bool(False), c.Problem()
    options.stopped, pointer = ctypes.pointer(stopped), _expect_game(game)._handle.pointer
    c.raise_problem(c.run_interruptibly(
        lambda: function(pointer, ctypes.byref(options), ctypes.byref(found), ctypes.byref(problem)), stopped), problem)
    return found


def analyze(game: Game, *, cpu_seconds: float = 0, matches: int = 0, seed: int = 0) -> Analysis:
    """Finds out what can be said about a game without playing it well.

    >>> found = analyze(Game.from_file("games/tic_tac_toe.kif"))
    >>> found.turns, found.zero_sum, found.sum
    ('alternating', 'proved', 100)
    """
    options = c.AnalysisOptions(cpu_seconds=time(cpu_seconds, "cpu_seconds"), matches=whole(matches, "matches"),
                                seed=whole(seed, "seed"))
    found = _ask(lib.analyze, c.Analysis, game, options)
    try:
        a, names = found.contents, CERTAINTIES
        return Analysis(a.turns.decode(), names[a.turns_certainty], names[a.zero_sum], a.sum, names[a.cooperative],
                        names[a.impartial], a.horizon, names[a.horizon_certainty], a.mutex_groups, a.noops,
                        a.cpu_seconds, json.loads(a.json))
    finally:
        lib.analysis_free(found)


def _subgame(game: Game, g: Any) -> Subgame:
    moves: dict[str, list[str]] = {role: [] for role in game.roles}
    for i in range(g.move_count):
        moves[game.roles[g.moves[i].role]].append(game._move_text(g.moves[i].role, g.moves[i].move))
    return Subgame(g.has_actions, g.is_useful, g.is_terminal, g.is_scoring, g.is_control, g.is_stepper,
                   g.is_synchronous, g.order, tuple(game.fluent_text(g.fluents[i]) for i in range(g.fluent_count)),
                   {role: tuple(texts) for role, texts in moves.items() if texts})


def decompose(game: Game, *, method: str = "auto", seconds: float = 0, playouts: int = 0, seed: int = 0,
              state: Optional[State] = None, psi: int = 0, theta: int = 0, phi: float = 0,
              omega: float = 0) -> Decomposition:
    """Finds the independent games inside a game, or in what is left of it from a state on. `method` is "auto", "rules"
    or "stats"; psi, theta, phi and omega are thresholds of "stats".

    >>> found = decompose(Game.from_file("games/incredible.kif"))
    >>> found.composition, sum(g.has_actions and g.is_useful for g in found.subgames)
    ('parallel asynchronous', 2)
    """
    if state is not None and (not isinstance(state, State) or state.game is not game):
        raise ValueError("the state belongs to another game")
    options = c.DecompositionOptions(method=text_bytes(method, "the method"), seconds=time(seconds),
                                     playouts=whole(playouts, "playouts"), seed=whole(seed, "seed"),
                                     psi=whole(psi, "psi", c.NO_MOVE), theta=whole(theta, "theta", c.NO_MOVE),
                                     phi=time(phi, "phi"), omega=time(omega, "omega"))
    if state is not None:
        setattr(options, "from", state._handle.pointer)
    found = _ask(lib.decompose, c.Decomposition, game, options)
    try:
        d = found.contents
        return Decomposition(tuple(_subgame(game, d.subgames[i]) for i in range(d.subgame_count)),
                             d.composition.decode(), d.is_imperfect, d.confidence, d.playouts, d.cpu_seconds,
                             json.loads(d.json), d.graph.decode())
    finally:
        lib.decomposition_free(found)


def symmetries(game: Game, *, cpu_seconds: float = 0, seed: int = 0) -> Symmetries:
    """Finds the symmetries of the rules.

    >>> symmetries(Game.from_file("games/tic_tac_toe.kif")).order
    8
    """
    options = c.SymmetryOptions(cpu_seconds=time(cpu_seconds, "cpu_seconds"), seed=whole(seed, "seed"))
    found = _ask(lib.symmetries, c.Symmetries, game, options)
    try:
        s = found.contents
        facts = json.loads(s.json)
        return Symmetries(int(s.order) if s.order else None, int(s.swapping_order) if s.swapping_order else None,
                          s.is_complete, tuple(map(tuple, facts["orbits"])),
                          tuple(dict(p["roles"] + p["fluents"] + p["moves"]) for p in facts["permutations"]),
                          s.cpu_seconds, facts)
    finally:
        lib.symmetries_free(found)
