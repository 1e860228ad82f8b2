#!/usr/bin/env python3
"""The Python package: its documented examples, known answers, bad input, interrupts and memory."""
import array
import contextlib
import doctest
import io
import json
import os
import shutil
import resource
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests", "tools")]
if "--marelle" in sys.argv:
    BUILD = os.path.dirname(os.path.abspath(sys.argv[sys.argv.index("--marelle") + 1]))
    os.environ["MARELLE_LIBRARY"] = os.path.join(BUILD, "src", "libmarelle.so")

import marelle  # noqa: E402
import scenario  # noqa: E402
from marelle import (_analysis, _environments, _game, _learning, _library, _matches, _models,  # noqa: E402
                     _networks, _search)


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
    for module in (marelle, _analysis, _environments, _game, _learning, _matches, _models, _networks, _search):
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


def structs_are_those_of_the_headers(_marelle):
    """Sizes and offsets as the C compiler sees them."""
    compiler = shutil.which("cc")
    if not compiler:
        raise scenario.Skip("no C compiler here")
    lines = ["#include <marelle/marelle.h>", "#include <stddef.h>"]
    structs = [kind for kind in vars(_library).values()
               if isinstance(kind, type) and issubclass(kind, _library.ctypes.Structure)]
    for kind in structs:
        name = "Marelle" + kind.__name__
        lines.append(f"_Static_assert(sizeof({name}) == {_library.ctypes.sizeof(kind)}, \"{name}\");")
        lines += [f"_Static_assert(offsetof({name}, {field}) == {getattr(kind, field).offset}, \"{name}.{field}\");"
                  for field, *_ in kind._fields_]
    expect(len(structs) > 25, structs)
    subprocess.run([compiler, "-std=gnu17", "-fsyntax-only", "-I", os.path.join(ROOT, "include"), "-x", "c", "-"],
                   input="\n".join(lines), text=True, check=True)


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
    expect_error(marelle.RulesError, lambda: marelle.Game.from_file("/dev/null/nothing"), "unreadable")


def bad_input_is_an_exception(_marelle):
    game, other = game_of("tic_tac_toe"), game_of("tic_tac_toe")
    start, env = game.initial(), marelle.VectorEnv(game, 4)
    single = game_of("tic_tac_toe", interpreter_only=True)
    for kind, action, part in (
            (ValueError, lambda: start.legal("z"), "no role"),
            (ValueError, lambda: start.play("noop"), "one move for each"),
            (ValueError, lambda: start.play("(mark 9 9)", "noop"), "no move"),
            (ValueError, lambda: start.play("noop", "noop"), "no legal move"),
            (ValueError, lambda: game.move_text("x", -1), "no move"),
            (ValueError, lambda: game.fluent_text(10**6), "no fluent"),
            (ValueError, lambda: game.write("latin"), "notation"),
            (ValueError, game.playouts, "playouts"),
            (ValueError, lambda: game.playouts(-1), "from 0 to"),
            (ValueError, lambda: marelle.search(game, "x", method="nonsense"), "nonsense"),
            (ValueError, lambda: marelle.search(game, "x", state=other.initial()), "another game"),
            (ValueError, lambda: marelle.search(game, "x", seconds=-1), "from 0 on"),
            (ValueError, lambda: marelle.solve(game, state=other.initial()), "another game"),
            (TypeError, lambda: marelle.Game(5), "str"),
            (marelle.RulesError, lambda: game_of("tic_tac_toe", kernel="steam"), "there is no kernel `steam`"),
            (ValueError, lambda: marelle.Game("(role a)\0"), "NUL"),
            (TypeError, lambda: marelle.Game.from_file(5.0), "PathLike"),
            (TypeError, lambda: start.legal(0), "str"),
            (TypeError, lambda: start.play(0, 1), "str"),
            (ValueError, lambda: start.play("noop\0", "noop"), "NUL"),
            (TypeError, lambda: game.move_text("x", "1"), "whole number"),
            (TypeError, lambda: game.playouts("10"), "whole number"),
            (TypeError, lambda: game.playouts(10, seconds="1"), "number"),
            (ValueError, lambda: game.playouts(10, seed=-1), "seed"),
            (ValueError, lambda: game.count(1 << 40), "depth"),
            (ValueError, lambda: game.write_circuit("/tmp/x", "png"), "png"),
            (OSError, lambda: game.write_circuit("/dev/null/x", "dot"), "dev/null"),
            (OSError, lambda: game.check_trace("/dev/null/nothing"), "dev/null"),
            (TypeError, lambda: game.board.describe(5), "State"),
            (ValueError, lambda: game.board.text(other.initial()), "another game"),
            (TypeError, lambda: marelle.search(game, "x", method=5), "str"),
            (TypeError, lambda: marelle.search(game, "x", model=5), "Model"),
            (TypeError, lambda: marelle.search(game, "x", state=5), "State"),
            (ValueError, lambda: marelle.search(game, "x", playouts=1 << 70), "playouts"),
            (ValueError, lambda: marelle.analyze(game, cpu_seconds=float("nan")), "cpu_seconds"),
            (TypeError, lambda: marelle.analyze(5), "Game"),
            (ValueError, lambda: marelle.decompose(game, method="magic"), "magic"),
            (ValueError, lambda: marelle.decompose(game, state=other.initial()), "another game"),
            (marelle.UnfitError, lambda: marelle.decompose(single), "no circuit"),
            (marelle.UnfitError, lambda: marelle.symmetries(single), "no circuit"),
            (marelle.UnfitError, lambda: marelle.learn(single), "circuit"),
            (ValueError, lambda: marelle.learn(game, kind="magic"), "kind"),
            (TypeError, lambda: marelle.learn("game"), "Game"),
            (OSError, lambda: marelle.Model.load("/dev/null/nothing"), "dev/null"),
            (ValueError, lambda: marelle.Model.from_text("nonsense"), ""),
            (ValueError, lambda: marelle.scsp(game, 10**6), "horizon"),
            (marelle.UnfitError, lambda: marelle.scsp(single, 2), "no circuit"),
            (ValueError, lambda: marelle.Network(game, 1).write("png"), "png"),
            (ValueError, lambda: marelle.Network(game, 1).solve(rule="nobody"), "rule"),
            (ValueError, lambda: marelle.match(game, ["legal"]), "2 players"),
            (ValueError, lambda: marelle.match(game, ["legal", "nobody"]), "nobody"),
            (TypeError, lambda: marelle.match(game, ["legal", 5]), "str"),
            (ValueError, lambda: marelle.match(game, ["legal", lambda question: "fly"]), "fly"),
            (ZeroDivisionError, lambda: marelle.match(game, ["legal", lambda question: 1 // 0]), ""),
            (ValueError, lambda: marelle.Player("nobody"), "nobody"),
            (ValueError, lambda: marelle.Player("legal").answer("(FLY)"), ""),
            (ValueError, lambda: marelle.VectorEnv(game, 0), "count"),
            (ValueError, lambda: marelle.VectorEnv(game, 1, outputs=("colour",)), "colour"),
            (ValueError, lambda: marelle.VectorEnv(game_of("kuhn_poker"), 1, outputs=("planes",)), "no planes"),
            (TypeError, lambda: env.step([1, 2]), "buffer"),
            (ValueError, lambda: env.step(array.array("I", [0] * 7)), "8 numbers"),
            (ValueError, lambda: env.step(array.array("d", [0] * 8)), "32 bits"),
            (ValueError, lambda: env.reset(b"123"), "4 numbers"),
            (IndexError, lambda: env.state(4), "no match"),
            (TypeError, lambda: env.copy_from(game, array.array("I", [0])), "VectorEnv"),
            (TypeError, lambda: env.copy_from(marelle.VectorEnv(game, 1), [0]), "buffer"),
            (ValueError, lambda: env.copy_from(env, array.array("I", [0])), "other environments"),
            (ValueError, lambda: env.copy_from(marelle.VectorEnv(other, 4), array.array("I", [0])), "same game"),
            (ValueError, lambda: env.copy_from(marelle.VectorEnv(game, 1), array.array("I", [1])), "no match 1"),
            (ValueError, lambda: env.copy_from(marelle.VectorEnv(game, 1), array.array("I", [0]), 4), "there are 4"),
            (ValueError, lambda: env.copy_from(marelle.VectorEnv(game, 1), array.array("I", [0]), -1), "from 0 to"),
            (ValueError, lambda: env.copy_from(marelle.VectorEnv(game, 1), array.array("d", [0])), "32 bits"),
            (ValueError, lambda: marelle.VectorEnv(game, 1, outputs=()).draw(), "masks")):
        expect_error(kind, action, part)


def closed_objects_refuse_calls(_marelle):
    game = game_of("tic_tac_toe")
    env, search, player = marelle.VectorEnv(game, 4), marelle.Search(game, "x"), marelle.Player("legal")
    for thing in (env, search, player):
        thing.close()
        thing.close()
    for action in (env.reset, env.step, lambda: env.state(0), lambda: env.illegal_moves, lambda: search.run(playouts=1),
                   lambda: search.advance("(mark 1 1)", "noop"), lambda: player.answer("(INFO)")):
        expect_error(ValueError, action, "closed")
    expect(len(env.ends) == 4, "outputs stay readable")


def objects_keep_what_they_need(_marelle):
    """A game that nobody names any more lives on in what was made from it."""
    search = marelle.Search(game_of("tic_tac_toe"), "x", "uct:seed=1")
    env = marelle.VectorEnv(game_of("tic_tac_toe"), 4)
    network = marelle.Network(game_of("monty_hall"), 3)
    state = game_of("tic_tac_toe").initial()
    expect(search.run(playouts=50).best and network.solve().value and state.draw())
    env.reset()
    env.draw()
    env.step()


def numpy_arrays_share_the_memory(_marelle):
    try:
        import numpy
    except ImportError:
        raise scenario.Skip("no numpy for this Python") from None
    game = game_of("connect_four")
    env = marelle.VectorEnv(game, 64, outputs=("ends", "rewards", "mask_bytes", "observation_bytes", "masks"))
    arrays = env.arrays()
    expect(arrays["mask_bytes"].shape == (64, 2, env.moves_per_role) and arrays["rewards"].dtype == numpy.int32)
    env.reset()
    expect(arrays["observation_bytes"].any() and numpy.shares_memory(arrays["masks"], numpy.asarray(env.masks)))
    random = numpy.random.default_rng(1)
    for _ in range(50):
        moves = (random.random(arrays["mask_bytes"].shape) * arrays["mask_bytes"]).argmax(axis=2)
        env.step(moves.astype(numpy.uint32))
    expect(env.illegal_moves == 0)
    expect_error(ValueError, lambda: env.step(moves.astype(numpy.int64)), "32 bits")
    expect_error(ValueError, lambda: env.step(numpy.zeros((2, 64), numpy.uint32).T), "contiguous")
    expect(numpy.from_dlpack(arrays["ends"]).shape == (64,))


def matches_and_players(_marelle):
    game = game_of("tic_tac_toe")
    turns = []
    played = marelle.match(game, [lambda question: question.legal[0], "uct:playouts=300"], seed=2, startclock=0.1,
                           watch=lambda turn, moves, state: turns.append((turn, moves, state)))
    expect(played.is_completed and played.turns == len(turns) and played.errors == 0, played)
    expect(set(played.goals) == {"x", "o"} and played.json["isCompleted"])
    poker = game_of("kuhn_poker")
    seen = []

    def first(question):
        seen.append(question)
        return question.legal[0]
    players = [first if i == 0 else "legal" for i, role in enumerate(r for r in poker.roles if r != "random")]
    expect(marelle.match(poker, players, seed=1, startclock=0.1).is_completed)
    expect(seen and all(question.state is None for question in seen) and any(q.percepts for q in seen), seen)
    player = marelle.Player("legal")
    rules = game.write("kif")
    expect(player.answer(f"(START m x ({rules}) 1 1)") == "ready")
    expect(player.answer("(PLAY m NIL)").startswith("(mark"))
    player.answer("(ABORT m)")


def models_are_learnt_and_kept(_marelle):
    game, steps = game_of("tic_tac_toe"), []
    model = marelle.learn(game, kind="policy", matches=8, visits=8, units=64, seed=1, progress=steps.append)
    advice = model.advise(game.initial())
    expect(abs(sum(advice["x"].values()) - 1) < 1e-3 and set(advice["o"]) == {"noop"}, advice)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        model.save(path)
        same = marelle.Model.load(path)
    expect(same.evaluate(game.initial()) == model.evaluate(game.initial()))
    expect(marelle.search(game, "x", method="uct:seed=1", model=same, playouts=50).best)
    expect_error(marelle.UnfitError, lambda: model.evaluate(game_of("connect_four").initial()), "another game")

    def stop(_training):
        raise LookupError("enough")
    expect_error(LookupError, lambda: marelle.learn(game, seconds=100, progress=stop), "enough")


def importing_and_searching_is_quick(_marelle):
    """CPU time from the start of Python to the first searched move, without that of Python itself."""
    def cpu(code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=dict(
            os.environ, PYTHONPATH=os.path.join(ROOT, "python")))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    code = ("import marelle\ngame = marelle.Game.from_file('games/tic_tac_toe.kif')\n"
            "assert marelle.search(game, 'x', playouts=100).best")
    least = min(cpu(code) - cpu("pass") for _ in range(5))
    expect(least < 0.2, f"{least} CPU seconds")


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
    kept = marelle.VectorEnv(game, 7, keeps_ended=True, outputs=("mask_bytes",))
    kept.reset()
    kept.copy_from(env, array.array("i", [49, 3]), 5)
    expect([kept.state(5), kept.state(6)] == [states[49], states[3]] and kept.state(4) == game.initial())
    expect(kept.mask_bytes.tolist()[6] == env.mask_bytes.tolist()[3])


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


def an_interrupt_ends_the_rest(_marelle):
    """A flag that is set already ends every call that takes one: the clock decides nothing."""
    game = game_of("connect_four")
    tried = set()
    real = _library.run_interruptibly

    def interrupted(call, stopped):
        stopped.value = True
        real(call, stopped)
        raise KeyboardInterrupt
    for module in (_library, _learning):
        expect(module.__dict__.get("run_interruptibly", real) is real)
    data, model = marelle.Data.puzzle("tictactoe"), None
    calls = {"analyze": lambda: marelle.analyze(game, cpu_seconds=10**6),
             "decompose": lambda: marelle.decompose(game, playouts=10**12),
             "decompose by statistics": lambda: marelle.decompose(game, method="stats", playouts=10**12),
             "symmetries": lambda: marelle.symmetries(game, cpu_seconds=10**6),
             "board": lambda: marelle.Board(game),
             "network": lambda: marelle.Network(game_of("connect_four"), 40),
             "savings": lambda: marelle.savings(game, pulls=10**12, cpu_seconds=10**6),
             "collect": lambda: marelle.collect(game, matches=10**12),
             "train": lambda: data.train("neat:effort=1000000,all=1"),
             "evolve": lambda: marelle.evolve("neat:task=blind_poles,generations=1000000"),
             "duel": lambda: marelle.duel(game, model, matches=10**9, cpu_seconds=10),
             "solve by nrpa": lambda: marelle.solve(game_of("eight_puzzle"), method="nrpa", seconds=10**6)}
    _library.run_interruptibly = interrupted
    try:
        for name, call in calls.items():
            try:
                call()
            except KeyboardInterrupt:
                tried.add(name)
    finally:
        _library.run_interruptibly = real
    expect(tried == set(calls), set(calls) - tried)
    expect(marelle.symmetries(game).order == 2)
    expect(game.board.json["grids"][0]["width"] == 7)
    expect(marelle.savings(game_of("tic_tac_toe"), pulls=200, cpu_seconds=2).generators == 2)


def verbs_and_the_package_agree(marelle_program):
    """The same seed gives the same results; times are not compared."""
    program = os.path.join(BUILD, os.path.basename(marelle_program))

    def verb(*words):
        done = subprocess.run([program, *words, "--json", "--quiet"], stdout=subprocess.PIPE, text=True,
                              check=False, stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)

    def same(what, *pair):
        expect(pair[0] == pair[1], what, *pair)
    game, path = game_of("tic_tac_toe"), os.path.join(ROOT, "games", "tic_tac_toe.kif")
    puzzle = os.path.join(ROOT, "games", "queens_guided.kif")
    for algo in ("nrpa", "uct", "uct1", "mtmcts", "cds"):
        run = verb("solve", puzzle, "--algo", algo, "--seed", "3", "--playouts", "100000")["runs"][0]
        found = marelle.solve(game_of("queens_guided"), method=algo + ":seed=3", playouts=100000).json
        for key in ("solved", "score", "playouts", "line"):
            same(algo + " " + key, run[key], found[key])
    same("solve", verb("solve", path)["values"], marelle.solve(game).values)
    random = verb("simulate", path, "--playouts", "2000", "--seed", "3")
    same("simulate", random["mean_goals"], game.playouts(2000, seed=3).mean_goals)
    same("perft", verb("perft", path, "--depth", "4")["positions"],
         [count.positions for count in game.count(4)])
    same("symmetry", str(verb("symmetry", path)["order"]), str(marelle.symmetries(game).order))
    same("info", verb("info", path)["moves"], game.info()["moves"])
    same("ground", verb("ground", path)["fluents"], game.ground()["fluents"])
    players = ["uct:playouts=50", "uct:playouts=50"]
    same("match", verb("match", path, *players, "--seed", "4")["moves"],
         marelle.match(game, players, seed=4).json["moves"])
    same("decompose", verb("decompose", path, "--seed", "1")["class"], marelle.decompose(game, seed=1).composition)


def examples_run(_marelle):
    environment = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"))

    def output_of(*command):
        return subprocess.run([sys.executable, os.path.join(ROOT, "examples", command[0]), *command[1:]], check=True,
                              env=environment, stdout=subprocess.PIPE, text=True).stdout
    expect("{'left': 100, 'right': 0}" in output_of("play.py"))
    with open(os.path.join(ROOT, "examples", "decomposition.ipynb"), encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    os.chdir(os.path.join(ROOT, "examples"))
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()):
                exec("".join(cell["source"]), names)  # pylint: disable=exec-used
    expect(len(names["found"].subgames) > 1)
    os.chdir(ROOT)
    expect("matches ended" in output_of("vector_env.py", os.path.join(ROOT, "games", "tic_tac_toe.kif"), "20"))


def memory_does_not_grow(_marelle):
    game = game_of("tic_tac_toe")
    small = game.write()

    def work(times):
        for _ in range(times):
            marelle.search(game, "x", method="uct:memory=1", playouts=10)
            marelle.VectorEnv(game, 8).reset()
            marelle.solve(game, state=game.initial().play("(mark 1 1)", "noop"), seconds=0, bytes=1 << 16)
            game.initial().draw()
            marelle.Player("legal").answer("(INFO)")
            if times <= 200:
                marelle.Game(small)
                marelle.match(game, ["legal", lambda question: question.legal[0]], startclock=0.01)
                marelle.decompose(game, playouts=50)
                marelle.Network(game, 1).solve()
    work(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(1000)
    for _ in range(5):
        work(100)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    expect(grown < 8 << 10, f"{grown} KB more")


if __name__ == "__main__":
    scenario.run_functions([
        examples_of_the_documentation_hold, every_function_of_the_headers_is_bound, structs_are_those_of_the_headers,
        matches_are_played_to_the_end, errors_carry_line_and_column, bad_input_is_an_exception,
        closed_objects_refuse_calls, objects_keep_what_they_need, environments_agree_with_states,
        numpy_arrays_share_the_memory, searches_with_hidden_information, matches_and_players,
        models_are_learnt_and_kept, an_interrupt_ends_long_calls, an_interrupt_ends_the_rest,
        verbs_and_the_package_agree, importing_and_searching_is_quick, examples_run,
        memory_does_not_grow], __doc__)
