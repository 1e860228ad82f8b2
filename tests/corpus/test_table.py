#!/usr/bin/env python3
"""A table of all canonical games of the corpus that the checker passes: sizes,
CPU time and memory of grounding and building the circuit.

usage: test_table.py --marelle PROGRAM [--build DIR] [--sample N] [--only TEXT] [--jobs N]

Writes DIR/corpus-table.csv.  A game counts as built if `marelle circuit` is
done within 60 CPU seconds and 4 GB; at least 97 % must be.  Every other one
must be playable through the interpreter.  Hard games take their whole minute,
so a sample of N has N/8 games here.
"""
import csv
import json
import os

import corpus

SECONDS = 60
MEGABYTES = 4096
SHARE = 0.97
COLUMNS = ("file", "built", "cpu_seconds", "ground_cpu_seconds", "peak_mb", "roles", "fluents",
           "moves", "rules", "ands", "luts", "depth", "loops", "phases", "reason")


def passes(options, path):
    return corpus.Run([options.marelle, "check", "--quiet", path], 60, MEGABYTES).status == 0


def build(options, shared, row):
    """The row of the table; None if the checker refuses the game."""
    path = os.path.join(shared, "corpus", row["file"])
    if not passes(options, path):
        return None
    run = corpus.Run([options.marelle, "circuit", "--json", "--time", str(SECONDS), path],
                     SECONDS, MEGABYTES)
    line = {"file": row["file"], "cpu_seconds": round(run.cpu_seconds, 3),
            "peak_mb": round(run.peak_mb, 1)}
    line["built"] = int(run.status == 0 and run.cpu_seconds <= SECONDS)
    if run.status == 0:
        sizes = json.loads(run.out)
        line.update({name: sizes[name] for name in COLUMNS if name in sizes
                     and name not in ("cpu_seconds", "peak_mb", "roles", "moves")})
        line["ground_cpu_seconds"] = round(sizes["ground_cpu_seconds"], 3)
        line["peak_mb"] = round(sizes["peak_mb"], 1)  # without what this script held at the fork
        line["roles"] = len(sizes["roles"])
        line["moves"] = sum(sizes["moves"])
    else:
        line["reason"] = run.err.strip().splitlines()[-1] if run.err.strip() else f"status {run.status}"
        line["playable"] = corpus.Run(
            [options.marelle, "simulate", "--reasoner", "interpreter", "--playouts", "1", "--steps",
             "5", "--time", "60", "--quiet", path], 90, MEGABYTES).status == 0
    return line


def write_table(path, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        table.writeheader()
        table.writerows(lines)


def main():
    options = corpus.arguments(__doc__)
    shared = corpus.shared_folder()
    rows = [row for row in corpus.index(shared) if row["canonical"] == "1"]
    rows = corpus.choose(rows, options, cost=8)
    tap = corpus.Tap()
    lines = []
    for row, line in corpus.for_each(rows, lambda row: build(options, shared, row), options.jobs):
        if line is None:
            tap.result(True, row["file"], skip="the checker finds errors in it")
            continue
        lines.append(line)
        if line["built"]:
            tap.result(True, f"{row['file']}: {line['ands']} gates in {line['cpu_seconds']} s, "
                             f"{line['peak_mb']} MB")
        else:
            tap.result(line.get("playable", True), f"{row['file']} is interpreted: {line.get('reason', 'late')}",
                       "nor does the interpreter play it")
    table = os.path.join(options.build, "corpus-table.csv")
    write_table(table, lines)
    built = sum(line["built"] for line in lines)
    total = max(1, len(lines))
    cpu = sum(line["cpu_seconds"] for line in lines)
    tap.note(f"{built} of {len(lines)} games built ({100 * built / total:.1f} %) in {cpu:.0f} CPU "
             f"seconds together; table in {table}")
    if options.only is None and options.sample is None:
        tap.result(built >= SHARE * len(lines),
                   f"{100 * built / total:.1f} % of {len(lines)} games are built within {SECONDS} "
                   f"CPU seconds and {MEGABYTES >> 10} GB (at least {100 * SHARE:.0f} % must be)")
    tap.finish()


if __name__ == "__main__":
    main()
