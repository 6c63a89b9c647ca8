"""Theorem 9 (b) under Theorem 1: weights W = ±w have no joint density with B, yet they have a ζ."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen

from ..observed.data.draws import of_any_size


@certificate("cells of kinks")
def cells(context: Context) -> Observation:
    """E[W²; C in a cell] over the cell's length, from the lengths of the sets of biases that put a kink there; ζ is
    constant, so the ratio is ζ for every cell."""
    draw = context.random()
    for i in range(context.choose(100, 200)):
        w = Fraction(1) if i < 2 else of_any_size(draw)
        a_b = Fraction(i + 1) if i < 2 else of_any_size(draw)
        low = -a_b / w + (2 * a_b / w) * Fraction(draw.randint(0, 8), 9)
        high = low + (a_b / w - low) * Fraction(1, draw.randint(1, 5))
        weighed = Fraction(0)
        for weight in (w, -w):
            ends = sorted((-weight * low, -weight * high))
            biases = min(ends[1], a_b) - max(ends[0], -a_b)
            weighed += Fraction(1, 2) * weight**2 * biases / (2 * a_b)
        yield seen(weighed / (high - low), f"kinks in [{low}, {high}]", w=w, a_b=a_b)


THEOREM_9B_DENSITY = claim(
    "jin2021.theorem_9b_density",
    "Theorem 9 (b) with Theorem 1",
    "ζ without a joint density",
    """For W = ±w and B uniform on ±a_b the pair (W, B) lies on two lines and has no density in the plane;
    ∫|W|³p_{W,B}(W, -Wx)dW is not defined, but E(W²|C)p_C is: ζ = w³/(2a_b) on [-a_b/w, a_b/w].""",
    latex=r"\zeta(x)=E(W^2|C=x)\,p_C(x)=\frac{w^3}{2a_b}",
    hypotheses=("W = ±w, B uniform on ±a_b, |x| < a_b/w",),
    formula="w**3/(2*a_b)",
    symbols={"w": "modulus of the weight (1 in the paper)", "a_b": "greatest bias"},
    controls={
        "0": "ζ by the joint density in the plane, which vanishes almost everywhere",
        "w**2/(2*a_b)": "the density of the biases taken for that of the kinks",
        "w/(2*a_b)": "the density of the kinks alone",
        "w**3/a_b": "both signs of W counted in full",
    },
    checks=(cells,),
    part_of="jin2021.theorem_9b",
)
