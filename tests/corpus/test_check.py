#!/usr/bin/env python3
"""`marelle check` on every file of the corpus.

usage: test_check.py --marelle PROGRAM [--sample N] [--only TEXT] [--jobs N]

It never crashes and never takes long; files that malformed.csv lists get a
diagnostic; canonical games that neither malformed.csv nor suspect.csv lists
get no error.  Those that earn one all the same are listed in
docs/results/corpus/check-exceptions.md with the reason.
"""
import csv
import json
import os

import corpus

SECONDS = 60
MEGABYTES = 2048


def listed_files(shared, name):
    with open(os.path.join(shared, "corpus", name), encoding="utf-8") as file:
        return {row["file"] for row in csv.DictReader(file)}


def verdict(row, run, malformed, suspect, known):
    """None if all is well, else what is wrong."""
    if run.status not in (0, 1):
        return f"status {run.status}\n{run.err}"
    try:
        report = json.loads(run.out)
    except ValueError:
        return "no JSON: " + run.out[:200]
    errors = [f"{d['line']}:{d['col']} {d['code']}: {d['message']}" for d in report["diagnostics"]
              if d["severity"] == "error"]
    if (run.status == 1) != bool(errors) or report["ok"] == bool(errors):
        return "status, ok and errors do not fit together"
    if row["file"] in known:
        return None if errors else "it has no error any more: take it off docs/results/corpus/check-exceptions.md"
    if row["file"] in malformed and not report["diagnostics"]:
        return "malformed.csv lists it, and nothing is reported"
    if row["canonical"] == "1" and row["file"] not in malformed | suspect and errors:
        return "\n".join(errors[:5])
    return None


def main():
    options = corpus.arguments(__doc__)
    shared = corpus.shared_folder()
    malformed = listed_files(shared, "malformed.csv")
    suspect = listed_files(shared, "suspect.csv")
    known = corpus.listed("results/corpus/check-exceptions.md")
    rows = corpus.choose(corpus.index(shared), options)
    tap = corpus.Tap()

    def check(row):
        return corpus.Run([options.marelle, "check", "--json",
                           os.path.join(shared, "corpus", row["file"])], SECONDS, MEGABYTES)

    for row, run in corpus.for_each(rows, check, options.jobs):
        problem = verdict(row, run, malformed, suspect, known)
        tap.result(problem is None, row["file"], problem or "")
    tap.finish()


if __name__ == "__main__":
    main()
