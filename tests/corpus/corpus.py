"""What the tests on the corpus of $MARELLE_SHARED share: which files there are,
a sample of them, running the program with limits in parallel, TAP.

A sample takes different games (one version of each) in an order that depends
on their names alone, so that the same N always means the same files and a
larger N adds to them.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import os
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def arguments(description, **more):
    """The options of all of them, and more texts by name with their explanations."""
    parser = argparse.ArgumentParser(description=description)
    for name, explanation in more.items():
        parser.add_argument(f"--{name}", help=explanation)
    parser.add_argument("--marelle", required=True, help="the program")
    parser.add_argument("--build", default="build", help="folder for tables")
    parser.add_argument("--sample", type=int, metavar="N", help="N different games only")
    parser.add_argument("--only", metavar="TEXT", help="files whose name contains the text")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default 2)")
    return parser.parse_args()


def shared_folder():
    """The folder of test material; says skipped and ends the test without one."""
    folder = os.environ.get("MARELLE_SHARED", "")
    if not os.path.isdir(os.path.join(folder, "corpus")):
        print("1..0 # SKIP no corpus: MARELLE_SHARED names no folder with one")
        sys.exit(0)
    return folder


def index(shared):
    """The rows of index.csv, one for each file that is there."""
    seen, rows = set(), []
    with open(os.path.join(shared, "corpus", "index.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            path = os.path.join(shared, "corpus", row["file"])
            if row["file"] not in seen and os.path.isfile(path):
                seen.add(row["file"])
                rows.append(row)
    return rows


def game_of(row):
    """Games of one name are versions of one game, whoever keeps them."""
    return row["name"].lower()


def choose(rows, options, cost=1):
    """The files to test, by name. A sample of N is of N / cost games where each costs that much."""
    if options.only:
        rows = [row for row in rows if options.only in row["file"]]
    rows = sorted(rows, key=lambda row: row["file"])
    if options.sample is None:
        return rows
    first = {}
    for row in rows:
        first.setdefault(game_of(row), row)
    order = sorted(first, key=lambda name: hashlib.sha256(name.encode()).digest())
    return [first[name] for name in sorted(order[: -(-options.sample // cost)])]


class Run:
    """What a run of the program left: status (negative: the signal), output, its cost.
    No megabytes: no limit on addresses, of which sanitizers reserve many."""

    def __init__(self, command, seconds, megabytes):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 10))
            if megabytes:
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

        started = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, preexec_fn=limit) as child:
            with concurrent.futures.ThreadPoolExecutor(2) as readers:
                out, err = readers.submit(child.stdout.read), readers.submit(child.stderr.read)
                out, err = out.result(), err.result()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.status = child.returncode
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss / 1024
        self.wall_seconds = time.monotonic() - started


class Tap:
    """One line a test, as results come in, and the plan at the end."""

    def __init__(self):
        self.count = self.failed = 0

    def result(self, ok, name, details="", skip=None):
        self.count += 1
        self.failed += not ok
        line = f"{'ok' if ok else 'not ok'} {self.count} - {name}"
        print(line + (f" # SKIP {skip}" if skip else ""))
        for detail in details.splitlines() if not ok else []:
            print("#   " + detail[:500])
        sys.stdout.flush()

    def note(self, text):
        print("# " + text)
        sys.stdout.flush()

    def finish(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def for_each(items, job, jobs):
    """(item, job(item)) in the order of the items, a few at a time."""
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(job, item) for item in items]
        for item, future in zip(items, futures):
            yield item, future.result()


def listed(document):
    """{name: reason} of the table rows `| \\`name\\` | reason |` in docs/DOCUMENT."""
    names = {}
    try:
        with open(os.path.join(ROOT, "docs", document), encoding="utf-8") as file:
            for line in file:
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                if len(cells) >= 2 and cells[0].startswith("`") and cells[0].endswith("`"):
                    names[cells[0].strip("`")] = cells[-1]
    except FileNotFoundError:
        pass
    return names
