"""Two data of the line, a neuron for each: its least cost under label noise, and that none sees both for less."""

from __future__ import annotations

from typing import Any

from implicitbias.claims import Derivation


def memorising_two(d: Derivation, places: tuple[Any, Any]) -> Any:
    """What the memorising network costs at labels of the sizes k and h, minimised over the scales of its neurons.

    places  where the data are, the second farther right
    """
    import sympy

    from implicitbias.exact.symbolic import symbol

    scale, p, q, u, v = d.symbols(l="positive", p="positive", q="positive", u="positive", v="positive")
    gap = places[1] - places[0]
    total = sympy.Integer(0)
    for at, label in zip(places, ("k", "h"), strict=True):
        size = symbol(label, "positive")
        c = size / (gap / 2)
        squared, length = (gap / 2) ** 2 / 2, (1 + at**2) / 2
        along = scale**2 * squared + c**2 * length / scale**2
        best = (c**2 * length / squared) ** sympy.Rational(1, 4)
        d.identity(f"at {at}: the stationary scale", sympy.diff(along, scale).subs(scale, best), sympy.Integer(0))
        total += sympy.sqrt(sympy.factor(sympy.simplify(along.subs(scale, best) ** 2)))
        d.step(f"a neuron with slope ±1 and hinge midway sees {at} only, with output {size} there")
    d.identity(
        "a neuron with outputs u, v at both: cost² - (|x̃|u + |z̃|v)² is a square (p = |x̃|, q = |z̃|)",
        (u**2 + v**2) * (p**2 + q**2) - (p * u + q * v) ** 2,
        (q * u - p * v) ** 2,
    )
    return total
