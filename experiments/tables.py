"""Rows that were measured, tables to be shown, and means."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


class Row(dict[str, str]):
    """Cells by the names of their columns."""

    def number(self, column: str) -> float:
        """The cell as a number; NaN if it is none."""
        try:
            return float(self[column])
        except ValueError:
            return math.nan

    def count(self, column: str) -> int:
        """The cell as a whole number; 0 if it is none."""
        value = self.number(column)
        return int(value) if math.isfinite(value) else 0


def csv_line(cells: Iterable[str]) -> str:
    """A line of a CSV file.

    >>> csv_line(["a", "1,5", 'say "so"'])
    'a,"1,5","say ""so\"""\\n'
    """
    return ",".join('"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',"\r\n') else cell
                    for cell in cells) + "\n"


class Table:
    """A table of texts under named columns.

    >>> table = Table("game", "wins")
    >>> table.add("nim", 12)
    >>> print(table.markdown(), end="")
    | game | wins |
    |---|---:|
    | nim | 12 |
    """

    def __init__(self, *columns: str) -> None:
        self.columns = columns
        self.rows: list[list[str]] = []

    def add(self, *cells: object) -> None:
        """Adds a row. Cells that are not given are empty."""
        if len(cells) > len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        self.rows.append([str(cell) for cell in cells] + [""] * (len(self.columns) - len(cells)))

    def csv(self) -> str:
        """The table as a CSV file."""
        return "".join(csv_line(row) for row in [self.columns, *self.rows])

    def _is_numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows]
        return (all(cell in ("", "-") or cell[0] in "0123456789.+-" for cell in cells)
                and any(cell[:1].isdigit() for cell in cells))

    def markdown(self) -> str:
        """The table in Markdown, with numbers to the right."""
        rule = "|" + "".join("---:|" if self._is_numeric(i) else "---|" for i in range(len(self.columns))) + "\n"
        return _markdown_line(self.columns) + rule + "".join(map(_markdown_line, self.rows))


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


class Summary:
    """Mean and standard deviation of numbers that come one by one (Welford 1962)."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.count = 0
        self.mean = 0.0
        self.least = self.greatest = 0.0
        self._squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """Takes another number into account."""
        distance = value - self.mean
        self.least = min(self.least, value) if self.count else value
        self.greatest = max(self.greatest, value) if self.count else value
        self.count += 1
        self.mean += distance / self.count
        self._squares += distance * (value - self.mean)

    @property
    def deviation(self) -> float:
        """Standard deviation of the sample; 0 for fewer than two numbers."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.deviation / math.sqrt(self.count) if self.count else 0.0

    def text(self, decimals: int) -> str:
        """Mean and standard deviation.

        >>> Summary([1, 2]).text(1)
        '1.5 ± 0.7'
        """
        if self.count == 0:
            return "-"
        mean = f"{self.mean:.{decimals}f}"
        return mean if self.count == 1 else f"{mean} ± {self.deviation:.{decimals}f}"


def ratio(over: float, under: float) -> float:
    """A quotient as floating point has it: infinite or NaN where there is no number.

    >>> ratio(3, 2), ratio(1, 0), ratio(0, 0)
    (1.5, inf, nan)
    """
    if under:
        return over / under
    return math.nan if not over or math.isnan(over) else math.copysign(math.inf, over)


def different(values: Iterable[str]) -> list[str]:
    """Each value once, in the order of first appearance."""
    return list(dict.fromkeys(values))


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in per cent."""
    z = 1.959964  # the 97.5 % quantile of the normal distribution
    if count <= 0:
        return 0.0, 100.0
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0, (middle - half) / scale) * 100, min(1, (middle + half) / scale) * 100


def short_name(game: str) -> str:
    """The last component of a game's path."""
    return game.rsplit("/", 1)[-1]
