#!/usr/bin/env python3
"""A decomposition must not depend on how the rules are written: all names
scrambled, rules and premises in another order, rules said twice, premises
that are always true, fluents and moves without structure.

usage: test_rewriting.py --marelle PROGRAM --games FOLDER

A few games are rewritten in each way alone; all that are quick in all ways at
once, and decomposed with another seed.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

CLOSELY = ["tic_tac_toe", "incredible", "nim", "lights_out", "maze", "buttons_and_lights"]
SECONDS = 2  # games that take longer are left to the corpus tests
WORDS = {"<=", "not", "or", "and", "distinct", "role", "base", "input", "init", "true", "does", "next", "legal", "goal",
         "terminal", "sees", "random"}


def parse(text):
    """Expressions as nested lists."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def write(tree):
    return tree if isinstance(tree, str) else "(" + " ".join(map(write, tree)) + ")"


def scrambled(rules, rng):
    names = {}

    def rename(tree):
        if not isinstance(tree, str):
            if tree and tree[0] == "goal":
                return ["goal", rename(tree[1]), tree[2]]
            return [rename(t) for t in tree]
        if tree in WORDS:
            return tree
        if tree not in names:
            names[tree] = ("?" if tree[0] == "?" else "") + f"w{rng.randrange(10**9)}x{len(names)}"
        return names[tree]

    return [rename(r) for r in rules]


def shuffled(rules, rng):
    roles = [r for r in rules if r[0] == "role"]
    others = [r for r in rules if r[0] != "role"]
    rng.shuffle(others)
    mixed = []
    for rule in others:
        if rule[0] == "<=":
            body = rule[2:]
            rng.shuffle(body)
            rule = rule[:2] + body
        mixed.append(rule)
    return roles + mixed


def repeated(rules, rng):
    """Every third rule again, every fourth with a premise that always holds."""
    more = [["always_holds"]]
    for i, rule in enumerate(rules):
        more.append(rule + ["always_holds"] if i % 4 == 0 and rule[0] == "<=" else rule)
        if i % 3 == 0 and rule[0] == "<=":
            more.append(rule)
    return more


def wrapped(rules, rng):
    """Fluents inside another function, so that nothing of their form is left to look at."""

    def wrap(tree):
        if isinstance(tree, str):
            return tree
        if tree and tree[0] in ("true", "next", "init", "base"):
            return [tree[0], ["thing", tree[1]]]
        return [wrap(t) for t in tree]

    return [wrap(r) for r in rules]


def all_at_once(rules, rng):
    return scrambled(shuffled(wrapped(repeated(rules, rng), rng), rng), rng)


def unchanged(rules, rng):
    return rules


def counts(marelle, path, seed=0):
    """The four counts; None if it takes too long or the game cannot be decomposed."""
    try:
        run = subprocess.run([marelle, "decompose", path, "--json", "--playouts", "4000", "--seed", str(seed)],
                             capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None
    answer = json.loads(run.stdout)
    return answer["counts"] if answer["cpu_seconds"] <= SECONDS else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--games", required=True)
    options = parser.parse_args()
    games = sorted(name[:-4] for name in os.listdir(options.games) if name.endswith(".kif"))
    number, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            path = os.path.join(options.games, game + ".kif")
            with open(path, encoding="utf-8") as file:
                rules = parse(file.read())
            expected = counts(options.marelle, path)
            if expected is None:
                number += 1
                print(f"ok {number} - {game} # SKIP no decomposition in {SECONDS} seconds")
                continue
            closely = [scrambled, shuffled, repeated, wrapped] if game in CLOSELY else []
            for rewriting in closely + [all_at_once, unchanged]:
                number += 1
                changed = os.path.join(folder, "changed.kif")
                with open(changed, "w", encoding="utf-8") as file:
                    file.write("\n".join(map(write, rewriting(rules, random.Random(number)))))
                found = counts(options.marelle, changed, seed=0 if rewriting in closely else number)
                same = found in (expected, None)
                failed += not same
                print(f"{'ok' if same else 'not ok'} {number} - {game} {rewriting.__name__}")
                if not same:
                    print(f"# {expected} before, {found} after")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
