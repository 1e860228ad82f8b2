"""What run_cases.py and run_docs.py share: shell sessions, the comparison of
expected with actual output, and TAP.

A session is a series of commands that see each other's working directory and
exported variables, as in a terminal, while each runs in a shell of its own
with its own exit status, limit of CPU time and captured output.
"""
import argparse
import concurrent.futures
import difflib
import functools
import math
import os
import re
import signal
import subprocess
import sys
import tempfile

OUT_OF_CPU_TIME = 128 + signal.SIGXCPU  # as the shell reports it
HANG_FACTOR = 20  # wall-clock seconds per CPU second before a command counts as hanging
EXIT_MARK = re.compile(r"\s+# exit (\d+)\s*$")


def split_exit_status(command):
    """("command", 3) from "command   # exit 3"; 0 where nothing is said."""
    mark = EXIT_MARK.search(command)
    return (command[: mark.start()], int(mark.group(1))) if mark else (command, 0)


def is_incomplete(command):
    """Whether the shell would go on reading: a backslash or an open here-document."""
    lines = command.split("\n")
    if lines[-1].endswith("\\"):
        return True
    for number, line in enumerate(lines):
        for mark in re.findall(r"<<-?\s*['\"]?(\w+)['\"]?", line):
            if mark not in (later.strip() for later in lines[number + 1:]):
                return True
    return False


class Result:
    def __init__(self, status, out, err, timed_out):
        self.status, self.out, self.err, self.timed_out = status, out, err, timed_out


class Session:
    """Runs commands one after another; close() ends what they left running.  `limit` is in CPU
    seconds per process, so that a loaded machine fails nothing; only a command that waits for
    ever is ended by the clock."""

    def __init__(self, directory, environment, prelude="", merge_output=False, limit=60):
        self.directory = directory
        self.environment = environment
        self.prelude = prelude
        self.merge_output = merge_output
        self.limit = limit
        self.state = tempfile.TemporaryDirectory(prefix="marelle-session-")
        self.groups = []

    def run(self, command):
        state = self.state.name
        script = (
            f"ulimit -S -t {math.ceil(self.limit)}\n"
            f"trap 'export -p >{state}/variables; pwd >{state}/directory' EXIT\n"
            + self.prelude
            + f"\n[ ! -f {state}/variables ] || . {state}/variables\n"
            + command
            + "\n"
        )
        # Files, not pipes: a server left in the background must not keep us waiting.
        with open(f"{state}/out", "w+b") as out, open(f"{state}/err", "w+b") as err:
            process = subprocess.Popen(
                ["sh", "-c", script],
                cwd=self.directory,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out if self.merge_output else err,
                start_new_session=True,
            )
            self.groups.append(process.pid)
            try:
                status, timed_out = process.wait(self.limit * HANG_FACTOR), False
            except subprocess.TimeoutExpired:
                self.kill_group(process.pid)
                status, timed_out = process.wait(), True
        if os.path.exists(f"{state}/directory"):
            with open(f"{state}/directory", encoding="utf-8") as directory:
                self.directory = directory.read().rstrip("\n")
        if status < 0:  # as the shell reports it
            status = 128 - status
        return Result(status, self.text("out"), self.text("err"), timed_out or status == OUT_OF_CPU_TIME)

    def text(self, name):
        with open(f"{self.state.name}/{name}", encoding="utf-8", errors="backslashreplace") as file:
            return file.read()

    @staticmethod
    def kill_group(leader):
        try:
            os.killpg(leader, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self):
        for leader in self.groups:
            self.kill_group(leader)
        self.state.cleanup()


def line_matches(expected, actual):
    if "..." not in expected:
        return expected == actual
    parts = re.split(r"\.\.\.(?!\.)", expected)  # "a...." is "a." and any text
    return re.fullmatch(".*".join(map(re.escape, parts)), actual) is not None


def output_matches(expected, actual):
    """Lists of lines; a line `...` stands for any number of lines, `...` in a
    line for any text.  Row by row, as glob matching is done: reachable[j] says
    that the expected lines so far can account for the first j actual ones."""
    reachable = [True] + [False] * len(actual)
    for line in expected:
        if line.strip() == "...":
            first = reachable.index(True) if True in reachable else len(reachable)
            reachable = [j >= first for j in range(len(reachable))]
        else:
            reachable = [False] + [
                reachable[j] and line_matches(line, actual[j]) for j in range(len(actual))
            ]
    return reachable[-1]


def difference(name, expected, actual):
    diff = list(difflib.unified_diff(expected, actual, f"expected {name}", f"actual {name}", lineterm=""))
    return diff[:60] + (["(cut)"] if len(diff) > 60 else [])


class Case:
    """One line of TAP: outcome is "ok", "not ok", "skip", or "note" for what is no test."""

    def __init__(self, name, outcome, notes=()):
        self.name, self.outcome, self.notes = name, outcome, list(notes)


def print_tap(cases):
    tests = [case for case in cases if case.outcome != "note"]
    print("TAP version 13")
    print(f"1..{len(tests)}")
    for case in cases:
        if case.outcome == "note":
            print(f"# {case.name}")
    for number, case in enumerate(tests, 1):
        name = re.sub(r"\s+", " ", case.name.replace("#", " ")).strip()
        if case.outcome == "skip":
            print(f"ok {number} - {name} # SKIP {' '.join(case.notes)}")
            continue
        print(f"{case.outcome} {number} - {name}")
        for note in case.notes:
            print(f"#   {note}")
    sys.stdout.flush()


class Skip(Exception):
    """Raised by a case that cannot be run here; the text says why."""


def run_functions(functions, description):
    """The `main` of a test whose cases are functions of the program's path: runs those that the
    command line names, or all, one after the other."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--marelle", required=True)
    parser.add_argument("cases", nargs="*", help="names of single cases")
    arguments = parser.parse_args()
    results = []
    for function in functions:
        if arguments.cases and function.__name__ not in arguments.cases:
            continue
        name = function.__name__.replace("_", " ")
        try:
            function(arguments.marelle)
            results.append(Case(name, "ok"))
        except Skip as reason:
            results.append(Case(name, "skip", [str(reason)]))
        except Exception as problem:  # pylint: disable=broad-except
            results.append(Case(name, "not ok", [f"{type(problem).__name__}: {problem}"[:2000]]))
    print_tap(results)


def run_files(run_file, paths, jobs):
    """run_file(path) -> [Case] for each path, side by side; the cases in order."""
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        return [case for cases in pool.map(run_file, paths) for case in cases]


@functools.lru_cache(maxsize=None)
def is_sanitized(program):
    """Whether AddressSanitizer or ThreadSanitizer is in the program: it reserves terabytes of addresses then,
    and is many times slower."""
    with open(program, "rb") as file:
        code = file.read()
    return b"__asan_init" in code or b"__tsan_init" in code


def base_environment(marelle):
    """A terminal that is nobody's: no colours, no locale, no personal settings.
    `marelle` is the program under test whatever its path."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MARELLE_")}
    environment.update(LC_ALL="C.UTF-8", TERM="dumb", NO_COLOR="1", COLUMNS="100")
    environment["MARELLE"] = marelle
    environment["PATH"] = os.path.dirname(marelle) + os.pathsep + os.environ.get("PATH", "/usr/bin:/bin")
    return environment
