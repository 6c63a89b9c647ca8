"""Round numbers for an axis, with their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator

Tick = tuple[float, str]
"""Where it is drawn, and what it says."""


def ticks(low: float, high: float, most: int, *, logarithmic: bool = False) -> list[Tick]:
    """At most about `most` ticks between two ends as drawn: logarithms if the axis is logarithmic.

    There are two at least, so that one can tell what a step is.

    >>> ticks(-0.1, 1.1, 4)
    [(0.0, '0.0'), (0.5, '0.5'), (1.0, '1.0')]
    >>> ticks(0, 4, 3, logarithmic=True)
    [(0, '1'), (2, '100'), (4, '10000')]
    >>> ticks(-3, 25, 1)
    [(0.0, '0'), (20.0, '20')]
    """
    kind, found = _decades if logarithmic else _steps, list[Tick]()
    for more in (1, 2, 4):
        if len(found) < 2:
            found = list(kind(low, high, max(1, most) * more))
    return found


def _steps(low: float, high: float, most: int) -> Iterator[Tick]:
    step = _round_step((high - low) / most)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
        value = k * step
        short = digits > 4 or abs(high) >= 1e6 or abs(low) >= 1e6
        yield value, f"{value:.6g}" if short else f"{value:.{digits}f}"


def _decades(low: float, high: float, most: int) -> Iterator[Tick]:
    """Powers of ten; between them 2 and 5 where there is room, and plain steps within one decade."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    if last - first >= 2:
        step = max(1, math.ceil((last - first) / most))
        yield from ((k, _power_of_ten(k)) for k in range(first, last + 1) if k % step == 0)
        return
    fine = [(math.log10(m) + k, m * 10.0**k) for k in range(first - 1, last + 1) for m in (1, 2, 5)]
    fine = [(at, value) for at, value in fine if low <= at <= high]
    if len(fine) >= 2:
        yield from ((at, f"{value:g}") for at, value in fine)
    else:
        yield from ((math.log10(float(text)), text) for _, text in _steps(10**low, 10**high, most))


def _power_of_ten(k: int) -> str:
    return f"{10.0**k:g}" if -4 <= k <= 5 else f"1e{k}"


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
