"""The count of sign changes, the networks that reach it, the exhaustive search: against brute force and programmes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.functions.network import Network
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.theory.safran2022.observed.sign_changes import (
    Unit,
    alternating,
    crossing_points,
    most_changes,
    search,
    sign_changes,
    strict_changes,
    weights,
)
from implicitbias.theory.safran2022.observed.targets import zeros

small = st.integers(-4, 4)


GRID = np.arange(-60 * 5000, 60 * 5000 + 1)
"""60 x for x between -5000 and 5000: the kinks are quotients of small numbers and lie on this grid."""


@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=4))
def test_changes_counted_by_kinks_and_slopes_bound_those_on_a_fine_grid(units: list[tuple[int, int, int]]) -> None:
    f = Network(*zip(*units, strict=True)).to_piecewise_linear()
    values = sum(v * np.maximum(w * GRID + 60 * b, 0) for w, b, v in units)
    strict = np.sign(values[values != 0])
    seen = int(np.count_nonzero(np.diff(strict))), int(np.count_nonzero(np.diff(values > 0)))
    assert seen[0] <= strict_changes(f)
    assert seen[1] <= sign_changes(f)
    if wide(f):
        assert seen == (strict_changes(f), sign_changes(f))


def wide(f: PiecewiseLinear) -> bool:
    """Whether zeros and kinks are farther apart than the step of the grid and all lie within it."""
    places = sorted({*zeros(f), *f.knots})
    return all(b - a > Fraction(1, 25) for a, b in pairwise(places)) and all(abs(p) < 4000 for p in places)


@pytest.mark.parametrize("r", [4, 5, 6, 11, 30])
def test_alternating_networks_change_at_the_points_they_are_said_to(r: int) -> None:
    network = alternating(r)
    values = [network(Fraction(x)) for x in crossing_points(r)]
    assert network.width == r
    assert values == [(-1) ** (i + 1) for i in range(r + 2)]
    assert strict_changes(network.to_piecewise_linear()) == r + 1


def test_width_three_has_no_such_network() -> None:
    with pytest.raises(ValueError, match="4 units"):
        alternating(3)


def test_touching_zero_from_above_counts_twice_with_sign_of_zero_minus_one_and_never_strictly() -> None:
    absolute = PiecewiseLinear([0], [0], -1, 1)
    assert (sign_changes(absolute), strict_changes(absolute)) == (2, 0)
    assert (sign_changes(-absolute), strict_changes(-absolute)) == (0, 0)
    assert sign_changes(PiecewiseLinear([-1, 1], [0, 0], -1, 1)) == 2


@pytest.mark.parametrize(("left", "most"), [(0, 3), (1, 4), (2, 5), (3, 4), (4, 3)])
def test_width_four_by_the_number_of_units_that_face_left(left: int, most: int) -> None:
    assert search(4, (0, 1, 2, 3), strict=True, left=left).most == most


@pytest.mark.parametrize("strict", [True, False])
def test_the_search_agrees_with_linear_programmes(strict: bool) -> None:
    draw = Random(7)
    for _ in range(25):
        width = draw.randint(1, 4)
        kinds: list[Unit] = [(0, Fraction(1)), *((w, Fraction(-w * p)) for p in range(4) for w in (1, -1))]
        units = draw.sample(kinds, width)
        most = most_changes(units, strict)
        for changes in range(1, most + 1):
            v = weights(units, changes, strict)
            f = Network([u[0] for u in units], [u[1] for u in units], v).to_piecewise_linear()
            assert changes <= (strict_changes(f) if strict else sign_changes(f))
        for changes in range(most + 1, width + 2):
            with pytest.raises(ArithmeticError):
                weights(units, changes, strict)


@pytest.mark.parametrize("strict", [True, False])
def test_what_the_search_finds_is_a_network(strict: bool) -> None:
    found = search(4, (0, 1, 3, 4), strict)
    v = weights(found.units, found.most, strict)
    f = Network([u[0] for u in found.units], [u[1] for u in found.units], v).to_piecewise_linear()
    assert found.most == 5 == (strict_changes(f) if strict else sign_changes(f))
