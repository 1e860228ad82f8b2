#!/usr/bin/env python3
"""How fast random matches are played, beside what other engines were measured to do.

usage: bench/table.py --marelle PROGRAM [--seconds S] [--json FILE] [--tap] [--only TEXT]

Prints the table in Markdown, per CPU second on one thread from the initial
state, our figures measured now (one run of S seconds each).  Games come from
$MARELLE_SHARED/corpus; what is not there is left out with a note.  With --tap
each figure that must be reached is one test.
"""
import argparse
import json
import os
import platform
import subprocess
import sys

# The peers' figures and the ones to reach are those that were measured on
# the machine of the project: reference prover (Prover of GGP base), the thesis's engine with 64
# lanes, the best open GDL propnet, OpenSpiel's hand-written C++, compiled Regular Boardgames, the
# best hand-optimised C++.  None: not measured.
PEERS = ("reference prover", "thesis, 64 lanes", "open propnet", "OpenSpiel", "Regular Boardgames",
         "hand-optimised")
K, M = 1e3, 1e6
PLAYOUTS = "playouts_per_cpu_second"
MOVES = "moves_per_cpu_second"
ROWS = (
    # name, file, reasoner, what is counted, peers, must, aim
    ("ticTacToe", "base/ticTacToe_v0.kif", "sliced", PLAYOUTS,
     (746, 413 * K, 338 * K, 870 * K, 2.2 * M, None), 100 * M, 300 * M),
    ("connectFour", "base/connectFour_v0.kif", "sliced", PLAYOUTS,
     (74, 49 * K, 102 * K, 155 * K, 881 * K, 5.4 * M), 7 * M, 25 * M),
    ("breakthrough", "base/breakthrough_v0.kif", "sliced", PLAYOUTS,
     (9.7, 1.7 * K, 21 * K, 18 * K, 33 * K, 126 * K), 300 * K, 1.5 * M),
    ("reversi", "base/reversi_v0.kif", "sliced", PLAYOUTS,
     (None, 1.8 * K, 550, 4.9 * K, 17.5 * K, 177 * K), 180 * K, 600 * K),
    ("hex", "base/hex_v0.kif", "sliced", PLAYOUTS,
     (3.2, 93, 950, 15.8 * K, 38 * K, None), 5 * K, 40 * K),
    ("checkers", "base/checkers_v0.kif", "sliced", PLAYOUTS,
     (1.8, 52, 6 * K, 5 * K, 51 * K, 247 * K), 30 * K, 150 * K),
    # chess_200 is not in the corpus; chess of the same collection stands in for it.
    ("chess (for chess_200)", "base/chess_v0.kif", "sliced", PLAYOUTS,
     (0.17, None, 860, 580, 707, None), 3 * K, 20 * K),
    ("amazons_8x8", "base/amazons_8x8_v0.kif", "sliced", PLAYOUTS,
     (2.8, None, 5.6 * K, 13 * K, 18 * K, None), 10 * K, 60 * K),
    ("incredible", "base/incredible_v0.kif", "sliced", PLAYOUTS,
     (219, 42 * K, 155 * K, None, None, None), 5 * M, 20 * M),
    ("one state, moves: ticTacToe", "base/ticTacToe_v0.kif", "scalar|incremental", MOVES,
     (5.7 * K, None, 2.6 * M, 6.6 * M, 14.5 * M, None), 5 * M, 20 * M),
    ("one state, moves: breakthrough", "base/breakthrough_v0.kif", "scalar|incremental", MOVES,
     (640, None, 1.36 * M, 1.2 * M, 2.1 * M, 8.1 * M), 2 * M, 8 * M),
    ("interpreter, moves: ticTacToe", "base/ticTacToe_v0.kif", "interpreter", MOVES,
     (5.7 * K, None, None, None, None, None), 5.7 * K, 57 * K),
    ("interpreter, moves: connectFour", "base/connectFour_v0.kif", "interpreter", MOVES,
     (1650, None, None, None, None, None), 1650, 16.5 * K),
    ("interpreter, moves: breakthrough", "base/breakthrough_v0.kif", "interpreter", MOVES,
     (640, None, None, None, None, None), 640, 6.4 * K),
)


def short(figure):
    if figure is None:
        return "–"
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if figure >= unit:
            return f"{figure / unit:.3g}{name}"
    return f"{figure:.3g}"


def machine():
    """Processor and number of CPUs, for the heading."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next(line.split(":", 1)[1].strip() for line in file
                        if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}"


def measure(marelle, path, reasoner, seconds):
    """The best of the reasoners' reports; None with the reason if none can play it."""
    best, reason = None, ""
    for name in reasoner.split("|"):
        run = subprocess.run([marelle, "bench", path, "--reasoner", name, "--seconds", str(seconds),
                              "--quiet", "--json"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            reason = run.stderr.strip() or f"status {run.returncode}"
            continue
        report = json.loads(run.stdout)
        if best is None or report[MOVES] > best[MOVES]:
            best = report
    return best, reason


def measure_all(options, corpus):
    rows = []
    for name, file, reasoner, counted, peers, must, aim in ROWS:
        if options.only and options.only not in name:
            continue
        path = os.path.join(corpus, file)
        row = {"name": name, "file": file, "counted": counted, "must": must, "aim": aim,
               "peers": dict(zip(PEERS, peers)), "marelle": None, "note": ""}
        rows.append(row)
        if not os.path.isfile(path):
            row["note"] = "not in the corpus"
            continue
        report, row["note"] = measure(options.marelle, path, reasoner, options.seconds)
        if report:
            row.update(marelle=report[counted], reasoner=report["reasoner"],
                       kernel=report["kernel"], lanes=report["lanes"], gates=report["gates"],
                       working_set_bytes=report["working_set_bytes"],
                       build_cpu_seconds=report["build_cpu_seconds"], note="")
    return rows


def print_markdown(rows):
    print(f"Per CPU second, one thread. Our figures on {machine()}.\n")
    print("| game | " + " | ".join(PEERS) + " | must | aim | **marelle** | build, CPU s |")
    print("|---" * (len(PEERS) + 5) + "|")
    for row in rows:
        cells = [row["name"]] + [short(row["peers"][peer]) for peer in PEERS]
        cells += [short(row["must"]), short(row["aim"])]
        if row["marelle"] is None:
            cells += [row["note"], "–"]
        else:
            cells += [f"**{short(row['marelle'])}**", f"{row['build_cpu_seconds']:.2f}"]
        print("| " + " | ".join(cells) + " |")


def print_tap(rows):
    failed = 0
    print(f"1..{len(rows)}")
    for number, row in enumerate(rows, 1):
        if row["marelle"] is None and (row["must"] is None or row["note"] == "not in the corpus"):
            print(f"ok {number} - {row['name']} # SKIP {row['note']}")
            continue
        ok = row["must"] is None or (row["marelle"] or 0) >= row["must"]
        failed += not ok
        print(f"{'ok' if ok else 'not ok'} {number} - {row['name']}: {short(row['marelle'])}, "
              f"must be {short(row['must'])}, aim {short(row['aim'])}")
        if not ok:
            print(f"#   {row['note'] or machine()}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle", help="the program")
    parser.add_argument("--seconds", type=float, default=3, help="of each run (default 3)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    parser.add_argument("--tap", action="store_true", help="print tests, the table as a comment")
    parser.add_argument("--only", metavar="TEXT", help="rows whose name contains the text")
    options, _ = parser.parse_known_args()  # ./test bench hands its arguments to every benchmark
    corpus = os.path.join(os.environ.get("MARELLE_SHARED", ""), "corpus")
    if not os.path.isdir(corpus):
        print("1..0 # SKIP no corpus: MARELLE_SHARED names no folder with one" if options.tap
              else "MARELLE_SHARED names no folder with the corpus")
        return 0
    rows = measure_all(options, corpus)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine(), "seconds": options.seconds, "rows": rows}, file, indent=1)
    if not options.tap:
        print_markdown(rows)
        return 0
    return 1 if print_tap(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
