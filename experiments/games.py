"""Games by name: the files of games/, or any file."""
from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Optional

from marelle import Game, RulesError

from experiments import ROOT
from experiments.study import StudyError


def folders() -> list[Path]:
    """Where games are looked for: $MARELLE_GAMES, the games of this tree, and the installed ones."""
    chosen = os.environ.get("MARELLE_GAMES")
    return ([Path(chosen)] if chosen else []) + [ROOT / "games", Path("/usr/local/share/marelle/games"),
                                                 Path("/usr/share/marelle/games")]


def names() -> list[str]:
    """The names of all games that can be given without a path."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.kif")})


def path_of(name: str) -> Path:
    """The file of a game."""
    if Path(name).is_file():
        return Path(name)
    for folder in folders():
        path = folder / f"{name}.kif"
        if path.is_file():
            return path
    raise StudyError(f"there is no file and no game `{name}`")


@lru_cache(maxsize=1)
def open_game(name: str, kernel: Optional[str] = None) -> Game:
    """The game of that name, which is kept until another one is asked for. The kernel is what evaluates its gates."""
    try:
        return Game.from_file(path_of(name), kernel=kernel)
    except RulesError as error:
        raise StudyError(f"{name}: {error}") from None
