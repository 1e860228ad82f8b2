"""General game playing: read the rules of any game in GDL, play, search, solve, and step many matches at once.

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
from marelle._environments import VectorEnv
from marelle._game import Diagnostic, Game, Playouts, RulesError, State
from marelle._library import lib as _lib
from marelle._search import MoveValue, Search, SearchResult, Solution, search, solve

__version__: str = _lib.version().decode()
__all__ = ["Diagnostic", "Game", "MoveValue", "Playouts", "RulesError", "Search", "SearchResult", "Solution", "State",
           "VectorEnv", "search", "solve"]
