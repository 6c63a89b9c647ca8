"""The numbers in which a step of `margin.refined` is computed: doubles, or balls where doubles do not suffice.

A step solves (h + B' 2η B + diag(ratio)) Δβ = residual with h = Σ_u η_u φ_u φ_u' ⟨e, e'⟩ and
B_u = φ_u(x_i)(p_own - p_rival). In doubles the rows of B are kept apart, because η grows without bound near the
optimum; in balls of BALL_BITS bits that costs some of the digits, of which there are enough.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

Numbers = NDArray[Any]
Places = NDArray[np.intp]
Solve = Callable[[Numbers], tuple[Numbers, Numbers]]
"""residual -> (Δβ, 2η B Δβ)."""

BITS = 160
"""The iterate is in multiples of 2^-BITS."""
ONE = 1 << BITS
BALL_BITS = 256


class Arithmetic(Protocol):
    """How integers become numbers and numbers integers, and how the system of a step is solved."""

    most: int
    """The largest system that is tried."""

    def at_work(self) -> AbstractContextManager[Any]:
        """Within it numbers are computed."""

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        """values/unit."""

    def root(self, value: int) -> Any:
        """√value."""

    def integers(self, values: Numbers) -> list[int]:
        """In multiples of 2^-BITS."""

    def product(self, a: Numbers, b: Numbers) -> Numbers:
        """Of two matrices."""

    def solver(self, h: Numbers, b: Numbers, eta: Numbers, ratio: Numbers) -> Solve:
        """h symmetric (N, N) without the ratio on its diagonal, b (U, N), eta (U,), ratio (N,)."""


class Doubles:
    """Machine numbers: an inaccurate step is only a slightly wrong step, until the system is too badly conditioned."""

    most = 3_000

    def at_work(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")  # what comes out is then no number, which is seen

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        return np.array([v / unit for v in values])

    def root(self, value: int) -> Any:
        return np.sqrt(value)

    def integers(self, values: Numbers) -> list[int]:
        pairs = (value.as_integer_ratio() for value in values.tolist())
        return [(over << BITS) // under for over, under in pairs]

    def product(self, a: Numbers, b: Numbers) -> Numbers:
        return a @ b

    def solver(self, h: Numbers, b: Numbers, eta: Numbers, ratio: Numbers) -> Solve:
        """One factorisation, each solution repeated once for its own residual."""
        size = len(ratio)
        h = h.copy()
        h[np.diag_indices(size)] += ratio
        matrix = np.block([[h, b.T], [b, np.diag(-1 / (2 * eta))]])
        diagonal = np.diag(h)
        units = 1 / np.sqrt(np.concatenate([diagonal, 1 / (2 * eta) + (b * b / diagonal).sum(axis=1)]))
        matrix *= units[:, None]
        matrix *= units
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinAlgWarning)
            factors = lu_factor(matrix, check_finite=True)

        def solve(residual: Numbers) -> tuple[Numbers, Numbers]:
            right = np.concatenate([residual, np.zeros(len(eta))]) * units
            found = lu_solve(factors, right)
            found += lu_solve(factors, right - matrix @ found)
            found *= units
            return found[:size], found[size:]

        return solve


class Balls:
    """Balls of BALL_BITS bits, of which only the middles are used: slow, and right however near points are."""

    most = 300

    def at_work(self) -> AbstractContextManager[Any]:
        import flint

        return flint.ctx.workprec(BALL_BITS)

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        import flint

        by = flint.arb(unit)
        return np.array([flint.arb(v) / by for v in values], dtype=object)

    def root(self, value: int) -> Any:
        import flint

        return flint.arb(value).sqrt()

    def integers(self, values: Numbers) -> list[int]:
        pairs = (value.mid().man_exp() for value in values.tolist())
        shifted = ((int(mantissa), int(exponent) + BITS) for mantissa, exponent in pairs)
        return [mantissa << by if by >= 0 else mantissa >> -by for mantissa, by in shifted]

    def product(self, a: Numbers, b: Numbers) -> Numbers:
        """By flint, several times as fast as numpy's of objects."""
        found = np.array((_matrix(a) * _matrix(b)).entries(), dtype=object)
        return found.reshape(a.shape[0], b.shape[1])

    def solver(self, h: Numbers, b: Numbers, eta: Numbers, ratio: Numbers) -> Solve:
        products = self.product((b * (2 * eta)[:, None]).T, b)
        whole = h + products
        whole[np.diag_indices(len(ratio))] += ratio
        matrix = _matrix(whole)

        def solve(residual: Numbers) -> tuple[Numbers, Numbers]:
            found = matrix.solve(_matrix(residual[:, None]), algorithm="approx")
            beta = np.array([value.mid() for value in found.entries()], dtype=object)
            return beta, 2 * eta * (b @ beta)

        return solve


def _matrix(values: Numbers) -> Any:
    import flint

    return flint.arb_mat(values.shape[0], values.shape[1], values.ravel().tolist())
