"""The games, players and meetings of the study of constraint searches, with the figures that the authors of the method
report (Piette et al. 2016)."""
from __future__ import annotations

from dataclasses import dataclass

# Kinds of jobs: matches between two players; of one player alone; of teams of one kind; against `baseline-uct` with
# other shares of the time; against itself with a rule left out; and measurements of symmetries. "baseline" is used only
# in the plan: matches among baselines, which no target names, are recorded as duels, solos or teams.
PARTS = ("duel", "solo", "team", "share", "ablation", "structure", "baseline")

SYM, MAC, UCT, CFR, GRAVE, CHANCE = PLAYERS = ("mac-ucb-sym", "mac-ucb", "baseline-uct", "baseline-cfr",
                                               "baseline-grave", "random")
PAIRS = ((SYM, MAC), (SYM, UCT), (SYM, CFR), (SYM, GRAVE), (MAC, UCT), (GRAVE, UCT), (GRAVE, CFR), (UCT, CHANCE))
CONSTRAINT_SEARCHES = (SYM, MAC)
NAMED_PAIRS = tuple(pair for pair in PAIRS if pair[0] in CONSTRAINT_SEARCHES)  # targets name only these
NAMED_PLAYERS = (SYM, MAC, UCT)  # targets name only these, alone or in a team

TIER_ONE_MATCHES, TIER_ONE_BUDGET = 100, "1 CPU s"


@dataclass(frozen=True)
class Ablation:
    """Two versions of one search that differ in one rule. Without a second side: beliefs of who plays alone."""

    first: str
    second: str
    what: str


ABLATIONS = (
    Ablation("mac-ucb-sym", "mac-ucb-sym:nogoods=1", "symmetries of the rules : the paper's"),
    Ablation("mac-ucb", "mac-ucb:network=1", "the reasoner : the network"),
    Ablation("mac-ucb", "mac-ucb:unpruned=1", "nogoods : none"),
    Ablation("mac-ucb", "mac-ucb:paranoid=1", "each for itself : all against one"),
    Ablation("mac-ucb", "mac-ucb:tree=1", "equal states are one : are several"),
)
BELIEFS = (Ablation("mac-ucb", "", "exact"), Ablation("mac-ucb:sampled=1", "", "a sample"),
           Ablation("mac-ucb:halves=1", "", "the paper's"))  # the usual ones first


@dataclass(frozen=True)
class StudyGame:
    """A game with the figures reported: the share of the tree that symmetries save; and the percentage of matches that
    mac-ucb-sym wins against mac-ucb, uct, cfr and grave, or in group 3 the percentage that each of the five solves
    alone. Games of group 1 are files of the corpus."""

    group: int
    part: str
    name: str
    saved: float  # 0: not reported
    reported: tuple[float, ...]
    best: float = 0  # highest possible percentage, if it is known
    is_named: bool = False  # true if tier 2 plays it
    is_swept: bool = False  # true if shares are varied and rules left out on it
    is_quick: bool = False  # true for one game of each kind of job

    @property
    def named_meetings(self) -> int:
        """Number of pairs, or of players alone or in a team, that targets name."""
        return len(NAMED_PAIRS if self.part == "duel" else NAMED_PLAYERS)


GAMES = (
    StudyGame(1, "duel", "amazonsTorus_10x10", 84.5, (81, 96, 95, 76)),
    StudyGame(1, "duel", "battlebrushes", 77.01, (46, 76, 56, 53)),
    StudyGame(1, "duel", "breakthroughSuicide", 84.54, (92, 93, 95, 58), is_named=True, is_swept=True),
    StudyGame(1, "duel", "chess", 83.97, (77, 94, 90, 86)),
    StudyGame(1, "duel", "connectFourLarger", 91.02, (86, 98, 96, 62), is_named=True, is_swept=True),
    StudyGame(1, "duel", "connectFourSimultaneous", 65.16, (74, 89, 64, 74)),
    StudyGame(1, "duel", "copolymer_4_pie", 70.24, (74, 87, 88, 80)),
    StudyGame(1, "duel", "dotsAndBoxesSuicide", 59.68, (63, 96, 95, 80)),
    StudyGame(1, "duel", "englishDraughts", 82.6, (84, 98, 98, 66)),
    StudyGame(1, "duel", "2pffa", 19.35, (52, 84, 82, 59)),
    StudyGame(1, "duel", "hex", 71.18, (84, 100, 100, 72)),
    StudyGame(1, "duel", "knightThrough", 71.35, (81, 97, 95, 80)),
    StudyGame(1, "duel", "majorities", 75.85, (83, 97, 94, 80)),
    StudyGame(1, "duel", "pentago", 15.97, (52, 84, 73, 70), is_swept=True),
    StudyGame(1, "duel", "quarto", 12.28, (53, 86, 71, 64)),
    StudyGame(1, "duel", "shmup", 33.33, (56, 86, 76, 53)),
    StudyGame(1, "duel", "skirmishZeroSum", 83.02, (84, 98, 99, 79)),
    StudyGame(1, "duel", "2pttc", 76.64, (95, 98, 94, 74), is_swept=True),
    StudyGame(1, "duel", "ttcc4_2player", 86.61, (82, 97, 98, 60)),
    StudyGame(1, "duel", "reversiSuicide", 61.36, (71, 100, 100, 62), is_named=True),
    StudyGame(2, "duel", "backgammon", 88.4, (91.2, 98.7, 94.1, 68)),
    StudyGame(2, "duel", "cant_stop", 89.06, (88.5, 93.5, 88.5, 92), is_named=True),
    StudyGame(2, "duel", "kaeseklau", 58.68, (72.1, 69.4, 78.4, 67), is_swept=True),
    StudyGame(2, "duel", "pickomino", 84.5, (74.6, 73.7, 71.1, 86.4), is_named=True),
    StudyGame(2, "duel", "yahtzee", 91.48, (86.7, 86.4, 89.4, 62.4)),
    StudyGame(3, "solo", "guess_dice", 0, (15.6, 15, 15.7, 16, 16.5), 100 / 6, is_named=True),
    StudyGame(3, "solo", "mastermind", 0, (63.9, 67.8, 53.8, 68.1, 60.1), 100 * 43 / 64, is_named=True,
              is_swept=True),
    StudyGame(3, "solo", "monty_hall", 0, (65.1, 65.2, 62.5, 63.1, 64.3), 200 / 3, is_named=True, is_quick=True),
    StudyGame(3, "solo", "vacuum_cleaner", 83.79, (74.8, 61.5, 34, 46, 58.8), 83.94, is_named=True),
    StudyGame(3, "solo", "wumpus", 78.95, (71.2, 32.1, 40.1, 44.1, 51.2), 86.2, is_named=True, is_swept=True),
    StudyGame(4, "duel", "pacman", 20.63, (62.3, 61.2, 64.2, 60.4), is_swept=True, is_quick=True),
    StudyGame(4, "team", "schnappt_hubi", 94.1, (79.3, 84.4, 76.2, 74.7)),
    StudyGame(4, "team", "sheep_and_wolf", 61, (84.1, 90.2, 74.3, 73.2), is_quick=True),
    StudyGame(4, "duel", "latent_tic_tac_toe", 79.23, (84.5, 95.1, 91.7, 84.6), is_named=True),
    StudyGame(4, "duel", "war", 56.8, (63.2, 71.3, 68.4, 62.4), is_named=True),
)
