"""Section 2: the output is homogeneous of degree 2 in the parameters, and scaling moves no breakpoint."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import ListSum


@theorem("unit by unit")
def scaled_unit() -> Observation:
    """The output of any number of units with all parameters multiplied by a."""
    scaled = ListSum(
        term="unit(a*v, a*w, a*b, x)",
        entries=dict.fromkeys(("v", "w", "b"), "real"),
        length="n",
        totals={"N": "unit(v, w, b, x)"},
        by={"N": "a**2"},
        split=("w*x + b",),
    )
    names: dict[str, Assumption] = {"a": "positive", "x": "real", "N": "real", "n": "nonnegative integer"}
    yield shows(scaled, for_all=names, a="a", N="N")


@certificate("random networks")
def scaled_networks(context: Context) -> Observation:
    """Outputs and breakpoints of both networks, in rationals."""
    from implicitbias.functions.network import Network
    from implicitbias.functions.regions import linear_regions

    draw, still = context.random(), True
    for a in (Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 5), Fraction(10)):
        for _ in range(4):
            w, b, v = ([Fraction(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(4)] for _ in "wbv")
            x = Fraction(draw.randint(-20, 20), 3)
            network = Network(w, b, v)
            scaled = Network([a * t for t in w], [a * t for t in b], [a * t for t in v])
            yield seen(scaled(x), "width 4", a=a, N=network(x))
            still = still and linear_regions(scaled).kinks == linear_regions(network).kinks
    yield Premise("the breakpoints of all networks stay where they are", still)
    yield Measured("N_θ(1) for w = v = 1, b = 0", 1)
    yield Measured("N_{-θ}(1): a must be positive", Network([-1], [0], [-1])(1))


HOMOGENEITY = claim(
    "safran2022.section_2_homogeneity",
    "after Theorem 2.3, on the scale of θ",
    "Homogeneity of degree two",
    """For a > 0 the network with all parameters multiplied by a has the outputs a²·N_θ(x), so the same labels and the
    same breakpoints: the partition into linear regions depends on the direction of θ only. (For a < 0 this fails:
    N_{-θ} differs from N_θ.)""",
    latex=r"N_{a\theta}(x)=a^2N_\theta(x),\quad a>0",
    hypotheses=("a > 0",),
    formula="a**2*N",
    symbols={"a": "the factor of all parameters", "N": "N_θ(x)"},
    controls={
        "a*N": "as if only one layer were scaled",
        "a**3*N": "weights, biases and output weights counted as three layers",
        "N": "the directions agree, so the outputs do",
    },
    checks=(scaled_unit, scaled_networks),
    part_of="safran2022.theorem_2_3",
    formerly=("safran2022.section_2_breakpoints",),
)
