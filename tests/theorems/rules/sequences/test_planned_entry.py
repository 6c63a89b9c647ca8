"""The only optimum over a prescribed measure: plans that are optimal, and plans, lines and entries that are wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation
from implicitbias.exact.vectors import dot, solve
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.planned_entry import LawProgramme, PlannedEntry
from implicitbias.theorems.rules.sequences.programme import ListProgramme
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, number, put

NOT_ACCEPTED = (RefusedError, NotShownError, FormulaError, ValueError)

SHORTEST = LawProgramme(
    cost="dot(e, e)",
    free={"e": "real"},
    wanted={"r": "p*e"},
    given={"p": "real"},
    known={"a": "dot(p, p)"},
    plan={"e": "r/a*p"},
    by={"r": {"a": "r/a"}},
    multipliers={"r": "2*r/a"},
    worth={"a": "-(r/a)**2"},
)
"""The least ∫e² with ∫pe = r."""

SHIFTED = LawProgramme(
    cost="dot(e, e)",
    free={"e": "real"},
    wanted={"y": "p*e", "z": "q*e"},
    given={"p": "real", "q": "real"},
    known={"a": "(p - q)**2", "b": "p*(p - q)"},
    plan={"e": "(y - z)/a*(p - q)"},
    by={"y": {"b": "(y - z)/a"}, "z": {"b": "(y - z)/a", "a": "-(y - z)/a"}},
    multipliers={"y": "2*(y - z)/a", "z": "-2*(y - z)/a"},
    worth={"a": "-((y - z)/a)**2"},
    at_no_cost={"1": {"y": "1", "z": "1"}},
    coefficients={"1": "y - (y - z)/a*b"},
)
"""The least ∫e² for values y, z that a constant may be added to."""

HERE = Setting({"r": "real", "y": "real", "z": "real", "a": "positive", "b": "real", "s": "real", "t": "real"})
ENTRY = PlannedEntry(of="e", programme=SHORTEST, at={"p": "s"})
SHIFTED_ENTRY = PlannedEntry(of="e*(p - q)", programme=SHIFTED, at={"p": "s", "q": "t"})


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (ENTRY, "r*s/a"),
        (replace(ENTRY, of="p*e + e**2", at={"p": "2*s"}), "4*s**2*r/a + (2*s*r/a)**2"),
        (SHIFTED_ENTRY, "(y - z)*(s - t)**2/a"),
    ],
)
def test_value(entry: PlannedEntry, value: str) -> None:
    HERE.zero(minus(entry.establish(HERE, Steps()), HERE.read(value)), "the value")


def test_the_case_in_which_a_variable_is_another_is_one_case_more() -> None:
    fixed = replace(HERE, variables={n: d for n, d in HERE.variables.items() if n != "r"}, fixed={"r": Operation("s")})
    found = ENTRY.establish(fixed, Steps())
    fixed.zero(minus(found, fixed.read("s**2/a")), "the value")


def test_the_plan_is_the_least_squares_solution_for_a_law_on_five_points() -> None:
    p, q = (
        (Fraction(1), Fraction(-2), Fraction(3), Fraction(0), Fraction(1, 2)),
        [Fraction(n) for n in (2, 0, 1, -1, 4)],
    )
    y, z = Fraction(3), Fraction(-1)
    a, b = (
        sum(((v - w) * (v - w) for v, w in zip(p, q, strict=True)), Fraction(0)),
        sum((v * (v - w) for v, w in zip(p, q, strict=True)), Fraction(0)),
    )
    ones = [Fraction(1), Fraction(1)]
    gram = [[dot(p, p), dot(p, q), ones[0]], [dot(q, p), dot(q, q), ones[1]], [*ones, Fraction(0)]]
    first, second, _ = solve(gram, [y, z, Fraction(0)])
    for v, w in zip(p, q, strict=True):
        at = {"y": number(y), "z": number(z), "a": number(a), "b": number(b), "s": number(v), "t": number(w)}
        found = put(replace(SHIFTED_ENTRY, of="e").establish(HERE, Steps()), at)
        Setting({}).zero(minus(found, number(first * v + second * w)), "the solution")


@pytest.mark.parametrize(
    "programme",
    [
        replace(SHIFTED, coefficients={"1": "y"}),
        replace(SHIFTED, coefficients={}),
        replace(SHIFTED, coefficients={"1": "1/b"}),
        replace(SHIFTED, at_no_cost={"1": {"y": "1", "z": "2"}}),
        replace(SHIFTED, at_no_cost={"1": {"y": "1"}}),
        replace(SHIFTED, at_no_cost={}, coefficients={}),
        replace(SHIFTED, multipliers={"y": "2*(y - z)/a", "z": "0"}),
        replace(SHIFTED, plan={"e": "(y - z)/a*(p + q)"}),
        replace(SHIFTED, known={"a": "(p - q)**2", "b": "p*p"}),
        replace(SHIFTED, cost="dot(e, e) + e"),
        replace(SHIFTED, by={"y": {"b": "(y - z)/a"}, "z": {"b": "(y - z)/a"}}),
        replace(SHORTEST, added=({"e": "1"},), spare={"p": "0"}),
        replace(SHORTEST, spare={"p": "0"}),
        replace(SHORTEST, plan={}),
        replace(SHORTEST, plan={"e": "-r/a*p"}),
        replace(SHORTEST, free={"e": "positive"}),
        replace(SHORTEST, given={}, known={}, plan={}, by={}, worth={}),
    ],
)
def test_what_is_wrong_is_not_accepted(programme: LawProgramme) -> None:
    for entry in (ENTRY, SHIFTED_ENTRY):
        with pytest.raises(NOT_ACCEPTED):
            replace(entry, programme=programme).establish(HERE, Steps())
    with pytest.raises(NOT_ACCEPTED):
        programme.establish(HERE, Steps())


@pytest.mark.parametrize(
    "changes",
    [
        {"of": "p"},
        {"of": "r*s/a"},
        {"of": "e + r"},
        {"of": "1/e"},
        {"at": {}},
        {"at": {"p": "1/s"}},
        {"at": {"q": "s"}},
        {"at": {"p": "s", "q": "s"}},
        {"programme": replace(SHORTEST, given={"p": "positive"})},
        {"programme": replace(SHORTEST, where=("p + e >= -1",))},
    ],
)
def test_an_entry_is_asked_for_what_the_plan_gives_it(changes: dict[str, Any]) -> None:
    with pytest.raises(NOT_ACCEPTED):
        replace(ENTRY, **changes).establish(HERE, Steps())


def test_an_optimum_that_is_not_the_only_one_is_no_entry_s() -> None:
    shared = ListProgramme(
        cost="path_cost(u, 1) + path_cost(k - u, -1)",
        free={"u": "real"},
        wanted={"s": "u - (k - u)"},
        given={"k": "real"},
        known={"T": "Abs(k)"},
        plan={"u": "(k + s/T*Abs(k))/2"},
        by={"s": {"T": "s/T"}},
        multipliers={"s": "0"},
        worth={"T": "1"},
    )
    here = Setting({"T": "positive", "s": "real"}).assuming(
        minus(Operation("T"), Operation("s")), Operation("+", (Operation("T"), Operation("s"))), strict=False
    )
    shared.establish(here, Steps())
    with pytest.raises(NOT_ACCEPTED):
        PlannedEntry(of="u", programme=shared, at={"k": "1"}).establish(here, Steps())


def test_another_cost_is_shown_anew_and_not_remembered() -> None:
    ENTRY.establish(HERE, Steps())
    with pytest.raises(NOT_ACCEPTED):
        replace(ENTRY, programme=replace(SHORTEST, cost="dot(e, e)/2")).establish(HERE, Steps())
    with pytest.raises(NOT_ACCEPTED):
        ENTRY.establish(replace(HERE, variables={**HERE.variables, "a": "real"}), Steps())
    dot_ = HERE.vocabulary["dot"]
    other = {**HERE.vocabulary, "dot": replace(dot_, formula="2*u*v")}
    half = ENTRY.establish(HERE, Steps())
    with pytest.raises(NOT_ACCEPTED):
        HERE.zero(minus(ENTRY.establish(replace(HERE, vocabulary=other), Steps()), half), "the same value")
