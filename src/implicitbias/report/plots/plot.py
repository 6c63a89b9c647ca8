"""A plot as every screen draws it: one quantity against one other, its series, its axes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Role = Literal["observed", "run", "claim", "fit", "printed", "control", "curve"]
"""What a series is; it decides how it looks, the same on every screen."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]

RESIDUALS = "residuals"
"""The title of a plot of differences: it needs less room than others."""

BEYOND = 0.5
"""How far, in spans of what was observed, an axis goes on for the printed form and a control."""


@dataclass(frozen=True)
class Series:
    """Points in order, as a line or one by one; `spread`: the interval around each, where it was observed as one."""

    label: str
    role: Role
    points: tuple[Point, ...]
    line: bool = False
    spread: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Plot:
    """One quantity against one other.

    x_log, y_log  whether an axis is logarithmic
    note          what the picture does not show, such as that two series are equal everywhere
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_log: bool = False
    y_log: bool = False
    note: str = ""

    def drawn(self) -> Iterator[tuple[Series, tuple[Point, ...], tuple[Point, ...]]]:
        """Each series with its points and spreads where they are drawn: as logarithms on a logarithmic axis."""
        for one in self.series:
            kept = [i for i, (x, y) in enumerate(one.points) if _shows(x, self.x_log) and _shows(y, self.y_log)]
            points = tuple((_at(x, self.x_log), _at(y, self.y_log)) for x, y in (one.points[i] for i in kept))
            spread = tuple(self._between(*one.spread[i]) for i in kept) if one.spread else ()
            if points:
                yield one, points, spread

    def box(self) -> Box:
        """From where to where both axes go, as drawn: over all that was observed or claimed, and not much further."""
        drawn = list(self.drawn())
        main = [shown for shown in drawn if shown[0].role not in ("printed", "control")] or drawn
        low, high = _span([y for _, points, spread in main for y in (*_heights(points), *_ends(spread))])
        room = (high - low) * BEYOND or math.inf
        all_heights = [y for _, points, _ in drawn for y in _heights(points)]
        others = [y for y in all_heights if low - room <= y <= high + room]
        return (
            *_widened(*_span([x for _, points, _ in drawn for x, _ in points]), 0.03),
            *_widened(*_span([low, high, *others]), 0.06),
        )

    def _between(self, low: float, high: float) -> Point:
        at = _at(high, self.y_log)
        return (_at(low, self.y_log) if _shows(low, self.y_log) else at - 1, at)


def _shows(value: float, logarithmic: bool) -> bool:
    return math.isfinite(value) and (value > 0 or not logarithmic)


def _at(value: float, logarithmic: bool) -> float:
    return math.log10(value) if logarithmic else value


def _heights(points: tuple[Point, ...]) -> list[float]:
    return [y for _, y in points]


def _ends(spread: tuple[Point, ...]) -> list[float]:
    return [end for ends in spread for end in ends]


def _span(values: list[float]) -> Point:
    return (min(values), max(values)) if values else (0.0, 1.0)


def _widened(low: float, high: float, share: float) -> Point:
    room = (high - low) * share or abs(high) * 0.5 or 1.0
    return low - room, high + room
