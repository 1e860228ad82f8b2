"""The study of games with several roles that consist of several games: `auto` and `trees` against plain UCT, with equal
CPU time or equal playouts per move. Each match is a job, and matches are planned in rounds over all games, so that an
interrupted study has played every game."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from experiments.duel import Limit, play
from experiments.games import open_game
from experiments.page import Page
from experiments.study import Key, Setup, Study, StudyError
from experiments.tables import Row, Summary, Table, short_name

KEYS = ("game", "method", "limit", "match")
VALUES = ("goal", "other_goal", "playouts", "other_playouts")
PARTS = ("auto", "start", "trees", "playouts")

MATCHES, QUICK_MATCHES, PLAYOUTS = 200, 2, 100
MOVE_SECONDS, QUICK_SECONDS = 0.02, 0.001
START = 10.0  # time before the first move, in moves
LONG_START_SECONDS, QUICK_START_SECONDS = 2.0, 0.02  # for matches in which `auto` has time to try out what to play
LIMIT = 1.96  # the 97.5 % quantile of the standard normal distribution

OWN_GAMES = ("nim", "nim_misere", "dual_hamilton", "dual_connect_four", "multiple_tic_tac_toe", "double_tic_tac_toe",
             "double_tic_tac_toe_free", "tic_tac_toe_parallel", "tic_tac_toe_serial")
# Games with one tree per subgame: asynchronous, synchronous and serial games, and games in which each role plays its own.
TREE_GAMES = ("double_tic_tac_toe_free", "double_tic_tac_toe", "tic_tac_toe_serial", "tic_tac_toe_parallel",
              "dual_hamilton")
# Games in which `auto` has several candidates to choose from; in the others it knows what to play.
START_GAMES = ("tic_tac_toe_parallel", "dual_hamilton", "multiple_tic_tac_toe", "tic_tac_heaven", "row_pairs")
QUICK_GAMES = ("nim", "dual_hamilton")


def plan(setup: Setup) -> Iterator[Key]:
    """A limit is "0.02 s", "0.02 s after 2 s" or "100 playouts"."""
    seconds = setup.clock or (QUICK_SECONDS if setup.quick else MOVE_SECONDS)
    start = QUICK_START_SECONDS if setup.quick else LONG_START_SECONDS
    for part, games, method, limit in (
            ("playouts", TREE_GAMES, "trees", f"{setup.playouts or PLAYOUTS} playouts"),
            ("trees", TREE_GAMES, "trees", f"{seconds:g} s"),
            ("auto", OWN_GAMES, "auto", f"{seconds:g} s"),
            ("start", START_GAMES, "auto", f"{seconds:g} s after {start:g} s")):
        if setup.wants(part):
            for match in setup.seed_range(MATCHES, QUICK_MATCHES):
                for game in setup.choose_games(games, QUICK_GAMES):
                    yield game, method, limit, str(match)


def run(setup: Setup, key: Key) -> list[object]:
    """Plays a match. UCT with a limit on playouts runs them one by one, so that each uses the tree of all earlier
    ones."""
    name, method, limit, match = key
    words = limit.split()  # "0.02 s", "0.02 s after 2 s" or "100 playouts"
    if words[1] == "playouts":
        plain, allowed = "uct:batch=1,leaf=1", Limit(playouts=int(words[0]))
    else:
        seconds = float(words[0])
        plain, allowed = "uct", Limit(seconds, start_seconds=float(words[3]) if len(words) > 2 else START * seconds)
    try:
        sides = play(open_game(name), (method, plain), int(match), allowed)
    except StudyError as error:
        raise StudyError(f"{name}: {error}") from None
    return [*(f"{side.goal:.4g}" for side in sides), *(f"{side.playouts_per_move:.0f}" for side in sides)]


# ---- the page ----

class Duel:
    """All matches of a game, method and limit."""

    def __init__(self, matches: Sequence[Row]) -> None:
        leads = [row.number("goal") - row.number("other_goal") for row in matches]
        self.matches = len(matches)
        self.wins, self.losses = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
        self.lead, self.squares = sum(leads), sum(lead * lead for lead in leads)
        self.goals, self.other_goals, self.playouts, self.other_playouts = (
            Summary(row.number(column) for row in matches)
            for column in ("goal", "other_goal", "playouts", "other_playouts"))

    @property
    def verdict(self) -> str:
        """Decides by the sum of the goal differences, divided by the root of the sum of their squares. If goals are 0,
        50 and 100, this is the sign test over the matches that somebody won. Seats need not be equal, because each side
        has each seat equally often, up to one match. One won match is deducted, because a few matches do not follow a
        normal distribution."""
        one = math.sqrt(self.squares / max(1, self.wins + self.losses))
        limit = LIMIT * math.sqrt(self.squares) + one
        return "stronger" if self.lead > limit else "weaker" if self.lead < -limit else "even"


def _add_method(runs: Sequence[Row], method: str, name: str, page: Page) -> None:
    table = Table("game", "a move", "matches", "won", "drawn", "lost", "goals", "playouts a move", "it is")
    matches: dict[tuple[str, str], list[Row]] = {}
    for row in runs:
        if row["method"] == method:
            matches.setdefault((row["game"], row["limit"]), []).append(row)
    for (game, limit), rows in matches.items():
        duel = Duel(rows)
        table.add(short_name(game), limit, duel.matches, duel.wins, duel.matches - duel.wins - duel.losses,
                  duel.losses, f"{duel.goals.mean:.1f} : {duel.other_goals.mean:.1f}",
                  f"{duel.playouts.mean:.0f} : {duel.other_playouts.mean:.0f}", duel.verdict)
    if table.rows:
        verdicts = [row[-1] for row in table.rows]
        page.heading(f"`{method}` against plain UCT")
        page.prose(f"""Significantly stronger in {verdicts.count("stronger")} of {len(verdicts)} rows, weaker in
            {verdicts.count("weaker")}.""")
        page.table(name, table)


def report(setup: Setup, runs: Sequence[Row], page: Page) -> None:
    """Writes the page."""
    page.heading("Games of several roles that are made of others", 1)
    page.prose(f"""Written by `marelle experiment duels`; `runs.csv` holds every match. Seats change after every match.
        With three players or more plain UCT has all seats but one. Unless a row says something else, both have the same
        CPU time per move and {START:g} times as much before the first, or the same number of playouts per move and
        nothing before. The higher goal wins a match. Where UCT has several seats, its goal is their mean. A result is
        significant at 95 % by the differences of goals: their sum, less one match, over the root of the sum of their
        squares. That is a sign test where goals are 0, 50 and 100.""")
    _add_method(runs, "auto", "duels", page)
    _add_method(runs, "trees", "trees", page)


STUDY = Study("duels", "games of several roles made of others: auto and trees against plain UCT",
              KEYS, VALUES, plan, run, report, parts=PARTS)
