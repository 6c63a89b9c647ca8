"""The cheapest network through data: true witnesses, unsound ones, and another subject in the place of the ReLU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

import pytest

from implicitbias.exact.formula import parse
from implicitbias.theorems.established import Conclusion
from implicitbias.theorems.primitives import PRIMITIVES, Primitive, Vocabulary
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps, CheapestUnits
from implicitbias.theorems.rules.extrema.largest_price import LargestPrice
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, number, put
from implicitbias.theorems.theorem import Theorem, establish

WRONG = (RefusedError, NotShownError)

TWO_FAR_RAMPS = CheapestRamps(
    data=(("-1", "y"), ("1", "y")),
    kinks=("-L", "L"),
    network=({"v": "y/(2*L)", "s": "1", "c": "-L"}, {"v": "y/(2*L)", "s": "-1", "c": "L"}),
    multipliers=("sign(y)/(2*L)", "sign(y)/(2*L)"),
)
ONE_UNIT = CheapestUnits(
    data=(("-1", "p"), ("1", "q")),
    cost="Abs(v)*sqrt(w**2 + b**2)",
    network=({"v": "1", "w": "(q - p)/2", "b": "(p + q)/2"},),
    multipliers=("p/sqrt(2*(p**2 + q**2))", "q/sqrt(2*(p**2 + q**2))"),
)
CONSTANT = LargestPrice(multipliers=(("-sqrt(r)", "1/2"), ("sqrt(r)", "1/2")), at=("Max(0, sign(r - 3))*sqrt(r)", "1"))


def of(quantity: Quantity, vocabulary: Vocabulary = PRIMITIVES, **given: str) -> tuple[Conclusion, ...]:
    """What a rule finds, in the setting of each of the quantities above."""
    for_all, assuming, split = {
        CheapestRamps: ({"y": "real", "L": "real"}, ("L >= 1",), ("y",)),
        CheapestUnits: ({"p": "positive", "q": "positive"}, (), ()),
        LargestPrice: ({"r": "positive"}, (), ("r - 3",)),
    }[type(quantity)]
    stated = Theorem("", quantity, for_all, given, assuming, split)  # type: ignore[arg-type]
    return establish(stated, vocabulary).conclusions


def agrees(conclusion: Conclusion, formula: str, at: Mapping[str, Fraction]) -> bool:
    numbers = {name: number(value) for name, value in at.items()}
    found, wanted = (put(parse(text, at).tree, numbers) for text in (conclusion.value, formula))
    return "cell" in Setting({}).zero(minus(found, wanted), "value less formula")


def with_primitive(name: str, formula: str) -> Vocabulary:
    old = PRIMITIVES[name]
    return MappingProxyType({**PRIMITIVES, name: Primitive(name, old.parameters, formula, old.says)})


def test_two_ramps_at_the_ends_of_the_range() -> None:
    signs = {"y > 0": Fraction(3), "y = 0": Fraction(0), "y < 0": Fraction(-3)}
    for conclusion in of(TWO_FAR_RAMPS):
        assert agrees(conclusion, "Abs(y)/L", {"y": signs[conclusion.label], "L": Fraction(2)})


def test_one_unit_for_two_labels_of_a_sign() -> None:
    (found,) = of(ONE_UNIT)
    assert agrees(found, "sqrt((p**2 + q**2)/2)", {"p": Fraction(1), "q": Fraction(7)})


def test_squares_of_all_weights_cost_twice_the_path() -> None:
    balanced = {"v": "sqrt(sqrt(2))", "w": "0", "b": "1/sqrt(sqrt(2))"}
    squares = CheapestUnits(
        data=(("0", "1"),),
        cost="unit_cost_with_bias(v, w, b)",
        network=({"v": "1", "w": "0", "b": "1"},),
        multipliers=("1",),
    )
    (found,) = of(squares)
    assert agrees(found, "1", {"p": Fraction(1), "q": Fraction(1)})
    with pytest.raises(WRONG, match="what the multipliers earn"):
        of(replace(squares, network=({"v": "2", "w": "0", "b": "1/2"},)))
    with pytest.raises(WRONG, match="the network at 0"):
        of(replace(squares, network=(balanced, balanced)))


def test_largest_price_in_both_regimes() -> None:
    near, far = (next(c for c in of(CONSTANT) if sign in c.label) for sign in ("<", ">"))
    assert agrees(near, "1", {"r": Fraction(2)})
    assert agrees(far, "(1 + r)/4", {"r": Fraction(7)})


def test_margins_at_further_data_are_shown_too() -> None:
    margins = CheapestRamps(
        data=(("-1", "-1"), ("1", "1")),
        margins=True,
        free=("1",),
        network=({"v": "1", "s": "1", "c": "-1"},),
        coefficients=("-1",),
        multipliers=("-1/2", "1/2"),
        further=((("x - 1",), "1"),),
    )
    # one ramp of slope 1 and a free constant: kinks on the whole line, prices add up to 0
    assert agrees(of(margins)[0], "1", {"y": Fraction(1), "L": Fraction(1)})
    with pytest.raises(WRONG, match="further data"):
        of(replace(margins, further=((("x",), "1"),)))
    with pytest.raises(WRONG, match="what 1 earns"):
        of(replace(margins, multipliers=("-1/3", "1/2")))
    with pytest.raises(WRONG, match="what x earns"):
        of(replace(margins, free=("1", "x"), coefficients=("-1", "0")))


UNSOUND = {
    "the network misses a datum": {"data": (("-1", "y"), ("1", "2*y"))},
    "a kink out of the range": {"kinks": ("-L", "L/2")},
    "a side that is neither 1 nor -1": {
        "network": ({"v": "y/(4*L)", "s": "2", "c": "-L"}, {"v": "y/(4*L)", "s": "-2", "c": "L"})
    },
    "a dearer network": {"network": ({"v": "y/2", "s": "1", "c": "-1"}, {"v": "y/2", "s": "-1", "c": "1"})},
    "multipliers too large": {"multipliers": ("sign(y)/L", "sign(y)/L")},
    "multipliers too small": {"multipliers": ("sign(y)/(3*L)", "sign(y)/(3*L)")},
    "a multiplier too few": {"multipliers": ("sign(y)/(2*L)",)},
    "multipliers of the wrong sign": {"multipliers": ("-sign(y)/(2*L)", "-sign(y)/(2*L)")},
    "a division by 0": {"multipliers": ("y/(2*L*Abs(y))", "y/(2*L*Abs(y))")},
    "data out of order": {"data": (("1", "y"), ("-1", "y"))},
    "kinks on the whole line": {"kinks": ()},
    "ends exchanged": {"kinks": ("L", "-L")},
    "a line that is no constant beyond": {"further": (((), "y"),)},
    "a free constant": {"free": ("1",), "coefficients": ("0",)},
}


@pytest.mark.parametrize("change", UNSOUND.values(), ids=UNSOUND)
def test_refuses(change: Mapping[str, object]) -> None:
    with pytest.raises(WRONG):
        of(replace(TWO_FAR_RAMPS, **change))  # type: ignore[arg-type]


OTHER_RAMPS = {
    "squared": "relu(s*(x - c))**2",
    "larger between the knots": "relu(s*(x - c)) + Max(0, 1/4 - Abs(c - x - 1/2))",
    "that bends where no datum is": "relu(s*(x - c)) + Abs(c - 1/3)",
    "steeper on the other side": "relu(s*(x - c)) - 2*relu(-s*(x - c))",
    "smooth": "log(1 + exp(s*(x - c)))",
}


@pytest.mark.parametrize("ramp", OTHER_RAMPS.values(), ids=OTHER_RAMPS)
def test_refuses_a_ramp(ramp: str) -> None:
    with pytest.raises(WRONG):
        of(TWO_FAR_RAMPS, with_primitive("ramp", ramp))


@pytest.mark.parametrize("cost", ["2*Abs(v)*Abs(w)", "v**2*Abs(w)", "v*w", "Abs(v)*Abs(w) + 1", "sqrt(Abs(v))"])
def test_another_cost_is_refused(cost: str) -> None:
    with pytest.raises(WRONG):
        of(TWO_FAR_RAMPS, with_primitive("path_cost", cost))


@pytest.mark.parametrize("relu", ["Max(0, z)**2", "2*Max(0, z)", "-z", "Max(0, z) + 1", "Max(0, z - 1)", "exp(z)"])
def test_another_activation_is_refused(relu: str) -> None:
    for quantity in (TWO_FAR_RAMPS, ONE_UNIT):
        with pytest.raises(WRONG):
            of(quantity, with_primitive("relu", relu))


@pytest.mark.parametrize("relu", ["Max(0, z)**2", "Max(0, z) + 1", "Max(0, z - 1)", "exp(z)"])
def test_largest_price_of_another_activation_is_refused(relu: str) -> None:
    with pytest.raises(WRONG):
        of(CONSTANT, with_primitive("relu", relu))


@pytest.mark.parametrize(
    "cost",
    [
        "Abs(v)*(Abs(w) + Abs(b))",  # not the root of a quadratic form
        "Abs(v)*sqrt(w**2 + b**2)/2",  # half as dear: the multipliers earn too much
        "v**2*sqrt(w**2 + b**2)",
        "v*sqrt(w**2 + b**2)",  # negative units are paid for
        "v**2 + w**2 - b**2",
        "sqrt(v**2 + w**2 + b**2)",
    ],
)
def test_another_cost_of_units_is_refused(cost: str) -> None:
    with pytest.raises(WRONG):
        of(replace(ONE_UNIT, cost=cost))


@pytest.mark.parametrize("at", [("1", "1"), ("1", "0"), ("sqrt(r)", "1"), ("0", "1"), ("0", "0"), ("0", "-1")])
def test_refuses_a_direction_that_is_not_largest_everywhere(at: tuple[str, str]) -> None:
    with pytest.raises(WRONG):
        of(replace(CONSTANT, at=at))


def test_refuses_a_name_that_is_taken() -> None:
    with pytest.raises(ValueError, match="taken"):
        establish(Theorem("", ONE_UNIT, {"p": "positive", "q": "positive", "x": "real"}, {}))
