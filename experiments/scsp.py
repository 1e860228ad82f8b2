"""The study of constraint searches against baselines that never change, on deterministic games, games with dice, games
for one player with hidden information, and games of several players who see the same. Seats change from match to match.
All teams play on the same seeds, and so do all players who play alone."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

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


STUDY = Study("scsp", "constraint searches against uct, cfr and grave, with chance and hidden information",
              KEYS, VALUES, plan, report, parts=PARTS)
