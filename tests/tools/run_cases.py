#!/usr/bin/env python3
"""Run the command line scenarios of tests/cli/*.test.

usage: run_cases.py --marelle PROGRAM [--jobs N] [--update] FILE-OR-FOLDER...

A scenario file is a conversation with a shell:

    # Lines that start with # are comments.
    file tiny.kif
    | (role solo)
    | (init (step 1))

    $ marelle check tiny.kif      # exit 1
    tiny.kif:1:1: error: ...
    > 1 file checked, ...

    $ marelle info tictactoe --json | json roles gdl
    ["x","o"]
    "I"

`$ COMMAND` is one test.  The lines up to the next blank line are what it must
print: lines that start with `> ` (or are just `>`) on standard error, all
others on standard output.  What is not written must not be printed; a line
`...` stands for any number of lines, `...` inside a line for any text.
`# exit N` at the end of the command names the status it must end with instead
of 0.  A command goes on after a trailing backslash or while a here-document is open.

    file NAME         write a file: the following lines that start with `| `
                      (or are just `|`) are its text.  Folders are made.
    | TEXT            in expected output: this very line, for lines that are
                      blank or start with `$ `, `> `, `| `
    > | TEXT          the same for standard error
    limit SECONDS     of CPU time for each of the following commands (default 60)
    requires shared   skip the rest of the file where $SHARED is no folder
    requires address-limits  skip the rest of the file under a sanitizer, which
                      reserves terabytes of addresses and takes several times as long
    requires COMMAND  skip the rest of the file where COMMAND is not installed

Each file runs in a temporary folder of its own and is one session: the working
directory and exported variables last.  Variables: $MARELLE the program, $GAMES
our games/, $SHARED the folder of test material, $ROOT the repository.  The
program is on the PATH as `marelle`; `json KEY...` picks values out of the JSON
on its standard input, one a line in compact form (`a.b` and `a.0` go deeper, no
key prints it all, one line for each line of a stream).

--update writes what the commands really print into the files.  Read the
difference before you commit it.  TAP comes out, one test a command.
"""
import argparse
import glob
import os
import shlex
import shutil
import sys
import tempfile

import scenario

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PRELUDE = f"json() {{ python3 {shlex.quote(os.path.join(HERE, 'pick_json.py'))} \"$@\"; }}\n"


class Step:
    """A directive or a command, with the lines [start, end) of the file it takes."""

    def __init__(self, kind, argument, start):
        self.kind, self.argument, self.start, self.end = kind, argument, start, start + 1
        self.status = 0
        self.body = []  # text of a file
        self.out, self.err = [], []


def unescape(line):
    return line[2:] if line.startswith("| ") else "" if line == "|" else line


def escape(line):
    special = line == "" or line in ("|", ">", "...") or line.startswith(("| ", "> ", "$ "))
    return ("| " + line).rstrip() if special else line


def parse_command(lines, number):
    step = Step("command", lines[number][2:], number)
    while scenario.is_incomplete(step.argument) and number + 1 < len(lines):
        number += 1
        step.argument += "\n" + lines[number]
    step.argument, step.status = scenario.split_exit_status(step.argument)
    number += 1
    while number < len(lines) and lines[number] != "" and not lines[number].startswith("$ "):
        line = lines[number]
        if line == ">" or line.startswith("> "):
            step.err.append(unescape(line[2:]))
        else:
            step.out.append(unescape(line))
        number += 1
    step.end = number
    return step


def parse_file_text(lines, number):
    step = Step("file", lines[number].split(None, 1)[1], number)
    number += 1
    while number < len(lines) and (lines[number] == "|" or lines[number].startswith("| ")):
        step.body.append(lines[number][2:])
        number += 1
    step.end = number
    return step


def parse(lines):
    steps = []
    number = 0
    while number < len(lines):
        line = lines[number]
        word = line.split(None, 1)[0] if line.strip() else ""
        if word == "" or line.startswith("#"):
            number += 1
            continue
        if line.startswith("$ "):
            step = parse_command(lines, number)
        elif word == "file" and len(line.split()) == 2:
            step = parse_file_text(lines, number)
        elif word in ("limit", "requires") and len(line.split()) == 2:
            step = Step(word, line.split()[1], number)
        else:
            step = Step("error", f"cannot make sense of: {line}", number)
        steps.append(step)
        number = step.end
    return steps


def lines_of(text):
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def run_command(session, step, name):
    result = session.run(step.argument)
    out, err = lines_of(result.out), lines_of(result.err)
    notes = []
    if result.timed_out:
        notes.append(f"did not end within {session.limit} CPU seconds")
    elif result.status != step.status:
        notes.append(f"exit status {result.status}, expected {step.status}")
    if not scenario.output_matches(step.out, out):
        notes += scenario.difference("standard output", step.out, out)
    if not scenario.output_matches(step.err, err):
        notes += scenario.difference("standard error", step.err, err)
    return scenario.Case(name, "not ok" if notes else "ok", notes), result


def updated(step, result):
    """The lines that would make this command pass."""
    head = step.argument.split("\n")
    if result.status != 0:
        head[0] += f"   # exit {result.status}"
    head[0] = "$ " + head[0]
    return head + [escape(line) for line in lines_of(result.out)] + [
        ("> " + escape(line)).rstrip() for line in lines_of(result.err)
    ]


def write_file(folder, step):
    path = os.path.join(folder, step.argument)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in step.body)


def is_missing(requirement, environment):
    if requirement == "shared":
        return not os.path.isdir(environment["SHARED"])
    if requirement == "address-limits":
        return scenario.is_sanitized(environment["MARELLE"])
    return shutil.which(requirement, path=environment["PATH"]) is None


def run_file(path, marelle, update):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    shown = os.path.basename(path)
    cases, rewrites, missing = [], [], None
    with tempfile.TemporaryDirectory(prefix="marelle-cli-") as folder:
        environment = scenario.base_environment(marelle)
        environment.update(
            HOME=folder,
            ROOT=ROOT,
            GAMES=os.path.join(ROOT, "games"),
            SHARED=os.environ.get("MARELLE_SHARED", "/nonexistent/marelle-shared"),
        )
        session = scenario.Session(folder, environment, prelude=PRELUDE)
        try:
            for step in parse(lines):
                name = f"{shown}:{step.start + 1} {step.argument}"
                if step.kind == "error":
                    cases.append(scenario.Case(name, "not ok"))
                elif step.kind == "requires":
                    missing = missing or (step.argument if is_missing(step.argument, environment) else None)
                elif step.kind == "limit":
                    session.limit = float(step.argument)
                elif step.kind == "file":
                    write_file(session.directory, step)
                elif missing:
                    cases.append(scenario.Case(name, "skip", [f"needs {missing}"]))
                else:
                    case, result = run_command(session, step, name)
                    cases.append(case)
                    if case.outcome == "not ok" and not result.timed_out:
                        rewrites.append((step, updated(step, result)))
        finally:
            session.close()
    if update and rewrites:
        for step, text in reversed(rewrites):
            lines[step.start : step.end] = text
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    return cases


def main():
    parser = argparse.ArgumentParser(description="run command line scenarios; the format is explained in this file")
    parser.add_argument("--marelle", default=os.path.join(ROOT, "build", "marelle"), help="the program under test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files run side by side")
    parser.add_argument("--update", action="store_true", help="write actual output into the files")
    parser.add_argument("paths", nargs="+", help="scenario files, or folders of *.test")
    arguments = parser.parse_args()
    marelle = os.path.abspath(arguments.marelle)
    files = []
    for path in arguments.paths:
        files += sorted(glob.glob(os.path.join(path, "*.test"))) if os.path.isdir(path) else [path]
    if not files:
        sys.exit("no scenario files")
    scenario.print_tap(
        scenario.run_files(lambda path: run_file(path, marelle, arguments.update), files, arguments.jobs)
    )


if __name__ == "__main__":
    main()
