"""OpenSpiel's Game and State, as its Python API documents them: players and actions are numbers, chance is a player of
its own, moves at the same time are a simultaneous node. Nothing of OpenSpiel is needed."""
from __future__ import annotations

from typing import Any, Optional, Sequence

from marelle._game import Game, State
from marelle._library import UnfitError

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4


class SpielGame:
    """A game as OpenSpiel has it. Returns are goals from 0 to 100.

    >>> import marelle
    >>> state = SpielGame(marelle.Game.from_file("games/tic_tac_toe.kif")).new_initial_state()
    >>> while not state.is_terminal():
    ...     state.apply_action(state.legal_actions()[0])
    >>> sum(state.returns())
    100.0
    """

    def __init__(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"a Game is needed, not {type(game).__name__}")
        if game.why_interpreted is not None:
            raise UnfitError(f"the game has no circuit: {game.why_interpreted}")
        self.game = game
        self.players = tuple(role for role in game.roles if role != "random")

    def num_players(self) -> int:
        """Players without chance."""
        return len(self.players)

    def num_distinct_actions(self) -> int:
        """Actions have numbers below this one."""
        return max(self.game.move_count(role) for role in self.players)

    def max_chance_outcomes(self) -> int:
        """Outcomes of chance have numbers below this one; 0 without chance."""
        return self.game.move_count("random") if "random" in self.game.roles else 0

    def min_utility(self) -> float:
        """The least goal."""
        return 0.0

    def max_utility(self) -> float:
        """The greatest goal."""
        return 100.0

    def new_initial_state(self) -> SpielState:
        """The state in which a match begins."""
        return SpielState(self, self.game.initial())

    def __str__(self) -> str:
        return f"marelle(roles={','.join(self.game.roles)})"


class SpielState:
    """A state as OpenSpiel has it. Turns in which nobody has a choice are made at once; where several roles choose at the
    same time the current player is SIMULTANEOUS, and apply_actions takes an action for each player."""

    def __init__(self, game: SpielGame, state: State) -> None:
        self._game, self._state = game, state
        self._drawn: Optional[str] = None  # the move of `random` in this turn
        self._history: list[int] = []
        self._settle()

    def _with_choice(self) -> list[str]:
        return [role for role in self._game.players if len(self._state.legal(role)) > 1]

    def _chance_is_due(self) -> bool:
        return ("random" in self._game.game.roles and self._drawn is None
                and len(self._state.legal("random")) > 1)

    def _settle(self) -> None:
        """Makes the turns in which nobody has a choice."""
        while not self._state.is_terminal and not self._chance_is_due() and not self._with_choice():
            self._play({})

    def _play(self, chosen: dict[str, str]) -> None:
        joint = []
        for role in self._game.game.roles:
            move = chosen.get(role) or (self._drawn if role == "random" else None)
            joint.append(move or self._state.legal(role)[0])
        self._state, self._drawn = self._state.play(*joint), None

    def is_terminal(self) -> bool:
        """True if the match is over."""
        return self._state.is_terminal

    def is_chance_node(self) -> bool:
        """True if chance is to move."""
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        """True if several players choose at the same time."""
        return self.current_player() == SIMULTANEOUS

    def current_player(self) -> int:
        """The number of the player to act, CHANCE, SIMULTANEOUS or TERMINAL."""
        if self._state.is_terminal:
            return TERMINAL
        if self._chance_is_due():
            return CHANCE
        able = self._with_choice()
        return SIMULTANEOUS if len(able) > 1 else self._game.players.index(able[0])

    def _role(self, player: Optional[int]) -> str:
        number = self.current_player() if player is None else player
        if number == CHANCE:
            return "random"
        if not 0 <= number < len(self._game.players):
            raise ValueError(f"player {number} does not act here")
        return self._game.players[number]

    def legal_actions(self, player: Optional[int] = None) -> list[int]:
        """The legal actions of a player, ascending; of the current one by default, and none at the end."""
        if self._state.is_terminal:
            return []
        role = self._role(player)
        return sorted(self._state.legal_numbers(role))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, with probabilities."""
        if not self.is_chance_node():
            raise ValueError("chance is not to move")
        actions = self.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def apply_action(self, action: int) -> None:
        """Makes the action of the current player."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} is no legal action")
        role = self._role(None)
        move = self._game.game.move_text(role, action)
        self._history.append(action)
        if role == "random":
            self._drawn = move
        else:
            self._play({role: move})
        self._settle()

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Makes an action of each player; those without a choice have one as well."""
        if not self.is_simultaneous_node() or len(actions) != len(self._game.players):
            raise ValueError("an action of each player is needed in a simultaneous node")
        chosen = {}
        for player, action in enumerate(actions):
            if action not in self.legal_actions(player):
                raise ValueError(f"{action} is no legal action of player {player}")
            chosen[self._game.players[player]] = self._game.game.move_text(self._game.players[player], action)
        self._history += actions
        self._play(chosen)
        self._settle()

    def action_to_string(self, player: int, action: int) -> str:
        """The move as the rules write it."""
        return self._game.game.move_text("random" if player == CHANCE else self._role(player), action)

    def returns(self) -> list[float]:
        """The goals of the players at the end, zeros before."""
        if not self._state.is_terminal:
            return [0.0] * len(self._game.players)
        goals = self._state.goals
        return [float(goals[role] or 0) for role in self._game.players]

    def rewards(self) -> list[float]:
        """As returns: goals are given at the end alone."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The goal of one player."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """The actions so far, those of chance too."""
        return list(self._history)

    def observation_string(self, player: Optional[int] = None) -> str:
        """The state as text; refused where something is hidden."""
        if self._game.game.hides:
            raise ValueError("something is hidden in this game")
        return str(self._state)

    def get_game(self) -> SpielGame:
        """The game."""
        return self._game

    def clone(self) -> SpielState:
        """A copy that goes on by itself."""
        copy = SpielState.__new__(SpielState)
        copy.__dict__.update(self.__dict__, _history=list(self._history))
        return copy

    def __str__(self) -> str:
        return str(self._state)

    def __deepcopy__(self, _memo: Any) -> SpielState:
        return self.clone()
