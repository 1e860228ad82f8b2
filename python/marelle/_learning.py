"""Learning step by step: data sets, learners, and tests of models on data and in matches."""
from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

from marelle import _library as c
from marelle._game import Game
from marelle._library import Handle, checked, lib, take_text, text_bytes, time, whole
from marelle._models import Model


@dataclass(frozen=True)
class DataRow:
    """A state: the facts that hold, the score of each role, how often it occurred, its match, and whether it is an
    end."""

    facts: tuple[str, ...]
    scores: tuple[float, ...]
    count: int
    match: int
    is_end: bool


@dataclass(frozen=True)
class Errors:
    """How well a model predicts data. Fitness is 100 less the mean error in hundredths of the range of the goals."""

    fitness: float
    neat_fitness: float
    brier: float
    cross_entropy: float
    close: float
    right: float


@dataclass(frozen=True)
class Worth:
    """What a model is worth: the fewest random matches from a state whose mean predicts as well (129: more), on so many
    states; and the CPU seconds in which it judges a state."""

    states: int
    worth: int
    model_brier: float
    seconds: float


@dataclass(frozen=True)
class Trial:
    """Matches of a search with one model against the same search with the other: the wins of the first one, its share
    of the points and the standard error."""

    matches: int
    wins: int
    draws: int
    share: float
    error: float


def _game_pointer(game: Optional[Game]) -> Any:
    if game is not None and not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    return game._handle.pointer if game is not None else None


def _model_pointer(model: Any) -> Any:
    if not isinstance(model, Model):
        raise TypeError(f"a Model is needed, not {type(model).__name__}")
    return model._handle.pointer


def _long_call(call: Callable[[Any], int], stopped: Any) -> None:
    """Makes a call that takes a problem and raises it; an interrupt sets the flag."""
    problem = c.Problem()
    c.raise_problem(c.run_interruptibly(lambda: call(ctypes.byref(problem)), stopped), problem)


class Data:
    """A data set: states with what they are worth for each role, from `collect`, `Data.load`, `Data.from_bytes` or
    `Data.puzzle`. Nobody changes it, and threads may share it.

    >>> data = collect(Game.from_file("games/tic_tac_toe.kif"), source="random", states="ends", matches=50, seed=1)
    >>> data.roles, data.rows, data[0].is_end
    (2, 50, True)
    >>> Data.from_bytes(data.write("compact")).rows
    50
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        facts = lib.data_facts(handle.pointer)
        self.rows: int = facts.rows
        self.roles: int = facts.roles
        self._fact_count: int = facts.facts

    @classmethod
    def _of(cls, pointer: Any) -> Data:
        return cls(Handle("data set", lib.data_free, ctypes.c_void_p(pointer)))

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str = "data") -> Data:
        """Reads either format."""
        if not isinstance(data, bytes):
            raise TypeError(f"bytes are needed, not {type(data).__name__}")
        pointer = ctypes.c_void_p()
        checked(lib.data_read, text_bytes(name, "the name"), data, len(data), ctypes.byref(pointer))
        return cls(Handle("data set", lib.data_free, pointer))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Data:
        """Reads a file that `marelle learn data` wrote."""
        with open(path, "rb") as file:
            return cls.from_bytes(file.read(), name=os.fspath(path))

    @classmethod
    def puzzle(cls, name: str, *, seed: int = 0, rows: int = 0) -> Data:
        """A small set of the literature: "exclusive_or", "paire", "nim", "roshambo", "point_grab", "lines_27" or
        "tictactoe".

        >>> Data.puzzle("tictactoe").rows
        958
        """
        pointer = lib.data_puzzle(text_bytes(name, "the name"), whole(seed, "seed"), whole(rows, "rows"))
        if not pointer:
            raise ValueError(f"there is no puzzle {name!r}, or not with so many rows")
        return cls._of(pointer)

    def write(self, format: str = "text") -> bytes:
        """The rows in the format "text" or "compact"."""
        size = ctypes.c_size_t()
        pointer = lib.data_write(self._handle.pointer, text_bytes(format, "the format"), ctypes.byref(size))
        if not pointer:
            raise ValueError(f"there is no format {format!r}; there are text and compact")
        try:
            return ctypes.string_at(pointer, size.value)
        finally:
            lib.text_free(pointer)

    def save(self, path: str | os.PathLike[str], format: str = "text") -> None:
        """Writes a file."""
        with open(path, "wb") as file:
            file.write(self.write(format))

    @property
    def facts(self) -> tuple[str, ...]:
        """All facts, by their numbers."""
        text = lib.data_fact_text
        return tuple(text(self._handle.pointer, fact).decode(errors="replace") for fact in range(self._fact_count))

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> DataRow:
        if not 0 <= row < self.rows:
            raise IndexError(f"there is no row {row}")
        r = lib.data_row(self._handle.pointer, row)
        facts = r.facts[:r.fact_count] if r.fact_count else []
        names = tuple(lib.data_fact_text(self._handle.pointer, fact).decode(errors="replace") for fact in facts)
        return DataRow(names, tuple(r.scores[:self.roles]), r.count, r.match, r.is_end)

    def distinct(self) -> Data:
        """Equal states merged, with the mean of their scores."""
        return Data._of(lib.data_distinct(self._handle.pointer))

    def select(self, keep: Sequence[bool]) -> Data:
        """The rows for which `keep` is true."""
        if len(keep) != self.rows:
            raise ValueError(f"{self.rows} values are needed, not {len(keep)}")
        return Data._of(lib.data_select(self._handle.pointer, (ctypes.c_bool * max(1, self.rows))(*map(bool, keep))))

    def of_role(self, role: int) -> Data:
        """With the score of one role alone; roles are numbered from 0."""
        pointer = lib.data_of_role(self._handle.pointer, whole(role, "the role", c.NO_MOVE))
        if not pointer:
            raise ValueError(f"there is no role {role}")
        return Data._of(pointer)

    def without(self, relation: str) -> Data:
        """Without the facts of a relation."""
        return Data._of(lib.data_without(self._handle.pointer, text_bytes(relation, "the relation")))

    def split(self, share: float = 0.2, *, seed: int = 0) -> tuple[Data, Data]:
        """Two sets: about this share of the matches is in the second one.

        >>> train, test = Data.puzzle("tictactoe").split(0.25, seed=1)
        >>> train.rows + test.rows
        958
        """
        train, test = ctypes.c_void_p(), ctypes.c_void_p()
        if lib.data_split(self._handle.pointer, time(share, "the share"), whole(seed, "seed"), ctypes.byref(train),
                          ctypes.byref(test)) != c.OK:
            raise ValueError(f"the share must be from 0 to 1, not {share}")
        return (Data(Handle("data set", lib.data_free, train)), Data(Handle("data set", lib.data_free, test)))

    def audit(self, *, alike: bool = False) -> dict[str, Any]:
        """How well constants, single facts and counts predict, as `marelle learn audit --json`.

        >>> round(Data.puzzle("exclusive_or").audit()["baselines"][0]["constant"])
        50
        """
        return dict(json.loads(take_text(lib.data_audit(self._handle.pointer, bool(alike)))))

    def train(self, learner: str = "mlp", *, game: Optional[Game] = None, seconds: float = 0,
              cpu_seconds: float = 0) -> Model:
        """Trains a model on all rows. The learner is NAME[:key=value,...]: effort, hidden, seed, threads, all, counts,
        rules, mined, moves, plain, alike. With the game, images of states under its symmetries are learnt as well.

        >>> train, test = Data.puzzle("tictactoe").split(0.25, seed=1)
        >>> errors(train.train("linear:seed=1"), test).fitness > 50
        True
        """
        stopped, pointer = ctypes.c_bool(False), ctypes.c_void_p()
        budget = c.Budget(seconds=time(seconds), cpu_seconds=time(cpu_seconds, "cpu_seconds"),
                          stopped=ctypes.pointer(stopped))
        _long_call(lambda problem: int(lib.data_train(self._handle.pointer, _game_pointer(game),
                                                      text_bytes(learner, "the learner"), ctypes.byref(budget),
                                                      ctypes.byref(pointer), problem)), stopped)
        return Model(Handle("model", lib.model_free, pointer))


def collect(game: Game, *, source: str = "uct", states: str = "before", targets: str = "values", matches: int = 0,
            rows: int = 0, seconds: float = 0, cpu_seconds: float = 0, seed: int = 0, playouts: int = 0,
            threads: int = 1, merges: bool = False) -> Data:
    """Plays matches for data: of "uct", "guided" or "random"; the "ends", states "before" or "all"; worth what searches
    say ("values"), the "final" score or the mean of both ("mixed"). Ends after so many matches, rows or seconds; after
    ten seconds if none is given."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    if not (matches or rows or seconds or cpu_seconds):
        seconds = 10
    stopped, pointer = ctypes.c_bool(False), ctypes.c_void_p()
    options = c.CollectOptions(
        source=text_bytes(source, "the source"), states=text_bytes(states, "the states"),
        targets=text_bytes(targets, "the targets"), matches=whole(matches, "matches"), rows=whole(rows, "rows"),
        seconds=time(seconds), cpu_seconds=time(cpu_seconds, "cpu_seconds"), seed=whole(seed, "seed"),
        playouts=whole(playouts, "playouts", c.NO_MOVE), threads=whole(threads, "threads", 1024), merges=bool(merges),
        stopped=ctypes.pointer(stopped))
    _long_call(lambda problem: int(lib.data_collect(game._handle.pointer, ctypes.byref(options),
                                                    ctypes.byref(pointer), problem)), stopped)
    return Data(Handle("data set", lib.data_free, pointer))


def learners() -> list[dict[str, Any]]:
    """All learners with their options.

    >>> [learner["name"] for learner in learners()][:3]
    ['mlp', 'logistic', 'linear']
    """
    return list(json.loads(take_text(lib.learners()))["learners"])


def evolve(method: str, data: Optional[Data] = None, *, seconds: float = 0, cpu_seconds: float = 0) -> dict[str, Any]:
    """Breeds predictors of data, or networks that balance poles, and tells how that went: "genetic[:key=value,...]" or
    "neat[:...]", see <marelle/learning.h>.

    >>> evolve("neat:seed=1,generations=200", Data.puzzle("exclusive_or"))["solved"]
    True
    """
    if data is not None and not isinstance(data, Data):
        raise TypeError(f"a Data is needed, not {type(data).__name__}")
    stopped, pointer = ctypes.c_bool(False), ctypes.c_void_p()
    budget = c.Budget(seconds=time(seconds), cpu_seconds=time(cpu_seconds, "cpu_seconds"),
                      stopped=ctypes.pointer(stopped))
    _long_call(lambda problem: int(lib.evolve(data._handle.pointer if data is not None else None,
                                              text_bytes(method, "the method"), ctypes.byref(budget),
                                              ctypes.byref(pointer), problem)), stopped)
    return dict(json.loads(take_text(pointer)))


def errors(model: Model, data: Data, *, game: Optional[Game] = None, alike: bool = False) -> Errors:
    """How well the model predicts the rows. A model that counts legal moves needs the game."""
    if not isinstance(data, Data):
        raise TypeError(f"a Data is needed, not {type(data).__name__}")
    e = c.Errors()
    checked(lib.model_errors, _model_pointer(model), _game_pointer(game), data._handle.pointer, bool(alike),
            ctypes.byref(e))
    return Errors(e.fitness, e.neat_fitness, e.brier, e.cross_entropy, e.close, e.right)


def worth(model: Model, game: Game, data: Data, *, states: int = 300, seed: int = 0) -> Worth:
    """What the model is worth against random matches, on at most so many states of the data."""
    if not isinstance(data, Data):
        raise TypeError(f"a Data is needed, not {type(data).__name__}")
    w = c.Worth()
    checked(lib.model_worth, _model_pointer(model), _game_pointer(game), data._handle.pointer, whole(states, "states"),
            whole(seed, "seed"), ctypes.byref(w))
    return Worth(w.states, w.worth, w.model_brier, w.seconds)


def _trial_options(method: str, cpu_seconds: float, playouts: int, matches: int, seconds: float, seed: int,
                   threads: int, always: bool, stopped: Any) -> Any:
    return c.TrialOptions(method=text_bytes(method, "the method"), cpu_seconds=time(cpu_seconds, "cpu_seconds"),
                          playouts=whole(playouts, "playouts"), matches=whole(matches, "matches"),
                          seconds=time(seconds), seed=whole(seed, "seed"), threads=whole(threads, "threads", 1024),
                          always=bool(always), stopped=ctypes.pointer(stopped))


def duel(game: Game, model: Optional[Model], against: Optional[Model] = None, *, method: str = "uct",
         cpu_seconds: float = 0, playouts: int = 0, matches: int = 0, seconds: float = 0, seed: int = 0,
         threads: int = 1, always: bool = False) -> Trial:
    """Plays a search with a model against the same search with the other, or with none: so much CPU time or so many
    playouts for a move. Models that lost their own trial are used only if `always` is true.

    >>> game = Game.from_file("games/tic_tac_toe.kif")
    >>> model = collect(game, source="random", matches=100, seed=1).train("linear", game=game)
    >>> duel(game, model, playouts=50, matches=4, seed=1).matches
    4
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    stopped, t = ctypes.c_bool(False), c.Trial()
    options = _trial_options(method, cpu_seconds, playouts, matches, seconds, seed, threads, always, stopped)
    one = None if model is None else _model_pointer(model)
    other = None if against is None else _model_pointer(against)
    _long_call(lambda problem: int(lib.model_duel(game._handle.pointer, one, other, ctypes.byref(options),
                                                  ctypes.byref(t), problem)), stopped)
    return Trial(t.matches, t.wins, t.draws, t.share, t.error)


def try_model(model: Model, game: Game, *, method: str = "uct", cpu_seconds: float = 0, playouts: int = 0,
              matches: int = 0, seconds: float = 0, seed: int = 0, threads: int = 1) -> Model:
    """Finds out in matches how a search uses the model best and whether it helps. The result is a copy that knows:
    `helps`, `use`, `matches`, `wins` and `draws`."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, not {type(game).__name__}")
    stopped, pointer = ctypes.c_bool(False), ctypes.c_void_p()
    options = _trial_options(method, cpu_seconds, playouts, matches, seconds, seed, threads, False, stopped)
    given = _model_pointer(model)
    _long_call(lambda problem: int(lib.model_try(given, game._handle.pointer, ctypes.byref(options),
                                                 ctypes.byref(pointer), problem)), stopped)
    return Model(Handle("model", lib.model_free, pointer))
