"""Rows are grouped exactly by the rays that they span."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from implicitbias.networks.rays import same_rays

NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([0.1, 0.3, 0.2, 0.6, 1e-9, 1 + 2.0**-52]))


def ray(row):
    exact = [Fraction(entry) for entry in row]
    size = abs(next(entry for entry in exact if entry))
    return tuple(entry / size for entry in exact)


@example([(0.1, 0.3, -1.0), (1 + 2.0**-52, 3.0, 0.0)])
@given(st.integers(1, 3).flatmap(lambda d: st.lists(st.tuples(*[NUMBERS] * d).filter(any), min_size=1, max_size=14)))
def test_groups_are_those_of_fractions(rows):
    groups = same_rays(np.array(rows))
    found = {frozenset(groups.members(g)) for g in range(len(groups))}
    expected: dict[tuple[Fraction, ...], set[int]] = {}
    for i, row in enumerate(rows):
        expected.setdefault(ray(row), set()).add(i)
    assert found == {frozenset(group) for group in expected.values()}
    assert groups.sizes.sum() == len(rows)
    quotients = [ray(rows[i]) for i in groups.first]
    assert quotients == sorted(quotients, key=lambda exact: (tuple(map(float, exact)), exact))
    if len(rows[0]) == 2:
        assert quotients == sorted(quotients)


def test_rows_that_only_rounding_makes_parallel_are_told_apart():
    one, other = (1.0, 1 / 3), (3.0, 1.0)  # 1/3 is rounded, so that 3·(1/3) in doubles is 1 and is not exactly
    assert len(same_rays(np.array([one, other]))) == 2
