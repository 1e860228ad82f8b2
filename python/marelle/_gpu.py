"""Many matches that step together on a GPU. Outputs and moves are device memory that PyTorch, CuPy, JAX and Numba take
without copying it."""
from __future__ import annotations

import ctypes
import math
import threading
from typing import Any, Optional

from marelle import _library as c
from marelle._environments import OUTPUTS, both_locks
from marelle._game import Game, State
from marelle._library import Handle, lib, whole


class DeviceArray:
    """An array in the memory of the device. torch.as_tensor(array, device="cuda") and cupy.asarray(array) share it."""

    def __init__(self, env: GpuVectorEnv, kind: str, shape: tuple[int, ...]) -> None:
        self.shape, self.typestr = shape, kind
        self.nbytes = int(kind[2:]) * math.prod(shape)
        pointer = lib.gpu_alloc(env._handle.pointer, self.nbytes)
        if not pointer:
            raise MemoryError(f"the device has no {self.nbytes} bytes left")
        self.pointer = int(pointer)
        self._env = env  # memory lives as long as the matches do

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.typestr, "data": (self.pointer, False), "version": 3}

    def tobytes(self) -> bytes:
        """A copy on the processor."""
        memory = (ctypes.c_uint8 * max(self.nbytes, 1))()
        c.checked(lib.gpu_read, self._env._handle.pointer, memory, self.pointer, self.nbytes)
        return bytes(memory)[:self.nbytes]


class GpuVectorEnv:
    """As VectorEnv, on a GPU: outputs and `moves` are DeviceArrays of the same shapes. Words of bits are signed 64-bit
    numbers, since PyTorch has no operations on others. Calls are queued in a CUDA stream (None: the default one).
    UnfitError if there is no GPU, or the game has no circuit."""

    def __init__(self, game: Game, count: int, *, seed: int = 0, step_limit: int = 0, keeps_ended: bool = False,
                 replaces_illegal: bool = False,
                 outputs: tuple[str, ...] = ("ends", "rewards", "masks", "observations")) -> None:
        unknown = set(outputs) - set(OUTPUTS)
        if unknown:
            raise ValueError(f"there is no output {', '.join(sorted(unknown))}; there are {', '.join(OUTPUTS)}")
        self.game = game
        options = c.EnvironmentOptions(
            count=whole(count, "count", 1 << 24, 1), seed=whole(seed, "seed"),
            step_limit=whole(step_limit, "step_limit", c.NO_MOVE), keeps_ended=bool(keeps_ended),
            replaces_illegal=bool(replaces_illegal), planes="planes" in outputs)
        pointer = ctypes.c_void_p()
        c.checked(lib.gpu_environments_create, game._handle.pointer, ctypes.byref(options), ctypes.byref(pointer))
        self._handle = Handle("environment", lib.gpu_environments_free, pointer, game._handle)
        self._lock = threading.Lock()
        self._draws = 0
        self._make_outputs(lib.gpu_environments_shape(self._handle.pointer), set(outputs))
        self.reset()

    def _make_outputs(self, s: Any, wanted: set[str]) -> None:
        shapes = {
            "ends": ("|u1", (s.count,)),
            "rewards": ("<i4", (s.count, s.roles)),
            "turns": ("<i4", (s.count,)),
            "illegal": ("|u1", (s.count,)),
            "masks": ("<i8", (s.count, s.roles, s.mask_words)),
            "mask_bytes": ("|u1", (s.count, s.roles, s.moves)),
            "observations": ("<i8", (s.count, s.views, s.fact_words)),
            "observation_bytes": ("|u1", (s.count, s.views, s.facts)),
            "planes": ("|u1", (s.count, s.channels, s.height, s.width)),
        }
        if "planes" in wanted and not s.channels:
            raise ValueError("this game has no planes: no board is recognised, or something is hidden")
        self.count, self.moves_per_role = s.count, s.moves
        self._outputs = c.EnvironmentOutputs()
        self.outputs = tuple(name for name in OUTPUTS if name in wanted)
        for name in self.outputs:
            array = DeviceArray(self, *shapes[name])
            setattr(self, name, array)
            setattr(self._outputs, name, array.pointer)
        self.moves = DeviceArray(self, "<i4", (s.count, s.roles))

    def reset(self, which: Optional[Any] = None, *, stream: Optional[int] = None) -> None:
        """Begins new matches: everywhere, or where `which` (bytes on the device, one per match) is not 0."""
        given = None if which is None else _address(which, ("|u1", "|b1", "|i1"), self.count)
        with self._lock:
            c.checked(lib.gpu_environments_reset, self._handle.pointer, given, ctypes.byref(self._outputs), stream)

    def step(self, moves: Optional[Any] = None, *, stream: Optional[int] = None) -> None:
        """One turn in every match, with the numbers in `moves`: 32-bit whole numbers on the device, [count, roles];
        None: self.moves. Moves of `random` are drawn inside."""
        length = math.prod(self.moves.shape)
        given = self.moves.pointer if moves is None else _address(moves, ("<i4", "<u4"), length)
        with self._lock:
            c.checked(lib.gpu_environments_step, self._handle.pointer, given, ctypes.byref(self._outputs), stream)

    def copy_from(self, other: GpuVectorEnv, sources: Any, first: int = 0, *, outputs: bool = True,
                  stream: Optional[int] = None) -> None:
        """As VectorEnv.copy_from, for 32-bit whole numbers on the device. A match stays as it is where its source is
        not there."""
        if not isinstance(other, GpuVectorEnv):
            raise TypeError(f"a GpuVectorEnv is needed, not {type(other).__name__}")
        begin = whole(first, "first", c.NO_MOVE)
        count = math.prod(getattr(sources, "shape", (0,)))
        given = _address(sources, ("<i4", "<u4"), count)
        with both_locks(self, other):
            c.checked(lib.gpu_environments_copy, self._handle.pointer, begin, count, other._handle.pointer, given,
                      ctypes.byref(self._outputs) if outputs else None, stream)

    def draw(self, seed: Optional[int] = None, *, stream: Optional[int] = None) -> None:
        """Fills `moves` with legal moves, all equally likely. Without a seed each call draws others."""
        if "masks" not in self.outputs:
            raise ValueError("draw needs the output masks")
        self._draws += 1
        chosen = self._draws if seed is None else whole(seed, "seed")
        with self._lock:
            c.checked(lib.gpu_masks_draw, self._handle.pointer, self._outputs.masks, math.prod(self.moves.shape),
                      chosen, self.moves.pointer, stream)

    def state(self, match: int) -> State:
        """The state of a match, with all that is hidden."""
        state = State(self.game)
        c.checked(lib.gpu_environments_state, self._handle.pointer, whole(match, "the number of a match", c.NO_MOVE),
                  state._handle.pointer)
        return state

    @property
    def illegal_moves(self) -> int:
        """Illegal moves since the creation."""
        count = ctypes.c_uint64()
        c.checked(lib.gpu_environments_illegal_moves, self._handle.pointer, ctypes.byref(count))
        return count.value


def _address(given: Any, kinds: tuple[str, ...], length: int) -> int:
    """The address of an array on the device, after its type and size were checked."""
    interface = getattr(given, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"an array on the device is needed, not {type(given).__name__}")
    is_whole = interface.get("strides") is None or _is_contiguous(interface)
    if interface["typestr"] not in kinds or math.prod(interface["shape"]) != length or not is_whole:
        raise ValueError(f"a contiguous array of {length} numbers of type {kinds[0]} is needed")
    return int(interface["data"][0])


def _is_contiguous(interface: dict[str, Any]) -> bool:
    expected = int(interface["typestr"][2:])
    for size, stride in zip(reversed(interface["shape"]), reversed(interface["strides"])):
        if size > 1 and stride != expected:
            return False
        expected *= size
    return True
