"""The page of a study: Markdown, with its tables as CSV and its plots as SVG beside it."""
from __future__ import annotations

import os
from pathlib import Path

from experiments.plots import Plot
from experiments.tables import Table

WIDTH = 120


def save(path: Path, text: str) -> None:
    """Writes a file in one piece: who reads it meanwhile sees the one before."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def wrap(page: str) -> str:
    """Wraps long lines of prose, but not tables, headings, pictures or code. A line has at most WIDTH bytes."""
    lines: list[bytes] = []
    for line in page.encode().splitlines():
        while len(line) > WIDTH and line[:1] not in (b"|", b"#", b"!", b" "):
            cut = line.rfind(b" ", 1, WIDTH + 1)
            if cut < 0:
                break
            lines.append(line[:cut])
            line = line[cut + 1:]
        lines.append(line)
    return "".join(line.decode() + "\n" for line in lines)


class Page:
    """What a report writes to, piece after piece."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lacks_plots = False  # true if a plot was not drawn, for want of matplotlib
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        """Adds text as it is."""
        self._pieces.append(text)

    def heading(self, title: str, level: int = 2) -> None:
        """Adds a heading."""
        self.add("#" * level + f" {title}\n\n")

    def prose(self, text: str) -> None:
        """Adds a paragraph, whose lines are broken anew."""
        self.add(" ".join(text.split()) + "\n\n")

    def table(self, name: str, table: Table) -> None:
        """Adds the table, which is also saved as NAME.csv."""
        save(self.folder / f"{name}.csv", table.csv())
        self.add(table.markdown() + "\n")

    def plot(self, name: str, plot: Plot) -> None:
        """Saves the plot as NAME.svg and adds it. Without matplotlib a plot from earlier stays."""
        path = self.folder / f"{name}.svg"
        self.lacks_plots |= not plot.save(path)
        if path.exists():
            self.add(f"![{plot.title}]({path.name})\n\n")

    def text(self) -> str:
        """The whole page."""
        return wrap("".join(self._pieces))
