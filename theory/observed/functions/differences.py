"""Derivatives of an analytic function from its values, enclosed by Cauchy's estimate.

If g is analytic and at most B for complex |t| <= R, the coefficient of t^k is at most B/R^k. So, with q = s/R,
g'(0) = (g(s) - g(-s))/2s up to B/R · (q² + q⁴ + …), and g''(0) = (g(s) - 2g(0) + g(-s))/s² up to 2B/R² · (q² + …).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval

NARROW = Fraction(1, 2**56)
"""The step as a share of the radius."""


def derivative(g: Callable[[Fraction], Any], order: int, radius: Fraction, bound: Any) -> Interval:
    """The derivative at 0 of order 0, 1 or 2 of g, which is a ball at each real t, at the working precision.

    >>> import flint
    >>> with flint.ctx.workprec(256):
    ...     found = derivative(lambda t: (flint.arb(1) / 2 + flint.fmpq(t.numerator, t.denominator)).exp(), 1,
    ...                        Fraction(1), flint.arb(5))
    >>> round(float(found.lower), 12), found.width < Fraction(1, 10**30)
    (1.648721270700, True)
    """
    from implicitbias.exact.enclosure import to_arb

    step = radius * NARROW
    if order == 0:
        quotient = g(Fraction(0))
    elif order == 1:
        quotient = (g(step) - g(-step)) / to_arb(2 * step)
    else:
        quotient = (g(step) - 2 * g(Fraction(0)) + g(-step)) / to_arb(step * step)
    return up_to(quotient, order * bound / to_arb(radius) ** order, NARROW)


def up_to(value: Any, bound: Any, q: Fraction) -> Interval:
    """The ball up to bound · (q² + q⁴ + …)."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    square = to_arb(q * q)
    return from_arb(value + bound * square / (1 - square) * flint.arb(0, 1))
