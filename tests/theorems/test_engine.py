"""What the engine shows holds at exact points that it has not looked at: ties, zeros and ends of the domain."""

from __future__ import annotations

import os
from fractions import Fraction

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import Operation, parse, written
from implicitbias.theorems.points import Holds, SignAt, sign_at
from implicitbias.theorems.rules.extrema.extremum import Infimum, Minimum
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.sign import Hypothesis, Sign
from implicitbias.theorems.theorem import Theorem, establish
from tests.support.formulas import VARIABLES, everywhere, has_value, rewritten, texts, tree

EXAMPLES = int(os.environ.get("IMPLICITBIAS_EXAMPLES", "60"))
looked_at = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
OPEN = (RefusedError, NotShownError, FormulaError)

HYPOTHESES = st.lists(
    st.builds(
        Hypothesis,
        st.sampled_from(["x - y", "y", "p - q", "1 - x**2", "Max(x, y) - 1", "Abs(x) - p", "x*y", "-x", "q - x"]).map(
            tree
        ),
        st.booleans(),
    ),
    max_size=2,
).map(tuple)


@looked_at
@given(rewritten(), HYPOTHESES)
@example(("sqrt(exp(x + 9))", "sqrt(exp(x)*exp(9))"), ())  # a root of a twelfth, to the power 108
def test_formulas_shown_equal_are_equal_wherever_both_have_a_value(
    pair: tuple[str, str], hypotheses: tuple[Hypothesis, ...]
) -> None:
    difference = minus(*map(tree, pair))
    try:
        Setting(VARIABLES, hypotheses).zero(difference, "")
    except OPEN:
        return
    sign_of = SignAt(difference)
    for point in everywhere(where=hypotheses):
        assert sign_of(point) in (0, None), point


ALLOWED = {
    Sign.POSITIVE: {1},
    Sign.NONNEGATIVE: {0, 1},
    Sign.ZERO: {0},
    Sign.NONPOSITIVE: {-1, 0},
    Sign.NEGATIVE: {-1},
    None: {-1, 0, 1},
}


@looked_at
@given(texts(), HYPOTHESES)
def test_a_sign_is_right_wherever_the_formula_has_a_value(text: str, hypotheses: tuple[Hypothesis, ...]) -> None:
    try:
        sign = Setting(VARIABLES, hypotheses).sign(tree(text))
    except OPEN:
        return
    sign_of = SignAt(tree(text))
    for point in everywhere(where=hypotheses):
        assert sign_of(point) in ALLOWED[sign] | {None}, point


@looked_at
@given(texts(rational=True, size=8), HYPOTHESES)
def test_the_sign_of_a_polynomial_is_right(text: str, hypotheses: tuple[Hypothesis, ...]) -> None:
    try:
        sign = Setting(VARIABLES, hypotheses).sign(tree(text))
    except OPEN:
        return
    sign_of = SignAt(tree(text))
    for point in everywhere(where=hypotheses):
        assert sign_of(point) in ALLOWED[sign] | {None}, point


@looked_at
@given(texts(rational=True), HYPOTHESES)
def test_cells_cover_every_point_and_bear_the_formula_s_value(text: str, hypotheses: tuple[Hypothesis, ...]) -> None:
    setting = Setting(VARIABLES, hypotheses)
    try:
        cells = list(setting.cells(tree(text)))
    except OPEN:
        return
    formula = _expression(tree(text))
    known = [(Holds(cell.hypotheses), _expression(plain)) for cell, plain in cells]
    for point in everywhere(step=29, where=hypotheses):
        here = [plain for holds, plain in known if holds(point)]
        assert here, point
        assert {evaluate(plain, point) for plain in here} == {evaluate(formula, point)}


@looked_at
@given(texts(), HYPOTHESES)
def test_what_is_shown_to_have_a_value_has_one(text: str, hypotheses: tuple[Hypothesis, ...]) -> None:
    try:
        Setting(VARIABLES, hypotheses).defined(tree(text), "")
    except OPEN:
        return
    formula = tree(text)
    for point in everywhere(where=hypotheses):
        assert has_value(formula, point) is not False, point


@looked_at
@given(texts(size=10))
def test_a_formula_that_is_written_reads_back(text: str) -> None:
    read = parse(written(tree(text)), VARIABLES).tree
    assert parse(written(read), VARIABLES).tree == read
    for point in everywhere(step=101):
        assert has_value(read, point) == has_value(tree(text), point)
        assert sign_at(minus(read, tree(text)), point) in (0, None)


PLACES = st.sampled_from(["0", "1", "-1", "p", "q", "-p", "p/2", "q - p", "Max(0, q)", "sqrt(p)"])


@looked_at
@given(texts(("x", "y", "p", "q"), rational=True, size=5), PLACES, PLACES)
def test_no_point_is_below_a_minimum(objective: str, x: str, y: str) -> None:
    there = written(_put(objective, x=x, y=y))
    quantity = Minimum(
        objective, over={"x": "real", "y": "real"}, at={"x": x, "y": y}, gap=(f"{objective} - ({there})",)
    )
    _below_nothing(quantity, objective)


@looked_at
@given(texts(("x", "y", "p"), rational=True, size=5), PLACES, st.sampled_from(["x - p", "p*x + 1", "x**2", "-q*x"]))
def test_no_feasible_point_is_below_a_constrained_minimum(objective: str, x: str, solved: str) -> None:
    reduced = written(_put(objective, y=f"({solved})"))
    there = written(_put(reduced, x=x))
    quantity = Minimum(
        objective,
        over={"x": "nonnegative", "y": "real"},
        subject_to={"y": f"2*y - 2*({solved})"},
        at={"x": x},
        gap=(f"({reduced}) - ({there})",),
    )
    _below_nothing(quantity, objective, lambda point: point["x"] >= 0 and sign_at(_put(f"y - ({solved})"), point) == 0)


PATHS = st.sampled_from(["e", "1/e", "p + e", "e*p", "p/e", "1 + e", "q + e", "e/(1 + e)"])


@looked_at
@given(texts(("x", "p", "q"), size=4), PATHS, PLACES)
def test_no_point_is_below_an_infimum_and_points_come_near_it(objective: str, path: str, value: str) -> None:
    gap = f"({objective}) - ({value})"
    try:
        found = establish(
            Theorem("", Infimum(objective, over={"x": "positive"}, at={"x": path}, gap=(gap,)), _OUTER, {})
        ).conclusions[0]
    except OPEN:
        return
    infimum = parse(found.value, VARIABLES).tree
    sign_of = SignAt(minus(tree(objective), infimum))
    for point in everywhere({"p": "positive", "q": "nonnegative", "x": "positive"}, step=3):
        assert sign_of(point) in (0, 1, None), point
    there = _put(path.replace("e", "x"), x=str(Fraction(1, 10**6)))
    above = SignAt(minus(minus(_replace_x(objective, there), infimum), Operation("number", number=Fraction(1, 10**3))))
    for point in everywhere({"p": "positive", "q": "nonnegative"}, step=5):
        assert above(point) in (-1, None), point


_OUTER = {"p": "positive", "q": "nonnegative"}


def _below_nothing(quantity, objective, feasible=lambda point: True):  # type: ignore[no-untyped-def]
    try:
        found = establish(Theorem("", quantity, _OUTER, {})).conclusions[0]
    except OPEN:
        return
    value = parse(found.value, VARIABLES).tree
    sign_of = SignAt(minus(tree(objective), value))
    for point in everywhere(step=5):
        if feasible(point):
            assert sign_of(point) in (0, 1, None), point


def _expression(formula: Operation):  # type: ignore[no-untyped-def]
    from implicitbias.exact.formula import Expression

    return Expression("", frozenset(VARIABLES), formula)


def _put(text: str, **parts: str) -> Operation:
    from implicitbias.theorems.setting import put

    return put(tree(text), {name: tree(part) for name, part in parts.items()})


def _replace_x(text: str, by: Operation) -> Operation:
    from implicitbias.theorems.setting import put

    return put(tree(text), {"x": by})
