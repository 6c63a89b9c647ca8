"""A claimed number may be enclosed, but not widely, and the sentence has both ends."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.ramps import interpolant as ramps
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from tests.support.corruptions import changed

Document = dict[str, Any]
COST = min_norm_interpolant([0, 1, 2], [0, 1, 0]).certificate()
MOVED = min_norm_interpolant([0, 1, 2], [0, 1, 3]).certificate()
RAMPS = ramp_interpolant([-1, "1/2", 1], [1, 2, 1]).certificate()


def enclosed(document: Document, path: tuple[str | int, ...], low: Fraction, high: Fraction) -> Document:
    forged = changed(document, path, {"at_least": str(low), "at_most": str(high)})
    return {**forged, "digest": digest(forged)}


def test_the_width_of_an_enclosure_is_bounded_where_the_value_is_claimed() -> None:
    outcome = check_certificate(enclosed(COST, ("claim", "value"), Fraction(-7), Fraction(100)))
    assert not outcome.valid
    assert "claim.value must enclose a number" in outcome.reason


@pytest.mark.parametrize("document", [COST, MOVED])
@pytest.mark.parametrize("place", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_width_of_an_enclosure_is_bounded_where_end_slopes_are_claimed(
    document: Document, place: tuple[int, int]
) -> None:
    path = ("claim", "end_slopes", *place)
    for low, high in ((-(10**6), 10**6), (0, 4), (-5, 5)):
        assert not check_certificate(enclosed(document, path, Fraction(low), Fraction(high))).valid


@given(
    st.sampled_from([(COST, Fraction(2)), (RAMPS, Fraction(RAMPS["claim"]["value"]))]),
    st.integers(1, 40),
    st.sampled_from([(1, 1), (1, 0), (0, 1), (-1, 2), (2, -1)]),
)
def test_an_enclosure_passes_only_where_it_holds_the_value_and_is_narrow(
    known: tuple[Document, Fraction], digits: int, ends: tuple[int, int]
) -> None:
    document, value = known
    width = value / Fraction(10) ** digits
    low, high = value - ends[0] * width, value + ends[1] * width
    outcome = check_certificate(enclosed(document, ("claim", "value"), low, high))
    narrow = high - low <= max(abs(low), abs(high)) / Fraction(10) ** 20
    assert outcome.valid == (low <= value <= high and narrow)
    if outcome.valid:
        said = outcome.statement.partition("lies between ")[2].partition(";")[0].rstrip(".").split(" and ")
        assert Fraction(said[0]) <= low <= high <= Fraction(said[1])
        assert Fraction(said[1]) - Fraction(said[0]) < value / 10**15


def test_enclosures_that_the_solvers_write_pass_and_both_ends_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ramps, "EXPLICIT", 0)
    x = [Fraction(10**17 * n + 7 * n * n + 1, 10**17 + n) for n in range(600)]
    long = min_norm_interpolant(x, [Fraction(n * n % 17, 10**17 - n) for n in range(600)]).certificate()
    for document in (long, ramp_interpolant([-1, "1/3", "1/2", 1], [1, 2, 1, 5]).certificate()):
        claimed = document["claim"]["value"]
        outcome = check_certificate(json.loads(json.dumps(document)))
        assert outcome.valid, outcome.reason
        low, high = outcome.statement.partition("lies between ")[2].split(" and ")[:2]
        assert Fraction(low) <= Fraction(claimed["at_least"])
        assert Fraction(high.partition(";")[0].rstrip(".")) >= Fraction(claimed["at_most"])


def test_end_slopes_are_in_the_sentence() -> None:
    assert "left end slope f'(-∞) of each that attains it is 1, the right one f'(+∞) is -1" in (
        check_certificate(COST).statement
    )
    said = check_certificate(MOVED).statement
    assert "at one end the left one is 0 and the right one is 2" in said
    assert "at the other the left one is 1 and the right one is 1" in said
    third = enclosed(COST, ("claim", "end_slopes", 1, 0), Fraction(1), Fraction(1))
    assert "one pair, written twice" in check_certificate(third).reason


def point(radius: Fraction) -> tuple[Document, str]:
    """Two kinks on data points, enclosed."""
    x = tuple(map(Fraction, ("-2", "0", "3/4", "4/3", "2", "3")))
    units = (
        KKTUnit(1, Fraction(15, 7), frozenset({3, 4, 5}), {2: Fraction(24, 25)}),
        KKTUnit(-1, Fraction(20, 7), frozenset({0, 1, 2}), {3: Fraction(24, 25)}),
    )
    return KKTPoint(x, (-1, -1, -1, 1, 1, 1), {2: Fraction(20, 7), 3: Fraction(15, 7)}, units, radius).certified()


def test_a_kkt_point_is_not_said_to_be_nearer_than_is_proved() -> None:
    document, refusal = point(Fraction(14491, 10**31))
    assert not refusal
    assert "within 1.4491e-27 of what is written" in check_certificate(document).statement


def test_a_cube_that_says_little_of_where_the_point_lies_is_refused() -> None:
    assert "radius must be at most 1e-12" in point(Fraction(1, 10**9))[1]


def test_more_kinks_than_units_are_not_claimed() -> None:
    document, _ = point(Fraction(0))
    forged = changed(document, ("claim", "kinks_at_most"), 10**17)
    assert "must not exceed the 2 units" in check_certificate({**forged, "digest": digest(forged)}).reason
