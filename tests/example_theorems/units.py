"""What units cost and what losses do: theorems from definitions, small enough to be checked by hand."""

from implicitbias.claims import Observation, claim, shows, theorem
from implicitbias.theorems.rules.extrema.extremum import Infimum, Maximum, Minimum
from implicitbias.theorems.rules.values.value import Value


@theorem("balanced weights")
def balanced() -> Observation:
    """The input weight is √κ at the minimum."""
    yield shows(
        Minimum(
            "unit_cost(v, w)",
            over={"v": "real", "w": "positive"},
            subject_to={"v": "unit(v, w, 0, 1) - k"},
            at={"w": "sqrt(k)"},
            gap=("(k - w**2)**2/(2*w**2)",),
        ),
        for_all={"k": "positive"},
        k="k",
    )


COST = claim(
    "tested.cost",
    "Section 1",
    "A unit's least cost",
    "The least ½(v² + w²) of a unit with w > 0 and v w = κ > 0 is κ.",
    formula="k",
    symbols={"k": "what the unit says at 1"},
    controls={"k/2": "the half of the cost kept", "k**2": "the product of the squares", "2*k": "both weights count"},
    checks=(balanced,),
)


@theorem("an input weight that vanishes")
def vanishing() -> Observation:
    """The input weight tends to 0 and is never 0."""
    yield shows(
        Infimum("unit_cost(c, w)", over={"w": "positive"}, at={"w": "e"}, gap=("w**2/2",)),
        for_all={"c": "real"},
        c="c",
    )


LEFT = claim(
    "tested.left",
    "Section 2",
    "What is left of the cost",
    "The infimum of ½(c² + w²) over w > 0 is c²/2.",
    formula="c**2/2",
    symbols={"c": "the output weight"},
    controls={"c**2": "no half", "Abs(c)/2": "no square"},
    checks=(vanishing,),
)


@theorem("by the sign of y")
def by_sign() -> Observation:
    """Two ramps and one more on the right."""
    yield shows(Value("2*relu(y) - relu(-y)"), for_all={"y": "real"}, split=("y",), y="y")


RAMPS = claim(
    "tested.ramps",
    "Section 3",
    "Ramps",
    "Twice the rectifier of y less the rectifier of −y is y and the rectifier of y.",
    formula="y + Max(0, y)",
    symbols={"y": "a number"},
    controls={"y": "right on the left", "2*Max(0, y)": "right on the right"},
    checks=(by_sign,),
)


@theorem("a worst case of best cases")
def nested() -> Observation:
    """The label at 0 is the worst, whatever it is fitted by."""
    yield shows(
        Maximum(
            Minimum(
                "squared_loss(x, y) - a*squared_loss(y, 0)", over={"x": "real"}, at={"x": "y"}, gap=("(x - y)**2/2",)
            ),
            over={"y": "real"},
            at={"y": "0"},
            gap=("a*y**2/2",),
        ),
        for_all={"a": "positive"},
        a="a",
    )


WORST = claim(
    "tested.worst",
    "Section 4",
    "The worst label",
    "The largest over y of the least over x of ½(x − y)² − a y²/2 is 0 for a > 0.",
    formula="0*a",
    symbols={"a": "a weight"},
    controls={"a": "not weighted away", "-a": "the other sign"},
    checks=(nested,),
)


@theorem("the expression itself")
def typed() -> Observation:
    """A definition that names the rectifier and does not depend on it."""
    yield shows(Value("z**2/2 + 0*relu(z)"), for_all={"z": "real"}, z="z")


TYPED = claim(
    "tested.typed",
    "Section 5",
    "The expression itself",
    "Half a square is half a square, and this is derived at best.",
    formula="z**2/2",
    symbols={"z": "a number"},
    controls={"z**2": "no half", "z": "no square"},
    checks=(typed,),
)
