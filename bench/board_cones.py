#!/usr/bin/env python3
"""How far automatic bitboards would get: cones of board cells that are shifts of each other.

usage: bench/board_cones.py [--marelle PROGRAM] GAME...

Writes the circuit of each game as AIGER and compares the cones of its outputs. Arguments of fluents
and moves that are coordinates are replaced by their distance from those of the output, so that two
outputs whose cones are then equal, gate by gate, are shifts of each other: one word operation a gate
would compute 64 of them. Prints for each game

  outputs   next fluents and legal moves that have coordinates, as a share of all outputs
  shifted   the share of all outputs whose cone equals that of at least 7 others up to a shift
  gates     AND gates of the whole circuit
  exact     word operations if equal cones share them, and every other gate is computed by itself
  interior  the same if all outputs of one kind had the cone of most of them (borders by masks)
  gain      gates / exact and gates / interior, before any shift or mask is paid for
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

sys.setrecursionlimit(1000000)
MEMBERS = 8
DIGITS = {str(i): i for i in range(1, 33)}
LETTERS = {chr(ord("a") + i): i + 1 for i in range(20)}


def read(path):
    """(gates by variable, names of inputs by variable, [(name, literal)] of outputs)."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    _, inputs, latches, outputs, ands = (int(n) for n in lines[0].split()[1:6])
    at = 1
    leaf = {}
    input_variables = [int(line) // 2 for line in lines[at:at + inputs]]
    at += inputs
    latch_lines = [[int(n) for n in line.split()] for line in lines[at:at + latches]]
    at += latches
    output_literals = [int(line) for line in lines[at:at + outputs]]
    at += outputs
    gates = {}
    for line in lines[at:at + ands]:
        left, a, b = (int(n) for n in line.split())
        gates[left // 2] = (a, b)
    names = {"i": {}, "l": {}, "o": {}}
    for line in lines[at + ands:]:
        found = re.match(r"([ilo])(\d+) (.*)", line)
        if found:
            names[found[1]][int(found[2])] = found[3]
        elif line.startswith("c"):
            break
    for i, variable in enumerate(input_variables):
        leaf[variable] = names["i"].get(i, f"i{i}")
    wanted = []
    for i, line in enumerate(latch_lines):
        leaf[line[0] // 2] = names["l"].get(i, f"l{i}")
        wanted.append(("next " + leaf[line[0] // 2], line[1]))
    for i, literal in enumerate(output_literals):
        wanted.append((names["o"].get(i, f"o{i}"), literal))
    return gates, leaf, wanted


def shape(name):
    """The words of a name with coordinates taken out in pairs, and those pairs."""
    words = re.findall(r"[^\s()]+", name)
    kinds, pairs, i = [], [], 0

    def value(word):
        return DIGITS.get(word, LETTERS.get(word))

    while i < len(words):
        if i + 1 < len(words) and value(words[i]) and words[i + 1] in DIGITS:
            pairs.append((value(words[i]), DIGITS[words[i + 1]]))
            kinds.append("@")
            i += 2
        else:
            kinds.append(words[i])
            i += 1
    return tuple(kinds), pairs


class Cones:
    """Structural numbers of cones, seen from a centre."""

    def __init__(self, gates, leaf):
        self.gates = gates
        self.leaf = {variable: shape(name) for variable, name in leaf.items()}
        self.numbers = {}

    def number(self, key):
        return self.numbers.setdefault(key, len(self.numbers))

    def of(self, literal, centre, seen):
        """The number of the cone; `seen` collects the numbers of its gates."""
        known = {}

        def visit(variable):
            stack = [variable]
            while stack:
                v = stack[-1]
                if v in known:
                    stack.pop()
                elif v == 0:
                    known[v] = self.number("false")
                elif v not in self.gates:
                    kinds, pairs = self.leaf[v]
                    moved = tuple((x - centre[0], y - centre[1]) for x, y in pairs)
                    known[v] = self.number((kinds, moved))
                else:
                    below = [x // 2 for x in self.gates[v] if x // 2 not in known]
                    if below:
                        stack += below
                        continue
                    pair = sorted((known[x // 2], x & 1) for x in self.gates[v])
                    known[v] = self.number((pair[0], pair[1]))
                    seen.add(known[v])
            return known[variable]

        return visit(literal // 2), literal & 1


def measure(path):
    gates, leaf, wanted = read(path)
    cones = Cones(gates, leaf)
    classes = collections.defaultdict(list)  # (kind, cone) -> gates of the cone
    members = collections.Counter()
    plain = []
    for name, literal in wanted:
        kinds, pairs = shape(name)
        if not pairs:
            plain.append(literal)
            continue
        steps = tuple((x - pairs[0][0], y - pairs[0][1]) for x, y in pairs)
        seen = set()
        cone = cones.of(literal, pairs[0], seen)
        key = ((kinds, steps), cone)
        members[key] += 1
        classes[key] = seen
    shifted = sum(count for count in members.values() if count >= MEMBERS)
    exact = set().union(*(classes[key] for key in classes)) if classes else set()
    most = {}
    for (kind, cone), count in members.items():
        if count > most.get(kind, (0, None))[0]:
            most[kind] = (count, cone)
    interior = set().union(*(classes[kind, cone] for kind, (_, cone) in most.items())) if most else set()
    rest, stack = set(), [literal // 2 for literal in plain]
    while stack:
        v = stack.pop()
        if v in gates and v not in rest:
            rest.add(v)
            stack += [x // 2 for x in gates[v]]
    outputs = len(wanted)
    return (sum(members.values()) / outputs, shifted / outputs, len(gates),
            min(len(gates), len(exact) + len(rest)), min(len(gates), len(interior) + len(rest)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("games", nargs="+")
    options = parser.parse_args()
    print("| game | outputs | shifted | gates | exact | interior | gain |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for game in options.games:
            path = os.path.join(folder, "circuit.aag")
            subprocess.run([options.marelle, "circuit", game, "--aiger", path, "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)
            outputs, shifted, gates, exact, interior = measure(path)
            print(f"| {os.path.basename(game)} | {outputs:.0%} | {shifted:.0%} | {gates:,} | {exact:,} | "
                  f"{interior:,} | {gates / exact:.1f} / {gates / interior:.1f} |", flush=True)


if __name__ == "__main__":
    main()
