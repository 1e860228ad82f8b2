#!/usr/bin/env python3
"""Decompositions of the corpus's games do not depend on how rules are written.

usage: test_structure.py --marelle PROGRAM [--sample N] [--only TEXT] [--jobs N]

Every game of data/expected-decomposition.csv that takes at most 2 CPU seconds
is decomposed as it is, rewritten in all ways of analysis/test_rewriting.py at
once (names, order, repetitions, wrapped fluents), and as gates; each time with
another seed. The counts must be the same. Games that random play explores too
thinly for that are listed in docs/results/corpus/structure-exceptions.md with the reason.
Every game costs a while, so a sample of N has N/8 games here.
"""
import csv
import json
import os
import random
import sys
import tempfile

import corpus

sys.path.insert(0, os.path.join(os.path.dirname(corpus.HERE), "analysis"))
import test_rewriting as rewriting

SECONDS, QUICK, MEGABYTES = 60, 2, 8192


def counts(marelle, path, seed):
    """The counts; None if it takes too long, a text if it fails."""
    run = corpus.Run([marelle, "decompose", path, "--json", "--seed", str(seed)], SECONDS, MEGABYTES)
    if run.status == 3 or run.cpu_seconds > SECONDS:
        return None
    return json.loads(run.out)["counts"] if run.status == 0 else run.err


def variants(marelle, path, folder):
    """(how, file) of each way to write it."""
    with open(path, encoding="utf-8", errors="replace") as file:
        rules = rewriting.parse(file.read())
    written = {"rewritten": rewriting.all_at_once(rules, random.Random(path)),
               "as gates": rewriting.as_gates(marelle, path, os.path.join(folder, "circuit.aag"))}
    for how, text in written.items():
        if text:
            changed = os.path.join(folder, how + ".kif")
            with open(changed, "w", encoding="utf-8") as file:
                file.write("\n".join(map(rewriting.write, text)))
            yield how, changed


def examine(marelle, path):
    """What is wrong, "" if nothing is; None if the game is too slow."""
    run = corpus.Run([marelle, "decompose", path, "--json", "--seed", "0"], QUICK, MEGABYTES)
    if run.status != 0 or run.cpu_seconds > QUICK:
        return None
    expected, wrong = json.loads(run.out)["counts"], []
    with tempfile.TemporaryDirectory() as folder:
        for seed, (how, changed) in enumerate(variants(marelle, path, folder), 1):
            found = counts(marelle, changed, seed)
            if not rewriting.same_counts(expected, found, how == "as gates"):
                wrong.append(f"{how}: {found} instead of {expected}")
    return "\n".join(wrong)


def main():
    options = corpus.arguments(__doc__)
    shared = corpus.shared_folder()
    with open(os.path.join(shared, "data", "expected-decomposition.csv"), encoding="utf-8") as file:
        listed = {row["file"] for row in csv.DictReader(file)}
    rows = corpus.choose([row for row in corpus.index(shared) if row["file"] in listed], options, cost=8)
    known = corpus.listed("results/corpus/structure-exceptions.md")
    tap = corpus.Tap()
    jobs = corpus.for_each(rows, lambda row: examine(options.marelle, os.path.join(shared, "corpus", row["file"])), options.jobs)
    for row, wrong in jobs:
        excuse = known.get(row["file"])
        tap.result(not wrong or excuse is not None, row["file"], wrong or "",
                   skip=f"no decomposition in {QUICK} seconds" if wrong is None else excuse if wrong else None)
    tap.finish()


if __name__ == "__main__":
    main()
