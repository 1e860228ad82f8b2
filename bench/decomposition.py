#!/usr/bin/env python3
"""Compare `marelle decompose` with the decompositions of experts and with the published tables.

usage: decomposition.py --marelle PROGRAM [--shared FOLDER] [--games FOLDER] [--only TEXT] [--every N]
                        [--study auto|held-out|rules|long|stats|curve|seeds] [--keep FILE [--kept-only]]
                        [--for SECONDS] [--write FILE [--note TEXT]]

Seven studies, one after the other unless one is chosen, at most 60 CPU seconds and
10,000 playouts a game:
  auto   every game of FOLDER/data/expected-decomposition.csv (FOLDER:
         $MARELLE_SHARED, ../shared): the four counts against those of experts
  held-out
         the games of bench/held_out.csv, whose counts follow from games of the same name
         in that table or from the thesis; no method was refined on them
  rules  the 40 games of the published table, by the rules alone; the two that are
         not in FOLDER/corpus are taken from --games (games/)
  long   the same with normal forms developed to the end
  stats  the same, by the published statistical method
  curve  every game of the table by that method, after 1,000 to 10,000 playouts
  seeds  every game that took `auto` at most 2 seconds again with another seed
--keep remembers results in a file so that an interrupted run, or one ended by --for,
can go on. --write makes a page of what there is; --note says in it which builds it is of.
"""
import argparse
import csv
import hashlib
import json
import os
import resource
import subprocess
import sys
import time

KEYS = ("ad", "uad", "ai", "uai")
CPU_SECONDS = 60
TIME = 300
PLAYOUTS = 10000
QUICK = 2  # seconds: what is run again with another seed
SEEDS = (0, 1)
STUDIES = ("auto", "held-out", "rules", "long", "stats", "curve", "seeds")
HELD_OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "held_out.csv")

# What stands against the expert's row, in the order of how hard it is to argue with.
KINDS = {
    "twin": "the row of a file that differs in nothing that bears on it says otherwise",
    "source": "the thesis says otherwise in its text",
    "broken": "the description is broken",
    "reading": "the definitions as we read them, and nothing else",
}

# Why a result differs, by a part of the file's name; what is said once holds for all like it.
MANY = ("twin", "no move changes the marker, which says no more than whose turn it is; the experts count it apart in 3pffa v1 and "
        "chineseCheckers3 v1, and not in 4pffa v1 and chineseCheckers6 v1, which differ from them in the number of roles only")
WAIT = ("twin", "the marker is counted apart in 4pttc v0 and v1, which differ in who may wait only; 3pffa v1 and chineseCheckers3 v1 let "
        "the same players wait and have it apart")
STUCK = ("reading", "`terminal` looks at whose turn it is (the player in turn is stuck), so the marker is useful by definition, as the "
         "experts have it in other rows with the same rule, speedChess v0 among them")
CHECKERS = ("twin", "`terminal` looks at whose turn it is (the player in turn is stuck), so the marker is useful by definition, as the "
            "experts have it in checkers-newgoals, which differs in what may be captured and in the number of steps only")
QUAD = ("reading", "a blockade keeps the turn, so moves decide whose turn it is")
CHINESE = ("reading", "no move changes the marker, which says no more than whose turn it is, as in the games of three, where the experts "
           "count it apart; these differ in more than the number of roles")
QYSHINSU = ("reading", "who had a move depends on the board, whose turn it is on nothing; the experts keep both in the game")
# Rows left out: files of another server under the same name, of which our files are other versions.
LEFT_OUT = (("base/connect5_v0.kif", "1 0 0 0"), ("base/kalaha_2009_v0.kif", "1 0 2 1"), ("base/ticblock_v0.kif", "2 0 0 0"))

# What was judged to be a matter of reading, or broken in the file: only these rows may differ.
REASONS = {
    "stanford/chinesecheckers4": MANY, "chineseCheckers4": CHINESE, "chinesecheckers4": CHINESE, "chineseCheckers6": MANY,
    "chinesecheckers6": MANY, "stanford/chinesecheckers_": MANY, "4pffa": MANY, "4pttc": WAIT,
    "blobwars": ("reading", "no move changes the marker, which says no more than whose turn it is"),
    "checkers-cylinder": CHECKERS, "checkers-suicide": CHECKERS,
    "shogi_ctk": STUCK, "skirmishZeroSum": STUCK, "kono": STUCK,
    "dresden/skirmish_": ("twin", "`terminal` looks at whose turn it is (the player in turn is stuck), so the marker is useful by "
                          "definition, as the experts have it in skirmish2, which differs in the number of pieces and how they count"),
    "speedChess": ("twin", "`terminal` looks at whose turn it is (the player in turn is stuck), so the marker is useful by definition, as "
                   "the experts have it in v0, which says `coords` where v1 says `file` and `rank`"),
    "base/quad_5x5": ("reading", "nobody has a blockade to play, so every move passes the turn on; in quad_5x5_8_2, which differs in having "
                      "blockades only, moves do decide, and there the experts count the marker apart"),
    "quad_": QUAD,
    "amazons": ("reading", "whose turn it is and whether to move or to fire are four fluents in one cycle; the experts count two"),
    "gomoku_swap2": ("reading", "the colour that is picked decides whose turn it is, so moves decide it"),
    "qyshinsu": QYSHINSU, "Qyshinsu": QYSHINSU,
    "tictactoe-init1": ("reading", "four marks that never change are in no subgame here; the experts count two that run by themselves"),
    "slidingpieces": ("broken", "the goal names squares that do not exist (`4 2` for `y4 x2`), so no move can matter to it"),
    "clobber": ("broken", "end and goals say `(control ?p)` without `true`, which never holds: no match ends"),
    "crissrace": ("reading", "a move sets the counter and the turn back, so they depend on moves"),
    "ticTacHeavenFC": ("reading", "marks on the large boards forbid marks on the small one, so they are one game"),
    "ticTacHeaven": ("source", "the small board and the nine large ones share nothing; the thesis describes it as two games side by side, and "
                     "its result by rules is ours"),
    "factoringMutuallyAssuredDestruction": ("broken", "won boards are not remembered, so nobody can win; the thesis leaves it out"),
    "factoringGeorgeForman": ("source", "the parts share fluents and moves; the thesis names it as not decomposable and leaves it out"),
    "tritactoe": ("broken", "not valid GDL, as the file itself says: conclusions have variables that no premise binds, which engines "
                  "read differently (docs/results/corpus/trace-differences.md); such rules are refused"),
}

# Files that differ in nothing that bears on the counts, as far as the definitions know: a rule that follows from them treats
# each group alike.
TWINS = (
    ("base/speedChess_v0.kif", "base/speedChess_v1.kif"),
    ("dresden/skirmish_v0.kif", "dresden/skirmish2_v0.kif"),
    ("base/checkers-cylinder-mustjump_v0.kif", "base/checkers-cylinder-mustjump_v1.kif", "base/checkers-suicide-cylinder-mustjump_v0.kif",
     "base/checkers-suicide-cylinder-mustjump_v1.kif", "base/checkers-newgoals_v0.kif", "base/checkers-newgoals_v1.kif"),
    ("base/4pffa_v1.kif", "base/3pffa_v1.kif"),
    ("base/4pttc_v0.kif", "base/4pttc_v1.kif", "base/4pttc_v2.kif", "dresden/4pttc_v0.kif"),
    ("base/chineseCheckers3_v1.kif", "base/chineseCheckers6_v1.kif", "base/chineseCheckers6_v2.kif"),
    ("base/chineseCheckers3_v0.kif", "base/chineseCheckers6_v0.kif"),
    ("dresden/chinesecheckers3_v0.kif", "dresden/chinesecheckers6_v0.kif", "stanford/chinesecheckers_v0.kif",
     "stanford/chinesecheckers4_v0.kif"),
)

# Other readings, tried out: what is read, rows won and lost, and how that was found.
READINGS = (
    ("a fluent that no move decides ties the turn marker it depends on to the game (the published definition, to the letter)", 5, 9,
     "a changed build on the 353 descriptions within 3 CPU seconds; won: quad_5x5, qyshinsu; lost: chomp, checkers on barrel and torus, chinook"),
    ("a turn marker that `terminal` looks at and no goal does is useless", 10, 15,
     "by the labels of the same descriptions; lost: checkers, pawnToQueen, speedChess v0"),
    ("with four roles or more the turn marker belongs to the game", 14, 3,
     "by the table alone; no definition knows the number of roles, so this would be fitted; lost: 4pffa v0, 4pttc v0 and v1"),
    ("a turn marker that `terminal` looks at is useful where random matches end by it only", 0, 0,
     "10,000 matches of each of the 25 files concerned: all end so now and then, checkers (useful to the experts) in 2 of 100, "
     "checkers-cylinder-mustjump (useless to them) in 29"),
    ("the turn marker belongs to the game where a player in turn was seen to have no choice", 14, 9,
     "1,000 matches of 24 files with three roles and more; in others it may lose more; lost: 3pffa, chineseCheckers3, 4pffa v0, 4pttc v0 and v1"),
)

# The published table: result by rules (None: none in an hour), experts' counts, seconds by rules (partly developed normal
# forms) and by statistics; bounds as they stand, the time by rules where the other is said to be the same.
HOUR = 3600
PANEL = {
    "base/hex_v0.kif": (None, "1 0 2 1", HOUR, HOUR),
    "base/blockerParallel_v0.kif": (None, "2 0 0 0", HOUR, 2880),
    "dresden/asteroids_v0.kif": ("1 0 1 0", "1 0 1 0", 1, 2),
    "base/blocksWorld_v0.kif": ("1 0 1 0", "1 0 1 0", 1, 1),
    "base/eightPuzzle_v0.kif": ("1 0 1 0", "1 0 1 0", 2, 3),
    "base/roshambo2_v0.kif": ("1 0 1 0", "1 0 1 0", 1, 1),
    "base/checkers_v0.kif": ("1 0 2 1", "1 0 2 0", 720, 1680),
    "base/breakthrough_v0.kif": ("1 0 1 1", "1 0 1 1", 960, 14),
    "dresden/sheep_and_wolf_v0.kif": ("1 0 1 1", "1 0 1 1", 5, 6),
    "base/ticTacToe_v0.kif": ("1 0 1 1", "1 0 1 1", 1, 1),
    "stanford/nineboardtictactoe_v0.kif": ("1 0 1 1", "1 0 1 1", 2, 17),
    "base/tictactoex9_v0.kif": ("1 0 1 1", "1 0 1 1", 5, 11),
    "base/chomp_v0.kif": ("1 0 1 1", "1 0 1 1", 1, 2),
    "stanford/multiplehamilton_v0.kif": ("2 1 1 0", "2 1 1 0", 1, 2),
    "stanford/multiplebuttonsandlights_v0.kif": ("9 8 1 0", "9 8 1 0", 1, 1),
    "stanford/multipletictactoe_v0.kif": ("73 72 2 1", "9 8 2 1", 1, 1),
    "base/blockerSerial_v0.kif": ("2 0 0 0", "2 0 0 0", 600, 3),
    "stanford/dualrainbow_v0.kif": ("2 0 0 0", "2 0 0 0", 8, 6),
    "dresden/asteroidsparallel_v0.kif": ("2 0 1 0", "2 0 1 0", 1, 2),
    "games/blocks_world_parallel.kif": ("2 0 1 0", "2 0 1 0", 1, 1),
    "games/dual_hamilton.kif": ("2 0 1 0", "2 0 1 0", 1, 2),
    "stanford/dualhunter_v0.kif": ("2 0 1 0", "2 0 1 0", 2, 3),
    "dresden/incredible_v0.kif": ("2 0 1 0", "2 0 1 0", 1, 1),
    "dresden/asteroidsserial_v0.kif": ("2 0 2 0", "2 0 2 0", 1, 4),
    "base/blocksWorldSerial_v0.kif": ("2 0 2 0", "2 0 2 0", 1, 1),
    "stanford/jointbuttonsandlights_v0.kif": ("3 0 1 0", "3 0 1 0", 1, 1),
    "base/lightsOnParallel_v0.kif": ("4 0 1 0", "4 0 1 0", 1, 1),
    "base/lightsOnSimul4_v0.kif": ("4 0 1 0", "4 0 1 0", 1, 3),
    "base/lightsOnSimultaneous_v0.kif": ("4 0 1 0", "4 0 1 0", 1, 3),
    "base/nim3_v0.kif": ("4 0 1 0", "4 0 1 0", 2, 2),
    "stanford/chinook_v0.kif": ("2 0 4 2", "2 0 4 2", 14, 21),
    "base/double_tictactoe_dengji_v0.kif": ("2 0 1 1", "2 0 1 1", 1, 1),
    "base/snakeParallel_v0.kif": ("2 0 1 1", "2 0 1 0", 2, 7),
    "base/ticTacToeParallel_v0.kif": ("2 0 1 1", "2 0 1 1", 2, 2),
    "base/doubletictactoe_v0.kif": ("2 0 2 2", "2 0 2 2", 1, 1),
    "base/ticTacHeaven_v0.kif": ("2 0 2 2", "1 0 2 2", 2, 17),
    "base/ticTacToeSerial_v0.kif": ("2 0 2 2", "2 0 2 2", 1, 1),
    "base/connectFourSimultaneous_v0.kif": ("2 0 2 2", "2 0 2 2", 1, 2),
    "base/dualConnect4_v0.kif": ("2 0 2 2", "2 0 2 2", 1, 2),
    "stanford/dualconnectfour_v0.kif": ("2 0 2 2", "2 0 2 2", 1, 2),
}


# ---- running ----

def limit_cpu():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))


def digest_of(answer):
    """Of the partition itself: which fluents are together, and whether moves matter to them."""
    parts = sorted((s["label"], sorted(s["fluents"])) for s in answer["subgames"])
    return hashlib.sha1(json.dumps(parts).encode()).hexdigest()[:16]


def decompose(marelle, path, method, seed):
    """A result as it is kept: counts or "", CPU seconds, a note, the partition's digest."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    how = {"long": ["rules", "--dnf", "long"], "curve": ["stats", "--attempts"], "held-out": ["auto"]}.get(method, [method])
    run = subprocess.run(
        [marelle, "decompose", path, "--json", "--method", *how, "--playouts", str(PLAYOUTS), "--time", str(TIME),
         "--seed", str(seed)],
        capture_output=True, text=True, preexec_fn=limit_cpu)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if run.returncode != 0:
        return dict(counts="", cpu=cpu, note=run.stderr.strip()[:200] or "no result in time", digest="")
    answer = json.loads(run.stdout)
    counts_of = lambda of: " ".join(str(of["counts"][k]) for k in KEYS)
    note = f"confidence {answer['confidence']:.2f}"
    if method == "curve":
        note = ";".join(f"{a['playouts']}:{counts_of(a)}" for a in answer.get("attempts", []))
    if method in ("rules", "long"):
        note += "".join(f";{step} {seconds:.3f}" for step, seconds in answer["steps"].items() if seconds)
    return dict(counts=counts_of(answer), cpu=cpu, note=note, digest=digest_of(answer))


def load(path):
    """By method, seed and file."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {(r[0], int(r[1]), r[2]): dict(counts=r[3], cpu=float(r[4]), note=r[5], digest=r[6]) for r in csv.reader(file)}


def path_of(options, file):
    if file.startswith("games/"):
        return os.path.join(options.games, file[len("games/"):])
    return os.path.join(options.shared, "corpus", file)


def held_out():
    with open(HELD_OUT, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def files_of(study, listed, kept):
    if study in ("rules", "long", "stats"):
        return list(PANEL)
    if study == "held-out":
        return [g["file"] for g in held_out()]
    if study == "curve":
        return list(dict.fromkeys(g["file"] for g in listed))
    if study == "auto":
        return list(dict.fromkeys([g["file"] for g in listed] + list(PANEL)))
    return [f for (m, s, f), r in kept.items() if m == "auto" and s == SEEDS[0] and r["cpu"] <= QUICK and r["counts"]]


def run_study(options, study, listed, kept, ends):
    """False if time ran out."""
    method, seed = ("auto", SEEDS[1]) if study == "seeds" else (study, SEEDS[0])
    files = [f for f in files_of(study, listed, kept) if options.only in f]
    files.sort(key=lambda f: os.path.getsize(path_of(options, f)))  # short descriptions are quick
    for file in files[:: options.every]:
        if (method, seed, file) in kept:
            continue
        if ends and time.monotonic() > ends:
            return False
        result = kept[method, seed, file] = decompose(options.marelle, path_of(options, file), method, seed)
        if options.keep:
            with open(options.keep, "a", encoding="utf-8") as out:
                csv.writer(out).writerow([method, seed, file, result["counts"], f"{result['cpu']:.3f}", result["note"],
                                          result["digest"]])
    return True


# ---- comparing ----

def verdict(expected, found):
    if not found:
        return "none"
    if found == expected:
        return "right"
    if int(found.split()[0]) > int(expected.split()[0]):
        return "over"
    return "under" if int(found.split()[0]) < int(expected.split()[0]) else "labels"


def reason_for(file, result):
    """What kind of reason, and which."""
    for part, reason in REASONS.items():
        if part in file:
            return reason
    return "", "not understood yet" if result["counts"] else result["note"]


VERDICTS = {"right": "right", "over": "over-decomposed", "under": "under-decomposed",
            "labels": "subgames right, the rest not", "none": "no result"}


def compare(listed, kept):
    rows = []
    for g in listed:
        result = kept.get(("auto", SEEDS[0], g["file"]))
        if not result:
            continue
        expected = " ".join(g[k] for k in KEYS)
        if (g["file"], expected) in LEFT_OUT:
            continue
        kind, reason = reason_for(g["file"], result)
        rows.append(dict(file=g["file"], expected=expected, found=result["counts"], cpu=result["cpu"],
                         verdict=verdict(expected, result["counts"]), kind=kind, reason=reason))
    return rows


def percent(part, whole):
    return f"{100 * part / max(1, whole):.1f} %"


# ---- the page ----

def write_summary(out, rows, listed, kept, note):
    times = sorted({r["file"]: r["cpu"] for r in rows}.values())
    share = lambda limit: percent(sum(t <= limit for t in times), len(times))
    wrong = [r for r in rows if r["verdict"] != "right"]
    argued = sum(r["kind"] != "" for r in wrong)
    over = sum(r["verdict"] == "over" for r in rows)
    out.write(f"""# Decompositions against experts and against the published tables

Made by `bench/decomposition.py --marelle build/marelle --shared ../shared --write docs/results/decomposition-by-game.md`
(at most {CPU_SECONDS} CPU seconds and {PLAYOUTS} playouts per game). Do not edit.{note and chr(10) + note}

## Experts

A game is right if all four counts are: action-dependent subgames (useless ones among them), action-independent ones (useless
ones among them). It is over- or under-decomposed if there are too many or too few action-dependent subgames.

| `--method auto` | games |
|---|---|
| listed | {len(listed)} |
| run | {len(rows)} |
""")
    for key, name in VERDICTS.items():
        count = sum(r["verdict"] == key for r in rows)
        out.write(f"| {name} | {count} ({percent(count, len(rows))}) |\n")
    played = sum(r["found"].split(" ")[0] == r["expected"].split(" ")[0] for r in rows)
    out.write(f"""
The measure, and what was found ({len(LEFT_OUT)} rows of other versions of a file are left out):

| measure | wanted | found |
|---|---|---|
| action-dependent subgames right | at least 98.5 % of the rows | {played} of {len(rows)} ({percent(played, len(rows))}) |
| over-decomposed | at most 0.5 % | {over} ({percent(over, len(rows))}) |
| all four counts right, or on the accepted list | every row | {len(rows) - len(wrong) + argued} of {len(rows)} |

The authors of the statistical method had 533 of 597 games right within an hour each.

CPU seconds: {share(1)} of the descriptions within 1, {share(5)} within 5, {share(60)} within 60; half of them within
{times[len(times) // 2]:.2f}.
""")


def most_alike(listed, groups):
    """The most rows that can be right if all rows of a group of files get the same counts."""
    group_of = {file: i for i, group in enumerate(groups) for file in group}
    expected = {}
    for g in listed:
        rows = expected.setdefault(group_of.get(g["file"], g["file"]), {})
        counts = " ".join(g[k] for k in KEYS)
        rows[counts] = rows.get(counts, 0) + 1
    return sum(max(rows.values()) for rows in expected.values())


def write_limits(out, rows, listed):
    wrong = [r for r in rows if r["verdict"] != "right"]
    same, alike = most_alike(listed, ()), most_alike(listed, TWINS)
    broken = sum(r["kind"] == "broken" for r in wrong)
    out.write("""
## What stands against the rows that differ

| against the expert's row | rows |
|---|---|
""")
    for kind, meaning in KINDS.items():
        out.write(f"| {meaning} | {sum(r['kind'] == kind for r in wrong)} |\n")
    out.write(f"""
A rule that gives the same counts for the same file gets {same} of {len(listed)} rows at most. One that also gives the same counts for
{len(TWINS)} groups of files that differ in nothing the definitions know (`TWINS` in the script) gets {alike} ({percent(alike, len(listed))}); with {broken}
broken descriptions left aside {alike - broken} ({percent(alike - broken, len(listed))}). 95 % would be {-(-95 * len(listed) // 100)}.
""")
    if READINGS:
        out.write("\nOther readings were tried out; none is used:\n\n| reading | rows won | rows lost | remarks |\n|---|---|---|---|\n")
        for reading, won, lost, remarks in READINGS:
            out.write(f"| {reading} | {won} | {lost} | {remarks} |\n")


def write_differences(out, rows):
    out.write("\n## Every difference\n\n| games | expected | auto | kind | why |\n|---|---|---|---|---|\n")
    groups = {}
    for r in rows:
        if r["verdict"] != "right":
            groups.setdefault((r["kind"], r["reason"], r["expected"], r["found"] or "none"), []).append(r["file"])
    for (kind, reason, expected, found), files in groups.items():
        counted = [f + (f" ({files.count(f)} rows)" if files.count(f) > 1 else "") for f in dict.fromkeys(files)]
        out.write(f"| {', '.join(counted)} | {expected} | {found} | {kind} | {reason} |\n")


def cell(kept, method, file):
    r = kept.get((method, SEEDS[0], file))
    if not r:
        return "", None
    return (r["counts"] or "none") + (" *" if r["note"].startswith("confidence 0.00") else ""), r["cpu"]


def write_panel(out, kept):
    ran = [f for f in PANEL if ("rules", SEEDS[0], f) in kept]
    same = sum(cell(kept, "rules", f)[0].rstrip(" *") in PANEL[f][:2] for f in ran)
    like_experts = lambda m: sum(cell(kept, m, f)[0] == PANEL[f][1] for f in PANEL)
    tenfold = lambda m, k: sum(10 * cell(kept, m, f)[1] <= PANEL[f][k] for f in PANEL if cell(kept, m, f)[0] not in ("", "none"))
    count = lambda m: sum((m, SEEDS[0], f) in kept for f in PANEL)
    out.write(f"""
## The published table of 40 games

*Published*: by rules (R) and the experts' counts, which the statistical method (S) met; seconds on an Intel Core i7, 2.7 GHz, as bounds:
1 stands for "less than a second", 3600 for "not in an hour". *Ours*: counts, and CPU seconds of the whole program, reading and
grounding included. A star says that the method itself declares its result unreliable. Two games that are not at hand are
taken from games/.

By rules {same} of {len(ran)} games come out as published or as the experts have them. The experts are met by rules in {like_experts("rules")}
of {count("rules")} games, by statistics in {like_experts("stats")} of {count("stats")}, by `auto` in {like_experts("auto")} of {count("auto")}. At least ten times faster than published: by rules
{tenfold("rules", 2)} of {count("rules")}, by statistics {tenfold("stats", 3)} of {count("stats")}, `auto` against the published statistical method {tenfold("auto", 3)} of {count("auto")}.

| game | R published | experts | rules | stats | auto | R s | rules s | S s | stats s | auto s | S / auto |
|---|---|---|---|---|---|---|---|---|---|---|---|
""")
    for file, (by_rules, experts, r_seconds, s_seconds) in PANEL.items():
        rules, rules_cpu = cell(kept, "rules", file)
        stats, stats_cpu = cell(kept, "stats", file)
        auto, auto_cpu = cell(kept, "auto", file)
        seconds = lambda s: "" if s is None else f"{s:.2f}"
        ratio = "" if auto_cpu is None else f"{s_seconds / max(auto_cpu, 0.01):.0f}"
        out.write(f"| {file} | {by_rules or 'none'} | {experts} | {rules} | {stats} | {auto} | {r_seconds} | {seconds(rules_cpu)} "
                  f"| {s_seconds} | {seconds(stats_cpu)} | {seconds(auto_cpu)} | {ratio} |\n")


# Seconds by rules with forms developed to the end, as published; in the order of PANEL.
LONG_SECONDS = (HOUR, HOUR, 1, 1, 2, 1, HOUR, 960, HOUR, 1, HOUR, HOUR, 1, 1, 1, 10, 1200, 60, 1, 1, 1, 2, 1, 1, 1, 1, 480, 480,
                480, 2, 14, HOUR, HOUR, HOUR, HOUR, HOUR, HOUR, HOUR, HOUR, HOUR)


def write_forms(out, kept):
    ran = [f for f in PANEL if ("long", SEEDS[0], f) in kept and ("rules", SEEDS[0], f) in kept]
    if not ran:
        return
    right = lambda m: sum(cell(kept, m, f)[0] == PANEL[f][1] for f in ran)
    none = lambda m: sum(cell(kept, m, f)[0] == "none" for f in ran)
    out.write(f"""
## Normal forms with and without the predicates of the rules

*DNF* keeps predicates of the rules as literals, *DNFD* develops them, too. Published: seconds as bounds, as above. Of {len(ran)}
games the experts are met in {right("rules")} with DNF and in {right("long")} with DNFD; {none("rules")} and {none("long")} have no result.

| game | experts | DNF | DNFD | DNF published | s | DNFD published | s | forms, s |
|---|---|---|---|---|---|---|---|---|
""")
    for (file, (_, experts, seconds, _)), bound in zip(PANEL.items(), LONG_SECONDS, strict=True):
        if file not in ran:
            continue
        (short, short_cpu), (full, full_cpu) = (cell(kept, m, file) for m in ("rules", "long"))
        forms = dict(part.split(" ") for part in kept["long", SEEDS[0], file]["note"].split(";")[1:])
        out.write(f"| {file} | {experts} | {short} | {full} | {seconds} | {short_cpu:.2f} | {bound} | {full_cpu:.2f} "
                  f"| {forms.get('forms', '')} |\n")


def write_curve(out, kept, listed):
    rows = [(g, kept["curve", SEEDS[0], g["file"]]) for g in listed if ("curve", SEEDS[0], g["file"]) in kept
            and (g["file"], " ".join(g[k] for k in KEYS)) not in LEFT_OUT]
    if not rows:
        return
    out.write(f"""
## The statistical method by playouts

{len(rows)} rows. A method that ended before its last attempt counts with the last one it made. The authors had 87.3 % of 597 games
right after 1,000 playouts and 89.3 % after 10,000.

| playouts | right | over-decomposed | under-decomposed | no result |
|---|---|---|---|---|
""")
    for playouts in range(1000, PLAYOUTS + 1, 1000):
        verdicts = []
        for g, result in rows:
            attempts = [part.split(":") for part in result["note"].split(";")] if result["counts"] else []
            found = [counts for after, counts in attempts if int(after) <= playouts]
            verdicts.append(verdict(" ".join(g[k] for k in KEYS), found[-1] if found else ""))
        share = lambda v: percent(verdicts.count(v), len(rows))
        out.write(f"| {playouts} | {share('right')} | {share('over')} | {share('under')} | {share('none')} |\n")


def write_held_out(out, kept):
    rows = [(g, kept["held-out", SEEDS[0], g["file"]]) for g in held_out() if ("held-out", SEEDS[0], g["file"]) in kept]
    if not rows:
        return
    judged = [(g, " ".join(g[k] for k in KEYS), r["counts"]) for g, r in rows]
    verdicts = [verdict(expected, found) for _, expected, found in judged]
    played = sum(found.split(" ")[0] == expected.split(" ")[0] for _, expected, found in judged)
    out.write(f"""
## Games that were held out

{len(rows)} of the {len(held_out())} games of `bench/held_out.csv`, whose counts are those of a game of the same name in the table above, or
of the thesis: other authors' versions, and the games of this project. Action-dependent subgames are right in {played}
({percent(played, len(rows))}), {verdicts.count("over")} are over-decomposed ({percent(verdicts.count("over"), len(rows))}), all four counts are right in {verdicts.count("right")}
({percent(verdicts.count("right"), len(rows))}).

| game | counts of | expected | auto |
|---|---|---|---|
""")
    for (g, expected, found), is_right in zip(judged, verdicts):
        if is_right != "right":
            out.write(f"| {g['file']} | {g['as']} | {expected} | {found or 'none'} |\n")


def write_seeds(out, kept):
    pairs = [(f, r, kept["auto", SEEDS[0], f]) for (m, s, f), r in kept.items() if m == "auto" and s == SEEDS[1]
             and ("auto", SEEDS[0], f) in kept]
    if not pairs:
        return
    counts = [f for f, a, b in pairs if a["counts"] != b["counts"]]
    parts = [f for f, a, b in pairs if a["digest"] != b["digest"]]
    out.write(f"""
## Two seeds

{len(pairs)} descriptions that `auto` decomposes in at most {QUICK} CPU seconds were decomposed again with another seed. The four counts are the
same for {len(pairs) - len(counts)} ({percent(len(pairs) - len(counts), len(pairs))}); the very partition of the fluents
is the same for {len(pairs) - len(parts)} ({percent(len(pairs) - len(parts), len(pairs))}).
""")
    if counts:
        out.write(f"\nCounts differ: {', '.join(counts)}.\n")
    others = [f for f in parts if f not in counts]
    if others:
        out.write(f"\nOnly the partition differs: {', '.join(others)}.\n")


def write_page(path, rows, listed, kept, note):
    with open(path, "w", encoding="utf-8") as out:
        write_summary(out, rows, listed, kept, note)
        write_held_out(out, kept)
        write_panel(out, kept)
        write_forms(out, kept)
        write_curve(out, kept, listed)
        write_seeds(out, kept)
        write_limits(out, rows, listed)
        write_differences(out, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", required=True)
    parser.add_argument("--shared", default=os.environ.get("MARELLE_SHARED", "../shared"))
    parser.add_argument("--games", default=os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "games"))
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--study", choices=STUDIES)
    parser.add_argument("--for", dest="seconds", type=float, help="end after so many seconds; needs --keep to go on")
    parser.add_argument("--write")
    parser.add_argument("--note", default="")
    parser.add_argument("--keep")
    parser.add_argument("--kept-only", action="store_true", help="run nothing; use what --keep has")
    options = parser.parse_args()
    table = os.path.join(options.shared, "data", "expected-decomposition.csv")
    if not os.path.exists(table):
        print(f"skipped: {table} is not there")
        return 0
    with open(table, encoding="utf-8") as file:
        listed = list(csv.DictReader(file))
    kept = load(options.keep)
    ends = time.monotonic() + options.seconds if options.seconds else None
    for study in [options.study] if options.study else STUDIES:
        if not options.kept_only and not run_study(options, study, listed, kept, ends):
            print("not done yet")
            break
    rows = compare(listed, kept)
    for row in rows:
        if row["verdict"] != "right":
            print(f"{row['verdict']:6} {row['file']}: {row['expected']} expected, {row['found'] or 'none'} found, {row['cpu']:.2f} s")
    right = sum(r["verdict"] == "right" for r in rows)
    print(f"{right} of {len(rows)} right ({percent(right, len(rows))}), {sum(r['verdict'] == 'over' for r in rows)} over-decomposed")
    if options.write:
        write_page(options.write, rows, listed, kept, options.note)
    return 0


if __name__ == "__main__":
    sys.exit(main())
