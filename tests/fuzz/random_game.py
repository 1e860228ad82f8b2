#!/usr/bin/env python3
"""Random small games that are valid GDL: safe, stratified, and ended by a step counter.

usage: random_game.py SEED        prints one game

Arguments are typed so that terms cannot grow: C constants, G terms over constants, F fluents,
M moves, R roles.  A rule may build a G, F or M from constants, never the other way round.
Predicates come in layers; a rule may use its own layer positively (recursion) and lower layers in
any way.  What depends on moves has layers of its own, used by `next` and `sees` only.  One game in
four has variables that stand only under a negation, which the reasoners understand ("for no
value") although the checker objects.
"""
import random
import sys

TRUE, DOES, LEGAL = "true", "does", "legal"


class Predicate:
    def __init__(self, name, types, layer):
        self.name, self.types, self.layer = name, types, layer


class Rule:
    """The body under construction: literals as texts and the variables they bind, by type."""

    def __init__(self):
        self.body = []
        self.variables = {t: [] for t in "CGFMR"}

    def bind(self, kind):
        name = f"?{kind.lower()}{sum(map(len, self.variables.values()))}"
        self.variables[kind].append(name)
        return name


class Generator:
    def __init__(self, seed):
        self.rnd = random.Random(seed)
        self.lines = []
        self.fresh = 0
        self.loosely = self.chance(0.25)
        r = self.rnd
        large = self.chance(0.1)
        self.most_facts = 20 if large else 7
        self.constants = [str(i) for i in range(1, r.randint(2, 8 if large else 5) + 1)]
        self.roles = ["red", "blue", "green"][:r.choice([1, 1, 2, 2, 2, 3])]
        if r.random() < 0.15:
            self.roles.append("random")
        # No moves in fluents that moves are made of, and the other way round.
        kinds = ["", "C", "CC", "C", "G", "GC"]
        self.fluents = [Predicate(f"f{i}", r.choice(kinds), 0) for i in range(r.randint(1, 9 if large else 5))]
        if r.random() < 0.3:
            self.fluents.append(Predicate("did", r.choice(["M", "RM"]), 0))
        self.moves = [Predicate(f"m{i}", r.choice(["", "C", "CC", "G"]), 0)
                      for i in range(r.randint(1, 3))]
        self.statics, self.dynamics, self.effects = [], [], []

    def chance(self, p):
        return self.rnd.random() < p

    def say(self, text):
        self.lines.append(text)

    # -- terms --------------------------------------------------------------------------------

    def ground(self, kind):
        r = self.rnd
        if kind == "C":
            return r.choice(self.constants)
        if kind == "R":
            return r.choice(self.roles)
        if kind == "G":
            a, b = r.choice(self.constants), r.choice(self.constants)
            return r.choice([a, f"(g {a})", f"(h {a} {b})", f"(g (g {a}))"])
        return self.compound(kind, self.ground)

    def compound(self, kind, argument):
        choices = self.fluents if kind == "F" else self.moves
        choices = [p for p in choices if not set(p.types) & {"F", "M"}] or self.moves
        return self.apply(self.rnd.choice(choices), argument)

    @staticmethod
    def apply(predicate, argument):
        if not predicate.types:
            return predicate.name
        return f"({predicate.name} {' '.join(argument(t) for t in predicate.types)})"

    def bound(self, rule, kind):
        """A term of variables that are bound already."""
        known = rule.variables[kind]
        if known and self.chance(0.92):
            return self.rnd.choice(known)
        constants = rule.variables["C"]
        if kind == "G" and constants and self.chance(0.7):
            a, b = self.rnd.choice(constants), self.rnd.choice(constants)
            return self.rnd.choice([a, f"(g {a})", f"(h {a} {b})"])
        if kind in "FM" and constants and self.chance(0.7):
            return self.compound(kind, lambda t: self.bound(rule, t))
        return self.ground(kind)

    def concluded(self, rule, kind):
        """A term of the head: general where the body says nothing."""
        if kind in "CR" and self.chance(0.3 if rule.variables[kind] else 0.8):
            name = rule.bind(kind)
            rule.body.append(f"({'role' if kind == 'R' else 'c'} {name})")
            return name
        return self.bound(rule, kind)

    def binding(self, rule, kind):
        """A term of a positive premise: may bind new variables."""
        p = self.rnd.random()
        if p < 0.15 and kind == "G":
            return f"(g {self.binding(rule, 'C')})"
        if p < 0.3 and kind in "FM":
            return self.compound(kind, lambda t: self.binding(rule, t))
        if rule.variables[kind] and p < 0.55:
            return self.rnd.choice(rule.variables[kind])
        return self.ground(kind) if p > 0.93 else rule.bind(kind)

    def loose(self, rule, kind):
        """A term of a negated premise: bound, or now and then a variable of its own."""
        if self.loosely and self.chance(0.2):
            self.fresh += 1
            return f"?any{self.fresh}"
        return self.bound(rule, kind)

    # -- premises -----------------------------------------------------------------------------

    def atom(self, predicate, term):
        if predicate is TRUE:
            if self.chance(0.15):
                return f"(true {term('F')})"
            return f"(true {self.apply(self.rnd.choice(self.fluents), term)})"
        if predicate in (DOES, LEGAL):
            role = term("R")
            if self.chance(0.25):
                return f"({predicate} {role} {term('M')})"
            return f"({predicate} {role} {self.apply(self.rnd.choice(self.moves), term)})"
        return self.apply(predicate, term)

    def test(self, rule, lower):
        """A premise without new variables, or with such as stand only under its negation."""
        p = self.rnd.random()
        if p < 0.2:
            kind = self.rnd.choice([k for k in "CGFMR" if rule.variables[k]] or "C")
            left, right = self.bound(rule, kind), self.bound(rule, kind)
            return f"(distinct {left} {self.ground(kind) if left == right else right})"
        if p < 0.7:
            atom = self.atom(self.rnd.choice(lower), lambda t: self.loose(rule, t))
            return atom if atom in rule.body else f"(not {atom})"
        return self.atom(self.rnd.choice(lower), lambda t: self.bound(rule, t))

    def closed(self, rule, lower):
        """A test without loose variables: goes anywhere."""
        atom = self.atom(self.rnd.choice(lower), lambda t: self.bound(rule, t))
        return f"(not {atom})" if self.chance(0.5) and atom not in rule.body else atom

    def body(self, lower, same, most=3):
        rule = Rule()
        for _ in range(self.rnd.randint(1, most)):
            usable = lower + (same if self.chance(0.5) else [])
            atom = self.atom(self.rnd.choice(usable), lambda t: self.binding(rule, t))
            rule.body.append(atom)
        for _ in range(self.rnd.choice([0, 0, 1, 1, 2])):
            p = self.rnd.random()
            if p < 0.15:
                premise = f"(or {self.closed(rule, lower)} {self.closed(rule, lower)})"
            elif p < 0.2:
                premise = (f"(or (and {self.closed(rule, lower)} {self.closed(rule, lower)}) "
                           f"{self.test(rule, lower)})")
            elif p < 0.25:
                premise = f"(not (or {self.closed(rule, lower)} {self.closed(rule, lower)}))"
            else:
                premise = self.test(rule, lower)
            rule.body.append(premise)
        if self.chance(0.3):
            self.rnd.shuffle(rule.body)
        return rule

    def rule(self, head, lower, same=(), most=3):
        body = self.body(lower, list(same), most)
        conclusion = head(lambda t: self.concluded(body, t))
        self.say(f"(<= {conclusion} {' '.join(body.body)})")

    # -- the parts of a game ------------------------------------------------------------------

    def make_statics(self):
        r = self.rnd
        for i in range(r.randint(1, 3)):
            predicate = Predicate(f"s{i}", r.choice(["C", "CC", "", "G", "F", "FC", "M"]), 0)
            for _ in range(r.randint(2, self.most_facts)):
                self.say(self.apply(predicate, self.ground))
            self.statics.append(predicate)
        for constant in self.constants:
            self.say(f"(c {constant})")
        self.statics.append(Predicate("c", "C", 0))
        self.statics.append(Predicate("succ", "CC", 0))
        self.statics.append(Predicate("role", "R", 0))
        for a, b in zip(self.constants, self.constants[1:]):
            self.say(f"(succ {a} {b})")
        for i in range(r.randint(0, 3)):
            predicate = Predicate(f"t{i}", r.choice(["C", "CC", "CC", "", "G", "CCC", "F"]), 0)
            for _ in range(r.randint(1, 3)):
                self.rule(lambda term, p=predicate: self.apply(p, term), self.statics,
                          [predicate])
            self.statics.append(predicate)

    def make_layers(self, prefix, sources, layers):
        r = self.rnd
        made = []
        for i in range(r.randint(0, layers)):
            group = [Predicate(f"{prefix}{i}{j}", r.choice(["C", "CC", "", "C", "G", "F", "R", "M"]),
                               i) for j in range(r.choice([1, 1, 2]))]
            for predicate in group:
                for _ in range(r.randint(1, 3)):
                    self.rule(lambda term, p=predicate: self.apply(p, term), sources + made, group)
            made += group
        return made

    def make_state(self):
        r = self.rnd
        for fluent in self.fluents:
            if fluent.name == "did":
                continue
            for _ in range(r.randint(1, self.most_facts - 2)):
                self.say(f"(init {self.apply(fluent, self.ground)})")
            if self.chance(0.2):
                self.rule(lambda term, p=fluent: f"(init {self.apply(p, term)})", self.statics)
        steps = r.randint(3, 7)
        self.say("(init (step 0))")
        for i in range(steps):
            self.say(f"(after {i} {i + 1})")
        self.say("(<= (next (step ?y)) (true (step ?x)) (after ?x ?y))")
        self.say(f"(<= terminal (true (step {steps})))")

    def make_legal(self, sources):
        for role in self.roles:
            if not self.chance(0.1):
                self.say(f"(legal {role} noop)" if self.chance(0.5) else
                         f"(<= (legal {role} noop) (true (step ?s)))")
        self.moves.append(Predicate("noop", "", 0))
        for move in self.moves[:-1]:
            for _ in range(self.rnd.randint(1, 2)):
                self.rule(lambda term, p=move: f"(legal {term('R')} {self.apply(p, term)})",
                          sources)
        if self.chance(0.2):
            self.rule(lambda term: f"(legal {term('R')} {term('M')})", sources)

    def make_next(self, sources):
        r = self.rnd
        for fluent in self.fluents:
            for _ in range(r.randint(2, 4)):
                self.rule(lambda term, p=fluent: f"(next {self.apply(p, term)})",
                          sources + [TRUE, DOES, TRUE, DOES])
            if self.chance(0.5) and fluent.types:
                names = " ".join(f"?x{i}" for i in range(len(fluent.types)))
                self.say(f"(<= (next ({fluent.name} {names})) (true ({fluent.name} {names})) "
                         f"(not (does {r.choice(self.roles)} {self.ground('M')})))")
        if self.chance(0.25):
            self.rule(lambda term: f"(next {term('F')})", sources + [TRUE, DOES])

    def make_ends(self, sources):
        r = self.rnd
        if self.chance(0.4):
            self.rule(lambda term: "terminal", sources, most=4)
        for role in self.roles:
            for value in r.sample([0, 10, 50, 90, 100], r.randint(1, 3)):
                self.rule(lambda term, a=role, v=value: f"(goal {a} {v})", sources)
        if self.loosely and self.chance(0.5):
            self.say("(<= (goal ?r 7) (role ?r) (true (step ?s)) (not (after ?s ?t)))")

    def make_percepts(self, sources):
        for i in range(self.rnd.randint(1, 3)):
            self.rule(lambda term, n=i: f"(sees {term('R')} (p{n} {term(self.rnd.choice('CGFM'))}))",
                      sources)

    def game(self):
        for role in self.roles:
            self.say(f"(role {role})")
        self.make_statics()
        self.make_state()
        state = self.statics + [TRUE, TRUE, TRUE]
        self.dynamics = self.make_layers("d", state, 3)
        self.make_legal(state + self.dynamics * 2)
        self.make_ends(state + self.dynamics * 2)
        effects = state + self.dynamics + [DOES, DOES, LEGAL]
        self.effects = self.make_layers("e", effects, 2)
        self.make_next(effects + self.effects * 2)
        if self.chance(0.3):
            self.make_percepts(effects + self.effects)
        if self.chance(0.2):
            self.rnd.shuffle(self.lines)
        return "\n".join(self.lines) + "\n"


def random_game(seed):
    return Generator(seed).game()


if __name__ == "__main__":
    sys.stdout.write(random_game(int(sys.argv[1])))
