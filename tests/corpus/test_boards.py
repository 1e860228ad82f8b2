#!/usr/bin/env python3
"""What `marelle show` recognises in every canonical game of the corpus.

usage: test_boards.py --marelle PROGRAM [--build DIR] [--sample N] [--only TEXT] [--jobs N]

Writes DIR/boards.csv.  A game that the reader refuses is skipped; any other
must be drawn within 60 CPU seconds and 4 GB.  In the middle of a recorded match
all kinds of pieces look different, and what the matches show to be a piece is
not the empty square (bench/board_pictures.py).  docs/how-it-works/boards.md sums the table up.
"""
import csv
import json
import os
import sys

import corpus

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "bench"))
import board_pictures  # noqa: E402

SECONDS = 60
MEGABYTES = 4096
COLUMNS = ("file", "cpu_seconds", "grids", "pieces", "others", "moves")


def grid_text(grid):
    shape = "hex " if grid["shape"] == "hexagons" else ""
    planes = f" x{len(grid['planes'])}" if grid["planes"] else ""
    return f"{shape}{grid['width']}x{grid['height']}{planes} {'+'.join(grid['fluents'])}"


def table_row(row, run):
    board = json.loads(run.out)["board"]
    return {"file": row["file"], "cpu_seconds": round(run.cpu_seconds, 2),
            "grids": "; ".join(grid_text(grid) for grid in board["grids"]),
            "pieces": "; ".join(str(len(grid["pieces"])) for grid in board["grids"]),
            "others": " ".join(f"{f['kind']}:{f['name']}" for f in board["fluents"]
                               if f["kind"] not in ("grid", "facts")),
            "moves": " ".join(f"{m['name']}:{m['axes']}" for m in board["moves"]
                              if m["axes"].strip("-"))}


def wrong(shared, row, run):
    """What is wrong with the picture, as text."""
    trace = os.path.join(shared, "oracle", row["file"].replace("/", "_").rsplit(".", 1)[0] + ".trace.gz")
    roles, matches = board_pictures.read_match(trace) if os.path.exists(trace) else ([], [])
    complaints = board_pictures.audit(json.loads(run.out), roles, matches)
    return "; ".join(one for one in complaints if not one.endswith("is only listed"))


def main():
    options = corpus.arguments(__doc__)
    shared = corpus.shared_folder()
    rows = [row for row in corpus.choose(corpus.index(shared), options) if row["canonical"] == "1"]
    tap = corpus.Tap()
    table = []

    def draw(row):
        path = os.path.join(shared, "corpus", row["file"])
        return corpus.Run([options.marelle, "show", "--json", path], SECONDS, MEGABYTES)

    for row, run in corpus.for_each(rows, draw, options.jobs):
        if run.status == 2:
            tap.result(True, row["file"], skip="the reader refuses it")
            continue
        tap.result(run.status == 0, row["file"], run.err)
        if run.status == 0:
            complaint = wrong(shared, row, run)
            tap.result(not complaint, f"{row['file']}: the picture", complaint)
            table.append(table_row(row, run))
    with open(os.path.join(options.build, "boards.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(table)
    grids = sum(1 for line in table if line["grids"])
    tap.note(f"{len(table)} games drawn, {grids} with a grid or row")
    tap.finish()


main()
