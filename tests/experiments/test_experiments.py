#!/usr/bin/env python3
"""The package of studies: jobs that go on where they were, shared jobs, bad input, and pages that come out of the
committed runs as they were committed."""
import contextlib
import doctest
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "tools")]
if "--marelle" in sys.argv:
    BUILD = Path(sys.argv[sys.argv.index("--marelle") + 1]).resolve().parent
    os.environ["MARELLE_LIBRARY"] = str(BUILD / "src" / "libmarelle.so")

import scenario  # noqa: E402
from experiments import duel, machines, page, runner, runs, tables  # noqa: E402
from experiments.__main__ import main  # noqa: E402
from experiments.studies import STUDIES  # noqa: E402
from experiments.study import Setup, Study, StudyError  # noqa: E402

COMMITTED = ROOT / "docs" / "experiments"


def expect(is_so, *facts):
    if not is_so:
        raise AssertionError(" ".join(map(str, facts)))


def expect_equal(actual, expected):
    expect(actual == expected, repr(actual), "is not", repr(expected))


@contextlib.contextmanager
def folder_of(name="study"):
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / name


def command(*words):
    """Status, output and complaints of a command line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


# ---- a study without a game ----

def run_square(setup, key):
    if key[0] == "bad":
        raise StudyError("bad: it has no square")
    return key[1], int(key[1]) ** 2


def report_squares(setup, rows, page_of_study):
    page_of_study.heading("Squares", 1)
    table = tables.Table("of", "square")
    for row in rows:
        table.add(row["number"], row["square"])
    page_of_study.table("squares", table)


def squares(count, run=run_square, kind="good"):
    return Study("squares", "squares of numbers", ("kind", "number"), ("copy", "square", "remark"),
                 lambda setup: [(kind, str(n)) for n in range(count)], run, report_squares)


HEADING = "kind,number,copy,square,remark\n"


def rows_of(folder):
    return (folder / "runs.csv").read_text().splitlines()[1:]


def a_study_goes_on_where_it_was(_marelle):
    with folder_of() as folder:
        setup = Setup(folder)
        counts = runner.run_study(squares(3), setup, seconds=1e-9)
        expect_equal((counts.planned, counts.done, counts.ran, counts.is_complete), (3, 0, 0, False))
        expect_equal((folder / "runs.csv").read_text(), HEADING)
        expect("3 of 3 planned runs are still missing." in (folder / "README.md").read_text())
        counts = runner.run_study(squares(3), setup)
        expect_equal((counts.done, counts.ran, counts.failed, counts.is_complete), (3, 3, 0, True))
        expect_equal(rows_of(folder), ["good,0,0,0,", "good,1,1,1,", "good,2,2,4,"])
        with open(folder / "runs.csv", "r+b") as file:  # a line that was cut short is done again, and nothing else
            file.truncate(file.seek(0, os.SEEK_END) - 3)
        expect_equal(runner.run_study(squares(3), setup).ran, 1)
        expect_equal(rows_of(folder)[2], "good,2,2,4,")
        counts = runner.run_study(squares(1), setup)  # rows that are not planned stay, and count in the tables
        expect_equal((counts.planned, counts.ran), (1, 0))
        expect_equal((folder / "squares.csv").read_text(), "of,square\n0,0\n1,1\n2,4\n")


def jobs_that_fail_remain_to_be_done(_marelle):
    with folder_of() as folder, contextlib.redirect_stderr(io.StringIO()) as complaints:
        counts = runner.run_study(squares(2, kind="bad"), Setup(folder))
        expect_equal((counts.done, counts.failed, rows_of(folder)), (0, 2, []))
        expect_equal(complaints.getvalue(), "experiments: bad: it has no square\n" * 2)


def workers_and_machines_share_the_jobs(_marelle):
    def run_slowly(setup, key):
        with open(setup.folder / "log", "a", encoding="utf-8") as log:
            log.write(f"{key[1]} {os.getpid()}\n")
        time.sleep(0.002)
        return run_square(setup, key)

    with folder_of() as folder:
        others = []
        folder.mkdir()
        for _ in range(2):  # as two machines with one folder would
            child = os.fork()
            if child == 0:
                counts = runner.run_study(squares(60, run_slowly), Setup(folder), workers=2)
                os._exit(counts.failed)
            others.append(child)
        expect_equal([os.waitpid(child, 0)[1] for child in others], [0, 0])
        log = [line.split() for line in (folder / "log").read_text().splitlines()]
        expect_equal(sorted(int(number) for number, _ in log), list(range(60)))
        expect(len({process for _, process in log}) > 1)
        expect_equal(sorted(rows_of(folder)), sorted(f"good,{n},{n},{n * n}," for n in range(60)))


def a_claim_ends_with_its_process(_marelle):
    with folder_of() as folder:
        shared = runs.RunsFile(folder, ("key",), ("value",))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            own = runs.RunsFile(folder, ("key",), ("value",))
            os.write(writing, b"y" if own.claim(("a",)) else b"n")
            signal.pause()
        expect_equal(os.read(reading, 1), b"y")
        expect(not shared.claim(("a",)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        expect(shared.claim(("a",)))
        shared.close()


def a_killed_worker_is_told_of(_marelle):
    def kill_itself(setup, key):
        os.kill(os.getpid(), signal.SIGKILL)

    with folder_of() as folder, contextlib.redirect_stderr(io.StringIO()) as complaints:
        counts = runner.run_study(squares(1, kill_itself), Setup(folder), workers=2)
        expect(counts.failed and not counts.is_complete)
        expect("a worker ended with status -9" in complaints.getvalue())


def files_of_others_are_left_alone(_marelle):
    with folder_of() as folder:
        folder.mkdir()
        for text, part in (("other,columns\n", "has other columns"), (HEADING + "a,b\n", "has a malformed line: a,b")):
            (folder / "runs.csv").write_text(text)
            try:
                runner.run_study(squares(1), Setup(folder))
                raise AssertionError("it was not refused")
            except StudyError as error:
                expect(part in str(error), error)
            expect_equal((folder / "runs.csv").read_text(), text)
    status, _, err = command("mtmcts", "--out", "/dev/null/x")
    expect_equal((status, err), (2, "experiments: cannot make /dev/null/x: Not a directory\n"))


def cells_are_read_as_they_were_written(_marelle):
    cells = ['a,b', 'say "so"', "two\nlines", "", "ä"]
    with folder_of() as folder:
        for _ in range(2):
            file = runs.RunsFile(folder, ("key",), tuple("abcd"))
            if not file.rows:
                file.append((cells[0],), cells[1:])
            expect_equal([list(row.values()) for row in file.rows], [cells])
            file.close()


def the_command_line_refuses_what_it_does_not_know(_marelle):
    for words, complaint in (
            (["mtmts"], "there is no study `mtmts`; did you mean `mtmcts`?"),
            (["speed"], "`speed` is measured by the script bench/table.py"),
            (["strength"], "`strength` is measured by the script bench/strength.py"),
            (["scsp", "--parts", "solo,duels"],
             "the study `scsp` has no part `duels`; its parts: duel, solo, team, share, ablation, structure, baseline"),
            (["mtmcts", "--parts", "solo"], "the study `mtmcts` has no part `solo`; its parts: none"),
            (["parallel", "--workers", "2"],
             "the study `parallel` measures by the clock, so its jobs run one at a time")):
        expect_equal(command(*words), (2, "", f"experiments: {complaint}\n"))
    for words in ["scsp", "--tier", "4"], ["scsp", "--seeds", "0"], ["scsp", "--time", "nan"], ["scsp", "--nothing"]:
        expect_equal(command(*words)[0], 2)


def studies_are_listed(_marelle):
    status, out, _ = command()
    expect_equal((status, len(out.splitlines())), (0, len(STUDIES)))
    expect('"study": "mtmcts"' in command("--json")[1])


# ---- the committed studies ----

MISSING = re.compile(r"^\d+ of \d+ planned runs are still missing\.\n", re.MULTILINE)  # by what this machine has


def committed_runs_make_the_committed_pages(_marelle):
    for name in STUDIES:
        with folder_of(name) as folder:
            shutil.copytree(COMMITTED / name, folder)
            for file in folder.iterdir():
                if file.suffix in (".md", ".csv") and file.name not in ("notes.md", "runs.csv"):
                    file.unlink()
            status, _, err = command(name, "--out", folder, "--time", "0.000001")
            expect(status in (0, 3), name, err)
            for file in sorted((COMMITTED / name).iterdir()):
                if file.suffix in (".md", ".csv"):
                    made, committed = ((place / file.name).read_text() for place in (folder, COMMITTED / name))
                    expect(MISSING.sub("", made) == MISSING.sub("", committed), file, "is made in another way")
            expect_equal(sorted(path.name for path in folder.iterdir()),
                         sorted(path.name for path in (COMMITTED / name).iterdir()))


# ---- whole studies ----

def cells(folder, *columns):
    """These columns of all runs."""
    names, *rows = [line.split(",") for line in (folder / "runs.csv").read_text().splitlines()]
    return [",".join(row[names.index(column)] for column in columns) for row in rows]


def run_quickly(folder, name, *words):
    status, out, err = command(name, "--quick", "--json", "--out", folder, *words)
    expect(status == 0, name, out, err)
    return json.loads(out)


def mtmcts_finds_the_same_with_the_same_seed(_marelle):
    with folder_of() as folder, folder_of("again") as other:
        expect_equal(run_quickly(folder, "mtmcts")["ran"], 72)
        expect_equal(sorted(path.name for path in folder.iterdir() if path.suffix != ".svg"),
                     ["README.md", "ablation.csv", "alpha.csv", "ratios.csv", "runs.csv", "solving.csv"])
        expect_equal([line.rsplit(",", 4)[0] for line in (folder / "solving.csv").read_text().splitlines()[1:6]],
                     [f"queens_guided,{name},2 of 2" for name in ("mtmcts", "by depth", "cds", "uct1", "uct")])
        run_quickly(other, "mtmcts", "queens_guided", "--seeds", "1")
        columns = ("game", "seed", "part", "variant", "score", "playouts", "moves", "nodes")
        expect_equal(sorted(cells(other, *columns)),
                     sorted(row for row in cells(folder, *columns) if row.startswith("queens_guided,0,")))


def games_that_do_not_suit_are_told_of(_marelle):
    with folder_of() as folder:
        status, _, err = command("mtmcts", "tic_tac_toe", "--seeds", "1", "--out", folder)
        expect_equal((status, err.splitlines()[0]),
                     (3, "experiments: tic_tac_toe: the study is about games of one role that have a circuit"))
    with folder_of() as folder:
        status, out, err = command("duels", "incredible", "--seeds", "1", "--out", folder)
        expect_equal((status, out.splitlines()[0]), (3, f"duels: 0 of 4 runs done, 0 of them now; see {folder}/README.md"))
        expect_equal(err, "experiments: incredible: the study is about games of several roles that hide nothing\n" * 4)
    with folder_of() as folder:
        err = command("compound", "no_such_game", "--quick", "--out", folder)[2]
        expect("there is no file and no game `no_such_game`" in err, err)


def compound_compares_two_methods(_marelle):
    with folder_of() as folder:
        run_quickly(folder, "compound")
        expect_equal(cells(folder, "game", "method", "seed"),
                     ["incredible,uct,0", "incredible,auto,0", "queens_guided,uct,0", "queens_guided,auto,0"])
        expect_equal(cells(folder, "solved", "score")[2:], ["1,100", "1,100"])


def duels_have_both_seats(_marelle):
    with folder_of() as folder:
        run_quickly(folder, "duels")
        expect_equal(cells(folder, "game", "method", "limit", "match"), [
            f"{game},{method},{limit},{match}" for method, limit in (
                ("trees", "100 playouts"), ("trees", "0.001 s"), ("auto", "0.001 s"), ("auto", "0.001 s after 0.02 s"))
            for match in (0, 1) for game in ("nim", "dual_hamilton")])
        playouts = [float(count) for side in ("playouts", "other_playouts") for count in cells(folder, side)[:4]]
        expect(all(0 < count <= 100 for count in playouts), playouts)
        expect_equal((folder / "README.md").read_text().count("\n| dual_hamilton |"), 4)


def scsp_plays_what_targets_name_first(_marelle):
    with folder_of() as folder:
        run_quickly(folder, "scsp")
        rows = cells(folder, "budget", "part", "game", "first", "second", "match")
        for row in ("10 playouts,duel,pacman,baseline-grave,baseline-uct,0",
                    "10 playouts,team,sheep_and_wolf,baseline-cfr,,0"):
            expect(row in rows, row)
        expect_equal((folder / "README.md").read_text().count("\n## "), 9)
    with folder_of() as folder:
        expect_equal(run_quickly(folder, "scsp", "--parts", "solo,structure")["planned"], 6)
        expect_equal(cells(folder, "part", "game", "first"),
                     ["solo,monty_hall,mac-ucb-sym", "solo,monty_hall,mac-ucb", "solo,monty_hall,baseline-uct",
                      "structure,monty_hall,mac-ucb-sym", "structure,pacman,mac-ucb-sym",
                      "structure,sheep_and_wolf,mac-ucb-sym"])


def scsp_shows_what_there_is_of_tier_1(_marelle):
    """Matches of another budget do not count, nor mix with those that do; more than planned leaves nothing to do."""
    def tier_of_monty_hall():
        return re.search(r"\| 3 \| (monty_hall \|.*) \|", (folder / "README.md").read_text()).group(1)

    with folder_of() as folder:
        run_quickly(folder, "scsp", "--parts", "solo,structure")
        expect_equal(tier_of_monty_hall(), "monty_hall | 300 | 0 | missing | 0.2")
        path = folder / "runs.csv"
        played = [line for line in path.read_text().splitlines() if line.startswith("10 playouts,solo")]
        at_tier = "".join(line.replace("10 playouts", "1 CPU s") + "\n" for line in played)
        path.write_text(path.read_text() + at_tier)
        run_quickly(folder, "scsp", "--parts", "structure")
        expect_equal(tier_of_monty_hall(), "monty_hall | 300 | 3 | partly | 0.0")
        path.write_text(path.read_text() + at_tier * 100)
        run_quickly(folder, "scsp", "--parts", "structure")
        expect_equal(tier_of_monty_hall(), "monty_hall | 300 | 303 | complete | 0.0")


def neat_breeds_networks(_marelle):
    with folder_of() as folder:
        expect_equal(run_quickly(folder, "neat")["ran"], 21)
        solved = cells(folder, "task", "variant", "solved")
        for task in "xor", "paire", "nim":
            expect_equal(solved.count(f"{task},alone,1"), 2)
        expect_equal([row for row in cells(folder, "task", "variant", "fitness") if row.split(",")[1] in ("constant", "fact")],
                     ["Paire,constant,44.444", "Paire,fact,44.444"])


def learners_see_ends_of_matches(_marelle):
    with folder_of() as folder:
        run_quickly(folder, "heuristics")
        expect_equal(cells(folder, "game", "role", "states", "distinct", "scores", "facts", "constant", "fact"),
                     ["tic_tac_toe,1,100,87,3,29,65.500,94.500", "tic_tac_toe,2,100,87,3,29,65.500,94.500",
                      "nim,1,100,2,2,18,51.000,100.000", "nim,2,100,2,2,18,51.000,100.000"])
        expect(all(row for row in cells(folder, "neat_s")))
    with folder_of() as folder:  # an empty row says that there is no such role
        run_quickly(folder, "heuristics", "incredible")
        expect_equal([bool(row) for row in cells(folder, "neat_s")], [True, False])


def models_are_learnt_and_play(_marelle):
    with folder_of() as folder:
        run_quickly(folder, "models")
        expect_equal(cells(folder, "game", "job", "matches")[1:],
                     [f"tic_tac_toe,{job},4" for job in ("1", "2", "3", "4", "even")])
        expect((folder / "tic_tac_toe.model").is_file())
        expect(cells(folder, "use")[0] in ("judged", "mixed", "foreseen"))
    for name, rows in (("minutes", ["nim,0.005,4"]), ("selfplay", ["nim,0.005,2", "nim,0.005,2"])):
        with folder_of() as folder:
            run_quickly(folder, name)
            expect_equal(cells(folder, "game", "minutes", "matches"), rows)
    with folder_of() as folder:
        run_quickly(folder, "mobility")
        expect_equal(cells(folder, "game", "groups", "matches"), ["tic_tac_toe,2,10"])
    with folder_of() as folder:  # a model of one player's game has nobody to play against
        run_quickly(folder, "models", "incredible")
        expect_equal(cells(folder, "game", "job", "states", "matches"),
                     ["incredible,model,,"] + [f"incredible,{job},,0" for job in ("1", "2", "3", "4", "even")])


def parallel_measures_what_there_is(_marelle):
    """Without processes; a tree that all machines have and never make equal is root parallelism: one message of each in
    the end."""
    with folder_of() as folder, tempfile.TemporaryDirectory() as programs:
        mpirun = Path(programs) / "mpirun"
        mpirun.write_text("#!/bin/sh\nexit 1\n")
        mpirun.chmod(0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{programs}{os.pathsep}{path}"
        try:
            expect(run_quickly(folder, "parallel")["complete"])
        finally:
            os.environ["PATH"] = path
        rows = cells(folder, "part", "variant", "threads", "matches", "points")
        for machines in 2, 16, 64:
            expect(f"distributed,all/never,{machines},1000,{machines - 1}.0" in rows, rows)
        expect(not [row for row in rows if row.startswith("ranks")])
        expect("## Random matches over threads" in (folder / "README.md").read_text())


def machines_are_modelled(_marelle):
    """Two medians whose steps have a long job and a short one: in rotation the long ones meet the same client."""
    steps = [[[3, 1], [1]], [[3, 1], [1]]]
    expect_equal(machines.finish_time(steps, "last-minute"), 5)
    expect_equal(machines.finish_time(steps, "round-robin"), 7)
    trace = [[(1, 0)], [(1, 1), (2, 0)], [(1, 2), (2, 1), (3, 0)]]
    expect_equal(machines.count_messages(trace, machines.COPIES["all/never"], 4), 3)
    expect_equal(machines.count_messages(trace, machines.COPIES["all/1"], 4), 6 * 3 + 3)
    expect_equal(machines.count_messages(trace, machines.COPIES["none"], 1), 0)


def processes_of_mpirun_share_a_study(_marelle):
    words = ["mtmcts", "lights_on_parallel", "--quick", "--seeds", "3", "--playouts", "3000", "--quiet", "--out"]
    if not shutil.which("mpirun"):
        raise scenario.Skip("no mpirun here")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with folder_of("alone") as alone, folder_of("together") as together:
        command(*words, alone)
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "experiments", *words, together],
                              cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        columns = ("part", "variant", "seed", "solved", "playouts", "nodes")
        expect_equal(sorted(cells(together, *columns)), sorted(cells(alone, *columns)))
        expect("runs done" in done.stdout, done.stderr)


def plans_follow_the_options(_marelle):
    for words, planned in ((["mtmcts", "nim", "--seeds", "5"], 89), (["scsp", "--quick", "--parts", "baseline"], 9),
                           (["scsp", "monty_hall", "--seeds", "3", "--parts", "solo,ablation"], 9),
                           (["duels", "nim", "--seeds", "3", "--parts", "start"], 3), (["neat"], 1226),
                           (["neat", "--quick"], 21), (["models"], 60), (["selfplay", "--parts", "mlp"], 4)):
        with folder_of() as folder:
            out = json.loads(command(*words, "--json", "--time", "0.000001", "--out", folder)[1])
            without_clingo = planned - (words[0] == "mtmcts" and not shutil.which("clingo"))
            expect_equal((words, out["planned"], out["ran"]), (words, without_clingo, 0))


def pages_need_no_matplotlib(_marelle):
    with folder_of() as folder:
        shutil.copytree(COMMITTED / "heuristics", folder)
        (folder / "learners.svg").unlink()
        code = ("import sys; sys.modules['matplotlib'] = None; from experiments.__main__ import main; "
                f"main(['heuristics', '--out', {str(folder)!r}, '--time', '0.000001', '--quiet'])")
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        expect_equal(done.stderr, "experiments: there is no matplotlib, so the plots were not drawn\n")
        expect("learners.svg" not in (folder / "README.md").read_text())


def plots_are_drawn(_marelle):
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise scenario.Skip("no matplotlib here") from None
    with folder_of() as folder:
        shutil.copytree(COMMITTED / "mtmcts", folder)
        pictures = []
        for _ in range(2):
            for path in folder.glob("*.svg"):
                path.unlink()
            command("mtmcts", "--out", folder, "--time", "0.000001")
            pictures.append([path.read_bytes() for path in sorted(folder.glob("*.svg"))])
        expect_equal(len(pictures[0]), 3)
        expect(pictures[0] == pictures[1], "one and the same plot is drawn in two ways")
        expect(b"by depth" in pictures[0][1])


def notes_stand_at_the_end(_marelle):
    with folder_of() as folder:
        folder.mkdir()
        (folder / "notes.md").write_text("All runs are of one build.\n")
        runner.run_study(squares(1), Setup(folder))
        expect((folder / "README.md").read_text().endswith("| 0 | 0 |\n\n\nAll runs are of one build.\n"))


def prose_is_wrapped_and_nothing_else(_marelle):
    word = "word " * 40
    for line in "| " + word, "# " + word, "    " + word:
        expect_equal(page.wrap(line + "\n"), line + "\n")
    lines = page.wrap(word.strip() + "\n").splitlines()
    expect_equal(" ".join(lines), word.strip())
    expect(max(map(len, lines)) <= 120)


def examples_of_the_documentation_hold(_marelle):
    expect_equal([doctest.testmod(module).failed for module in (tables, duel)], [0, 0])


def type_hints_are_complete(_marelle):
    if not shutil.which("/usr/bin/mypy"):
        raise scenario.Skip("no mypy here")
    done = subprocess.run(["/usr/bin/mypy", "--strict", "--cache-dir", os.devnull, "experiments"], cwd=ROOT,
                          env=dict(os.environ, MYPYPATH=str(ROOT / "python")), capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stdout)


def a_folder_can_be_run_where_it_is_installed(_marelle):
    with folder_of("share") as folder:
        for name in "experiments", "python":
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        done = subprocess.run([sys.executable, folder / "experiments", "--json"], cwd="/", capture_output=True, text=True,
                              check=False)
        expect('"study": "selfplay"' in done.stdout, done.stderr)


if __name__ == "__main__":
    scenario.run_functions([
        a_study_goes_on_where_it_was, jobs_that_fail_remain_to_be_done, workers_and_machines_share_the_jobs,
        a_claim_ends_with_its_process, a_killed_worker_is_told_of, files_of_others_are_left_alone,
        cells_are_read_as_they_were_written, the_command_line_refuses_what_it_does_not_know, studies_are_listed,
        committed_runs_make_the_committed_pages, plans_follow_the_options, mtmcts_finds_the_same_with_the_same_seed,
        games_that_do_not_suit_are_told_of, compound_compares_two_methods, duels_have_both_seats,
        neat_breeds_networks, learners_see_ends_of_matches, models_are_learnt_and_play,
        processes_of_mpirun_share_a_study, parallel_measures_what_there_is, machines_are_modelled, scsp_plays_what_targets_name_first, scsp_shows_what_there_is_of_tier_1, pages_need_no_matplotlib, plots_are_drawn, notes_stand_at_the_end,
        prose_is_wrapped_and_nothing_else, examples_of_the_documentation_hold, type_hints_are_complete,
        a_folder_can_be_run_where_it_is_installed], __doc__)
