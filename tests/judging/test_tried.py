"""What was tried is said symbol by symbol, never wider than it was; a proof for some sizes only is CERTIFIED."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Proven, Step, Value
from implicitbias.claims.statement import Claim, Control, Rule, Source
from implicitbias.exact.formula import Assumption
from implicitbias.exact.rational import Interval
from implicitbias.judging.judge import judge
from implicitbias.judging.result import Result, assess, stand
from implicitbias.judging.tried import Range, instances_in_words, to_json
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.theorems.established import Conclusion


def said(values: Iterable[Value], name: str = "x") -> str:
    return instances_in_words([Instance("", {"x": value}, 0) for value in values], [name])


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (range(1, 10), "9 instances, x from 1 to 9"),
        ((-5, 0, Fraction(7, 2)), "3 instances, x from -5 to 7/2"),
        ((0, 0), "2 instances, x = 0"),
        ((3,), "1 instance, x = 3"),
        ((2, None, -1), "3 instances, x from -1 to 2"),
        ((None, "no", True, (1, 2), 0.5), "5 instances"),
        ((Interval(Fraction(1), Fraction(2)), Interval(Fraction(-1), Fraction(3, 2))), "2 instances, x from -1 to 2"),
        ((Interval.around(Fraction(3, 2), Fraction(1, 10**60)),), "1 instance, x about 1.5"),
        ((0, Fraction("3.14159265")), "2 instances, x from 0 to about 3.141"),
        ((Fraction("-3.14159265"), Fraction("0.00012345678")), "2 instances, x from about -3.141 to about 0.0001234"),
        ((10**100, 2 * 10**100), "2 instances, x from about 1.000e+100 to about 2.000e+100"),
        ((1, 1 + Fraction(1, 10**50)), "2 instances, x about 1"),
    ],
)
def test_a_range_is_said_in_a_few_words(values: Iterable[Value], words: str) -> None:
    assert said(values) == words


def test_every_symbol_is_said_in_the_claims_order() -> None:
    names = [f"x_{i}" for i in range(40)]
    words = instances_in_words([Instance("", {name: i for i, name in enumerate(reversed(names))}, 0)], names)
    assert words == "1 instance, " + ", ".join(f"{name} = {39 - i}" for i, name in enumerate(names))
    assert said((1, 2), "y") == "2 instances"


@given(st.lists(st.fractions(), min_size=1, max_size=5))
def test_no_more_is_claimed_than_was_tried(values: list[Fraction]) -> None:
    found = Range(min(values), max(values))
    words = str(found).removeprefix("= ").removeprefix("from ").split(" to ")
    ends = [Fraction(word.removeprefix("about ")) for word in words]
    if len(ends) == 2:
        assert found.least <= ends[0] < ends[1] <= found.greatest
    elif words[0].startswith("about "):
        assert abs(ends[0] - (found.least + found.greatest) / 2) <= abs(ends[0]) / 1000
    else:
        assert found.least == found.greatest == ends[0]


def proof(*cases: Mapping[str, str], **more: tuple[Instance, ...] | tuple[Step, ...]) -> Evidence:
    """Identities that give each symbol of `d*x*s` as these texts, and say that it is their product."""
    return Evidence(
        identities=tuple(
            Identity("", {"x": "real", "t": "positive integer"}, case, "*".join(f"({text})" for text in case.values()))
            for case in cases
        ),
        **more,  # type: ignore[arg-type]
    )


def assessed(evidence: Evidence, meanings: Mapping[str, str], kind: Kind = Kind.PROOF) -> Result:
    def observe(context: Context) -> Evidence:
        return evidence

    check = Check("look", kind, observe)
    claim = Claim(
        "p.product",
        Source("p", "(1)"),
        "a product",
        "…",
        "*".join(meanings),
        (Control("+".join(meanings), "a sum"),),
        (check,),
        symbols=meanings,
    )
    result = assess(claim, check, evidence)
    assert stand([claim], [result])["p.product"].standing is Standing.ESTABLISHED, result.reason
    return result


SIZES = [{"d": str(d), "x": "x"} for d in range(2, 9)]
DIMENSION = {"d": "the dimension", "x": "a number"}


def test_a_proof_for_some_dimensions_is_certified_for_these() -> None:
    result = assessed(proof(*SIZES, steps=(Step("by hand"),)), DIMENSION)
    assert result.verdict is Verdict.CERTIFIED
    assert result.reason == "7 cases equal for all values, with d from 2 to 8; 1 step in words"
    assert to_json(result.evidence, DIMENSION) == {"d": {"from": "2", "to": "8"}}


def test_dimensions_left_out_are_not_claimed() -> None:
    result = assessed(proof(*(SIZES[i] for i in (5, 1, 3))), DIMENSION)
    assert result.verdict is Verdict.CERTIFIED
    assert result.reason == "3 cases equal for all values, with d = 3, 5 and 7"


def test_a_proof_for_all_dimensions_stays_derived() -> None:
    result = assessed(proof(*SIZES, {"d": "t + 8", "x": "x"}), DIMENSION)
    assert (result.verdict, result.reason) == (Verdict.DERIVED, "8 cases equal for all values")
    assert to_json(result.evidence, DIMENSION) == {}


def test_constants_need_not_be_whole() -> None:
    cases = [{"d": text, "x": "x"} for text in ("2*pi", "2", "1/2")]
    result = assessed(proof(*cases), {"d": "|S^(d−2)|", "x": "a number"})
    assert result.verdict is Verdict.CERTIFIED
    assert result.reason == "3 cases equal for all values, with d = 2*pi, 2 and 1/2"
    assert to_json(result.evidence, DIMENSION) == {"d": {"from": "1/2", "to": "2*pi"}}


@pytest.mark.parametrize(("sizes", "verdict"), [((2, 3, 4), Verdict.CERTIFIED), (("t",), Verdict.PROVED)])
def test_a_theorem_for_some_dimensions_is_no_better(sizes: tuple[int | str, ...], verdict: Verdict) -> None:
    variables: Mapping[str, Assumption] = {"x": "real", "t": "positive integer"}
    cases = tuple(Conclusion("", variables, {"d": f"{d}", "x": "x"}, f"{d}*x") for d in sizes)
    result = assessed(Evidence(theorems=(Proven({}, "the product", "", cases),)), DIMENSION)
    assert result.verdict is verdict
    assert ("with d from 2 to 4" in result.reason) is (verdict is Verdict.CERTIFIED)


def test_one_value_is_said_and_does_not_change_the_verdict() -> None:
    result = assessed(proof(SIZES[0]), DIMENSION)
    assert (result.verdict, result.reason) == (Verdict.DERIVED, "1 case equal for all values, with d = 2")


@pytest.mark.parametrize(
    ("values", "meaning", "verdict"),
    [
        (("0", "1"), "1 if the loss is convex, else 0", Verdict.DERIVED),
        (("1", "-1"), "direction of the unit, ±1", Verdict.DERIVED),
        (("log(2)", "1"), "log(2) for the logistic, 1 for the exponential loss", Verdict.DERIVED),
        (("0", "1"), "number of data", Verdict.CERTIFIED),
        (("0", "1"), "a point of [0, 1]", Verdict.CERTIFIED),
        (("1", "-1"), "slope of the labels at x = ±1", Verdict.CERTIFIED),
        (("1", "2"), "1 if both are active, 2 if one is, else 3", Verdict.CERTIFIED),
        (("0", "1", "2"), "1 if the loss is convex, else 0", Verdict.CERTIFIED),
    ],
)
def test_a_flag_is_complete_if_its_meaning_lists_its_values(
    values: tuple[str, ...], meaning: str, verdict: Verdict
) -> None:
    result = assessed(proof(*({"s": value, "x": "x"} for value in values)), {"s": meaning, "x": "a number"})
    assert result.verdict is verdict


def test_cases_and_instances_are_said_apart() -> None:
    instances = tuple(Instance("", {"d": d, "x": -2}, -2 * d) for d in (1, 12))
    result = assessed(proof(*SIZES, instances=instances), DIMENSION)
    assert result.reason == "7 cases equal for all values, with d from 2 to 8; 2 instances, d from 1 to 12, x = -2"
    assert to_json(result.evidence, DIMENSION) == {"d": {"from": "1", "to": "12"}, "x": {"from": "-2", "to": "-2"}}
    only = replace(result.evidence, identities=())
    assert assessed(only, DIMENSION, Kind.CERTIFICATE).reason == "2 instances, d from 1 to 12, x = -2"


def test_of_a_rule_the_instances_are_counted() -> None:
    evidence = Evidence(instances=tuple(Instance("", {"n": n}, n % 2 == 0) for n in range(5)))
    assert judge(evidence, Rule("even", "the even numbers", lambda given: given["n"] % 2 == 0)).reason == "5 instances"  # type: ignore[operator]
