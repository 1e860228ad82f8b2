#!/usr/bin/env python3
"""Replay the recorded matches of $MARELLE_SHARED/oracle with every reasoner.

usage: test_traces.py --marelle PROGRAM [--sample N] [--only TEXT] [--jobs N]

REPO_NAME.trace.gz belongs to corpus/REPO/NAME.kif.  Differences that the
definition of GDL explains are listed in docs/results/corpus/trace-differences.md; a listed
game must still differ, else the list is out of date.  The kernels of the
machine take turns.  With --sample one version of each of N games is replayed
with every kernel but one reasoner: the scalar one, or the interpreter where no
circuit is built within five seconds.
"""
import json
import os

import corpus

REASONERS = ("interpreter", "scalar", "incremental", "sliced")
BUILD_SECONDS = 60
SAMPLE_BUILD_SECONDS = 5
MAX_SECONDS = 600
MAX_MEGABYTES = 6144


def trace_of(shared, row):
    name = os.path.splitext(row["file"])[0].replace("/", "_", 1)
    return os.path.join(shared, "oracle", name + ".trace.gz")


def kernels_of_machine(program, tap):
    """The names of the kernels that this machine has; a case for each, skipped if it is missing."""
    run = corpus.Run([program, "version", "--verbose", "--json"], 10, None)
    names = []
    for kernel in json.loads(run.out)["kernels"]:
        if kernel["available"]:
            names.append(kernel["name"])
        else:
            tap.result(True, f"kernel {kernel['name']}", skip=kernel["why"])
    return names


def main():
    options = corpus.arguments(__doc__)
    tap = corpus.Tap()
    kernels = kernels_of_machine(options.marelle, tap)
    shared = corpus.shared_folder()
    rows = [row for row in corpus.index(shared) if os.path.isfile(trace_of(shared, row))]
    rows = corpus.choose(rows, options)
    known = corpus.listed("results/corpus/trace-differences.md")
    sampled = options.sample is not None
    build = SAMPLE_BUILD_SECONDS if sampled else BUILD_SECONDS

    def replay(numbered):
        number, row = numbered
        game = os.path.join(shared, "corpus", row["file"])
        return [corpus.Run([options.marelle, "trace-check", game, trace_of(shared, row), "--json",
                            "--build-time", str(build), "--kernel", kernel,
                            "--reasoner", "auto" if sampled else "all"],
                           MAX_SECONDS, MAX_MEGABYTES)
                for kernel in (kernels if sampled else [kernels[number % len(kernels)]])]

    steps = interpreted = 0
    for (_, row), runs in corpus.for_each(list(enumerate(rows)), replay, options.jobs):
        name = row["file"]
        if name in known:
            tap.result(all(run.status in (1, 2) for run in runs),
                       f"{name} differs as docs/results/corpus/trace-differences.md says",
                       f"status {runs[0].status}; if it is 0, take it off the list\n{runs[0].err}")
            continue
        try:
            found = [json.loads(run.out) for run in runs]
        except ValueError:
            tap.result(False, name, f"status {runs[0].status}\n{runs[0].err}")
            continue
        steps += sum(each["steps"] for one in found for each in one["reasoners"].values())
        asked = set().union(*(one["reasoners"] for one in found))
        interpreted += asked == {"interpreter"}
        differences = [one["first_difference"] for one in found if not one["ok"]]
        tap.result(not differences, f"{name}: {found[0]['steps']} steps with {' '.join(sorted(asked))}",
                   json.dumps(differences[0]) if differences else "")
    names = {row["file"] for row in rows}
    for name in known if not sampled and not options.only else []:
        if name not in names:
            tap.result(False, f"{name} is listed in docs/results/corpus/trace-differences.md",
                       "there is no recorded match of it")
    tap.note(f"{steps} steps of {len(rows)} files compared; {interpreted} with the interpreter only")
    tap.finish()


if __name__ == "__main__":
    main()
