"""Growth of ∫_{|x|≤r} ‖∇²h(x)‖_* dx (nuclear norm) for the bump h of (38), exactly for every r ≥ 1.

h'' > 0 > h' for ρ > 1, so the nuclear norm there is h'' - (d-1) h'/ρ; inside the unit ball h is a cone, with h' = h'(1)
and no radial curvature. With s = sqrt(ρ²-1), s ds = ρ dρ.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from implicitbias.claims import Derivation

from .bump import in_s, inside, s_symbol
from .bump_far import far_out
from .sphere import BITS, area, ball, integrate_in_balls

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval


@cache
def nuclear_integral(d: int) -> tuple[Any, Derivation]:
    """The integral as an expression in s = sqrt(r²-1), and the derivation that proves it.

    >>> nuclear_integral(2)[0].subs(s_symbol(), 0)
    8*pi
    """
    import sympy

    from implicitbias.exact.symbolic import symbol

    s = s_symbol()
    rho = sympy.sqrt(1 + s**2)
    slope, curvature = in_s(d, 1), in_s(d, 2)
    steps = Derivation()
    steps.nonnegative(f"d = {d}: h″ ≥ 0 for ρ > 1.", curvature)
    steps.identity(f"d = {d}: h′ → 0 at infinity, so h′ < 0 before.", sympy.limit(slope, s, sympy.oo), sympy.Integer(0))
    inner_slope = sympy.diff(inside(d), symbol("rho", "positive"))
    steps.identity(f"d = {d}: h′ does not jump at ρ = 1.", inner_slope, slope.subs(s, 0))
    # ∫ρ^(d-1)h'' - (d-1)ρ^(d-2)h' dρ = 2∫ρ^(d-1)h'' dρ - [ρ^(d-1)h'], and the cone adds -h'(1)
    radial = sympy.integrate(sympy.apart(sympy.cancel(sympy.powsimp(rho ** (d - 2) * curvature * s)), s), (s, 0, s))
    total = sympy.simplify(sympy.expand(area(d - 1) * (2 * radial - rho ** (d - 1) * slope)))
    density = area(d - 1) * (rho ** (d - 1) * curvature - (d - 1) * rho ** (d - 2) * slope)
    steps.identity(f"d = {d}: its derivative is the integral over a sphere.", sympy.diff(total, s), density * s / rho)
    steps.identity(f"d = {d}: at r = 1 it is the cone's.", total.subs(s, 0), -area(d - 1) * inner_slope)
    return total, steps


def enclosed_integral(d: int, r: Fraction) -> Interval:
    """The same integral in ball arithmetic, from closed-form eigenvalues for any d, integrated numerically over s.

    h' = -(2S/(d-1))(1 - (s/ρ)^(d-1)), h'' = (2S/ρ³)(s/ρ)^(d-3), S = |S^(d-2)|.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        S = ball(area(d - 2))

        def density(s: Any) -> Any:
            rho = (1 + s * s).sqrt()
            along = 2 * S * s ** (d - 2) / rho**2  # ρ^(d-1) h'' s/ρ
            across = 2 * S * (1 - (s / rho) ** (d - 1)) * rho ** (d - 3) * s  # ρ^(d-1) (d-1)|h'|/ρ · s/ρ
            return along + across

        cone = 2 * S / (d - 1)
        outer = integrate_in_balls(density, 0, to_arb(r * r - 1).sqrt())
        return from_arb(ball(area(d - 1)) * (cone + outer))


def far_integral(d: int, power: int, lower: int = 0, upper: int = 1) -> Interval:
    """|S^(d-1)| ρ³‖∇²h‖_*, enclosed for every ρ >= FAR from second differences of h, times ∫ t^power dt.

    Reflections that fix x leave h as it is, so its Hessian has one eigenvalue along x and d-1 equal ones across.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        along, across = (to_arb(far_out(d, 2, c)) for c in (1, 0))
        integral = integrate_in_balls(lambda z: z**power, lower, upper)
        return from_arb(ball(area(d - 1)) * (abs(along) + (d - 1) * abs(across)) * integral)
