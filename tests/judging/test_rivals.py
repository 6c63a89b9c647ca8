"""Rivals are found where the evidence leaves room, say where they part, and none is made up where it leaves none."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from implicitbias.claims.check import Kind
from implicitbias.claims.domain import condition
from implicitbias.claims.evidence import Evidence, Identity, Instance, Relation, Value
from implicitbias.exact.enclosure import evaluate, lower, upper
from implicitbias.exact.formula import Operation, parse, written
from implicitbias.exact.rational import Interval
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result
from implicitbias.judging.rivals.bank import Bank
from implicitbias.judging.rivals.confirmed import Rivals, rivals_of, variation_alone
from implicitbias.judging.rivals.demands import as_arrays
from implicitbias.judging.rivals.elsewhere import elsewhere, holds
from implicitbias.judging.rivals.region import region_of
from implicitbias.judging.rivals.search import Found, Sort, search
from implicitbias.judging.verdict import Verdict
from implicitbias.report.rivals import headline
from implicitbias.running.executor import WorkerPool

FEW = 40_000
"""Expressions for a search that takes a second."""

Point = Mapping[str, Value]


def evidence(
    formula: str, points: Sequence[Point], relation: Relation = "=", observed: Callable[[Point], Value] | None = None
) -> Evidence:
    """Instances at these points; what was observed is the formula's value unless it is given."""
    expression = parse(formula)
    values = [observed(p) if observed else evaluate(expression, p) for p in points]  # type: ignore[arg-type]
    return Evidence(instances=tuple(Instance("", p, v, relation) for p, v in zip(points, values, strict=True)))


def hunted(formula: str, points: Sequence[Point], relation: Relation = "=", **more: Callable[[Point], Value]) -> Found:
    return search([evidence(formula, points, relation, **more)], formula, list(points[0]), FEW)


def formulas(found: Found, inside: bool) -> set[str]:
    return {written(s.tree) for s in found.survivors if s.inside is inside and not s.looser}


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as opened:
        yield opened


def rivals(pool: WorkerPool, seen: Evidence, formula: str, symbols: Sequence[str]) -> Rivals:
    result = Result("a.claim", "a check", Kind.CERTIFICATE, Verdict.CERTIFIED, "", seen)
    return rivals_of([result], formula, symbols, pool, FEW)


def test_a_formula_that_was_tried_at_one_value_has_rivals_outside_alone() -> None:
    """A norm observed for one input cannot tell d + 2 from 3."""
    found = hunted("d + 2", [{"d": 1}] * 6)
    assert {"3", "d*3"} <= formulas(found, inside=False)
    assert not formulas(found, inside=True)
    assert found.region is not None
    assert found.region.why_outside({"d": Fraction(2)}) == ("d = 1",)


def test_symbols_that_never_have_opposite_signs_hide_a_sum_of_absolute_values() -> None:
    """|x| + |y| is |x + y| while x and y are of one sign: found, and parted inside where they are not."""
    points = [{"x": x, "y": y, "u": u} for x, y in product(range(4), repeat=2) for u in (-1, 2)]
    points += [{"x": -p["x"], "y": -p["y"], "u": p["u"]} for p in points]
    found = hunted("Abs(x) + Abs(y)", points)
    assert "Abs(x + y)" in formulas(found, inside=True)
    parted = next(s for s in found.survivors if written(s.tree) == "Abs(x + y)")
    assert all(p["x"] * p["y"] < 0 for p in parted.parts)


def test_dense_evidence_leaves_no_rival_and_sparse_evidence_does() -> None:
    """x² at three places is Max(x**2, x) too where x is not between 0 and 1; at a hundred it is x²."""
    draw = Random(3)
    points = [{"x": Fraction(draw.randint(-300, 300), 100)} for _ in range(100)]
    dense = hunted("x**2", points)
    assert not formulas(dense, inside=True)
    assert dense.evaluated >= FEW
    sparse = hunted("x**2", [{"x": Fraction(x)} for x in (-2, Fraction(-3, 2), 2)])
    assert "Max(x**2, x)" in formulas(sparse, inside=True)


def test_what_differs_at_one_value_of_a_real_symbol_alone_is_no_rival_inside() -> None:
    draw = Random(5)
    points = [
        {"W": Fraction(draw.randint(1, 900), 97), "m": m, "T": Fraction(draw.randint(1, 900), 89)}
        for m in (1, 2, 3, 5)
        for _ in range(25)
    ]
    found = search([evidence("W/m", points)], "W/m", ("W", "T", "m"), FEW)
    inside = [written(s.tree) for s in found.survivors if s.inside]
    assert not [formula for formula in inside if "sign(W" in formula or "sign(T" in formula]


def test_what_differs_where_a_real_symbol_is_zero_alone_is_no_rival_inside() -> None:
    """0 times any factor is 0: W·|sign(T + s)| parts from W where T = s = 0, which the evidence has not seen."""
    draw = Random(7)
    drawn = [{n: Fraction(draw.randint(-900, 900), 97) for n in "WTs"} for _ in range(150)]
    points = [{**p, draw.choice("Ts"): Fraction(0)} for p in drawn]
    found = search([evidence("W", points)], "W", ("W", "T", "s"), FEW)
    assert not [f for f in formulas(found, inside=True) if "sign(T + s)" in f or "sign(T - s)" in f]
    arrays = as_arrays(points, ("W", "T", "s"))
    beyond = elsewhere(points, region_of(points, arrays, points), Operation("W"))
    moved = np.abs(beyond.arrays["T"][beyond.general])
    assert 0 < moved.min() < 0.02 < 2 < moved.max()


def test_a_real_symbol_that_is_zero_at_every_point_stays_there() -> None:
    points = [{"u": Fraction(0), "w": Fraction(k, 7)} for k in range(1, 30)]
    arrays = as_arrays(points, ("u", "w"))
    region = region_of(points, arrays, points)
    known = replace(region, whole=region.whole - {"u"})  # a proof's cases say that it is real
    found = elsewhere(points, known, Operation("w"))
    assert found.inside.any()
    assert not found.arrays["u"][found.inside].any()


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_a_condition_holds_up_to_rounding_of_what_it_compares(unit: float) -> None:
    """An absolute 1e-9 would call all small values equal and take the rounding of large ones for an order."""
    at = {"a": np.array([1.0, 1.0, 2.0, 1.0]) * unit, "b": np.array([1.0, 1 + 1e-12, 1.0, 2.0]) * unit}
    assert holds(condition("a < b", "ab"), at).tolist() == [False, False, False, True]
    assert holds(condition("a <= b", "ab"), at).tolist() == [True, True, False, True]
    assert holds(condition("Abs(a - b) <= 0", "ab"), at).tolist() == [True, True, False, False]


def test_what_fails_at_points_that_were_not_probed_takes_no_rivals_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("implicitbias.judging.rivals.search.PROBED", 1)
    monkeypatch.setattr("implicitbias.judging.rivals.search.KEPT", 3)
    found = hunted("x", [{"x": Fraction(x)} for x in (-3, Fraction(-3, 2), 0, 2, 9)])
    assert len(formulas(found, inside=True)) == 3


def test_a_bound_that_is_never_met_has_smaller_ones_at_points_that_were_tried() -> None:
    points = [{"s": s, "r": r} for s, r in product(range(5), range(1, 4))]
    found = hunted("2*s + 7", points, "<=", observed=lambda p: p["s"])
    assert found.sort is Sort.UPPER
    survivor = next(s for s in found.survivors if written(s.tree) == "s + 2")
    assert survivor.inside
    assert survivor.tried
    assert found.variation.attained == 0
    assert found.factors[0] == pytest.approx(4 / 15)
    looser = next(s for s in found.survivors if s.looser)
    assert all(_value(looser.tree, p) >= 2 * p["s"] + 7 for p in looser.parts)


def _value(tree: Operation, point: Mapping[str, Fraction]) -> Fraction:
    value = evaluate(parse(written(tree)), point)
    return value if isinstance(value, Fraction) else value.lower


def test_a_lower_bound_is_rivalled_by_larger_ones() -> None:
    found = hunted("G - 9", [{"G": g} for g in range(10, 20)], ">=", observed=lambda p: p["G"])
    assert found.sort is Sort.LOWER
    assert "G - 1" in formulas(found, inside=True) or "G" in formulas(found, inside=True)


def test_symbols_that_never_vary_apart_are_told_and_part_outside() -> None:
    points = [{"a": a, "b": -a} for a in range(-4, 5)]
    found = hunted("a - b", points)
    assert found.variation.together == ("b = -a",)
    assert "a*2" in formulas(found, inside=False)
    assert not formulas(found, inside=True)
    assert found.region is not None
    assert found.region.why_outside({"a": Fraction(1), "b": Fraction(1)}) == ("a + b = 0",)


def test_an_enclosure_leaves_room_as_wide_as_it_is() -> None:
    points = [{"n": n} for n in (4, 9, 16, 25)]
    wide = hunted("n", points, observed=lambda p: Interval(Fraction(p["n"]) * 9 / 10, Fraction(p["n"]) * 11 / 10))
    assert wide.factors == (pytest.approx(0.9), pytest.approx(1.1))
    assert any(s.tried for s in wide.survivors)


def test_a_triangle_inequality_that_many_instances_keep_is_taken_for_a_hypothesis() -> None:
    """Few instances may have kept it by accident."""
    draw = Random(1)
    points: list[dict[str, Value]] = []
    while len(points) < 60:
        a, b, extra = draw.randint(-9, 9), draw.randint(-9, 9), draw.randint(0, 6)
        points.append({"T": abs(a - b) + extra, "a": a, "b": b})
    conditions = {str(c) for c in hunted("T", points).region.conditions}  # type: ignore[union-attr]
    assert "T - Abs(a - b) >= 0" in conditions
    few = {str(c) for c in hunted("T", points[:3]).region.conditions}  # type: ignore[union-attr]
    assert "T - Abs(a - b) >= 0" not in few


def test_expressions_that_agree_at_the_instances_alone_are_not_merged() -> None:
    """x and |x| where x was positive: both must be kept, for one may be the claim and the other its rival."""
    places = np.array([1.0, 2.0, 3.0, -1.0])
    bank = Bank([(Operation("x"), places), (Operation("number", number=Fraction(2)), np.full(4, 2.0))], 3, 1000)
    for _ in range(3):
        list(bank.grow())
    trees = {written(bank.tree(row)) for row in range(len(bank))}
    assert {"x", "Abs(x)", "x + 2"} <= trees
    assert "2 + x" not in trees
    assert "-(-x)" not in trees


@pytest.mark.parametrize(
    ("formula", "points", "relation"),
    [
        ("n*(n + 1)/2", [{"n": n} for n in (0, 1, 2)], "="),
        ("Max(T, Abs(s))", [{"T": t, "s": s} for t, s in product((2, 3), (-1, 0, 1))], "="),
        ("x + y", [{"x": x, "y": Fraction(y, 2)} for x, y in product(range(3), range(3))], "<="),
    ],
)
def test_a_rival_is_accepted_by_the_judge_and_says_otherwise_at_its_point(
    pool: WorkerPool, formula: str, points: list[Point], relation: Relation
) -> None:
    slack = 0 if relation == "=" else 1
    expression = parse(formula)
    seen = evidence(formula, points, relation, lambda p: evaluate(expression, p) - slack)  # type: ignore[arg-type, operator]
    found = rivals(pool, seen, formula, list(points[0]))
    assert found.rivals
    for rival in found.rivals:
        assert judge(seen, rival.formula, list(points[0])).outcome is Outcome.ACCEPTED
        point = {name: Fraction(number) for name, number in rival.point.items()}
        claim, other = (evaluate(parse(f), point) for f in (formula, rival.formula))
        assert claim != other
        assert rival.looser or relation == "=" or other < claim  # type: ignore[operator]


def test_what_a_proof_shows_for_all_values_has_no_rival_in_its_cases(pool: WorkerPool) -> None:
    identity = Identity("", {"p": "positive", "q": "real"}, {"x": "p", "y": "q"}, "p*q")
    assert not rivals(pool, Evidence(identities=(identity,)), "x*y", ("x", "y")).inside
    some = evidence("x*y", [{"x": 1, "y": 2}, {"x": 2, "y": 2}])
    both = Evidence(identities=(identity,), instances=some.instances)
    assert not rivals(pool, both, "x*y", ("x", "y")).inside


def test_nothing_is_searched_where_the_evidence_rejects_the_claim(pool: WorkerPool) -> None:
    found = rivals(pool, evidence("x + 1", [{"x": x} for x in range(4)]), "x", ("x",))
    assert found.trouble == "the evidence does not accept the claim's own formula"
    assert not found.rivals


def test_where_floating_point_cannot_tell_the_claim_is_searched_all_the_same() -> None:
    """A tie at a third, numbers that nearly cancel, a symbol below the least double: in fractions all are met."""
    ties = [{"y": Fraction(y, 3 * k), "k": 3 * k + 1} for k in range(1, 9) for y in range(3 * k + 1)]
    found = hunted("1 - floor(1/2 - y*(k - 1) - 1/2)", ties)
    assert not found.trouble
    assert found.evaluated > FEW / 2
    huge = [{"a": Fraction(10**k) + Fraction(1, 3), "b": Fraction(10**k), "c": c} for k in (0, 1, 9) for c in (1, 2)]
    found = hunted("a**2*c - b**2*c", huge)
    assert not found.trouble
    tiny = [{"d": Fraction(1, 10**k), "n": n} for k in (1, 3, 500) for n in (1, 2, 3)]
    seen = evidence("n - d", tiny)
    assert not search([seen], "n - d", ("n", "d"), FEW, domain=("d > 0",)).trouble


def test_survivors_meet_the_demands_that_need_fractions() -> None:
    """log(1/d) of a d that is 0 as a double: what says as much as floating point sees is still told apart."""
    points = [{"d": Fraction(1, 10**k), "n": n} for k in (1, 2, 400) for n in (1, 2, 5)]
    seen = evidence("n*log(1/d)", points, "<=", observed=lambda p: n_log(p) * Fraction(9, 10))
    found = search([seen], "n*log(1/d)", ("n", "d"), FEW, domain=("d > 0",))
    assert not found.trouble
    assert found.survivors
    smallest = points[-1]
    for survivor in found.survivors:
        assert upper(evaluate(parse(written(survivor.tree)), smallest)) >= n_log(smallest) * Fraction(9, 10)


def n_log(point: Point) -> Fraction:
    """n log(1/d) to twelve digits, from below."""
    return Fraction(int(lower(evaluate(parse("n*log(1/d)"), point)) * 10**12), 10**12)  # type: ignore[arg-type]


def test_it_is_said_when_the_judge_was_not_asked_about_all() -> None:
    assert headline(Rivals(Found(Sort.EQUALITY), unasked=3)).startswith("? no rival was confirmed")


def test_what_breaks_the_claims_domain_is_no_place_to_part() -> None:
    points = [{"x": Fraction(x), "y": Fraction(y)} for x, y in ((0, 3), (1, 2), (3, 1), (2, 0), (1, 1))]
    seen = evidence("x + y", points)
    free = search([seen], "x + y", ("x", "y"), FEW)
    bound = search([seen], "x + y", ("x", "y"), FEW, domain=("x*y <= 3", "y < 4"))
    assert any(p["x"] * p["y"] > 3 for s in free.survivors for p in s.parts)
    assert all(p["x"] * p["y"] <= 3 and p["y"] < 4 for s in bound.survivors for p in s.parts)
    assert bound.survivors
    outside = search([seen], "x + y", ("x", "y"), FEW, domain=("x < 3",))
    assert outside.trouble == "the evidence leaves the claim's domain: x < 3"


def test_a_rule_shows_its_answers() -> None:
    seen = Evidence(instances=tuple(Instance("", {"n": n, "word": "w"}, True) for n in range(3)))
    result = Result("a.claim", "a check", Kind.CERTIFICATE, Verdict.CERTIFIED, "", seen)
    variation = variation_alone([result]).found.variation
    assert variation.answers == (("yes", 3),)
    assert [s.name for s in variation.symbols] == ["n"]


def test_a_bound_that_is_met_in_one_regime_only_is_told() -> None:
    points = [{"n": n, "d": d} for n, d in product(range(1, 5), range(1, 4))]
    found = hunted("n + d", points, "<=", observed=lambda p: p["n"] + 1)  # type: ignore[operator]
    assert found.variation.attained == 4
    assert found.variation.only_where == ("d = 1",)


def test_a_hundred_thousand_expressions_take_less_than_twenty_seconds() -> None:
    draw = Random(0)
    points = [{n: Fraction(draw.randint(-30, 30), draw.randint(1, 3)) for n in "Tab"} for _ in range(200)]
    seen = evidence("Max(T, (T + Abs(a + b))/2)", points)
    began = time.process_time()
    found = search([seen], "Max(T, (T + Abs(a + b))/2)", list("Tab"), 100_000, seconds=60.0)
    assert found.evaluated >= 100_000
    assert time.process_time() - began < 20
