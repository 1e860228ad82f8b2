"""The page of the study of constraint searches: the targets, and tables and plots of all kinds of jobs."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Optional

from experiments.page import Page
from experiments.plots import Plot
from experiments.scsp_games import (ABLATIONS, BELIEFS, CONSTRAINT_SEARCHES, GAMES, GRAVE, CFR, MAC, PAIRS, PLAYERS, SYM,
                                    TIER_ONE_BUDGET, TIER_ONE_MATCHES, UCT, StudyGame)
from experiments.study import Setup
from experiments.tables import Row, Summary, Table, different, ratio, wilson

Pair = tuple[str, str]


@dataclass
class Score:
    """Scores from 0 to 1, with wins, losses and Wilson's interval of their mean in per cent."""

    total: float = 0
    count: int = 0
    wins: int = 0
    losses: int = 0

    @classmethod
    def of(cls, results: Iterable[float]) -> Score:
        """The score of some matches."""
        score = cls()
        for result in results:
            score.total += result
            score.count += 1
            score.wins += result > 0.5
            score.losses += result < 0.5
        return score

    @property
    def percent(self) -> float:
        """The mean; NaN if there is no match."""
        return 100 * self.total / self.count if self.count else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return wilson(self.total / self.count, self.count) if self.count else (0.0, 0.0)

    def text(self, reported: float = 0) -> str:
        """A cell such as "62 [48, 74] 24-2-14 (70)": wins, draws and losses, and what the authors report."""
        if not self.count:
            return "-"
        low, high = self.interval
        text = (f"{self.percent:.0f} [{low:.0f}, {high:.0f}] "
                f"{self.wins}-{self.count - self.wins - self.losses}-{self.losses}")
        return text + (f" ({reported:.0f})" if reported > 0 else "")


class Runs:
    """The runs, by part and game. Where a budget is None, runs with any budget count."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._by_game: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            self._by_game.setdefault((row["part"], row["game"]), []).append(row)

    def of(self, part: str, game: str, budget: Optional[str] = None) -> list[Row]:
        """The runs of that kind on a game."""
        rows = self._by_game.get((part, game), [])
        return [row for row in rows if budget is None or row["budget"] == budget]

    def score(self, part: str, game: str, first: str, second: str, budget: Optional[str] = None) -> Score:
        """The score of the first player against the second one."""
        return Score.of(row.number("score") for row in self.of(part, game, budget)
                        if row["first"] == first and row["second"] == second)

    def budgets(self, part: str) -> list[str]:
        """The budgets of a part, in the order of their first runs."""
        return different(row["budget"] for row in self.rows if row["part"] == part)

    def group_budgets(self, group: int) -> list[str]:
        """The budgets of duels and teams in a group."""
        return different(row["budget"] for row in self.rows
                         if row["part"] in ("duel", "team") and row["group"] == str(group))

    def compare_teams(self, game: str, pair: Pair, budget: Optional[str]) -> Score:
        """Compares two teams on the same seeds: how often the first did better. Ties count half."""
        rows = self.of("team", game, budget)
        others: dict[Pair, list[float]] = {}
        for row in rows:
            if row["first"] == pair[1]:
                others.setdefault((row["match"], row["budget"]), []).append(row.number("score"))
        return Score.of(1 if own > other else 0.5 if own == other else 0
                        for row in rows if row["first"] == pair[0]
                        for own in [row.number("score")] for other in others.get((row["match"], row["budget"]), []))

    def pair_score(self, game: StudyGame, pair: Pair, budget: Optional[str] = None) -> Score:
        """The score of the first of a pair, in duels or as a team."""
        if game.part == "team":
            return self.compare_teams(game.name, pair, budget)
        return self.score("duel", game.name, *pair, budget)

    def group_mean(self, group: int, pair: Pair, budget: Optional[str] = None) -> tuple[Score, int]:
        """The mean over the games of a group that were played, and their number. All games have the same weight."""
        mean, played = Score(), 0
        for game in GAMES:
            if game.group != group or game.part == "solo":
                continue
            score = self.pair_score(game, pair, budget)
            if score.count:
                mean.total += score.total / score.count
                mean.count += score.count
                mean.wins += score.wins
                mean.losses += score.losses
                played += 1
        if played:
            mean.total *= mean.count / played
        return mean, played


# ---- what is wanted ----

# Targets for the means of groups: group, pair, target, what the authors report (0: nothing).
WANTED: tuple[tuple[int, Pair, float, float], ...] = (
    (1, (MAC, UCT), 60, 0), (2, (MAC, UCT), 65, 0), (1, (SYM, MAC), 60, 73.5), (2, (SYM, MAC), 65, 82.6),
    (4, (SYM, MAC), 60, 74.7), (1, (SYM, UCT), 70, 92.7), (1, (SYM, CFR), 70, 88.0), (1, (SYM, GRAVE), 55, 69.4),
    (2, (SYM, UCT), 70, 84.3), (2, (SYM, CFR), 70, 84.3), (2, (SYM, GRAVE), 55, 75.2), (4, (SYM, UCT), 70, 80.4),
    (4, (SYM, CFR), 70, 75.0), (4, (SYM, GRAVE), 55, 71.1))
# Targets for who plays alone.
WANTED_ALONE = (("vacuum_cleaner", 80, 74.8), ("wumpus", 60, 71.2))


def _verdict(score: Score, holds: bool) -> str:
    return "not played" if not score.count else "yes" if holds else "no"


def _score_cells(score: Score) -> tuple[str, str]:
    low, high = score.interval
    return (f"{score.percent:.1f}", f"{low:.0f} to {high:.0f}") if score.count else ("-", "-")


def _add_wanted(runs: Runs, page: Page) -> None:
    table = Table("group", "first", "second", "budget", "games", "score", "interval", "target", "reported", "holds")
    for group, pair, target, reported in WANTED:
        budgets: list[Optional[str]] = [budget for budget in runs.group_budgets(group)
                                        if runs.group_mean(group, pair, budget)[1]]
        for budget in budgets or [None]:
            mean, played = runs.group_mean(group, pair, budget)
            holds = mean.interval[0] > 50 and mean.percent >= target
            table.add(group, *pair, budget or "-", played, *_score_cells(mean), f"{target:.0f}",
                      f"{reported:.1f}" if reported > 0 else "-", _verdict(mean, holds))
    for name, target, reported in WANTED_ALONE:
        _add_wanted_alone(runs, name, target, reported, table)
    page.heading("What is wanted")
    page.prose("""Means over the games of a group that were played with the budget. A target holds if the mean reaches it
        and the interval lies above 50; of who plays alone, if the interval lies above that of baseline-uct.""")
    page.table("wanted", table)


def _add_wanted_alone(runs: Runs, name: str, target: float, reported: float, table: Table) -> None:
    """A target for a player alone, at the largest budget played."""
    played = [budget for budget in runs.budgets("solo") if runs.score("solo", name, SYM, "", budget).count]
    largest = max(played, key=lambda budget: float(budget.split()[0]), default=None)
    own = runs.score("solo", name, SYM, "", largest) if largest else Score()
    other = runs.score("solo", name, UCT, "", largest) if largest else Score()
    holds = own.percent >= target and other.count > 0 and own.interval[0] > other.interval[1]
    table.add(3, SYM, f"{name} alone", largest or "-", int(own.count > 0), *_score_cells(own), f"{target:.0f}",
              f"{reported:.1f}", _verdict(own, holds))


# ---- groups ----

def _add_group(runs: Runs, group: int, title: str, page: Page) -> None:
    pairs = [pair for pair in PAIRS if runs.group_mean(group, pair)[1]]
    page.heading(f"Group {group}: {title}")
    if not pairs:
        page.prose("Not played yet.")
        return
    table = Table("game", "budget", *(" : ".join(pair) for pair in pairs))
    plot = Plot(title, y_label="score of the first in per cent")
    for pair in pairs:
        plot.add_series(" : ".join(pair))
    for budget in runs.group_budgets(group):
        for game in GAMES:
            if game.group != group or not runs.of(game.part, game.name, budget):
                continue
            scores = [runs.pair_score(game, pair, budget) for pair in pairs]
            table.add(game.name, budget, *(score.text(game.reported[PLAYERS.index(pair[1]) - 1] if pair[0] == SYM else 0)
                                           for score, pair in zip(scores, pairs)))
            for series, score in zip(plot.series, scores):
                if score.count:
                    series.bars[f"{game.name}, {budget}"] = score.percent
        table.add("mean", budget, *(runs.group_mean(group, pair, budget)[0].text() for pair in pairs))
    page.table(f"group{group}", table)
    page.plot(f"group{group}", plot)


def _add_alone(runs: Runs, part: str, title: str, page: Page) -> None:
    """Players who play alone or in a team of their own kind."""
    table = Table("game", "budget", "best possible", *PLAYERS)
    plot = Plot(title, y_label="solved in per cent")
    for player in PLAYERS:
        plot.add_series(player)
    for game in GAMES:
        for budget in runs.budgets(part) if game.part == part else []:
            scores = [runs.score(part, game.name, player, "", budget) for player in PLAYERS]
            if not any(score.count for score in scores):
                continue
            reported = game.reported if part == "solo" else (0.0,) * len(PLAYERS)
            table.add(game.name, budget, f"{game.best:.1f}" if game.best > 0 else "-",
                      *(score.text(figure) for score, figure in zip(scores, (*reported, 0.0))))
            for series, score in zip(plot.series, scores):
                if score.count:
                    series.bars[f"{game.name}, {budget}"] = score.percent
    page.heading(title)
    if table.rows:
        page.table(part, table)
        page.plot(part, plot)
    else:
        page.prose("Not played yet.")


# ---- symmetries ----

def _add_structure(runs: Runs, page: Page) -> None:
    """The number of symmetries and their savings. The share that symmetries alone can save is bounded by the order of
    their group."""
    table = Table("game", "forbidden rows", "generators", "log10 of order", "solved", "nogoods", "hits", "Ame sym %",
                  "at most by order %", "Ame tree %", "reported %")
    for game in GAMES:
        for row in runs.of("structure", game.name)[:1]:  # the budget per move makes no difference
            solved, classes = row.number("solved"), row.number("classes")
            log_order = row.number("log10order")
            is_known = log_order < 308
            table.add(game.name, *(row[column] if is_known else "-"
                                   for column in ("forbidden", "generators", "log10order")),
                      row["solved"], row["nogoods"], f"{solved - classes:.0f}",
                      f"{100 * (1 - ratio(classes, solved)):.1f}",
                      f"{100 * (1 - 1 / 10 ** log_order):.1f}" if is_known else "-",
                      f"{100 * (1 - ratio(classes, row.number('arrivals'))):.1f}",
                      f"{game.saved:.1f}" if game.saved > 0 else "-")
    if table.rows:
        page.heading("Symmetries")
        page.prose("""Of the states that `mac-ucb` solves from the start, how many are images of others (Ame sym), how
            many arrivals at them symmetries and equal states save together (Ame tree), and what the authors report.
            Lines without a group: the turn did not become a network in time.""")
        page.table("structure", table)


# ---- sweeps ----

def _add_curve(runs: Runs, start: str, option: str, name: str, plot: Plot, table: Table) -> None:
    """A point for each player of that kind, at the share in its name."""
    series = plot.add_series(name)
    rows = [row for row in runs.rows if row["part"] == "share" and row["first"].startswith(start)
            and option in row["first"]]
    for player in different(row["first"] for row in rows):
        score = Score.of(row.number("score") for row in rows if row["first"] == player)
        share = 100 * float(player.split(option)[1].split(",")[0])
        series.add(share, score.percent)
        table.add(name, f"{share:.0f}", score.text())


def _add_shares(runs: Runs, page: Page) -> None:
    table = Table("share of", "per cent", "score")
    plot = Plot("Shares of the time", "share in per cent", "score against baseline-uct in per cent")
    _add_curve(runs, "mac-ucb:", "solving=", "solving", plot, table)
    _add_curve(runs, "mac-ucb-sym:", "symmetry=", "symmetries", plot, table)
    if table.rows:
        page.heading("Shares of the time")
        page.prose("""Of `mac-ucb`, the share for solving, the rest for pulling; of `mac-ucb-sym` with the paper's
            symmetries, the share for these, with 25 % for pulling. 1 and 99 stand for nothing and all. The authors find
            the best between 72 and 78, and between 23 and 27.""")
        page.table("shares", table)
        page.plot("shares", plot)


def _add_ablations(runs: Runs, page: Page) -> None:
    games = [game for game in GAMES if game.part != "solo" and runs.of("ablation", game.name)]
    table = Table("first : second", *(game.name for game in games))
    played = 0
    for ablation in ABLATIONS:
        scores = [runs.score("ablation", game.name, ablation.first, ablation.second) for game in games]
        table.add(ablation.what, *(score.text() for score in scores))
        played += sum(score.count for score in scores)
    if played:
        page.heading("With something left out")
        page.prose("Scores of the first.")
        page.table("ablations", table)


def _add_beliefs(runs: Runs, page: Page) -> None:
    """Compares one search with all states that explain the percepts, with a sample of them, and with the beliefs of the
    paper."""
    table = Table("game", "budget", *(belief.what for belief in BELIEFS))
    for game in GAMES:
        for budget in runs.budgets("ablation") if game.part == "solo" else []:
            scores = [runs.score("ablation" if i else "solo", game.name, belief.first, "", budget)
                      for i, belief in enumerate(BELIEFS)]
            if scores[1].count or scores[2].count:
                table.add(game.name, budget, *(score.text() for score in scores))
    if table.rows:
        page.heading("Beliefs")
        page.prose("""What `mac-ucb` solves alone with all states that explain what it saw, with a sample of 1024, and
            with the paper's beliefs, in which everything unknown is even.""")
        page.table("beliefs", table)


# ---- what there is ----

def _add_tier(runs: Runs, page: Page) -> None:
    """The progress of tier 1, game by game, so that anybody can continue it."""
    table = Table("group", "game", "planned", "played", "state", "CPU h to go")
    for game in GAMES:
        rows = runs.of(game.part, game.name)
        at_tier = [row for row in rows if row["budget"] == TIER_ONE_BUDGET]
        named = CONSTRAINT_SEARCHES if game.part == "duel" else (*CONSTRAINT_SEARCHES, UCT)
        played = sum(row["first"] in named and row.number("match") < TIER_ONE_MATCHES for row in at_tier)
        planned = TIER_ONE_MATCHES * game.named_meetings
        left = max(0, planned - played)
        seconds = (Summary(row.number("seconds") for row in at_tier) if at_tier
                   else Summary(row.number("turns") for row in rows))
        hours = seconds.mean * left / 3600
        table.add(game.group, game.name, planned, played, "complete" if not left else "partly" if played else "missing",
                  f"{hours:.1f}" if seconds.count and math.isfinite(hours) else "?")
    states = [row[4] for row in table.rows]
    all_planned, all_played = (sum(int(row[i]) for row in table.rows) for i in (2, 3))
    page.heading("What there is of tier 1")
    page.prose(f"""Tier 1 is a second of the processor a move after 20 seconds, and {TIER_ONE_MATCHES} matches of whatever
        targets name: of five pairs, or of three who play alone or as a team. {all_played} of {all_planned} matches were
        played: {states.count("complete")} of {len(GAMES)} games are complete, {states.count("partly")} partly there,
        {states.count("missing")} missing. Anybody can go on with it, for any time and with any games:""")
    page.add("    marelle experiment scsp --tier 1 --parts duel,solo,team --time 28800 --out docs/experiments/scsp "
             "[GAME...]\n\n")
    page.prose("""A match is a line of `runs.csv` as soon as it is over. How long the rest takes is judged by the
        processor seconds of the game's matches at this clock, or, while there are none, by the turns of its other
        matches, a second each.""")
    page.table("tier", table)


def _add_costs(runs: Runs, page: Page) -> None:
    table = Table("game", "budget", "seeds", "matches", "turns a match", "CPU s a match", "errors")
    for game in GAMES:
        played = [row for row in runs.rows if row["game"] == game.name and row["part"] != "structure"]
        for budget in runs.budgets(game.part):
            rows = [row for row in played if row["budget"] == budget]
            if rows:
                turns, seconds, seeds = (Summary(row.number(column) for row in rows)
                                                 for column in ("turns", "seconds", "match"))
                table.add(game.name, budget, f"{seeds.least:.0f} to {seeds.greatest:.0f}", turns.count,
                          f"{turns.mean:.0f}", f"{seconds.mean:.1f}", f"{sum(row.number('errors') for row in rows):.0f}")
    page.heading("What it took")
    page.prose("Errors are moves that were late or illegal, and were replaced.")
    page.table("costs", table)


def report(setup: Setup, rows: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    runs = Runs(rows)
    page.heading("Constraint searches against baselines", 1)
    page.prose("""Written by `marelle experiment scsp`; `runs.csv` holds every match. Scores are in per cent with Wilson's
        95 % interval and wins, draws and losses; a draw counts half, and numbers in parentheses are those that the
        authors of the method report. The budget is the processor time of one move, or its playouts.
        docs/how-it-works/searches.md says what the baselines are.""")
    _add_wanted(runs, page)
    _add_group(runs, 1, "deterministic games", page)
    _add_group(runs, 2, "dice and cards in the open", page)
    _add_alone(runs, "solo", "Group 3: alone, seeing little", page)
    _add_group(runs, 4, "several who see the same", page)
    _add_alone(runs, "team", "Teams of one kind", page)
    _add_structure(runs, page)
    _add_shares(runs, page)
    _add_ablations(runs, page)
    _add_beliefs(runs, page)
    _add_tier(runs, page)
    _add_costs(runs, page)
