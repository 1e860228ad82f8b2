"""The study of constraint searches against baselines that never change, on deterministic games, games with dice, games
for one player with hidden information, and games of several players who see the same. Seats change from match to match.
All teams play on the same seeds, and so do all players who play alone."""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import marelle
from marelle import Game

from experiments.duel import seats_of, with_option
from experiments.games import open_game
from experiments.scsp_games import (ABLATIONS, BELIEFS, GAMES, NAMED_PAIRS, NAMED_PLAYERS, PAIRS, PARTS, PLAYERS, SYM,
                                    TIER_ONE_MATCHES, UCT, StudyGame)
from experiments.scsp_page import report
from experiments.study import Key, Setup, Study

KEYS = ("budget", "part", "group", "game", "first", "second", "match")
# The last values, from `forbidden` on, are those of jobs that measure symmetries, which leave the others empty.
VALUES = ("score", "goal", "other_goal", "turns", "errors", "seconds", "forbidden", "generators", "log10order", "solved",
          "classes", "arrivals", "nogoods")

# Start clock, play clock and matches per game and pair, by tier; from tier 2 on four times as many in games with chance.
TIERS = {1: (20.0, 1.0, TIER_ONE_MATCHES), 2: (180.0, 15.0, 100), 3: (180.0, 15.0, 100)}
QUICK_PLAYOUTS, QUICK_MATCHES = 10, 1
MEASURED_PULLS, QUICK_PULLS = 20_000, 500
MEASURED_SECONDS, QUICK_SECONDS = 6.0, 2.0
NO_TIME = 1e-9  # a start clock in which nobody can do anything
SHARES_OF_SOLVING = 11  # 0, 10, ... 100 %
SHARES_OF_SYMMETRY = 16  # 0, 5, ... 75 %


# ---- the jobs ----

def path_of(game: StudyGame) -> str:
    """The file or name of a game; "" if there is none. Games of group 1 are in the corpus of $MARELLE_SHARED."""
    if game.group > 1:
        return game.name
    path = Path(os.environ.get("MARELLE_SHARED", "")) / "corpus" / "base" / f"{game.name}_v0.kif"
    return str(path) if path.is_file() else ""


def _is_wanted(setup: Setup, game: StudyGame) -> bool:
    if setup.games:
        return game.name in setup.games
    return game.is_quick if setup.quick else game.is_named or setup.tier != 2


def _matches_of(setup: Setup, game: StudyGame) -> int:
    if setup.seeds or setup.quick:
        return setup.seeds or QUICK_MATCHES
    return TIERS[setup.tier][2] * (4 if setup.tier > 1 and game.group > 1 else 1)


def playouts_of(setup: Setup) -> int:
    """Playouts per move; 0: as many as the clock allows. Playouts do not depend on the load of the machine."""
    return setup.playouts or (QUICK_PLAYOUTS if setup.quick else 0)


def thinking_time(setup: Setup) -> float:
    """CPU seconds per move; 0 if playouts are counted instead."""
    return 0 if playouts_of(setup) else setup.clock or TIERS[setup.tier][1]


def start_time(setup: Setup) -> float:
    """Seconds before the first move, in the proportion of the tier's clocks; 0 if playouts are counted."""
    startclock, playclock, _ = TIERS[setup.tier]
    return thinking_time(setup) * startclock / playclock


def _budget(setup: Setup) -> str:
    if playouts_of(setup):
        return f"{playouts_of(setup)} playouts"
    if setup.tier == 1:
        return f"{thinking_time(setup):g} CPU s"
    return f"{thinking_time(setup):g} CPU s after {start_time(setup):g}"  # not in the proportion of tier 1


class _Plan:
    """Plans two matches of each game at a time, in which both sides have had both seats, so that an interrupted study
    has played every game."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.budget = setup, _budget(setup)
        self.games = [game for game in GAMES if _is_wanted(setup, game) and path_of(game)]

    def job(self, part: str, game: StudyGame, first: str, second: str, match: int) -> Key:
        return (self.budget, part, str(game.group), game.name, first, second, str(self.setup.first_seed + match))

    def rounds(self, plan_round: Callable[[range], Iterator[Key]]) -> Iterator[Key]:
        most = max((_matches_of(self.setup, game) for game in GAMES), default=0)
        for start in range(0, most, 2):
            yield from plan_round(range(start, min(start + 2, most)))

    def matches(self, numbers: range, are_named: bool) -> Iterator[Key]:
        """Matches that targets name, or the others. Groups with short matches come first, games with dice last."""
        for group in (3, 4, 1, 2):
            for game in self.games:
                if game.group == group and self.setup.wants(game.part if are_named else "baseline"):
                    for match in numbers:
                        if match < _matches_of(self.setup, game):
                            yield from self.meetings(game, match, are_named)

    def meetings(self, game: StudyGame, match: int, are_named: bool) -> Iterator[Key]:
        if game.part == "duel":
            for pair in PAIRS:
                if (pair in NAMED_PAIRS) == are_named:
                    yield self.job("duel", game, *pair, match)
        else:
            for player in PLAYERS:
                if (player in NAMED_PLAYERS) == are_named:
                    yield self.job(game.part, game, player, "", match)

    def sweeps(self, numbers: range) -> Iterator[Key]:
        """Matches with other shares of the time against `baseline-uct`, and variants of the search against each other;
        for players who play alone, other beliefs."""
        for game in self.games:
            for match in numbers:
                if game.is_swept and match < _matches_of(self.setup, game):
                    yield from self.sweep(game, match)

    def sweep(self, game: StudyGame, match: int) -> Iterator[Key]:
        with_ablations = self.setup.wants("ablation")
        if game.part == "solo":
            for belief in BELIEFS[1:] if with_ablations else ():
                yield self.job("ablation", game, belief.first, "", match)
            return
        for player in _players_with_shares() if self.setup.wants("share") else ():
            yield self.job("share", game, player, UCT, match)
        for ablation in ABLATIONS if with_ablations else ():
            yield self.job("ablation", game, ablation.first, ablation.second, match)


def _players_with_shares() -> Iterator[str]:
    """The shares 0 and 1 cannot be asked for, so 0.01 and 0.99 replace them."""
    def fit(share: float) -> float:
        return min(0.99, max(0.01, share))
    for i in range(SHARES_OF_SOLVING):
        yield f"mac-ucb:solving={fit(0.1 * i):g}"
    for i in range(SHARES_OF_SYMMETRY):
        symmetry = fit(0.05 * i)
        yield f"mac-ucb-sym:nogoods=1,solving={fit(0.75 - symmetry):g},symmetry={symmetry:g}"


def plan(setup: Setup) -> Iterator[Key]:
    """Matches that targets name come first, then sweeps and symmetries, then the matches among baselines."""
    jobs = _Plan(setup)
    yield from jobs.rounds(lambda numbers: jobs.matches(numbers, True))
    if not setup.quick:
        yield from jobs.rounds(jobs.sweeps)
    if setup.wants("structure"):
        for game in jobs.games:
            yield jobs.job("structure", game, SYM, "", 0)
    yield from jobs.rounds(lambda numbers: jobs.matches(numbers, False))


# ---- one job ----

def _seats_of_first(seats: int, match: int) -> set[int]:
    """The seats that the first player has in a match. Matches go through all sets with half of the seats; if their
    number is odd, through all sets with the smaller or the larger half."""
    sets = [bits for bits in range(1, 1 << seats) if bin(bits).count("1") in (seats // 2, seats - seats // 2)]
    chosen = sets[match % len(sets)] if sets else 0
    return {seat for seat in range(seats) if chosen >> seat & 1}


def _score_of_duel(goal: float, other: float, seats: int) -> float:
    """The score of the first player: 1, 0.5 or 0. With more than two seats it is the mean goal of its seats, divided by
    the sum of both sides' mean goals."""
    if seats > 2:
        return goal / (goal + other) if goal + other > 0 else 0.5
    return 1 if goal > other else 0.5 if goal == other else 0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0


def _meet(setup: Setup, game: Game, first: str, second: str, match: int) -> list[object]:
    """Plays a match of two players, or of one alone or with its like."""
    seats = seats_of(game)
    own = _seats_of_first(len(seats), match) if second else set(range(len(seats)))
    playouts, started = playouts_of(setup), time.process_time()
    limit = f"playouts={playouts}" if playouts else f"seconds={thinking_time(setup):g}"
    players = [with_option(first if seat in own else second, limit) for seat in range(len(seats))]
    played = marelle.match(game, players, startclock=start_time(setup) or NO_TIME, playclock=thinking_time(setup),
                           cpu_clock=True, seed=match)
    goals = [played.goals[role] or 0 for role in seats]
    goal = _mean([goals[seat] for seat in own])
    other = _mean([goals[seat] for seat in range(len(seats)) if seat not in own])
    score = _score_of_duel(goal, other, len(seats)) if second else goal / 100
    return [f"{score:g}", f"{goal:g}", f"{other:g}", played.turns, played.errors, f"{time.process_time() - started:.2f}"]


def _measure(setup: Setup, game: Game, seed: int) -> list[object]:
    """Measures the symmetries of a game and their savings. The cells stay empty if the search cannot play the game."""
    started = time.process_time()
    cells: list[object] = [""] * 5
    try:
        found = marelle.savings(game, pulls=QUICK_PULLS if setup.quick else MEASURED_PULLS,
                                cpu_seconds=QUICK_SECONDS if setup.quick else MEASURED_SECONDS, seed=seed)
    except marelle.UnfitError:
        return [*cells, f"{time.process_time() - started:.2f}"]
    group = [f"{found.forbidden:.0f}", found.generators, f"{found.log10_order:.2f}"] if found.translated else [""] * 3
    return [*cells, f"{time.process_time() - started:.2f}", *group, found.solved, found.classes, found.arrivals,
            found.proved + found.predicted]


def run(setup: Setup, key: Key) -> list[object]:
    """Plays a match or measures symmetries."""
    _, part, _, name, first, second, match = key
    game = open_game(path_of(next(game for game in GAMES if game.name == name)))
    return _measure(setup, game, int(match)) if part == "structure" else _meet(setup, game, first, second, int(match))


STUDY = Study("scsp", "constraint searches against uct, cfr and grave, with chance and hidden information",
              KEYS, VALUES, plan, run, report, parts=PARTS)
