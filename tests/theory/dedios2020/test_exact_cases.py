"""Data with all minimisers known, against random directions, cone programmes and the trusted checker."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.weighted.least import weighted_interpolant
from implicitbias.convex.weighted.weights import tilted
from implicitbias.exact.vectors import dot, relu
from implicitbias.theory.observed.cheapest.function_programme import cheapest_function
from implicitbias.theory.observed.measures.contact_sets import lift, projection, touching
from implicitbias.theory.observed.measures.entropic import entropic_minimiser
from implicitbias.theory.observed.measures.exact_cases import (
    ABSCISSAE,
    Case,
    by_hand,
    case,
    line_cases,
    plane_cases,
    two_signs_inside,
    two_signs_one_pattern,
    zigzag,
)
from implicitbias.theory.observed.measures.minimisers import (
    busiest_cell,
    busiest_pattern,
    most_cells_told_apart,
    tilted_cases,
    vertex,
)
from implicitbias.theory.observed.measures.rank_sums import nullities

CASES = (*by_hand(), *plane_cases(), *line_cases(Random(11), 3))
fractions = st.fractions(min_value=-4, max_value=4, max_denominator=4)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(fractions, fractions), min_size=1, max_size=4, unique=True), st.data())
def test_no_direction_beats_the_largest_projection(
    points: list[tuple[Fraction, Fraction]], data: st.DataObject
) -> None:
    p = data.draw(st.lists(fractions, min_size=len(points), max_size=len(points)))
    lifted = [lift(x) for x in points]
    largest = float(touching(lifted, p).largest) ** 0.5
    table = np.array([[float(v) for v in x] for x in lifted])
    directions = np.random.default_rng(0).standard_normal((4000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    found = np.abs(np.maximum(directions @ table.T, 0) @ np.array([float(q) for q in p])).max()
    assert found <= largest * (1 + 1e-12)
    assert found >= largest * 0.9


def test_a_projection_leaves_a_residual_that_no_point_of_the_cell_sees() -> None:
    points = [lift(x) for x in ((0,), (1,), (3,))]
    for pattern in ((False, True, True), (True, True, True), (True, False, False), (False, False, False)):
        v = (Fraction(-2), Fraction(3))
        theta, walls = projection(points, pattern, v)
        assert dot(theta, [a - b for a, b in zip(v, theta, strict=True)]) == 0
        assert all(m > 0 for _, m in walls)
        assert all(dot(theta, x) >= 0 if on else dot(theta, x) <= 0 for on, x in zip(pattern, points, strict=True))


@pytest.mark.parametrize("known", CASES, ids=lambda c: c.label)
def test_values_agree_with_cone_programmes_and_the_trusted_checker(known: Case) -> None:
    found = weighted_interpolant([x[:-1] for x in known.points], known.y)
    assert found.lower <= known.value <= found.upper
    document = known.document()
    assert check_certificate(document).valid
    assert Fraction(document["claim"]["relative_gap"]) < Fraction(1, 10**20)


def test_tilted_values_agree_with_cone_programmes() -> None:
    for known in (two_signs_inside(), *tilted_cases(1)):
        assert known.shift is not None
        found = weighted_interpolant([x[:-1] for x in known.points], known.y, tilted(known.shift))
        assert found.lower <= known.value <= found.upper


def test_a_dual_that_is_too_large_anywhere_is_refused() -> None:
    good = two_signs_one_pattern()
    points = [x[:-1] for x in good.points]
    with pytest.raises(ArithmeticError, match="reaches"):
        case("too large", points, [*good.p[:2], Fraction(63, 100), good.p[3]])
    with pytest.raises(ArithmeticError, match="reaches"):
        case("too small", points, [q * Fraction(999, 1000) for q in good.p])


def test_the_plane_case_of_two_signs_has_one_contact_of_each_sign_and_no_other() -> None:
    found = two_signs_one_pattern()
    assert found.y == (0, 0, 1, -1)
    assert found.value == Fraction(5, 4)
    assert found.touch.strict == Fraction(61769, 64800)
    assert {(c.sign, c.theta) for c in found.contacts} == {
        (1, (Fraction(12, 25), Fraction(4, 5), Fraction(-9, 25))),
        (-1, (Fraction(12, 25), Fraction(-4, 5), Fraction(-9, 25))),
    }
    assert busiest_cell(found.contacts) == 2
    assert (busiest_pattern(found, True), busiest_pattern(found, False)) == (2, 1)


def test_a_zigzag_of_k_kinks_has_two_k_contacts_and_a_face_of_dimension_k_minus_two() -> None:
    places = [Fraction(a, b) for a, b in ((-12, 5), (-4, 3), (-8, 15), (7, 24), (21, 20))]
    for k in (2, 3, 4, 5):
        found = zigzag(places[:k], (places[0] - 1, places[k - 1] + 1))
        assert (len(found.contacts), found.free_dimension) == (2 * k, k - 2)


def test_every_vertex_is_a_minimiser() -> None:
    known = by_hand()[4]
    for seed in range(5):
        draw = Random(seed)
        masses = vertex(known, [draw.randint(0, 9) for _ in known.contacts])
        assert sum(map(abs, masses)) == known.value
        assert tuple(dot(row, masses) for row in known.features) == known.y


def test_two_contacts_in_the_same_two_cells_are_told_apart_and_three_are_not() -> None:
    contact = by_hand()[0].contacts[0]
    same = type(contact)(contact.theta, contact.sign, (3, 5))
    assert most_cells_told_apart([same, same]) == 2
    assert most_cells_told_apart([same, same, same]) == 2


def test_functions_on_the_line_cost_what_measures_cost_and_missing_kinks_are_noticed() -> None:
    known = by_hand()[1]
    x = [point[0] for point in known.points]
    full = cheapest_function(x, known.y, ABSCISSAE)
    assert full.value == known.value
    assert full.everywhere
    poor = cheapest_function(x, known.y, x)
    assert poor.value > known.value
    assert not poor.everywhere


def test_rank_sums_count_the_cells_of_the_grid() -> None:
    even, odd = nullities([lift((a, b)) for a in range(3) for b in range(3)])
    assert (even + odd, even - odd) == (2**9, 58)


def test_the_entropic_minimiser_of_no_data_to_fit_is_gibbs_law() -> None:
    # y = 0 and a grid symmetric in c: f = 0, so that masses are exp(-τV/λ) up to a factor
    grid = [(Fraction(c), (Fraction(a), Fraction(1))) for c in (-2, 0, 2) for a in (-1, 1)]
    features = [[c * relu(dot(t, lift((0,)))) for c, t in grid]]
    potential = [c * c + dot(t, t) for c, t in grid]
    found = entropic_minimiser(features, [Fraction(0)], potential, Fraction(1, 3), Fraction(1, 2))
    assert found.gap < 1e-150
    assert found.residuals[0].lower <= 0 <= found.residuals[0].upper
    weights = np.exp([-float(v) * 2 / 3 for v in potential])
    assert np.allclose([float(m.lower) for m in found.masses], weights / weights.sum(), rtol=1e-13, atol=0)
