"""The list of all studies."""
from __future__ import annotations

from experiments import (compound, duels, heuristics, minutes, mobility, models, mtmcts, neat, parallel, scsp,
                         selfplay)
from experiments.study import Study

STUDIES: dict[str, Study] = {module.STUDY.name: module.STUDY for module in (
    mtmcts, compound, duels, scsp, parallel, heuristics, models, minutes, mobility, neat, selfplay)}
