"""Networks with prescribed zeros, and networks that separate data, as narrow as they are said to be."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.theory.observed.data.targets import zeros
from implicitbias.theory.observed.margin.prescribed_zeros import changing_at, separating
from implicitbias.theory.observed.margin.sign_changes import strict_changes

places = st.lists(st.fractions(-50, 50, max_denominator=40), unique=True, min_size=5, max_size=10).map(sorted)


@given(places, st.sampled_from([1, -1]))
def test_the_zeros_are_the_prescribed_places_and_every_one_is_a_change(z: list[Fraction], first: int) -> None:
    network = changing_at(z, first)
    f = network.to_piecewise_linear()
    assert network.width == len(z) - 1
    assert zeros(f) == z
    assert strict_changes(f) == len(z)
    assert f(z[0] - 1) * first > 0


@given(st.lists(st.sampled_from([1, -1]), min_size=1, max_size=14), st.randoms(use_true_random=False))
def test_data_are_separated_by_the_least_width(labels: list[int], draw: object) -> None:
    x = sorted(Fraction(p, 7) for p in draw.sample(range(-500, 500), len(labels)))  # type: ignore[attr-defined]
    network = separating(x, labels)
    switches = sum(a != b for a, b in itertools.pairwise(labels))
    assert all(y * network(place) > 0 for place, y in zip(x, labels, strict=True))
    assert network.width == min(switches + 1, max(4, switches - 1))


def test_four_zeros_are_too_few_for_the_construction() -> None:
    with pytest.raises(ValueError, match="five places"):
        changing_at([Fraction(j) for j in range(4)], 1)
