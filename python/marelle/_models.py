"""Learnt evaluations of positions."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Callable, Optional

from marelle import _library as c
from marelle._game import Game, State
from marelle._library import Handle, checked, lib, path_bytes, take_text, text_bytes, time, whole


@dataclass(frozen=True)
class Training:
    """What training has come to: the step it begins, and for a policy counts."""

    step: str
    seconds: float
    matches: int
    positions: int
    updates: int
    loss: float


class Model:
    """An evaluation, from `learn`, Model.load or Model.from_text. Threads may share it.

    >>> model = learn(Game.from_file("games/tic_tac_toe.kif"), kind="policy", matches=4, visits=8, units=64)
    >>> model.is_policy, Model.from_text(model.text()).learner == model.learner
    (True, True)
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        facts = lib.model_facts(handle.pointer)
        self.learner: str = facts.learner.decode()
        self.is_policy: bool = facts.is_policy
        self.helps: bool = facts.helps
        self.matches: int = facts.matches
        self.wins: int = facts.wins
        self.draws: int = facts.draws
        self._roles: int = facts.roles
        self.features: int = facts.features
        self.nodes: int = facts.nodes
        self.edges: int = facts.edges
        self.hidden: int = facts.hidden
        self.use: str = facts.use.decode()

    @classmethod
    def from_text(cls, text: str, *, name: str = "model") -> Model:
        """Reads what `text` wrote."""
        data, pointer = text_bytes(text, "the model"), ctypes.c_void_p()
        checked(lib.model_read, text_bytes(name, "the name"), data, len(data), ctypes.byref(pointer))
        return cls(Handle("model", lib.model_free, pointer))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a file that `save` or `marelle learn` wrote."""
        pointer = ctypes.c_void_p()
        checked(lib.model_load, path_bytes(path), ctypes.byref(pointer))
        return cls(Handle("model", lib.model_free, pointer))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file."""
        checked(lib.model_save, self._handle.pointer, path_bytes(path))

    def text(self) -> str:
        """The model as text."""
        return take_text(lib.model_write(self._handle.pointer))

    def svg(self) -> Optional[str]:
        """A drawing of the network; None for a policy."""
        text = lib.model_svg(self._handle.pointer)
        return take_text(text) if text else None

    def _repr_svg_(self) -> Optional[str]:
        return self.svg()

    def evaluate(self, state: State) -> dict[str, float]:
        """The expected goal of each role in a state that is not terminal."""
        return self._ask(state, None)

    def advise(self, state: State) -> dict[str, dict[str, float]]:
        """How a policy prefers the legal moves of each role: shares whose sum is 1."""
        legal = {role: state.legal(role) for role in state.game.roles}
        shares = (ctypes.c_float * max(1, sum(map(len, legal.values()))))()
        self._ask(state, shares)
        rest = iter(shares)
        return {role: {move: next(rest) for move in moves} for role, moves in legal.items()}

    def _ask(self, state: State, shares: Any) -> dict[str, float]:
        if not isinstance(state, State):
            raise TypeError(f"a State is needed, not {type(state).__name__}")
        roles = state.game.roles
        goals = (ctypes.c_double * max(len(roles), self._roles))()
        with state.game._lock:
            checked(lib.model_evaluate, self._handle.pointer, state.game._play.pointer, state._handle.pointer, goals,
                    shares)
        return dict(zip(roles, goals))


def learn(game: Game, *, kind: str = "evaluation", seconds: float = 0, matches: int = 0, seed: int = 0,
          threads: int = 1, units: int = 0, visits: int = 0, gpu: bool = False,
          progress: Optional[Callable[[Training], None]] = None) -> Model:
    """Learns an "evaluation" of positions, or a "policy" that also prefers moves, from the rules alone. `progress` is
    called when a step begins, for a policy about twice a second; an exception in it ends the training."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    stopped, pointer, problem = ctypes.c_bool(False), ctypes.c_void_p(), c.Problem()
    failed: list[BaseException] = []

    def tell(_context: Any, training: Any) -> None:
        t = training.contents
        try:
            if progress is not None:
                progress(Training(t.step.decode(), t.seconds, t.matches, t.positions, t.updates, t.loss))
        except BaseException as error:  # it must not cross the library
            failed.append(error)
            stopped.value = True
    callback = c.TrainingProgress(tell)
    options = c.TrainingOptions(
        kind=text_bytes(kind, "the kind"), seconds=time(seconds), matches=whole(matches, "matches"),
        seed=whole(seed, "seed"), threads=whole(threads, "threads", 1024), units=whole(units, "units", c.NO_MOVE),
        visits=whole(visits, "visits", c.NO_MOVE), gpu=bool(gpu), stopped=ctypes.pointer(stopped), progress=callback)
    status = c.run_interruptibly(
        lambda: lib.model_train(game._handle.pointer, ctypes.byref(options), ctypes.byref(pointer),
                                ctypes.byref(problem)), stopped)
    model = Handle("model", lib.model_free, pointer) if status == c.OK else None
    if failed:
        raise failed[0]
    c.raise_problem(status, problem)
    assert model is not None
    return Model(model)
