"""Problem (10), certified, against cvxpy with Clarabel on the ramps themselves."""

from __future__ import annotations

import multiprocessing
import time
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import duration, table
from implicitbias.convex.margin.bins import binned
from implicitbias.convex.margin.classifier import max_margin

SIZES = ((50, 5), (100, 5), (200, 5), (100, 20), (250, 50), (1000, 50))
CLUSTERS = ((20, 3), (40, 3))
"""Random labels at points of which every seventh has another at the distance 1e-8."""
LIMIT = 120.0
"""Time limit in seconds for cvxpy."""


def triangles(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two large and two small triangles, in [0, 1]: the target of Stewart et al. (2022), Section 6."""

    def triangle(height: float, left: float, right: float) -> NDArray[np.float64]:
        return height * np.maximum(0, 1 - np.abs(x - (left + right) / 2) / ((right - left) / 2))

    small = triangle(0.3, -0.7, -0.5) + triangle(0.4, 0.55, 0.75)
    return np.clip(triangle(1, -1, 0) + triangle(1, 0, 1) - small, 0, 1)


def data(kind: str, size: int, k: int) -> tuple[list[Fraction], list[int]]:
    """x in [-1, 1] to six decimals, both ends included; labels from the bins of the triangles, or random."""
    rng = np.random.default_rng(size + k)
    places = rng.choice(1_999_999, size - 2, replace=False) - 999_999
    x = [Fraction(int(v), 1_000_000) for v in sorted([-1_000_000, *places, 1_000_000])]
    if kind == "random labels":
        return x, [int(v) for v in rng.integers(0, k, size)]
    return x, list(binned([Fraction(v) for v in triangles(np.array(x, dtype=float)).tolist()], k))


def by_ramps(x: list[Fraction], labels: list[int], k: int) -> tuple[float, float, str]:
    """(value, seconds, status) of cvxpy with Clarabel, with one variable per ramp and class."""
    import cvxpy as cp

    points, names = np.array(x, dtype=float), np.array(labels)
    begin = time.perf_counter()
    right = np.maximum(points[:, None] - points[None, :-1], 0)
    left = np.maximum(points[None, 1:] - points[:, None], 0)
    ramps = np.hstack([right, left])
    W: Any = cp.Variable((ramps.shape[1], k))
    scores = ramps @ W
    own = cp.sum(cp.multiply(np.eye(k)[names], scores), axis=1, keepdims=True)
    margins = own @ np.ones((1, k)) - scores >= 1 - np.eye(k)[names]
    problem = cp.Problem(cp.Minimize(cp.sum(cp.norm(W, 2, axis=1))), [margins])
    problem.solve(solver=cp.CLARABEL)
    return float(problem.value), time.perf_counter() - begin, str(problem.status)


def clustered(x: list[Fraction], gap: Fraction) -> list[Fraction]:
    """Every seventh point followed by another so near."""
    return sorted({*x, *(at + gap for at in x[:-1:7])})


def limited(x: list[Fraction], labels: list[int], k: int) -> tuple[float, float, str] | None:
    """`by_ramps` in a separate process; None if it takes longer than LIMIT or dies."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(by_ramps, (x, labels, k)).get(LIMIT)
        except Exception:
            return None


def report() -> str:
    """A table: the problem, our time with the certified gap, the time of cvxpy, and the ratio."""
    rows = []
    max_margin([-1, 0, 1], "abc")
    for kind in ("triangles", "random labels", "clusters"):
        for size, k in SIZES if kind != "clusters" else CLUSTERS:
            if kind == "random labels" and k > 20:
                continue
            x, labels = data(kind, size, k)
            if kind == "clusters":
                x, rng = clustered(x, Fraction(1, 10**8)), np.random.default_rng(size)
                labels = [int(v) for v in rng.integers(0, k, len(x))]
            begin = time.perf_counter()
            found = max_margin(x, labels, range(k))
            ours = time.perf_counter() - begin
            begin = time.perf_counter()
            document = found.certificate()
            from implicitbias.certificate.kernel import check_certificate

            valid = check_certificate(document).valid
            checked = time.perf_counter() - begin
            other = limited(x, labels, k)
            said = (
                [f"more than {LIMIT:g} s", "", f"over {LIMIT / ours:.0f}"]
                if other is None
                else [
                    f"{duration(other[1])} ({other[2]})",
                    f"{other[0] / found.value - 1:.0e}",
                    f"{other[1] / ours:.0f}",
                ]
            )
            proof = f"{duration(checked)}, {'valid' if valid else 'REFUSED'}"
            rows.append(
                [
                    kind,
                    f"({size}, {k})",
                    str(len(found.support)),
                    duration(ours),
                    f"{float(found.gap):.0e}",
                    proof,
                    *said,
                ]
            )
    head = [
        "labels",
        "(M, k)",
        "in R_class",
        "max_margin",
        "gap",
        "certificate",
        "cvxpy on ramps",
        "differs by",
        "ratio",
    ]
    return f"## Problem (10), largest margin\n\n{table(head, rows)}\n"
