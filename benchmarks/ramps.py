"""Problem (9), exactly, against HiGHS in floating point."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import duration, table
from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.ramps.interpolant import ramp_interpolant

SIZES = (100, 1_000, 10_000)
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
    """A table: our time for the exact optimum, for its certificate, and the time of HiGHS."""
    rows = []
    ramp_interpolant([-1, 0, 1], [0, 1, 0])
    for size in SIZES:
        rng = np.random.default_rng(size)
        places = np.sort(rng.choice(1_999_999, size - 2, replace=False) - 999_999)
        x = [Fraction(int(v), 1_000_000) for v in [-1_000_000, *places, 1_000_000]]
        y = [Fraction(int(v), 100) for v in rng.integers(0, 101, size)]
        begin = time.perf_counter()
        found = ramp_interpolant(x, y)
        ours = time.perf_counter() - begin
        begin = time.perf_counter()
        valid = check_certificate(found.certificate()).valid
        checked = time.perf_counter() - begin
        said = []
        for solve, largest in ((by_highs_sparse, SIZES[-1]), (by_highs, LARGEST_PROGRAMME)):
            if size > largest:
                said.append("not tried: dense, 3.2 GB")
                continue
            begin = time.perf_counter()
            value, status = solve(np.array(x, dtype=float), np.array(y, dtype=float))
            theirs = time.perf_counter() - begin
            away = f"off by {abs(value / float(found.value) - 1):.0e}" if status == "0" else f"status {status}"
            said.append(f"{duration(theirs)}, {away}, ratio {theirs / ours:.2g}")
        proof = f"{duration(checked)}, {'valid' if valid else 'REFUSED'}"
        rows.append([f"{size:,}", duration(ours), proof, *said])
    head = ["n", "ramp_interpolant, exact", "certificate", "HiGHS in kinks, sparse", "HiGHS on ramps"]
    return f"## Problem (9), least variation by ramps\n\n{table(head, rows)}\n"
