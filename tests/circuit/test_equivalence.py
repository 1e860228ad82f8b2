#!/usr/bin/env python3
"""Prove with berkeley-abc that optimised circuits equal the plain ones.

usage: test_equivalence.py --export PROGRAM --games FOLDER [GAME...]

A GAME is a file, a name of games/, hex_N (of that size: abc cannot do the
whole board) or random_A-B (random games of these seeds).

The optimised circuit takes two facts for granted: exactly one move of each
role is done, and some fluents never change.  The first is built into the
problem instead of being a side condition: the moves of a role are the outputs
of a decoder of free inputs, so every case has exactly one of them and every
such case occurs.  The second is proven on the way, by induction: those fluents
are constants of the plain circuit as well, their initial values must agree,
and their next values are compared with the constants.

TAP on standard output; everything is skipped where there is no abc.
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

GAMES = ["tic_tac_toe", "connect_four", "breakthrough", "checkers", "reversi", "hex_5",
         "lights_out", "incredible", "buttons_and_lights", "eight_puzzle", "random_1-20"]
SECONDS = 100


class Circuit:
    """An ASCII AIGER file; literals as they stand there."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            _, _, inputs, latches, outputs, gates = file.readline().split()
            self.inputs = [int(file.readline()) for _ in range(int(inputs))]
            self.latches = [tuple(map(int, file.readline().split())) for _ in range(int(latches))]
            self.outputs = [int(file.readline()) for _ in range(int(outputs))]
            self.gates = [tuple(map(int, file.readline().split())) for _ in range(int(gates))]
            self.names = {}
            for line in file:
                if line == "c\n":
                    break
                key, name = line.rstrip("\n").split(" ", 1)
                self.names[key] = name

    def moves_by_role(self):
        roles = {}
        for i, literal in enumerate(self.inputs):
            role = re.match(r"\(does (\S+) ", self.names[f"i{i}"]).group(1)
            roles.setdefault(role, []).append(literal)
        return list(roles.values())


class Writer:
    """A combinational circuit in binary AIGER, gates numbered as they come."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.gates = []

    def conjunction(self, a, b):
        self.gates.append((max(a, b), min(a, b)))
        return 2 * (self.inputs + len(self.gates))

    def write(self, path, outputs):
        with open(path, "wb") as file:
            count = self.inputs + len(self.gates)
            file.write(f"aig {count} {self.inputs} 0 {len(outputs)} {len(self.gates)}\n".encode())
            for literal in outputs:
                file.write(f"{literal}\n".encode())
            for number, (a, b) in enumerate(self.gates, self.inputs + 1):
                file.write(varint(2 * number - a) + varint(a - b))


def varint(number):
    encoded = bytearray()
    while number >= 128:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def bits_for(count):
    return max(count - 1, 0).bit_length()


def decode(writer, selectors, moves, literals):
    """Each move is one value of the selectors; the values beyond the last are the last."""
    def below(bit, value, prefix):
        if value << (bit + 1) >= len(moves):
            return
        if bit < 0:
            literals[moves[value]] = prefix
            return
        one = selectors[bit]
        if (2 * value + 1) << bit >= len(moves):  # nothing on the other side
            below(bit - 1, 2 * value, prefix)
            return
        below(bit - 1, 2 * value, one ^ 1 if prefix == 1 else writer.conjunction(prefix, one ^ 1))
        below(bit - 1, 2 * value + 1, one if prefix == 1 else writer.conjunction(prefix, one))

    below(len(selectors) - 1, 0, 1)


def combinational(circuit, roles, constants, path):
    widths = [bits_for(len(moves)) for moves in roles]
    selectors = sum(widths)
    free = [latch for latch, value in zip(circuit.latches, constants) if value == "-"]
    writer = Writer(selectors + len(free))
    literals = {0: 0}
    for latch, value in zip(circuit.latches, constants):
        if value != "-":
            literals[latch[0]] = int(value)
    for i, latch in enumerate(free):
        literals[latch[0]] = 2 * (selectors + i + 1)
    first = 1
    for moves, width in zip(roles, widths):
        decode(writer, [2 * (first + i) for i in range(width)], moves, literals)
        first += width

    def mapped(literal):
        return literals[literal & ~1] ^ (literal & 1)

    for lhs, a, b in circuit.gates:
        literals[lhs] = writer.conjunction(mapped(a), mapped(b))
    writer.write(path, [mapped(latch[1]) for latch in circuit.latches] +
                 [mapped(output) for output in circuit.outputs])


def wrong_constants(plain, optimised, constants):
    """What is wrong with the latches before anything has to be proven; None if nothing is."""
    if plain.names != optimised.names:
        return "the names differ"
    for i, (a, b, value) in enumerate(zip(plain.latches, optimised.latches, constants)):
        if a[2] != b[2]:
            return f"the initial values of {plain.names[f'l{i}']} differ"
        if value not in ("-", str(a[2])):
            return f"{plain.names[f'l{i}']} does not start with its constant value"
    return None


def check(game, options, folder):
    """None if the circuits are proven equal, else what is wrong."""
    paths = {}
    for what in ("plain", "optimised", "constants"):
        paths[what] = os.path.join(folder, what + ".aag")
        subprocess.run([options.export, game, what, paths[what]], check=True)
    plain, optimised = Circuit(paths["plain"]), Circuit(paths["optimised"])
    with open(paths["constants"], encoding="utf-8") as file:
        constants = file.read().split()
    wrong = wrong_constants(plain, optimised, constants)
    if wrong:
        return wrong
    # Next values of constants are compared with the constants, not with each other.
    optimised.latches = [(a, b if value == "-" else int(value), c)
                         for (a, b, c), value in zip(optimised.latches, constants)]
    roles = plain.moves_by_role()
    left, right = os.path.join(folder, "a.aig"), os.path.join(folder, "b.aig")
    combinational(plain, roles, constants, left)
    combinational(optimised, roles, constants, right)
    answer = subprocess.run([options.abc, "-c", f"cec -n -T {SECONDS} {left} {right}"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            cwd=folder, check=False).stdout
    if "Networks are equivalent" in answer:
        print(f"# {len(plain.gates)} gates equal {len(optimised.gates)}, "
              f"{len(constants) - constants.count('-')} constant fluents")
        return None
    return "abc: " + " | ".join(answer.strip().splitlines()[-4:])


def game_files(name, options, folder):
    """The descriptions that a name stands for; some are written into the folder."""
    def store(number, text):
        path = os.path.join(folder, f"{number}.kif")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    if os.path.exists(name):
        return [name]
    if name.startswith("hex_"):
        command = [sys.executable, os.path.join(options.games, "generate.py"), "hex", "--size"]
        return [store(name, subprocess.check_output(command + [name[4:]], text=True))]
    if name.startswith("random_"):
        first, last = map(int, name[7:].split("-"))
        return [store(seed, random_game(seed)) for seed in range(first, last + 1)]
    return [os.path.join(options.games, name + ".kif")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("names", nargs="*", default=GAMES)
    options = parser.parse_args()
    options.abc = shutil.which("berkeley-abc") or shutil.which("abc")
    if not options.abc:
        print("1..0 # SKIP there is no berkeley-abc")
        return 0
    print(f"1..{len(options.names)}")
    failed = False
    for number, name in enumerate(options.names, 1):
        wrong = None
        with tempfile.TemporaryDirectory() as folder:
            for path in game_files(name, options, folder):
                problem = check(path, options, folder)
                wrong = wrong or (problem and f"{os.path.basename(path)}: {problem}")
        failed |= wrong is not None
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}: optimised equals plain")
        if wrong:
            print(f"# {wrong}")
        sys.stdout.flush()
    return failed


if __name__ == "__main__":
    sys.exit(main())
