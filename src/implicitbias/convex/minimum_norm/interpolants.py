"""The functions of smallest representation cost through given points, in closed form, all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from implicitbias.convex.line import exact_points, slopes_between
from implicitbias.convex.minimum_norm.certificate import minimum_norm_certificate
from implicitbias.convex.whole_numbers import QuotientSum, slope_changes, whole_points
from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear


FEW = 1000
"""Of more data the cost, a sum of as many fractions, is added up when it is asked for, not to be shown."""


@dataclass(frozen=True)
class EndSlopes:
    """The set of all optimal pairs (f'(-oo), f'(+oo)): the segment from `first` to `last`, or one point if these agree.

    first  the correction falls on the left end slope alone
    last   the correction falls on the right end slope alone
    """

    first: tuple[Fraction, Fraction]
    last: tuple[Fraction, Fraction]

    def at(self, left_share: Real) -> tuple[Fraction, Fraction]:
        """The pair with this share, in [0, 1], of the correction at the left end: 1 is `first`, 0 is `last`."""
        share = exact(left_share)
        if not 0 <= share <= 1:
            raise DataError(f"left_share is a number between 0 and 1: got {share}")
        if share in (0, 1):
            return self.first if share == 1 else self.last
        left, right = (p + share * (q - p) for p, q in zip(self.last, self.first, strict=True))
        return left, right

    def __contains__(self, pair: tuple[Real, Real]) -> bool:
        left, right = exact(pair[0]), exact(pair[1])
        (low_left, high_left), (low_right, high_right) = (
            sorted(ends) for ends in zip(self.first, self.last, strict=True)
        )
        inside = low_left <= left <= high_left and low_right <= right <= high_right
        return inside and left + right == sum(self.first)


@dataclass(frozen=True)
class Dual:
    """p(t) = Σ_n ν_n [x_n - t]_+: linear between the data, constant outside, p(-oo) = m, p(+oo) = 0.

    |p| <= 1 and |p - m| <= 1 everywhere make Σ_n ν_n y_n a lower bound for the cost of every function through the data.

    x  the data
    p  its values there; m = p[0]
    """

    x: tuple[Fraction, ...]
    p: tuple[Fraction, ...]

    @property
    def m(self) -> Fraction:
        return self.p[0]

    @cached_property
    def nu(self) -> tuple[Fraction, ...]:
        """ν_n, the slope jumps of p: Σ_n ν_n = 0, Σ_n ν_n x_n = m."""
        points = pairwise(zip(self.x, self.p, strict=True))
        slopes = [Fraction(0), *((q - p) / (t - s) for (s, p), (t, q) in points), Fraction(0)]
        return tuple(after - before for before, after in pairwise(slopes))

    def bound(self, y: Iterable[Fraction]) -> Fraction:
        """Σ_n ν_n y_n."""
        return exact_sum(nu * value for nu, value in zip(self.nu, y, strict=True))


@dataclass(frozen=True, repr=False)
class Interpolant(Shown, Drawn):
    """What `min_norm_interpolant` found.

    x, y      the data, exactly
    kinks     signs of the slope jumps at the inner data points x_2, ..., x_{N-1}
    terms     T_int as a sum that is added up only when it is asked for: it may have as many digits as all data

    All numbers are exact.
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    kinks: tuple[int, ...]
    terms: QuotientSum = field(repr=False)

    @cached_property
    def slopes(self) -> tuple[Fraction, ...]:
        """l_1, ..., l_{N-1}, of the lines from point to point."""
        return slopes_between(self.x, self.y)

    @property
    def interior_variation(self) -> Fraction:
        """T_int = Σ_n |l_n - l_{n-1}|."""
        return self.terms.exact

    @cached_property
    def moves(self) -> bool:
        """Whether t* > 0."""
        return self.terms.sign_beside(abs(self.end_slope_sum)) < 0

    @cached_property
    def correction(self) -> Fraction:
        """t* >= 0: by how much the end slopes must fall short of l_1 and l_{N-1}, together."""
        return (abs(self.end_slope_sum) - self.interior_variation) / 2 if self.moves else Fraction(0)

    @cached_property
    def cost(self) -> Fraction:
        """The smallest R(f) = max(∫|f''|, |f'(-oo) + f'(+oo)|)."""
        return self.interior_variation + self.correction if self.moves else self.interior_variation

    @cached_property
    def end_slopes(self) -> EndSlopes:
        """All optimal pairs of end slopes."""
        a, b = self.end_lines
        shift = self.sigma * self.correction
        return EndSlopes((a - shift, b), (a, b - shift))

    @property
    def unique(self) -> bool:
        """Whether the linear spline is the only minimiser among all functions: t* = 0 and no two neighbouring kinks of
        the same sign."""
        return not self.moves and not self.free_intervals

    @cached_property
    def end_lines(self) -> tuple[Fraction, Fraction]:
        """(l_1, l_{N-1}), both 0 for one point."""
        x, y = self.x, self.y
        if len(x) == 1:
            return Fraction(0), Fraction(0)
        return (y[1] - y[0]) / (x[1] - x[0]), (y[-1] - y[-2]) / (x[-1] - x[-2])

    @property
    def end_slope_sum(self) -> Fraction:
        """l_1 + l_{N-1}: what s would be if the first and the last line were continued."""
        return sum(self.end_lines, Fraction(0))

    @property
    def sigma(self) -> int:
        """The sign of l_1 + l_{N-1}."""
        return (self.end_slope_sum > 0) - (self.end_slope_sum < 0)

    @cached_property
    def free_intervals(self) -> tuple[int, ...]:
        """Each i for which minimisers differ between x[i] and x[i+1] (positions count from 0).

        These are the intervals with kinks of the same sign at both ends; if t* > 0, kinks of sign σ at the first
        point and -σ at the last one count too. (If t* > 0 minimisers differ beyond the data as well.)
        """
        outer = self.sigma if self.moves else 0
        signs = (outer, *self.kinks, -outer)
        return tuple(i for i, (left, right) in enumerate(pairwise(signs[: len(self.x)])) if left * right > 0)

    @cached_property
    def function(self) -> PiecewiseLinear:
        """The linear spline through the data with the whole correction at its left end: N - 1 kinks at most."""
        return self.spline(1)

    def _quantities(self) -> dict[str, Any]:
        told: dict[str, Any] = {"data": len(self.x)}
        return told | ({"cost": self.cost, "unique": self.unique} if len(self.x) <= FEW else {})

    def _drawing(self) -> Drawing:
        return Drawing(self.function, [place for place, _ in self.function.kinks], self.x, self.y)

    def __call__(self, x: Any) -> Any:
        """f(x) of `function`: exact for int and Fraction, in doubles for float and for arrays."""
        return self.function(x)

    def spline(self, left_share: Real) -> PiecewiseLinear:
        """The optimal linear spline with this share of the correction at the left end; all are the same if t* = 0."""
        from implicitbias.functions.piecewise_linear import PiecewiseLinear

        return PiecewiseLinear(self.x, self.y, *self.end_slopes.at(left_share))

    @cached_property
    def dual(self) -> Dual:
        """p_1 = m, p_n = m/2 + (1 - |m|/2) sign(κ_n), p_N = 0, with m = 0 if t* = 0 and m = σ otherwise."""
        m = Fraction(self.sigma if self.moves else 0)
        at = {sign: m / 2 + (1 - abs(m) / 2) * sign for sign in (-1, 0, 1)}
        inner = tuple(at[sign] for sign in self.kinks)
        return Dual(self.x, (m, *inner, Fraction(0)) if len(self.x) > 1 else (Fraction(0),))

    def certificate(self, function: PiecewiseLinear | None = None) -> dict[str, Any]:
        """The proof as a document for `certificate.kernel`, by `.function` or by any other function (refused later by
        the kernel if it is not a minimiser)."""
        ends = (self.end_slopes.first, self.end_slopes.last)
        cost = self.cost if self.moves or self.terms.is_short else self.terms
        return minimum_norm_certificate(self.x, self.y, self.dual.p, cost, self.unique, ends, function)


def min_norm_interpolant(x: Iterable[Real], y: Iterable[Real]) -> Interpolant:
    """Minimise R(f) = max(∫|f''|, |f'(-oo) + f'(+oo)|) over all functions with f(x_n) = y_n, n = 1..N.

    R is the smallest ½Σ(v² + w²) of two-layer ReLU networks with free biases that come arbitrarily close to f, so this
    is what weight decay leads wide networks to. The minimum is attained by the linear spline through the data; with

        l_n = (y_{n+1} - y_n)/(x_{n+1} - x_n),   a = l_1,   b = l_{N-1},   T_int = Σ_{n=2}^{N-1} |l_n - l_{n-1}|,
        t* = max(0, (|a + b| - T_int)/2),   σ = sign(a + b),

    it is T_int + t* = max(T_int, (T_int + |a + b|)/2), and (f'(-oo), f'(+oo)) may be any pair on the segment
    (a - σθt*, b - σ(1-θ)t*), θ in [0, 1], and no other. Proof: `certificate.kinds.minimum_norm`.

    O(N) operations on integers, and O(N) memory. T_int is a sum of N fractions that may have many digits: it is added
    up when `cost` or `interior_variation` is asked for; the certificate of so many points encloses it.

    Parameters
    ----------
    x : iterable of numbers
        Strictly increasing, N >= 1 numbers (`exact`: floats are the dyadics they are, "0.1" is one tenth).
    y : iterable of numbers
        As many.

    Returns
    -------
    Interpolant
        All optima, their cost, and a certificate.

    Raises
    ------
    DataError
        For data that are not N >= 1 finite points with increasing x.

    References
    ----------
    Savarese, Evron, Soudry and Srebro (2019), eq. (25)-(27), Theorem 3.3.

    Examples
    --------
    >>> found = min_norm_interpolant([0, 1, 2], [0, 3, 7])
    >>> found.cost, found.end_slopes.first, found.end_slopes.last, found.unique
    (Fraction(4, 1), (Fraction(0, 1), Fraction(4, 1)), (Fraction(3, 1), Fraction(1, 1)), False)
    """
    points_x, points_y = exact_points(x, y)
    points = whole_points(points_x, points_y)
    if points is not None:
        multiples = [0, *points.signs, 0][: len(points_x)]
        return Interpolant(points_x, points_y, tuple(points.signs), slope_changes(points, multiples, points.unit))
    slopes = slopes_between(points_x, points_y)
    signs = [(right > left) - (right < left) for left, right in pairwise(slopes)]
    # Σ sign_n (l_n - l_{n-1}) summed by slopes: half as many digits as summing the kinks.
    terms = zip((entering - leaving for entering, leaving in pairwise((0, *signs, 0))), slopes, strict=False)
    total = QuotientSum([w * slope.numerator for w, slope in terms], [slope.denominator for slope in slopes])
    return Interpolant(points_x, points_y, tuple(signs), total)
