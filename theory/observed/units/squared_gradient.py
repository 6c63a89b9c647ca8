"""The squared gradient of an output in the weights of one neuron, at one datum."""

from __future__ import annotations

from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.sequences.lists import ListSum
from implicitbias.theorems.rules.values.composition import Composition


def squared_gradient(output: str, divided_by: str) -> Composition:
    """|∇|² at a datum with pre-activation z and d inputs, Y = |x|², from the derivatives at moved parameters.

    output  what the network says, as a format of a unit: `{}/m + r`
    """

    def squared(unit: str) -> GradientProduct:
        moved = output.format(unit)
        return GradientProduct(moved, moved, ("t",), {"t": "0"})

    inputs = ListSum(
        term=squared("unit(c, x, z, t)"),
        entries={"x": "real"},
        length="d",
        totals={"Y": "x**2"},
        by={"Y": f"({output.format('c')} - {output.format('0')})**2*step(z)"},
    )
    parts = {"g": squared("unit(c + t, 1, 0, z)"), "h": squared("unit(c, 1, t, z)"), "s": inputs}
    return Composition(f"(g + h + s)/{divided_by}", parts)
