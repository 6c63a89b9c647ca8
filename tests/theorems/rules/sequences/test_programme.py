"""Least costs of lists and measures of which a part is prescribed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.programme import ListProgramme, MeasureProgramme
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

SHARED = MeasureProgramme(
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
"""A second derivative k shared by forward and backward units, whose end slopes add up to s; |s| <= T."""
INSIDE = assumed(assumed(Setting({"T": "positive", "s": "real"}), "s <= T"), "s >= -T")

ADDED = replace(
    SHARED,
    spare={"k": "0"},
    plan={"u": "(k + Abs(k))/2"},
    by={"s": {"T": "1"}},
    added=({"u": "(s - T)/2"},),
    multipliers={"s": "1"},
    worth={},
)
"""The same for s >= T: a line has to be added."""
ABOVE = assumed(Setting({"T": "nonnegative", "s": "real"}), "s >= T")

ATOMS = ListProgramme(
    cost="path_cost(c, pair_norm(u, v))",
    free={"c": "real", "u": "real", "v": "real"},
    wanted={"p": "moment(c, u)", "q": "moment(c, v)"},
    added=({"c": "1", "u": "p", "v": "q"},),
    multipliers={"p": "p/sqrt(p**2 + q**2)", "q": "q/sqrt(p**2 + q**2)"},
    gap=("(c*(u*q - v*p))**2/(p**2 + q**2)",),
    squared=True,
)
"""Atoms in the plane with a moment: one atom along it is cheapest."""
PLANE = Setting({"p": "positive", "q": "real"})

NEAREST = ListProgramme(
    cost="dot(e, e)",
    free={"e": "real"},
    wanted={"r": "p*e"},
    given={"p": "real"},
    known={"a": "dot(p, p)"},
    plan={"e": "r/a*p"},
    by={"r": {"a": "r/a"}},
    multipliers={"r": "2*r/a"},
    worth={"a": "-(r/a)**2"},
    gap=("(e - r/a*p)**2",),
)
"""The shortest vector, of any dimension, with a given product with p."""
GRAM = Setting({"a": "positive", "r": "real"})


@pytest.mark.parametrize(
    ("programme", "setting", "value"),
    [
        (SHARED, INSIDE, "T"),
        (ADDED, ABOVE, "s"),
        (ATOMS, PLANE, "sqrt(p**2 + q**2)"),
        (NEAREST, GRAM, "r**2/a"),
    ],
    ids=["shared in proportion", "a line added", "one atom", "shortest vector"],
)
def test_the_plan_costs_what_the_multipliers_say(programme: ListProgramme, setting: Setting, value: str) -> None:
    found = programme.establish(setting, Steps())
    setting.zero(minus(found, setting.read(value)), "the value")


@pytest.mark.parametrize(
    ("programme", "setting"),
    [
        (SHARED, Setting({"T": "positive", "s": "real"})),
        (replace(SHARED, plan={"u": "(k + Abs(k))/2"}), INSIDE),
        (replace(SHARED, plan={"u": "k"}, by={"s": {}}), INSIDE),
        (replace(SHARED, plan={}), INSIDE),
        (replace(SHARED, multipliers={"s": "2"}), INSIDE),
        (replace(SHARED, worth={"T": "2"}), INSIDE),
        (replace(SHARED, worth={"T": "1/2"}), INSIDE),
        (replace(SHARED, worth={"s": "1"}), INSIDE),
        (replace(SHARED, known={"T": "k"}), INSIDE),
        (replace(SHARED, known={"T": "k**2"}), INSIDE),
        (replace(SHARED, cost="path_cost(u, u) + path_cost(k - u, -1)"), INSIDE),
        (replace(SHARED, cost="path_cost(k, 1)"), INSIDE),
        (replace(SHARED, cost="path_cost(u, 1)"), INSIDE),
        (replace(SHARED, wanted={"s": "T - k"}), INSIDE),
        (replace(SHARED, wanted={"s": "u + T"}), INSIDE),
        (replace(SHARED, wanted={"z": "u"}), INSIDE),
        (replace(SHARED, free={"u": "nonnegative"}), INSIDE),
        (replace(SHARED, given={"k": "positive"}), INSIDE),
        (ADDED, INSIDE),
        (replace(ADDED, added=()), ABOVE),
        (replace(ADDED, added=({"u": "s - T"},)), ABOVE),
        (replace(ADDED, added=({"u": "(T - s)/2"},)), ABOVE),
        (replace(ADDED, spare={}), ABOVE),
        (replace(ADDED, spare={"k": "T"}), ABOVE),
        (replace(ADDED, known={}, spare={"k": "s"}, by={}, worth={}), ABOVE),
        (replace(ATOMS, added=()), PLANE),
        (replace(ATOMS, added=({"c": "1", "u": "p", "v": "0"}, {"c": "1", "u": "0", "v": "q"})), PLANE),
        (replace(ATOMS, added=({"c": "1", "u": "p"},)), PLANE),
        (replace(ATOMS, squared=False), PLANE),
        (replace(ATOMS, gap=()), Setting({"p": "real", "q": "real"})),
        (replace(ATOMS, plan={"c": "1"}), PLANE),
        (replace(ATOMS, cost="-path_cost(c, pair_norm(u, v))"), PLANE),
        (replace(NEAREST, known={"a": "-dot(p, p)"}), GRAM),
        (replace(NEAREST, known={"a": "p"}), GRAM),
        (replace(NEAREST, worth={}), GRAM),
        (replace(NEAREST, gap=("(e + r/a*p)**2",)), GRAM),
        (replace(NEAREST, cost="-dot(e, e)", gap=()), GRAM),
    ],
)
def test_what_is_wrong_is_not_accepted(programme: ListProgramme, setting: Setting) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        programme.establish(setting, Steps())


def test_measures_are_added_up_only_by_what_is_homogeneous() -> None:
    NEAREST.establish(GRAM, Steps())
    with pytest.raises(RefusedError, match="homogeneous"):
        MeasureProgramme(**vars(NEAREST)).establish(GRAM, Steps())


@pytest.mark.parametrize(
    ("programme", "setting", "primitive", "formula"),
    [
        (SHARED, INSIDE, "path_cost", "Abs(v)*Abs(w)/2"),
        (SHARED, INSIDE, "path_cost", "v**2*w**2"),
        (ADDED, ABOVE, "path_cost", "v**2*w"),
        (ATOMS, PLANE, "pair_norm", "Abs(p) + Abs(q)"),
        (ATOMS, PLANE, "moment", "c**2*a"),
        (NEAREST, GRAM, "dot", "2*u*v"),
    ],
)
def test_another_subject_is_not_accepted_with_this_witness_or_has_another_value(
    programme: ListProgramme, setting: Setting, primitive: str, formula: str
) -> None:
    value = programme.establish(setting, Steps())
    other = {**PRIMITIVES, primitive: replace(PRIMITIVES[primitive], formula=formula)}
    there = replace(setting, vocabulary=other)
    with pytest.raises((RefusedError, NotShownError)):
        there.zero(minus(programme.establish(there, Steps()), value), "the value")
