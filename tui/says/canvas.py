"""A plot in characters: lines in braille dots, points as marks, axes with round numbers. Series differ in shape too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from textual.content import Content

from .wording import ACCENT, BLUE, CYAN, DIM, GREEN, RED, YELLOW, plain

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille character, by row and column."""

DASHES: tuple[tuple[int, int], ...] = ((1, 0), (6, 4), (2, 3), (10, 2), (1, 5))
"""Dots drawn and left out, for the first line, the second, …"""

MARKS = "●×+◆○▲"
TONES = (BLUE, ACCENT, GREEN, CYAN, YELLOW, RED)
LINE_SIGNS = ("──", "╌╌", "┈┈", "━╌", "· ")


Style = Literal["line", "points"]


@dataclass(frozen=True)
class Series:
    """Points in order. `tone`: which of `TONES`, instead of one by its place."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    style: Style = "line"
    tone: str = ""

    def finite(self) -> list[tuple[float, float]]:
        return [(a, b) for a, b in zip(self.x, self.y, strict=True) if math.isfinite(a) and math.isfinite(b)]


@dataclass
class _Field:
    """The plot area: dots and marks by cell."""

    width: int
    height: int
    bits: dict[tuple[int, int], int] = field(default_factory=dict)
    tones: dict[tuple[int, int], str] = field(default_factory=dict)
    marks: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def dot(self, x: int, y: int, tone: str) -> None:
        cell = (x // 2, y // 4)
        if 0 <= cell[0] < self.width and 0 <= cell[1] < self.height:
            self.bits[cell] = self.bits.get(cell, 0) | DOTS[y % 4][x % 2]
            self.tones[cell] = tone

    def row(self, y: int) -> Content:
        parts: list[tuple[str, str] | str] = []
        for x in range(self.width):
            cell = (x, y)
            if cell in self.marks:
                parts.append(self.marks[cell])
            elif cell in self.bits:
                parts.append((chr(0x2800 + self.bits[cell]), self.tones[cell]))
            else:
                parts.append(" ")
        return Content.assemble(*parts)


def draw(
    series: Sequence[Series],
    width: int,
    height: int,
    *,
    x_label: str = "",
    box: tuple[float, float, float, float] | None = None,
    gutter: int = 0,
) -> list[Content]:
    """Lines of text of at most this width, `height` of them. `box`: x from, x to, y from, y to;
    `gutter`: cells left of the axis, at least."""
    shown = [s for s in series if s.finite()]
    if not shown or width < 20 or height < 6:
        return [plain("no room to plot" if shown else "nothing to plot", DIM)]
    legend = _legend(shown, width)[: max(1, height // 4)]
    x0, x1, y0, y1 = box or _bounds(shown)
    rows = height - len(legend) - 2
    y_ticks = list(_ticks(y0, y1, max(2, rows // 3)))
    gutter = max([gutter, *(len(text) + 1 for _, text in y_ticks)])
    area = _Field(width - gutter - 1, rows)
    for number, one in enumerate(shown):
        _put(area, one, number, shown, (x0, x1, y0, y1))
    at_row = {_place(v, y1, y0, rows * 4) // 4: text for v, text in y_ticks}
    lines = list(legend)
    for y in range(rows):
        label = at_row.get(y, "")
        axis = plain(label.rjust(gutter), DIM) + plain("┤" if label else "│", DIM)
        lines.append(axis + area.row(y))
    return lines + _x_axis(x0, x1, gutter, area.width, x_label)


def gutter_of(lines: Sequence[Content]) -> int:
    """The cells left of the plot area."""
    return next((line.plain.index("└") + 1 for line in lines if "└" in line.plain), 0)


def look(series: Sequence[Series]) -> list[tuple[str, str, int]]:
    """Sign, tone and number among its like, of each series."""
    found, lines, points = [], 0, 0
    for number, one in enumerate(series):
        tone = one.tone or TONES[number % len(TONES)]
        if one.style == "line":
            found.append((LINE_SIGNS[lines % len(LINE_SIGNS)], tone, lines))
            lines += 1
        else:
            found.append((MARKS[points % len(MARKS)], tone, points))
            points += 1
    return found


def _legend(series: Sequence[Series], width: int) -> list[Content]:
    lines, line = [], Content("")
    for one, (sign, tone, _) in zip(series, look(series), strict=True):
        entry = plain(f"{sign} ", tone) + plain(one.label)
        if line.cell_length and line.cell_length + 3 + entry.cell_length > width:
            lines.append(line)
            line = entry
        else:
            line = line + plain("   ") + entry if line.cell_length else entry
    return [*lines, line]


def _bounds(series: Sequence[Series]) -> tuple[float, float, float, float]:
    points = [point for s in series for point in s.finite()]
    return (*_widened([x for x, _ in points], 0.02), *_widened([y for _, y in points], 0.06))


def _widened(values: Sequence[float], share: float) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * share or max(abs(low), 1.0) * 0.5
    return low - room, high + room


def _put(area: _Field, one: Series, number: int, series: Sequence[Series], box: tuple[float, ...]) -> None:
    sign, tone, place = look(series)[number]
    x0, x1, y0, y1 = box
    dots = [
        (_place(x, x0, x1, area.width * 2), _place(y, y1, y0, area.height * 4))
        for x, y in one.finite()
        if x0 <= x <= x1
    ]
    if one.style == "points":
        for x, y in dots:
            if 0 <= y < area.height * 4:
                area.marks[x // 2, y // 4] = (sign, tone)
        return
    on, off = DASHES[place % len(DASHES)]
    step = 0
    for start, end in pairwise(dots):
        for x, y in _between(start, end, area.height * 4):
            if step % (on + off) < on:
                area.dot(x, y, tone)
            step += 1
    if len(dots) == 1:
        area.dot(*dots[0], tone)


def _between(start: tuple[int, int], end: tuple[int, int], height: int) -> Iterator[tuple[int, int]]:
    """The dots of a straight line, its end left to the next one; what is far above or below is cut."""
    (xa, ya), (xb, yb) = start, end
    if max(ya, yb) < 0 or min(ya, yb) >= height:
        return
    count = max(abs(xb - xa), min(abs(yb - ya), 8 * height), 1)
    for i in range(count):
        yield xa + round(i * (xb - xa) / count), ya + round(i * (yb - ya) / count)


def _place(value: float, start: float, end: float, size: int) -> int:
    """The dot of a value; far off for what is outside."""
    share = (value - start) / (end - start)
    return round(min(max(share, -9.0), 9.0) * (size - 1))


def _ticks(low: float, high: float, most: int) -> Iterator[tuple[float, str]]:
    """Round numbers between the bounds, with their texts."""
    step = _round_step((high - low) / max(1, most))
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
        value = k * step
        if digits > 5 or abs(value) >= 1e6:
            yield value, f"{value:.3g}"
        else:
            yield value, f"{value:.{digits}f}"


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))


def _x_axis(x0: float, x1: float, gutter: int, width: int, label: str) -> list[Content]:
    rule, texts, last = ["─"] * width, [" "] * width, -2
    for value, text in _ticks(x0, x1, max(2, width // 12)):
        at = _place(value, x0, x1, width * 2) // 2
        start = min(max(0, at - len(text) // 2), width - len(text))
        if 0 <= at < width and start > last + 1 and start >= 0:
            rule[at] = "┬"
            texts[start : start + len(text)] = text
            last = start + len(text)
    if label and width - last > len(label) + 2:
        texts[width - len(label) :] = label
    space = " " * gutter
    return [plain(f"{space}└{''.join(rule)}", DIM), plain(f"{space} {''.join(texts)}".rstrip(), DIM)]
