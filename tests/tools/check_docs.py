#!/usr/bin/env python3
"""The documentation holds together.

- Every relative link of a Markdown file leads to a file, and its #anchor to a
  heading there.
- Every `docs/...` path that a source file, a test or a tool mentions exists.
- Lines of prose have at most 120 characters (tables and code apart).
- Every page below docs/ can be reached by links from README.md.
"""
import os
import re
import subprocess

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
WIDTH = 120
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
MENTION = re.compile(r"(?<![\w/.-])docs/[\w/.-]*\w")
SOURCES = ("src", "include", "tests", "bench", "tools", "games", "completions", "web")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def tracked(*folders):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders], cwd=ROOT,
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return [path for path in listed.stdout.split("\n") if path and os.path.isfile(os.path.join(ROOT, path))]
    found = []
    for folder in folders or (".",):
        for path, inside, names in os.walk(os.path.join(ROOT, folder)):
            inside[:] = [name for name in inside if not name.startswith((".", "build"))]
            found += [os.path.relpath(os.path.join(path, name), ROOT) for name in names]
    return found


def prose(text):
    """(line number, line) of what is no code."""
    in_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", line):
            in_code = not in_code
        elif not in_code and not line.startswith("    "):
            yield number, line


def anchors(text):
    """The names of headings, as GitHub makes them."""
    for _, line in prose(text):
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            yield re.sub(r"[^\w\- ]", "", heading.group(1).lower()).replace(" ", "-")


def links(page):
    for number, line in prose(read(page)):
        for target in LINK.findall(re.sub(r"`[^`]*`", lambda span: span.group(0).replace("](", "] ("), line)):
            if "://" not in target and not target.startswith("mailto:"):
                yield number, target


def broken_links(pages):
    for page in pages:
        for number, target in links(page):
            path, _, anchor = target.partition("#")
            goal = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(ROOT, goal)):
                yield f"{page}:{number}: {target} is not there"
            elif anchor and goal.endswith(".md") and anchor not in anchors(read(goal)):
                yield f"{page}:{number}: {goal} has no heading #{anchor}"


def lost_mentions():
    for path in tracked(*SOURCES):
        try:
            text = read(path)
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for mention in MENTION.findall(line):
                if not os.path.exists(os.path.join(ROOT, mention)) and not mention.endswith("DOCUMENT"):
                    yield f"{path}:{number}: {mention} is not there"


def long_lines(pages):
    for page in pages:
        for number, line in prose(read(page)):
            if len(line) > WIDTH and not line.startswith("|") and not re.match(r"\s*!?\[[^\]]*\]\([^)]*\)\.?$", line):
                yield f"{page}:{number}: {len(line)} characters"


def unreachable(pages):
    seen, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        for _, target in links(page):
            goal = os.path.normpath(os.path.join(os.path.dirname(page), target.partition("#")[0]))
            if goal.endswith(".md") and os.path.isfile(os.path.join(ROOT, goal)):
                waiting.append(goal)
    return [f"no link leads to {page}" for page in pages
            if page.startswith("docs/") and page not in seen and os.path.basename(page) != "notes.md"]


def case(name, notes):
    notes = sorted(set(notes))
    return scenario.Case(name, "not ok" if notes else "ok", notes)


def main():
    pages = [path for path in tracked() if path.endswith(".md")]
    scenario.print_tap([
        case("links lead somewhere", broken_links(pages)),
        case("paths that sources mention exist", lost_mentions()),
        case("lines of prose are short", long_lines(pages)),
        case("every page can be reached from README.md", unreachable(pages)),
    ])


if __name__ == "__main__":
    main()
