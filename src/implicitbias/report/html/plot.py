"""The curves of some evidence as a picture: SVG with axes, drawn in the page's own colours."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from implicitbias.claims.evidence import Curve

WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 560, 260, 54, 26, 8
MOST_POINTS = 160
"""Points of a curve that are drawn: a page keeps no more than it can show."""


def plot(curves: Sequence[Curve]) -> Markup:
    """All curves over one pair of axes; empty where no curve has two finite points or values that differ."""
    drawn = [(c, _finite(c)) for c in curves]
    points = [point for _, found in drawn for point in found]
    if len(points) < 2 or len({x for x, _ in points}) < 2:
        return Markup("")
    x, y = _Axis([p[0] for p in points], LEFT, WIDTH - 10), _Axis([p[1] for p in points], HEIGHT - BELOW, ABOVE)
    parts = [Markup('<svg class="plot" viewBox="0 0 {} {}" role="img">').format(WIDTH, HEIGHT)]
    parts.append(Markup("<title>{}</title>").format("plot of " + ", ".join(c.role for c, _ in drawn)))
    for tick in y.ticks:
        at = y.at(tick)
        parts.append(Markup('<path class="grid" d="M{} {:.1f}H{}"/>').format(LEFT, at, WIDTH - 10))
        parts.append(Markup('<text x="{}" y="{:.1f}" text-anchor="end">{:g}</text>').format(LEFT - 5, at + 4, tick))
    for tick in x.ticks:
        parts.append(
            Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{:g}</text>').format(x.at(tick), HEIGHT - 8, tick)
        )
    for i, (curve, found) in enumerate(drawn):
        where = [(x.at(a), y.at(b)) for a, b in found]
        if curve.style == "points":
            dots = Markup("").join(Markup('<circle cx="{:.1f}" cy="{:.1f}" r="2.5"/>').format(a, b) for a, b in where)
            parts.append(Markup('<g class="dots series-{}">{}</g>').format(i % 6, dots))
        elif where:
            path = "L".join(f"{a:.1f} {b:.1f}" for a, b in where)
            parts.append(Markup('<path class="line series-{}" d="M{}"/>').format(i % 6, path))
    key = Markup("").join(
        Markup('<li class="series-{}">{}</li>').format(i % 6, c.role) for i, (c, _) in enumerate(drawn)
    )
    return Markup("").join([*parts, Markup('</svg><ul class="key">{}</ul>').format(key)])


class _Axis:
    """A scale from numbers to coordinates of the picture, with round numbers for its ticks."""

    def __init__(self, numbers: Sequence[float], start: float, end: float) -> None:
        low, high = min(numbers), max(numbers)
        margin = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
        self.low, self.high, self.start, self.end = low - margin, high + margin, start, end
        rough = (self.high - self.low) / 4
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
        first = math.ceil(self.low / step)
        self.ticks = [k * step for k in range(first, math.floor(self.high / step) + 1)]

    def at(self, number: float) -> float:
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)


def _finite(curve: Curve) -> list[tuple[float, float]]:
    points = [(a, b) for a, b in zip(curve.x, curve.y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    if len(points) <= MOST_POINTS:
        return points
    return [points[round(i * (len(points) - 1) / (MOST_POINTS - 1))] for i in range(MOST_POINTS)]
