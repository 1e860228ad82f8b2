"""Many matches of one game that step together. The buffers are memory views, which numpy.asarray takes as arrays
without copying them."""
from __future__ import annotations

import contextlib
import ctypes
import threading
from typing import Any, Iterator, Optional

from marelle import _library as c
from marelle._game import Game, State
from marelle._library import Handle, lib, whole

FORMATS = {ctypes.c_uint8: "B", ctypes.c_int32: "i", ctypes.c_uint32: "I", ctypes.c_uint64: "Q"}
OUTPUTS = ("ends", "rewards", "turns", "illegal", "masks", "mask_bytes", "observations", "observation_bytes", "planes")


class VectorEnv:
    """`count` matches of a game. After reset and step, the outputs that were asked for hold what is new:

    ends [count]                     0: goes on, 1: terminal, 2: stuck, 3: step limit
    rewards [count, roles]           goals of a match that became terminal in this step, else 0
    turns [count]                    the role with a choice; -1: nobody, -2: several
    illegal [count]                  1 if a move of this step was illegal
    masks [count, roles, words]      legal moves as bits; mask_bytes [count, roles, moves] as bytes
    observations [count, views, words]  as bits; observation_bytes [count, views, facts] as bytes
    planes [count, channels, height, width]  where a board is recognised

    They are the same memory at each step. `moves` [count, roles] is filled in by you or by `draw`.

    >>> env = VectorEnv(Game.from_file("games/tic_tac_toe.kif"), 100, seed=1)
    >>> env.reset()
    >>> for _ in range(9):
    ...     env.draw()
    ...     env.step()
    >>> env.illegal_moves
    0
    """

    ends: memoryview
    rewards: memoryview
    turns: memoryview
    illegal: memoryview
    masks: memoryview
    mask_bytes: memoryview
    observations: memoryview
    observation_bytes: memoryview
    planes: memoryview

    def __init__(self, game: Game, count: int, *, seed: int = 0, threads: int = 1, step_limit: int = 0,
                 keeps_ended: bool = False, replaces_illegal: bool = False, room: int = 0,
                 outputs: tuple[str, ...] = ("ends", "rewards", "turns", "illegal", "masks", "observations")) -> None:
        unknown = set(outputs) - set(OUTPUTS)
        if unknown:
            raise ValueError(f"there is no output {', '.join(sorted(unknown))}; there are {', '.join(OUTPUTS)}")
        self.game = game
        options = c.EnvironmentOptions(
            count=whole(count, "count", 1 << 24, 1), seed=whole(seed, "seed"), threads=whole(threads, "threads", 1024),
            step_limit=whole(step_limit, "step_limit", c.NO_MOVE), keeps_ended=bool(keeps_ended),
            replaces_illegal=bool(replaces_illegal), room=whole(room, "room", 1 << 20), planes="planes" in outputs)
        pointer = ctypes.c_void_p()
        c.checked(lib.environments_create, game._handle.pointer, ctypes.byref(options), ctypes.byref(pointer))
        self._handle = Handle("environment", lib.environments_free, pointer, game._handle)
        self._make_buffers(lib.environments_shape(self._handle.pointer), "masks" in outputs, set(outputs))

    def _make_buffers(self, s: Any, has_masks: bool, wanted: set[str]) -> None:
        shapes: dict[str, tuple[Any, tuple[int, ...]]] = {
            "ends": (ctypes.c_uint8, (s.count,)),
            "rewards": (ctypes.c_int32, (s.count, s.roles)),
            "turns": (ctypes.c_int32, (s.count,)),
            "illegal": (ctypes.c_uint8, (s.count,)),
            "masks": (ctypes.c_uint64, (s.count, s.roles, s.mask_words)),
            "mask_bytes": (ctypes.c_uint8, (s.count, s.roles, s.moves)),
            "observations": (ctypes.c_uint64, (s.count, s.views, s.fact_words)),
            "observation_bytes": (ctypes.c_uint8, (s.count, s.views, s.facts)),
            "planes": (ctypes.c_uint8, (s.count, s.channels, s.height, s.width)),
        }
        if "planes" in wanted and not s.channels:
            raise ValueError("this game has no planes: no board is recognised, or something is hidden")
        self.count, self.moves_per_role, self._mask_words = s.count, s.moves, s.mask_words
        self._rows = s.count * s.roles
        self._outputs = c.EnvironmentOutputs()
        self._memory: list[Any] = []
        self._lock = threading.Lock()
        self._has_masks = has_masks
        self.outputs = tuple(name for name in OUTPUTS if name in wanted)
        for name in wanted:
            view, memory = _buffer(*shapes[name])
            self._memory.append(memory)
            setattr(self, name, view)
            setattr(self._outputs, name, ctypes.addressof(memory))
        self.moves, self._moves = _buffer(ctypes.c_uint32, (s.count, s.roles))
        self._random = (ctypes.c_uint64 * 4)()
        lib.random_seed(0, self._random)

    def reset(self, which: Optional[Any] = None) -> None:
        """Begins new matches: everywhere, or where `which` (a byte per match) is not 0."""
        given = None if which is None else _contiguous(which, "B", self.count)
        with self._lock:
            lib.environments_reset(self._handle.pointer, given, ctypes.byref(self._outputs))

    def step(self, moves: Optional[Any] = None) -> None:
        """One turn in every match, with the numbers in `moves`: a buffer of 32-bit whole numbers without sign,
        [count, roles]; None: self.moves. Moves of `random` are drawn inside."""
        given = self._moves if moves is None or moves is self.moves else _contiguous(moves, "I", self._rows)
        with self._lock:
            lib.environments_step(self._handle.pointer, given, ctypes.byref(self._outputs))

    def copy_from(self, other: VectorEnv, sources: Any, first: int = 0, *, outputs: bool = True) -> None:
        """Match first + i goes on where match sources[i] of `other` stands, for a buffer of 32-bit whole numbers
        without sign. Other environments of the same game and `room`, which have a step limit if these have one, and
        keep ended matches only if these do. Without `outputs` these stay as they are: a step follows.

        >>> from array import array
        >>> game = Game.from_file("games/tic_tac_toe.kif")
        >>> env, kept = VectorEnv(game, 2), VectorEnv(game, 2)
        >>> env.reset()
        >>> kept.copy_from(env, array("I", [1, 1]))
        """
        if not isinstance(other, VectorEnv):
            raise TypeError(f"a VectorEnv is needed, not {type(other).__name__}")
        begin, count = whole(first, "first", c.NO_MOVE), _length(sources)
        given = _contiguous(sources, "I", count)
        with both_locks(self, other):
            c.checked(lib.environments_copy, self._handle.pointer, begin, count, other._handle.pointer, given,
                      ctypes.byref(self._outputs) if outputs else None)

    def seed_draws(self, seed: int) -> None:
        """Starts the stream of random numbers of `draw`."""
        lib.random_seed(whole(seed, "seed"), self._random)

    def draw(self) -> None:
        """Fills `moves` with legal moves, all equally likely."""
        if not self._has_masks:
            raise ValueError("draw needs the output masks")
        with self._lock:
            lib.masks_draw(self._outputs.masks, self._rows, self._mask_words, self._random, self._moves)

    def state(self, match: int) -> State:
        """The state of a match, with all that is hidden."""
        state = State(self.game)
        whole(match, "the number of a match", c.NO_MOVE)
        if lib.environments_state(self._handle.pointer, match, state._handle.pointer) != c.OK:
            raise IndexError(f"there is no match {match}")
        return state

    def percept_text(self, role: str, bit: int) -> Optional[str]:
        """The text of a bit of a role's observations where something is hidden; None if there is none."""
        text = lib.environments_percept_text(self._handle.pointer, self.game.role_number(role),
                                             whole(bit, "the bit", c.NO_MOVE))
        return text.decode() if text is not None else None

    def arrays(self) -> dict[str, Any]:
        """The outputs and `moves` as numpy arrays over the same memory, which is not copied."""
        import numpy
        return {name: numpy.asarray(getattr(self, name)) for name in (*self.outputs, "moves")}

    def close(self) -> None:
        """Frees the matches, which cannot step any more. The outputs stay readable."""
        with self._lock:
            self._handle.close()

    @property
    def illegal_moves(self) -> int:
        """Illegal moves since the creation."""
        return int(lib.environments_illegal_moves(self._handle.pointer))

    @property
    def lost(self) -> int:
        """Without a circuit: how often a move, fluent or percept had no bit."""
        return int(lib.environments_lost(self._handle.pointer))


def _buffer(kind: Any, shape: tuple[int, ...]) -> tuple[memoryview, Any]:
    """Zeros, as a view of that shape, and their memory."""
    length = 1
    for size in shape:
        length *= size
    memory = (kind * max(length, 1))()
    flat = memoryview(memory).cast("B")[:length * ctypes.sizeof(kind)]
    view = flat.cast(FORMATS[kind], shape) if length else flat
    return view, memory


@contextlib.contextmanager
def both_locks(one: Any, other: Any) -> Iterator[None]:
    """Holds the locks of two environments, in an order that all threads keep."""
    first, second = sorted((one, other), key=id)
    with first._lock, second._lock if second is not first else contextlib.nullcontext():
        yield


def _length(given: Any) -> int:
    """How many 32-bit numbers a buffer has."""
    try:
        return memoryview(given).nbytes // 4
    except TypeError:
        raise TypeError(f"a buffer is needed, not {type(given).__name__}") from None


def _contiguous(given: Any, kind: str, length: int) -> Any:
    """The address of a buffer of the caller, after its type and size were checked."""
    try:
        view = memoryview(given)
    except TypeError:
        raise TypeError(f"a buffer is needed, not {type(given).__name__}") from None
    size = ctypes.sizeof(ctypes.c_uint32 if kind == "I" else ctypes.c_uint8)
    allowed = {"I": ("I", "L", "i", "l"), "B": ("B", "b", "?", "c")}[kind]
    if view.format not in allowed or view.itemsize != size or view.nbytes != length * size or not view.c_contiguous:
        raise ValueError(f"a contiguous buffer of {length} numbers of {size * 8} bits is needed")
    if view.readonly:
        return bytes(view)
    return ctypes.addressof((ctypes.c_uint8 * view.nbytes).from_buffer(view.cast("B"))) if view.nbytes else None


def vector_env(game: Game, count: int, **options: Any) -> VectorEnv:
    """See VectorEnv."""
    return VectorEnv(game, count, **options)
