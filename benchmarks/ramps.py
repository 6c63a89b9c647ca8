"""Problem (9), exactly, against HiGHS in floating point; minimum-norm interpolation in one input.

Goals: faster than HiGHS on the sparse programme at every n, with the certificate; of minimum norm 10⁵ points with their
certificate in a second, 10⁶ in fifteen, memory in proportion.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import duration, peak_megabytes, table
from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.ramps.interpolant import ramp_interpolant

SIZES = (100, 1_000, 3_000, 10_000, 30_000, 100_000)
MINIMUM_NORM = (10_000, 100_000, 1_000_000)
LARGEST_PROGRAMME = 2_000
"""Largest n for HiGHS: its programme is dense, n × 4n, and would take 3.2 GB at n = 10,000."""


def by_highs(x: np.ndarray, y: np.ndarray) -> tuple[float, str]:
    right = np.maximum(x[:, None] - x[None, :-1], 0)
    left = np.maximum(x[None, 1:] - x[:, None], 0)
    ramps = np.hstack([right, left])
    answer = linprog(np.ones(2 * ramps.shape[1]), A_eq=np.hstack([ramps, -ramps]), b_eq=y, method="highs")
    return float(answer.fun) if answer.fun is not None else float("nan"), str(answer.status)


def by_highs_sparse(x: np.ndarray, y: np.ndarray) -> tuple[float, str]:
    """The programme in the kinks: a_i + b_i = κ_i, and two rows that fix f at both ends."""
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    kappa = np.diff(np.diff(y) / np.diff(x))
    inner, one = x[1:-1], csr_matrix(np.ones((1, 1)))
    none, width = csr_matrix((len(inner), 2)), x[-1] - x[0]
    ends = hstack(
        [
            vstack([csr_matrix((1, len(inner))), csr_matrix(x[-1] - inner)]),
            vstack([csr_matrix(inner - x[0]), csr_matrix((1, len(inner)))]),
            width * vstack([hstack([0 * one, one]), hstack([one, 0 * one])]),
        ]
    )
    rows = vstack([hstack([eye(len(inner)), eye(len(inner)), none]), ends])
    answer = linprog(np.ones(2 * rows.shape[1]), A_eq=hstack([rows, -rows]), b_eq=[*kappa, y[0], y[-1]], method="highs")
    return float(answer.fun) if answer.fun is not None else float("nan"), str(answer.status)


def report() -> str:
    """Tables: our times for exact optima and their certificates, and the times of HiGHS."""
    return f"{ramps()}\n{minimum_norm()}"


def ramps() -> str:
    rows = []
    ramp_interpolant([-1, 0, 1], [0, 1, 0])
    for size in SIZES:
        rng = np.random.default_rng(size)
        places = np.sort(rng.choice(1_999_999, size - 2, replace=False) - 999_999)
        x = [Fraction(int(v), 1_000_000) for v in [-1_000_000, *places, 1_000_000]]
        y = [Fraction(int(v), 100) for v in rng.integers(0, 101, size)]
        floats = np.array(x, dtype=float), np.array(y, dtype=float)
        (found, ours), (document, written), (sparse, theirs) = in_turn(
            lambda x=x, y=y: ramp_interpolant(x, y),
            lambda x=x, y=y: ramp_interpolant(x, y).certificate(),
            lambda floats=floats: by_highs_sparse(*floats),
            rounds=max(1, min(9, 30_000 // size)),
        )
        begin = time.perf_counter()
        valid = check_certificate(document).valid
        checked = time.perf_counter() - begin
        said = [f"{duration(theirs)}, {_away(sparse, found.value)}, ratio {theirs / ours:.2g}, {theirs / written:.2g}"]
        if size <= LARGEST_PROGRAMME:
            begin = time.perf_counter()
            dense = by_highs(*floats)
            dense_time = time.perf_counter() - begin
            said.append(f"{duration(dense_time)}, {_away(dense, found.value)}, ratio {dense_time / ours:.2g}")
        else:
            said.append("not tried: dense")
        proof = f"{duration(checked)}, {'valid' if valid else 'REFUSED'}"
        rows.append([f"{size:,}", duration(ours), duration(written), proof, *said])
    head = ["n", "ramp_interpolant, exact", "with certificate", "its check", "HiGHS in kinks, sparse", "HiGHS on ramps"]
    title = "## Problem (9), least variation by ramps"
    return f"{title}\n\nRatios are to the exact optimum, then to that with its certificate.\n\n{table(head, rows)}\n"


def in_turn(*calls: Callable[[], Any], rounds: int) -> list[tuple[Any, float]]:
    """The answer and the median seconds of each, measured in turn, so that all of them meet the same load."""
    times: list[list[float]] = [[] for _ in calls]
    answers: list[Any] = []
    for _ in range(rounds):
        answers = []
        for call, measured in zip(calls, times, strict=True):
            begin = time.perf_counter()
            answers.append(call())
            measured.append(time.perf_counter() - begin)
    return [(answer, statistics.median(measured)) for answer, measured in zip(answers, times, strict=True)]


def _away(found: tuple[float, str], exact: Fraction) -> str:
    value, status = found
    return f"off by {abs(value / float(exact) - 1):.0e}" if status == "0" else f"status {status}"


def minimum_norm() -> str:
    rows = []
    min_norm_interpolant([0, 1], [0, 1]).certificate()
    for size in MINIMUM_NORM:
        rng = np.random.default_rng(0)
        x, y = np.sort(rng.uniform(-1, 1, size)).tolist(), rng.normal(size=size).tolist()
        begin = time.perf_counter()
        found = min_norm_interpolant(x, y)
        solved = time.perf_counter() - begin
        found.certificate()
        proved = time.perf_counter() - begin
        begin = time.perf_counter()
        digits = found.cost.denominator.bit_length() * 3 // 10
        added = time.perf_counter() - begin
        program = f"""
import numpy as np
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
rng = np.random.default_rng(0)
x, y = np.sort(rng.uniform(-1, 1, {size})).tolist(), rng.normal(size={size}).tolist()
min_norm_interpolant(x, y).certificate()"""
        memory = f"{peak_megabytes(program):.0f} MB"
        rows.append([f"{size:,}", duration(solved), duration(proved), memory, duration(added), f"{digits:,}"])
    head = ["n", "min_norm_interpolant", "with certificate", "most memory", "the cost added up", "its digits"]
    return f"## Minimum norm, one input, doubles\n\n{table(head, rows)}\n"
