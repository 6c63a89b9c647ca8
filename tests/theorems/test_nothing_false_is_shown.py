"""Theorems that are false, or that speak of what has no value: each must be refused or left open, never established."""

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import parse, written
from implicitbias.theorems.at_infinity import limit_at_infinity
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.rules.extrema.extremum import Infimum, Maximum, Minimum, Supremum
from implicitbias.theorems.rules.extrema.minimiser import Minimiser
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.sign import Sign
from implicitbias.theorems.theorem import Theorem, establish

REFUSED = (RefusedError, NotShownError, FormulaError, ValueError)


def stated(quantity, *, assuming=(), split=(), **for_all):
    return Theorem("", quantity, for_all, {}, assuming, split)


FALSE = {
    "a variable that has the name of the circle constant": stated(Value("relu(1/pi)"), pi="real"),
    "a variable that has the name of Euler's number": stated(Value("relu(sqrt(E))"), E="real"),
    "a bound variable that has the name of Euler's number": stated(
        Minimum("relu(E)", over={"E": "real"}, at={"E": "0"}, gap=("relu(E)",))
    ),
    "a constraint that holds nowhere beyond 1": stated(
        Minimum(
            "relu((x - 2)**2)",
            over={"x": "nonnegative", "y": "real"},
            subject_to={"y": "y - x + 0*sqrt(y*(1 - y))"},
            at={"x": "2"},
            gap=("(x - 2)**2",),
        )
    ),
    "a split on what has no value everywhere": stated(Value("relu(x)"), split=("x + 0*log(3 - x)",), x="real"),
    "a tangent at all angles": stated(Value("relu(tan(x))"), x="real"),
    "the minimum at an end that is not in the domain": stated(
        Minimum("relu(x)", over={"x": "positive"}, at={"x": "0"}, gap=("x",))
    ),
    "the objective is undefined at the minimum": stated(
        Minimum("relu(x)*x/x", over={"x": "nonnegative"}, at={"x": "0"}, gap=("x",))
    ),
    "a gap that is negative in a corner": stated(
        Minimum("relu(x + y)", over={"x": "real", "y": "real"}, at={"x": "0", "y": "0"}, gap=("x + y",))
    ),
    "a gap that is negative between small whole numbers": stated(
        Minimum("x**2 - x/1000 + relu(0)", over={"x": "real"}, at={"x": "0"}, gap=("x**2 - x/1000",))
    ),
    "a minimum over whole numbers at a half": stated(
        Minimum("relu((n - 1/2)**2)", over={"n": "integer"}, at={"n": "1/2"}, gap=("(n - 1/2)**2",))
    ),
    "a minimum over nothing": stated(
        Minimum("relu(x)", over={"x": "real", "y": "positive"}, subject_to={"y": "y + 1 + x**2"}, at={"x": "0"}, gap=())
    ),
    "a constraint solved for a variable that it does not hold everywhere": stated(
        Minimum("relu(y**2)", over={"x": "real", "y": "real"}, subject_to={"y": "x*y - x"}, at={"x": "0"}, gap=("0",))
    ),
    "a constraint of degree two": stated(
        Minimum("relu(y)", over={"y": "real"}, subject_to={"y": "y**2 - 1"}, at={}, gap=())
    ),
    "a path that leaves the domain": stated(Infimum("relu(x)", over={"x": "positive"}, at={"x": "e - 1"}, gap=("x",))),
    "a path along which the gap stays": stated(
        Infimum("relu(x)", over={"x": "positive"}, at={"x": "1 + e"}, gap=("x",))
    ),
    "a path along which the gap jumps at the end": stated(
        Infimum("relu(x)*y", over={"x": "positive", "y": "positive"}, at={"x": "e", "y": "1/e"}, gap=("x*y",))
    ),
    "a supremum of what grows without bound": stated(
        Supremum("relu(x)", over={"x": "positive"}, at={"x": "1/e"}, gap=("1/x",))
    ),
    "a maximum taken for a minimum": stated(Maximum("relu(x)", over={"x": "real"}, at={"x": "0"}, gap=("relu(x)",))),
    "the root of a square taken for its base": stated(
        Minimum("relu(x) + sqrt(x**2) - x", over={"x": "real"}, at={"x": "-1"}, gap=("relu(x)",))
    ),
    "hypotheses that exclude each other": stated(Value("relu(x)"), assuming=("x**2 < 2", "x > 3/2"), x="positive"),
    "a hypothesis that is false as it stands": stated(Value("relu(x)"), assuming=("0 < 0",), x="real"),
    "a bound variable that has the name of a variable": stated(
        Minimum("relu(x)", over={"x": "real"}, at={"x": "0"}, gap=("relu(x)",)), x="real"
    ),
    "a variable that has the name of the path's parameter": stated(
        Infimum("relu(x) + e", over={"x": "positive"}, at={"x": "e"}, gap=("x",)), e="positive"
    ),
    "the same name bound twice": stated(
        Minimum(
            Minimum("relu(x)", over={"x": "real"}, at={"x": "0"}, gap=("relu(x)",)),
            over={"x": "real"},
            at={"x": "0"},
            gap=(),
        )
    ),
}


@pytest.mark.parametrize("theorem", FALSE.values(), ids=FALSE)
def test_it_is_not_established(theorem: Theorem) -> None:
    with pytest.raises(REFUSED):
        establish(theorem)


def test_a_maximum_of_one_formula_is_the_formula() -> None:
    assert Setting({"x": "real"}).zero(parse("Max(x) - Min(x)").tree, "the difference")


def test_the_case_of_a_variable_that_is_split_on_twice_is_passed_over() -> None:
    found = establish(stated(Value("relu(y)"), split=("y", "2*y"), y="real"))
    assert len(found.conclusions) == 3


@pytest.mark.parametrize(
    "antiderivative",
    [
        "(1/exp(-w))/(w + 1)",  # exponential growth over linear: the numerator's limit is 1/0
        "(exp(-w))**(1/(w + 1))",  # 0 to the power 0, which tends to 1/e
        "exp(w)/(w + 1)",
        "exp(-w)*exp(w)*w",
    ],
)
def test_no_limit_is_taken_from_what_has_none_or_another(antiderivative: str) -> None:
    slope = written(derivative(parse(antiderivative).tree, "w"))
    over = Integral(f"{slope} + relu(0)", over="w", lower="0", upper="oo", antiderivatives=(antiderivative,))
    with pytest.raises(REFUSED):
        establish(stated(over))


@pytest.mark.parametrize(("formula", "limit"), [("(1/(w + 1) + 2)**(1/(w + 1))", "1"), ("(exp(-w) + 3)/(w + 1)", "0")])
def test_limits_that_exist_are_found(formula: str, limit: str) -> None:
    setting = Setting({})
    assert setting.zero(_difference(limit_at_infinity(setting, parse(formula).tree, "w"), limit), "the limit")


def _difference(found, limit):
    return parse(f"({written(found)}) - ({limit})").tree


def test_what_was_asked_before_does_not_change_a_sign() -> None:
    """A root is nonnegative, and so is its radicand, where there is a root; the next formula may have none."""
    setting = Setting({"x": "real"})
    assert setting.sign(parse("sqrt(x)").tree) is Sign.NONNEGATIVE
    assert setting.sign(parse("x").tree) is None


def test_a_radicand_that_is_known_not_to_be_negative_factors_by_its_root() -> None:
    setting = Setting({"x": "real", "y": "positive"}).assuming(parse("x - 1").tree, parse("sqrt(x) - y").tree)
    assert setting.sign(parse("x - y**2").tree) is Sign.POSITIVE


@pytest.mark.parametrize("of", ["b/a", "b/a + 0*t", "b/a*t/t", "Max(b/a, b/a - t**2)"])
def test_what_is_asked_of_a_minimiser_depends_on_it(of: str) -> None:
    """Otherwise the answer itself could be typed there, whatever the minimiser is."""
    gap = ("((sqrt(a) - sqrt(b)*t)*(sqrt(a) + sqrt(b)*t))**2/(2*t**2)",)
    quantity = Minimiser(of, "unit_cost(a/t, b*t)", {"t": "positive"}, {"t": "sqrt(a/b)"}, gap)
    with pytest.raises(RefusedError, match="does not depend on t"):
        establish(stated(quantity, a="positive", b="positive"))
