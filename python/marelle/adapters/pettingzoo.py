"""PettingZoo's AEC interface: agents act one after the other; those that move at the same time act in the order of the
roles, and the turn is made when all have chosen. Chance is played inside."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy

from marelle._game import Game, State
from marelle._library import UnfitError, whole

try:
    from gymnasium.spaces import Dict, Discrete, MultiBinary
except ImportError:
    from marelle.adapters._spaces import Dict, Discrete, MultiBinary
try:
    from pettingzoo import AECEnv as Base
except ImportError:
    Base = object


class PettingZooEnv(Base):  # type: ignore[misc]
    """One match. An observation is {"observation": bits, "action_mask": legal actions}: the bits are the fluents of the
    state, or with hidden information the percepts of the agent since it last acted. Rewards are goals divided by 100,
    given at the end. An illegal action raises a ValueError.

    >>> import marelle
    >>> env = PettingZooEnv(marelle.Game.from_file("games/tic_tac_toe.kif"))
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     env.step(None if termination else int(observation["action_mask"].argmax()))
    >>> env.agents
    []
    """

    metadata = {"name": "marelle", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, game: Game, *, render_mode: Optional[str] = None) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"a Game is needed, not {type(game).__name__}")
        if game.why_interpreted is not None:
            raise UnfitError(f"the game has no circuit: {game.why_interpreted}")
        self.game, self.render_mode = game, render_mode
        self.possible_agents = [role for role in game.roles if role != "random"]
        self._names = self._fluents()
        moves = max(game.move_count(role) for role in game.roles)
        self._space = Dict({"observation": MultiBinary(len(self._names)), "action_mask": MultiBinary(moves)})
        self._actions = Discrete(moves)
        self.observation_spaces = {agent: self._space for agent in self.possible_agents}
        self.action_spaces = {agent: self._actions for agent in self.possible_agents}
        self.agents: list[str] = []
        self.reset()

    def _fluents(self) -> dict[str, int]:
        """The number of each fluent; where something is hidden, nothing of the state may be observed."""
        if self.game.hides:
            return {}
        return {self.game.fluent_text(number): number for number in range(self.game.fluent_count)}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begins a match; the seed is that of chance."""
        if seed is not None or not self.agents:
            self._random = numpy.random.default_rng(None if seed is None else whole(seed, "seed"))
        self._begin(self.game.initial())

    def _begin(self, state: State) -> None:
        self._state = state
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"percepts": ()} for agent in self.agents}
        self._chosen: dict[str, str] = {}
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """Goes on to the next agent that has a choice; makes the turns in which nobody has one."""
        while not self._state.is_terminal:
            for agent in self.possible_agents:
                legal = self._state.legal(agent)
                if agent not in self._chosen and len(legal) > 1:
                    self.agent_selection = agent
                    return
                if agent not in self._chosen:
                    if not legal:
                        self._end(truncated=True)
                        return
                    self._chosen[agent] = legal[0]
            self._play()
        self._end(truncated=False)

    def _play(self) -> None:
        joint = []
        for role in self.game.roles:
            legal = self._state.legal(role)
            joint.append(self._chosen[role] if role != "random" else legal[int(self._random.integers(len(legal)))])
        for agent in self.possible_agents:
            self.infos[agent]["percepts"] += self._state.sees(agent, *joint)
        self._state, self._chosen = self._state.play(*joint), {}

    def _end(self, truncated: bool) -> None:
        goals = self._state.goals
        for agent in self.agents:
            self.rewards[agent] = 0.0 if truncated else (goals[agent] or 0) / 100
            self._cumulative_rewards[agent] += self.rewards[agent]
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and its legal actions if it is to act."""
        bits = numpy.zeros(len(self._names), numpy.int8)
        for fluent in self._state.fluents if self._names else ():
            bits[self._names[fluent]] = 1
        mask = numpy.zeros(self._actions.n, numpy.int8)
        if agent == self.agent_selection and not self._state.is_terminal:
            mask[self._state.legal_numbers(agent)] = 1
        return {"observation": bits, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """The selected agent acts; an agent whose match is over takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError("an agent whose match is over takes the action None")
            self._leave(agent)
            return
        move = self.game.move_text(agent, whole(action, "an action"))
        if move not in self._state.legal(agent):
            raise ValueError(f"{move!r} is no legal move of {agent}")
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"percepts": ()}
        self._chosen[agent] = move
        self._select()

    def _leave(self, agent: str) -> None:
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            table.pop(agent)  # type: ignore[attr-defined]
        if self.agents:
            self.agent_selection = self.agents[0]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the selected agent has to know before it acts."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        """The agents in the order in which they act, until the match is over."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def state(self) -> Any:
        """The fluents of the state as bits."""
        return self.observe(self.agent_selection)["observation"]

    def render(self) -> Optional[str]:
        """The state as text."""
        return self._state.draw() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""
