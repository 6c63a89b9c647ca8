"""Powers: the straight line through points on logarithmic axes, and when axes are to be logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence

from implicitbias.report.plots.plot import Point, Series

STRAIGHT = 1e-9
"""How far, in logarithms, points of a power of x may be from their line: rounding errors alone."""
DECADES = 2.0


def fit(points: Sequence[Point]) -> tuple[float, float] | None:
    """Slope and height at x = 1 of the least-squares line through the logarithms; None without two places x."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < len(points) or len({x for x, _ in logs}) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    return slope, math.exp(mean_y - slope * mean_x)


def power(points: Sequence[Point]) -> float | None:
    """The exponent if the points lie on a power of x, a line through 0 and a constant excepted."""
    fitted = fit(points)
    if fitted is None or len({x for x, _ in points}) < 3:
        return None
    slope, height = fitted
    off = max(abs(math.log(y) - math.log(height) - slope * math.log(x)) for x, y in points)
    return slope if off < STRAIGHT and min(abs(slope), abs(slope - 1)) > STRAIGHT else None


def fitted(points: Sequence[Point], claimed: float) -> Series | None:
    """The least-squares line on logarithmic axes, its slope beside the claimed one; None for fewer than three points.

    >>> fitted([(1, 2.0), (10, 0.2), (100, 0.02)], -1).label
    'fitted slope −1.00, claimed −1'
    """
    found = fit(points) if len(points) > 2 else None
    if found is None:
        return None
    slope, height = found
    ends = (min(x for x, _ in points), max(x for x, _ in points))
    label = f"fitted slope {slope:.2f}, claimed {claimed:.3g}".replace("-", "−")
    return Series(label, "fit", tuple((x, height * x**slope) for x in ends), line=True)


def is_wide(points: Sequence[Point]) -> bool:
    """Whether both coordinates are positive and each spans two decades or more."""
    return all(min(values) > 0 and max(values) >= 10**DECADES * min(values) for values in zip(*points, strict=True))
