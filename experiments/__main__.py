"""python3 -m experiments [STUDY [GAME...]]: runs a study again, with tables and plots in a folder."""
from __future__ import annotations

import argparse
import difflib
import json
import math
import sys
from pathlib import Path
from typing import Optional

if not __package__:  # run as a folder: python3 share/marelle/experiments
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from experiments.runner import Counts, complain, run_study  # noqa: E402
from experiments.studies import STUDIES  # noqa: E402
from experiments.study import Setup, Study, StudyError  # noqa: E402

DONE, USAGE, INCOMPLETE, INTERRUPTED = 0, 2, 3, 130  # exit statuses

# Measurements that are no studies: they have one table, and a script that makes it.
MEASURED_ELSEWHERE = {"speed": "bench/table.py", "strength": "bench/strength.py"}


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not (number > 0 and math.isfinite(number)):
        raise ValueError
    return number


def read_options(arguments: Optional[list[str]] = None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m experiments", allow_abbrev=False,
        description="Runs the jobs of a study and writes what they measured to FOLDER/runs.csv as they end, then tables "
                    "(Markdown and CSV) and plots (SVG) of all of it. Interrupted or out of --time, the same command goes "
                    "on where it was; exit status 3 while jobs are missing. Without a study it lists them.")
    parser.add_argument("study", nargs="?", metavar="STUDY")
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to study in place of the study's own")
    add = parser.add_argument
    add("--out", metavar="FOLDER", help="where runs, tables and plots go (default experiment-STUDY)")
    add("--quick", action="store_true", help="few seeds on easy games: seconds, not hours")
    add("--seeds", type=_positive, default=0, metavar="N", help="seeds, from --seed on (default: as the study likes)")
    add("--seed", type=_natural, default=0, metavar="N", help="the first seed (default 0)")
    add("--tier", type=int, choices=(1, 2, 3), default=1, help="how thorough: hours, a night, days (default 1)")
    add("--clock", type=_seconds, default=0, metavar="S",
        help="seconds a move in matches (default: by the study and tier)")
    add("--parts", metavar="NAME,...", help="kinds of jobs, of studies that have several (default: all)")
    add("--playouts", type=_positive, default=0, metavar="N",
        help="playouts of a job or a move at most (default: as the study likes)")
    add("--time", type=_seconds, default=math.inf, metavar="S", help="begin no job after so many seconds")
    add("--workers", type=_positive, default=1, metavar="N", help="processes that share the jobs (default 1)")
    add("--quiet", action="store_true", help="no progress on the terminal")
    add("--json", action="store_true", help="print a JSON object in place of sentences")
    return parser.parse_intermixed_args(arguments)


def find_study(name: str) -> Study:
    """The study of that name; raises StudyError."""
    if name in STUDIES:
        return STUDIES[name]
    if name in MEASURED_ELSEWHERE:
        raise StudyError(f"`{name}` is measured by the script {MEASURED_ELSEWHERE[name]}")
    near = difflib.get_close_matches(name, STUDIES, 1)
    raise StudyError(f"there is no study `{name}`; " +
                     (f"did you mean `{near[0]}`?" if near else "without a name they are listed"))


def make_setup(study: Study, options: argparse.Namespace) -> Setup:
    """What the user asks of the study; raises StudyError."""
    parts = tuple(options.parts.split(",")) if options.parts is not None else ()
    for part in parts:
        if part not in study.parts:
            raise StudyError(f"the study `{study.name}` has no part `{part}`; its parts: "
                             f"{', '.join(study.parts) or 'none'}")
    if study.is_by_the_clock and options.workers > 1:
        raise StudyError(f"the study `{study.name}` measures by the clock, so its jobs run one at a time")
    return Setup(folder=Path(options.out or f"experiment-{study.name}"), quick=options.quick, tier=options.tier,
                 seeds=options.seeds, first_seed=options.seed, playouts=options.playouts, clock=options.clock,
                 games=tuple(options.games), parts=parts)


def list_studies(as_json: bool) -> None:
    """Prints all studies."""
    if as_json:
        print(json.dumps({"studies": [{"study": s.name, "summary": s.summary} for s in STUDIES.values()]}))
    else:
        for study in STUDIES.values():
            print(f"{study.name:12} {study.summary}")


def say_how_far(study: Study, setup: Setup, counts: Counts, as_json: bool) -> None:
    """Prints what was done."""
    if as_json:
        print(json.dumps({"study": study.name, "folder": str(setup.folder), "planned": counts.planned,
                          "done": counts.done, "ran": counts.ran, "complete": counts.is_complete}))
        return
    print(f"{study.name}: {counts.done} of {counts.planned} runs done, {counts.ran} of them now; "
          f"see {setup.folder}/README.md")
    if not counts.is_complete:
        print("The same command goes on with the others.")


def main(arguments: Optional[list[str]] = None) -> int:
    """Returns the exit status."""
    options = read_options(arguments)
    if options.study is None:
        list_studies(options.json)
        return DONE
    try:
        study = find_study(options.study)
        setup = make_setup(study, options)
        counts = run_study(study, setup, seconds=options.time, workers=options.workers, is_quiet=options.quiet)
    except StudyError as error:
        complain(str(error))
        if options.json:
            print(json.dumps({"status": USAGE, "errors": [str(error)]}))
        return USAGE
    say_how_far(study, setup, counts, options.json)
    if counts.was_interrupted:
        return INTERRUPTED
    return DONE if counts.is_complete and not counts.failed else INCOMPLETE


if __name__ == "__main__":
    sys.exit(main())
