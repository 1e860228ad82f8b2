#!/usr/bin/env python3
"""How long machine code takes to generate, and how large it is, over the corpus.

usage: bench/code.py [--marelle PROGRAM] [--kernel NAME] [--sample N] [--seconds S]

For one version of each of N games of $MARELLE_SHARED/corpus (all without --sample) that get a
circuit within S CPU seconds: CPU time of generating the code of random play and of questions about
one state, beside that of grounding, and the bytes of that code. Prints the share of games in which
the code takes at most a tenth of grounding or 0.2 s, the games in which it takes more, and the
largest codes. Status 1 if the share is below 95 %.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tests", "corpus"))
import corpus  # pylint: disable=wrong-import-position

MOST_MEGABYTES = 6144
SHARE = 0.95


def measure(options, path):
    """(grounding seconds, code seconds, bytes of code), or None without a circuit in time."""
    run = corpus.Run([options.marelle, "bench", path, "--code", "--kernel", options.kernel, "--json",
                      "--quiet"], options.seconds, MOST_MEGABYTES)
    try:
        found = json.loads(run.out)
    except ValueError:
        return None
    turn, one = found["kernels"][0], found["one_state"]
    return (found["grounding_cpu_seconds"], turn["code_cpu_seconds"] + one["code_cpu_seconds"],
            turn["code_bytes"] * turn["phases"] + one["code_bytes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--marelle", default="build/marelle")
    parser.add_argument("--kernel", default="avx2")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    shared = corpus.shared_folder()
    rows = corpus.choose(corpus.index(shared), options)
    results, without = [], 0
    paths = [os.path.join(shared, "corpus", row["file"]) for row in rows]
    for path, result in corpus.for_each(paths, lambda path: measure(options, path), options.jobs):
        if result:
            results.append((os.path.basename(path), *result))
        else:
            without += 1
    late = [r for r in results if r[2] > max(0.2, 0.1 * r[1])]
    share = 1 - len(late) / max(1, len(results))
    print(f"{len(results)} games with a circuit, {without} without; kernel {options.kernel}")
    print(f"code within a tenth of grounding or 0.2 CPU s: {100 * share:.1f} %")
    print("\n| game | grounding, CPU s | code, CPU s | code, MB |\n|---|---:|---:|---:|")
    largest = sorted(results, key=lambda r: -r[3])[:5]
    for name, grounding, code, size in late + [r for r in largest if r not in late]:
        print(f"| {name} | {grounding:.2f} | {code:.3f} | {size / 1e6:.2f} |")
    return 0 if share >= SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
