"""Counts of R_reg and R_class, binning, and the rules that state claims."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from implicitbias.theory.observed.cheapest.solved_measures import meets, solved_weights
from implicitbias.theory.observed.data.points import Points
from implicitbias.theory.observed.data.supports import class_support, nearest_bins, regression_support
from implicitbias.theory.stewart2022.appendix_e import by_copies, by_zeros
from implicitbias.theory.stewart2022.lemma_1 import all_margins, own_margins
from implicitbias.theory.stewart2022.section_2 import nearest, uniform_midpoints
from implicitbias.theory.stewart2022.section_5_1 import bend
from implicitbias.theory.stewart2022.section_5_3 import absolute_value
from implicitbias.theory.stewart2022.section_6_counts import teacher
from implicitbias.theory.stewart2022.theorem_1_sparsity import bowl, merged


@given(st.fractions(0, 1, max_denominator=200), st.integers(2, 40))
def test_both_ways_of_binning_agree(y: Fraction, k: int) -> None:
    assert nearest(y, uniform_midpoints(k)) == nearest_bins([y], k)[0] + 1


def test_ties_go_to_the_left_bin() -> None:
    assert nearest_bins([Fraction(1, 4), Fraction(3, 4)], 3) == [0, 1]


def test_six_points_of_three_pieces_as_in_figure_8() -> None:
    x = [Fraction(j) for j in range(6)]
    assert regression_support(x, [Fraction(v) for v in (0, 1, 2, 0, 1, 2)]) == [0, 2, 3, 5]


def test_the_absolute_value_with_half_a_bin_between_points_loses_its_middle() -> None:
    labels = nearest_bins(absolute_value(5)[1], 2)
    assert labels == [1, 0, 0, 0, 1]
    assert class_support(labels) == [0, 1, 3, 4]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_r_class_holds_both_sides_of_every_change(labels: list[int]) -> None:
    support = set(class_support(labels))
    assert {0, len(labels) - 1} <= support
    for i in range(1, len(labels)):
        if labels[i] != labels[i - 1]:
            assert {i - 1, i} <= support


@given(st.integers(-9, 9).filter(bool), st.integers(-9, 9))
def test_units_bend_where_their_line_vanishes(a: int, b: int) -> None:
    assert a * bend(a, b) + b == 0


def test_the_measure_of_lemma_3_meets_points_outside_of_r_reg() -> None:
    data = Points("row", (-1, 0, Fraction(1, 2), 1), (1, 0, Fraction(3, 2), 3))
    weights = solved_weights(data)
    assert meets(data, weights)
    assert weights == {(-1, Fraction(1)): Fraction(1, 2), (1, Fraction(-1)): Fraction(-1, 2), (1, Fraction(0)): 4}


def test_two_bends_of_one_sign_are_one_kink_between() -> None:
    data = bowl((Fraction(-1), Fraction(-1, 2), Fraction(1, 2), Fraction(1)), [Fraction(0), Fraction(2), Fraction(6)])
    assert data.y == (0, 0, 2, 5)
    assert merged(data) == [(Fraction(1, 6), 6)]


def test_the_nine_neurons_are_zero_at_the_ends_and_between_the_large_triangles() -> None:
    assert [teacher(Fraction(x)) for x in (-1, 0, 1)] == [0, 0, 0]
    assert [teacher(Fraction(x)) for x in ("-1/2", "1/2", "-3/5", "13/20")] == [1, 1, Fraction(1, 2), Fraction(3, 10)]


def test_zeros_certify_where_copies_do_not() -> None:
    # |x| at -1, 0, 1/2, 1: multipliers (1, -2, 1) of the data without 1/2
    given_here = {
        "x": (-1, 0, Fraction(1, 2), 1),
        "gain": ((1,), (0,), (Fraction(1, 2),), (1,)),
        "J": (0, 1, 3),
        "alpha": ((1,), (-2,), (1,)),
    }
    assert by_zeros(given_here) == (True, 2)
    assert by_copies(given_here) != (True, 2)


def test_the_printed_set_is_empty_for_two_labels() -> None:
    point = {"v": (1, 0), "y": 0, "labels": (0, 1)}
    assert own_margins(point) is True
    assert all_margins(point) is False
