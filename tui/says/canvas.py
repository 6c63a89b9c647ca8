"""A plot in characters: lines in braille dots, points as marks, axes with round numbers. Series differ in shape too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import wrap
from typing import Literal

from textual.content import Content

from implicitbias.report.plots.ticks import ticks

from .wording import ACCENT, BLUE, CYAN, DIM, GREEN, RED, YELLOW, plain

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille character, by row and column."""

DASHES: tuple[tuple[int, int], ...] = ((1, 0), (6, 4), (2, 3), (10, 2), (1, 5))
"""Dots drawn and left out, for the first line, the second, …"""

MARKS = "●×+◆○▲"
LABELLED = 10
"""Lines of a plot that has room for what its y-axis shows, and for a note."""

TONES = (BLUE, ACCENT, GREEN, CYAN, YELLOW, RED)
LINE_SIGNS = ("──", "╌╌", "┈┈", "━╌", "· ")


Style = Literal["line", "points"]


@dataclass(frozen=True)
class Series:
    """Points in order. `tone`, `mark`: instead of one by its place; `spread`: from where to where each point may be."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    style: Style = "line"
    tone: str = ""
    mark: str = ""
    spread: Sequence[tuple[float, float]] = ()

    def finite(self) -> list[tuple[float, float]]:
        return [(a, b) for a, b in zip(self.x, self.y, strict=True) if math.isfinite(a) and math.isfinite(b)]


@dataclass(frozen=True)
class Chart:
    """Series over one pair of axes. `box`: x from, x to, y from, y to. On a logarithmic axis numbers are logarithms to
    base 10, and only its texts are not."""

    series: Sequence[Series]
    x_label: str = ""
    y_label: str = ""
    note: str = ""
    box: tuple[float, float, float, float] | None = None
    x_log: bool = False
    y_log: bool = False
    low: bool = False
    """It needs less height than others."""


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


def draw(chart: Chart, width: int, height: int, *, gutter: int = 0) -> list[Content]:
    """Lines of text of at most this width, `height` of them. `gutter`: cells left of the axis, at least."""
    shown = [s for s in chart.series if s.finite()]
    if not shown or width < 20 or height < 6:
        return [plain("no room to plot" if shown else "nothing to plot", DIM)]
    head = _legend(shown, width)[: max(1, height // 4)]
    foot: list[Content] = []
    if height >= LABELLED:
        head += [plain(chart.y_label, DIM).truncate(width, ellipsis=True)] if chart.y_label else []
        foot += [plain(line, DIM) for line in wrap(chart.note, width)]
    x0, x1, y0, y1 = chart.box or _bounds(shown)
    rows = height - len(head) - len(foot) - 2
    y_ticks = ticks(y0, y1, max(2, rows // 3), logarithmic=chart.y_log)
    gutter = max([gutter, *(len(text) + 1 for _, text in y_ticks)])
    area = _Field(width - gutter - 1, rows)
    for number, one in enumerate(shown):
        _put(area, one, number, shown, (x0, x1, y0, y1))
    at_row = {_place(v, y1, y0, rows * 4) // 4: text for v, text in y_ticks}
    lines = list(head)
    for y in range(rows):
        label = at_row.get(y, "")
        axis = plain(label.rjust(gutter), DIM) + plain("┤" if label else "│", DIM)
        lines.append(axis + area.row(y))
    return [*lines, *_x_axis(chart, (x0, x1), gutter, area.width), *foot]


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
            found.append((one.mark or MARKS[points % len(MARKS)], tone, points))
            points += not one.mark
    return found


def _legend(series: Sequence[Series], width: int) -> list[Content]:
    lines, line = [], Content("")
    entries = {one.label: (sign, tone) for one, (sign, tone, _) in reversed([*zip(series, look(series), strict=True)])}
    for label, (sign, tone) in reversed(entries.items()):
        entry = (plain(f"{sign} ", tone) + plain(label)).truncate(width, ellipsis=True)
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
    for (x, _), (low, high) in zip(one.finite(), one.spread, strict=False):
        ends = sorted(min(max(_place(y, y1, y0, area.height * 4), 0), area.height * 4 - 1) for y in (low, high))
        for y in range(ends[0], ends[1] + 1):
            area.dot(_place(x, x0, x1, area.width * 2), y, tone)
    if one.style == "points":
        for x, y in dots:
            if 0 <= y < area.height * 4:
                area.marks.setdefault((x // 2, y // 4), (sign, tone))  # the first series is the one that must be seen
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


def _x_axis(chart: Chart, ends: tuple[float, float], gutter: int, width: int) -> list[Content]:
    """The axis with its numbers, which leave room for what it shows."""
    label = chart.x_label if len(chart.x_label) <= 2 * width // 3 else chart.x_label.partition(":")[0]
    label = label if len(label) <= 2 * width // 3 else ""
    rule, texts, last = ["─"] * width, [" "] * width, -2
    for value, text in ticks(*ends, max(2, width // 12), logarithmic=chart.x_log):
        at = _place(value, *ends, width * 2) // 2
        start = min(max(0, at - len(text) // 2), width - len(text))
        if 0 <= at < width and start > last + 1 and start >= 0:
            rule[at] = "┬"
            if start + len(text) < width - len(label) - 1 or not label:
                texts[start : start + len(text)] = text
                last = start + len(text)
    if label:
        texts[width - len(label) :] = label
    space = " " * gutter
    return [plain(f"{space}└{''.join(rule)}", DIM), plain(f"{space} {''.join(texts)}".rstrip(), DIM)]
