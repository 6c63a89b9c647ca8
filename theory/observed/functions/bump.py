"""The function h of (38), h(x) = ∫_{S^(d-1)} [<w,x>+1]_+ - 2[<w,x>]_+ + [<w,x>-1]_+ dw, as a function of ρ = |x|.

With x along the first axis and w_1 = cos φ, dw becomes |S^(d-2)| sin(φ)^(d-2) dφ; only this is used here.
Exact forms outside the unit ball use s = sqrt(ρ²-1) > 0, so that 1/ρ = 1/sqrt(1+s²) and arcsin(1/ρ) = arctan(1/s).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from .sphere import BITS, area, ball, integrate_in_balls

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval


def s_symbol() -> Any:
    """s = sqrt(ρ²-1) for ρ > 1."""
    from implicitbias.exact.symbolic import symbol

    return symbol("s", "positive")


def rational_radius() -> tuple[Any, Any]:
    """ρ and s = sqrt(ρ²-1) as rational functions of a positive t: ρ = (t+1 + 1/(t+1))/2 takes all values > 1.

    Counterexamples to a formula then lie at rational ρ, and sqrt(ρ-1)·sqrt(ρ+1) and sqrt(1-1/ρ²) are rational in t.
    """
    from implicitbias.exact.symbolic import symbol

    t = symbol("t", "positive")
    return (t**2 + 2 * t + 2) / (2 * (1 + t)), t * (t + 2) / (2 * (1 + t))


def at_rational_radius(expr: Any) -> Any:
    """An expression in s, rewritten in t at the radii of `rational_radius`."""
    import sympy

    rho, root = rational_radius()
    s = s_symbol()
    return expr.subs(sympy.sqrt(s**2 + 1), rho).subs(s, root)


@cache
def unit_mean(d: int, b: Any, rho: Any, cosine: Any, sine: Any, angle: Any) -> Any:
    """∫_{S^(d-1)} [ρ w_1 + b]_+ dw; the unit is inactive beyond `angle`, given with its cosine and sine."""
    import sympy

    phi = sympy.Symbol("phi", real=True)
    integrand = sympy.expand((rho * sympy.cos(phi) + b) * sympy.sin(phi) ** (d - 2))
    primitive = sympy.integrate(integrand, phi)
    at_end = primitive.subs({sympy.sin(phi): sine, sympy.cos(phi): cosine}).subs(phi, angle)
    return sympy.expand(area(d - 2) * (at_end - primitive.subs(phi, 0)))


@cache
def outside(d: int) -> Any:
    """h for ρ > 1 as an expression in s, integrating the three terms of (38) one by one.

    >>> outside(3)
    2*pi/sqrt(s**2 + 1)
    """
    import sympy

    s = s_symbol()
    rho = sympy.sqrt(1 + s**2)
    half = sympy.pi / 2
    tilt = sympy.atan(1 / s)
    plus = unit_mean(d, sympy.Integer(1), rho, -1 / rho, s / rho, half + tilt)
    zero = unit_mean(d, sympy.Integer(0), rho, sympy.Integer(0), sympy.Integer(1), half)
    minus = unit_mean(d, sympy.Integer(-1), rho, 1 / rho, s / rho, half - tilt)
    total = sympy.expand(plus - 2 * zero + minus)
    coefficient = sympy.simplify(total.coeff(tilt))
    return sympy.simplify(total - coefficient * tilt) + coefficient * tilt


@cache
def inside(d: int) -> Any:
    """h for 0 < ρ ≤ 1 as an expression in rho: the first unit is active everywhere, the last one nowhere."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    rho = symbol("rho", "positive")
    zero, one, half = sympy.Integer(0), sympy.Integer(1), sympy.pi / 2
    everywhere = unit_mean(d, one, rho, -one, zero, sympy.pi)
    return sympy.expand(everywhere - 2 * unit_mean(d, zero, rho, zero, one, half))


def in_s(d: int, order: int) -> Any:
    """The derivative of h of this order in ρ for ρ > 1, in terms of s: d/dρ = (ρ/s) d/ds, since s ds = ρ dρ."""
    import sympy

    s = s_symbol()
    expr = outside(d)
    for _ in range(order):
        expr = sympy.simplify(sympy.sqrt(1 + s**2) / s * sympy.diff(expr, s))
    return expr


def enclosed(d: int, rho: Fraction) -> Interval:
    """h at ρ > 0 in ball arithmetic, integrating each term of (38) over the angles at which its unit is active.

    >>> h = enclosed(3, Fraction(2))  # 2π/ρ = π
    >>> abs(float(h.lower) - 3.141592653589793) < 1e-15, h.width < Fraction(1, 2**200)
    (True, True)
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        total = flint.arb(0)
        for weight, b in ((1, 1), (-2, 0), (1, -1)):
            last = -Fraction(b) / rho  # the unit is active while cos φ > -b/ρ
            if last >= 1:
                continue
            angle = flint.arb.pi() if last <= -1 else to_arb(last).acos()
            slope = to_arb(rho)
            term = integrate_in_balls(lambda z, b=b, slope=slope: (slope * z.cos() + b) * z.sin() ** (d - 2), 0, angle)
            total += weight * term
        return from_arb(total * ball(area(d - 2)))
