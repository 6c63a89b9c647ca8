"""Problem (20) on the sphere, against values that are known and duals that are too large."""

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.theory.observed.measures.exact_cases import Case, plane_cases
from implicitbias.theory.observed.measures.sphere_programme import largest, least_on_the_sphere


@pytest.mark.parametrize("case", plane_cases(), ids=lambda case: case.label)
def test_the_bounds_enclose_the_value_and_are_as_close_as_was_asked(case: Case) -> None:
    bounds = least_on_the_sphere(case.points, case.y, 0.01, [])
    assert bounds.lower <= case.value <= bounds.upper
    assert bounds.upper - bounds.lower < case.value / 50


@pytest.mark.parametrize("times", [Fraction(101, 100), Fraction(-2)])
def test_a_dual_that_is_too_large_is_shown_by_a_direction(times: Fraction) -> None:
    for case in plane_cases():
        _, where = largest(case.points, [times * q for q in case.p], 1.005)
        outputs = [
            abs(np.maximum(np.array(case.points, dtype=float) @ theta, 0) @ np.array(case.p, dtype=float))
            for theta in where
        ]
        assert where
        assert all(float(abs(times)) * value > 1.005 for value in outputs)


def test_a_feasible_dual_is_bounded_by_what_is_enough() -> None:
    for case in plane_cases():
        assert largest(case.points, case.p, 1.005) == (1.005, [])
