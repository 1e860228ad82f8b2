"""Planning by answer sets: clingo is asked for a line of 1, 2, 3 ... turns to the greatest goal."""
from __future__ import annotations

import resource
import shutil
import subprocess
from dataclasses import dataclass

from experiments.study import StudyError

FOUND, FOUND_ALL, NONE, UNKNOWN, INTERRUPTED = 10, 30, 20, 0, 1  # exit statuses of clingo
MAX_TURNS = 1000


@dataclass(frozen=True)
class AspPlan:
    """What clingo found."""

    is_solved: bool
    turns: int
    cpu_seconds: float


def is_installed() -> bool:
    """True if there is clingo."""
    return shutil.which("clingo") is not None


def _cpu_seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def solve(program: str, greatest_goal: int, cpu_seconds: float) -> AspPlan:
    """Runs clingo once for each number of turns, on what `Game.write("plan")` wrote."""
    started, spent = _cpu_seconds_of_children(), 0.0
    for turns in range(1, MAX_TURNS + 1):
        command = ["clingo", "-c", f"aux_turns={turns}", "-c", f"aux_best={greatest_goal}",
                   f"--time-limit={cpu_seconds - spent + 1:.0f}"]
        status = subprocess.run(command, input=program, text=True, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, check=False).returncode
        spent = _cpu_seconds_of_children() - started
        if status in (FOUND, FOUND_ALL):
            return AspPlan(True, turns, spent)
        if status not in (NONE, UNKNOWN, INTERRUPTED):
            raise StudyError(f"clingo ended with status {status}")
        if status != NONE or spent >= cpu_seconds:
            return AspPlan(False, turns, spent)
    return AspPlan(False, MAX_TURNS, spent)
