"""Problem (9) of Stewart et al. (2022): the cheapest sum of left and right ramps through given points.

Notation: the data (x_i, y_i), i = 1..n; [A, B] where kinks may lie; l_i the slopes from point to point; P their linear
spline, continued by its end lines; κ_i = l_i - l_{i-1} at the inner data points, TV = Σ|κ_i|.

The dual. Put g⁺(c) = Σ α_i [x_i - c]_+ and g⁻(c) = Σ α_i [c - x_i]_+. Their difference is affine: with η = g⁺(A) and
λ = g⁻(B), g⁺ - g⁻ = D, D(c) = (η(B - c) - λ(c - A))/(B - A). Both are linear between the data and continued to A and B
by D and by 0, so |g⁺|, |g⁻| <= 1 at A, B and the data is all the constraint there is: |η|, |λ| <= 1, and g⁺(x_i) in
[-1, 1] and in [-1 + D(x_i), 1 + D(x_i)], else free. As Σ α_i y_i = P(A)(η + λ)/(B - A) + l_1 η + Σ κ_i g⁺(x_i), the
best g⁺(x_i) is min(1, 1 + D(x_i)) if κ_i > 0 and max(-1, -1 + D(x_i)) if κ_i < 0, and the dual value is TV + ψ(η, λ),
  ψ(η, λ) = P(A)(η + λ)/(B - A) + l_1 η - Σ κ_i⁺ [-D(x_i)]_+ - Σ κ_i⁻ [D(x_i)]_+,
concave, positively homogeneous, and linear between the rays on which some D(x_i) = 0. So its maximum over the square is
at 0, at a corner, or where such a ray meets the boundary: (η, λ) = ±(c - A, B - c)/M(c), c = x_i, M(c) = max(c - A,
B - c); the corners ±(1, 1) are c = (A + B)/2.

The primal. Let θ_i of κ_i be a left ramp at x_i, the rest a right ramp, with ends p[x - A]_+ and q[B - x]_+:
  q = (P(A) - Σ θ_i κ_i (x_i - A))/(B - A),  p = (P(B) - Σ (1 - θ_i) κ_i (B - x_i))/(B - A),
which passes through the data and costs TV + |p| + |q|. It is optimal if it fits the dual: θ_i = 0 where κ_i D(x_i) > 0,
θ_i = 1 where κ_i D(x_i) < 0, p = 0 unless η = sign(p), q = 0 unless λ = sign(q).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.document import fits
from implicitbias.convex.line import exact_points, kink_range, slopes_between
from implicitbias.convex.ramps.certificate import enclosing_certificate, explicit_certificate
from implicitbias.convex.ramps.shares import End, Shares, shares
from implicitbias.convex.ramps.whole_shares import whole_shares
from implicitbias.convex.whole_numbers import WholePoints, bends_between, changes_of_slope, whole_points
from implicitbias.exact.on_arrays import at_each
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown, said

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

Kinks = tuple[Fraction, Fraction]

EXPLICIT = 200
"""Up to this many points a certificate has the ramps written out, if their weights are not too long: beyond, that takes
more time than to find them."""


@dataclass(frozen=True)
class Ramp:
    """x -> weight·[s(x - kink)]_+, s = side: +1 for a right ramp, -1 for a left one; weight != 0."""

    side: int
    kink: Fraction
    weight: Fraction

    def __call__(self, x: Fraction) -> Fraction:
        return self.weight * max(Fraction(0), self.side * (x - self.kink))


@dataclass(frozen=True, repr=False)
class RampInterpolant(Shown, Drawn):
    """What `ramp_interpolant` found: an optimum of problem (9) with the dual that proves it.

    x, y    the data, exactly
    kinks   (A, B), the range of the kinks
    value   the smallest Σ|weights|, exactly
    variation  TV = Σ|κ_i|, the part of it that no ramps through the data can save
    eta, lam   the dual at the ends: η = Σ α_i (x_i - A), λ = Σ α_i (B - x_i), both in [-1, 1]
    left_shares  θ_2, …, θ_{n-1} in [0, 1]: how much of κ_i is a left ramp; at most two lie strictly between 0 and 1
    end_weights  (p, q): of the right ramp at A and of the left ramp at B
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    kinks: Kinks
    value: Fraction
    variation: Fraction
    eta: Fraction
    lam: Fraction
    left_shares: tuple[Fraction, ...]
    end_weights: tuple[Fraction, Fraction]

    def _quantities(self) -> dict[str, Any]:
        return {"data": len(self.x), "kinks": f"[{said(self.kinks[0])}, {said(self.kinks[1])}]", "value": self.value}

    def _drawing(self) -> Drawing:
        return Drawing(self.function, [place for place, _ in self.function.kinks], self.x, self.y)

    @cached_property
    def slopes(self) -> tuple[Fraction, ...]:
        """l_1, …, l_{n-1}."""
        return slopes_between(self.x, self.y)

    @cached_property
    def _whole(self) -> WholePoints | None:
        return whole_points(self.x, self.y) if len(self.x) > 1 else None

    @cached_property
    def slope_jumps(self) -> tuple[Fraction, ...]:
        """κ_2, …, κ_{n-1}."""
        if self._whole is not None:
            return changes_of_slope(self._whole)
        return tuple(after - before for before, after in pairwise(self.slopes))

    @property
    def case(self) -> str:
        """ "zero": the value is TV; "slope": the dual is a constant D = ±1; "point": D vanishes at `place`."""
        if self.eta == self.lam == 0:
            return "zero"
        return "slope" if self.eta == -self.lam else "point"

    @property
    def place(self) -> Fraction | None:
        """c where `case` is "point", else None: the zero of D."""
        if self.case != "point":
            return None
        A, B = self.kinks
        return (self.eta * B + self.lam * A) / (self.eta + self.lam)

    @cached_property
    def ramps(self) -> tuple[Ramp, ...]:
        """An optimum: right ramps first, kinks increasing; kinks at A, B and where the slope of the data changes."""
        (A, B), (p, q) = self.kinks, self.end_weights
        inner = list(zip(self.x[1:-1], self.slope_jumps, self.left_shares, strict=True))
        right = [Ramp(1, A, p), *(Ramp(1, c, (1 - share) * kappa) for c, kappa, share in inner)]
        left = [*(Ramp(-1, c, share * kappa) for c, kappa, share in inner), Ramp(-1, B, q)]
        return tuple(ramp for ramp in right + left if ramp.weight)

    @cached_property
    def function(self) -> PiecewiseLinear:
        """The function the ramps add up to: on [x_1, x_n] the linear spline of the data."""
        from implicitbias.functions.piecewise_linear import PiecewiseLinear

        (A, B), (p, q) = self.kinks, self.end_weights
        if len(self.x) == 1:
            at = self.ramps[0] if self.ramps else Ramp(1, A, Fraction(0))
            return PiecewiseLinear([at.kink], [0], min(at.side, 0) * at.weight, max(at.side, 0) * at.weight)
        kept = [(c, y) for c, y in zip(self.x, self.y, strict=True) if A < c < B]
        kept = [(A, self._spline_at(A)), *kept, (B, self._spline_at(B))]
        return PiecewiseLinear(
            [c for c, _ in kept], [value for _, value in kept], self.slopes[0] - p, self.slopes[-1] + q
        ).simplified()

    @cached_property
    def alpha(self) -> tuple[Fraction, ...]:
        """The dual optimum: Σ α_i y_i = value, |Σ α_i φ_u(x_i)| <= 1 for all u (the printed (12) has -α in its place).

        α_i = 0 at the inner points where the slope of the data does not change.
        """
        A, B = self.kinks
        slope_before = -(self.eta + self.lam) / (B - A)
        if len(self.x) == 1:
            return (-slope_before,)
        at, values = [0], [self._gap_at(self.x[0])]
        one, minus = Fraction(1), Fraction(-1)
        always = self.eta == self.lam == 0
        for i, kappa in enumerate(self.slope_jumps, 1):
            if kappa:
                gap = 0 if always else self._gap_at(self.x[i])
                at.append(i)
                values.append((one if gap >= 0 else one + gap) if kappa > 0 else (minus if gap <= 0 else gap + minus))
        at.append(len(self.x) - 1)
        values.append(Fraction(0))
        alpha = [Fraction(0)] * len(self.x)
        slopes = ((q - p) / (self.x[j] - self.x[i]) for (i, p), (j, q) in pairwise(zip(at, values, strict=True)))
        if self._whole is None:
            listed = [slope_before, *slopes, Fraction(0)]
            for i, (before, after) in zip(at, pairwise(listed), strict=True):
                alpha[i] = after - before
            return tuple(alpha)
        for i, bend in bends_between(self._whole, at, values).items():
            alpha[i] = bend
        ends = [(values[k + 1] - values[k]) / (self.x[at[k + 1]] - self.x[at[k]]) for k in (0, len(at) - 2)]
        alpha[0], alpha[-1] = ends[0] - slope_before, -ends[1]
        return tuple(alpha)

    def feature(self, side: int, c: Real) -> Fraction:
        """Σ_i α_i [s(x_i - c)]_+, added up from its definition; s = side."""
        at = exact(c)
        return exact_sum(
            alpha * (side * (x - at))
            for alpha, x in zip(self.alpha, self.x, strict=True)
            if alpha and side * (x - at) > 0
        )

    @property
    def active(self) -> tuple[tuple[int, Fraction], ...]:
        """The (s, c), c = A (s = 1), B (s = -1) or in the data, where |Σ α_i φ_u(x_i)| = 1: every optimum of (9) whose
        kinks are there has no others. O(n²)."""
        A, B = self.kinks
        right = [(1, c) for c in sorted({A, *self.x[1:-1]})]
        left = [(-1, c) for c in sorted({*self.x[1:-1], B})]
        return tuple(u for u in right + left if abs(self.feature(*u)) == 1)

    @overload
    def __call__(self, x: Real) -> Fraction: ...
    @overload
    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __call__(self, x: Real | NDArray[np.float64]) -> Fraction | NDArray[np.float64]:
        """f(x): exactly at a number, in doubles at each entry of an array."""
        if isinstance(x, np.ndarray):
            return at_each(lambda at: self(at), x)
        at = exact(x)
        return exact_sum(ramp(at) for ramp in self.ramps)

    def certificate(self, ramps: Iterable[Ramp] | None = None) -> dict[str, Any]:
        """The proof as a document for `certificate.kernel`, by `.ramps` or by any others (refused later by the kernel
        if they are not an optimum)."""
        data = self.x, self.y, self.kinks
        if ramps is not None or len(self.x) <= EXPLICIT:
            written = [(ramp.side, ramp.kink, ramp.weight) for ramp in (self.ramps if ramps is None else ramps)]
            numbers = (self.value, *self.alpha, *(weight for *_, weight in written))
            if ramps is not None or len(self.x) <= 2 or all(map(fits, numbers)):
                return explicit_certificate(*data, written, self.alpha, self.value)
        return enclosing_certificate(*data, self.left_shares, self.eta, self.lam, self.value)

    def _gap_at(self, c: Fraction) -> Fraction:
        """D(c) = g⁺(c) - g⁻(c)."""
        A, B = self.kinks
        return (self.eta * (B - c) - self.lam * (c - A)) / (B - A)

    def _spline_at(self, end: Fraction) -> Fraction:
        i, slope = (0, self.slopes[0]) if end <= self.x[0] else (-1, self.slopes[-1])
        return self.y[i] + slope * (end - self.x[i])


def least_variation(x: Iterable[Real], y: Iterable[Real], kinks: tuple[Real, Real] | None = None) -> Fraction:
    """The value of problem (9): min Σ|w_j| over f = Σ w_j [s_j(x - c_j)]_+ with f(x_i) = y_i, kinks c_j in [A, B].

    With P the linear spline of the data, continued beyond them, l_1 its first slope, κ_i its kinks at x_2, …, x_{n-1},
    K^± = Σ κ_i^±, S^±(c) = Σ κ_i^± |x_i - c|, M(c) = max(c - A, B - c), and c over the data and the middle (A + B)/2,

      V = K^+ + K^- + max{0, l_1 - K^-, -l_1 - K^+, (P(c) - S^+(c))/M(c), (-P(c) - S^-(c))/M(c)},

    and V = |y_1|/M(x_1) for one point. Here the formula as it stands, quadratic in n; `ramp_interpolant` is O(n) and
    comes with its proof. The range of the kinks: `line.kink_range`.

    >>> least_variation([-1, 0, 1], [0, 1, 0])
    Fraction(3, 1)
    """
    points_x, points_y = exact_points(x, y)
    A, B = kink_range(points_x, kinks)
    middle = (A + B) / 2
    if len(points_x) == 1:
        return abs(points_y[0]) / max(points_x[0] - A, B - points_x[0])
    slopes = slopes_between(points_x, points_y)
    inner = [(c, after - before) for c, (before, after) in zip(points_x[1:-1], pairwise(slopes), strict=True)]
    rising, falling = _variations(slopes)

    def spline(c: Fraction) -> Fraction:
        return points_y[0] + slopes[0] * (c - points_x[0]) + sum(k * max(Fraction(0), c - at) for at, k in inner)

    candidates = [Fraction(0), slopes[0] - falling, -slopes[0] - rising]
    for c in (*points_x, middle):
        weight = max(c - A, B - c)
        above, below = (sum(max(Fraction(0), sign * k) * abs(at - c) for at, k in inner) for sign in (1, -1))
        candidates += [(spline(c) - above) / weight, (-spline(c) - below) / weight]
    return rising + falling + max(candidates)


def least_variation_on_the_line(x: Iterable[Real], y: Iterable[Real]) -> tuple[Fraction, bool]:
    """The infimum of problem (9) with kinks anywhere on R, and whether it is attained:

      V_W = K^+ + K^- + max(0, l_1 - K^-, -l_1 - K^+),  attained unless V_W = K^+ + K^- and P - S^+ or -P - S^- is
      positive somewhere (then kinks must run away: constants cost 1/L with kinks at ±L, and never 0).

    It equals the smallest representation cost max(T, |s|) through the data (`min_norm_interpolant`), although constants
    are free there.

    >>> least_variation_on_the_line([-1, 1], [1, 1]), least_variation_on_the_line([-1, 1], [-1, 1])
    ((Fraction(0, 1), False), (Fraction(1, 1), True))
    """
    points_x, points_y = exact_points(x, y)
    slopes = slopes_between(points_x, points_y)
    if not slopes:
        return Fraction(0), points_y[0] == 0
    rising, falling = _variations(slopes)
    extra = max(Fraction(0), slopes[0] - falling, -slopes[0] - rising)
    value = rising + falling + extra
    # Both differences are concave, and fall towards ±∞ where extra = 0: their maxima are at kinks, or anywhere.
    return value, extra > 0 or least_variation(points_x, points_y, _wide(points_x)) == value


def ramp_interpolant(x: Iterable[Real], y: Iterable[Real], kinks: tuple[Real, Real] | None = None) -> RampInterpolant:
    """An optimum of problem (9) and its proof, in rationals: min Σ|w_j| over sums of ramps w_j [s_j(x - c_j)]_+ through
    the points, with kinks in [A, B]; no constant and no linear part is free.

    O(n) operations on enclosures that guess the dual's case, and a few sums of n fractions that prove it.

    Parameters
    ----------
    x : iterable of numbers
        Strictly increasing, n >= 1 numbers (`exact`: floats are the dyadics they are, "0.1" is one tenth).
    y : iterable of numbers
        As many.
    kinks : (number, number), optional
        (A, B) around the data: see `line.kink_range`.

    Returns
    -------
    RampInterpolant
        An optimum, its dual, and a certificate.

    Raises
    ------
    DataError
        For data that are not n >= 1 finite points with increasing x inside [A, B].

    References
    ----------
    Stewart, Bach, Berthet and Vert (2022), problem (9), Theorem 1.1; the value is a closed form (`least_variation`).

    Examples
    --------
    >>> found = ramp_interpolant([-1, 0, 1], [-1, 0, 1])
    >>> found.value, [(r.side, int(r.kink), str(r.weight)) for r in found.ramps], found.case
    (Fraction(1, 1), [(1, -1, '1/2'), (-1, 1, '-1/2')], 'slope')
    >>> [str(value) for value in found.alpha]
    ['-1/2', '0', '1/2']
    """
    points_x, points_y = exact_points(x, y)
    A, B = kink_range(points_x, kinks)
    if len(points_x) == 1:
        return _through_one_point(points_x, points_y, (A, B))
    points = whole_points(points_x, points_y, (A, B))
    quick = whole_shares(points, (A, B)) if points is not None else None
    found, variation = in_fractions(points_x, points_y, (A, B)) if quick is None else (quick.shares, quick.variation)
    p, q = found.end_weights
    return RampInterpolant(
        points_x,
        points_y,
        (A, B),
        variation + abs(p) + abs(q),
        variation,
        found.eta,
        found.lam,
        found.left_shares,
        found.end_weights,
    )


def in_fractions(x: tuple[Fraction, ...], y: tuple[Fraction, ...], kinks: Kinks) -> tuple[Shares, Fraction]:
    """The shares and Σ|κ_i|, whatever the data."""
    slopes = slopes_between(x, y)
    jumps = [after - before for before, after in pairwise(slopes)]
    found = shares(kinks, End(x[0], y[0], slopes[0]), End(x[-1], y[-1], slopes[-1]), x[1:-1], jumps)
    signs = [(kappa > 0) - (kappa < 0) for kappa in jumps]
    # Σ sign_i (l_i - l_{i-1}) added up by slopes: half as many digits
    weights = [entering - leaving for entering, leaving in pairwise((0, *signs, 0))]
    return found, exact_sum(weight * slope for weight, slope in zip(weights, slopes, strict=True) if weight)


def _through_one_point(x: tuple[Fraction, ...], y: tuple[Fraction, ...], kinks: Kinks) -> RampInterpolant:
    """The longest ramp: |y_1| divided by how far the point is from the end of the range."""
    A, B = kinks
    to_left, to_right = x[0] - A, B - x[0]
    length, sign = max(to_left, to_right), (y[0] > 0) - (y[0] < 0)
    ends = (y[0] / length, Fraction(0)) if to_left >= to_right else (Fraction(0), y[0] / length)
    eta, lam = sign * to_left / length, sign * to_right / length
    return RampInterpolant(x, y, kinks, abs(y[0]) / length, Fraction(0), eta, lam, (), ends)


def _variations(slopes: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
    jumps = [after - before for before, after in pairwise(slopes)]
    return exact_sum(k for k in jumps if k > 0), exact_sum(-k for k in jumps if k < 0)


def _wide(x: tuple[Fraction, ...]) -> Kinks:
    """A range whose middle is the middle of the data: c = (A + B)/2 is then no place outside of them."""
    return x[0] - 1, x[-1] + 1
