"""The adaptive natural spline (19): the function through given points that minimises ∫(s'')²/ζ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown
from implicitbias.splines.affine_adjustment import Adjustment, adjustment
from implicitbias.splines.optimality import Optimality, optimality
from implicitbias.splines.points import Points, points
from implicitbias.splines.rational import rational_spline
from implicitbias.splines.solution import Solution, solve
from implicitbias.splines.weight import Weight, weight

Array = NDArray[np.float64]

EXACT_SIZE = 64
"""Above this many points, exact data are solved in doubles unless `exact=True`: fractions grow with their number."""


class AdaptiveSpline(Shown, Drawn):
    """The adaptive natural spline of the points (x_j, y_j), x_1 < ... < x_M:

        minimise ∫_{ζ>0} (s'')²/ζ  over s in W^{2,2} with s'' = 0 where ζ = 0 and s(x_j) = y_j,

    affine outside [x_1, x_M]. It is s'' = ζ ℓ with ℓ piecewise linear, knots at the data, zero at both ends, where
    A ℓ = d: A_jk = ∫ζ h_j h_k with the hat functions, d_j the slope jumps of the linear spline. Between the parts of a
    ζ with gaps s is a straight line and stays C¹ (Theorem 6 and (19) of Jin and Montúfar 2021, with the gap closed).

    Cost O(M), with 16 evaluations of ζ per interval where ζ is smooth, and little more than one from a thousand points
    on if numba is installed (extra `training`). Then ζ is found on stretches of many intervals (`stretches`), by loops
    that take seconds to compile once and 0.3 s to load in a process; name in `breaks` the ends of what happens between
    two neighbouring data. `optimality` asks ζ on every interval again, and shows what was missed.

    Parameters
    ----------
    x, y : iterable of numbers
        At least two points, x increasing; exact numbers (int, Fraction, text) or doubles.
    zeta : number, str, PiecewisePolynomial, Initialisation or callable, default=1
        A positive number, a formula in x, a law of (W, B), or a function x -> ζ(x) >= 0.
    exact : bool or None, default=None
        True: in fractions, which needs exact data and ζ a piecewise polynomial; False: in doubles; None: in fractions
        where that is possible for up to 64 points.
    breaks : iterable of float, default=()
        Places where ζ is not smooth, if known: faster, never needed.

    Raises
    ------
    DataError
        For data that are not finite, repeat or do not increase, for ζ that is negative or not finite between the data,
        and where ζ vanishes around a datum at which the data turn: no function fits then.

    Examples
    --------
    >>> s = AdaptiveSpline([-2, -1, 0, 1, 2], ["1.5", "0.5", "1.5", "0.5", "1.5"])
    >>> s.energy, s.ell[1:4], s(Fraction(1, 4))
    (Fraction(192, 7), (Fraction(30, 7), Fraction(-36, 7), Fraction(30, 7)), Fraction(611, 448))
    >>> round(float(AdaptiveSpline(s.x, s.y, "1/(0.1+x**2)**2")(0.25)), 9)
    0.903534509
    """

    def __init__(
        self,
        x: Iterable[Any],
        y: Iterable[Any],
        zeta: Any = 1,
        *,
        exact: bool | None = None,
        breaks: Iterable[float] = (),
    ) -> None:
        self._solution = _solved(points(x, y), weight(zeta, breaks), exact)

    def _quantities(self) -> dict[str, Any]:
        return {"data": len(self.x), "energy": self.energy, "exact": self.is_exact}

    def _drawing(self) -> Drawing:
        return Drawing(self, x=self.x, y=self.y)

    @property
    def is_exact(self) -> bool:
        return self._solution.rational is not None

    @property
    def x(self) -> tuple[Fraction, ...] | Array:
        """The knots."""
        found = self._solution
        return found.data.x if found.rational is None else found.rational.x

    @property
    def y(self) -> tuple[Fraction, ...] | Array:
        found = self._solution
        return found.data.y if found.rational is None else found.rational.y

    @property
    def ell(self) -> tuple[Fraction, ...] | Array:
        """ℓ_1, ..., ℓ_M: s''/ζ at the data; 0 at both ends."""
        found = self._solution
        return found.ell if found.rational is None else found.rational.ell

    @property
    def energy(self) -> Fraction | float:
        """∫(s'')²/ζ = dᵀA⁻¹d."""
        found = self._solution
        return found.energy if found.rational is None else found.rational.energy

    @property
    def end_slopes(self) -> tuple[Fraction | float, Fraction | float]:
        """(s'(x_1), s'(x_M)), which hold outside the data too."""
        found = self._solution
        if found.rational is not None:
            return found.rational.leaving[0], found.rational.arriving[-1]
        return float(found.leaving[0]), float(found.arriving[-1])

    @overload
    def __call__(self, x: Fraction | int) -> Fraction | float: ...
    @overload
    def __call__(self, x: float) -> float: ...
    @overload
    def __call__(self, x: NDArray[Any]) -> Array: ...
    def __call__(self, x: Fraction | int | float | NDArray[Any]) -> Fraction | float | Array:
        """s(x): exact at int and Fraction if the spline is exact, in doubles for float and for arrays."""
        return self.derivative(x, 0)

    def derivative(self, x: Fraction | int | float | NDArray[Any], order: int = 1) -> Fraction | float | Array:
        """s'(x) or, for order 2, s''(x) = ζ(x) ℓ(x); at a jump of ζ the limit from the right."""
        if order not in (0, 1, 2):
            raise DataError(f"the order of a derivative is 0, 1 or 2: got {order}")
        found = self._solution
        if isinstance(x, int | Fraction) and not isinstance(x, bool):
            if found.rational is not None:
                return found.rational(Fraction(x), order)
            x = float(x)
        at = np.asarray(x, dtype=np.float64)
        result = found.bend(at) if order == 2 else found.curve(at, order)
        return float(result) if at.ndim == 0 else result

    def optimality(self) -> Optimality:
        """The certificate: what makes this function optimal, worked out again from the function itself."""
        return optimality(self._solution)

    def uv(self, right_share: Any = None) -> Adjustment:
        """The exact (u, v) of Theorem 1: training on y - u x - v gives s - u x - v.

        right_share  x -> ζ₊(x)/ζ(x), if ζ is not an initialisation and the law is not symmetric; default: 1/2
        """
        return adjustment(self._solution, right_share)


def _solved(data: Points, zeta: Weight, exact: bool | None) -> Solution:
    possible = zeta.polynomial is not None and data.fractions is not None
    if exact and not possible:
        raise DataError(
            "an exact spline needs exact data (int, Fraction or text such as '0.1', no float) and ζ a constant, a "
            "polynomial or piecewise polynomial with rational coefficients"
        )
    solution = solve(data, zeta)
    if exact or (exact is None and possible and len(data) <= EXACT_SIZE):
        if zeta.polynomial is None or data.fractions is None:
            raise AssertionError("checked above")
        solution = replace(solution, rational=rational_spline(*data.fractions, zeta.polynomial))
    return solution
