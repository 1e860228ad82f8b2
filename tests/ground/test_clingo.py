#!/usr/bin/env python3
"""Compare one-step consequences with clingo, an independent grounder and solver.

usage: test_clingo.py --marelle PROGRAM --dump PROGRAM --games FOLDER [GAME...]

`marelle translate --to asp` gives the rules; the states along a random match
are facts.  Terminal, legal moves, goals, percepts and the next state must be
those that clingo derives.  A GAME is a file, a name of games/, or random_A-B
(random games of these seeds).  TAP; skipped where there is no clingo.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "fuzz"))
from random_game import random_game  # noqa: E402

STATES = 4
SHOW = "#show terminal/0. #show legal/2. #show goal/2. #show next/1. #show sees/2.\n"


def terms(text):
    """The terms of a text in prefix notation, spelled as in answer set programs."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            name, *arguments = stack.pop()
            stack[-1].append(f"{name}({','.join(arguments)})" if arguments else name)
        else:
            assert re.fullmatch(r"[a-z][a-z0-9_]*|0|[1-9][0-9]*", token), token
            stack[-1].append(token)
    return stack[0]


class State:
    def __init__(self):
        self.facts = []
        self.expected = set()
        self.goals = {}
        self.has_next = False

    def add(self, line):
        keyword, _, rest = line.partition(" ")
        said = terms(rest)
        if keyword == "true":
            self.facts += [f"true({fluent})." for fluent in said]
        elif keyword == "terminal":
            self.expected |= {"terminal"} if said == ["1"] else set()
        elif keyword == "next":
            self.has_next = True
            self.expected |= {f"next({fluent})" for fluent in said}
        elif keyword == "does":
            self.facts.append(f"does({said[0]},{said[1]}).")
        elif keyword == "goal":
            self.goals[said[0]] = said[1]
        else:
            self.expected |= {f"{keyword}({said[0]},{term})" for term in said[1:]}

    def wrong(self, atoms):
        """What clingo's answer has that ours has not, and the other way round."""
        goals = {}
        derived = set()
        for atom in atoms:
            keyword, arguments = re.fullmatch(r"(\w+)(?:\((.*)\))?", atom).groups()
            if keyword in ("legal", "goal", "sees") and \
                    arguments.split(",", 1)[0] not in self.goals:
                continue  # about somebody who is no role
            if keyword == "goal":
                role, value = arguments.split(",", 1)
                goals.setdefault(role, set()).add(value)
            elif self.has_next or keyword not in ("next", "sees"):
                derived.add(atom)
        problems = [f"only clingo: {atom}" for atom in sorted(derived - self.expected)]
        problems += [f"only marelle: {atom}" for atom in sorted(self.expected - derived)]
        for role, goal in self.goals.items():
            values = goals.get(role, set())
            said = "none" if not values else "several" if len(values) > 1 else min(values)
            if said != goal:
                problems.append(f"goal of {role}: clingo {said}, marelle {goal}")
        return problems


def read_states(text):
    states = []
    for line in text.splitlines():
        if line == "state":
            states.append(State())
        else:
            states[-1].add(line)
    return states


def answer(options, program, facts, folder):
    path = os.path.join(folder, "state.lp")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(facts) + "\n" + SHOW)
    output = subprocess.run([options.clingo, "-c", "reach=0", "-Wnone", "--outf=1", program, path],
                            stdout=subprocess.PIPE, text=True, check=False).stdout
    lines = output.splitlines()
    at = lines.index("ANSWER")
    return [atom.rstrip(".") for atom in lines[at + 1].split()]


def check(game, options, folder):
    """What is wrong, and how many states were compared."""
    program = os.path.join(folder, "game.lp")
    with open(program, "w", encoding="utf-8") as file:
        subprocess.run([options.marelle, "translate", "--to", "asp", game], stdout=file,
                       check=True)
    dumped = subprocess.run([options.dump, game, "1", str(STATES)], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    problems = []
    states = read_states(dumped)
    for number, state in enumerate(states):
        found = state.wrong(answer(options, program, state.facts, folder))
        problems += [f"{os.path.basename(game)}, state {number}: {p}" for p in found]
    return problems, len(states)


def game_files(name, options, folder):
    if os.path.exists(name):
        return [name]
    if not name.startswith("random_"):
        return [os.path.join(options.games, name + ".kif")]
    first, last = map(int, name[7:].split("-"))
    paths = []
    for seed in range(first, last + 1):
        paths.append(os.path.join(folder, f"{seed}.kif"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(random_game(seed))
    return paths


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.clingo = shutil.which("clingo")
    if not options.clingo:
        print("1..0 # SKIP there is no clingo")
        return 0
    stored = sorted(f[:-4] for f in os.listdir(options.games) if f.endswith(".kif"))
    names = options.names or stored + ["random_1-40", "random_41-80"]
    print(f"1..{len(names)}")
    failed = False
    for number, name in enumerate(names, 1):
        problems, states = [], 0
        with tempfile.TemporaryDirectory() as folder:
            for path in game_files(name, options, folder):
                found, count = check(path, options, folder)
                problems += found
                states += count
        failed |= bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {name}: clingo agrees")
        for line in problems[:10] or [f"{states} states"]:
            print(f"# {line}")
        sys.stdout.flush()
    return failed


if __name__ == "__main__":
    sys.exit(main())
