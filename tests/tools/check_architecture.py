#!/usr/bin/env python3
"""docs/architecture.md has a line for every file, and no line for a file that is
not there.

A mention is a code span at the start of a table row or list item, `src/a/b.c`;
`src/a/b.[ch]` stands for both files, and a span with a star for a group of
files, of which there must be one.  Every file below src/ and include/ must be
mentioned; elsewhere a folder may be mentioned as a whole.

In the table "Where do I find ...?", each name in code stands in one of the files
of its row.
"""
import glob
import os
import re

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
COMPLETE = ["src", "include"]  # each file for itself
COVERED = ["tests", "tools", "bench", "games", "docs", "completions", "web", "python", "examples",
           "experiments"]  # groups will do
MENTION = re.compile(r"^\s*(?:\||-)\s*((?:`[^`]+`(?:,\s*)?)+)")


def mentions(text):
    found = set()
    for line in text.split("\n"):
        row = MENTION.match(line)
        if row:
            found.update(span for span in re.findall(r"`([^`]+)`", row.group(1)) if "/" in span)
    return found


def sources_named(span):
    return glob.glob(os.path.join(ROOT, "src", "**", span), recursive=True) or glob.glob(os.path.join(ROOT, "docs", span))


def answers(text):
    """Question, names and files (all that match) of each row of the table of questions."""
    table = text.split("## Where do I find ...?")[1].split("\n## ")[0]
    for line in table.split("\n")[4:]:
        cells = line.strip("| ").split(" | ")
        if len(cells) != 2:
            continue
        spans = re.findall(r"`([^`]+)`", cells[1])
        files = [span for span in spans if "/" in span or "." in span]
        hits = [hit for span in files for hit in sources_named(span)]
        yield cells[0], [span for span in spans if re.fullmatch(r"\w*_\w*|[A-Z]\w+", span)], files, hits


def check_answers(text):
    for question, names, files, hits in answers(text):
        sources = "".join(open(hit, encoding="utf-8").read() for hit in hits)
        notes = [f"{name} stands in none of {', '.join(files)}" for name in names
                 if not re.search(rf"\b{name}\b", sources)]
        notes += [f"there is no file {span}" for span in files if not sources_named(span)]
        yield scenario.Case(f"answer to: {question}", "not ok" if notes else "ok", notes)


def files_below(folder):
    for path, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            if not name.startswith(".") and not name.endswith("~"):
                yield os.path.relpath(os.path.join(path, name), ROOT)


def main():
    with open(os.path.join(ROOT, "docs", "architecture.md"), encoding="utf-8") as file:
        text = file.read()
    mentioned = mentions(text)
    matched, single = set(), set()
    cases = []
    for pattern in sorted(mentioned):
        hits = [os.path.relpath(hit, ROOT) for hit in glob.glob(os.path.join(ROOT, pattern), recursive=True)]
        files = [hit for hit in hits if os.path.isfile(os.path.join(ROOT, hit))]
        for folder in (hit for hit in hits if os.path.isdir(os.path.join(ROOT, hit))):
            files += files_below(folder)
        matched.update(files)
        if "*" not in pattern and not pattern.endswith("/"):
            single.update(files)
        complete = len(hits) == 2 if "[ch]" in pattern else bool(hits)
        cases.append(scenario.Case(f"{pattern} exists", "ok" if complete else "not ok"))
    for folders, known in (COMPLETE, single), (COVERED, matched):
        for folder in folders:
            missing = sorted(set(files_below(folder)) - known)
            notes = [f"no line for {path}" for path in missing]
            cases.append(scenario.Case(f"every file of {folder}/ has its line", "not ok" if missing else "ok", notes))
    cases += check_answers(text)
    scenario.print_tap(cases)


if __name__ == "__main__":
    main()
