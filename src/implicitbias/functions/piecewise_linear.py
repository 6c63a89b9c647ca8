"""Continuous piecewise-linear functions of one variable: exact on fractions, fast on arrays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

Side = Literal["left", "right"]


class PiecewiseLinear(Drawn):
    """f: R -> R, continuous and affine between its knots:

        f(x) = y_1 + l_0 (x - x_1)                                  for x <= x_1,
        f(x) = y_n + (y_{n+1} - y_n)/(x_{n+1} - x_n) (x - x_n)      for x_n <= x <= x_{n+1},
        f(x) = y_N + l_N (x - x_N)                                  for x >= x_N.

    Numbers are taken exactly (`exact`: 0.5 is dyadic, "0.1" is one tenth). Objects are immutable. Two are equal
    when they are the same function, however many knots each was written with. No method takes more than O(N log N)
    operations; a sum over all knots can be one very long fraction.

    Parameters
    ----------
    knots : iterable of numbers
        x_1 < ... < x_N, at least one.
    values : iterable of numbers
        y_n = f(x_n).
    left_slope, right_slope : number
        l_0 = f'(-oo) and l_N = f'(+oo).

    Raises
    ------
    DataError
        If knots do not increase, lengths differ or a number is not finite.

    Examples
    --------
    >>> f = PiecewiseLinear([0], [0], -1, 1)      # |x|
    >>> f(Fraction(-1, 3)), f.total_variation, f.end_slope_sum
    (Fraction(1, 3), Fraction(2, 1), Fraction(0, 1))
    >>> f - f.shifted(1) == PiecewiseLinear([0, 1], [-1, 1], 0, 0)
    True
    """

    def __init__(self, knots: Iterable[Real], values: Iterable[Real], left_slope: Real, right_slope: Real) -> None:
        self._knots = tuple(_exact(x, f"knots[{i}]") for i, x in enumerate(knots))
        self._values = tuple(_exact(y, f"values[{i}]") for i, y in enumerate(values))
        self._left_slope = _exact(left_slope, "left_slope")
        self._right_slope = _exact(right_slope, "right_slope")
        if not self._knots:
            raise DataError("a piecewise-linear function needs at least one knot: got none")
        if len(self._knots) != len(self._values):
            raise DataError(
                f"as many values as knots are needed: got {len(self._knots)} knots, {len(self._values)} values"
            )
        for i, (here, there) in enumerate(pairwise(self._knots)):
            if here >= there:
                raise DataError(
                    f"knots must increase: knots[{i}]={_short(here)} is not below knots[{i + 1}]={_short(there)}"
                )

    @classmethod
    def affine(cls, slope: Real, intercept: Real) -> PiecewiseLinear:
        """x -> slope x + intercept."""
        return cls([0], [intercept], slope, slope)

    @classmethod
    def from_points(
        cls, x: Sequence[Real], y: Sequence[Real], left_slope: Real | None = None, right_slope: Real | None = None
    ) -> PiecewiseLinear:
        """The linear spline through the points; a missing end slope continues the first or the last piece.

        x strictly increasing. One point alone: missing end slopes are 0 (the constant).

        >>> PiecewiseLinear.from_points([0, 1, 3], [0, 1, 0])(4)
        Fraction(-1, 2)
        """
        spline = cls(x, y, 0, 0)
        if len(spline.knots) > 1:
            points = list(zip(spline.knots, spline.values, strict=True))
            for name, ((x1, y1), (x2, y2)) in (("_left_slope", points[:2]), ("_right_slope", points[-2:])):
                setattr(spline, name, (y2 - y1) / (x2 - x1))
        if left_slope is not None:
            spline._left_slope = _exact(left_slope, "left_slope")
        if right_slope is not None:
            spline._right_slope = _exact(right_slope, "right_slope")
        return spline

    @classmethod
    def from_kinks(
        cls, kinks: Iterable[tuple[Real, Real]], left_slope: Real, at: Real = 0, value: Real = 0
    ) -> PiecewiseLinear:
        """The function with these slope jumps (location, jump), in any order, this slope at -oo, and f(at) = value.

        >>> PiecewiseLinear.from_kinks([(1, 2), (0, -1), (1, -1)], left_slope=1)(5)
        Fraction(4, 1)
        """
        jumps: dict[Fraction, Fraction] = {}
        for location, jump in kinks:
            place = exact(location)
            jumps[place] = jumps.get(place, Fraction(0)) + exact(jump)
        places = sorted(place for place, jump in jumps.items() if jump) or [exact(at)]
        slope = exact(left_slope)
        slopes, values = [slope], [Fraction(0)]
        for place in places:
            slope += jumps.get(place, Fraction(0))
            slopes.append(slope)
        for (here, there), between in zip(pairwise(places), slopes[1:], strict=False):
            values.append(values[-1] + between * (there - here))
        anchored = cls(places, values, slopes[0], slopes[-1])
        return anchored + (exact(value) - anchored(exact(at)))

    @property
    def knots(self) -> tuple[Fraction, ...]:
        return self._knots

    @property
    def values(self) -> tuple[Fraction, ...]:
        return self._values

    @property
    def left_slope(self) -> Fraction:
        return self._left_slope

    @property
    def right_slope(self) -> Fraction:
        return self._right_slope

    @cached_property
    def slopes(self) -> tuple[Fraction, ...]:
        """(l_0, ..., l_N): one more than knots; slopes[n] holds between knots[n-1] and knots[n]."""
        points = pairwise(zip(self._knots, self._values, strict=True))
        inner = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in points]
        return (self._left_slope, *inner, self._right_slope)

    @cached_property
    def jumps(self) -> tuple[Fraction, ...]:
        """l_n - l_{n-1} at each knot; zero if the knot is not a kink. f'' = Σ_n jumps[n] δ(x - knots[n])."""
        return tuple(right - left for left, right in pairwise(self.slopes))

    @cached_property
    def kinks(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(location, jump) wherever the slope changes."""
        return tuple((x, jump) for x, jump in zip(self._knots, self.jumps, strict=True) if jump)

    @property
    def pieces(self) -> int:
        """The number of affine pieces of the function: one more than kinks."""
        return len(self.kinks) + 1

    @cached_property
    def total_variation(self) -> Fraction:
        """T = ∫|f''| = Σ_n |l_n - l_{n-1}|, the total variation of f'."""
        return exact_sum(abs(jump) for jump in self.jumps)

    @property
    def end_slope_sum(self) -> Fraction:
        """s = f'(-oo) + f'(+oo) = l_0 + l_N."""
        return self._left_slope + self._right_slope

    @property
    def is_affine(self) -> bool:
        return not self.kinks

    def variation_between(self, a: Real, b: Real) -> Fraction:
        """The variation of f' on the open interval (a, b): kinks at its ends do not count."""
        left, right = exact(a), exact(b)
        first, last = bisect_right(self._knots, left), bisect_left(self._knots, right)
        return exact_sum(abs(jump) for jump in self.jumps[first:last])

    @property
    def asymptotes(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """(slope, intercept) of the affine functions that f is equal to near -oo and near +oo."""
        (x1, y1), (xN, yN) = (self._knots[0], self._values[0]), (self._knots[-1], self._values[-1])
        return (self._left_slope, y1 - self._left_slope * x1), (self._right_slope, yN - self._right_slope * xN)

    @overload
    def __call__(self, x: int | Fraction) -> Fraction: ...
    @overload
    def __call__(self, x: float) -> float: ...
    @overload
    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __call__(self, x: int | Fraction | float | NDArray[np.float64]) -> Fraction | float | NDArray[np.float64]:
        """f(x): exact for int and Fraction, in double precision for float and for arrays of any shape."""
        if isinstance(x, int | Fraction):
            return self._at(Fraction(x))
        if isinstance(x, float):
            return float(self._on_array(np.array(x)))
        return self._on_array(np.asarray(x, dtype=np.float64))

    def _at(self, x: Fraction) -> Fraction:
        piece = bisect_right(self._knots, x)
        n = max(piece - 1, 0)
        return self._values[n] + self.slopes[piece] * (x - self._knots[n])

    @cached_property
    def _doubles(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        try:
            return (
                np.array([float(x) for x in self._knots]),
                np.array([float(y) for y in self._values]),
                np.array([float(slope) for slope in self.slopes]),
            )
        except OverflowError:
            raise DataError(
                "a knot, value or slope exceeds 1.8e308: evaluate at Fractions, which is exact, or rescale the data"
            ) from None

    def _on_array(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        knots, values, slopes = self._doubles
        piece = np.searchsorted(knots, x, side="right")
        n = np.maximum(piece - 1, 0)
        return np.asarray(values[n] + slopes[piece] * (x - knots[n]), dtype=np.float64)

    def derivative(self, x: Real, side: Side | None = None) -> Fraction:
        """f'(x), or the derivative from one side. Raises DataError at a kink unless a side is named."""
        place = exact(x)
        left = self.slopes[bisect_left(self._knots, place)]
        right = self.slopes[bisect_right(self._knots, place)]
        if side is None and left != right:
            raise DataError(
                f"f has a kink at x={_short(place)}: f' is {_short(left)} on its left, {_short(right)} on its right; "
                "ask for side='left' or side='right'"
            )
        return left if side == "left" else right

    def integral(self, a: Real, b: Real) -> Fraction:
        """∫_a^b f(x) dx, exactly; negative orientation where b < a."""
        left, right = exact(a), exact(b)
        if right < left:
            return -self.integral(right, left)
        inside = self._knots[bisect_right(self._knots, left) : bisect_left(self._knots, right)]
        ends = [left, *inside, right]
        heights = [self._at(x) for x in ends]
        return exact_sum(
            (there - here) * (heights[i] + heights[i + 1]) / 2 for i, (here, there) in enumerate(pairwise(ends))
        )

    def simplified(self) -> PiecewiseLinear:
        """The same function with knots at its kinks only; an affine function keeps one knot, at 0."""
        if not self.kinks:
            return PiecewiseLinear.affine(self._left_slope, self._at(Fraction(0)))
        if len(self.kinks) == len(self._knots):
            return self
        kept = [n for n, jump in enumerate(self.jumps) if jump]
        return PiecewiseLinear(
            [self._knots[n] for n in kept], [self._values[n] for n in kept], self._left_slope, self._right_slope
        )

    def refined(self, places: Iterable[Real]) -> PiecewiseLinear:
        """The same function with knots added at these places."""
        known = set(self._knots)
        added = sorted(set(map(exact, places)) - known)
        if not added:
            return self
        pairs = sorted([*zip(self._knots, self._values, strict=True), *((x, self._at(x)) for x in added)])
        return PiecewiseLinear([x for x, _ in pairs], [y for _, y in pairs], self._left_slope, self._right_slope)

    def shifted(self, h: Real) -> PiecewiseLinear:
        """x -> f(x - h): the graph moved to the right by h."""
        step = exact(h)
        return PiecewiseLinear([x + step for x in self._knots], self._values, self._left_slope, self._right_slope)

    def scaled(self, factor: Real) -> PiecewiseLinear:
        """x -> f(factor x); the constant f(0) for factor 0."""
        a = exact(factor)
        if a == 0:
            return PiecewiseLinear.affine(0, self._at(Fraction(0)))
        if a > 0:
            return PiecewiseLinear(
                [x / a for x in self._knots], self._values, a * self._left_slope, a * self._right_slope
            )
        return PiecewiseLinear(
            [x / a for x in reversed(self._knots)], self._values[::-1], a * self._right_slope, a * self._left_slope
        )

    def reflected(self) -> PiecewiseLinear:
        """x -> f(-x)."""
        return self.scaled(-1)

    def __add__(self, other: PiecewiseLinear | Real) -> PiecewiseLinear:
        if not isinstance(other, PiecewiseLinear):
            step = exact(other)
            return PiecewiseLinear(self._knots, [y + step for y in self._values], self._left_slope, self._right_slope)
        f, g = self.refined(other.knots), other.refined(self.knots)
        return PiecewiseLinear(
            f.knots,
            [a + b for a, b in zip(f.values, g.values, strict=True)],
            f.left_slope + g.left_slope,
            f.right_slope + g.right_slope,
        )

    __radd__ = __add__

    def __mul__(self, scalar: Real) -> PiecewiseLinear:
        a = exact(scalar)
        return PiecewiseLinear(self._knots, [a * y for y in self._values], a * self._left_slope, a * self._right_slope)

    __rmul__ = __mul__

    def __neg__(self) -> PiecewiseLinear:
        return self * -1

    def __sub__(self, other: PiecewiseLinear | Real) -> PiecewiseLinear:
        return self + (-other if isinstance(other, PiecewiseLinear) else -exact(other))

    def __rsub__(self, other: Real) -> PiecewiseLinear:
        return -self + other

    def __truediv__(self, scalar: Real) -> PiecewiseLinear:
        divisor = exact(scalar)
        if divisor == 0:
            raise DataError("a function cannot be divided by 0")
        return self * (1 / divisor)

    def positive_part(self) -> PiecewiseLinear:
        """x -> max(f(x), 0)."""
        f = self.refined(self._crossings())
        ends = [f.slopes[0], f.slopes[-1]]
        if f.values[0] < 0 or (f.values[0] == 0 and ends[0] > 0):
            ends[0] = Fraction(0)
        if f.values[-1] < 0 or (f.values[-1] == 0 and ends[1] < 0):
            ends[1] = Fraction(0)
        return PiecewiseLinear(f.knots, [max(y, Fraction(0)) for y in f.values], ends[0], ends[1])

    def _crossings(self) -> list[Fraction]:
        """Where f changes sign strictly between knots, or beyond them."""
        points = list(zip(self._knots, self._values, strict=True))
        found = [x1 - y1 * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in pairwise(points) if y1 * y2 < 0]
        (x1, y1), (xN, yN) = points[0], points[-1]
        if y1 * self._left_slope > 0:
            found.append(x1 - y1 / self._left_slope)
        if yN * self._right_slope < 0:
            found.append(xN - yN / self._right_slope)
        return found

    def __abs__(self) -> PiecewiseLinear:
        return self.positive_part() * 2 - self

    def maximum(self, other: PiecewiseLinear | Real) -> PiecewiseLinear:
        """x -> max(f(x), g(x))."""
        return (self - other).positive_part() + other

    def minimum(self, other: PiecewiseLinear | Real) -> PiecewiseLinear:
        """x -> min(f(x), g(x))."""
        return self - (self - other).positive_part()

    def after(self, inner: PiecewiseLinear) -> PiecewiseLinear:
        """The composition x -> f(inner(x))."""
        places: list[Fraction] = []
        knots, values, slopes = inner.knots, inner.values, inner.slopes
        for piece, slope in enumerate(slopes):
            if slope == 0:
                continue
            n = max(piece - 1, 0)
            ends = [None if piece == 0 else values[piece - 1], None if piece == len(knots) else values[piece]]
            low, high = ends if slope > 0 else ends[::-1]
            first = 0 if low is None else bisect_right(self._knots, low)
            last = len(self._knots) if high is None else bisect_left(self._knots, high)
            places.extend(knots[n] + (t - values[n]) / slope for t in self._knots[first:last])
        g = inner.refined(places)
        far_left, far_right = self._beyond(-g.left_slope, g.values[0]), self._beyond(g.right_slope, g.values[-1])
        return PiecewiseLinear(
            g.knots, [self._at(y) for y in g.values], far_left * g.left_slope, far_right * g.right_slope
        )

    def _beyond(self, direction: Fraction, start: Fraction) -> Fraction:
        """The slope of f just beyond `start`, in this direction."""
        if direction > 0:
            return self.slopes[bisect_right(self._knots, start)]
        return self.slopes[bisect_left(self._knots, start)]

    @cached_property
    def _canonical(self) -> tuple[object, ...]:
        f = self.simplified()
        return f.knots, f.values, f.left_slope, f.right_slope

    def __eq__(self, other: object) -> bool:
        return self._canonical == other._canonical if isinstance(other, PiecewiseLinear) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._canonical)

    def _drawing(self) -> Drawing:
        return Drawing(self, [place for place, _ in self.kinks])

    def _repr_html_(self) -> str:
        told = {"pieces": self.pieces, "∫|f''|": self.total_variation, "f'(-∞)": self._left_slope}
        shown = [f"{_short(x)}: {_short(jump)}" for x, jump in self.kinks[:6]]
        kinks = ", ".join([*shown, *(["…"] if self.pieces > 7 else [])]) or "none"
        return table("PiecewiseLinear", {**told, "f'(+∞)": self._right_slope, "slope jumps at": kinks})

    def __repr__(self) -> str:
        if len(self._knots) > 8:
            ends = f"from {_short(self._knots[0])} to {_short(self._knots[-1])}"
            return f"<PiecewiseLinear with {len(self._knots)} knots {ends}>"
        knots, values = ([_short(number) for number in row] for row in (self._knots, self._values))
        ends = f"{_short(self._left_slope)}, {_short(self._right_slope)}"
        return f"PiecewiseLinear([{', '.join(knots)}], [{', '.join(values)}], {ends})"


def _exact(number: Real, name: str) -> Fraction:
    if type(number) is Fraction:
        return number
    try:
        return exact(number.item() if isinstance(number, np.generic) else number)
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _short(number: Fraction) -> str:
    """The fraction as text, or as a decimal if it is too long to read."""
    return (
        str(number)
        if max(number.numerator.bit_length(), number.denominator.bit_length()) < 80
        else f"{float(number):.12g}"
    )
