"""Values too long to be written: they are enclosed, and the enclosure is checked."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from implicitbias.certificate.kernel import check_certificate
from implicitbias.certificate.kinds import minimum_norm
from implicitbias.certificate.rational import Rational
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from tests.support.certificates import certificates, signed
from tests.support.corruptions import changed


def test_a_value_too_long_to_be_written_is_enclosed_and_the_enclosure_is_checked() -> None:
    rng = random.Random(0)
    # Denominators of 17 digits each: their common denominator has about 17 n digits.
    x = sorted({Fraction(rng.randrange(10**17), 10**17) for _ in range(600)})
    for noise, moved in ((1, False), (Fraction(1, 10**30), True)):
        y = [3 * v + noise * rng.randrange(10**17) / 10**17 for v in x]
        found = min_norm_interpolant(x, y)
        assert (found.correction > 0) == moved
        document = found.certificate()
        value = document["claim"]["value"]
        assert Fraction(value["at_least"]) < found.cost < Fraction(value["at_most"])
        assert check_certificate(document).valid
        for end, step in (("at_least", 1), ("at_most", -1)):
            gap = Fraction(value["at_most"]) - Fraction(value["at_least"])
            forged = changed(document, ("claim", "value", end), str(Fraction(value[end]) + step * gap))
            assert "claim.value does not lie between" in check_certificate(signed(forged)).reason
        exact = changed(document, ("claim", "value"), value["at_least"])
        assert "claim.value is not" in check_certificate(signed(exact)).reason
        if moved:
            assert document["primal"] == {"left_share": "1"}
            left = document["claim"]["end_slopes"][0][0]
            forged = changed(document, ("claim", "end_slopes", 0, 0, "at_most"), left["at_least"])
            assert "end_slopes[0][0] does not lie" in check_certificate(signed(forged)).reason


def test_enclosures_and_exact_sums_come_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    for document in certificates():
        assert check_certificate(document).valid
        value = document["claim"]["value"]
        forged = changed(document, ("claim", "value"), str(Fraction(value) + Fraction(1, 10**2000)))
        assert "claim.value is not" in check_certificate(signed(forged)).reason


def test_the_ends_of_an_enclosure_are_not_taken_for_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    document = min_norm_interpolant([0, 3, 10, 23], [0, 1, -1, 5]).certificate()
    slopes = [Rational(1, 3), Rational(-2, 7), Rational(6, 13)]
    for bits in minimum_norm.PRECISIONS[:1]:
        for end in minimum_norm._Variation(slopes, [-1, 1]).bounds(bits):
            forged = changed(document, ("claim", "value"), str(Fraction(end, 2**bits)))
            assert "claim.value is not" in check_certificate(signed(forged)).reason


def test_what_cannot_be_decided_within_the_limits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # A tie, T_int = |a + b|, is seen by no enclosure.
    document = min_norm_interpolant(["0", "1", "4", "11"], ["0", "0", "1", "3"]).certificate()
    assert check_certificate(document).valid
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    monkeypatch.setattr(minimum_norm, "MAX_EXACT_BITS", 0)
    outcome = check_certificate(document)
    assert not outcome.valid
    assert "undecided" in outcome.reason
