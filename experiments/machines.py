"""Models of more machines than there are. Searches run on this machine, and the messages and times measured in them are
distributed over imaginary machines."""
from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Optional

from marelle import Game, State

EXPLORATION = 0.4
HASHED = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring keys go to different machines
MASK = (1 << 64) - 1


def _values_of(game: Game, state: State, seed: int) -> list[float]:
    """The goals, from 0 to 1, at the end of a random match from the state."""
    goals: Mapping[str, Optional[float]] = state.goals
    if not state.is_terminal:
        goals = game.playouts(1, seed=seed, state=state).mean_goals
    return [(goals[role] or 0) / 100 for role in game.roles]


# ---- a tree of positions ----

@dataclass
class Node:
    """A position of a tree of UCT in which every role chooses for itself."""

    state: State
    key: int
    visits: int = 0
    legal: list[Sequence[str]] = field(default_factory=list)  # by role
    counts: list[dict[str, int]] = field(default_factory=list)
    sums: list[dict[str, float]] = field(default_factory=list)
    below: dict[tuple[str, ...], Node] = field(default_factory=dict)

    def choose(self, role: int) -> str:
        """The move with the highest upper bound; untried ones first."""
        counts, sums, scale = self.counts[role], self.sums[role], math.log(self.visits + 1)
        return max(self.legal[role], key=lambda move: math.inf if not counts.get(move) else
                   sums[move] / counts[move] + EXPLORATION * math.sqrt(scale / counts[move]))

    def learn(self, moves: Sequence[str], values: Sequence[float]) -> None:
        """Takes the end of a simulation into account."""
        for role, move in enumerate(moves):
            self.counts[role][move] = self.counts[role].get(move, 0) + 1
            self.sums[role][move] = self.sums[role].get(move, 0) + values[role]


Step = tuple[int, int]  # the key of a position, and how often it had been visited


@lru_cache(maxsize=1)
def trace_of(game: Game, simulations: int, seed: int) -> list[list[Step]]:
    """The paths of so many simulations of UCT from the initial state."""
    nodes: dict[State, Node] = {}
    chance = random.Random(seed)

    def node_of(state: State) -> Node:
        if state not in nodes:
            legal = [] if state.is_terminal else [list(state.legal(role)) for role in game.roles]
            for moves in legal:
                chance.shuffle(moves)
            nodes[state] = Node(state, hash(state) & MASK, 0, list(legal), [{} for _ in legal], [{} for _ in legal])
        return nodes[state]

    root = node_of(game.initial())
    trace: list[list[Step]] = []
    for number in range(simulations):
        node, path = root, [(root.key, root.visits)]
        chosen: list[tuple[Node, tuple[str, ...]]] = []
        while node.visits and node.legal:
            moves = tuple(map(node.choose, range(len(game.roles))))
            chosen.append((node, moves))
            if moves not in node.below:
                node.below[moves] = node_of(node.state.play(*moves))
            node = node.below[moves]
            path.append((node.key, node.visits))
        values = _values_of(game, node.state, number + 1)
        for above, moves in chosen:
            above.visits += 1
            above.learn(moves, values)
        node.visits += 1
        trace.append(path)
    return trace


# ---- a tree that is distributed ----

@dataclass(frozen=True)
class Copies:
    """Positions with at least `from_visits` visits are stored on all machines. Their copies are synchronised after every
    `period` simulations that passed through them; 0: only at the end."""

    from_visits: float
    period: int


COPIES = {"none": Copies(math.inf, 0), "hot/1": Copies(64, 1), "hot/64": Copies(64, 64), "all/1": Copies(0, 1),
          "all/64": Copies(0, 64), "all/never": Copies(0, 0)}


def count_messages(trace: Sequence[Sequence[Step]], copies: Copies, machines: int) -> int:
    """Messages of a tree that is distributed over machines by the keys of its positions (Graf and others 2011): from
    owner to owner on the path down, from the owner of the leaf to the other owners afterwards, and from one machine to
    all others when copies are synchronised. Simulations start on the machines in turn."""
    messages = 0
    passed: dict[int, int] = {}
    for number, path in enumerate(trace):
        at, owners = number % machines, set()
        for key, visits in path:
            if visits >= copies.from_visits:
                passed[key] = passed.get(key, 0) + 1
                messages += machines - 1 if copies.period and passed[key] % copies.period == 0 else 0
                continue
            owner = (key * HASHED & MASK) * machines >> 64
            messages += owner != at
            at = owner
            owners.add(owner)
        messages += len(owners - {at})  # `at` ran the playout
    return messages + machines - 1  # in the end all others send their values of the first moves


# ---- nested searches ----

def _search_below(game: Game, state: State, chance: random.Random) -> float:
    """A nested search of level 1: follows the move whose random match ends best. Returns the value of the end."""
    role = game.roles[0]
    while not state.is_terminal:
        successors = [state.play(move) for move in state.legal(role)]
        values = [_values_of(game, successor, chance.getrandbits(32))[0] for successor in successors]
        state = successors[values.index(max(values))]
    return _values_of(game, state, 0)[0]


def jobs_of_nested_search(game: Game, seed: int, seconds: float) -> Iterator[list[float]]:
    """The durations of the jobs of each step of a search of level 2: its jobs are the searches of level 1."""
    chance, end = random.Random(seed), time.monotonic() + seconds
    state = game.initial()
    while time.monotonic() < end:
        durations: list[float] = []
        values: list[float] = []
        successors: list[State] = []
        for move in state.legal(game.roles[0]):
            started = time.process_time()
            successors.append(state.play(move))
            values.append(_search_below(game, successors[-1], chance))
            durations.append(time.process_time() - started)
        yield durations
        state = successors[values.index(max(values))]
        if state.is_terminal:
            state = game.initial()


@dataclass
class _Median:
    steps: list[list[float]]
    done: int = 0
    ready: float = 0  # when the jobs of the next step are available


def finish_time(steps_of_medians: Sequence[Sequence[Sequence[float]]], dispatcher: str) -> float:
    """When the last job ends, with as many clients as there are medians. The jobs of a step become available together,
    and the next step begins when the last of them is done. They go to the clients in rotation, whether these are busy
    or not ("round-robin"), or the oldest job goes to the first free client ("last-minute"; Cazenave and Jouandeau
    2009)."""
    medians = [_Median([list(step) for step in steps]) for steps in steps_of_medians]
    free_at = [0.0] * len(medians)
    turn, end = 0, 0.0
    while True:
        left = [median for median in medians if median.done < len(median.steps)]
        if not left:
            return end
        median = min(left, key=lambda m: m.ready)
        ready = median.ready
        for duration in median.steps[median.done]:
            client = turn % len(free_at) if dispatcher == "round-robin" else free_at.index(min(free_at))
            turn += 1
            free_at[client] = max(free_at[client], ready) + duration
            median.ready = max(median.ready, free_at[client])
        median.done += 1
        end = max(end, median.ready)
