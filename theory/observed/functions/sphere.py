"""Area of the unit sphere and moments of its coordinates, by integration of its parametrisation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

BITS = 256
"""Bits of the ball arithmetic: enclosures are narrower than the 2^-100 at which two of them count as equal."""

DIMENSIONS = (2, 3, 4, 5, 6, 7, 8)


@cache
def area(n: int) -> Any:
    """|S^n|, the area of the unit sphere in R^(n+1), exact: |S^0| = 2, |S^n| = |S^(n-1)| ∫_0^π sin(φ)^(n-1) dφ.

    >>> area(1), area(2), area(3)
    (2*pi, 4*pi, 2*pi**2)
    """
    import sympy

    if n == 0:
        return sympy.Integer(2)
    angle = sympy.Symbol("phi", real=True)
    return area(n - 1) * sympy.integrate(sympy.sin(angle) ** (n - 1), (angle, 0, sympy.pi))


@cache
def ball_volume(n: int) -> Any:
    """V^n, the volume of the unit ball in R^n, by slices: V^n = V^(n-1) ∫_{-1}^1 (1-t²)^((n-1)/2) dt, t = sin φ.

    >>> ball_volume(1), ball_volume(2), ball_volume(3)
    (2, pi, 4*pi/3)
    """
    import sympy

    if n == 0:
        return sympy.Integer(1)
    angle = sympy.Symbol("phi", real=True)
    return ball_volume(n - 1) * sympy.integrate(sympy.cos(angle) ** n, (angle, -sympy.pi / 2, sympy.pi / 2))


def point(angles: Sequence[Any]) -> list[Any]:
    """The point of the unit sphere with these angles: (cos φ_1, sin φ_1 cos φ_2, …, sin φ_1 ⋯ sin φ_(d-1))."""
    import sympy

    coordinates, radius = [], sympy.Integer(1)
    for angle in angles:
        coordinates.append(radius * sympy.cos(angle))
        radius = radius * sympy.sin(angle)
    return [*coordinates, radius]


def area_element_squared(d: int) -> tuple[Any, list[Any]]:
    """The squared area element det(J'J) of the parametrisation of S^(d-1), and its angles."""
    import sympy

    angles = list(sympy.symbols(f"phi1:{d}", real=True))
    jacobian = sympy.Matrix(point(angles)).jacobian(angles)
    return sympy.simplify((jacobian.T * jacobian).det()), angles


def moment(exponents: Sequence[int]) -> Any:
    """∫_{S^(d-1)} Π w_i^(k_i) dw, exact: 2 Π Γ((k_i+1)/2) / Γ((Σk_i + d)/2), by comparison with a Gaussian integral.

    >>> moment((2, 0, 0))
    4*pi/3
    """
    import sympy

    if any(k % 2 for k in exponents):
        return sympy.Integer(0)
    half = sympy.Rational(1, 2)
    return (
        2
        * sympy.prod([sympy.gamma(half * (k + 1)) for k in exponents])
        / sympy.gamma(half * (sum(exponents) + len(exponents)))
    )


def integral_over_sphere(polynomial: Any, w: Sequence[Any]) -> Any:
    """∫_{S^(d-1)} of a polynomial in w whose coefficients may contain further symbols."""
    import sympy

    terms = sympy.Poly(sympy.expand(polynomial), *w).terms()
    return sympy.expand(sum((c * moment(k) for k, c in terms), sympy.Integer(0)))


def ball(expr: Any) -> Any:
    """A sympy number (a rational multiple of a power of π) as a ball at the working precision."""
    from implicitbias.exact.enclosure import enclose, to_arb
    from implicitbias.exact.symbolic import from_sympy

    return to_arb(enclose(from_sympy(expr), bits=BITS))


def integrate_in_balls(integrand: Any, lower: Any, upper: Any) -> Any:
    """A ball containing ∫ integrand(z) dz between the balls `lower` and `upper`; integrand analytic on acb balls.

    >>> import flint
    >>> bool(abs(integrate_in_balls(lambda z: z.sin(), 0, flint.arb.pi()) - 2) < 1e-12)
    True
    """
    import flint

    return flint.acb.integral(lambda z, _: integrand(z), flint.acb(lower), flint.acb(upper)).real
