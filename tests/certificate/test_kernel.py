"""The trusted checker: every true certificate passes, and no false one does."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_certificate, check_text
from implicitbias.convex.minimum_norm.few_kinks import with_few_kinks
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from tests.support.certificates import certificates, signed
from tests.support.corruptions import changed, corrupted


def test_certificates_of_all_forms_are_valid() -> None:
    for document in certificates():
        outcome = check_certificate(document)
        assert outcome.valid, (outcome.reason, document)
        assert check_text(json.dumps(document, indent=2)) == outcome


def truth(document: dict[str, Any]) -> bool:
    """Whether a document of the right shape is true, by the project's own code: closed form and PiecewiseLinear."""
    found = min_norm_interpolant(document["data"]["x"], document["data"]["y"])
    claim = document["claim"]
    ends = [[Fraction(slope) for slope in pair] for pair in claim["end_slopes"]]
    if (Fraction(claim["value"]), claim["unique"]) != (found.cost, found.unique):
        return False
    if ends != [list(found.end_slopes.first), list(found.end_slopes.last)]:
        return False
    primal = document["primal"]
    if "function" in primal:
        given = primal["function"]
        f = PiecewiseLinear(given["knots"], given["values"], given["left_slope"], given["right_slope"])
    else:
        f = found.spline(primal["left_share"])
    p = tuple(map(Fraction, document["dual"]["p"]))
    dual = type(found.dual)(found.x, p)
    attained = max(f.total_variation, abs(f.end_slope_sum))
    return (
        [f(at) for at in found.x] == list(found.y)
        and p[-1] == 0
        and all(abs(value) <= 1 and abs(value - p[0]) <= 1 for value in p)
        and attained == found.cost == dual.bound(found.y)
    )


def test_a_thousand_corruptions_of_one_field_are_all_refused() -> None:
    rng, documents, refused = random.Random(1), certificates(), 0
    while refused < 1000:
        forged = corrupted(rng.choice(documents), rng)
        if forged is not None:
            outcome = check_certificate(forged)
            assert not outcome.valid, forged
            assert outcome.reason
            assert not check_text(json.dumps(forged)).valid
            refused += 1


def test_corruptions_with_a_new_digest_pass_only_where_they_are_another_truth() -> None:
    rng, documents, passed, refused = random.Random(2), certificates(), 0, 0
    while refused < 1000:
        forged = corrupted(rng.choice(documents), rng)
        if forged is None or "digest" not in forged:
            continue
        outcome = check_certificate(signed(forged))
        if outcome.valid:
            assert truth(forged), forged
            passed += 1
        else:
            assert outcome.reason
            refused += 1
            try:
                right = truth(forged)
            except Exception:  # not of the right shape
                right = False
            # What is true and yet refused is refused for its form, which the reason names.
            assert not right or "must" in outcome.reason or "field" in outcome.reason, (outcome.reason, forged)
    assert passed > 0


@pytest.mark.parametrize("corruption", range(60))
def test_false_claims_about_the_mathematics_are_refused_before_the_digest_is_looked_at(corruption: int) -> None:
    rng = random.Random(corruption)
    document = rng.choice(certificates())
    path = rng.choice([("claim", "value"), ("claim", "unique"), ("claim", "end_slopes", 0, 0), ("data", "y", 0)])
    place: Any = document
    for step in path:
        place = place[step]
    if path[-1] == "unique":
        forged = changed(document, path, not place)
    else:
        forged = changed(document, path, str(Fraction(place) + Fraction(1, 10**9)))
        if path[0] == "data" and len(document["data"]["y"]) == 1:
            return
    outcome = check_certificate(forged)
    assert not outcome.valid
    assert "digest" not in outcome.reason
    assert check_certificate(signed(forged)).reason == outcome.reason


def false_pairs() -> Iterator[tuple[str, dict[str, Any], str]]:
    case_a = min_norm_interpolant([0, 1, 2, 3], [0, 1, 0, 0]).certificate()
    case_b = min_norm_interpolant([0, 1, 2], [0, 1, 3]).certificate()
    yield (
        "a kink off the data where p is not ±1",
        changed(
            case_a,
            ("primal", "function"),
            {
                "knots": ["0", "1/2", "1", "2", "3"],
                "values": ["0", "1", "1", "0", "0"],
                "left_slope": "2",
                "right_slope": "0",
            },
        ),
        "complementary slackness fails at knot",
    )
    yield (
        "a kink to the left of the data",
        changed(
            case_a,
            ("primal", "function"),
            {"knots": ["-1", "1", "2", "3"], "values": ["-1", "1", "0", "0"], "left_slope": "2", "right_slope": "0"},
        ),
        "complementary slackness fails at knot 0",
    )
    yield (
        "a kink to the right of the data",
        changed(
            case_a,
            ("primal", "function"),
            {"knots": ["0", "1", "2", "4"], "values": ["0", "1", "0", "0"], "left_slope": "1", "right_slope": "5"},
        ),
        "complementary slackness fails at knot 3",
    )
    yield (
        "a function beside the data",
        changed(case_a, ("primal", "function", "values", 1), "2"),
        "misses the data point 1",
    )
    yield "a dual beyond 1", changed(case_a, ("dual", "p", 1), "-3/2"), "breaks"
    yield "a dual that is no combination of ramps", changed(case_a, ("dual", "p", 3), "1/2"), "must end with 0"
    yield "a dual too far from m", changed(case_b, ("dual", "p", 1), "-1/2"), "breaks"
    yield "a slack dual", changed(case_a, ("dual", "p", 1), "1/2"), "complementary slackness"
    yield (
        "the right value of a function that is not optimal",
        changed(
            changed(
                case_b,
                ("primal", "function"),
                {"knots": ["0", "1", "2"], "values": ["0", "1", "3"], "left_slope": "1", "right_slope": "2"},
            ),
            ("claim", "value"),
            "3",
        ),
        "do not attain weak duality",
    )
    tie = min_norm_interpolant([-1, 0, 1], [0, 0, 1]).certificate()
    yield "a dual for the other sign of s", changed(tie, ("dual", "p"), ["-1", "0", "0"]), "do not attain weak duality"
    tie["primal"] = {"left_share": "1"}
    yield "the same for the spline", changed(tie, ("dual", "p"), ["-1", "0", "0"]), "weak duality is not attained"
    spline = changed(case_a, ("primal",), {"left_share": "1"})
    yield "a dual for T = |s|", changed(spline, ("dual", "p"), ["1", "0", "1", "0"]), "weak duality is not attained"
    yield "too low a value", changed(case_a, ("claim", "value"), "2"), "claim.value is not"
    yield (
        "the other regime's end slopes",
        changed(case_b, ("claim", "end_slopes"), [["1", "2"], ["1", "2"]]),
        "end_slopes[0]",
    )
    yield "a share above 1", changed(case_b, ("primal",), {"left_share": "2"}), "must lie in [0, 1]"
    yield "uniqueness of one of many", changed(case_b, ("claim", "unique"), True), "claim.unique must be false"
    yield "denied uniqueness", changed(case_a, ("claim", "unique"), False), "claim.unique must be true"
    yield "unsorted data", changed(case_a, ("data", "x"), ["1", "0", "2", "3"]), "data.x must increase"
    yield "missing values", changed(case_a, ("data", "y"), ["1", "0", "2"]), "data.x has 4 numbers and data.y has 3"
    yield "no data", changed(case_a, ("data",), {"x": [], "y": []}), "data.x is empty"


@pytest.mark.parametrize(
    ("name", "document", "says"), list(false_pairs()), ids=lambda v: v if isinstance(v, str) else ""
)
def test_false_pairs_are_refused_with_the_reason(name: str, document: dict[str, Any], says: str) -> None:
    outcome = check_certificate(signed(document))
    assert not outcome.valid
    assert says in outcome.reason


def test_another_minimiser_is_another_valid_certificate_but_not_under_the_old_digest() -> None:
    found = min_norm_interpolant([0, 1, 2, 3], [1, 0, 0, 1])
    document = found.certificate()
    f = with_few_kinks(found)
    primal = {"knots": ["3/2"], "values": ["-1/2"], "left_slope": str(f.left_slope), "right_slope": str(f.right_slope)}
    other = changed(document, ("primal", "function"), primal)
    assert "digest" in check_certificate(other).reason
    assert check_certificate(signed(other)).valid


def test_a_kink_beyond_the_data_may_be_optimal_where_end_slopes_are_free() -> None:
    document = min_norm_interpolant([0, 1], [0, 1]).certificate()
    primal = {"knots": ["-5"], "values": ["-5"], "left_slope": "0", "right_slope": "1"}
    assert check_certificate(signed(changed(document, ("primal", "function"), primal))).valid
