#!/usr/bin/env python3
"""Games with chance against models of them in Python, written from their rules in
words: in every state of random matches the facts, the legal moves, the end, the
goals and what players perceive must be those of the model.

usage: test_models.py --dump PROGRAM --games DIR [--matches N] [--states N]
"""
import argparse
import itertools
import os
import re
import subprocess
import sys

import shared_models

FACT = re.compile(r"\((?:[^()]|\([^()]*\))*\)|[^\s()]+")


def other(player, names):
    return names[1 - names.index(player)]


def compare(names, better):
    """Goals by who is ahead; None for a draw."""
    if better is None:
        return {name: 50 for name in names}
    return {name: 100 if name == better else 0 for name in names}


class Model:
    """Two players in turn and chance: `waiting` says whether chance acts."""

    names = ("red", "blue")

    def __init__(self):
        self.mover = self.names[0]

    def legal(self):
        idle = {name: {"noop"} for name in (*self.names, "random")}
        who = "random" if self.chance() else self.mover
        idle[who] = self.chance() or self.choices()
        return idle

    def play(self, moves):
        move = moves["random"] if self.chance() else moves[self.mover]
        self.step(move.strip("()").split())


class Backgammon(Model):
    names = ("white", "black")

    def __init__(self):
        super().__init__()
        self.at = {name: {24: 2, 13: 5, 8: 3, 6: 5} for name in self.names}
        self.phase, self.uses, self.turn = "roll1", {}, 1

    def chance(self):
        return {f"(roll {i})" for i in range(1, 7)} if self.phase != "move" else None

    def possible(self, place, die):
        own, theirs = self.at[self.mover], self.at[other(self.mover, self.names)]
        if own.get(25) and place != 25:
            return False
        if place > die:
            return theirs.get(25 - (place - die), 0) < 2
        far = max(i for i in own if i)
        return far <= 6 and (place == die or place == far)

    def choices(self):
        return {f"(move {place} {die})" for place in self.at[self.mover] if place
                for die in self.uses if self.possible(place, die)} or {"pass"}

    def lift(self, name, place):
        self.at[name][place] -= 1
        if not self.at[name][place]:
            del self.at[name][place]

    def put(self, name, place):
        self.at[name][place] = self.at[name].get(place, 0) + 1

    def step(self, move):
        self.turn += 1
        if self.phase != "move":
            die = int(move[1])
            self.uses[die] = 4 if die in self.uses else 1
            self.phase = "roll2" if self.phase == "roll1" else "move"
            return
        if move[0] == "move":
            place, die = int(move[1]), int(move[2])
            enemy, to = other(self.mover, self.names), max(0, place - die)
            self.lift(self.mover, place)
            self.put(self.mover, to)
            if to and self.at[enemy].get(25 - to):
                self.lift(enemy, 25 - to)
                self.put(enemy, 25)
            self.uses[die] -= 1
            self.uses = {die: n for die, n in self.uses.items() if n}
        if move[0] == "pass" or not self.uses:
            self.phase, self.uses = "roll1", {}
            self.mover = other(self.mover, self.names)

    def pips(self, name):
        return sum(place * n for place, n in self.at[name].items())

    def facts(self):
        yield f"(control {self.mover})"
        yield f"(phase {self.phase})"
        yield f"(step {self.turn})"
        yield from (f"(uses {die} {n})" for die, n in self.uses.items())
        for name in self.names:
            yield from (f"(checkers {name} {place} {n})" for place, n in self.at[name].items())
            yield f"(high {name} {self.pips(name) // 25})"
            yield f"(low {name} {self.pips(name) % 25})"

    def terminal(self):
        return self.turn == 401 or any(self.at[name].get(0) == 15 for name in self.names)

    def goals(self):
        a, b = (self.pips(name) for name in self.names)
        return compare(self.names, None if a == b else self.names[a > b])


class CantStop(Model):
    height = {c: 3 + 2 * min(c - 2, 12 - c) for c in range(2, 13)}

    def __init__(self):
        super().__init__()
        self.markers = {name: {} for name in self.names}
        self.runners, self.dice, self.phase, self.turn = {}, [], "roll", 1

    def chance(self):
        return {f"(roll {i})" for i in range(1, 7)} if self.phase == "roll" else None

    def stands(self, column):
        return self.runners.get(column, self.markers[self.mover].get(column, 0))

    def closed(self, column):
        return any(m.get(column) == self.height[column] for m in self.markers.values())

    def can_go(self, column, steps=1):
        return (not self.closed(column) and self.stands(column) + steps <= self.height[column]
                and (column in self.runners or len(self.runners) < 3))

    def choices(self):
        if self.phase == "decide":
            return {"roll", "stop"}
        moves = set()
        a, b, c, d = self.dice
        for one, two in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            one, two = sorted((one, two))
            new = {one, two} - set(self.runners)
            if one == two:
                if self.can_go(one, 2):
                    moves.add(f"(advance_both {one} {one})")
                elif self.can_go(one):
                    moves.add(f"(advance {one})")
            elif self.can_go(one) and self.can_go(two) and len(self.runners) + len(new) <= 3:
                moves.add(f"(advance_both {one} {two})")
            else:
                moves |= {f"(advance {column})" for column in (one, two) if self.can_go(column)}
        return moves or {"bust"}

    def step(self, move):
        if self.phase == "roll":
            self.dice.append(int(move[1]))
            self.phase = "roll" if len(self.dice) < 4 else "choose"
            return
        for column in map(int, move[1:]):
            self.runners[column] = self.stands(column) + 1
        self.dice = []
        self.phase = "decide" if move[0].startswith("advance") else "roll"
        if move[0] == "stop":
            self.markers[self.mover].update(self.runners)
        if move[0] in ("stop", "bust"):
            self.runners = {}
            self.turn += 1
            self.mover = other(self.mover, self.names)

    def won(self, name):
        return sum(step == self.height[c] for c, step in self.markers[name].items())

    def facts(self):
        yield f"(control {self.mover})"
        yield f"(phase {f'(roll {len(self.dice) + 1})' if self.phase == 'roll' else self.phase})"
        yield f"(turn {self.turn})"
        yield f"(runners_left {3 - len(self.runners)})"
        yield from (f"(die {i} {face})" for i, face in enumerate(self.dice, 1))
        yield from (f"(runner {c} {step})" for c, step in self.runners.items())
        for name in self.names:
            yield from (f"(marker {name} {c} {step})" for c, step in self.markers[name].items())

    def terminal(self):
        return self.turn == 201 or any(self.won(name) >= 3 for name in self.names)

    def goals(self):
        a, b = (self.won(name) for name in self.names)
        return compare(self.names, None if a == b else self.names[a < b])


class Kaeseklau(Model):
    def __init__(self):
        super().__init__()
        self.cards, self.rooms = set(range(1, 31)), {room: 6 for room in range(1, 6)}
        self.cat, self.mouse, self.phase, self.turn, self.holds = 3, 1, "roll_cat", 1, 0
        self.keeps = {name: 0 for name in self.names}

    def chance(self):
        if self.phase == "draw":
            return {f"(draw {card})" for card in self.cards}
        return {f"(roll {i})" for i in range(1, 7)} if self.phase != "decide" else None

    def choices(self):
        return {"again", "stop"}

    def end_turn(self, keeps):
        self.keeps[self.mover] += self.holds if keeps else 0
        self.holds, self.phase, self.mover = 0, "roll_cat", other(self.mover, self.names)

    def step(self, move):
        self.turn += 1
        if self.phase == "roll_cat":
            self.cat = (self.cat - 1 + (int(move[1]) - 1) // 2) % 5 + 1
            self.phase = "roll_mouse"
        elif self.phase == "roll_mouse":
            self.mouse = (self.mouse - 1 + (int(move[1]) + 1) // 2) % 5 + 1
            self.phase = "draw" if self.rooms[self.mouse] else "decide"
            if self.mouse == self.cat:
                self.end_turn(False)
        elif self.phase == "draw":
            card = int(move[1])
            self.cards.remove(card)
            self.rooms[self.mouse] -= 1
            self.holds += (card - 1) // 10 + 1
            self.phase = "decide"
            if self.empty() == 3:
                self.end_turn(True)
        elif move[0] == "again":
            self.phase = "roll_cat"
        else:
            self.end_turn(True)

    def empty(self):
        return list(self.rooms.values()).count(0)

    def facts(self):
        yield from (f"(control {self.mover})", f"(phase {self.phase})", f"(step {self.turn})",
                    f"(cat {self.cat})", f"(mouse {self.mouse})", f"(holds {self.holds})")
        yield from (f"(card {card})" for card in self.cards)
        yield from (f"(cards {room} {n})" for room, n in self.rooms.items())
        yield from (f"(keeps {name} {n})" for name, n in self.keeps.items())

    def terminal(self):
        return self.empty() >= 3 or self.turn == 301

    def goals(self):
        a, b = (self.keeps[name] for name in self.names)
        return compare(self.names, None if a == b else self.names[a < b])


class Pickomino(Model):
    def __init__(self):
        super().__init__()
        self.middle, self.stacks = set(range(21, 37)), {name: [] for name in self.names}
        self.turn = 1
        self.begin()

    def begin(self):
        self.aside, self.sum, self.free = set(), 0, 8
        self.throw(8)

    def throw(self, dice):
        self.phase, self.left, self.rolled = "roll", dice, {}

    def chance(self):
        faces = ("1", "2", "3", "4", "5", "worm")
        return {f"(roll {face})" for face in faces} if self.phase == "roll" else None

    def target(self):
        return max((tile for tile in self.middle if tile <= self.sum), default=None)

    def choices(self):
        if self.phase == "choose":
            faces = {f"(set_aside {face})" for face in self.rolled if face not in self.aside}
            return faces or {"fail"}
        moves = {"roll"} if self.free else set()
        enemy = self.stacks[other(self.mover, self.names)]
        if "worm" in self.aside and self.target():
            moves.add("take")
        if "worm" in self.aside and enemy and enemy[-1] == self.sum:
            moves.add("steal")
        return moves or {"fail"}

    def step(self, move):
        if self.phase == "roll":
            self.rolled[move[1]] = self.rolled.get(move[1], 0) + 1
            self.left -= 1
            self.phase = "roll" if self.left else "choose"
        elif move[0] == "set_aside":
            number = self.rolled[move[1]]
            self.aside.add(move[1])
            self.sum += number * (5 if move[1] == "worm" else int(move[1]))
            self.free -= number
            self.phase, self.rolled = "decide", {}
        elif move[0] == "roll":
            self.throw(self.free)
        else:
            self.settle(move[0])

    def settle(self, move):
        own = self.stacks[self.mover]
        if move == "take":
            own.append(self.target())
            self.middle.remove(own[-1])
        elif move == "steal":
            own.append(self.stacks[other(self.mover, self.names)].pop())
        else:
            back = own.pop() if own else 0
            if back < max(self.middle):
                self.middle.remove(max(self.middle))
            self.middle |= {back} - {0}
        self.turn += 1
        self.mover = other(self.mover, self.names)
        self.begin()

    def worms(self, name):
        return sum((tile - 21) // 4 + 1 for tile in self.stacks[name])

    def facts(self):
        yield f"(control {self.mover})"
        yield f"(phase {f'(roll {self.left})' if self.phase == 'roll' else self.phase})"
        yield from (f"(turn {self.turn})", f"(sum {self.sum})", f"(free {self.free})")
        yield from (f"(rolled {face} {n})" for face, n in self.rolled.items())
        yield from (f"(aside {face})" for face in self.aside)
        yield from (f"(middle {tile})" for tile in self.middle)
        for name in self.names:
            yield from (f"(stack {name} {i} {t})" for i, t in enumerate(self.stacks[name], 1))
            yield f"(height {name} {len(self.stacks[name])})"
            yield f"(worms {name} {self.worms(name)})"

    def terminal(self):
        return not self.middle or self.turn == 101

    def goals(self):
        a, b = ((self.worms(name), max(self.stacks[name], default=0)) for name in self.names)
        return compare(self.names, None if a == b else self.names[a < b])


class Yahtzee(Model):
    upper = ("ones", "twos", "threes", "fours", "fives", "sixes")
    lower = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight",
             "large_straight", "yahtzee", "chance")

    def __init__(self):
        super().__init__()
        self.card = {name: {} for name in self.names}
        self.begin()

    def begin(self):
        self.dice, self.throw = {}, 1
        self.waits = [1, 2, 3, 4, 5]

    def chance(self):
        return {f"(roll {i})" for i in range(1, 7)} if self.waits else None

    def choices(self):
        moves = {f"(score {c})" for c in self.upper + self.lower if c not in self.card[self.mover]}
        if self.throw < 3:
            moves |= {f"(reroll {' '.join(mask)})"
                      for mask in itertools.product(("roll", "keep"), repeat=5) if "roll" in mask}
        return moves

    def points(self, category):
        dice = sorted(self.dice.values())
        counts = sorted(dice.count(face) for face in set(dice))
        runs = "".join(map(str, sorted(set(dice))))
        if category in self.upper:
            face = self.upper.index(category) + 1
            return face * dice.count(face)
        return {"three_of_a_kind": sum(dice) * (counts[-1] >= 3),
                "four_of_a_kind": sum(dice) * (counts[-1] >= 4),
                "full_house": 25 * (counts == [2, 3]),
                "small_straight": 30 * any(r in runs for r in ("1234", "2345", "3456")),
                "large_straight": 40 * (runs in ("12345", "23456")),
                "yahtzee": 50 * (counts == [5]),
                "chance": sum(dice)}[category]

    def step(self, move):
        if self.waits:
            self.dice[self.waits.pop(0)] = int(move[1])
        elif move[0] == "reroll":
            self.waits = [i for i, mark in enumerate(move[1:], 1) if mark == "roll"]
            self.dice = {i: face for i, face in self.dice.items() if i not in self.waits}
            self.throw += 1
        else:
            self.card[self.mover][move[1]] = self.points(move[1])
            self.mover = other(self.mover, self.names)
            self.begin()

    def upper_sum(self, name):
        return sum(n for c, n in self.card[name].items() if c in self.upper)

    def total(self, name):
        return sum(self.card[name].values()) + (35 if self.upper_sum(name) >= 63 else 0)

    def facts(self):
        yield from (f"(control {self.mover})", f"(throw {self.throw})")
        yield from (f"(waits {i})" for i in self.waits)
        yield from (f"(die {i} {face})" for i, face in self.dice.items())
        for name in self.names:
            yield from (f"(open {name} {c})" for c in self.upper + self.lower
                        if c not in self.card[name])
            yield f"(tens {name} {self.total(name) // 10})"
            yield f"(units {name} {self.total(name) % 10})"
            yield f"(upper {name} {min(63, self.upper_sum(name))})"

    def terminal(self):
        return all(len(card) == 13 for card in self.card.values())

    def goals(self):
        a, b = (self.total(name) for name in self.names)
        return compare(self.names, None if a == b else self.names[a < b])


MODELS = {"backgammon": Backgammon, "cant_stop": CantStop, "kaeseklau": Kaeseklau,
          "pickomino": Pickomino, "yahtzee": Yahtzee, **shared_models.MODELS}


def states_of(text):
    """What the program says of each state: lists of the lines, by their first word."""
    for block in text.split("state\n")[1:]:
        said = {}
        for line in block.splitlines():
            word, _, rest = line.partition(" ")
            said.setdefault(word, []).append(rest)
        yield said


def by_role(lines):
    roles = {}
    for line in lines:
        role, _, rest = line.partition(" ")
        roles.setdefault(role, set()).add(rest)
    return roles


def difference(model, said):
    """Why the program and the model differ in a state; None if they do not."""
    facts, ours = set(FACT.findall(said["true"][0])), set(model.facts())
    if facts != ours:
        return f"facts {sorted(facts - ours)} instead of {sorted(ours - facts)}"
    if bool(int(said["terminal"][0])) != model.terminal():
        return "the end"
    goals = {role: values for role, values in by_role(said["goal"]).items() if role != "random"}
    if goals != {role: {str(value)} for role, value in model.goals().items()}:
        return f"goals {goals}"
    if not model.terminal() and by_role(said["legal"]) != model.legal():
        return f"legal moves {by_role(said['legal'])} instead of {model.legal()}"
    return None


def other_percepts(model, said, moves):
    """The same for what the players perceive of their moves."""
    ours = model.sees(moves) if hasattr(model, "sees") else set()
    lines = by_role(said.get("sees", []))
    for role in moves:
        theirs = {fact for line in lines.get(role, set()) for fact in FACT.findall(line)}
        if theirs != ours:
            return f"{role} sees {sorted(theirs)} instead of {sorted(ours)}"
    return None


def check(options, name):
    """The number of states compared, and the first difference."""
    compared = 0
    for seed in range(options.matches):
        path = os.path.join(options.games, name + ".kif")
        text = subprocess.run([options.dump, path, str(seed), str(options.states)], check=True,
                              capture_output=True, text=True).stdout
        model = None
        for said in states_of(text):
            model = model or MODELS[name]()
            reason = difference(model, said)
            if reason:
                return compared, f"match {seed}, state {compared}: {reason}"
            compared += 1
            if model.terminal() or "does" not in said:
                model = None
                continue
            moves = {role: moves.pop() for role, moves in by_role(said["does"]).items()}
            reason = other_percepts(model, said, moves)
            if reason:
                return compared, f"match {seed}, state {compared}: {reason}"
            model.play(moves)
    return compared, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--states", type=int, default=500)
    options = parser.parse_args()
    failed = 0
    print(f"1..{len(MODELS)}")
    for number, name in enumerate(MODELS, 1):
        compared, reason = check(options, name)
        failed += reason is not None
        print(f"{'not ok' if reason else 'ok'} {number} - {name}: {compared} states")
        if reason:
            print(f"#   {reason[:1500]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
