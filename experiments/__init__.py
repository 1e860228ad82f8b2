"""Studies that anyone can run again: `python3 -m experiments STUDY`. docs/experiments.md is their manual.

A study plans jobs (a game, a method, a seed ...), runs one job at a time through the library, and makes a page from
all that was measured. What a job measured is a line of FOLDER/runs.csv before the next one begins, so that a study
that is interrupted, killed or out of time goes on where it was.
"""
from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent  # the source tree, or the installed folder share/marelle

if (ROOT / "python" / "marelle").is_dir():
    sys.path.insert(0, str(ROOT / "python"))  # the library of this tree, whatever else is installed
