"""Where kinks C = -B/W can lie."""

from __future__ import annotations

import numpy as np

from implicitbias.laws.one.law import Law

Interval = tuple[float, float]


def kink_support(weight: Law, bias: Law) -> tuple[Interval, ...]:
    """The closed intervals that -B/W fills, without W = 0."""
    places = [(float(b), float(b)) for b in bias.knots] if bias.atoms else [bias.support]
    if weight.atoms:
        weights = [(float(w), float(w)) for w in weight.knots if w != 0]
    else:
        a, b = weight.support
        weights = [side for side in ((a, min(b, 0.0)), (max(a, 0.0), b)) if side[0] < side[1]]
    found = []
    for start, end in weights:
        for low, high in places:
            # C = p/|W| with p = -B or B as W is positive or negative
            least, greatest = (-high, -low) if end > 0 else (low, high)
            near, far = min(abs(start), abs(end)), max(abs(start), abs(end))
            found.append((_over(least, near if least < 0 else far), _over(greatest, near if greatest > 0 else far)))
    return merged(found)


def _over(p: float, size: float) -> float:
    if p == 0 or size == np.inf:
        return p if abs(p) == np.inf else 0.0
    return float(p / size) if size > 0 else float(np.copysign(np.inf, p))


def merged(intervals: list[Interval]) -> tuple[Interval, ...]:
    """Overlapping and touching intervals joined, in increasing order.

    >>> merged([(1.0, 2.0), (-1.0, 0.0), (2.0, 3.0)])
    ((-1.0, 0.0), (1.0, 3.0))
    """
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return tuple(found)
