"""Two-layer ReLU networks of one input: their cost, and conversion to and from piecewise-linear functions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, overload

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.functions.piecewise_linear import PiecewiseLinear

if TYPE_CHECKING:
    from numpy.typing import NDArray

BALANCE_BITS = 64
"""Bits to which a unit with an irrational balancing factor is balanced."""

BLOCK = 1 << 22
"""Maximum number of entries of the units × inputs matrix held at once."""


class Network:
    """h(x) = Σ_i v_i [w_i x + b_i]_+ + c, with n units of one input.

    Parameters
    ----------
    w, b, v : iterable of numbers
        n each (n = 0 is the constant c), taken exactly: floats as dyadic numbers.
    c : number, default=0
        The output bias, not penalised.

    Raises
    ------
    DataError
        If lengths differ or a number is not finite.

    Examples
    --------
    >>> net = Network(w=[1, -1], b=[0, 0], v=[2, 2])
    >>> net.cost, net.path_norm, net(Fraction(-1, 3))
    (Fraction(5, 1), Fraction(4, 1), Fraction(2, 3))
    >>> net.to_piecewise_linear() == PiecewiseLinear([0], [0], -2, 2)
    True
    """

    def __init__(self, w: Iterable[Real], b: Iterable[Real], v: Iterable[Real], c: Real = 0) -> None:
        self.w = _exact_all(w, "w")
        self.b = _exact_all(b, "b")
        self.v = _exact_all(v, "v")
        self.c = _exact_all([c], "c")[0]
        if not len(self.w) == len(self.b) == len(self.v):
            raise DataError(
                f"w, b and v need one number per unit: got {len(self.w)}, {len(self.b)} and {len(self.v)} numbers"
            )

    @property
    def width(self) -> int:
        """The number of units, dead ones included."""
        return len(self.w)

    @cached_property
    def cost(self) -> Fraction:
        """C = ½ Σ_i (v_i² + w_i²): biases are free (Savarese et al. 2019, equation 3)."""
        return exact_sum([(v * v + w * w) / 2 for w, v in zip(self.w, self.v, strict=True)])

    @cached_property
    def path_norm(self) -> Fraction:
        """Σ_i |v_i w_i|: the least cost of a rescaling of the units (Savarese et al. 2019, Lemma 1)."""
        return exact_sum([abs(v * w) for w, v in zip(self.w, self.v, strict=True)])

    @property
    def is_balanced(self) -> bool:
        """Whether |v_i| = |w_i| for every unit, which is cost = path norm."""
        return all(abs(w) == abs(v) for w, v in zip(self.w, self.v, strict=True))

    @overload
    def __call__(self, x: int | Fraction) -> Fraction: ...
    @overload
    def __call__(self, x: float) -> float: ...
    @overload
    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __call__(self, x: int | Fraction | float | NDArray[np.float64]) -> Fraction | float | NDArray[np.float64]:
        """h(x): exact for int and Fraction, in double precision for float and for arrays of any shape."""
        if isinstance(x, int | Fraction):
            return self.c + exact_sum(
                [v * (w * x + b) for w, b, v in zip(self.w, self.b, self.v, strict=True) if w * x + b > 0]
            )
        if isinstance(x, float):
            return float(self._on_array(np.array([x]))[0])
        return self._on_array(np.asarray(x, dtype=np.float64))

    @cached_property
    def _doubles(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        w, b, v = (np.array([float(number) for number in row]) for row in (self.w, self.b, self.v))
        return w, b, v

    def _on_array(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        w, b, v = self._doubles
        flat = x.reshape(-1)
        out = np.full(flat.shape, float(self.c))
        step = max(1, BLOCK // max(1, self.width))
        for start in range(0, flat.size, step):
            block = flat[start : start + step]
            out[start : start + step] += np.maximum(np.outer(block, w) + b, 0.0) @ v
        return out.reshape(x.shape)

    def to_piecewise_linear(self) -> PiecewiseLinear:
        """The function of the network, with a knot wherever its slope changes.

        A unit has its kink at -b/w with slope jump v|w|; units with v = 0 contribute nothing, units with w = 0 a
        constant, and jumps at one place add up, possibly to 0. Cost O(n log n).
        """
        slope = intercept = Fraction(0)
        changes: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
        dead = [self.c]
        at_left: list[tuple[Fraction, Fraction]] = []
        for w, b, v in zip(self.w, self.b, self.v, strict=True):
            if w == 0 or v == 0:
                dead.append(v * max(b, Fraction(0)))
                continue
            sign = 1 if w > 0 else -1
            changes.setdefault(-b / w, []).append((sign * v * w, sign * v * b))
            if w < 0:  # the unit is active near -oo
                at_left.append((v * w, v * b))
        slope = exact_sum([a for a, _ in at_left])
        intercept = exact_sum([*dead, *(e for _, e in at_left)])
        # On each piece h(x) = slope x + intercept. Both have the short denominators of v w and v b, where values at the
        # kinks summed up from left to right would not.
        first, knots, values, slopes = slope, [], [], [slope]
        for kink in sorted(changes):
            jump = sum((a for a, _ in changes[kink]), Fraction(0))
            if jump == 0:  # then the intercepts, -kink × jump, cancel too
                continue
            slope += jump
            intercept += sum((e for _, e in changes[kink]), Fraction(0))
            knots.append(kink)
            values.append(slope * kink + intercept)
            slopes.append(slope)
        if not knots:
            return PiecewiseLinear.affine(first, intercept)
        return PiecewiseLinear(knots, values, first, slope)

    def simplified(self) -> Network:
        """The same function without dead units: w = 0 moves into the output bias, v = 0 is dropped."""
        live = [unit for unit in zip(self.w, self.b, self.v, strict=True) if unit[0] and unit[2]]
        dead = [v * max(b, Fraction(0)) for w, b, v in zip(self.w, self.b, self.v, strict=True) if not w]
        return Network([u[0] for u in live], [u[1] for u in live], [u[2] for u in live], self.c + exact_sum(dead))

    def rescaled(self, factors: Iterable[Real]) -> Network:
        """The same function with (w_i, b_i) multiplied and v_i divided by c_i > 0."""
        c = _exact_all(factors, "factors")
        if len(c) != self.width or any(factor <= 0 for factor in c):
            raise DataError(f"one positive factor per unit is needed: got {len(c)} factors for {self.width} units")
        return Network(
            [w * f for w, f in zip(self.w, c, strict=True)],
            [b * f for b, f in zip(self.b, c, strict=True)],
            [v / f for v, f in zip(self.v, c, strict=True)],
            self.c,
        )

    def unit_rows(self) -> Network:
        """The same function with |w_i| = 1; dead units are dropped. Then Σ|v_i| is the path norm (Lemma 1)."""
        live = self.simplified()
        return live.rescaled([1 / abs(w) for w in live.w])

    def balanced(self, bits: int = BALANCE_BITS) -> Network:
        """The same function with |v_i| = |w_i|, so that cost = path norm; dead units are dropped.

        The factor is c_i = sqrt(|v_i|/|w_i|), exact if it is rational. Otherwise a rational factor within a relative
        2^-bits of it is taken, so the function stays exactly the same and the cost exceeds the path norm by a relative
        4^-bits at most; `is_balanced` says which case applies.

        >>> net = Network([1, 1], [0, 1], [4, 2]).balanced()
        >>> net.w[0], net.v[0], net.is_balanced
        (Fraction(2, 1), Fraction(2, 1), False)
        """
        live = self.simplified()
        return live.rescaled([square_root(abs(v / w), bits) for w, v in zip(live.w, live.v, strict=True)])

    def __repr__(self) -> str:
        if self.width > 6:
            return f"<Network of {self.width} units>"
        rows = ", ".join(
            f"{name}=[{', '.join(map(str, row))}]" for name, row in zip("wbv", (self.w, self.b, self.v), strict=True)
        )
        return f"Network({rows}, c={self.c})"


def square_root(number: Fraction, bits: int) -> Fraction:
    """sqrt(number) of a positive number: exact if it is rational, otherwise within a relative 2^-bits.

    >>> square_root(Fraction(4, 9), 10), abs(square_root(Fraction(2), 20) ** 2 / 2 - 1) < Fraction(1, 2**19)
    (Fraction(2, 3), True)
    """
    top, bottom = isqrt(number.numerator), isqrt(number.denominator)
    if top * top == number.numerator and bottom * bottom == number.denominator:
        return Fraction(top, bottom)
    shift = bits + max(0, number.denominator.bit_length() - number.numerator.bit_length() + 2) // 2 + 1
    return Fraction(isqrt((number.numerator << 2 * shift) // number.denominator), 1 << shift)


def attaining_network(f: PiecewiseLinear) -> Network:
    """A network with |w_i| = 1 that is f and has Σ|v_i| = max(T, |s|), the representation cost: no network has less.

    A kink (t, κ) of f is split as p [x-t]_+ + q [t-x]_+ with p + q = κ; p - q over all kinks must sum to s. For
    |s| <= T each kink gets |p| + |q| = |κ|, one kink at most being split; for |s| > T all kinks are turned towards the
    sign of s, and (r/2)([x-t]_+ - [t-x]_+) with r = s ∓ T is added at one of them. It has at most one unit more than
    there are kinks, and two for an affine function. (Savarese et al. 2019, proof of Theorem 3.1.)

    >>> net = attaining_network(PiecewiseLinear.affine(3, 1))
    >>> net.path_norm, net.width, net.to_piecewise_linear() == PiecewiseLinear.affine(3, 1)
    (Fraction(6, 1), 2, True)
    """
    T, s = f.total_variation, f.end_slope_sum
    sigma = -1 if s < 0 else 1
    missing = max(abs(s) - T, Fraction(0))  # what the pair of atoms must add to |s|
    kinks = f.kinks or ((Fraction(0), Fraction(0)),)
    # Σ (p - q) sigma = (turned towards sigma) - (turned away) = min(|s|, T), the two together being T.
    whole, rest = _greatest_prefix([abs(jump) for _, jump in kinks], (T + min(abs(s), T)) / 2)
    w, b, v = [], [], []

    def unit(direction: int, place: Fraction, weight: Fraction) -> None:
        if weight:
            w.append(Fraction(direction))
            b.append(-direction * place)
            v.append(weight)

    for i, (place, jump) in enumerate(kinks):
        turned = abs(jump) if i < whole else rest if i == whole else Fraction(0)
        along = turned if jump > 0 else -turned
        ahead, back = (along, jump - along) if sigma * jump > 0 else (jump - along, along)
        unit(1, place, ahead + sigma * missing / 2)
        unit(-1, place, back - sigma * missing / 2)
        missing = Fraction(0)
    anchor = f.knots[0]
    return Network(w, b, v, f(anchor) - Network(w, b, v)(anchor))


def _greatest_prefix(parts: list[Fraction], total: Fraction) -> tuple[int, Fraction]:
    """(k, rest) with parts[0] + ... + parts[k-1] + rest = total and 0 <= rest < parts[k]; parts nonnegative.

    By bisection, so that each part enters few sums: running sums would carry the long common denominator n times.
    """
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        half = exact_sum(parts[low:middle])
        if half <= total:
            low, total = middle, total - half
        else:
            high = middle - 1
    return low, total


def _exact_all(numbers: Iterable[Real], name: str) -> tuple[Fraction, ...]:
    found = []
    for i, number in enumerate(numbers):
        try:
            found.append(exact(number.item() if isinstance(number, np.generic) else number))
        except DataError as error:
            raise DataError(f"{name}[{i}]: {error}") from None
    return tuple(found)
