"""Derivatives of the bump h of (38) beyond the unit ball, and their limits far out, from values of h alone.

w lies at the tilt τ from the hyperplane across x: <w,x> = ρ sin τ, and dw = |S^(d-2)| cos(τ)^(d-2) dτ. So
h(ρ) = |S^(d-2)| ∫ (1 - ρ|sin τ|) cos(τ)^(d-2) dτ over |sin τ| < 1/ρ.

This is an analytic function of a complex ρ with |ρ| > 1, and of u = 1/ρ: ρh is one for |u| < 1, and even. Cauchy's
estimate, the coefficient of t^k is at most sup|g|/R^k if g is analytic for |t| <= R, turns values into enclosures:

- g(t) = h(|x + te|) for <e,x> = cρ has the derivatives g'(0) = (g(s) - g(-s))/2s and g''(0) = (g(s) - 2g(0) + g(-s))/s²
  up to sup|g|/R · q²/(1-q²) and 2 sup|g|/R² · q²/(1-q²), q = s/R;
- a function of u that is analytic, even and at most B for |u| <= U stays within B q²/(1-q²), q = u/U, of its limit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from .sphere import BITS, area, ball, integrate_in_balls

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval

FAR = 2**56
"""A radius: what is enclosed for it with the rest of the series is so for every larger one, and in the limit."""
NARROW = Fraction(1, 2**56)
"""The step of a difference quotient, as a share of the radius R of Cauchy's estimate."""


def hat(t: Any) -> Any:
    """The three units of (38) together at <w,x> = ±t, 0 <= t <= 1."""
    return 1 - t


def bump(d: int, rho: Any) -> Any:
    """h at the radius ρ > 1, a ball."""
    import flint

    half = integrate_in_balls(lambda z: hat(rho * z.sin()) * z.cos() ** (d - 2), 0, (1 / flint.arb(rho)).asin())
    return 2 * ball(area(d - 2)) * half


def largest(d: int, least: Any, most: Any) -> Any:
    """At least |h| for complex ρ with 1 < least <= |ρ| <= most.

    On the segment from 0 to asin(1/ρ): |asin z| <= asin|z|, |sin τ| <= sinh|τ| and |cos τ| <= cosh|τ|.
    """
    import flint

    tilt = (1 / flint.arb(least)).asin()
    return 2 * ball(area(d - 2)) * tilt * (1 + most * tilt.sinh()) * tilt.cosh() ** (d - 2)


def directional(d: int, rho: Fraction | int, order: int, c: Fraction | int = 1) -> Interval:
    """The derivative of h of order 0, 1 or 2 along a unit vector at the angle arccos c with x, |x| = ρ > 1.

    >>> slope = directional(3, 2, 1)
    >>> round(float(slope.lower), 12), slope.width < Fraction(1, 10**30)  # h = 2π/ρ for d = 3
    (-1.570796326795, True)
    """
    import flint

    from implicitbias.exact.enclosure import to_arb

    with flint.ctx.workprec(BITS):
        radius = Fraction(rho - 1) / 2  # |x + te| lies between ρ - |t| and ρ + |t| for complex t
        step = radius * NARROW

        def along(t: Fraction) -> Any:
            return bump(d, to_arb(rho * rho + 2 * c * rho * t + t * t).sqrt())

        if order == 0:
            quotient = along(Fraction(0))
        elif order == 1:
            quotient = (along(step) - along(-step)) / to_arb(2 * step)
        else:
            quotient = (along(step) - 2 * along(Fraction(0)) + along(-step)) / to_arb(step * step)
        rest = order * largest(d, to_arb(rho - radius), to_arb(rho + radius)) / to_arb(radius) ** order
        return _within(quotient, rest, NARROW)


@cache
def far_out(d: int, order: int, c: Fraction | int = 1) -> Interval:
    """ρ^(order+1) times that derivative, for every ρ >= FAR and in the limit.

    It is the derivative of ρ h(|x + ρτe|) in τ at 0, analytic for |τ| <= 1/2 and |u| <= 1/4: |x + ρτe| is then between
    |ρ|/2 and 3|ρ|/2, and ρ h is largest where |u| = 1/4, |ρ| = 4.

    >>> limit = far_out(3, 0)
    >>> round(float(limit.lower), 12), limit.width < Fraction(1, 10**29)  # 2π
    (6.28318530718, True)
    """
    import flint

    from implicitbias.exact.enclosure import to_arb

    with flint.ctx.workprec(BITS):
        here = to_arb(directional(d, FAR, order, c)) * flint.arb(FAR) ** (order + 1)
        rest = max(order, 1) * 2**order * 4 * largest(d, 2, 6)
        return _within(here, 2 * rest, Fraction(4, FAR))  # from here to the limit and back to any larger radius


def second_coefficient(d: int) -> Interval:
    """The limit of ρ²(ρh - lim ρh): the coefficient of u² in ρh, from its values at u and 2u.

    With |coefficient of u^(2k)| <= B/U^(2k): (F(2u) - F(u))/3u² has the rest B/(3u²) Σ_{k>=2} (2u/U)^(2k).
    """
    import flint

    with flint.ctx.workprec(BITS):
        near, far = (bump(d, flint.arb(rho)) * rho for rho in (FAR // 2, FAR))
        square = flint.arb(FAR) ** 2 / 3
        rest = 4 * largest(d, 4, 4) * square * flint.arb(8) ** 2 / flint.arb(FAR) ** 2  # U = 1/4, |ρ| = 4
        return _within((near - far) * square, rest, Fraction(8, FAR))


def _within(value: Any, rest: Any, ratio: Fraction) -> Interval:
    """value up to rest · (ratio² + ratio⁴ + …)."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    square = to_arb(ratio * ratio)
    return from_arb(value + rest * square / (1 - square) * flint.arb(0, 1))
