"""A neuron whose first datum stays inactive: its loss starts below 1/n and never falls below log 2/n."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from implicitbias.exact.rational import Interval, Number

if TYPE_CHECKING:
    from implicitbias.functions.network import Network


def stuck(n: int, spaced: bool = False) -> tuple[Network, list[Fraction], list[int]]:
    """w = v = A, b = 0, A rational, A² just above log(4n); x_1 = -1, the others 1 or (`spaced`) in [1, 2]; labels 1."""
    from implicitbias.exact.enclosure import enclose, upper
    from implicitbias.functions.network import Network

    scale = 10**20
    weight = Fraction(isqrt(int(upper(enclose("log(4*n)", n=n)) * scale)) + 1, 10**10)
    others = [1 + (Fraction(i, n) if spaced else 0) for i in range(n - 1)]
    return Network([weight], [0], [weight]), [Fraction(-1), *map(Fraction, others)], [1] * n


def mean_loss(network: Network, x: Sequence[Fraction | int], y: Sequence[int], loss: str) -> Number:
    """The logistic or exponential loss of equation (2), in balls."""
    from implicitbias.exact.enclosure import enclose

    formula = {"logistic": "log(1 + exp(-q))", "exponential": "exp(-q)"}[loss]
    terms = [enclose(formula, q=label * network(Fraction(place))) for place, label in zip(x, y, strict=True)]
    return mean(terms)


def stuck_loss(n: int, spaced: bool = False) -> Number:
    """The logistic loss for the irrational weight with A² = log(4n) exactly, where e^{-A² x} = (4n)^{-x}."""
    from implicitbias.exact.enclosure import enclose, lower, upper

    at_zero, at_one = enclose("log(1 + exp(-0))"), enclose("log(1 + exp(-log(4*n)))", n=n)
    if not spaced:
        total = Interval(lower(at_zero) + (n - 1) * lower(at_one), upper(at_zero) + (n - 1) * upper(at_one))
        return Interval(total.lower / n, total.upper / n)
    others = [enclose("log(1 + exp(-x*log(4*n)))", x=1 + Fraction(i, n), n=n) for i in range(n - 1)]
    return mean([at_zero, *others])


def mean(terms: Sequence[Number]) -> Interval:
    """The mean of numbers or intervals, as an interval."""
    from implicitbias.exact.enclosure import lower, upper

    n = len(terms)
    return Interval(sum(map(lower, terms), Fraction(0)) / n, sum(map(upper, terms), Fraction(0)) / n)
