"""The minimum mean of |c|^q‖θ‖^q over probability measures that project to given masses on the sphere."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.exact.rational import Interval

GRID = 1 << 64


def least_power_mean(masses: Sequence[Fraction], q: int) -> Interval:
    """min Σ p_k (t_k/p_k)^q over probabilities p_k > 0, for positive masses t_k and an integer q >= 1, enclosed.

    An atom of probability p with p|c|‖θ‖ = t costs p(t/p)^q. The sum f is convex in p, so its gradient g at any point
    p of the simplex gives the lower bound f(p) + min_k g_k - g·p on the whole simplex.

    >>> found = least_power_mean([Fraction(1), Fraction(1)], 2)
    >>> found.lower <= 4 <= found.upper, found.width < Fraction(1, 10**12)
    (True, True)
    """
    masses = sorted(masses)  # largest last: it absorbs the rounding remainder
    guess = [1.0 / len(masses)] * len(masses)
    for _ in range(200):
        # multiplicative steps along the gradient, damped
        guess = [p * ((float(t) / p) ** q) ** (1 / (2 * q)) for p, t in zip(guess, masses, strict=True)]
        guess = [p / sum(guess) for p in guess]
    head = [Fraction(round(p * GRID), GRID) for p in guess[:-1]]
    at = [*head, 1 - sum(head, Fraction(0))]
    value = sum((t**q * p ** (1 - q) for t, p in zip(masses, at, strict=True)), Fraction(0))
    gradient = [(1 - q) * (t / p) ** q for t, p in zip(masses, at, strict=True)]
    slack = min(gradient) - sum((g * p for g, p in zip(gradient, at, strict=True)), Fraction(0))
    return Interval(value + slack, value)
