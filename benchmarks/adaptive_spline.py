"""The adaptive spline against scipy's splines, which know a constant ζ only."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, make_smoothing_spline

from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.smoothing import SmoothingSpline

Array = NDArray[np.float64]

SIZES = (1_000, 100_000)
REPEATS = 7
PENALTY = 1e-3


def run() -> list[dict[str, object]]:
    """A row a comparison: what was timed, on how many data, its seconds, against what, the other's seconds, and the
    ratio other / ours, above 1 where ours is faster. Best of a few runs, in the process's own seconds, one thread."""
    return [row for size in SIZES for row in rows(size)]


def rows(size: int) -> list[dict[str, object]]:
    x = np.sort(np.random.default_rng(0).uniform(-2, 2, size))
    y = np.sin(3 * x)
    places = np.linspace(-2, 2, size)
    cubic, constant, peaked = (
        CubicSpline(x, y, bc_type="natural"),
        AdaptiveSpline(x, y),
        AdaptiveSpline(x, y, _peaked),
    )
    pairs: list[tuple[str, Callable[[], object], str, Callable[[], object]]] = [
        (
            "fit, ζ = 1",
            lambda: AdaptiveSpline(x, y),
            "CubicSpline natural",
            lambda: CubicSpline(x, y, bc_type="natural"),
        ),
        (
            "fit, ζ = (0.1+x²)⁻²",
            lambda: AdaptiveSpline(x, y, _peaked),
            "CubicSpline natural",
            lambda: CubicSpline(x, y, bc_type="natural"),
        ),
        (
            "smoothing, ζ = 1",
            lambda: SmoothingSpline(x, y, penalty=PENALTY),
            "make_smoothing_spline",
            lambda: make_smoothing_spline(x, y, lam=PENALTY),
        ),
        (
            "smoothing, ζ = (0.1+x²)⁻²",
            lambda: SmoothingSpline(x, y, _peaked, penalty=PENALTY),
            "make_smoothing_spline",
            lambda: make_smoothing_spline(x, y, lam=PENALTY),
        ),
        ("evaluate, ζ = 1", lambda: constant(places), "CubicSpline", lambda: cubic(places)),
        ("evaluate, ζ = (0.1+x²)⁻²", lambda: peaked(places), "CubicSpline", lambda: cubic(places)),
    ]
    found: list[dict[str, object]] = []
    for name, ours, other, theirs in pairs:
        here, there = seconds(ours), seconds(theirs)
        found.append(
            {
                "what": name,
                "M": size,
                "seconds": here,
                "against": other,
                "its seconds": there,
                "ratio": there / here,
            }
        )
    return found


def _peaked(c: Array) -> Array:
    return 1 / (0.1 + c * c) ** 2


def seconds(call: Callable[[], object]) -> float:
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return float(best)


if __name__ == "__main__":
    for row in run():
        print("  ".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row.values()))
