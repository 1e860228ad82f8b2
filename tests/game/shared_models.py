"""Models of the games whose players see the same, for test_models.py: besides the
rest, `sees` gives what everybody perceives of a joint move."""
import itertools

COMPASS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def did(moves):
    """All moves of the players are told to all."""
    return {f"(did {role} {move})" for role, move in moves.items() if role != "random"}


def words(move):
    return move.strip("()").split()


class LatentTicTacToe:
    order = ("x", "o", "random")
    squares = [(row, column) for row in range(1, 11) for column in range(1, 11)]

    def __init__(self):
        self.marks, self.open, self.turn = {}, set(), 0

    def legal(self):
        moves = {role: {"noop"} for role in self.order}
        role = self.order[self.turn % 3]
        if role == "random":
            moves[role] = {f"(hide {s} {r} {c})" for s in "xo" for r, c in self.squares
                           if (r, c) not in self.marks}
        else:
            moves[role] = {f"(mark {r} {c})" for r, c in self.squares if (r, c) not in self.open}
        return moves

    def sees(self, moves):
        role = self.order[self.turn % 3]
        square = tuple(map(int, words(moves[role])[-2:]))
        if role == "random" or square not in self.marks:
            return did(moves)
        return did(moves) | {f"(latent {square[0]} {square[1]} {self.marks[square]})"}

    def play(self, moves):
        role = self.order[self.turn % 3]
        move = words(moves[role])
        square = (int(move[-2]), int(move[-1]))
        self.marks.setdefault(square, move[1] if role == "random" else role)
        if role != "random":
            self.open.add(square)
        self.turn += 1

    def facts(self):
        yield f"(control {self.order[self.turn % 3]})"
        yield from (f"(cell {r} {c} {s})" for (r, c), s in self.marks.items())
        yield from (f"(open {r} {c})" for r, c in self.open)

    def lines(self):
        return {symbol for (r, c), symbol in self.marks.items()
                for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1))
                if all(self.marks.get((r + i * dr, c + i * dc)) == symbol for i in range(5))}

    def terminal(self):
        return bool(self.lines()) or len(self.marks) == 100

    def goals(self):
        won = self.lines()
        if not won:
            return {"x": 50, "o": 50}
        return {symbol: 100 if symbol in won else 0 for symbol in "xo"}


class Pacman:
    maze = ("  ....  ", "  .  .  ", "...BI...", ". .  . .", ". .  . .", "....P...", "  .  .  ", "  ....  ")
    figures = {"pacman": "pacman", "blinky": "blinky", "random": "inky"}

    def __init__(self):
        self.cells = {(x + 1, 8 - y): kind for y, line in enumerate(self.maze)
                      for x, kind in enumerate(line) if kind != " "}
        start = {kind: cell for cell, kind in self.cells.items()}
        self.at = {"pacman": start["P"], "blinky": start["B"], "inky": start["I"]}
        self.pellets = {cell for cell, kind in self.cells.items() if kind == "."}
        self.turn, self.caught = 1, False

    def to(self, figure, direction):
        (x, y), (dx, dy) = self.at[figure], COMPASS[direction]
        return x + dx, y + dy

    def legal(self):
        return {role: {f"(move {d})" for d in COMPASS if self.to(figure, d) in self.cells}
                for role, figure in self.figures.items()}

    def after(self, moves):
        return {figure: self.to(figure, words(moves[role])[1])
                for role, figure in self.figures.items()}

    def sees(self, moves):
        at = self.after(moves)
        x, y = at["inky"]
        near = any(abs(x - at[who][0]) + abs(y - at[who][1]) <= 2 for who in ("pacman", "blinky"))
        return did(moves) | ({f"(inky {x} {y})"} if near else set())

    def play(self, moves):
        before, self.at = self.at, self.after(moves)
        pacman = self.at["pacman"]
        for ghost in ("blinky", "inky"):
            swapped = before[ghost] == pacman and self.at[ghost] == before["pacman"]
            self.caught |= self.at[ghost] == pacman or swapped
        self.pellets.discard(pacman)
        self.turn += 1

    def facts(self):
        yield from (f"(step {self.turn})", f"(eaten {33 - len(self.pellets)})")
        yield from (f"(at {figure} {x} {y})" for figure, (x, y) in self.at.items())
        yield from (f"(pellet {x} {y})" for x, y in self.pellets)
        yield from ["caught"] if self.caught else []

    def terminal(self):
        return self.caught or not self.pellets or self.turn == 61

    def goals(self):
        points = 100 * (33 - len(self.pellets)) // 33
        return {"pacman": points, "blinky": 100 - points}


class SheepAndWolf:
    turns = ("anna", "wolf_after_anna", "bert", "wolf_after_bert")

    def __init__(self):
        self.sheep = {"anna": {(1, 1), (3, 1)}, "bert": {(5, 1), (7, 1)}}
        self.wolf, self.turn, self.round = None, "place", 1

    def taken(self):
        return self.sheep["anna"] | self.sheep["bert"]

    def steps(self, name):
        return {(x, y, x + dx, y + 1) for x, y in self.sheep[name] for dx in (-1, 1)
                if 1 <= x + dx <= 8 and y < 8 and (x + dx, y + 1) not in self.taken()}

    def prowl(self):
        x, y = self.wolf
        near = {(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)}
        return {(a, b) for a, b in near if 1 <= a <= 8 and 1 <= b <= 8} - self.taken()

    def legal(self):
        moves = {role: {"noop"} for role in ("anna", "bert", "random")}
        if self.turn == "place":
            moves["random"] = {f"(wolf {x} 8)" for x in (2, 4, 6, 8)}
        elif self.turn.startswith("wolf"):
            moves["random"] = {f"(wolf {x} {y})" for x, y in self.prowl()}
        else:
            steps = {f"(step {a} {b} {c} {d})" for a, b, c, d in self.steps(self.turn)}
            moves[self.turn] = steps or {"noop"}
        return moves

    def after(self, moves):
        sheep = {name: set(squares) for name, squares in self.sheep.items()}
        wolf = self.wolf
        if moves["random"] != "noop":
            wolf = tuple(map(int, words(moves["random"])[1:]))
        elif moves[self.turn] != "noop":
            a, b, c, d = map(int, words(moves[self.turn])[1:])
            if (c, d) != wolf:
                sheep[self.turn] = sheep[self.turn] - {(a, b)} | {(c, d)}
        return sheep, wolf

    def sees(self, moves):
        sheep, (x, y) = self.after(moves)
        near = any(max(abs(x - a), abs(y - b)) <= 2 for a, b in sheep["anna"] | sheep["bert"])
        return did(moves) | ({f"(wolf {x} {y})"} if near else set())

    def play(self, moves):
        self.sheep, self.wolf = self.after(moves)
        self.round += self.turn.startswith("wolf")
        place = self.turns.index(self.turn) if self.turn in self.turns else -1
        self.turn = self.turns[(place + 1) % 4]

    def facts(self):
        yield from (f"(turn {self.turn})", f"(round {self.round})")
        yield from [f"(wolf {self.wolf[0]} {self.wolf[1]})"] if self.wolf else []
        yield from (f"(sheep {name} {x} {y})" for name in self.sheep for x, y in self.sheep[name])

    def driven_in(self):
        return self.wolf is not None and not self.prowl()

    def terminal(self):
        lost = self.wolf is not None and self.wolf[1] == 1
        stuck = not self.steps("anna") and not self.steps("bert")
        return self.driven_in() or lost or stuck or self.round == 61

    def goals(self):
        return {name: 100 * self.driven_in() for name in ("anna", "bert")}


class War:
    names = ("red", "blue")
    slots = ("left", "right", "down")

    def __init__(self):
        suits = ("clubs", "diamonds", "hearts", "spades")
        self.stock = set(itertools.product(range(2, 15), suits))
        self.rows = {name: {} for name in self.names}
        self.pot, self.captured = 0, {name: 0 for name in self.names}
        self.phases = [("deal", name, slot) for name in self.names for slot in self.slots]

    def legal(self):
        if not self.phases:
            moves = {name: {f"(play {slot})" for slot in self.rows[name]} for name in self.names}
            return moves | {"random": {"noop"}}
        moves = {name: {"noop"} for name in self.names}
        return moves | {"random": {f"(deal {rank} {suit})" for rank, suit in self.stock}}

    def played(self, moves):
        return {name: self.rows[name][words(moves[name])[1]] for name in self.names}

    def turned(self, moves):
        return {name: words(moves[name])[1] for name in self.names
                if words(moves[name])[1] != "down" and "down" in self.rows[name]}

    def sees(self, moves):
        if self.phases:
            _, name, slot = self.phases[0]
            card = " ".join(words(moves["random"])[1:])
            return did(moves) | ({f"(gets {name} {slot} {card})"} if slot != "down" else set())
        shown = {f"(plays {name} {rank} {suit})" for name, (rank, suit) in self.played(moves).items()}
        for name in self.turned(moves):
            rank, suit = self.rows[name]["down"]
            shown.add(f"(turns {name} {rank} {suit})")
        return did(moves) | shown

    def play(self, moves):
        if self.phases:
            _, name, slot = self.phases.pop(0)
            rank, suit = words(moves["random"])[1:]
            self.stock.remove((int(rank), suit))
            self.rows[name][slot] = (int(rank), suit)
            return
        ranks = [self.played(moves)[name][0] for name in self.names]
        turned = self.turned(moves)
        for name in self.names:
            del self.rows[name][words(moves[name])[1]]
            if name in turned:
                self.rows[name][turned[name]] = self.rows[name].pop("down")
        self.pot += 1
        if ranks[0] != ranks[1]:
            self.captured[self.names[ranks[0] < ranks[1]]] += self.pot
            self.pot = 0
        self.phases = [("refill", name, "down") for name in self.names] if self.stock else []

    def facts(self):
        if not self.phases:
            yield "(phase play)"
        else:
            kind, name, slot = self.phases[0]
            yield f"(phase ({kind} {name} {slot}))" if kind == "deal" else f"(phase (refill {name}))"
        yield f"(pot {self.pot})"
        yield from (f"(stock {rank} {suit})" for rank, suit in self.stock)
        for name in self.names:
            yield f"(captured {name} {self.captured[name]})"
            yield from (f"(row {name} {slot} {r} {s})" for slot, (r, s) in self.rows[name].items())

    def terminal(self):
        return not self.phases and not any(self.rows.values())

    def goals(self):
        a, b = (self.captured[name] for name in self.names)
        return {"red": 50 + 50 * ((a > b) - (a < b)), "blue": 50 + 50 * ((b > a) - (b < a))}


class SchnapptHubi:
    passable = {"open": ("hare", "mouse"), "window": ("hare",), "hole": ("mouse",)}
    lots = {"open1": "open", "open2": "open", "window": "window", "hole": "hole", "wall": "wall"}

    def __init__(self):
        across = [(room, room + 1) for room in range(1, 17) if room % 4]
        edges = across + [(room, room + 4) for room in range(1, 13)]
        self.edges = {pair: i for i, pair in enumerate(edges, 1)}
        self.at, self.types = {"hare": 1, "mouse": 16}, {}
        self.phase, self.round, self.mover = "hide", 1, "hare"
        self.magic = self.tries = self.hubi = None

    def edge(self, a, b):
        return self.edges[min(a, b), max(a, b)]

    def beside(self, room):
        x, y = (room - 1) % 4, (room - 1) // 4
        return {name: (y + dy) * 4 + x + dx + 1 for name, (dx, dy) in COMPASS.items()
                if 0 <= x + dx < 4 and 0 <= y + dy < 4}

    def passes(self, player, edge):
        kind = self.types.get(edge)
        return player in self.passable.get(kind, ()) or (kind == "door" and self.hubi is not None)

    def legal(self):
        moves = {role: {"noop"} for role in ("hare", "mouse", "random")}
        if self.phase == "hide":
            moves["random"] = {f"(hide {edge})" for edge in self.edges.values()}
        elif self.phase == "act":
            room = self.at[self.mover]
            ways = {name: self.edge(room, to) for name, to in self.beside(room).items()}
            moves[self.mover] = {"wait"} | ({"ask"} if self.hubi else set()) | {
                f"(go {name})" for name, edge in ways.items()
                if edge not in self.types or self.passes(self.mover, edge)}
        elif self.tries:
            moves["random"] = {f"(draw {lot})" for lot in self.lots}
        elif self.hubi is None:
            moves["random"] = {f"(appear {room})" for room in range(1, 17)}
        else:
            rooms = {self.hubi, *self.beside(self.hubi).values()}
            moves["random"] = {f"(haunt {room})" for room in rooms}
        return moves

    def sees(self, moves):
        shown, move = did(moves), words(moves[self.mover])
        if self.phase == "act" and move[0] == "go":
            to = self.beside(self.at[self.mover])[move[1]]
            if self.edge(self.at[self.mover], to) == self.magic:
                shown.add(f"(found {self.magic} door)")
        elif self.phase == "act" and move[0] == "ask":
            odd = self.round % 2
            shown.add(f"(row {(self.hubi - 1) // 4 + 1})" if odd
                      else f"(column {(self.hubi - 1) % 4 + 1})")
        elif self.phase == "house" and self.tries:
            kind = self.lots[words(moves["random"])[1]]
            shown.add(f"(found {self.edge(self.at[self.mover], self.tries)} {kind})")
        return shown

    def play(self, moves):
        move, lot = words(moves[self.mover]), words(moves["random"])
        if self.phase == "hide":
            self.magic, self.phase = int(lot[1]), "act"
            return
        was_trying, was_acting = self.tries, self.phase == "act"
        self.tries = None
        if was_acting and move[0] == "go":
            self.go(self.beside(self.at[self.mover])[move[1]])
        elif was_trying:
            edge = self.edge(self.at[self.mover], was_trying)
            self.types[edge] = self.lots[lot[1]]
            if self.passes(self.mover, edge):
                self.at[self.mover] = was_trying
        elif not was_acting:
            self.hubi = int(lot[1])
        busy = self.tries or ((was_acting or was_trying) and (self.hubi or self.opens()))
        self.phase = "house" if busy else "act"
        if not busy:
            self.round += 1
            self.mover = "mouse" if self.mover == "hare" else "hare"

    def go(self, to):
        edge = self.edge(self.at[self.mover], to)
        if edge in self.types:
            self.at[self.mover] = to
        elif edge == self.magic:
            self.types[edge] = "door"
        else:
            self.tries = to

    def opens(self):
        pair = (min(self.at.values()), max(self.at.values()))
        return pair in self.edges and self.types.get(self.edges[pair]) == "door"

    def facts(self):
        yield from (f"(phase {self.phase})", f"(round {self.round})", f"(control {self.mover})")
        yield from (f"(at {name} {room})" for name, room in self.at.items())
        yield from (f"(type {edge} {kind})" for edge, kind in self.types.items())
        for name in ("magic", "tries", "hubi"):
            yield from [f"({name} {getattr(self, name)})"] if getattr(self, name) else []

    def caught(self):
        return self.hubi is not None and set(self.at.values()) == {self.hubi}

    def terminal(self):
        return self.caught() or self.round == 61

    def goals(self):
        return {name: 100 * self.caught() for name in ("hare", "mouse")}


MODELS = {"latent_tic_tac_toe": LatentTicTacToe, "pacman": Pacman,
          "schnappt_hubi": SchnapptHubi, "sheep_and_wolf": SheepAndWolf, "war": War}
