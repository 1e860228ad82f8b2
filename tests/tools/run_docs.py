#!/usr/bin/env python3
"""Run every command our documentation shows, and compare what it prints.

usage: run_docs.py [--build DIR] [--jobs N] [FILE...]
       (default: README.md, CONTRIBUTING.md and docs/*.md of this repository)

Commands stand in fenced blocks marked `sh`:

    ```sh
    $ marelle games | head -n 2
    breakthrough ...
    ...
    $ marelle info no-such-game   # exit 2
    ```

A line `$ COMMAND` is run.  The lines after it, up to the next command or the
end of the block, are what it prints on standard output and standard error
together; no lines mean that only the exit status counts.  A line `...` stands
for any number of lines, `...` inside a line for any text; blank lines before
the next command do not count.  `# exit N` at the end of a command names the
status it must end with instead of 0; it is part of the command for readers, too.

A block without any `$ ` line is a list of plain commands, each of which must
succeed.  A block right after a line `<!-- not-run: REASON -->` is not run.

Each file is one session, and each block starts in a folder that looks like the
repository's root (links to everything in it): what commands write there lasts
to the end of the file and vanishes.  TAP comes out, one test a command.
"""
import argparse
import glob
import os
import re
import subprocess
import tempfile

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(\S*)\s*$")
NOT_RUN = re.compile(r"^\s*<!--\s*not-run:\s*(.*?)\s*-->\s*$")


class Command:
    def __init__(self, line, text, expected):
        self.line, self.expected = line, expected
        self.text, self.status = scenario.split_exit_status(text)


def blocks(lines):
    """(line number, language, body lines, reason not to run it or None)"""
    number = 0
    reason = None
    while number < len(lines):
        fence = FENCE.match(lines[number])
        if not fence:
            mark = NOT_RUN.match(lines[number])
            if mark:
                reason = mark.group(1)
            elif lines[number].strip():
                reason = None
            number += 1
            continue
        indent, ticks, language = len(fence.group(1)), fence.group(2), fence.group(3)
        start = number + 1
        number = start
        while number < len(lines) and lines[number].strip() != ticks:
            number += 1
        body = [re.sub(rf"^\s{{0,{indent}}}", "", line) for line in lines[start:number]]
        yield start + 1, language, body, reason
        reason = None
        number += 1


def transcript(first_line, body):
    """The commands of a block with `$ ` lines."""
    commands = []
    i = 0
    while i < len(body):
        if not body[i].startswith("$ "):
            i += 1
            continue
        start, text = i, body[i][2:]
        while scenario.is_incomplete(text) and i + 1 < len(body):
            i += 1
            text += "\n" + re.sub(r"^> ", "", body[i])
        i += 1
        output = []
        while i < len(body) and not body[i].startswith("$ "):
            output.append(body[i])
            i += 1
        while output and not output[-1].strip():
            output.pop()
        commands.append(Command(first_line + start, text, output))
    return commands


def is_whole(text):
    """Whether the shell can parse it: loops and here-documents span lines."""
    check = subprocess.run(["sh", "-n", "-c", text], stderr=subprocess.DEVNULL, check=False)
    return check.returncode == 0 and not scenario.is_incomplete(text)


def plain_commands(first_line, body):
    commands = []
    i = 0
    while i < len(body):
        if not body[i].strip() or body[i].lstrip().startswith("#"):
            i += 1
            continue
        start, text = i, body[i]
        while not is_whole(text) and i + 1 < len(body):
            i += 1
            text += "\n" + body[i]
        i += 1
        commands.append(Command(first_line + start, text, []))
    return commands


def run_command(session, name, command):
    if re.search(r"(^|[\s;&|(])\./test(\s+(docs|default))?\s*($|[;&|)])", command.text):
        return scenario.Case(name, "not ok", ["this command would start us again: mark its block not-run"])
    result = session.run(command.text)
    notes = []
    if result.timed_out:
        notes.append(f"did not end within {session.limit} CPU seconds")
    elif result.status != command.status:
        notes.append(f"exit status {result.status}, expected {command.status}")
    actual = result.out.rstrip().split("\n") if result.out.strip() else []
    if command.expected and not scenario.output_matches(command.expected, actual):
        notes += scenario.difference("output", command.expected, actual)
    elif notes:
        notes += actual[-30:]
    return scenario.Case(name, "not ok" if notes else "ok", notes)


def run_file(path, build):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    shown = os.path.relpath(path, ROOT)
    cases = []
    with tempfile.TemporaryDirectory(prefix="marelle-docs-") as folder:
        for entry in os.listdir(ROOT):
            if entry != ".git":
                os.symlink(os.path.join(ROOT, entry), os.path.join(folder, entry))
        environment = scenario.base_environment(os.path.join(build, "marelle"))
        if "MARELLE_SHARED" in os.environ:
            environment["MARELLE_SHARED"] = os.environ["MARELLE_SHARED"]
        session = scenario.Session(folder, environment, merge_output=True, limit=180)
        try:
            for first_line, language, body, reason in blocks(lines):
                if language != "sh":
                    continue
                if reason is not None:
                    cases.append(scenario.Case(f"not run: {shown}:{first_line} ({reason})", "note"))
                    continue
                session.directory = folder
                is_transcript = any(line.startswith("$ ") for line in body)
                for command in (transcript if is_transcript else plain_commands)(first_line, body):
                    name = f"{shown}:{command.line} {command.text}"
                    cases.append(run_command(session, name, command))
        finally:
            session.close()
    return cases


def main():
    parser = argparse.ArgumentParser(description="run the commands shown in documentation")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="folder of the program (default: build)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    files = arguments.files or [
        path
        for path in [os.path.join(ROOT, "README.md"), os.path.join(ROOT, "CONTRIBUTING.md")]
        + sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
        if os.path.exists(path)
    ]
    scenario.print_tap(scenario.run_files(lambda path: run_file(path, build), files, arguments.jobs))


if __name__ == "__main__":
    main()
