"""Certified KKT points with up to 7 label switches: all accepted, each of six kinds of corruption refused."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.certificate import kernel
from implicitbias.certificate.parts.kkt_exact import mirrored
from implicitbias.certificate.parts.kkt_system import System
from implicitbias.certificate.rational import Rational
from implicitbias.convex.kkt.limit import kkt_limit
from implicitbias.convex.kkt.optimum import cells, margin_optimum
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit


def certified(draw: random.Random, switches: int) -> dict[str, Any] | None:
    """The optimum among units of random cells, certified; None where there is none to be certified."""
    n = switches + 2 + draw.randint(0, 3)
    x = [Fraction(at, 1000) for at in sorted(draw.sample(range(-3000, 3001), n))]
    cuts, label, labels = set(draw.sample(range(1, n), switches)), 1, []
    for i in range(n):
        label = -label if i in cuts else label
        labels.append(label)
    chosen = [cell for cell in cells(n) if draw.random() < 0.8]
    network = margin_optimum([float(at) for at in x], labels, chosen)
    return None if network is None else kkt_limit(network, x, labels).document


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    draw = random.Random(12)
    found = [certified(draw, switches) for switches in range(8) for _ in range(2)]
    return [document for document in found if document is not None] + [
        not_optimal(Fraction(4, 3), Fraction(5, 3)),
        not_optimal(Fraction(21, 20), Fraction(29, 20)),
    ]


def not_optimal(at: Fraction, length: Fraction) -> dict[str, Any]:
    """Two points ±t with one label, √(1 + t²) = length, and a unit along each: for t² < 3 a constant is better."""
    units = tuple(KKTUnit(1, 1 / length, frozenset({i}), {}) for i in (1, 0))
    return KKTPoint((-at, at), (1, 1), {0: 1 / length, 1: 1 / length}, units).certificate()


def multiplier(document: dict[str, Any], draw: random.Random) -> None:
    pair = draw.choice(document["multipliers"])
    pair[1] = str(Fraction(pair[1]) + Fraction(1, 10**9))


def square(document: dict[str, Any], draw: random.Random) -> None:
    unit = draw.choice(document["units"])
    unit["square"] = str(Fraction(unit["square"]) * (1 - Fraction(1, 10**9)))


def share(document: dict[str, Any], draw: random.Random) -> None:
    """A Clarke coefficient moved; in documents without contacts a unit loses an active support."""
    contacts = [pair for unit in document["units"] for pair in unit["contacts"]]
    if contacts:
        draw.choice(contacts)[1] = "1"
    else:
        supports = {pair[0] for pair in document["multipliers"]}
        unit = next(unit for unit in document["units"] if supports & set(unit["active"]))
        unit["active"] = [i for i in unit["active"] if i != min(supports & set(unit["active"]))]


def label(document: dict[str, Any], draw: random.Random) -> None:
    i = draw.randrange(len(document["data"]["labels"]))
    document["data"]["labels"][i] *= -1


def place(document: dict[str, Any], draw: random.Random) -> None:
    i = draw.choice(document["multipliers"])[0]
    document["data"]["x"][i] = str(Fraction(document["data"]["x"][i]) + Fraction(1, 10**9))


def kinks(document: dict[str, Any], draw: random.Random) -> None:
    claim = document["claim"]
    most = claim["kinks_at_most"]
    if most and draw.random() < 0.5:
        claim["kinks_at_least"], claim["kinks_at_most"] = 0, most - 1
    else:
        claim["kinks_at_least"] = claim["kinks_at_most"] = most + 1


CORRUPTIONS: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    multiplier,
    square,
    share,
    label,
    place,
    kinks,
)


def test_all_are_accepted_with_exact_counts(documents: list[dict[str, Any]]) -> None:
    assert len(documents) >= 12
    for document in documents:
        outcome = kernel.check_certificate(document)
        assert outcome.valid, outcome.reason
        assert document["claim"]["kinks_at_least"] == document["claim"]["kinks_at_most"]
    switches = {
        sum(a != b for a, b in zip(d["data"]["labels"], d["data"]["labels"][1:], strict=False)) for d in documents
    }
    assert max(switches) == 7


@pytest.mark.parametrize("corrupt", CORRUPTIONS, ids=lambda corrupt: corrupt.__name__)
def test_every_corrupted_document_is_refused(
    documents: list[dict[str, Any]], corrupt: Callable[[dict[str, Any], random.Random], None]
) -> None:
    draw = random.Random(corrupt.__name__)
    for document in documents:
        forged = copy.deepcopy(document)
        corrupt(forged, draw)
        assert not kernel.check_certificate(forged).valid  # its digest is that of another document
        forged["digest"] = kernel.digest(forged)
        outcome = kernel.check_certificate(forged)
        assert not outcome.valid, (corrupt.__name__, document["data"])
        assert outcome.reason


def test_a_global_optimum_is_claimed_where_it_is_one(documents: list[dict[str, Any]]) -> None:
    """Points over all cells claim it; where it is not claimed a better network is found, and the claim is refused."""
    claimed = [document for document in documents if document["claim"].get("global_optimum")]
    others = [document for document in documents if "global_optimum" not in document["claim"]]
    assert claimed
    assert others
    for document in documents:
        x = [Fraction(at) for at in document["data"]["x"]]
        best = margin_optimum([float(at) for at in x], document["data"]["labels"])
        assert best is not None
        cost = float(sum(Fraction(unit["square"]) for unit in document["units"]))
        assert (cost <= float((best.v**2).sum()) * (1 + 1e-6)) == (document in claimed)
    for document in others:
        for value, words in ((True, "global optimum is not proved"), (False, "must be true"), (1, "must be true")):
            forged = copy.deepcopy(document)
            forged["claim"]["global_optimum"] = value
            forged["digest"] = kernel.digest(forged)
            outcome = kernel.check_certificate(forged)
            assert (outcome.valid, words in outcome.reason) == (False, True), outcome.reason


def test_one_mirrored_pair_does_not_prove_that_its_units_share_their_place() -> None:
    """Kinks at the point 0 from both sides, and a flat unit: T = (0, -1), and one pair leaves T free along a line."""
    units = [
        {"sign": 1, "square": "3/2", "active": [2], "contacts": [[1, "3/10"]]},
        {"sign": 1, "square": "3/2", "active": [0], "contacts": [[1, "3/10"]]},
        {"sign": -1, "square": "1", "active": [0, 1, 2], "contacts": []},
    ]
    document = {
        "multipliers": [[0, "3/4"], [1, "5/2"], [2, "3/4"]],
        "units": units,
    }
    x = [Rational(-4, 3), Rational(0), Rational(4, 3)]
    system = System(document, x, [1, -1, 1])
    assert mirrored(system, Rational(0)) == {}
