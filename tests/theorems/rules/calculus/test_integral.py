"""What the rule for integrals computes, and what it does not take for a witness."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Assumption, parse
from implicitbias.theorems.primitives import PRIMITIVES, Primitive
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import Theorem, establish

HAT = Integral(
    "relu(1 - Abs(t))*cos(k*t)",
    over="t",
    lower="-oo",
    upper="oo",
    splits=("-1", "0", "1"),
    antiderivatives=("0", "(1 + t)*sin(k*t)/k + cos(k*t)/k**2", "(1 - t)*sin(k*t)/k - cos(k*t)/k**2", "0"),
)
TAIL = Integral("w**3*exp(-a*w**2)", "w", "0", "oo", antiderivatives=("-(w**2/a + 1/a**2)*exp(-a*w**2)/2",))
POSITIVE: dict[str, Assumption] = {"a": "positive"}


def values(quantity: Integral, vocabulary: Any = PRIMITIVES, **stated: Any) -> list[str]:
    return [c.value for c in establish(Theorem("", quantity, given={}, **stated), vocabulary).conclusions]


def of(integrand: str, lower: str, upper: str, *antiderivatives: str, splits: tuple[str, ...] = ()) -> Integral:
    return Integral(integrand, "w", lower, upper, antiderivatives=antiderivatives, splits=splits)


def test_the_hat_has_the_transform_that_its_pieces_add_up_to() -> None:
    assert values(HAT, for_all={"k": "positive"}) == ["(-(2*cos(k)) + 2)/k**2"]


def test_both_signs_of_a_frequency_are_cases_of_one_theorem() -> None:
    found = values(HAT, for_all={"k": "real"}, assuming=("k**2 > 0",), split=("k",))
    assert found == ["(-(2*cos(k)) + 2)/k**2"] * 2


@pytest.mark.parametrize(
    ("quantity", "value"),
    [
        (TAIL, "1/(2*a**2)"),
        (of("1/(1 + w**2)", "-oo", "oo", "atan(w)"), "pi"),
        (of("normal_density(w, a)", "-oo", "oo", "erf(w/(a*sqrt(2)))/2"), "1"),
        (of("1/w**2", "a", "oo", "-1/w"), "1/a"),
        (of("w/(w**2 + a)**2", "0", "oo", "w**2/(2*a*(w**2 + a))"), "1/(2*a)"),
        (of("exp(a*w)", "-oo", "0", "exp(a*w)/a"), "1/a"),
        (of("1/sqrt(w)", "0", "a", "2*sqrt(w)"), "2*sqrt(a)"),
        (of("uniform_density(w, a)", "-oo", "oo", "0", "w/(2*a)", "0", splits=("-a", "a")), "1"),
    ],
    ids=lambda part: part.integrand if isinstance(part, Integral) else "",
)
def test_improper_integrals(quantity: Integral, value: str) -> None:
    (found,) = values(quantity, for_all=POSITIVE)
    Setting(POSITIVE).zero(minus(parse(found).tree, parse(value).tree), "value")


def test_an_integral_in_an_integral() -> None:
    inner = Integral("exp(-a*t*w)", "t", "0", "w", antiderivatives=("-exp(-a*t*w)/(a*w)",))
    quantity = Integral(inner, "w", "1", "2", antiderivatives=("w",))
    with pytest.raises(RefusedError, match="derivative - integrand"):
        values(quantity, for_all=POSITIVE)
    triangle = Integral(
        Integral("1", "t", "0", "w", antiderivatives=("t",)), "w", "0", "a", antiderivatives=("w**2/2",)
    )
    assert values(triangle, for_all=POSITIVE) == ["a**2/2"]


UNSOUND = {
    "a piece left out": of("Abs(w)", "-1", "1", "w**2/2"),
    "fewer antiderivatives than pieces": of("Abs(w)", "-1", "1", "w**2/2", splits=("0",)),
    "a split point outside of the range": of("w", "0", "1", "w**2/2", "w**2/2", splits=("2",)),
    "split points in the wrong order": of("w", "0", "3", "w**2/2", "w**2/2", "w**2/2", splits=("2", "1")),
    "an empty range": of("w", "a", "a", "w**2/2"),
    "a reversed range": of("w", "1", "0", "w**2/2"),
    "a range that is reversed for large a": of("w", "0", "2 - a", "w**2/2"),
    "a wrong antiderivative": of("w", "0", "1", "w**2"),
    "a jump of the antiderivative within a piece": of("1", "-1", "1", "w + sign(w)"),
    "a corner of the antiderivative within a piece": of("sign(w)", "-1", "1", "Abs(w)"),
    "a pole between the ends": of("1/w**2", "-1", "1", "-1/w"),
    "a pole at an end": of("1/w**2", "0", "1", "-1/w"),
    "a principal value": of("1/w", "-1", "1", "log(-w)", "log(w)", splits=("0",)),
    "a tail that diverges": of("1/w", "1", "oo", "log(w)"),
    "a tail that grows": of("w*exp(a*w)", "0", "oo", "(w/a - 1/a**2)*exp(a*w)"),
    "a tail without a limit": of("cos(w)", "0", "oo", "sin(w)"),
    "a tail that decays on one side only": of("exp(-a*w)", "-oo", "oo", "-exp(-a*w)/a"),
    "an integrand without a value inside": of("sqrt(w - a)*0", "0", "oo", "0"),
    "an antiderivative without a value inside": of("1", "-1", "1", "w + 0*log(w)"),
    "a boundary term that is not 0": of("exp(-a*w)", "0", "oo", "1/a - exp(-a*w)/a + w"),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_refused(name: str) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        values(UNSOUND[name], for_all=POSITIVE)


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_infinity_is_an_end_and_no_number(end: str) -> None:
    turned: Any = {"lower": "oo", "upper": "-oo"}[end]
    with pytest.raises(FormulaError):
        values(replace(TAIL, **{end: turned}), for_all=POSITIVE)
    with pytest.raises(FormulaError):
        values(replace(TAIL, antiderivatives=("oo",)), for_all=POSITIVE)


def test_the_variable_is_bound() -> None:
    with pytest.raises(ValueError, match="taken"):
        values(TAIL, for_all={"a": "positive", "w": "real"})
    with pytest.raises(FormulaError):
        values(replace(TAIL, lower="w"), for_all=POSITIVE)


def test_a_constant_of_integration_changes_nothing() -> None:
    moved = replace(TAIL, antiderivatives=(TAIL.antiderivatives[0] + " + 7*a",))
    assert values(moved, for_all=POSITIVE) == values(TAIL, for_all=POSITIVE)


@pytest.mark.parametrize(
    ("name", "formula"),
    [("relu", "Max(0, z)**2"), ("relu", "Max(0, 2*z)"), ("relu", "z")],
)
def test_with_another_subject_the_witness_is_refused(name: str, formula: str) -> None:
    changed = Primitive(name, PRIMITIVES[name].parameters, formula, "")
    with pytest.raises((RefusedError, NotShownError)):
        values(HAT, {**PRIMITIVES, name: changed}, for_all={"k": "positive"})


@pytest.mark.parametrize("number", range(12))
def test_perturbed_witnesses_are_refused(number: int) -> None:
    piece, change = 1 + number % 2, [("1 + t", "2 + t"), ("1 - t", "1 - 2*t"), ("k**2", "k**3"), ("sin", "cos")]
    old, new = change[number // 2 % 4]
    texts = list(HAT.antiderivatives)
    texts[piece] = texts[piece].replace(old, new)
    changed = replace(HAT, antiderivatives=tuple(texts))
    if changed == HAT:
        assert old not in HAT.antiderivatives[piece]
        return
    with pytest.raises((RefusedError, NotShownError)):
        values(changed, for_all={"k": "positive"})


def test_a_record_reads_back() -> None:
    theorem = Theorem("", TAIL, {"a": "positive"}, {"x": "a"})
    assert Theorem.from_json(theorem.to_json()) == theorem
    assert not theorem.primitives
    assert Theorem("", HAT, {"k": "positive"}, {}).primitives == {"relu"}
