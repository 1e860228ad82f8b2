#!/usr/bin/env python3
"""Every verb of `marelle help` and every option of its `--help` appears in the
manual page and in the completions of all three shells, and none of them offers
a verb the program does not have.
"""
import argparse
import os
import re
import subprocess

import scenario

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
TEXTS = ["docs/marelle.1", "completions/marelle.bash", "completions/_marelle", "completions/marelle.fish"]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def section(text, title):
    """The indented lines after a title."""
    found = re.search(rf"^{title}:\n((?:  .*\n)+)", text, re.M)
    return found.group(1) if found else ""


def verbs_of(help_text):
    return re.findall(r"^  ([a-z][a-z-]*)  ", section(help_text, "Verbs"), re.M)


def options_of(help_text):
    return re.findall(r"--[a-z][a-z-]*", re.sub(r"(--[a-z-]+).*", r"\1", section(help_text, "Options")))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def has_verb(path, text, verb):
    patterns = {
        "docs/marelle.1": rf"^\.(?:B|BI|BR|RB) {re.escape(verb)}(?:\s|$)",
        "completions/marelle.bash": rf"verbs=\"[^\"]*\b{verb}\b",
        "completions/_marelle": rf"^\s*'{verb}:",
        "completions/marelle.fish": rf"__fish_use_subcommand .*-a {verb} ",
    }
    return re.search(patterns[path], text, re.M) is not None


def has_option(path, text, option):
    name = option[2:]
    patterns = {
        "docs/marelle.1": rf"--{name}\b(?!-)",
        "completions/marelle.bash": rf"--{name}\b(?!-)",
        "completions/_marelle": rf"--{name}\b(?!-)",
        "completions/marelle.fish": rf"-l {name}\b(?!-)",
    }
    return re.search(patterns[path], text) is not None


def offered_verbs(path, text):
    if path.endswith(".bash"):
        return re.search(r'verbs="([^"]*)"', text).group(1).split()
    if path.endswith("_marelle"):
        return re.findall(r"^\s*'([a-z-]+):", text, re.M)
    if path.endswith(".fish"):
        return re.findall(r"__fish_use_subcommand .*-a ([a-z-]+) ", text)
    return []


def main():
    parser = argparse.ArgumentParser(description="compare manual and completions with the program")
    parser.add_argument("--marelle", required=True)
    program = parser.parse_args().marelle
    verbs = verbs_of(output(program, "help"))
    assert len(verbs) > 5, "cannot read `marelle help`"
    cases = []
    for path in TEXTS:
        text = read(path).replace("\\-", "-")
        notes = [f"lacks the verb {verb}" for verb in verbs if not has_verb(path, text, verb)]
        notes += [f"offers {verb}, which is no verb" for verb in offered_verbs(path, text) if verb not in verbs]
        cases.append(scenario.Case(f"{path} has the verbs of `marelle help`", "not ok" if notes else "ok", notes))
        for verb in verbs:
            options = [] if verb == "help" else options_of(output(program, verb, "--help"))
            notes = [f"lacks {option}" for option in options if not has_option(path, text, option)]
            cases.append(scenario.Case(f"{path} has the options of {verb}", "not ok" if notes else "ok", notes))
    scenario.print_tap(cases)


if __name__ == "__main__":
    main()
