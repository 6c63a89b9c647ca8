"""One function judges every candidate: it accepts what the evidence bears, refutes with a point, and else says so."""

import json
from collections.abc import Mapping
from fractions import Fraction

import pytest

from implicitbias.claims.evidence import Evidence, Identity, Instance, Value
from implicitbias.claims.statement import Rule
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Judgement, Outcome

SYMBOLS = ["T", "s"]


def cost_evidence() -> Evidence:
    instances = tuple(
        Instance(f"T={t}, s={s}", {"T": t, "s": s}, max(Fraction(t), abs(Fraction(s))))
        for t, s in [(0, 0), (0, 2), (2, 0), (1, 1), (Fraction(1, 2), -2), (6, -6)]
    )
    identities = (
        Identity("|s| <= T", {"p": "nonnegative", "q": "nonnegative"}, {"T": "p+q", "s": "q"}, "p+q"),
        Identity("s > T", {"p": "nonnegative", "q": "positive"}, {"T": "p", "s": "p+q"}, "p+q"),
        Identity("s < -T", {"p": "nonnegative", "q": "positive"}, {"T": "p", "s": "-p-q"}, "p+q"),
    )
    return Evidence(instances=instances, identities=identities)


@pytest.mark.parametrize(
    "formula", ["Max(T, Abs(s))", "Max(T, s, -s)", "(T+Abs(s)+Abs(T-Abs(s)))/2", "sqrt(Max(T**2, s**2))"]
)
def test_equal_forms_are_accepted(formula: str) -> None:
    assert judge(cost_evidence(), formula, SYMBOLS).outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(
    "formula", ["T + Abs(s)", "Max(T, Abs(s)/2)", "Max(T, s)", "T", "1/s", "log(T-s)", "Max(T,Abs(s))+1/10**40"]
)
def test_false_neighbours_are_refuted_with_a_point_and_a_margin(formula: str) -> None:
    judgement = judge(cost_evidence(), formula, SYMBOLS)
    assert judgement.outcome is Outcome.REJECTED
    assert judgement.counterexample is not None
    assert set(judgement.counterexample.point) == {"T", "s"}
    assert Judgement.from_json(json.loads(json.dumps(judgement.to_json()))) == judgement


def test_the_counterexample_is_the_simplest() -> None:
    found = judge(cost_evidence(), "T + Abs(s)", SYMBOLS).counterexample
    assert found is not None
    assert all(len(value) == 1 for value in found.point.values())
    assert int(found.candidate) - int(found.observed) == int(found.margin) == 1


def test_evidence_judges_the_same_after_a_round_trip_through_json() -> None:
    evidence = cost_evidence()
    assert Evidence.from_json(json.loads(json.dumps(evidence.to_json()))) == evidence


def test_a_true_formula_that_sympy_cannot_reduce_is_undecided_not_accepted() -> None:
    evidence = Evidence(identities=(Identity("", {"x": "real"}, {"x": "x"}, "atan(x)"),))
    hard = "atan(x) + floor(Abs(sin(x**2)*cos(x))/2)"
    assert judge(evidence, hard, ["x"]).outcome is Outcome.UNDECIDED


def test_bounds_are_judged_in_their_direction() -> None:
    evidence = Evidence(instances=(Instance("", {"D": 1}, 2, "<="), Instance("sharp", {"D": 3}, 6, "=")))
    assert judge(evidence, "2*D", ["D"]).outcome is Outcome.ACCEPTED
    assert judge(evidence, "D", ["D"]).outcome is Outcome.REJECTED
    assert judge(evidence, "3*D", ["D"]).outcome is Outcome.REJECTED
    assert judge(Evidence(instances=(Instance("", {"D": 1}, 2, ">="),)), "3*D", ["D"]).outcome is Outcome.REJECTED


def test_an_interval_accepts_inside_rejects_outside_and_is_undecided_across() -> None:
    given = {"x": Interval(Fraction(0), Fraction(1))}
    evidence = Evidence(instances=(Instance("", given, Interval(Fraction(-1, 8), Fraction(17, 8))),))
    assert judge(evidence, "2*x", ["x"]).outcome is Outcome.ACCEPTED
    assert judge(evidence, "x+3", ["x"]).outcome is Outcome.REJECTED
    assert judge(evidence, "x+3/2", ["x"]).outcome is Outcome.UNDECIDED


def test_rules_are_judged_by_structure_and_type() -> None:
    evidence = Evidence(
        instances=(Instance("", {"n": 3}, {"unique": True, "support": (Fraction(1, 2), 2)}),),
        identities=(Identity("not for rules", {}, {}, "1"),),
    )

    def rule(value: Value) -> Rule:
        def predict(given: Mapping[str, Value]) -> Value:
            return value

        return Rule("r", "a rule", predict)

    assert judge(evidence, rule({"unique": True, "support": (Fraction(1, 2), 2)})).outcome is Outcome.ACCEPTED
    for other in ({"unique": 1, "support": (Fraction(1, 2), 2)}, {"unique": True, "support": (Fraction(1, 2),)}, None):
        assert judge(evidence, rule(other)).outcome is Outcome.REJECTED


def test_no_evidence_decides_nothing() -> None:
    assert judge(Evidence(), "T", ["T"]).outcome is Outcome.UNDECIDED


def test_evidence_that_does_not_fit_the_formula_is_an_error_not_a_verdict() -> None:
    with pytest.raises(ValueError, match="no exact number for the symbol 's'"):
        judge(Evidence(instances=(Instance("", {"T": 1}, 1),)), "T+s", SYMBOLS)


def test_a_counterexample_reads_well_without_a_label_or_without_given_values() -> None:
    def said(label: str, given: Mapping[str, Value], formula: str) -> str:
        return str(judge(Evidence(instances=(Instance(label, given, 1),)), formula, list(given)).counterexample)

    found = "observed 1, the candidate says 2/3 (off by 1/3)"
    assert said("", {"y": Fraction(1, 3), "k": 2}, "y*k") == f"at y = 1/3, k = 2: {found}"
    assert said("a tie", {"y": Fraction(1, 3), "k": 2}, "y*k") == f"a tie at y = 1/3, k = 2: {found}"
    assert said("a tie", {}, "2/3") == f"a tie: {found}"
    assert said("", {}, "2/3") == found


def test_a_formula_is_parsed_once_for_all_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []

    def counted(text: str, names: object = ()) -> object:
        parsed.append(text)
        return parse(text, names)  # type: ignore[arg-type]

    monkeypatch.setattr("implicitbias.judging.judge.parse", counted)
    judge(Evidence(instances=tuple(Instance("", {"T": t}, t) for t in range(9))), "T", ["T"])
    assert parsed == ["T"]


def one(observed: Value, relation: str = "=", **given: Value) -> Evidence:
    return Evidence(instances=(Instance("", given, observed, relation),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "given", "observed"),
    [
        ("A + B - (sqrt(A) - sqrt(B))**2", {"A": 2, "B": 2}, 4),
        ("sqrt(sqrt(A)*sqrt(A) - A) + 1", {"A": 3}, 1),
        ("10**90*(sqrt(A + 1/10**80) - sqrt(A)) - 10**90*(sqrt(A + 1/10**80) - sqrt(A)) + A", {"A": 2}, 2),
        ("floor(sqrt(A)*sqrt(A))", {"A": 2}, 2),
    ],
)
def test_a_true_formula_whose_balls_are_around_zero_is_accepted(
    formula: str, given: dict[str, Value], observed: Value
) -> None:
    assert judge(one(observed, **given), formula, list(given)).outcome is Outcome.ACCEPTED


def test_what_cannot_be_evaluated_is_undecided_and_says_what_would_decide_it() -> None:
    found = judge(one(0, x=2), "sqrt(exp(log(x)) - x)", ["x"])
    assert found.outcome is Outcome.UNDECIDED
    assert "x = 2" in found.reason
    assert "exact value" in found.reason


def test_a_division_by_what_is_exactly_zero_refutes() -> None:
    found = judge(one(0, x=2), "x/(sqrt(x)*sqrt(3) - sqrt(6))", ["x"])
    assert found.outcome is Outcome.REJECTED
    assert found.counterexample is not None
    assert "division by zero" in found.counterexample.candidate


@pytest.mark.parametrize(("relation", "outcome"), [("=", "rejected"), ("<=", "accepted"), (">=", "rejected")])
def test_a_value_too_large_to_write_down_is_compared_all_the_same(relation: str, outcome: str) -> None:
    assert judge(one(1, relation, x=10**9), "exp(x)", ["x"]).outcome == outcome


def test_a_simplification_that_fails_at_zero_refutes_there() -> None:
    """k²√(1 + t²)/|k| is |k|√(1 + t²) but for k = 0, where it has no value."""
    identity = Identity("all", {"k": "real", "t": "real"}, {"k": "k", "t": "t"}, "Abs(k)*sqrt(1 + t**2)")
    found = judge(Evidence(identities=(identity,)), "k**2*sqrt(1 + t**2)/Abs(k)", ["k", "t"])
    assert found.outcome is Outcome.REJECTED
    assert found.counterexample is not None
    assert found.counterexample.point["k"] == "0"


@pytest.mark.parametrize(
    ("variables", "derived", "formula"),
    [
        ({"u": "positive"}, "sqrt(u)", "exp(log(u)/2)"),
        ({"x": "real", "y": "real"}, "Min(x, y)", "Min(y, x, Max(x, y))"),
        ({"x": "real"}, "atan(x)", "sign(x)*acos(1/sqrt(1 + x**2))"),
        ({"x": "real"}, "atan(x)", "asin(x/sqrt(1 + x**2))"),
        ({"x": "real"}, "Abs(x)", "Abs(Abs(x) + 1) - 1"),
        ({"x": "real"}, "x", "sign(x)*Abs(x)"),
        ({"a": "real", "t": "positive"}, "atan(a + t) - atan(a)", "acos((a*(a+t)+1)/sqrt((1+a**2)*(1+(a+t)**2)))"),
        ({"p": "nonnegative", "q": "nonnegative"}, "sqrt((p**2+q**2)/2)", "Max(sqrt((p**2+q**2)/2), Abs(p-q)/sqrt(2))"),
    ],
)
def test_true_rewritings_are_recognised(variables: dict[str, str], derived: str, formula: str) -> None:
    identity = Identity("all", variables, {name: name for name in variables}, derived)  # type: ignore[arg-type]
    assert judge(Evidence(identities=(identity,)), formula, list(variables)).outcome is Outcome.ACCEPTED
