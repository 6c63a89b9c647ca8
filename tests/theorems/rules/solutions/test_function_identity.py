"""Coefficients for which two functions agree everywhere: shown for all x, and to be the only ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.exact.formula import written
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting

UNIT = {"v": "real", "w": "positive", "b": "real"}
LEFT_OF_BOTH = ("Min(t, -b/w) - 1", "Min(t, -b/w) - 2")
AFFINE = FunctionIdentity(
    "unit(v, -w, b, x)",
    "k*relu(x - t) + a*x + e",
    {"a": "real", "k": "real", "e": "real", "t": "real"},
    of="a",
    solution={"a": "-v*w", "k": "v*w", "t": "b/w", "e": "v*b"},
    at={"a": ("Min(t, b/w) - 1", "Min(t, b/w) - 2")},
)
"""A backward unit as a forward one and a line: its slope does not depend on the threshold, which v = 0 leaves free."""

LINE = FunctionIdentity(
    "p*ramp(1, -1, x) + q*ramp(-1, 1, x)",
    "b + v*(x + 1)",
    {"p": "real", "q": "real"},
    of="p",
    solution={"p": "v + b/2", "q": "b/2"},
    at={"p": "1", "q": "-1"},
    between=("-1", "1"),
)
"""A line on [-1, 1] by two ramps."""

THRESHOLD = FunctionIdentity(
    "relu(w*x + b)", "w*relu(x - t)", {"t": "real"}, of="t", solution={"t": "-b/w"}, at={"t": "1 - b/w"}
)


def value(identity: FunctionIdentity, setting: Setting | None = None) -> str:
    return written(identity.establish(setting or Setting(UNIT), Steps()))  # type: ignore[arg-type]


def test_a_coefficient_is_determined_though_others_are_free() -> None:
    assert value(AFFINE) == "-v*w"


def test_a_threshold_is_determined_at_one_point() -> None:
    assert value(THRESHOLD) == "-b/w"


def test_functions_that_agree_between_two_places_only() -> None:
    assert value(LINE) == "v + b/2"


def test_further_equations() -> None:
    on_the_circle = FunctionIdentity(
        "unit(u, p, -p*b, x)",
        "v*ramp(1, b, x)",
        {"u": "real", "p": "positive"},
        of="u*p",
        solution={"u": "v/p", "p": "1/sqrt(1 + b**2)"},
        at={"u": "b + 1"},
        also={"p": "p**2 + (p*b)**2 - 1"},
    )
    found = value(on_the_circle)
    setting = Setting(UNIT)  # type: ignore[arg-type]
    setting.zero(setting.read(f"{found} - v"), "the weight of the ramp")


UNSOUND = {
    "an interval in which the functions part": replace(LINE, between=("-2", "1")),
    "all real numbers in the place of an interval": replace(LINE, between=()),
    "a point outside of the interval": replace(LINE, at={"p": "1", "q": "-2"}),
    "an empty interval, with the coefficient from elsewhere": replace(
        LINE, between=("1", "-1"), at={}, also={"p": "p - v", "q": "q"}, solution={"p": "v", "q": "0"}
    ),
    "an interval of one point": replace(LINE, between=("1", "1"), at={"p": "1", "q": "1"}),
    "equal for some x only": replace(THRESHOLD, right="w*(x - t)"),
    "a wrong coefficient": replace(THRESHOLD, solution={"t": "b/w"}),
    "equal on one side only": replace(THRESHOLD, right="w*relu(x - t) + relu(t - x)"),
    "a point where both are 0 whatever the coefficient": replace(THRESHOLD, at={"t": "Min(t, -b/w) - 1"}),
    "a point at the kink, where later thresholds agree too": replace(THRESHOLD, at={"t": "-b/w"}),
    "two points on the flat side": replace(AFFINE, at={"k": LEFT_OF_BOTH}, of="k"),
    "no point at all": replace(THRESHOLD, at={}),
    "a value that no coefficient decides": replace(THRESHOLD, of="b/w"),
    "a free unknown as the value": replace(AFFINE, of="t"),
    "a free unknown in the solution": replace(AFFINE, solution={**AFFINE.solution, "a": "-v*w + 0*t"}),
    "a point that has no value": replace(THRESHOLD, at={"t": "1 - b/w + 1/(v - v)"}),
    "a threshold that v = 0 leaves free": FunctionIdentity(
        "unit(v, w, b, x)", "v*w*relu(x - t)", {"t": "real"}, "t", {"t": "-b/w"}, {"t": "1 - b/w"}
    ),
    "a weight outside of its domain": FunctionIdentity(
        "unit(v, w, b, x)", "W*ramp(1, -b/w, x)", {"W": "positive"}, "W", {"W": "v*w"}, {"W": "1 - b/w"}
    ),
    "two scales where only their product is fixed": FunctionIdentity(
        "unit(v, w, b, x)",
        "unit(u, p, p*b/w, x)",
        {"u": "real", "p": "positive"},
        "u",
        {"u": "v", "p": "w"},
        {"u": "1 - b/w", "p": "2 - b/w"},
    ),
    "a point for an unknown that does not exist": replace(THRESHOLD, at={"t": "1 - b/w", "q": "0"}),
    "two equations for one unknown": replace(THRESHOLD, also={"t": "t + b/w"}),
    "an equation beside the functions that does not hold": replace(THRESHOLD, at={}, also={"t": "t - b/w"}),
}


@pytest.mark.parametrize("unsound", UNSOUND.values(), ids=UNSOUND)
def test_unsound_witnesses_are_refused(unsound: FunctionIdentity) -> None:
    with pytest.raises((RefusedError, NotShownError, ValueError)):
        value(unsound)


@pytest.mark.parametrize("formula", ["v*w", "0", "-v*w/2", "-v*b", "v", "-v*w**2"])
def test_a_false_slope_is_refused_wherever_it_is_typed(formula: str) -> None:
    false = replace(AFFINE, of=formula, solution={**AFFINE.solution, "a": formula})
    with pytest.raises((RefusedError, NotShownError)):
        value(false)


def test_another_unit_is_another_function() -> None:
    squares = {**PRIMITIVES, "relu": replace(PRIMITIVES["relu"], formula="Max(0, z)**2")}
    with pytest.raises((RefusedError, NotShownError)):
        value(AFFINE, Setting(UNIT, vocabulary=squares))  # type: ignore[arg-type]
