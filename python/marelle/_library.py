"""The shared library: where it is found, its structs and its functions, as in include/marelle/*.h."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Callable

OK, UNREADABLE, MALFORMED, UNPLAYABLE, BAD_ARGUMENT = range(5)
NO_MOVE = 0xFFFFFFFF
Reserved = c_uint64 * 4


class Diagnostic(ctypes.Structure):
    _fields_ = [("severity", c_int), ("code", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32), ("message", c_char_p), ("hint", c_char_p)]


class GameOptions(ctypes.Structure):
    _fields_ = [("build_seconds", c_double), ("build_bytes", c_size_t), ("interpreter_only", c_bool),
                ("reserved", Reserved)]


class PlayoutOptions(ctypes.Structure):
    _fields_ = [("playouts", c_uint64), ("seconds", c_double), ("seed", c_uint64), ("step_limit", c_uint32),
                ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class PlayoutStatistics(ctypes.Structure):
    _fields_ = [("playouts", c_uint64), ("stuck", c_uint64), ("too_long", c_uint64), ("turns", c_uint64),
                ("cpu_seconds", c_double), ("reserved", Reserved)]


class Budget(ctypes.Structure):
    _fields_ = [("seconds", c_double), ("playouts", c_uint64), ("bytes", c_size_t), ("stopped", POINTER(c_bool)),
                ("reserved", Reserved)]


class SearchMove(ctypes.Structure):
    _fields_ = [("move", c_uint32), ("is_proven", c_bool), ("value", c_double), ("visits", c_uint64)]


class SearchResult(ctypes.Structure):
    _fields_ = [("best", c_uint32), ("is_decided", c_bool), ("depth", c_uint32), ("move_count", c_size_t),
                ("moves", POINTER(SearchMove)), ("line_turns", c_size_t), ("line", POINTER(c_uint32)),
                ("playouts", c_uint64), ("nodes", c_uint64), ("cpu_seconds", c_double), ("belief_states", c_size_t),
                ("is_belief_exact", c_bool), ("reserved", Reserved)]


class Solution(ctypes.Structure):
    _fields_ = [("is_solved", c_bool), ("reason", c_char_p), ("method", c_char_p), ("value_count", c_size_t),
                ("values", POINTER(c_double)), ("line_turns", c_size_t), ("line", POINTER(c_uint32)),
                ("states", c_uint64), ("cpu_seconds", c_double), ("reserved", Reserved)]


class EnvironmentOptions(ctypes.Structure):
    _fields_ = [("count", c_uint32), ("threads", c_uint32), ("seed", c_uint64), ("step_limit", c_uint32),
                ("keeps_ended", c_bool), ("replaces_illegal", c_bool), ("planes", c_bool), ("room", c_uint32),
                ("reserved", Reserved)]


class EnvironmentShape(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in ("count", "roles", "moves", "mask_words", "views", "facts", "fact_words",
                                              "channels", "height", "width")]


class EnvironmentOutputs(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("ends", "rewards", "turns", "illegal", "masks", "mask_bytes",
                                              "observations", "observation_bytes", "planes")]


# Every function: the type of its result, and those of its arguments.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "version": (c_char_p,),
    "status_text": (c_char_p, c_int),
    "rules_read_file": (c_int, c_char_p, POINTER(c_void_p)),
    "rules_read_text": (c_int, c_char_p, c_char_p, c_size_t, POINTER(c_void_p)),
    "rules_free": (None, c_void_p),
    "rules_check": (c_size_t, c_void_p),
    "diagnostic_count": (c_size_t, c_void_p),
    "diagnostic": (Diagnostic, c_void_p, c_size_t),
    "rules_write": (c_void_p, c_void_p, c_int),
    "text_free": (None, c_void_p),
    "game_build": (c_int, c_void_p, POINTER(GameOptions), POINTER(c_void_p)),
    "game_free": (None, c_void_p),
    "game_why_interpreted": (c_char_p, c_void_p),
    "game_role_count": (c_uint32, c_void_p),
    "game_role_name": (c_char_p, c_void_p, c_uint32),
    "play_create": (c_void_p, c_void_p),
    "play_free": (None, c_void_p),
    "state_create": (c_void_p,),
    "state_free": (None, c_void_p),
    "state_copy": (None, c_void_p, c_void_p),
    "state_equal": (c_bool, c_void_p, c_void_p),
    "state_hash": (c_uint64, c_void_p),
    "initial": (None, c_void_p, c_void_p),
    "is_terminal": (c_bool, c_void_p, c_void_p),
    "legal": (c_size_t, c_void_p, c_void_p, c_uint32, POINTER(POINTER(c_uint32))),
    "next": (c_int, c_void_p, c_void_p, POINTER(c_uint32), c_void_p),
    "goal": (c_int, c_void_p, c_void_p, c_uint32),
    "move_text": (c_char_p, c_void_p, c_uint32, c_uint32),
    "fluent_text": (c_char_p, c_void_p, c_uint32),
    "state_text": (c_char_p, c_void_p, c_void_p),
    "sees": (c_char_p, c_void_p, c_void_p, POINTER(c_uint32), c_uint32),
    "find_move": (c_uint32, c_void_p, c_uint32, c_char_p),
    "playouts": (c_int, c_void_p, POINTER(PlayoutOptions), POINTER(PlayoutStatistics), POINTER(c_double)),
    "search_create": (c_int, c_void_p, c_uint32, c_char_p, POINTER(c_void_p)),
    "search_free": (None, c_void_p),
    "search_problem": (c_char_p, c_void_p),
    "search_set_state": (c_int, c_void_p, c_void_p),
    "search_advance": (c_int, c_void_p, POINTER(c_uint32)),
    "search_observe": (c_int, c_void_p, c_uint32, c_char_p, POINTER(Budget)),
    "search_run": (c_int, c_void_p, POINTER(Budget)),
    "search_result": (POINTER(SearchResult), c_void_p),
    "solve": (c_int, c_void_p, c_void_p, POINTER(Budget), POINTER(POINTER(Solution))),
    "solution_free": (None, POINTER(Solution)),
    "environments_create": (c_int, c_void_p, POINTER(EnvironmentOptions), POINTER(c_void_p)),
    "environments_free": (None, c_void_p),
    "environments_shape": (EnvironmentShape, c_void_p),
    "environments_reset": (None, c_void_p, c_void_p, POINTER(EnvironmentOutputs)),
    "environments_step": (None, c_void_p, c_void_p, POINTER(EnvironmentOutputs)),
    "environments_illegal_moves": (c_uint64, c_void_p),
    "environments_lost": (c_uint64, c_void_p),
    "environments_state": (c_int, c_void_p, c_uint32, c_void_p),
    "environments_percept_text": (c_char_p, c_void_p, c_uint32, c_uint32),
    "random_seed": (None, c_uint64, c_void_p),
    "masks_draw": (None, c_void_p, c_size_t, c_uint32, c_void_p, c_void_p),
}


def _path() -> str:
    """$MARELLE_LIBRARY, or the build of the tree that this file is in, or what is installed."""
    given = os.environ.get("MARELLE_LIBRARY")
    if given:
        return given
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    built = os.path.join(root, "build", "src", "libmarelle.so")
    if os.path.exists(built):
        return built
    return ctypes.util.find_library("marelle") or "libmarelle.so.0"


class Library:
    """The functions without their prefix `marelle_`. They release the global lock of Python."""

    def __init__(self) -> None:
        loaded = ctypes.CDLL(_path())
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(loaded, "marelle_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


lib = Library()


def run_interruptibly(call: Callable[[], int], stopped: c_bool) -> int:
    """Makes a long call in a thread of its own. An exception in this thread, such as Ctrl-C, sets the stop flag."""
    status: list[int] = []
    thread = threading.Thread(target=lambda: status.append(call()))
    thread.start()
    try:
        thread.join()
    except BaseException:
        stopped.value = True
        thread.join()
        raise
    return status[0]
