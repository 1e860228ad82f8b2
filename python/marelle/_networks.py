"""Games as stochastic constraint networks, with exact values and best policies."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Optional

from marelle import _library as c
from marelle._game import Game
from marelle._library import Handle, lib, take_text, text_bytes, time, whole


@dataclass(frozen=True)
class Policy:
    """The best policy of a role: its value as a share of 100, also as a fraction if it is exact; `reason` tells why
    there is none. `graph` is in the language of graphviz, `json` has the nodes."""

    value: Optional[float]
    fraction: Optional[Fraction]
    reason: str
    is_exhausted: bool
    method: str
    nodes: int
    cpu_seconds: float
    json: Any = field(repr=False)
    graph: str = field(repr=False)


@dataclass(frozen=True)
class Savings:
    """What symmetries save the search "mac-ucb": how large the group of the network of one turn is (`translated` is
    False if there was no time for it), what the search solved, and in how many classes."""

    translated: bool
    whole_group: bool
    forbidden: float
    log10_order: float
    generators: int
    solved: int
    arrivals: int
    classes: int
    proved: int
    predicted: int
    cpu_seconds: float


def savings(game: Game, *, pulls: int, cpu_seconds: float, seed: int = 0) -> Savings:
    """Searches from the initial state with so many pulls, and with at most so many CPU seconds for the network and its
    symmetries.

    >>> found = savings(Game.from_file("games/tic_tac_toe.kif"), pulls=500, cpu_seconds=2)
    >>> found.translated, found.generators, found.classes
    (True, 2, 1)
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    s, stopped, problem = c.Savings(), ctypes.c_bool(False), c.Problem()
    count, limit, number = whole(pulls, "pulls"), time(cpu_seconds, "cpu_seconds"), whole(seed, "seed")
    c.raise_problem(c.run_interruptibly(
        lambda: lib.network_savings(game._handle.pointer, count, limit, number, ctypes.byref(stopped), ctypes.byref(s),
                                    ctypes.byref(problem)), stopped), problem)
    return Savings(s.is_translated, s.is_whole_group, s.forbidden, s.log10_order, s.generators, s.solved, s.arrivals,
                   s.classes, s.proved, s.predicted, s.cpu_seconds)


class Network:
    """The network of a match of at most `horizon` turns; 0: of one turn, whose value counts any number of turns.

    >>> Network(Game.from_file("games/monty_hall.kif"), 3).solve().fraction
    Fraction(2, 3)
    """

    def __init__(self, game: Game, horizon: int = 0, *, plain: bool = False) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"a Game is needed, not {type(game).__name__}")
        self.game, pointer, stopped, problem = game, ctypes.c_void_p(), ctypes.c_bool(False), c.Problem()
        options = c.NetworkOptions(horizon=whole(horizon, "the horizon", c.NO_MOVE), plain=bool(plain),
                                   stopped=ctypes.pointer(stopped))
        c.raise_problem(c.run_interruptibly(
            lambda: lib.network_create(game._handle.pointer, ctypes.byref(options), ctypes.byref(pointer),
                                       ctypes.byref(problem)), stopped), problem)
        self._handle = Handle("network", lib.network_free, pointer, game._handle)

    @property
    def json(self) -> dict[str, Any]:
        """Variables with their domains, and constraints, as `marelle scsp --json`."""
        return dict(json.loads(take_text(lib.network_json(self._handle.pointer))))

    def write(self, format: str, role: Optional[str] = None) -> str:
        """The network for another solver: "minizinc" or "xcsp", with the goals of the role."""
        number = self.game.role_number(role if role is not None else self._first_player())
        text = lib.network_write(self._handle.pointer, text_bytes(format, "the format"), number)
        if not text:
            raise ValueError(f"there is no format {format!r}; there are minizinc and xcsp")
        return take_text(text)

    def _first_player(self) -> str:
        return next((role for role in self.game.roles if role != "random"), self.game.roles[0])

    def solve(self, role: Optional[str] = None, *, rule: str = "maxn", threshold: Optional[float] = None,
              forgets: bool = False, seconds: float = 0) -> Policy:
        """Finds the best policy of a role; by default, of the first one that is not `random`. `rule` is "maxn",
        "paranoid" or "cooperative"."""
        stopped, problem, found = ctypes.c_bool(False), c.Problem(), ctypes.POINTER(c.Policy)()
        options = c.PolicyOptions(role=c.NO_MOVE if role is None else self.game.role_number(role),
                                  rule=text_bytes(rule, "the rule"), has_threshold=threshold is not None,
                                  threshold=0 if threshold is None else time(threshold, "the threshold"),
                                  forgets=bool(forgets), seconds=time(seconds), stopped=ctypes.pointer(stopped))
        c.raise_problem(c.run_interruptibly(
            lambda: lib.network_solve(self._handle.pointer, ctypes.byref(options), ctypes.byref(found),
                                      ctypes.byref(problem)), stopped), problem)
        try:
            p = found.contents
            return Policy(p.value if p.has_value else None,
                          Fraction(p.fraction.decode()) if p.has_value and p.fraction else None, p.reason.decode(),
                          p.is_exhausted, p.method.decode(), p.nodes, p.cpu_seconds, json.loads(p.json),
                          p.graph.decode())
        finally:
            lib.policy_free(found)


def scsp(game: Game, horizon: int = 0, role: Optional[str] = None, **options: Any) -> Policy:
    """The best policy of a match of at most `horizon` turns; see Network and Network.solve."""
    return Network(game, horizon).solve(role, **options)
