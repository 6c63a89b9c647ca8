"""The adaptive and smoothing splines against scipy's, which have ζ = 1 only; `predict` against training."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, make_smoothing_spline

from benchmarks.timing import duration, seconds, table
from implicitbias.laws.joint.build import initialisation
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.prediction import predict
from implicitbias.splines.smoothing import SmoothingSpline
from implicitbias.training import anti_symmetric, standard, train

Array = NDArray[np.float64]
Call = Callable[[], object]

SIZES = (1_000, 100_000)
PENALTY = 1e-3
WIDTH = 4096


def peaked(c: Array) -> Array:
    return 1 / (0.1 + c * c) ** 2


def comparisons(size: int) -> list[tuple[str, Call, str, Call]]:
    """(name, our call, name of the alternative, its call)."""
    x = np.sort(np.random.default_rng(0).uniform(-2, 2, size))
    y = np.sin(3 * x)
    places = np.linspace(-2, 2, size)
    even, uneven = AdaptiveSpline(x, y), AdaptiveSpline(x, y, peaked)
    cubic = CubicSpline(x, y, bc_type="natural")
    natural, smoothing = "CubicSpline, natural", "make_smoothing_spline"

    def scipy_fit() -> object:
        return CubicSpline(x, y, bc_type="natural")

    def scipy_smoothing() -> object:
        return make_smoothing_spline(x, y, lam=PENALTY)

    return [
        ("spline, ζ = 1", lambda: AdaptiveSpline(x, y), natural, scipy_fit),
        ("spline, ζ = (0.1+x²)⁻²", lambda: AdaptiveSpline(x, y, peaked), natural, scipy_fit),
        ("spline, ζ = (0.1+x²)⁻²", lambda: AdaptiveSpline(x, y, peaked), smoothing, scipy_smoothing),
        ("smoothing, ζ = 1", lambda: SmoothingSpline(x, y, penalty=PENALTY), smoothing, scipy_smoothing),
        (
            "smoothing, ζ = (0.1+x²)⁻²",
            lambda: SmoothingSpline(x, y, peaked, penalty=PENALTY),
            smoothing,
            scipy_smoothing,
        ),
        ("evaluation, ζ = 1", lambda: even(places), natural, lambda: cubic(places)),
        ("evaluation, ζ = (0.1+x²)⁻²", lambda: uneven(places), natural, lambda: cubic(places)),
    ]


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
        here, there = seconds(ours), seconds(theirs)
        rows.append([what, f"{count:,}", duration(here), other, duration(there), f"{there / here:.2g}"])
    return f"## The adaptive spline\n\nscipy's splines have ζ = 1.\n\n{table(head, rows)}\n"
