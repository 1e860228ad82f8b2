"""Gymnasium's VectorEnv: one role of a game learns, the others move at random. `num_envs` matches step together, and a
match that ended begins again in the same step (AutoresetMode.SAME_STEP); `info` has the masks of legal actions."""
from __future__ import annotations

from typing import Any, Optional

import numpy

from marelle._environments import VectorEnv
from marelle._game import Game
from marelle._library import whole

try:
    from gymnasium.spaces import Discrete, MultiBinary, MultiDiscrete
    from gymnasium.vector import VectorEnv as Base
    try:
        from gymnasium.vector import AutoresetMode
        METADATA: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}
    except ImportError:
        METADATA = {}
    try:
        from gymnasium.vector.utils import batch_space
    except ImportError:
        batch_space = None
except ImportError:
    from marelle.adapters._spaces import Discrete, MultiBinary, MultiDiscrete
    Base, METADATA, batch_space = object, {}, None


class GymnasiumVectorEnv(Base):  # type: ignore[misc]
    """`num_envs` matches in which `role` acts. An observation is the bits of the state, or with hidden information the
    percepts of the role; the reward of a step is the change of the role's goal, divided by 100, at the end of a match.
    Where the role has no choice its action is not read; steps in which only others choose are made all the same.

    >>> import marelle
    >>> env = GymnasiumVectorEnv(marelle.Game.from_file("games/tic_tac_toe.kif"), 8, role="x")
    >>> observations, info = env.reset(seed=1)
    >>> observations.shape, info["action_mask"].shape
    ((8, 29), (8, 10))
    """

    metadata = METADATA

    def __init__(self, game: Game, num_envs: int = 1, *, role: Optional[str] = None, threads: int = 1,
                 step_limit: int = 0) -> None:
        self.game, self.num_envs = game, whole(num_envs, "num_envs", 1 << 24, 1)
        self.role = role if role is not None else next(name for name in game.roles if name != "random")
        self._number = game.role_number(self.role)
        self._options: dict[str, Any] = {"threads": threads, "step_limit": step_limit, "replaces_illegal": True}
        self._open(0)
        facts = self._arrays["observation_bytes"].shape[2]
        moves = self._env.moves_per_role
        self.single_observation_space, self.single_action_space = MultiBinary(facts), Discrete(moves)
        if batch_space is not None:
            self.observation_space = batch_space(self.single_observation_space, self.num_envs)
            self.action_space = batch_space(self.single_action_space, self.num_envs)
        else:
            self.observation_space = MultiBinary((self.num_envs, facts))
            self.action_space = MultiDiscrete([moves] * self.num_envs)
        self.render_mode, self.spec, self.closed = None, None, False

    def _open(self, seed: int) -> None:
        outputs = ("ends", "rewards", "illegal", "masks", "mask_bytes", "observation_bytes")
        self._env = VectorEnv(self.game, self.num_envs, seed=seed, outputs=outputs, **self._options)
        self._env.seed_draws(seed)
        self._arrays = self._env.arrays()
        self._view = self._number if self._arrays["observation_bytes"].shape[1] > 1 else 0

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        bits = self._arrays["observation_bytes"][:, self._view].astype(numpy.int8)
        return bits, {"action_mask": self._arrays["mask_bytes"][:, self._number].astype(numpy.int8)}

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, Any]:
        """Begins all matches; with a seed, chance and the other roles begin anew, too."""
        if seed is not None:
            self._open(whole(seed, "seed"))
        mask = (options or {}).get("reset_mask")
        self._env.reset(None if mask is None else numpy.ascontiguousarray(mask, dtype=numpy.uint8))
        return self._observe()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One turn in every match. Illegal actions are replaced by random ones; info["illegal"] tells where."""
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"{self.num_envs} whole numbers are needed as actions")
        self._env.draw()
        own = self._arrays["mask_bytes"][:, self._number].sum(axis=1) > 1
        moves = self._arrays["moves"]
        moves[own, self._number] = given[own].astype(numpy.int64) & 0xFFFFFFFF
        self._env.step(moves)
        ends = self._arrays["ends"]
        observations, info = self._observe()
        info["illegal"] = self._arrays["illegal"].astype(bool)
        rewards = self._arrays["rewards"][:, self._number].astype(numpy.float64) / 100
        return observations, rewards, (ends == 1) | (ends == 2), ends == 3, info

    def close(self, **_options: Any) -> None:
        """Frees the matches."""
        self._env.close()
        self.closed = True
