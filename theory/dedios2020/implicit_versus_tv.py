"""Section 4, implicit versus TV regularisation: which regularisers see translations of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import (
    Assumption,
    Context,
    Flaw,
    Interval,
    Measured,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    rule,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimum
from implicitbias.theorems.rules.values.vectors import VectorValue

from . import errata

Data = tuple[str, list[tuple[Fraction, ...]], list[Fraction]]


def some_data() -> list[Data]:
    def read(label: str, x: Sequence[Sequence[int | str]], y: Sequence[int | str]) -> Data:
        return label, [tuple(Fraction(t) for t in point) for point in x], [Fraction(v) for v in y]

    return [
        read("one point", [(0,)], [1]),
        read("two points", [(0,), (1,)], ["-1/2", "1/2"]),
        read("x = -2, 0, 2", [(-2,), (0,), (2,)], [1, "1/2", 1]),
        read("a square", [(1, 1), (-1, 1), (1, -1), (-1, -1)], [1, -1, -1, 2]),
    ]


def least(points: Sequence[Sequence[Fraction]], y: Sequence[Fraction], weight: str) -> Interval:
    """The least variation with this weight, between exact bounds."""
    from implicitbias.convex.weighted.least import weighted_interpolant
    from implicitbias.convex.weighted.weights import WEIGHTS

    found = weighted_interpolant([tuple(x) for x in points], y, WEIGHTS[weight])
    return Interval(found.lower, found.upper)


@certificate("programmes on shifted data")
def translation(context: Context) -> Observation:
    """Least variations before and after a shift of the data between exact bounds, for the three weights."""
    data, shifts = some_data(), context.choose((1, 3), (1, 3, -2, 10))
    told = True
    for weight in ("printed", "true", "norm"):
        for label, points, y in data:
            before = least(points, y, weight)
            for t in shifts:
                after = least([[x + t for x in point] for point in points], y, weight)
                apart = after.lower > before.upper or after.upper < before.lower
                together = max(after.upper, before.upper) - min(after.lower, before.lower)
                same = not apart and together < before.upper / 10**20
                told = told and apart != same
                yield seen(
                    same, f"{weight} weight, {label} shifted by {t}", weight=weight, shift=t, n=len(y), d=len(points[0])
                )
                yield Measured(f"{weight}, {label}, {t}", float(after.upper))
    yield Premise("values are told apart, or agree to twenty digits", told)
    yield Step("w_b depends on the outputs at the data alone, which θ ↦ (a, b - a·t) preserves")
    yield Step("the factor B = E[(1 + |x|²)1{active}] of the true weight depends on the position of the data")


@rule("printed weight only")
def _printed_only(given: Mapping[str, Value]) -> Value:
    """the printed √A is invariant, the true 2√(AB) and the norm are not"""
    return given["weight"] == "printed"


TRANSLATION = claim(
    "dedios2020.implicit_versus_tv_translation",
    "Section 4, implicit versus TV regularisation",
    "Which regularisers are invariant under translations of the data",
    """The least Σ|c|w through the data is the same for translated data if w = √A is the weight printed in (13); with
    the weight that (12) gives, 2√(AB), it is not, and with the total variation it is not. For x = -2, 0, 2 and y = 1,
    ½, 1 shifted by 0, 1, 3 the true one is 3.3148, 3.5248, 5.3966, TV 0.9014, 1.0133, 1.7393, and the printed one
    1.0774 each time. The claim that label noise is translation invariant inherits the error of (13).""",
    latex=r"""V_{\sqrt A}(x+t)=V_{\sqrt A}(x),\quad V_{2\sqrt{AB}}(x+t)\ne V_{2\sqrt{AB}}(x),\quad V_{TV}(x+t)\ne
    V_{TV}(x)""",
    formula=_printed_only,
    flaw=Flaw(
        errata.EQUATION_13,
        Rule("implicit", "both label-noise weights are invariant, the norm is not", lambda g: g["weight"] != "norm"),
    ),
    controls={
        Rule("all", "every regulariser is invariant", lambda g: True): "the bias absorbs them",
        Rule("none", "no regulariser is invariant", lambda g: False): "the bias is penalised",
        Rule("norm", "only the norm is invariant", lambda g: g["weight"] == "norm"): "the roles exchanged",
        Rule(
            "one datum", "one datum can be shifted", lambda g: g["n"] == 1 or g["weight"] == "printed"
        ): "a single datum has no position relative to others",
    },
    checks=(translation,),
    formerly=(
        "dedios2020.implicit_versus_tv_printed",
        "dedios2020.implicit_versus_tv_variation",
        "dedios2020.implicit_versus_tv_cost",
    ),
    rests_on=("dedios2020.equation_13",),
)


def one_datum(context: Context, weight: str) -> Observation:
    """Inputs at, near and far from 0 in every dimension, with labels of both signs that are less and more than 1."""
    draw = context.random()
    places: list[tuple[Fraction, ...]] = []
    for d in (1, 2, 3):
        places += [(Fraction(0),) * d, (*(Fraction(0),) * (d - 1), Fraction(draw.randint(1, 5), 12))]
        for _ in range(context.choose(1, 4)):
            places.append(
                tuple(Fraction(draw.choice((-1, 1)) * draw.randint(1, 9), draw.randint(1, 3)) for _ in range(d))
            )
    for x in places:
        small = Fraction(draw.choice((1, -1)) * draw.randint(1, 9), draw.randint(12, 40))
        large = Fraction(draw.choice((1, -1)) * draw.randint(7, 27), 3)
        for y in (small, large):
            label = f"x = ({', '.join(map(str, x))}), y = {y}"
            yield seen(least([x], [y], weight), label, y=y, X=sum((t * t for t in x), Fraction(0)), d=len(x))
    yield seen(least([places[-1]], [Fraction(0)], weight), "y = 0", y=0, X=sum(t * t for t in places[-1]), d=3)
    yield Step("|y| = Σ c [θ·x̃]_+ ≤ Σ|c||θ||x̃|, and one neuron along x̃ attains it; B = |x̃|² wherever it is active")


ONE_DATUM_CONTROLS = {
    "Abs(y)*sqrt(1 + X)": "|x̃| in the numerator",
    "Abs(y)/(1 + X)": "|x̃|²",
    "Abs(y)/sqrt(1 + X + d)": "dimensions counted",
}


@certificate("programmes of one datum")
def norm(context: Context) -> Observation:
    """Least total variations between exact bounds, in one to three dimensions."""
    yield from one_datum(context, "norm")


@certificate("programmes of one datum")
def true(context: Context) -> Observation:
    """Least label-noise regularisers between exact bounds, in one to three dimensions."""
    yield from one_datum(context, "true")


LISTS: dict[str, Assumption] = {"m": "positive integer", "y": "real", "h": "positive", "d": "positive integer"}
"""Networks of m neurons through one datum with |x̃| = h in any dimension d."""


@theorem("every list of neurons")
def along() -> Observation:
    """Σ|c||θ| over the networks with Σ c[θ·x̃]₊ = y: of θ only r = |θ| and z = θ·x̃ count, |z| ≤ r|x̃|."""
    least = ListMinimum(
        cost=VectorValue(formula="path_cost(c, norm(t))", vectors=("t",), products={"t t": "r**2"}),
        over={"c": "real", "r": "positive", "z": "real"},
        length="m",
        where=("Abs(z) <= r*h",),
        totals={
            "y": VectorValue(formula="c*relu(dot(t, x))", vectors=("t", "x"), products={"t x": "z", "x x": "h**2"})
        },
        at={"c": "y/(m*h**2)", "r": "h", "z": "h**2"},
        multipliers={"y": "sign(y)/h"},
        gap=("Abs(c)*(r*h - relu(z))/h", "(Abs(c) - sign(y)*c)*relu(z)/h"),
    )
    yield shows(least, for_all=LISTS, assuming=("h >= 1",), split=("y",), y="y", X="h**2 - 1", d="d")


@theorem("every list of active neurons")
def active() -> Observation:
    """Σ|c|·2√(AB) over the networks of neurons that are active at the datum: A = z², B = |x̃|². Others pay nothing."""
    least = ListMinimum(
        cost=VectorValue(
            formula="2*Abs(c)*sqrt(relu(dot(t, x))**2*step(dot(t, x))*dot(x, x))",
            vectors=("t", "x"),
            products={"t x": "z", "x x": "h**2"},
        ),
        over={"c": "real", "z": "positive"},
        length="m",
        totals={"y": VectorValue(formula="c*relu(dot(t, x))", vectors=("t", "x"), products={"t x": "z"})},
        at={"c": "y/m", "z": "1"},
        multipliers={"y": "2*sign(y)*h"},
        gap=("2*(Abs(c) - sign(y)*c)*z*h",),
    )
    yield shows(least, for_all=LISTS, assuming=("h >= 1",), split=("y",), y="y", X="h**2 - 1", d="d")


NORM = claim(
    "dedios2020.implicit_versus_tv_one_datum",
    "next to Section 4, TV regularisation is not translation invariant",
    "Least total variation through one datum",
    """Through one datum (x, y) the least total variation is |y|/√(1+|x|²): the further from the origin, the cheaper.
    Proof: |y| ≤ Σ|c||θ||x̃| for every network, with equality for one neuron along x̃ = (x, 1).""",
    latex=r"V_{TV}=\frac{|y|}{\sqrt{1+|x|^2}}",
    formula="Abs(y)/sqrt(1 + X)",
    symbols={"y": "label", "X": "|x|²", "d": "dimension"},
    controls={
        **ONE_DATUM_CONTROLS,
        "Abs(y)": "biases free, as if translations had no effect",
        "y/sqrt(1 + X)": "negative labels at no cost",
    },
    checks=(along, norm),
    part_of="dedios2020.implicit_versus_tv_translation",
    own=True,
)

TRUE = claim(
    "dedios2020.implicit_versus_tv_one_datum_label_noise",
    "next to (13) and Section 4, translation invariance",
    "Least label-noise regulariser through one datum",
    """Through one datum (x, y) the least value of the label-noise regulariser with the weight 2√(AB) is 2√(1+|x|²)|y|:
    it grows with the distance from the origin, unlike the total variation. Under the printed √A it would be |y| for
    every datum.""",
    latex=r"V_{2\sqrt{AB}}=2\sqrt{1+|x|^2}\,|y|",
    formula="2*sqrt(1 + X)*Abs(y)",
    symbols={"y": "label", "X": "|x|²", "d": "dimension"},
    controls={
        **ONE_DATUM_CONTROLS,
        "Abs(y)": "the printed weight",
        "2*(1 + X)*Abs(y)": "B in place of its root",
        "2*sqrt(X)*Abs(y)": "the bias omitted",
    },
    checks=(active, true),
    part_of="dedios2020.implicit_versus_tv_translation",
    rests_on=("dedios2020.equation_13",),
    own=True,
)
