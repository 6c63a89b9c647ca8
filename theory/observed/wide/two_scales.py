"""ζ of a law of (W, B) with two scales, enclosed at given places for fixed and random scales."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Observation, seen

from .kink_moments import density

PLACES = tuple(Fraction(x) for x in (1, 2, -1, "1/2", "-3/2", 3, "1/10", 12))


def two_scales(names: tuple[str, str], mass: Callable[[Fraction, Fraction], Any]) -> Callable[[Context], Observation]:
    """The observation of ζ at x for fixed and random scales; `mass(a, b)` is E[W²; C in a bin] for scales a, b."""

    def observe(context: Context) -> Observation:
        """ζ enclosed by its means over bins on both sides of x, for fixed and random scales."""
        draw = context.random()
        cases = [(Fraction(1), Fraction(1), x) for x in PLACES] + [(Fraction(1), Fraction(2), x) for x in PLACES[:4]]
        for _ in range(context.choose(4, 24)):
            a, b = (Fraction(draw.randint(1, 40), draw.randint(5, 20)) for _ in range(2))
            cases.append((a, b, draw.choice(PLACES)))
        for a, b, x in cases:
            given = {names[0]: a, names[1]: b}
            label = f"{names[0]}={a}, {names[1]}={b}, x={x}"
            yield seen(density(mass(a, b), x), label, **given, x=x)

    return observe
