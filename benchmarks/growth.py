"""How time grows with size, ours and what a user would pick instead, drawn in docs/growth.svg.

Each line ends at its last size, where a size is refused, or where one call takes longer than LIMIT.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from benchmarks import adaptive_spline, margin, prefix_sum, ramps, variation
from benchmarks.timing import alternately, duration, table
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.convex.variation.many_cells import bounded_fit
from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.errors import DataError

PICTURE = Path(__file__).parent.parent / "docs" / "growth.svg"
LIMIT = 20.0
"""Seconds of one call after which no larger size is tried."""

Seconds = Callable[[int], float]


@dataclass(frozen=True)
class Panel:
    """Seconds by size, for each of the systems that are compared; the first is ours."""

    title: str
    axis: str
    sizes: tuple[int, ...]
    systems: dict[str, Seconds]


def once(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def _splines(what: str, which: int) -> Seconds:
    """Seconds of the line `what` of the benchmark of splines: 1 ours, 3 scipy's."""

    def measured(size: int) -> float:
        call = next(line for line in adaptive_spline.comparisons(size) if line[0] == what)[which]
        assert callable(call)
        return alternately([call], rounds=3)[0]

    return measured


def _ramps(size: int) -> tuple[list[Fraction], list[Fraction]]:
    rng = np.random.default_rng(size)
    places = np.sort(rng.choice(1_999_999, size - 2, replace=False) - 999_999)
    x = [Fraction(int(v), 1_000_000) for v in [-1_000_000, *places, 1_000_000]]
    return x, [Fraction(int(v), 100) for v in rng.integers(0, 101, size)]


def _exact_ramps(size: int) -> float:
    x, y = _ramps(size)
    return once(lambda: ramp_interpolant(x, y).certificate())


def _highs(size: int) -> float:
    x, y = (np.array(values, dtype=float) for values in _ramps(size))
    return once(lambda: ramps.by_highs_sparse(x, y))


def _minimum_norm(size: int) -> float:
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.uniform(-1, 1, size)).tolist(), rng.normal(size=size).tolist()
    return once(lambda: min_norm_interpolant(x, y).certificate())


def _margin(size: int) -> float:
    x, labels = margin.data("random labels", size, 5)
    return once(lambda: max_margin(x, labels, range(5)).certificate())


def _margin_by_cvxpy(size: int) -> float:
    return margin.by_ramps(*margin.data("random labels", size, 5), 5)[1]


def _variation(inputs: int, sizes: tuple[int, ...], accuracy: float) -> Panel:
    """Bounds with their certificate."""

    def by_cells(n: int) -> float:
        return once(lambda: penalised_fit(*variation.data(n, inputs), variation.PENALTY).certificate())

    def by_cones(n: int) -> float:
        return once(lambda: bounded_fit(*variation.data(n, inputs), variation.PENALTY, accuracy).certificate())

    systems = {"ours, all cells, certified": by_cells, f"ours, cones, certified to {accuracy:g}": by_cones}
    return Panel(f"Problem (22), {inputs} inputs", "points", sizes, systems)


def panels() -> list[Panel]:
    """What is measured."""
    many = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
    natural, smooth = "scipy CubicSpline, natural", "scipy make_smoothing_spline"
    even, uneven, smoothing = "spline, ζ = 1", "spline, ζ = (0.1+x²)⁻²", "smoothing, ζ = (0.1+x²)⁻²"
    return [
        Panel("Spline, ζ = 1", "points", many, {"ours": _splines(even, 1), natural: _splines(even, 3)}),
        Panel("Spline, ζ varies", "points", many, {"ours": _splines(uneven, 1), natural: _splines(uneven, 3)}),
        Panel(
            "Smoothing spline, ζ varies",
            "points",
            many[:5],
            {"ours": _splines(smoothing, 1), smooth: _splines(smoothing, 3)},
        ),
        Panel(
            "Problem (9), exact with certificate",
            "points",
            many[:5],
            {"ours": _exact_ramps, "HiGHS, sparse, doubles": _highs},
        ),
        Panel("Minimum norm, exact with certificate", "points", many, {"ours": _minimum_norm}),
        Panel(
            "Problem (10), random labels, 5 classes",
            "points",
            (25, 50, 100, 200, 400, 800),
            {"ours, certified": _margin, "cvxpy with Clarabel": _margin_by_cvxpy},
        ),
        _variation(2, (10, 20, 30, 40, 54, 80, 120, 200), 1e-6),
        _variation(3, (10, 14, 18, 30, 50, 80, 120, 200), 1e-4),
        Panel(
            "A gradient step, 250 data",
            "units",
            (100, 300, 1_000, 3_000, 10_000, 30_000),
            {
                "ours": lambda n: prefix_sum.ours(n, 250, "float64", 1),
                "torch autograd": lambda n: prefix_sum.autograd(n, 250, "float64", 1),
            },
        ),
    ]


def measured(seconds: Seconds, sizes: tuple[int, ...]) -> Iterator[tuple[int, float]]:
    """(size, seconds), up to the first that takes too long or is refused."""
    for size in sizes:
        try:
            spent = seconds(size)
        except DataError:  # too large to be taken: cells are listed up to a number
            return
        yield size, spent
        if spent > LIMIT:
            return


def order(line: list[tuple[int, float]]) -> str:
    """The exponents of growth between neighbouring sizes: the least and the greatest over the second half."""
    steps = [log(t / s) / log(n / m) for (m, s), (n, t) in pairwise(line[len(line) // 2 - 1 :])]
    return f"{min(steps):.1f} to {max(steps):.1f}" if steps else ""


def report() -> str:
    """A table of the largest sizes and of how time grows there; draws the picture."""
    found = [
        (panel, {name: list(measured(seconds, panel.sizes)) for name, seconds in panel.systems.items()})
        for panel in panels()
    ]
    drawn(found)
    rows = [
        [panel.title, name, f"{line[-1][0]:,}", duration(line[-1][1]), order(line)]
        for panel, lines in found
        for name, line in lines.items()
    ]
    head = ["what", "by", "largest size", "time there", "grows with the power"]
    picture = "![Seconds by size, ours and others](../docs/growth.svg)"
    return f"## Growth\n\n{picture}\n\n{table(head, rows)}\n"


def drawn(found: list[tuple[Panel, dict[str, list[tuple[int, float]]]]]) -> None:
    """One panel each, both axes logarithmic."""
    columns = 3
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(12, 3.6 * rows), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False)
    for axes in places.flat[len(found) :]:
        axes.remove()
    for axes, (panel, lines) in zip(places.flat, found, strict=False):
        for (name, line), mark in zip(lines.items(), ("o-", "s--"), strict=False):
            axes.loglog(*zip(*line, strict=True), mark, label=name, markersize=4)
        axes.set(xlabel=panel.axis, ylabel="seconds")
        axes.set_title(panel.title, fontsize=10)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_locator(FixedLocator(_marked(panel.sizes)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7, loc="upper left")
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * (high / low) ** 0.3)  # room for the legend
    figure.savefig(PICTURE, metadata={"Date": None})


def _marked(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Not more than four of them, the first and the last among them."""
    return tuple(dict.fromkeys(sizes[round(k * (len(sizes) - 1) / 3)] for k in range(4)))
