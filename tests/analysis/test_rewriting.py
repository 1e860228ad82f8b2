#!/usr/bin/env python3
"""A decomposition must not depend on how the rules are written: all names
scrambled, rules and premises in another order, rules said twice, premises
that are always true, fluents and moves without structure, everything ground
and written in gates.

usage: test_rewriting.py --marelle PROGRAM --games FOLDER [--every N]

A few games are rewritten in each way alone; all that are quick in all ways at
once, decomposed with another seed, and as gates. --every takes each Nth game.
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


def scores_are_computed(rules):
    """Whether a goal's value is a variable somewhere: then numbers are more than names."""
    heads = [rule[1] if rule[0] == "<=" else rule for rule in rules if len(rule) > 1]
    return any(h[0] == "goal" and (not isinstance(h[2], str) or h[2][0] == "?") for h in heads if isinstance(h, list))


def scrambled(rules, rng):
    names = {}
    computed = scores_are_computed(rules)

    def rename(tree):
        if not isinstance(tree, str):
            if tree and tree[0] == "goal" and not computed:
                return ["goal", rename(tree[1]), tree[2]]
            return [rename(t) for t in tree]
        if tree in WORDS or (computed and tree.isdigit()):
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


def as_gates(marelle, path, circuit):
    """The game's circuit as rules: fluents, moves and gates are plain names, nothing has arguments or variables.
    None if the circuit has loops or no move is left to a role."""
    run = subprocess.run([marelle, "circuit", path, "--aiger", circuit, "--json"], capture_output=True, text=True)
    if run.returncode != 0 or json.loads(run.stdout).get("loops"):
        return None
    with open(circuit, encoding="utf-8") as file:
        lines = file.read().split("\n")
    _, inputs, latches, outputs, gates = map(int, lines[0].split()[1:])
    at, names, roles, rules = 1 + inputs, {}, {}, []
    symbols = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines if re.match(r"[ilo]\d+ ", line)}
    for i in range(inputs):
        _, role, move = parse(symbols[f"i{i}"])[0]
        names[int(lines[1 + i]) // 2] = ["does", roles.setdefault(role, f"r{len(roles)}"), f"m{i}"]
        names[write(role), write(move)] = f"m{i}"
    for i in range(latches):
        names[int(lines[at + i].split()[0]) // 2] = ["true", f"f{i}"]
    for line in lines[at + latches + outputs:at + latches + outputs + gates]:
        names[int(line.split()[0]) // 2] = f"g{line.split()[0]}"

    def rule(head, signal):
        """Nothing for a head that never holds."""
        if signal < 2:
            return [head] if signal and isinstance(head, list) else [["<=", head, "always"]] if signal else []
        literal = names[signal // 2]
        return [["<=", head, ["not", literal] if signal % 2 else literal]]

    for line in lines[at + latches + outputs:at + latches + outputs + gates]:
        out, a, b = map(int, line.split())
        rules.append(["<=", names[out // 2]] + [["not", names[s // 2]] if s % 2 else names[s // 2] for s in (a, b)])
    for i in range(latches):
        fields = lines[at + i].split()
        rules += rule(["next", f"f{i}"], int(fields[1]))
        if fields[2:] == ["1"]:
            rules.append(["init", f"f{i}"])
    for i in range(outputs):
        what = parse(symbols[f"o{i}"])[0]
        if isinstance(what, list) and what[0] == "sees":
            return None
        if isinstance(what, list):
            last = what[2] if what[0] == "goal" else names[write(what[1]), write(what[2])]
            what = [what[0], roles[what[1]], last]
        rules += rule(what, int(lines[at + latches + i]))
    return [["role", r] for r in roles.values()] + [["always"]] + rules


def same_counts(expected, found, is_circuit):
    """Whether two decompositions have the same counts. A circuit is without what nobody asks for; where that alone holds useless
    subgames together there may be more of them."""
    if is_circuit and isinstance(found, dict) and expected["uad"] > 1:
        useful = lambda c: (c["ad"] - c["uad"], c["ai"], c["uai"])
        return useful(found) == useful(expected) and found["uad"] >= expected["uad"]
    return found in (expected, None)


def counts(marelle, path, seed=0):
    """The four counts; None if it takes too long or there is no circuit, a complaint if it fails."""
    try:
        run = subprocess.run([marelle, "decompose", path, "--json", "--playouts", "4000", "--seed", str(seed)],
                             capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None if run.returncode == 3 else run.stderr
    answer = json.loads(run.stdout)
    return answer["counts"] if answer["cpu_seconds"] <= SECONDS else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    games = sorted(name[:-4] for name in os.listdir(options.games) if name.endswith(".kif"))[:: options.every]
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
            gates = as_gates(options.marelle, path, os.path.join(folder, "circuit.aag"))
            for rewriting in closely + [all_at_once, unchanged] + ([as_gates] if gates else []):
                number += 1
                changed = os.path.join(folder, "changed.kif")
                written = gates if rewriting is as_gates else rewriting(rules, random.Random(number))
                with open(changed, "w", encoding="utf-8") as file:
                    file.write("\n".join(map(write, written)))
                found = counts(options.marelle, changed, seed=0 if rewriting in closely else number)
                same = same_counts(expected, found, rewriting is as_gates)
                failed += not same
                print(f"{'ok' if same else 'not ok'} {number} - {game} {rewriting.__name__}")
                if not same:
                    print(f"# {expected} before, {found} after")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
