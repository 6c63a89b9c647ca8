"""Certificates of problems (9), (10) and (4): all true ones pass, no false one does."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_certificate, check_text, digest
from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.ramps import interpolant as ramps
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.convex.ramps.supports import sparse_ramps
from tests.support.corruptions import changed, corrupted

DATA: list[tuple[list[Any], list[Any]]] = [
    ([-1, "-1/2", 0, "1/2", 1], [1, "1/2", 0, "1/2", 1]),
    ([-1, 1], [1, 1]),
    ([-1, 0, 1], [-1, 0, 1]),
    ([-1, "1/2", 1], [1, 2, 1]),
    ([-1, "-0.07", "0.01", "0.5", "0.9", 1], [3, -2, -1, 3, -1, -2]),
    (["-0.9", "-0.2", "0.3", "0.8"], ["0", "1.5", "-2", "1/3"]),
    ([2, 3, 5], [1, 4, 1]),
]
LABELS: list[tuple[list[Any], Any, Any]] = [
    ([-1, "-1/2", 0, "1/2", 1], "abcba", None),
    ([-1, 1], "ab", None),
    ([-1, "-0.3", "0.1", "0.2", "0.6", 1], "aabbca", None),
    ([-1, "-0.3", "0.1", "0.2", "0.6", 1], "aabbba", "abcd"),
    ([3, 4, 7], "xyx", None),
    ([-1, 0, 1], "aaa", "abc"),
]


@cache
def certificates(kind: str) -> tuple[dict[str, Any], ...]:
    if kind == "maximum margin":
        return tuple(max_margin(*given).certificate() for given in LABELS)
    if kind == "interpolation with penalised biases":
        return tuple(bias_penalised_interpolant(*given).certificate() for given in DATA)
    found = [ramp_interpolant(*given) for given in DATA]
    documents = [f.certificate() for f in found] + [f.certificate(sparse_ramps(f)) for f in found]
    explicit, ramps.EXPLICIT = ramps.EXPLICIT, 0
    documents += [f.certificate() for f in found if len(f.x) > 2]
    ramps.EXPLICIT = explicit
    return tuple(documents)


def signed(document: dict[str, Any]) -> dict[str, Any]:
    document["digest"] = digest(document)
    return document


KINDS = ["interpolation by ramps", "maximum margin", "interpolation with penalised biases"]


@pytest.mark.parametrize("kind", KINDS)
def test_true_certificates_are_valid(kind: str) -> None:
    for document in certificates(kind):
        assert document["kind"] == kind
        outcome = check_certificate(document)
        assert outcome.valid, (outcome.reason, document)
        assert check_text(json.dumps(document)) == outcome


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_corruptions_of_one_field_are_refused(kind: str) -> None:
    rng, refused = random.Random(kind), 0
    while refused < 1000:
        forged = corrupted(rng.choice(certificates(kind)), rng)
        if forged is None:
            continue
        outcome = check_certificate(forged)
        assert not outcome.valid, forged
        assert outcome.reason
        refused += 1


def truth(document: dict[str, Any]) -> bool:
    """Whether a document of the right shape proves what it claims, from the definitions alone."""
    return {"interpolation by ramps": true_ramps, "maximum margin": true_margin}.get(document["kind"], true_biases)(
        document
    )


def relu(number: Fraction) -> Fraction:
    return max(Fraction(0), number)


def true_ramps(document: dict[str, Any]) -> bool:
    x, y = ([Fraction(v) for v in document["data"][name]] for name in "xy")
    A, B = map(Fraction, document["kinks"])
    optimum = ramp_interpolant(x, y, (A, B)).value
    value = document["claim"]["value"]
    if isinstance(value, dict):
        if not Fraction(value["at_least"]) <= optimum <= Fraction(value["at_most"]):
            return False
        return all(0 <= Fraction(share) <= 1 for share in document["primal"]["left_shares"])
    given = [(side, Fraction(c), Fraction(w)) for side, c, w in document["primal"]["ramps"]]
    if any(side not in (1, -1) or not A <= c <= B for side, c, _ in given):
        return False
    alpha = [Fraction(a) for a in document["dual"]["alpha"]]
    feasible = all(
        abs(sum(a * relu(side * (at - c)) for a, at in zip(alpha, x, strict=True))) <= 1
        for side in (1, -1)
        for c in (A, B, *x)
    )
    passes = [sum(w * relu(side * (at - c)) for side, c, w in given) for at in x] == y
    pays = sum(abs(w) for *_, w in given) <= Fraction(value)
    return feasible and passes and pays and Fraction(value) <= sum(a * b for a, b in zip(alpha, y, strict=True))


def true_margin(document: dict[str, Any]) -> bool:
    x, labels, k = [Fraction(v) for v in document["data"]["x"]], document["data"]["labels"], document["data"]["classes"]
    A, B = map(Fraction, document["kinks"])
    u, v = Fraction(document["primal"]["unit"]), Fraction(document["dual"]["unit"])
    low, high, gap = (Fraction(document["claim"][name]) for name in ("lower", "upper", "relative_gap"))
    given = [
        (side, Fraction(c), [u * Fraction(w) for w in weights]) for side, c, weights in document["primal"]["ramps"]
    ]
    if not A <= x[0] < x[-1] <= B or any(not A <= c <= B or len(w) != k for _, c, w in given):
        return False
    for at, own in zip(x, labels, strict=True):
        scores = [sum(w[j] * relu(side * (at - c)) for side, c, w in given) for j in range(k)]
        if any(scores[own] - score < 1 for j, score in enumerate(scores) if j != own):
            return False
    alpha = [[Fraction(0)] * k for _ in x]
    for i, rival, b in document["dual"]["beta"]:
        if Fraction(b) < 0:
            return False
        alpha[i][labels[i]] += v * Fraction(b)
        alpha[i][rival] -= v * Fraction(b)
    for c in (A, B, *x):
        for side in (1, -1):
            g = [sum(a[j] * relu(side * (at - c)) for a, at in zip(alpha, x, strict=True)) for j in range(k)]
            if sum(value * value for value in g) > 1:
                return False
    # Σ‖w‖ <= high: enough to compare with a sum of doubles here, whose error is far below the room in `high`
    cost = sum(float(sum(value * value for value in w)) ** 0.5 for *_, w in given)
    total = sum(v * Fraction(b) for *_, b in document["dual"]["beta"])
    return low <= total and cost <= float(high) * (1 + 1e-14) and high - low <= gap * high and 0 <= gap < 1


def true_biases(document: dict[str, Any]) -> bool:
    x, y = ([Fraction(v) for v in document["data"][name]] for name in "xy")
    units = [tuple(map(Fraction, unit)) for unit in document["primal"]["units"]]
    alpha = [Fraction(a) for a in document["dual"]["alpha"]]
    low, high, gap = (Fraction(document["claim"][name]) for name in ("lower", "upper", "relative_gap"))
    if [sum(v * relu(a * at + b) for v, a, b in units) for at in x] != y:
        return False
    cost = sum(abs(float(v)) * float(a**2 + b**2) ** 0.5 for v, a, b in units)
    from math import cos, pi, sin

    angles = [2 * pi * n / 2000 for n in range(2000)]
    worst = max(
        abs(sum(float(a) * max(0.0, cos(t) * float(at) + sin(t)) for a, at in zip(alpha, x, strict=True)))
        for t in angles
    )
    total = sum(a * b for a, b in zip(alpha, y, strict=True))
    fits = worst <= 1 + 1e-9 and low <= total and cost <= float(high) * (1 + 1e-14)
    return fits and high - low <= gap * high and 0 <= gap < 1


@pytest.mark.parametrize("kind", KINDS)
def test_corruptions_with_a_new_digest_pass_only_where_they_are_another_truth(kind: str) -> None:
    rng, passed, refused = random.Random(kind + "signed"), 0, 0
    while refused < 1000:
        forged = corrupted(rng.choice(certificates(kind)), rng)
        if forged is None or "digest" not in forged:
            continue
        outcome = check_certificate(signed(forged))
        if outcome.valid:
            assert truth(forged), forged
            passed += 1
        else:
            assert outcome.reason
            assert "digest" not in outcome.reason or "field" in outcome.reason
            refused += 1
    assert passed > 0


def false_documents() -> list[tuple[str, dict[str, Any], str]]:
    ramp, _, slope, *_ = certificates(KINDS[0])
    shares = certificates(KINDS[0])[-2]
    margin, bias = certificates(KINDS[1])[0], certificates(KINDS[2])[0]
    half = str(Fraction(margin["primal"]["unit"]) / 2)
    double = str(Fraction(margin["dual"]["unit"]) * (1 + Fraction(1, 10**6)))
    first = margin["dual"]["beta"][0]
    return [
        ("too low a value", changed(ramp, ("claim", "value"), "1"), "claim.value is less than the primal"),
        ("too high a value", changed(ramp, ("claim", "value"), "3"), "claim.value is more than the dual"),
        ("a kink beyond the range", changed(slope, ("primal", "ramps", 0, 1), "-2"), "outside the range"),
        ("ramps beside the data", changed(ramp, ("primal", "ramps", 0, 2), "2"), "miss the data point"),
        ("a dual beyond 1", changed(ramp, ("dual", "alpha", 0), "2"), "not feasible"),
        ("data outside the range", changed(ramp, ("kinks",), ["-1/2", "1"]), "kinks must be"),
        ("a range upside down", changed(ramp, ("kinks",), ["1", "-1"]), "kinks must be"),
        ("a share above 1", changed(shares, ("primal", "left_shares", 0), "2"), "in [0, 1]"),
        ("eta beyond 1", changed(shares, ("dual", "eta"), "2"), "must lie in [-1, 1]"),
        ("the wrong shares", changed(shares, ("primal", "left_shares"), ["0"] * 2), "claim.value is less"),
        ("margins below 1", changed(margin, ("primal", "unit"), half), "margin of the point 0"),
        ("a dual scaled up", changed(margin, ("dual", "unit"), double), "the dual is not feasible"),
        ("a negative multiplier", changed(margin, ("dual", "beta", 0, 2), "-1"), "must not be negative"),
        ("a multiplier for the own class", changed(margin, ("dual", "beta", 0, 1), 0), "not the point's"),
        ("a multiplier twice", changed(margin, ("dual", "beta"), [first, first]), "not named before"),
        ("another label", changed(margin, ("data", "labels", 0), 2), "margin of the point 0"),
        ("fewer classes", changed(margin, ("data", "classes"), 2), "integer from 0 to 1"),
        ("one class", changed(margin, ("data", "classes"), 1), "data.classes"),
        ("a raised lower bound", changed(margin, ("claim", "lower"), "14"), "above what the dual proves"),
        ("a lowered upper bound", changed(margin, ("claim", "upper"), "13"), "below what the primal proves"),
        ("too small a gap", changed(margin, ("claim", "relative_gap"), "0"), "relative_gap"),
        ("no classifier", changed(margin, ("primal", "ramps"), []), "margin of the point 0"),
        ("a broken weight", changed(margin, ("primal", "ramps", 0, 2, 0), "1/2"), "must be integers"),
        ("a unit of 0", changed(margin, ("dual", "unit"), "0"), "must be positive"),
        ("units beside the data", changed(bias, ("primal", "units"), []), "miss the data point"),
        ("no direction", changed(bias, ("primal", "units", 0), ["1", "0", "0"]), "other than 0"),
        ("a dual beyond the circle", changed(bias, ("dual", "alpha"), ["1", "0", "0", "0", "0"]), "not feasible"),
        ("a lower bound of 3", changed(bias, ("claim", "lower"), "3"), "above what the dual proves"),
    ]


@pytest.mark.parametrize(
    ("name", "document", "says"), false_documents(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_false_documents_are_refused_with_the_reason(name: str, document: dict[str, Any], says: str) -> None:
    outcome = check_certificate(signed(document))
    assert not outcome.valid
    assert says in outcome.reason


def test_a_dual_that_exceeds_1_only_between_the_data_is_refused() -> None:
    """Problem (4): at every kink at the data the value is below 1, in between it is not."""
    bias = changed(certificates(KINDS[2])[0], ("data",), {"x": ["-1", "-1/2", "1/2", "1"], "y": ["0", "0", "1", "3"]})
    # α = (0, 0, -10, 9)·t is feasible exactly for t <= 1/√17; at the data it is for t below 1/16
    bias = changed(bias, ("primal", "units"), [["4", "1", "-1/4"]])
    for t, right in ((Fraction(24253, 100_000), True), (Fraction(24254, 100_000), False)):
        alpha = [str(t * v) for v in (0, 0, -10, 9)]
        claim = {"lower": str(17 * t - 1), "upper": "5", "relative_gap": "1/2"}
        document = changed(changed(bias, ("dual", "alpha"), alpha), ("claim",), claim)
        outcome = check_certificate(signed(document))
        assert outcome.valid == right
        assert right or "between data.x[1] and data.x[2]" in outcome.reason


def test_the_teacher_s_single_kink_is_another_certificate_of_the_same_value() -> None:
    found = ramp_interpolant(["-1", "-1/2", "1/2", "1"], [0, 0, 1, 3])
    document = found.certificate(sparse_ramps(found))
    assert document["primal"] == {"ramps": [[1, "1/4", "4"]]}
    assert check_certificate(document).valid
