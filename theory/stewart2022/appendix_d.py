"""Appendix D, D.1: measures that meet all data, written down.

Coq: DataKinks.v, interpolating_ramps_pass (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle, pairwise, product

from implicitbias.claims import (
    Context,
    Flaw,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity
from implicitbias.theorems.rules.values.value import Value

from ..observed.cheapest.solved_measures import meets, solved_weights
from ..observed.data.draws import evenly
from ..observed.data.points import Points, batch, by_hand
from . import errata


@certificate("solved at two other points")
def solved_at_two_other_points(context: Context) -> Observation:
    """Two ramps that agree with a line at -1/2 and at 1/3, the weights solved from these two values."""
    draw = context.random()
    cases = [(0, 1), (1, 0), (2, 4), (-1, 3)] + [
        (Fraction(draw.randint(-20, 20), 3), Fraction(draw.randint(-20, 20), 7)) for _ in range(10)
    ]
    for g, y in cases:
        p, q = Fraction(-1, 2), Fraction(1, 3)
        at_p, at_q = y + g * (p + 1), y + g * (q + 1)
        # w_l (x+1) + w_r (1-x) at p and q
        determinant = (p + 1) * (1 - q) - (q + 1) * (1 - p)
        left = (at_p * (1 - q) - at_q * (1 - p)) / determinant
        yield seen(left, f"slope {g}, value {y} at -1", g=g, y=y)


@theorem("the only two weights")
def the_only_two_weights() -> Observation:
    """The only weights of the right ramp at -1 and the left ramp at 1 whose sum is the line on all of [-1, 1]."""
    line = FunctionIdentity(
        "p*ramp(1, -1, x) + q*ramp(-1, 1, x)",
        "y + g*(x + 1)",
        unknowns={"p": "real", "q": "real"},
        of="p",
        solution={"p": "g + y/2", "q": "y/2"},
        at={"p": "1", "q": "-1"},
        between=("-1", "1"),
    )
    yield shows(line, for_all={"g": "real", "y": "real"}, g="g", y="y")


@certificate("exact linear systems")
def exact_linear_systems(context: Context) -> Observation:
    """The weight at the l-th corner from the exact solution of the linear system; slopes from the data."""
    draw = context.random()
    met = True
    for data in (*by_hand(), *batch(draw, 14, largest=7), *batch(draw, 6, row=True)):
        weights = solved_weights(data)
        met = met and meets(data, weights)
        support = data.support
        slopes = [Fraction(data.y[j] - data.y[i]) / (data.x[j] - data.x[i]) for i, j in pairwise(support)]
        for corner in range(1, len(support) - 1):
            following = slopes[corner + 1] if corner + 1 < len(slopes) else Fraction(0)
            place = Fraction(data.x[support[corner]])
            yield seen(
                weights[1, place],
                f"{data.label}, corner {corner + 1}",
                g=slopes[corner - 1],
                h=slopes[corner],
                k=following,
                l=corner + 1,
                **data.given,
            )
    yield Premise("the measures meet all data, those outside of R_reg included", met)
    yield Step("γ_{l+1} is taken as 0 at the last corner, where there is none")


@theorem("the weight of one corner")
def weight_of_a_corner() -> Observation:
    """The only weight of the ramp at a corner v that meets the interpolant from the corner before to the next;
    the other ramps make up a line there, that before the corner.
    """
    weight = FunctionIdentity(
        "y + g*(x - v) + w*ramp(1, v, x)",
        "y + g*Min(x - v, 0) + h*Max(x - v, 0)",
        unknowns={"w": "real"},
        of="w",
        solution={"w": "h - g"},
        at={"w": "u"},
        between=("t", "u"),
    )
    names: dict[str, Assumption] = dict.fromkeys(("y", "g", "h", "k", "t", "v", "u"), "real")
    yield shows(weight, for_all=names, assuming=("t < v", "v < u"), g="g", h="h", k="k")


@certificate("interpolation")
def interpolation_of_step(context: Context) -> Observation:
    """The interpolant between x_{j_q} and the next corner, by interpolating its two ends."""
    draw = context.random()
    cases = [(-1, 0, 1, 0, 0, 1), (-1, 0, 1, 1, -1, 2)]
    cases += [tuple(draw.randint(-9, 9) for _ in range(6)) for _ in range(30)]  # type: ignore[misc]
    for u, v, w, first, middle, last in cases:
        if not u < v < w:
            u, v, w = -7, draw.randint(-6, 3), draw.randint(4, 9)
        g, h = Fraction(middle - first, v - u), Fraction(last - middle, w - v)
        for share in (Fraction(0), Fraction(1, 3), Fraction(1)):
            x = v + share * (w - v)
            value = middle + share * (last - middle)
            yield seen(value, f"from ({v}, {middle}) to ({w}, {last}) at {x}", y=middle, g=g, h=h, u=u, v=v, x=x)


@theorem("sum of line and ramp")
def sum_of_line_and_ramp() -> Observation:
    """The line L_q through the corner (x_{j_q}, y) with the slope γ_q, at a place right of the corner."""
    names: dict[str, Assumption] = dict.fromkeys(("y", "g", "h", "u", "v", "x"), "real")
    given = {name: name for name in names}
    yield shows(Value("line(y, v, h, x)"), for_all=names, assuming=("u < v", "v <= x"), **given)


@certificate("solved and summed")
def cost(context: Context) -> Observation:
    """The measure from an exact linear system, compared with all data; its weights summed."""
    draw = context.random()
    met = True
    # three points whose y_1, first slope and bend are of all sizes and signs, apart from each other
    count = context.choose(180, 360)
    sizes = (draw.sample(evenly(-9, 10, count), count) for _ in range(3))
    signed = zip(*sizes, cycle(product((1, -1, 0), (1, -1, 0), (1, 0))), strict=False)
    bent = [(i * y, j * g, k * T) for y, g, T, (i, j, k) in signed]
    for _ in range(60):
        bent.append((Fraction(draw.randint(-5, 5)), Fraction(draw.randint(-5, 5)), Fraction(draw.randint(0, 9))))
    for k, y in enumerate(evenly(-4, 10, 240)):  # both ramps, or one: y_1/2 + γ_1 near 0
        side, near = (-1) ** k * y, Fraction(draw.randint(-3, 3), 8)
        bent.append((side, -side * (1 + near) / 2, (y * draw.randint(0, 3)) / 40))
    for far in (-700, -90, -12, 12, 90, 700):  # where one counts much more than the others
        one, other = (Fraction(draw.randint(1, 9), 8) for _ in range(2))
        bent += [(far * one, t * other, other / 3) for t in (-1, 0, 4)] + [(other, far * one, other / 3)]
    three = [Points("three points", (-1, 0, 1), (y, y + g, y + 2 * g - T)) for y, g, T in bent]
    for data in (*by_hand(), *batch(draw, 24, largest=8), *batch(draw, 8, row=True), *three):
        weights = solved_weights(data)
        met = met and meets(data, weights)
        yield seen(
            sum(map(abs, weights.values()), Fraction(0)),
            data.label,
            y=data.y[0],
            g=data.slopes[0],
            T=data.variation,
            x=data.x,
            labels=data.y,
        )
    yield Premise("the measures meet all data", met)


LEMMA_3_REGRESSION = claim(
    "stewart2022.lemma_3_regression",
    "Lemma 3.1, Appendix D.1",
    "A feasible measure for regression, and its cost",
    """For any labels a measure on U_X with kinks in R_reg meets all data: the two ramps of (21) and the right ramps of
    (22). It costs |y_1|/2 + |y_1/2 + γ_1| + TV, which is an upper bound for problem (9).""",
    latex=r"\|\mu\|=\tfrac{|y_1|}2+\big|\tfrac{y_1}2+\gamma_1\big|+TV",
    domain=("T >= 0",),
    formula="Abs(y)/2 + Abs(y/2 + g) + T",
    symbols={"y": "y_1", "g": "γ_1, the first slope", "T": "TV, the sum of the absolute bends"},
    controls={
        "T": "the bends alone",
        "Max(Abs(y), Abs(g)) + T": "the larger of a constant and a slope",
        "Abs(y) + Abs(g) + T": "a constant and a slope",
        "Abs(y/2) + Abs(g) + T": "the left ramp not made up for",
    },
    checks=(cost,),
    rests_on=("stewart2022.equation_21", "stewart2022.equation_22"),
)


FIRST_LINE = claim(
    "stewart2022.equation_21",
    "equation (21), Appendix D.1",
    "A line by two ramps",
    """The line y_1 + γ_1(x+1) is on [-1, 1] the sum of the right ramp at -1 and the left ramp at 1 with weights of
    which that of the right ramp is γ_1 + y_1/2, and no other.""",
    latex=r"w_l=\gamma_1+\tfrac{y_1}2",
    formula="g + y/2",
    symbols={"g": "γ_1, the first slope", "y": "y_1"},
    controls={
        "g": "a constant for the rest",
        "y/2": "the left ramp's weight",
        "g - y/2": "the left ramp taken to fall",
        "2*g + y": "the value at 1",
    },
    checks=(the_only_two_weights, solved_at_two_other_points),
    part_of="stewart2022.lemma_3_regression",
)


EQUATION_22 = claim(
    "stewart2022.equation_22",
    "equation (22), Appendix D.1",
    "The weights of a feasible measure",
    """With right ramps at the corners x_{j_l}, l = 2, …, m-1, of the interpolant (and (21) for the first line) the data
    are met if and only if the l-th weight is γ_l - γ_{l-1}, the slope after the corner less the slope before.""",
    latex=r"\mu=\tfrac{y_1}2\delta_{u_n}+\big(\tfrac{y_1}2+\gamma_1\big)\delta_{u_1}+\sum_{l=2}^{m-1}(\gamma_l-\gamma_{l-1})\delta_{u_{j_l}}",
    formula="h - g",
    symbols={
        "g": "γ_{l-1}, the slope before the corner",
        "h": "γ_l, the slope after it",
        "k": "γ_{l+1}, the slope after the next corner (0 where there is none)",
    },
    flaw=Flaw(errata.EQUATION_22, "k - h"),
    controls={"g - h": "the sign of a left ramp", "h": "the slope itself", "(k - g)/2": "a central difference"},
    checks=(weight_of_a_corner, exact_linear_systems),
    part_of="stewart2022.lemma_3_regression",
    rests_on=("stewart2022.equation_21",),
)


AFTER_25 = claim(
    "stewart2022.after_equation_25",
    "the display after equation (25), Appendix D.1",
    "The induction step",
    """For x in [x_{j_q}, x_{j_{q+1}}] one has f_μ(x) = L_{q-1}(x) + (γ_q - γ_{q-1})(x - x_{j_q})_+ = L_q(x): the ramp
    that is added begins at x_{j_q}, where L_{q-1} and L_q meet.""",
    latex=r"L_{q-1}(x)+(\gamma_q-\gamma_{q-1})(x-x_{j_q})_+=L_q(x),\qquad x\in[x_{j_q},x_{j_{q+1}}]",
    formula="y + g*(x - v) + (h - g)*Max(0, x - v)",
    symbols={
        "y": "value at x_{j_q}",
        "g": "γ_{q-1}",
        "h": "γ_q",
        "u": "x_{j_{q-1}}",
        "v": "x_{j_q}",
        "x": "a place from x_{j_q} to x_{j_{q+1}}",
    },
    flaw=Flaw(errata.INDUCTION_STEP, "y + g*(x - v) + (h - g)*Max(0, x - u)"),
    controls={
        "y + g*(x - v)": "the old line goes on",
        "y + (h - g)*(x - v)": "the bend taken for the slope",
        "y + h*(x - u)": "the new line from the old corner",
    },
    checks=(sum_of_line_and_ramp, interpolation_of_step),
    part_of="stewart2022.lemma_3_regression",
    rests_on=("stewart2022.equation_22",),
)
