"""Plots as SVG, by matplotlib: points over a numeric axis, or bars over names."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_SERIES = 8
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#808080", "#c08050")
INK = "#808080"  # readable on light and dark pages


@dataclass
class Series:
    """Points (x, y, error), or bars by the names of their groups."""

    name: str
    points: list[tuple[float, float, float]] = field(default_factory=list)
    bars: dict[str, float] = field(default_factory=dict)

    def add(self, x: float, y: float, error: float = 0) -> None:
        """Adds a point; `error` is half the height of its error bar."""
        self.points.append((x, y, error))


@dataclass
class Plot:
    """A plot with at most MAX_SERIES series."""

    title: str
    x_label: str = ""
    y_label: str = ""
    y_is_log: bool = False
    series: list[Series] = field(default_factory=list)

    def add_series(self, name: str) -> Series:
        """Adds a series without points."""
        self.series.append(Series(name))
        return self.series[-1]

    def save(self, path: Path) -> bool:
        """Draws the plot. False if there is no matplotlib."""
        try:
            from matplotlib import rc_context
            from matplotlib.figure import Figure
        except ImportError:
            return False
        with rc_context({"svg.hashsalt": "marelle", "svg.fonttype": "none", "text.color": INK, "axes.edgecolor": INK,
                         "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "font.size": 9}):
            groups = list(dict.fromkeys(name for series in self.series for name in series.bars))
            figure = Figure(figsize=(max(7.2, 0.6 * len(groups)), 4.2), layout="constrained")
            axes = figure.add_subplot()
            if groups:
                self._draw_bars(axes, groups)
            else:
                self._draw_points(axes)
            self._label(axes)
            figure.savefig(path, format="svg", transparent=True, metadata={"Date": None})
        return True

    def _draw_bars(self, axes: Any, groups: list[str]) -> None:
        width = 0.8 / len(self.series)
        for i, series in enumerate(self.series):
            places = [groups.index(name) - 0.4 + (i + 0.5) * width for name in series.bars]
            axes.bar(places, list(series.bars.values()), width, label=series.name, color=COLOURS[i])
        axes.set_xticks(range(len(groups)), groups, rotation=30, ha="right")

    def _draw_points(self, axes: Any) -> None:
        for i, series in enumerate(self.series):
            x, y, error = ([point[k] for point in series.points] for k in range(3))
            axes.errorbar(x, y, error if any(error) else None, label=series.name, color=COLOURS[i], marker="o",
                          markersize=4, capsize=2)

    def _label(self, axes: Any) -> None:
        if self.y_is_log:
            axes.set_yscale("log")
        axes.set_title(self.title)
        axes.set_xlabel(self.x_label)
        axes.set_ylabel(self.y_label)
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        if len(self.series) > 1:
            axes.legend(frameon=False, fontsize=8)
