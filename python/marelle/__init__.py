"""General game playing: read the rules of any game in GDL, play, search, solve, take games apart, learn, and step many
matches at once.

>>> import marelle
>>> game = marelle.Game.from_file("games/tic_tac_toe.kif")
>>> game.roles
('x', 'o')
>>> state = game.initial().play("(mark 2 2)", "noop")
>>> len(state.legal("o")), state.is_terminal
(8, False)
>>> marelle.search(game, "x", playouts=1000, method="uct:seed=1").best
'(mark 2 2)'
>>> marelle.solve(game).values
{'x': 50.0, 'o': 50.0}

Moves are texts in prefix notation and roles are names; environments work with numbers.
"""
from marelle._analysis import Analysis, Decomposition, Subgame, Symmetries, analyze, decompose, symmetries
from marelle._environments import VectorEnv, vector_env
from marelle._game import Board, Count, Diagnostic, Game, Playouts, RulesError, State, TraceCheck
from marelle._gpu import DeviceArray, GpuVectorEnv
from marelle._learning import (Data, DataRow, Errors, Trial, Worth, collect, duel, errors, evolve, learners, try_model,
                               worth)
from marelle._library import BudgetError, UnfitError
from marelle._library import lib as _lib
from marelle._matches import Match, Player, Question, match
from marelle._models import Model, Training, learn
from marelle._networks import Network, Policy, Savings, savings, scsp
from marelle._search import MoveValue, Search, SearchResult, Solution, methods, search, solve, solving_methods

__version__: str = _lib.version().decode()
__all__ = ["Analysis", "Board", "BudgetError", "Count", "Data", "DataRow", "Decomposition", "DeviceArray",
           "Diagnostic", "Errors", "Game", "GpuVectorEnv", "Match", "Model", "MoveValue", "Network", "Player",
           "Playouts", "Policy", "Question", "RulesError", "Savings", "Search", "SearchResult", "Solution", "State",
           "Subgame", "Symmetries", "TraceCheck", "Training", "Trial", "UnfitError", "VectorEnv", "Worth", "analyze",
           "collect", "decompose", "duel", "errors", "evolve", "learn", "learners", "match", "methods", "savings",
           "scsp", "search", "solve", "solving_methods", "symmetries", "try_model", "vector_env", "worth"]
