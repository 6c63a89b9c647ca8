"""The trusted check of the least penalised loss on a line: true ones pass, and everything in one is needed."""

from __future__ import annotations

import copy
import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import implicitbias as ib
from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.convex.penalised.fit import penalised_function
from tests.support.penalised_line import least_penalised_loss

X, Y = [0, 1, 2, "7/2", 5], [0, 1, 0, 2, "1/3"]
SHAPES = list(itertools.product((None, "increasing", "decreasing"), (None, "convex", "concave")))
VALID = penalised_function(X, Y, "1/10", weights=[1, 2, 1, 1, 3]).certificate()
RISING = penalised_function(X, Y, "1/10", monotone="increasing", curved="concave").certificate()


def reason(document: dict[str, Any]) -> str:
    """Why the document is refused, its digest made right; "" if it is valid."""
    document["digest"] = digest(document)
    return check_certificate(document).reason


@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize(("monotone", "curved"), SHAPES)
def test_the_bounds_hold_the_value_that_another_programme_finds(
    network: bool, monotone: str | None, curved: str | None
) -> None:
    """By convex programming on a fine grid of functions with free end slopes, which knows nothing of the dual."""
    for penalty in ("1/100", "1"):
        found = penalised_function(X, Y, penalty, network=network, monotone=monotone, curved=curved)
        document = found.certificate()
        outcome = check_certificate(document)
        assert outcome.valid, outcome.reason
        low, high = (float(Fraction(document["claim"][name])) for name in ("lower", "upper"))
        rows = [(float(Fraction(x)), float(Fraction(y)), 1.0) for x, y in zip(X, Y, strict=True)]
        value = least_penalised_loss(rows, float(Fraction(penalty)), network, monotone, curved)
        assert low - 1e-7 <= value <= high + 1e-6
        assert high - low <= 1e-6 * high


def test_the_sentence_says_what_was_asked() -> None:
    said = check_certificate(VALID).statement
    assert (
        "Of all functions f of one input, on 5 data points, the smallest mean squared error, with the weights of"
        in said
    )
    assert "plus 1/10 (0.1) times max(∫|f''|, |f'(-∞) + f'(+∞)|) lies between" in said
    said = check_certificate(RISING).statement
    assert (
        "Of all increasing concave functions f of one input, on 5 data points, the smallest mean squared error plus"
        in said
    )


def test_equal_inputs_count_as_often_as_they_are_there() -> None:
    made = ib.VariationRegressor(penalty=0.25).fit([[1], [0], [1], [2]], [3, 0, 1, 0])
    document = made.certificate_
    assert document is not None
    assert document["data"]["x"] == ["0", "1", "1", "2"]
    assert document["data"]["y"] == ["0", "1", "3", "0"]
    assert check_certificate(document).valid
    low, high = (float(Fraction(document["claim"][name])) for name in ("lower", "upper"))
    assert low - 1e-9 <= made.lower_ <= made.upper_ <= high + 1e-9
    assert high - low < 1e-6


@pytest.mark.parametrize(
    ("x", "y"),
    [([3], [7]), ([0, 1], [2, 2]), ([0, 1, 2], [1, 1, 1])],
)
def test_where_nothing_is_lost_the_value_is_0(x: list[int], y: list[int]) -> None:
    document = penalised_function(x, y, 1).certificate()
    assert check_certificate(document).valid
    assert document["claim"] == {"lower": "0", "upper": "0", "relative_gap": "0"}


def test_random_data_of_many_scales_have_certificates() -> None:
    rng = np.random.default_rng(0)
    for n, scale in itertools.product((2, 3, 40), (1e-6, 1.0, 1e6)):
        x = np.sort(rng.uniform(-3, 3, n)) * scale
        y = rng.standard_normal(n) + x**2 / scale**2
        monotone, curved = SHAPES[int(rng.integers(len(SHAPES)))]
        found = penalised_function(x, y, 0.01 * scale, monotone=monotone, curved=curved)
        outcome = check_certificate(found.certificate())
        assert outcome.valid, outcome.reason


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("claim", "lower"), "1", "claim.lower is above"),
        (("claim", "upper"), "0", "claim.upper is below"),
        (("claim", "relative_gap"), "0", "relative_gap"),
        (("data", "weights"), ["1", "2", "1", "1"], "as many"),
        (("data", "weights"), ["1", "2", "1", "1", "0"], "weights must be positive"),
        (("data", "x"), ["0", "1", "2", "7/2", "3"], "must not decrease"),
        (("data", "penalty"), "0", "penalty must be positive"),
        (("data", "cost"), "free", "'network' or 'slopes'"),
        (("data", "monotone"), "convex", "data.monotone must be null"),
        (("data", "monotone"), [], "data.monotone must be null"),
        (("data", "curved"), True, "data.curved must be null"),
        (("data", "curved"), "convex", "not as curved"),
        (("data", "monotone"), "increasing", "not as monotone"),
        (("primal", "slopes"), ["0"], "primal.slopes has 1 numbers"),
        (("primal", "height"), "100", "claim.upper is below"),
        (("dual", "bends"), [], "3 inner inputs"),
        (("dual", "bends", 0), "-1/5", "exceeds the penalty"),
        (("dual", "bends", 0), "1/5", "exceeds the penalty"),
        (("dual", "ends"), "1/19", "half the penalty"),
        (("dual", "ends"), "-1/19", "half the penalty"),
        (("dual", "steps"), ["0", "0", "0", "0"], "0 are needed"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(path: tuple[Any, ...], value: Any, expected: str) -> None:
    assert expected in reason(changed(VALID, path, value))


def test_shapes_are_paid_for_with_the_right_sign() -> None:
    """One-sided multipliers are for the shape that is asked, and for no other."""
    assert reason(copy.deepcopy(RISING)) == ""
    steep = changed(RISING, ("dual", "bends", 0), "9")
    assert "exceeds" not in reason(steep)
    assert "claim.lower is above" in reason(steep)
    assert "exceeds the penalty" in reason(changed(RISING, ("dual", "bends", 0), "-9"))
    assert "must not be negative" in reason(changed(RISING, ("dual", "steps", 1), "-1"))
    assert "4 are needed" in reason(changed(RISING, ("dual", "steps"), []))
    free = changed(RISING, ("data", "cost"), "slopes")
    free["dual"]["ends"] = "1/100"
    assert "0 where end slopes cost nothing" in reason(free)


def test_a_dual_of_the_shape_does_not_do_without_it() -> None:
    """The bound for increasing functions is above what free ones reach: as a bound for all it would be false."""
    free = changed(changed(RISING, ("data", "monotone"), None), ("data", "curved"), None)
    free["dual"]["steps"] = []
    assert reason(free)
    least = penalised_function(X, Y, "1/10").upper
    assert least < float(Fraction(RISING["claim"]["lower"]))


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    other = copy.deepcopy(document)
    place: Any = other
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return other
