"""Slopes of convex losses from their values alone: difference quotients on both sides enclose them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import relu

BITS = 512
STEP = Fraction(1, 2**150)


def loss_at(loss: str, q: Fraction | int) -> Any:
    """The logistic or exponential loss at the margin q, a ball."""
    from implicitbias.exact.enclosure import to_arb

    small = (-to_arb(q)).exp()
    return small.log1p() if loss == "logistic" else small


def mean_loss_at(loss: str, v: Fraction, w: Fraction, b: Fraction, data: Sequence[Fraction | int]) -> Any:
    """The loss of equation (2) of the unit v [w x + b]_+ on data that all have the label 1."""
    import flint

    return sum((loss_at(loss, v * relu(w * x + b)) for x in data), flint.arb(0)) / len(data)


def slope(f: Callable[[Fraction], Any]) -> Interval:
    """The derivative at 0 of f, which is convex near 0 and a ball at each rational.

    >>> found = slope(lambda t: loss_at("exponential", t))
    >>> found.contains(-1), found.width < Fraction(1, 2**140)
    (True, True)
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        before, here, after = (f(t) for t in (-STEP, Fraction(0), STEP))
        step = to_arb(STEP)
        return Interval(from_arb((here - before) / step).lower, from_arb((after - here) / step).upper)
