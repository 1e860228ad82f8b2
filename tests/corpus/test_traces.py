#!/usr/bin/env python3
"""Replay the recorded matches of $MARELLE_SHARED/oracle with every reasoner.

usage: test_traces.py --marelle PROGRAM [--sample N] [--only TEXT] [--jobs N]

REPO_NAME.trace.gz belongs to corpus/REPO/NAME.kif.  Differences that the
definition of GDL explains are listed in docs/results/corpus/trace-differences.md; a listed
game must still differ, else the list is out of date.  With --sample one
version of each of N games is replayed with one reasoner: the scalar one, or
the interpreter where no circuit is built within five seconds.
"""
import json
import os

import corpus

REASONERS = ("interpreter", "scalar", "incremental", "sliced")
BUILD_SECONDS = 60
SAMPLE_BUILD_SECONDS = 5
MOST_SECONDS = 600
MOST_MEGABYTES = 6144


def trace_of(shared, row):
    name = os.path.splitext(row["file"])[0].replace("/", "_", 1)
    return os.path.join(shared, "oracle", name + ".trace.gz")


def main():
    options = corpus.arguments(__doc__)
    shared = corpus.shared_folder()
    rows = [row for row in corpus.index(shared) if os.path.isfile(trace_of(shared, row))]
    rows = corpus.choose(rows, options)
    known = corpus.listed("results/corpus/trace-differences.md")
    sampled = options.sample is not None
    build = SAMPLE_BUILD_SECONDS if sampled else BUILD_SECONDS

    def replay(row):
        game = os.path.join(shared, "corpus", row["file"])
        return corpus.Run([options.marelle, "trace-check", game, trace_of(shared, row), "--json",
                           "--build-time", str(build),
                           "--reasoner", "auto" if sampled else "all"],
                          MOST_SECONDS, MOST_MEGABYTES)

    tap = corpus.Tap()
    steps = interpreted = 0
    for row, run in corpus.for_each(rows, replay, options.jobs):
        name = row["file"]
        if name in known:
            tap.result(run.status in (1, 2), f"{name} differs as docs/results/corpus/trace-differences.md says",
                       f"status {run.status}; if it is 0, take it off the list\n{run.err}")
            continue
        try:
            found = json.loads(run.out)
        except ValueError:
            tap.result(False, name, f"status {run.status}\n{run.err}")
            continue
        steps += sum(each["steps"] for each in found["reasoners"].values())
        interpreted += set(found["reasoners"]) == {"interpreter"}
        asked = " ".join(found["reasoners"])
        difference = found["first_difference"]
        tap.result(found["ok"], f"{name}: {found['steps']} steps with {asked}",
                   json.dumps(difference) if difference else run.err)
    names = {row["file"] for row in rows}
    for name in known if not sampled and not options.only else []:
        if name not in names:
            tap.result(False, f"{name} is listed in docs/results/corpus/trace-differences.md",
                       "there is no recorded match of it")
    tap.note(f"{steps} steps of {len(rows)} files compared; {interpreted} with the interpreter only")
    tap.finish()


if __name__ == "__main__":
    main()
