"""What every minimiser has: the certificates of three data sets pass, and nothing that was altered does."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.certificate.kinds import minimisers
from implicitbias.certificate.rational import Rational
from implicitbias.convex.weighted.exact_minimiser import unique_minimiser
from implicitbias.errors import CertificateError
from tests.support.corruptions import corrupted

B1 = [("-4/3", "5/4"), ("-4/3", "-5/4"), (4, 1), (4, -1)]
A1 = unique_minimiser([[0], [1]], ["-1/2", "1/2"]).certificate()
PLANE = unique_minimiser(B1, [0, 0, 1, -1]).certificate()
TILTED = unique_minimiser([[-1], [1]], [-1, 1], [0, "-4/5"]).certificate()
ALL = {"A1": A1, "B1": PLANE, "tilted": TILTED}


def signed(document: dict[str, Any]) -> dict[str, Any]:
    document["digest"] = digest(document)
    return document


def reason(document: dict[str, Any], *changes: tuple[tuple[Any, ...], Any]) -> str:
    document = copy.deepcopy(document)
    for path, value in changes:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return check_certificate(signed(document)).reason


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [("A1", "1/2 + 1/2·√2", ">= 0"), ("B1", "5/4", "> 0"), ("tilted", "3/5", "inside the cell")],
)
def test_certificates_pass_and_say_what_they_prove(name: str, value: str, where: str) -> None:
    outcome = check_certificate(ALL[name])
    assert outcome.valid, outcome.reason
    assert f"It costs {value}" in outcome.statement
    assert where in outcome.statement
    assert outcome.statement.endswith("every minimiser has two atoms of opposite signs there.")


@pytest.mark.parametrize("name", sorted(ALL))
def test_corruptions_of_one_field_are_refused(name: str) -> None:
    rng, refused = random.Random(name), 0
    while refused < 300:
        forged = corrupted(ALL[name], rng)
        if forged is not None:
            outcome = check_certificate(forged)
            assert not outcome.valid, forged
            assert outcome.reason
            refused += 1


@pytest.mark.parametrize("name", sorted(ALL))
def test_with_a_new_digest_they_pass_only_where_the_same_is_still_proved(name: str) -> None:
    """Another proof of the same: cells or atoms in another order, a dual or multipliers with room."""
    rng, original, refused, passed = random.Random(name), ALL[name], 0, 0
    while refused < 400:
        forged = corrupted(original, rng)
        if forged is None or "digest" not in forged:
            continue
        if not check_certificate(signed(forged)).valid:
            refused += 1
            continue
        passed += 1
        for field in ("x", "y", "tilt"):
            assert forged["data"][field] == original["data"][field]
        assert forged["claim"]["value"] == original["claim"]["value"]
        key = repr
        assert sorted(forged["primal"]["atoms"], key=key) == sorted(original["primal"]["atoms"], key=key)
    assert passed < refused


def test_every_cell_is_needed_and_no_cell_twice() -> None:
    for document in ALL.values():
        cells = document["dual"]["cells"]
        for k in range(len(cells)):
            fewer = cells[:k] + cells[k + 1 :]
            assert "different cells" in reason(document, (("dual", "cells"), fewer))
            assert "different cells" in reason(document, (("dual", "cells"), [*fewer, fewer[0]]))


def test_an_atom_too_few_is_refused() -> None:
    """The dual touches the weight at a place that is not listed: another minimiser might have an atom there."""
    for k, atom in enumerate(PLANE["primal"]["atoms"]):
        atoms = [a for n, a in enumerate(PLANE["primal"]["atoms"]) if n != k]
        rows = [r for n, r in enumerate(PLANE["dual"]["inverse"]) if n != k]
        mass, sign, theta = atoms[0]
        outputs = [
            sign * max(Fraction(0), sum(Fraction(t) * Fraction(v) for t, v in zip(theta, (*x, "1"), strict=True)))
            for x in PLANE["data"]["x"]
        ]
        y = [str(Fraction(mass) * value) for value in outputs]
        changes = ((("primal", "atoms"), atoms), (("dual", "inverse"), rows), (("data", "y"), y))
        assert "touches w where no atom" in reason(PLANE, *changes), atom


def test_uniqueness_needs_the_inverse() -> None:
    assert "uniqueness is not shown" in reason(A1, (("dual", "inverse", 0), ["0", "0"]))
    assert "must have 2 rows" in reason(A1, (("dual", "inverse"), []))


def test_the_sense_in_which_atoms_share_a_cell_is_checked() -> None:
    senses = list(minimisers.WHERE)
    held = {
        name: [not reason(document, (("claim", "where"), sense)) for sense in senses] for name, document in ALL.items()
    }
    # closed; > 0 and <= 0; >= 0 and < 0; inside
    assert held == {
        "A1": [True, False, True, False],
        "B1": [True, True, False, False],
        "tilted": [True, True, True, True],
    }


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("data", "root"), 4, "no square"),
        (("data", "root"), "2", "no square"),
        (("data", "root"), 3, "length 1"),
        (("data", "y"), ["-1/2", "1/3"], "miss the data point 1"),
        (("data", "tilt"), ["0"], "data.tilt one more"),
        (("data", "tilt"), ["0", "1/5"], "cost of the atoms is not"),
        (("primal", "atoms", 0, 0), "-1", "mass above 0"),
        (("primal", "atoms", 0, 1), 0, "s = 1 or -1"),
        (("primal", "atoms", 0, 2), ["1", "1"], "length 1"),
        (("dual", "p"), ["-1", "1"], "cost of the atoms is not"),
        (("claim", "value"), "6/5", "claim.value is not"),
        (("claim", "value"), ["1/2", "0"], "must be written as text"),
        (("claim", "pair"), [0, 1, 3], "sign + and one of sign -"),
        (("claim", "pair"), [1, 0, 0], "does not lie"),
        (("claim", "pair"), [1, 0, 9], "counted from 0"),
        (("claim", "where"), "anywhere", "claim.where must be one of"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(path: tuple[Any, ...], value: Any, expected: str) -> None:
    assert expected in reason(A1, (path, value))


def test_a_dual_that_is_too_large_somewhere_is_refused() -> None:
    """Another data set through the same atoms: a point added with p = 0 changes nothing, with p = 3/2 it does."""
    found = unique_minimiser([*B1, (0, 0)], [0, 0, 1, -1, 0])
    document = found.certificate()
    assert reason(document) == ""
    p = [*document["dual"]["p"][:4], "3/2"]
    assert "not shown feasible" in reason(document, (("dual", "p"), p))


def test_numbers_with_roots_are_compared_exactly() -> None:
    surd = minimisers.Surd
    for a, b, root, sign in (
        (-7, 5, 2, 1),
        (7, -5, 2, -1),
        (-99, 70, 2, -1),
        (99, -70, 2, 1),
        (0, 0, 2, 0),
        (1, 0, 3, 1),
    ):
        assert surd(Rational(a), Rational(b), root).sign() == sign


def test_no_pair_no_certificate() -> None:
    with pytest.raises(CertificateError, match="no two atoms of opposite signs"):
        unique_minimiser([[-2], [0], [2]], [1, "1/2", 1]).certificate()
