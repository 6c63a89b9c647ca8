"""The adaptive and smoothing splines against scipy's, which have ζ = 1 only; `predict` against training.

Goals: from 10³ to 10⁶ points at least as fast as `CubicSpline` with ζ = 1, at most twice its time with any other ζ, and
20 times as fast as `make_smoothing_spline`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, make_smoothing_spline

from benchmarks.timing import alternately, duration, peak_megabytes, table
from implicitbias.laws.joint.build import initialisation
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.prediction import predict
from implicitbias.splines.smoothing import SmoothingSpline
from implicitbias.training import anti_symmetric, standard, train

Array = NDArray[np.float64]
Call = Callable[[], object]

SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST_SMOOTHED = 100_000
"""`make_smoothing_spline` takes half a minute for ten times as many."""
PENALTY = 1e-3
WIDTH = 4096


def peaked(c: Array) -> Array:
    return 1 / (0.1 + c * c) ** 2


def comparisons(size: int) -> list[tuple[str, Call, str, Call]]:
    """(name, our call, name of the alternative, its call)."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-2, 2, size))
    y = np.sin(3 * x)
    places = np.linspace(-2, 2, size)
    unsorted = rng.permutation(places)
    even, uneven = AdaptiveSpline(x, y), AdaptiveSpline(x, y, peaked)
    cubic = CubicSpline(x, y, bc_type="natural")
    natural, smoothing = "CubicSpline, natural", "make_smoothing_spline"

    def scipy_fit() -> CubicSpline:
        return CubicSpline(x, y, bc_type="natural")

    def scipy_smoothing() -> object:
        return make_smoothing_spline(x, y, lam=PENALTY)

    lines: list[tuple[str, Call, str, Call]] = []
    for zeta, name, fitted in ((1, "ζ = 1", even), (peaked, "ζ = (0.1+x²)⁻²", uneven)):
        lines += [
            (f"spline, {name}", lambda zeta=zeta: AdaptiveSpline(x, y, zeta), natural, scipy_fit),
            (
                f"spline and its first values, {name}",
                lambda zeta=zeta: AdaptiveSpline(x, y, zeta)(places),
                natural,
                lambda: scipy_fit()(places),
            ),
            (f"values, {name}", lambda fitted=fitted: fitted(places), natural, lambda: cubic(places)),
            (f"values, unsorted, {name}", lambda fitted=fitted: fitted(unsorted), natural, lambda: cubic(unsorted)),
        ]
        if size <= MOST_SMOOTHED:
            lines.append(
                (
                    f"smoothing, {name}",
                    lambda zeta=zeta: SmoothingSpline(x, y, zeta, penalty=PENALTY),
                    smoothing,
                    scipy_smoothing,
                )
            )
    return lines


def prediction() -> tuple[str, Call, str, Call]:
    """The predicted limit on five data, and a network trained to convergence."""
    law = initialisation("uniform(-1,1)", "uniform(-2,2)")
    x, y = np.arange(-2.0, 3), np.array([1.5, 0.5, 1.5, 0.5, 1.5])
    rng = np.random.default_rng(0)
    w, b = law.sample(WIDTH, rng)
    network = anti_symmetric(standard(w, b, rng.normal(size=WIDTH)))

    def trained() -> object:
        return train(network, x, y, engine="gradient_flow", tolerance=1e-4)

    return (
        "predict, uniform laws",
        lambda: predict(law, list(x), list(y)),
        f"flow, {WIDTH} units and opposites",
        trained,
    )


def report() -> str:
    """The tables of this benchmark."""
    head = ["what", "M", "time", "against", "its time", "its time / ours"]
    rows = []
    lines = [(size, line) for size in SIZES for line in comparisons(size)]
    for count, (what, ours, other, theirs) in [*lines, (5, prediction())]:
        here, there = alternately((ours, theirs))
        rows.append([what, f"{count:,}", duration(here), other, duration(there), f"{there / here:.2g}"])
    memory = table(["M", "most memory", "CubicSpline, natural"], [[f"{size:,}", *_memory(size)] for size in SIZES])
    return f"## The adaptive spline\n\nscipy's splines have ζ = 1.\n\n{table(head, rows)}\n\n{memory}\n"


def _memory(size: int) -> list[str]:
    """Megabytes of a process that fits and evaluates at all points, ours with ζ = (0.1+x²)⁻² and scipy's."""
    data = f"import numpy as np; x = np.linspace(-2, 2, {size}); y = np.sin(3 * x)"
    ours = "from implicitbias.splines.adaptive import AdaptiveSpline; AdaptiveSpline(x, y, '1/(0.1+x**2)**2')(x)"
    theirs = "from scipy.interpolate import CubicSpline; CubicSpline(x, y, bc_type='natural')(x)"
    return [f"{peak_megabytes(f'{data}; {program}'):.0f} MB" for program in (ours, theirs)]
