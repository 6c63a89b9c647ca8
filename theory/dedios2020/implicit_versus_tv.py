"""Section 4, implicit versus TV regularisation: translations, and what a weight costs to evaluate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import (
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
    seen,
)

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
    """Least variations of the shifted data between exact bounds, for the three weights. The programme solved again on
    the shifted data, weight by weight.
    """
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
    yield Step("w_b depends on the outputs at the data alone, and θ ↦ (a, b - a·t) carries them along")
    yield Step("the factor B = E[(1 + |x|²)1{active}] of the true weight sees where the data lie")


def _printed_only(given: Mapping[str, Value]) -> Value:
    return given["weight"] == "printed"


TRANSLATION = claim(
    "dedios2020.implicit_versus_tv_translation",
    "Section 4, implicit versus TV regularisation",
    "Which regularisers do not see translations of the data",
    """The least Σ|c|w through the data is the same for translated data if w = √A is the weight printed in (13); with
    the weight that (12) gives, 2√(AB), it is not, and with the total variation it is not. For x = -2, 0, 2 and y = 1,
    ½, 1 shifted by 0, 1, 3 the true one is 3.3148, 3.5248, 5.3966, TV 0.9014, 1.0133, 1.7393, and the printed one
    1.0774 each time. The claim that label noise is translation invariant inherits the error of (13).""",
    latex=r"""V_{\sqrt A}(x+t)=V_{\sqrt A}(x),\quad V_{2\sqrt{AB}}(x+t)\ne V_{2\sqrt{AB}}(x),\quad V_{TV}(x+t)\ne
    V_{TV}(x)""",
    formula=Rule(
        "printed weight only", "the printed √A is invariant, the true 2√(AB) and the norm are not", _printed_only
    ),
    flaw=Flaw(
        printed=Rule(
            "implicit", "both label-noise weights are invariant, the norm is not", lambda g: g["weight"] != "norm"
        ),
        word="false statement",
        wrong="it follows for the weight printed in (13); the weight that label noise minimises contains |x|².",
        sure="certain",
        charitable="for V_b as printed it is right, even under every invertible affine map of the inputs.",
    ),
    controls={
        Rule("all", "no regulariser sees translations", lambda g: True): "the bias takes them up",
        Rule("none", "every regulariser sees translations", lambda g: False): "the bias is penalised",
        Rule("norm", "only the norm is invariant", lambda g: g["weight"] == "norm"): "the roles exchanged",
        Rule(
            "one datum", "one datum can be shifted", lambda g: g["n"] == 1 or g["weight"] == "printed"
        ): "with one datum there is nothing to tell where it is",
    },
    checks=(translation,),
    rests_on=("dedios2020.equation_13",),
)


def one_datum(context: Context, weight: str) -> Observation:
    draw = context.random()
    places: list[tuple[Fraction, ...]] = [
        (Fraction(0),),
        (Fraction(3, 4),),
        (Fraction(2), Fraction(2)),
        (Fraction(-5),),
    ]
    places += [
        tuple(Fraction(draw.randint(-9, 9), draw.randint(1, 3)) for _ in range(d))
        for d in context.choose((2, 3), (1, 2, 3, 4))
    ]
    for x in places:
        y = Fraction(draw.choice((1, -1)) * draw.randint(1, 9), draw.randint(1, 3))
        yield seen(
            least([x], [y], weight),
            f"x = ({', '.join(map(str, x))})",
            y=y,
            X=sum((t * t for t in x), Fraction(0)),
            d=len(x),
        )
    yield Step("|y| = Σ c [θ·x̃]_+ ≤ Σ|c||θ||x̃|, and one neuron along x̃ attains it; B = |x̃|² wherever it is active")


ONE_DATUM_CONTROLS = {
    "Abs(y)*sqrt(1 + X)": "|x̃| in the numerator",
    "Abs(y)/(1 + X)": "|x̃|²",
    "Abs(y)/sqrt(1 + X + d)": "dimensions counted",
}


@certificate("programmes of one datum")
def observe_norm(context: Context) -> Observation:
    """Least total variations between exact bounds, in one to three dimensions."""
    yield from one_datum(context, "norm")


@certificate("programmes of one datum")
def true(context: Context) -> Observation:
    """Least label-noise regularisers between exact bounds, in one to three dimensions."""
    yield from one_datum(context, "true")


NORM = claim(
    "dedios2020.implicit_versus_tv_one_datum",
    "beside Section 4, TV regularisation is not translation invariant",
    "Least total variation through one datum",
    """Through one datum (x, y) the least total variation is |y|/√(1+|x|²): the further from the origin, the cheaper.
    Proof: |y| ≤ Σ|c||θ||x̃| for every network, with equality for one neuron along x̃ = (x, 1).""",
    latex=r"V_{TV}=\frac{|y|}{\sqrt{1+|x|^2}}",
    formula="Abs(y)/sqrt(1 + X)",
    symbols={"y": "label", "X": "|x|²", "d": "dimension"},
    controls={
        **ONE_DATUM_CONTROLS,
        "Abs(y)": "biases free, as if translations did not matter",
        "y/sqrt(1 + X)": "negative labels for nothing",
    },
    checks=(observe_norm,),
    part_of="dedios2020.implicit_versus_tv_translation",
    own=True,
)

TRUE = claim(
    "dedios2020.implicit_versus_tv_one_datum_label_noise",
    "beside (13) and Section 4, translation invariance",
    "Least label-noise regulariser through one datum",
    """Through one datum (x, y) the least value of the label-noise regulariser with the weight 2√(AB) is 2√(1+|x|²)|y|:
    the further from the origin, the dearer, the opposite of the total variation. Under the printed √A it would be |y|
    wherever the datum is.""",
    latex=r"V_{2\sqrt{AB}}=2\sqrt{1+|x|^2}\,|y|",
    formula="2*sqrt(1 + X)*Abs(y)",
    symbols={"y": "label", "X": "|x|²", "d": "dimension"},
    controls={
        **ONE_DATUM_CONTROLS,
        "Abs(y)": "the printed weight",
        "2*(1 + X)*Abs(y)": "B taken for its root",
        "2*sqrt(X)*Abs(y)": "the bias forgotten",
    },
    checks=(true,),
    part_of="dedios2020.implicit_versus_tv_translation",
    rests_on=("dedios2020.equation_13",),
    own=True,
)


class Counted:
    """A number that counts the multiplications made with it."""

    def __init__(self, value: Fraction, count: list[int]) -> None:
        self.value, self.count = value, count

    def __mul__(self, other: Counted) -> Counted:
        self.count[0] += 1
        return Counted(self.value * other.value, self.count)

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.value + other.value, self.count)


@certificate("counted multiplications")
def multiplications(context: Context) -> Observation:
    """Both weights evaluated with numbers that count their multiplications. A of (12) and |θ|², evaluated as they are
    defined, with numbers that count.
    """
    draw = context.random()
    right = True
    for n, d in ((1, 1), (1, 4), (2, 1), (5, 3), (20, 2), (7, 10), context.choose((100, 3), (1000, 5))):
        count = [0]

        def number(value: Fraction | int, count: list[int] = count) -> Counted:
            return Counted(Fraction(value), count)

        theta = [number(draw.randint(-9, 9)) for _ in range(d + 1)]
        points = [[number(draw.randint(-9, 9)) for _ in range(d)] for _ in range(n)]
        square = theta[0] * theta[0]
        for t in theta[1:]:
            square = square + t * t
        norm, count[0] = count[0], 0
        total = number(0)
        for x in points:
            height = theta[-1]
            for a, at in zip(theta[:-1], x, strict=True):
                height = height + a * at
            height = height if height.value > 0 else number(0)
            total = total + height * height
        plain = sum(
            max(Fraction(0), sum((t.value * v.value for t, v in zip(theta, x, strict=False)), theta[-1].value)) ** 2
            for x in points
        )
        right = right and total.value == plain and square.value == sum(t.value**2 for t in theta)
        yield seen(Fraction(count[0], norm), f"{n} data in dimension {d}", n=n, d=d)
    yield Premise("the counting numbers compute what they should", right)
    yield Step("[θ·x̃_i]_+² takes d + 1 multiplications for each datum, |θ|² takes d + 1 in all")


COST = claim(
    "dedios2020.implicit_versus_tv_cost",
    "Section 4, implicit versus TV regularisation, second item",
    "What a weight costs to evaluate",
    """Evaluated as it is defined, the implicit weight's A = E[(a·x+b)_+²] takes n times as many multiplications as
    ‖θ‖²: n(d+1) against d+1. This is what the paper's 'in principle more costly' comes to; it is no lower bound.
    (Inside one cell A is a quadratic form, the same for all its neurons.)""",
    latex=r"\frac{n(d+1)}{d+1}=n",
    formula="n",
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    controls={
        "1": "no more costly",
        "n*d": "d counted again",
        "n + 1": "one for the mean",
        "2*n": "output and square counted apart",
    },
    checks=(multiplications,),
    part_of="dedios2020.implicit_versus_tv_translation",
)
