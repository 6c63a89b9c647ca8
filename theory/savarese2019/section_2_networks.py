"""Section 2, equations (1) and (2): the networks, and the rescaling of a unit."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity

from ..observed.units.unit_rescaling import unit


@certificate("bias from the function's values")
def solve_for_the_bias(context: Context) -> Observation:
    """The bias that keeps the function of a unit in the plane while w₁ is multiplied by c and w₂ divided by it: solved
    for at one active point, the functions compared on a grid.
    """
    draw = context.random()
    plane = [(x, y) for x in range(-4, 5) for y in range(-4, 5)]
    cases: list[tuple[int, tuple[int, int], Fraction, Fraction]] = [
        (1, (1, 0), Fraction(1), Fraction(2)),
        (1, (1, 0), Fraction(-1), Fraction(2)),
        (2, (0, -1), Fraction(0), Fraction(3)),
        (-3, (3, 4), Fraction(5), Fraction(1, 5)),
        (1, (-1, 1), Fraction(7, 2), Fraction(1)),
    ]
    for _ in range(15):
        w1 = (draw.choice([-3, -2, -1, 1, 2, 3]), draw.randint(-3, 3))
        bias, c = Fraction(draw.randint(-3, 12), draw.randint(1, 5)), Fraction(draw.randint(1, 9), draw.randint(1, 9))
        cases.append((draw.choice([-4, -1, 1, 5]), w1, bias, c))
    same = True
    for w2, w1, bias, c in cases:
        active = max(plane, key=lambda x, w=w1, b=bias, v=w2: abs(unit(v, w, b, x)))  # type: ignore[misc]
        row = (c * w1[0], c * w1[1])
        found = c / w2 * unit(w2, w1, bias, active) - row[0] * active[0] - row[1] * active[1]
        same = same and all(unit(w2, w1, bias, x) == unit(w2 / c, row, found, x) for x in plane)
        yield seen(found, c=c, beta=bias, w1=w1, w2=w2)
    yield Premise("the rescaled unit equals the unit at all 81 points of the grid", same)


@theorem("the only bias")
def the_only_bias() -> Observation:
    """The only bias β′ with w₂[z + β]₊ = (w₂/c)[cz + β′]₊ for all z = ⟨w₁,x⟩, for output weights of both signs."""
    signs: tuple[Assumption, ...] = ("positive", "negative")
    for sign in signs:
        rescaled = FunctionIdentity(
            "unit(v, 1, beta, z)",
            "unit(v/c, c, bias, z)",
            unknowns={"bias": "real"},
            of="bias",
            solution={"bias": "c*beta"},
            at={"bias": "1 - beta"},
            x="z",
        )
        yield shows(rescaled, f"w₂ {sign}", for_all={"v": sign, "c": "positive", "beta": "real"}, c="c", beta="beta")


EQUATION_1 = claim(
    "savarese2019.equation_1",
    "Section 2, equations (1)-(2), and Appendix B",
    "The bias of a rescaled unit",
    """Multiply the input weights of a ReLU unit by c > 0 and divide its output weight by c: the network computes the
    same function exactly when the unit's bias is multiplied by c too. So the norm of the output layer alone can be made
    as small as one likes (Appendix B); it has to be controlled together with the hidden layer.""",
    part_of="savarese2019.lemma_1",
    latex=r"w_2[\langle w_1,x\rangle+\beta]_+=\tfrac{w_2}{c}[\langle cw_1,x\rangle+c\beta]_+",
    hypotheses=("c > 0", "the unit is not dead: w₁ ≠ 0 and w₂ ≠ 0"),
    formula="c*beta",
    symbols={"c": "the factor of the input weights, positive", "beta": "the bias b⁽¹⁾ of the unit"},
    controls={
        "beta/c": "the bias scales with the output weight",
        "beta": "the bias is not a weight and stays",
        "c**2*beta": "the kink moves with the scale",
    },
    checks=(solve_for_the_bias, the_only_bias),
    formerly=("savarese2019.appendix_b_homogeneity",),
)
