"""Derivatives of the bump h of (38) beyond the unit ball, and their limits far out, from values of h alone.

w lies at the tilt τ from the hyperplane across x: <w,x> = ρ sin τ, and dw = |S^(d-2)| cos(τ)^(d-2) dτ. So
h(ρ) = |S^(d-2)| ∫ (1 - ρ|sin τ|) cos(τ)^(d-2) dτ over |sin τ| < 1/ρ.

This is an analytic function of a complex ρ with |ρ| > 1, and of u = 1/ρ: ρh is one for |u| < 1, and even. An even
function that is analytic and at most B for |u| <= U is within B(q² + q⁴ + …), q = u/U, of its value at 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from .differences import derivative, up_to
from .sphere import BITS, area, ball, integrate_in_balls

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval

FAR = 2**56
"""A radius: what is enclosed for it with the rest of the series is so for every larger one, and in the limit."""


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
        bound = largest(d, to_arb(rho - radius), to_arb(rho + radius))
        return derivative(lambda t: bump(d, to_arb(rho * rho + 2 * c * rho * t + t * t).sqrt()), order, radius, bound)


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
        return up_to(here, 2 * rest, Fraction(4, FAR))  # from here to the limit and back to any larger radius


def second_coefficient(d: int) -> Interval:
    """The limit of ρ²(ρh - lim ρh): the coefficient of u² in ρh, from its values at u and 2u.

    With |coefficient of u^(2k)| <= B/U^(2k): (F(2u) - F(u))/3u² has the rest B/(3u²) Σ_{k>=2} (2u/U)^(2k).
    """
    import flint

    with flint.ctx.workprec(BITS):
        near, far = (bump(d, flint.arb(rho)) * rho for rho in (FAR // 2, FAR))
        square = flint.arb(FAR) ** 2 / 3
        rest = 4 * largest(d, 4, 4) * square * flint.arb(8) ** 2 / flint.arb(FAR) ** 2  # U = 1/4, |ρ| = 4
        return up_to((near - far) * square, rest, Fraction(8, FAR))
