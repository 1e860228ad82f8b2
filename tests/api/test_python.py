#!/usr/bin/env python3
"""The Python package: its documented examples, known answers, bad input, interrupts and memory."""
import array
import doctest
import os
import resource
import signal
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests", "tools")]
if "--marelle" in sys.argv:
    BUILD = os.path.dirname(os.path.abspath(sys.argv[sys.argv.index("--marelle") + 1]))
    os.environ["MARELLE_LIBRARY"] = os.path.join(BUILD, "src", "libmarelle.so")

import marelle  # noqa: E402
import scenario  # noqa: E402
from marelle import _environments, _game, _library, _search  # noqa: E402


def game_of(name, **options):
    return marelle.Game.from_file(os.path.join(ROOT, "games", name + ".kif"), **options)


def expect(is_so, *facts):
    if not is_so:
        raise AssertionError(" ".join(map(str, facts)))


def expect_error(kind, action, part):
    try:
        action()
    except kind as error:
        expect(part in str(error), "message:", error)
        return
    raise AssertionError(f"no {kind.__name__} with {part!r}")


def examples_of_the_documentation_hold(_marelle):
    os.chdir(ROOT)
    for module in (marelle, _game, _search, _environments):
        found = doctest.testmod(module)
        expect(found.attempted and not found.failed, module.__name__, found)


def every_function_of_the_headers_is_bound(_marelle):
    words = set()
    folder = os.path.join(ROOT, "include", "marelle")
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for part in file.read().replace("\n", " ").split("MARELLE_API ")[1:]:
                words.add(part.split("(")[0].split()[-1].lstrip("*"))
    words.discard("__attribute__")
    words = {word for word in words if word.startswith("marelle_")}
    expect(len(words) > 40, words)
    expect(words == {"marelle_" + name for name in _library.FUNCTIONS},
           words ^ {"marelle_" + name for name in _library.FUNCTIONS})


def matches_are_played_to_the_end(_marelle):
    for options in ({}, {"interpreter_only": True}):
        game = game_of("tic_tac_toe", **options)
        expect((game.why_interpreted is None) == (not options))
        state = game.initial()
        while not state.is_terminal:
            state = state.play(*(state.legal(role)[0] for role in game.roles))
        expect(sorted(state.goals.values()) == [0, 100], state.goals)
        expect(game.initial() == game.initial() and len({game.initial(), game.initial(), state}) == 2)
        expect("(control x)" in game.initial().fluents, game.initial())


def errors_carry_line_and_column(_marelle):
    try:
        marelle.Game("(role a)\n(init (x 1)", name="mine")
        raise AssertionError("no error")
    except marelle.RulesError as error:
        d = error.diagnostics[0]
        expect((d.file, d.line, d.column, d.severity) == ("mine", 2, 1, "error"), d)
    expect_error(marelle.RulesError, lambda: marelle.Game("(init (x 1))"), "unplayable")
    expect_error(marelle.RulesError, lambda: marelle.Game.from_file("/nonexistent"), "unreadable")


def bad_input_is_an_exception(_marelle):
    game, other = game_of("tic_tac_toe"), game_of("tic_tac_toe")
    start, env = game.initial(), marelle.VectorEnv(game, 4)
    for kind, action, part in (
            (ValueError, lambda: start.legal("z"), "no role"),
            (ValueError, lambda: start.play("noop"), "one move for each"),
            (ValueError, lambda: start.play("(mark 9 9)", "noop"), "no move"),
            (ValueError, lambda: start.play("noop", "noop"), "no legal move"),
            (ValueError, lambda: game.move_text("x", -1), "no move"),
            (ValueError, lambda: game.fluent_text(10**6), "no fluent"),
            (ValueError, lambda: game.write("latin"), "notation"),
            (ValueError, game.playouts, "playouts"),
            (ValueError, lambda: game.playouts(-1), "from 0 on"),
            (ValueError, lambda: marelle.search(game, "x", method="nonsense"), "nonsense"),
            (ValueError, lambda: marelle.search(game, "x", state=other.initial()), "another game"),
            (ValueError, lambda: marelle.search(game, "x", seconds=-1), "from 0 on"),
            (ValueError, lambda: marelle.solve(game, state=other.initial()), "another game"),
            (ValueError, lambda: marelle.VectorEnv(game, 0), "count"),
            (ValueError, lambda: marelle.VectorEnv(game, 1, outputs=("colour",)), "colour"),
            (ValueError, lambda: marelle.VectorEnv(game_of("kuhn_poker"), 1, outputs=("planes",)), "no planes"),
            (TypeError, lambda: env.step([1, 2]), "buffer"),
            (ValueError, lambda: env.step(array.array("I", [0] * 7)), "8 numbers"),
            (ValueError, lambda: env.step(array.array("d", [0] * 8)), "32 bits"),
            (ValueError, lambda: env.reset(b"123"), "4 numbers"),
            (IndexError, lambda: env.state(4), "no match"),
            (ValueError, lambda: marelle.VectorEnv(game, 1, outputs=()).draw(), "masks")):
        expect_error(kind, action, part)


def environments_agree_with_states(_marelle):
    game = game_of("tic_tac_toe")
    env = marelle.VectorEnv(game, 50, outputs=("ends", "rewards", "turns", "masks", "mask_bytes", "planes"))
    env.reset()
    env.seed_draws(3)
    states = [game.initial()] * 50
    for _ in range(30):
        env.draw()
        joints = [[game.move_text(role, env.moves[i, r]) for r, role in enumerate(game.roles)] for i in range(50)]
        env.step()
        for i in range(50):
            after = states[i].play(*joints[i])
            expect(after.is_terminal == (env.ends[i] == 1))
            if after.is_terminal:
                expect(list(after.goals.values()) == [env.rewards[i, 0], env.rewards[i, 1]])
                after = game.initial()
            expect(env.state(i) == after)
            for r, role in enumerate(game.roles):
                legal = {game.move_number(role, move) for move in after.legal(role)}
                expect(legal == {m for m in range(env.moves_per_role) if env.mask_bytes[i, r, m]})
            states[i] = after
    expect(env.illegal_moves == 0 and env.planes.shape[2:] == (3, 3))
    env.step(array.array("I", [12345] * 100))
    expect(env.illegal_moves == 100)


def searches_with_hidden_information(_marelle):
    game = game_of("monty_hall")
    role = next(r for r in game.roles if r != "random")
    search, state = marelle.Search(game, role, "auto:seed=1"), game.initial()
    while True:
        expect(search.run(playouts=500).belief_states > 0)
        moves = [state.legal(r)[0] for r in game.roles]
        percepts, state = state.sees(role, *moves), state.play(*moves)
        if state.is_terminal:
            return
        search.observe(moves[game.roles.index(role)], percepts)


def an_interrupt_ends_long_calls(_marelle):
    game = game_of("connect_four")
    search = marelle.Search(game, game.roles[0], "uct:memory=16")
    for call in (lambda: search.run(seconds=10**6), lambda: marelle.solve(game, seconds=10**6),
                 lambda: game.playouts(seconds=10**6)):
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            call()
            raise AssertionError("it was not interrupted")
        except KeyboardInterrupt:
            pass
    expect(search.run(playouts=10).best)


def examples_run(_marelle):
    environment = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"))

    def output_of(*command):
        return subprocess.run([sys.executable, os.path.join(ROOT, "examples", command[0]), *command[1:]], check=True,
                              env=environment, stdout=subprocess.PIPE, text=True).stdout
    expect("{'left': 100, 'right': 0}" in output_of("play.py"))
    expect("matches ended" in output_of("vector_env.py", os.path.join(ROOT, "games", "tic_tac_toe.kif"), "20"))


def memory_does_not_grow(_marelle):
    game = game_of("tic_tac_toe")

    def work(times):
        for _ in range(times):
            marelle.search(game, "x", method="uct:memory=1", playouts=10)
            marelle.VectorEnv(game, 8).reset()
            marelle.solve(game, state=game.initial().play("(mark 1 1)", "noop"), seconds=0, bytes=1 << 16)
    work(50)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(1000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    expect(grown < 8 << 10, f"{grown} KB more")


if __name__ == "__main__":
    scenario.run_functions([
        examples_of_the_documentation_hold, every_function_of_the_headers_is_bound, matches_are_played_to_the_end,
        errors_carry_line_and_column, bad_input_is_an_exception, environments_agree_with_states,
        searches_with_hidden_information, an_interrupt_ends_long_calls, examples_run, memory_does_not_grow], __doc__)
