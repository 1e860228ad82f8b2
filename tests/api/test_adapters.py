#!/usr/bin/env python3
"""Conformance of the adapters to the documented interfaces of Gymnasium, PettingZoo and OpenSpiel, which need not be
installed; and the type hints of the package under mypy --strict."""
import doctest
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests", "tools")]
if "--marelle" in sys.argv:
    BUILD = os.path.dirname(os.path.abspath(sys.argv[sys.argv.index("--marelle") + 1]))
    os.environ["MARELLE_LIBRARY"] = os.path.join(BUILD, "src", "libmarelle.so")

import marelle  # noqa: E402
import scenario  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker", "rock_paper_scissors", "monty_hall", "guess_dice"]


def games_of():
    for name in GAMES:
        path = os.path.join(ROOT, "games", name + ".kif")
        if os.path.exists(path):
            yield marelle.Game.from_file(path)


def expect(is_so, *facts):
    if not is_so:
        raise AssertionError(" ".join(map(str, facts)))


def need_numpy():
    try:
        import numpy
    except ImportError:
        raise scenario.Skip("no numpy for this Python") from None
    return numpy


def expect_error(kind, action):
    try:
        action()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def gymnasium_vector_env(_marelle):
    numpy = need_numpy()
    from marelle.adapters import gymnasium
    os.chdir(ROOT)
    expect(doctest.testmod(gymnasium).failed == 0)
    refused = 0
    for game in games_of():
        env = gymnasium.GymnasiumVectorEnv(game, 16)
        single = env.single_observation_space.shape
        expect(env.num_envs == 16 and env.action_space.contains(numpy.zeros(16, numpy.int64)))
        first, info = env.reset(seed=5)
        expect(first.shape == (16, *single) and env.observation_space.contains(first), first.shape)
        random, rewards, ended = numpy.random.default_rng(0), 0.0, 0
        seen = [first]
        for _ in range(60):
            mask = info["action_mask"]
            actions = (random.random(mask.shape) * mask).argmax(axis=1)
            observations, reward, terminations, truncations, info = env.step(actions)
            expect(reward.shape == terminations.shape == truncations.shape == (16,), game.roles)
            expect(reward.dtype == numpy.float64 and terminations.dtype == bool and truncations.dtype == bool)
            expect(not info["illegal"].any() and env.observation_space.contains(observations))
            expect(((reward == 0) | terminations).all(), "rewards come at the end")
            rewards, ended = rewards + reward.sum(), ended + terminations.sum()
            seen.append(observations)
        expect(ended > 0 and rewards > 0, game.roles, ended, rewards)
        again, _ = env.reset(seed=5)
        expect((again == first).all(), "a seed gives one result")
        expect_error(ValueError, lambda: env.step([0]))
        expect_error(ValueError, lambda: env.step(numpy.zeros(16)))
        several = env._arrays["mask_bytes"][:, env._number].sum(axis=1) > 1  # before the step writes others
        _, _, _, _, info = env.step(numpy.full(16, -1))
        expect((info["illegal"] == several).all(), "an action is illegal where there is a choice")
        refused += several.sum()
        env.close()
        expect_error(ValueError, env.reset)
    expect(refused > 0)


def pettingzoo_agents(_marelle):
    need_numpy()
    from marelle.adapters import pettingzoo
    os.chdir(ROOT)
    expect(doctest.testmod(pettingzoo).failed == 0)
    for game in games_of():
        env = pettingzoo.PettingZooEnv(game, render_mode="ansi")
        for seed in range(3):
            env.reset(seed=seed)
            expect(env.agents == env.possible_agents and isinstance(env.render(), str))
            total, steps = dict.fromkeys(env.agents, 0.0), 0
            for agent in env.agent_iter():
                observation, reward, termination, truncation, info = env.last()
                expect(agent == env.agent_selection and isinstance(info, dict))
                expect(env.observation_space(agent).contains(observation), game.roles)
                total[agent] += reward
                if termination or truncation:
                    expect(not observation["action_mask"].any())
                    env.step(None)
                    continue
                action = env.action_space(agent).sample(observation["action_mask"])
                env.step(int(action))
                steps += 1
            expect(env.agents == [] and steps > 0)
            expect(total == {agent: (env._state.goals[agent] or 0) / 100 for agent in total}, total)
        env.reset()
        illegal = [a for a, allowed in enumerate(env.observe(env.agent_selection)["action_mask"]) if not allowed]
        for action in illegal[:1]:
            expect_error(ValueError, lambda: env.step(action))
        expect_error(TypeError, lambda: env.step("a"))


def open_spiel_states(_marelle):
    from marelle.adapters import open_spiel
    os.chdir(ROOT)
    expect(doctest.testmod(open_spiel).failed == 0)
    import random
    for marelle_game in games_of():
        game, draw = open_spiel.SpielGame(marelle_game), random.Random(1)
        expect(game.num_players() == len([r for r in marelle_game.roles if r != "random"]))
        for _ in range(5):
            state = game.new_initial_state()
            while not state.is_terminal():
                copy = state.clone()
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    expect(abs(sum(p for _, p in outcomes) - 1) < 1e-9 and state.current_player() == open_spiel.CHANCE)
                    state.apply_action(draw.choice(outcomes)[0])
                elif state.is_simultaneous_node():
                    expect_error(ValueError, lambda: state.apply_action(0))
                    state.apply_actions([draw.choice(state.legal_actions(p)) for p in range(game.num_players())])
                else:
                    player = state.current_player()
                    actions = state.legal_actions()
                    expect(actions == sorted(actions) and max(actions) < game.num_distinct_actions())
                    expect(all(isinstance(state.action_to_string(player, a), str) for a in actions))
                    state.apply_action(draw.choice(actions))
                expect(len(copy.history()) < len(state.history()), "a copy goes on by itself")
            expect(state.current_player() == open_spiel.TERMINAL and state.legal_actions() == [])
            expect(all(game.min_utility() <= value <= game.max_utility() for value in state.returns()))


def a_game_without_circuit_is_refused(_marelle):
    need_numpy()
    from marelle.adapters import open_spiel, pettingzoo
    game = marelle.Game.from_file(os.path.join(ROOT, "games", "tic_tac_toe.kif"), interpreter_only=True)
    for kind in (open_spiel.SpielGame, pettingzoo.PettingZooEnv):
        expect_error(marelle.UnfitError, lambda: kind(game))
        expect_error(TypeError, lambda: kind("game"))


def type_hints_are_complete(_marelle):
    if not shutil.which("/usr/bin/mypy"):
        raise scenario.Skip("no mypy here")
    done = subprocess.run(["/usr/bin/mypy", "--strict", "--cache-dir", os.devnull, "python/marelle"], cwd=ROOT,
                          stdout=subprocess.PIPE, text=True, check=False)
    expect(done.returncode == 0, done.stdout)


if __name__ == "__main__":
    scenario.run_functions([gymnasium_vector_env, pettingzoo_agents, open_spiel_states,
                            a_game_without_circuit_is_refused, type_hints_are_complete], __doc__)
