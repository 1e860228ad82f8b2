"""The shared library: where it is found, its structs and its functions, as in include/marelle/*.h."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Callable

OK, UNREADABLE, MALFORMED, UNPLAYABLE, BAD_ARGUMENT, UNFIT, SPENT = range(7)
NO_MOVE = 0xFFFFFFFF
Reserved, Reserved3, Reserved2, Reserved1 = c_uint64 * 4, c_uint64 * 3, c_uint64 * 2, c_uint64 * 1


class Diagnostic(ctypes.Structure):
    _fields_ = [("severity", c_int), ("code", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32), ("message", c_char_p), ("hint", c_char_p)]


class GameOptions(ctypes.Structure):
    _fields_ = [("build_seconds", c_double), ("build_bytes", c_size_t), ("interpreter_only", c_bool),
                ("kernel", c_char_p), ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class Problem(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 500)]


class PlayoutOptions(ctypes.Structure):
    _fields_ = [("playouts", c_uint64), ("seconds", c_double), ("seed", c_uint64), ("step_limit", c_uint32),
                ("stopped", POINTER(c_bool)), ("threads", c_uint32), ("gpu", c_bool), ("from", c_void_p),
                ("reserved", Reserved2)]


class PlayoutStatistics(ctypes.Structure):
    _fields_ = [("playouts", c_uint64), ("stuck", c_uint64), ("too_long", c_uint64), ("turns", c_uint64),
                ("cpu_seconds", c_double), ("reserved", Reserved)]


class Budget(ctypes.Structure):
    _fields_ = [("seconds", c_double), ("playouts", c_uint64), ("bytes", c_size_t), ("stopped", POINTER(c_bool)),
                ("cpu_seconds", c_double), ("reserved", Reserved3)]


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
                ("states", c_uint64), ("cpu_seconds", c_double), ("playouts", c_uint64),
                ("decomposition_cpu_seconds", c_double), ("json", c_char_p), ("reserved", Reserved1)]


class AnalysisOptions(ctypes.Structure):
    _fields_ = [("cpu_seconds", c_double), ("matches", c_uint64), ("seed", c_uint64), ("stopped", POINTER(c_bool)),
                ("reserved", Reserved3)]


class Analysis(ctypes.Structure):
    _fields_ = [("turns", c_char_p), ("turns_certainty", c_int), ("zero_sum", c_int), ("sum", c_int),
                ("cooperative", c_int), ("impartial", c_int), ("horizon", c_uint32), ("horizon_certainty", c_int),
                ("mutex_groups", c_size_t), ("noops", c_size_t), ("cpu_seconds", c_double), ("json", c_char_p),
                ("reserved", Reserved)]


class DecompositionOptions(ctypes.Structure):
    _fields_ = [("method", c_char_p), ("seconds", c_double), ("playouts", c_uint64), ("seed", c_uint64),
                ("from", c_void_p), ("psi", c_uint32), ("theta", c_uint32), ("phi", c_double), ("omega", c_double),
                ("stopped", POINTER(c_bool)), ("reserved", Reserved3)]


class RoleMove(ctypes.Structure):
    _fields_ = [("role", c_uint32), ("move", c_uint32)]


class Subgame(ctypes.Structure):
    _fields_ = [("has_actions", c_bool), ("is_useful", c_bool), ("is_terminal", c_bool), ("is_scoring", c_bool),
                ("is_control", c_bool), ("is_stepper", c_bool), ("is_synchronous", c_bool), ("order", c_uint32),
                ("fluent_count", c_size_t), ("fluents", POINTER(c_uint32)), ("move_count", c_size_t),
                ("moves", POINTER(RoleMove))]


class Decomposition(ctypes.Structure):
    _fields_ = [("subgame_count", c_size_t), ("subgames", POINTER(Subgame)), ("composition", c_char_p),
                ("is_imperfect", c_bool), ("confidence", c_double), ("playouts", c_uint64), ("cpu_seconds", c_double),
                ("json", c_char_p), ("graph", c_char_p), ("reserved", Reserved)]


class Permutation(ctypes.Structure):
    _fields_ = [(name, POINTER(c_uint32)) for name in ("fluents", "roles", "moves")]


class Symmetries(ctypes.Structure):
    _fields_ = [("fluent_count", c_uint32), ("role_count", c_uint32), ("move_count", c_uint32),
                ("first_move", POINTER(c_uint32)), ("order", c_char_p), ("is_complete", c_bool),
                ("generator_count", c_size_t), ("generators", POINTER(Permutation)),
                ("fluent_orbits", POINTER(c_uint32)), ("move_orbits", POINTER(c_uint32)),
                ("swapping_order", c_char_p), ("swapping_count", c_size_t), ("swapping", POINTER(Permutation)),
                ("cpu_seconds", c_double), ("json", c_char_p), ("reserved", Reserved)]


class SymmetryOptions(ctypes.Structure):
    _fields_ = [("cpu_seconds", c_double), ("seed", c_uint64), ("stopped", POINTER(c_bool)), ("reserved", Reserved3)]


class BoardOptions(ctypes.Structure):
    _fields_ = [("seed", c_uint64), ("cpu_seconds", c_double), ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class NetworkOptions(ctypes.Structure):
    _fields_ = [("horizon", c_uint32), ("plain", c_bool), ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class Count(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in ("positions", "terminal_positions", "sequences", "terminal_sequences",
                                              "stuck_positions")]


class TraceCheck(ctypes.Structure):
    _fields_ = [("is_equal", c_bool), ("matches", c_uint32), ("steps", c_uint32), ("match", c_uint32),
                ("line", c_uint32), ("difference", ctypes.c_char * 500)]


class PictureOptions(ctypes.Structure):
    _fields_ = [("ascii", c_bool), ("colour", c_bool), ("no_legend", c_bool), ("width", c_uint32),
                ("reserved", Reserved)]


class Training(ctypes.Structure):
    _fields_ = [("step", c_char_p), ("seconds", c_double), ("matches", c_uint64), ("positions", c_uint64),
                ("updates", c_uint64), ("loss", c_double), ("reserved", Reserved)]


TrainingProgress = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Training))


class TrainingOptions(ctypes.Structure):
    _fields_ = [("kind", c_char_p), ("seconds", c_double), ("matches", c_uint64), ("seed", c_uint64),
                ("threads", c_uint32), ("units", c_uint32), ("visits", c_uint32), ("gpu", c_bool),
                ("stopped", POINTER(c_bool)), ("progress", TrainingProgress), ("context", c_void_p),
                ("reserved", Reserved)]


class ModelFacts(ctypes.Structure):
    _fields_ = [("learner", c_char_p), ("is_policy", c_bool), ("helps", c_bool), ("roles", c_uint32),
                ("matches", c_uint64), ("wins", c_uint64), ("draws", c_uint64), ("features", c_uint32),
                ("nodes", c_uint32), ("edges", c_uint32), ("hidden", c_uint32), ("use", c_char_p),
                ("reserved", Reserved1)]


class CollectOptions(ctypes.Structure):
    _fields_ = [("source", c_char_p), ("states", c_char_p), ("targets", c_char_p), ("matches", c_uint64),
                ("rows", c_uint64), ("seconds", c_double), ("cpu_seconds", c_double), ("seed", c_uint64),
                ("playouts", c_uint32), ("threads", c_uint32), ("merges", c_bool), ("stopped", POINTER(c_bool)),
                ("reserved", Reserved)]


class DataFacts(ctypes.Structure):
    _fields_ = [("rows", c_uint64), ("facts", c_uint32), ("roles", c_uint32), ("reserved", Reserved2)]


class DataRow(ctypes.Structure):
    _fields_ = [("facts", POINTER(c_uint32)), ("fact_count", c_size_t), ("scores", POINTER(c_double)),
                ("count", c_uint32), ("match", c_uint32), ("is_end", c_bool)]


class Errors(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("fitness", "neat_fitness", "brier", "cross_entropy", "close",
                                              "right")] + [("reserved", Reserved)]


class Worth(ctypes.Structure):
    _fields_ = [("states", c_uint64), ("worth", c_uint32), ("model_brier", c_double), ("seconds", c_double),
                ("reserved", Reserved)]


class TrialOptions(ctypes.Structure):
    _fields_ = [("method", c_char_p), ("cpu_seconds", c_double), ("playouts", c_uint64), ("matches", c_uint64),
                ("seconds", c_double), ("seed", c_uint64), ("threads", c_uint32), ("always", c_bool),
                ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class Trial(ctypes.Structure):
    _fields_ = [("matches", c_uint64), ("wins", c_uint64), ("draws", c_uint64), ("share", c_double),
                ("error", c_double), ("reserved", Reserved)]


class PolicyOptions(ctypes.Structure):
    _fields_ = [("role", c_uint32), ("rule", c_char_p), ("has_threshold", c_bool), ("threshold", c_double),
                ("forgets", c_bool), ("seconds", c_double), ("stopped", POINTER(c_bool)), ("reserved", Reserved)]


class Policy(ctypes.Structure):
    _fields_ = [("has_value", c_bool), ("reason", c_char_p), ("is_exhausted", c_bool), ("is_below", c_bool),
                ("value", c_double), ("fraction", c_char_p), ("method", c_char_p), ("nodes", c_uint64),
                ("cpu_seconds", c_double), ("json", c_char_p), ("graph", c_char_p), ("reserved", Reserved)]


class Savings(ctypes.Structure):
    _fields_ = [("is_translated", c_bool), ("is_whole_group", c_bool), ("forbidden", c_double),
                ("log10_order", c_double), ("generators", c_uint64), ("solved", c_uint64), ("arrivals", c_uint64),
                ("classes", c_uint64), ("proved", c_uint64), ("predicted", c_uint64), ("cpu_seconds", c_double),
                ("reserved", Reserved)]


class Question(ctypes.Structure):
    _fields_ = [("role", c_uint32), ("role_name", c_char_p), ("state", c_char_p), ("percepts", c_char_p),
                ("legal_count", c_size_t), ("legal", POINTER(c_char_p)), ("reserved", Reserved)]


Chooser = ctypes.CFUNCTYPE(c_size_t, c_void_p, POINTER(Question))
MatchWatcher = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, POINTER(c_char_p), c_char_p)


class Seat(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("choose", Chooser), ("context", c_void_p)]


class MatchOptions(ctypes.Structure):
    _fields_ = [("startclock", c_double), ("playclock", c_double), ("seed", c_uint64), ("step_limit", c_uint32),
                ("stopped", POINTER(c_bool)), ("watch", MatchWatcher), ("context", c_void_p), ("cpu_clock", c_bool),
                ("reserved", Reserved3)]


class Match(ctypes.Structure):
    _fields_ = [("is_completed", c_bool), ("goals", POINTER(c_int)), ("turns", c_size_t), ("error_count", c_size_t),
                ("json", c_char_p), ("reserved", Reserved)]


class PlayerOptions(ctypes.Structure):
    _fields_ = [("strategy", c_char_p), ("margin", c_double), ("rests", c_bool), ("never_learns", c_bool),
                ("seed", c_uint64), ("threads", c_uint32), ("reserved", Reserved)]


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
    "game_hides": (c_bool, c_void_p),
    "game_move_count": (c_uint32, c_void_p, c_uint32),
    "game_fluent_count": (c_uint32, c_void_p),
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
    "search_create": (c_int, c_void_p, c_uint32, c_char_p, c_void_p, POINTER(c_void_p), POINTER(Problem)),
    "search_free": (None, c_void_p),
    "search_methods": (c_void_p,),
    "search_set_state": (c_int, c_void_p, c_void_p, POINTER(Problem)),
    "search_advance": (c_int, c_void_p, POINTER(c_uint32), POINTER(Problem)),
    "search_observe": (c_int, c_void_p, c_uint32, c_char_p, POINTER(Budget), POINTER(Problem)),
    "search_run": (c_int, c_void_p, POINTER(Budget), POINTER(Problem)),
    "search_prepare": (c_int, c_void_p, POINTER(Budget), POINTER(Problem)),
    "search_choice": (c_char_p, c_void_p),
    "search_result": (POINTER(SearchResult), c_void_p),
    "solve": (c_int, c_void_p, c_void_p, POINTER(Budget), POINTER(POINTER(Solution)), POINTER(Problem)),
    "solve_by": (c_int, c_void_p, c_void_p, c_char_p, POINTER(Budget), POINTER(POINTER(Solution)), POINTER(Problem)),
    "solving_methods": (c_void_p,),
    "solution_free": (None, POINTER(Solution)),
    "analyze": (c_int, c_void_p, POINTER(AnalysisOptions), POINTER(POINTER(Analysis)), POINTER(Problem)),
    "analysis_free": (None, POINTER(Analysis)),
    "decompose": (c_int, c_void_p, POINTER(DecompositionOptions), POINTER(POINTER(Decomposition)), POINTER(Problem)),
    "decomposition_free": (None, POINTER(Decomposition)),
    "symmetries": (c_int, c_void_p, POINTER(SymmetryOptions), POINTER(POINTER(Symmetries)), POINTER(Problem)),
    "symmetries_free": (None, POINTER(Symmetries)),
    "rules_info": (c_void_p, c_void_p),
    "rules_ground": (c_int, c_void_p, POINTER(Budget), POINTER(c_void_p), POINTER(Problem)),
    "trace_check": (c_int, c_void_p, c_char_p, POINTER(TraceCheck), POINTER(Problem)),
    "game_circuit": (c_void_p, c_void_p),
    "game_write_circuit": (c_int, c_void_p, c_char_p, c_char_p, POINTER(Problem)),
    "count": (c_int, c_void_p, c_uint32, POINTER(Budget), POINTER(Count), POINTER(c_uint32), POINTER(Problem)),
    "board_recognise": (c_void_p, c_void_p, c_uint64),
    "board_create": (c_int, c_void_p, POINTER(BoardOptions), POINTER(c_void_p), POINTER(Problem)),
    "board_free": (None, c_void_p),
    "board_json": (c_void_p, c_void_p),
    "board_state_json": (c_void_p, c_void_p, c_void_p, c_void_p, c_bool),
    "board_text": (c_void_p, c_void_p, c_void_p, c_void_p, POINTER(PictureOptions)),
    "board_svg": (c_void_p, c_void_p, c_void_p, c_void_p, c_bool),
    "model_train": (c_int, c_void_p, POINTER(TrainingOptions), POINTER(c_void_p), POINTER(Problem)),
    "model_free": (None, c_void_p),
    "model_write": (c_void_p, c_void_p),
    "model_read": (c_int, c_char_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(Problem)),
    "model_save": (c_int, c_void_p, c_char_p, POINTER(Problem)),
    "model_load": (c_int, c_char_p, POINTER(c_void_p), POINTER(Problem)),
    "model_facts": (ModelFacts, c_void_p),
    "model_evaluate": (c_int, c_void_p, c_void_p, c_void_p, POINTER(c_double), POINTER(ctypes.c_float),
                       POINTER(Problem)),
    "model_svg": (c_void_p, c_void_p),
    "data_collect": (c_int, c_void_p, POINTER(CollectOptions), POINTER(c_void_p), POINTER(Problem)),
    "data_read": (c_int, c_char_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(Problem)),
    "data_puzzle": (c_void_p, c_char_p, c_uint64, c_uint64),
    "data_free": (None, c_void_p),
    "data_write": (c_void_p, c_void_p, c_char_p, POINTER(c_size_t)),
    "data_facts": (DataFacts, c_void_p),
    "data_row": (DataRow, c_void_p, c_uint64),
    "data_fact_text": (c_char_p, c_void_p, c_uint32),
    "data_distinct": (c_void_p, c_void_p),
    "data_select": (c_void_p, c_void_p, POINTER(c_bool)),
    "data_of_role": (c_void_p, c_void_p, c_uint32),
    "data_without": (c_void_p, c_void_p, c_char_p),
    "data_split": (c_int, c_void_p, c_double, c_uint64, POINTER(c_void_p), POINTER(c_void_p)),
    "data_audit": (c_void_p, c_void_p, c_bool),
    "learners": (c_void_p,),
    "data_train": (c_int, c_void_p, c_void_p, c_char_p, POINTER(Budget), POINTER(c_void_p), POINTER(Problem)),
    "evolve": (c_int, c_void_p, c_char_p, POINTER(Budget), POINTER(c_void_p), POINTER(Problem)),
    "model_errors": (c_int, c_void_p, c_void_p, c_void_p, c_bool, POINTER(Errors), POINTER(Problem)),
    "model_worth": (c_int, c_void_p, c_void_p, c_void_p, c_uint64, c_uint64, POINTER(Worth), POINTER(Problem)),
    "model_duel": (c_int, c_void_p, c_void_p, c_void_p, POINTER(TrialOptions), POINTER(Trial), POINTER(Problem)),
    "model_try": (c_int, c_void_p, c_void_p, POINTER(TrialOptions), POINTER(c_void_p), POINTER(Problem)),
    "network_build": (c_int, c_void_p, c_uint32, c_bool, POINTER(c_void_p), POINTER(Problem)),
    "network_create": (c_int, c_void_p, POINTER(NetworkOptions), POINTER(c_void_p), POINTER(Problem)),
    "network_free": (None, c_void_p),
    "network_json": (c_void_p, c_void_p),
    "network_write": (c_void_p, c_void_p, c_char_p, c_uint32),
    "network_solve": (c_int, c_void_p, POINTER(PolicyOptions), POINTER(POINTER(Policy)), POINTER(Problem)),
    "policy_free": (None, POINTER(Policy)),
    "network_savings": (c_int, c_void_p, c_uint64, c_double, c_uint64, POINTER(c_bool), POINTER(Savings),
                        POINTER(Problem)),
    "match_play": (c_int, c_void_p, POINTER(Seat), c_size_t, POINTER(MatchOptions), POINTER(POINTER(Match)),
                   POINTER(Problem)),
    "match_free": (None, POINTER(Match)),
    "player_create": (c_int, POINTER(PlayerOptions), POINTER(c_void_p), POINTER(Problem)),
    "player_free": (None, c_void_p),
    "player_answer": (c_int, c_void_p, c_char_p, c_size_t, POINTER(c_void_p)),
    "player_stop": (None, c_void_p),
    "gpu_environments_create": (c_int, c_void_p, POINTER(EnvironmentOptions), POINTER(c_void_p), POINTER(Problem)),
    "gpu_environments_free": (None, c_void_p),
    "gpu_environments_shape": (EnvironmentShape, c_void_p),
    "gpu_environments_reset": (c_int, c_void_p, c_void_p, POINTER(EnvironmentOutputs), c_void_p, POINTER(Problem)),
    "gpu_environments_step": (c_int, c_void_p, c_void_p, POINTER(EnvironmentOutputs), c_void_p, POINTER(Problem)),
    "gpu_environments_copy": (c_int, c_void_p, c_uint32, c_uint32, c_void_p, c_void_p, POINTER(EnvironmentOutputs),
                              c_void_p, POINTER(Problem)),
    "gpu_masks_draw": (c_int, c_void_p, c_void_p, c_size_t, c_uint64, c_void_p, c_void_p, POINTER(Problem)),
    "gpu_environments_state": (c_int, c_void_p, c_uint32, c_void_p, POINTER(Problem)),
    "gpu_environments_illegal_moves": (c_int, c_void_p, POINTER(c_uint64), POINTER(Problem)),
    "gpu_alloc": (c_void_p, c_void_p, c_size_t),
    "gpu_free": (None, c_void_p, c_void_p),
    "gpu_read": (c_int, c_void_p, c_void_p, c_void_p, c_size_t, POINTER(Problem)),
    "gpu_write": (c_int, c_void_p, c_void_p, c_void_p, c_size_t, POINTER(Problem)),
    "environments_create": (c_int, c_void_p, POINTER(EnvironmentOptions), POINTER(c_void_p), POINTER(Problem)),
    "environments_free": (None, c_void_p),
    "environments_shape": (EnvironmentShape, c_void_p),
    "environments_reset": (None, c_void_p, c_void_p, POINTER(EnvironmentOutputs)),
    "environments_step": (None, c_void_p, c_void_p, POINTER(EnvironmentOutputs)),
    "environments_copy": (c_int, c_void_p, c_uint32, c_uint32, c_void_p, c_void_p, POINTER(EnvironmentOutputs),
                          POINTER(Problem)),
    "environments_illegal_moves": (c_uint64, c_void_p),
    "environments_lost": (c_uint64, c_void_p),
    "environments_state": (c_int, c_void_p, c_uint32, c_void_p),
    "environments_percept_text": (c_char_p, c_void_p, c_uint32, c_uint32),
    "random_seed": (None, c_uint64, c_void_p),
    "masks_draw": (None, c_void_p, c_size_t, c_uint32, c_void_p, c_void_p),
}


def _path() -> str:
    """$MARELLE_LIBRARY, the library in the package, the build of the tree that this file is in, or what is installed."""
    given = os.environ.get("MARELLE_LIBRARY")
    if given:
        return given
    packaged = os.path.join(os.path.dirname(os.path.realpath(__file__)), "libmarelle-package.so")
    if os.path.exists(packaged):
        return packaged
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    built = os.path.join(root, "build", "src", "libmarelle.so")
    if os.path.exists(built):
        return built
    return ctypes.util.find_library("marelle") or "libmarelle.so.0"


class Library:
    """The functions without their prefix `marelle_`. They release the global lock of Python."""

    def __init__(self) -> None:
        path = _path()
        try:
            loaded = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(f"libmarelle cannot be loaded ({error}): ./run builds it in the tree, and MARELLE_LIBRARY "
                              "may name it", path=path) from error
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(loaded, "marelle_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


lib = Library()


class UnfitError(ValueError):
    """What was asked for cannot be done with this game: it has no circuit, for example."""


class BudgetError(RuntimeError):
    """Time or memory did not suffice."""


def raise_problem(status: int, problem: Problem) -> None:
    """Raises the exception that suits the status; none for OK."""
    if status != OK:
        kinds: dict[int, type[Exception]] = {UNREADABLE: OSError, UNFIT: UnfitError, SPENT: BudgetError}
        raise kinds.get(status, ValueError)(problem.text.decode(errors="replace"))


def checked(function: Callable[..., Any], *arguments: Any) -> None:
    """Makes a call whose last argument is a problem, and raises it."""
    problem = Problem()
    raise_problem(function(*arguments, ctypes.byref(problem)), problem)


def take_text(pointer: Any) -> str:
    """The text that a function gave us; it is freed."""
    try:
        return ctypes.string_at(pointer).decode(errors="replace")
    finally:
        lib.text_free(pointer)


def text_bytes(value: Any, what: str) -> bytes:
    """A text for a C string."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} must not contain a NUL character")
    return value.encode(errors="surrogateescape")


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """The name of a file."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("a path must not contain a NUL character")
    return name


def whole(value: Any, what: str, most: int = (1 << 64) - 1, least: int = 0) -> int:
    """A whole number within its range."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be a whole number, not {type(value).__name__}")
    number = int(value.__index__())
    if not least <= number <= most:
        raise ValueError(f"{what} must be a whole number from {least} to {most}, not {number}")
    return number


def time(value: Any, what: str = "seconds") -> float:
    """A number of seconds, or another finite number, from 0 on."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    if not 0 <= value < float("inf"):
        raise ValueError(f"{what} must be a number from 0 on, not {value}")
    return float(value)


class Handle:
    """An object of the library. It is freed when nothing refers to it any more, or closed; until then the objects that
    it was made from stay alive."""

    def __init__(self, what: str, free: Callable[[Any], None], pointer: Any, *needed: Any) -> None:
        self._what, self._pointer = what, pointer
        self._finalizer = weakref.finalize(self, _free, free, pointer, needed)

    @property
    def pointer(self) -> Any:
        """The object, for a call."""
        if not self._finalizer.alive:
            raise ValueError(f"this {self._what} is closed")
        return self._pointer

    def close(self) -> None:
        """Frees the object. No thread may be using it."""
        self._finalizer()


def _free(free: Callable[[Any], None], pointer: Any, _needed: Any) -> None:
    free(pointer)


def run_interruptibly(call: Callable[[], Any], stopped: c_bool) -> int:
    """Makes a long call in a thread of its own. An exception in this thread, such as Ctrl-C, sets the stop flag."""
    status: list[int] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            status.append(call())
        except BaseException as error:
            failed.append(error)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        thread.join()
    except BaseException:
        stopped.value = True
        thread.join()
        raise
    if failed:
        raise failed[0]
    return status[0]
