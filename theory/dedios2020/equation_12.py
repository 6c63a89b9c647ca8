"""Equation (12): the potential of label noise for ReLU neurons."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

from ..observed.units.neurons import gradient_potential
from ..observed.units.neurons_on_data import averages, neurons_on_data


@certificate("exact difference quotients")
def mean_squares(context: Context) -> Observation:
    """The mean of |∇φ|² over the data from outputs alone, by exact difference quotients; c = 0 included."""
    found = neurons_on_data(context, context.choose(6, 40))
    found += [(neuron.scaled(Fraction(1), Fraction(0)), data) for neuron, data in found[:3]]
    for neuron, data in found:
        yield seen(
            gradient_potential(neuron, data), f"c={neuron.c}, n={len(data)}, d={len(data[0])}", **averages(neuron, data)
        )


@proof("gradients in the plane")
def planar_gradients(d: Derivation) -> None:
    """All derivatives of a neuron at two data of the plane, in all four activity patterns, for all values."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    a1, a2, b, c = d.symbols("a1 a2 b c")
    parameters = (a1, a2, b, c)
    domain: dict[str, Assumption] = {
        **dict.fromkeys(("x1", "x2", "u1", "u2", "c"), "real"), "z1": "positive", "z2": "positive",
    }  # fmt: skip
    points = (("x1", "x2", "z1"), ("u1", "u2", "z2"))
    for active in ((1, 1), (1, 0), (0, 1), (0, 0)):
        total = mean_square = length = everything = sympy.Integer(0)
        for on, (first, second, height) in zip(active, points, strict=True):
            p, q, z = symbol(first), symbol(second), symbol(height, "positive")
            everything += (1 + p**2 + q**2) / 2
            if on:
                output = c * (a1 * p + a2 * q + b)
                gradient = [sympy.diff(output, parameter) for parameter in parameters]
                total += sum(g**2 for g in gradient).subs(b, z - a1 * p - a2 * q) / 2
                mean_square += z**2 / 2
                length += (1 + p**2 + q**2) / 2
        d.step(f"activity {active}: the gradient in (a, b, c) of c(aᵀx + b) where active, 0 where not")
        d.concludes(
            sympy.expand(total),
            f"activity {active}",
            over=domain,
            A=mean_square,
            B=length,
            c="c",
            M=everything,
            P=sympy.Rational(sum(active), 2),
        )


POTENTIAL = claim(
    "dedios2020.equation_12",
    "Equation (12)",
    "The potential of label noise for a ReLU neuron",
    """Ṽ_b(a, b, c) = E_D[|∇φ|²] = A + c²B with A = E_D[(aᵀx + b)_+²], from the derivative in c, and B = E_D[(1 +
    |x|²)·1{aᵀx + b > 0}], from those in a and b.""",
    latex=r"""\widetilde V_b(a,b,c)=A+c^2B,\quad A=\mathbb E_{\mathcal D}[(a^\top x+b)_+^2],\quad B=\mathbb E_{\mathcal
    D}[(1+|x|^2)\mathbf 1_{a^\top x+b>0}]""",
    hypotheses=(
        """no hinge on a datum: there the gradient does not exist, and the printed indicator (≥ 0) and the one of
        automatic differentiation (> 0) differ""",
    ),
    formula="A + c**2*B",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "c": "output weight",
        "M": "E_D[1 + |x|²] over all data, active or not",
        "P": "the active part of the data",
    },
    flaw=Flaw(
        printed="Abs(c**2)*A/c**2 + c**2*B",
        word="misprint",
        wrong="the first term carries |c²|/c², which is 1 for c ≠ 0 and 0/0 for c = 0, where the term is A.",
        sure="may be the scan's fault",
        charitable="the factor is 1, and nothing later depends on it.",
    ),
    controls={
        "A + c**2*M": "the indicator of activity omitted",
        "A + c**2*(B - P)": "the bias omitted: |x|² instead of 1 + |x|²",
        "c**2*(A + B)": "the factor c² kept in the derivative with respect to c",
        "A + Abs(c)*B": "c not squared",
    },
    checks=(planar_gradients, mean_squares),
    part_of="dedios2020.equation_10",
)
