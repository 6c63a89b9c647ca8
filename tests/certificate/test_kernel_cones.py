"""Duals that are shown feasible on cones: true proofs pass, and what is wrong with others is said."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate, check_text, digest
from implicitbias.convex.cells.arrangement import cells_of
from implicitbias.convex.variation.cone_proofs import cone_dual
from implicitbias.convex.variation.many_cells import bounded_fit
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.convex.variation.through import bounded_interpolant
from implicitbias.errors import UnsolvedError

Document = dict[str, Any]
SIZES = [(3, 1), (12, 1), (10, 2), (25, 2), (9, 3), (30, 3)]


def data(n: int, d: int) -> tuple[list[list[str]], list[str]]:
    draw = np.random.default_rng(100 * n + d)
    x = draw.normal(size=(n, d)).round(3)
    y = (np.sin(2 * x[:, 0]) + draw.normal(size=n) / 4).round(3)
    return [[str(v) for v in row] for row in x], [str(v) for v in y]


@cache
def proof(n: int = 10, d: int = 2) -> str:
    return json.dumps(bounded_fit(*data(n, d), "1/50", 1e-3).certificate())


def signed(document: Document) -> Document:
    return {**document, "digest": digest(document)}


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_bounds_are_proved_and_hold_those_by_cells(n: int, d: int) -> None:
    outcome = check_text(proof(n, d))
    assert outcome.valid, outcome.reason
    claim = json.loads(proof(n, d))["claim"]
    lower, upper = Fraction(claim["lower"]), Fraction(claim["upper"])
    if n < 30:
        exact = penalised_fit(*data(n, d), "1/50")
        assert lower <= exact.upper
        assert exact.lower <= upper
    assert lower <= upper <= lower * Fraction(101, 100)


def test_bounds_through_data_are_proved() -> None:
    x, y = data(30, 3)
    found = bounded_interpolant(x, y, np.eye(4), 20.0)
    outcome = check_certificate(found.certificate())
    assert outcome.valid, outcome.reason
    assert outcome.kind == "interpolation of least total variation"


@pytest.mark.parametrize(("n", "d"), [(12, 1), (10, 2), (9, 3)])
def test_every_direction_is_in_a_cone_whose_proof_holds_there(n: int, d: int) -> None:
    """The proof is followed in fractions, by the definition and not as the checker does."""
    document = json.loads(proof(n, d))
    points = [[*map(Fraction, row), Fraction(1)] for row in document["data"]["x"]]
    p = [Fraction(v) for v in document["dual"]["p"]]
    draw = np.random.default_rng(n)
    for name, sign in (("above", 1), ("below", -1)):
        nodes = iter(document["dual"][name])
        trees = {signs: grown(nodes, len(points[0])) for signs in orthants(len(points[0]))}
        assert next(nodes, None) is None
        for _ in range(60):
            theta = [Fraction(int(v), 1000) for v in draw.integers(-1000, 1001, size=len(points[0]))]
            signs = tuple(1 if v >= 0 else -1 for v in theta)
            node, shares = trees[signs], [abs(v) for v in theta]
            while len(node) == 3:
                (a, b, alpha, beta, power), first, second = node
                alpha, beta = alpha * 2 ** max(-power, 0), beta * 2 ** max(power, 0)
                # θ = c_a r_a + c_b r_b + …, and the new ray is α r_a + β r_b
                in_first = shares[a] * beta >= shares[b] * alpha
                node, kept, gone = (first, a, b) if in_first else (second, b, a)
                new = shares[gone] / (beta if in_first else alpha)
                shares[kept] -= new * (alpha if in_first else beta)
                shares[gone] = new
                assert min(shares) >= 0
            w = [Fraction(v, 10**12) for v in node[0]]
            g = sum(weight * max(Fraction(0), dot(theta, point)) for weight, point in zip(p, points, strict=True))
            assert sign * g <= dot(w, theta)
            assert dot(w, w) <= 1


def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((s * t for s, t in zip(a, b, strict=True)), Fraction(0))


def orthants(size: int) -> list[tuple[int, ...]]:
    return [(1, *rest) for rest in orthants(size - 1)] + [(-1, *rest) for rest in orthants(size - 1)] if size else [()]


def grown(nodes: Any, size: int) -> Any:
    node = next(nodes)
    return node if len(node) == 2 else (node, grown(nodes, size), grown(nodes, size))


def test_a_dual_that_is_not_feasible_has_no_proof() -> None:
    """p a little longer than feasible: the nodes do not show it, and none are found."""
    document = json.loads(proof())
    x = document["data"]["x"]
    points = np.array([[*map(float, map(Fraction, row)), 1.0] for row in x])
    lengths = np.linalg.norm(points, axis=1)
    p = [Fraction(v) for v in document["dual"]["p"]]
    peaks = Peaks(points / lengths[:, None], cells_of(x).patterns)
    largest = 1 + peaks.largest_excess(np.array([float(1000 * v) for v in p]) * lengths)
    longer = [v * Fraction(1000 * (1 + 1e-6) / largest) for v in p]
    forged = copy.deepcopy(document)
    forged["dual"]["p"] = [str(v) for v in longer]
    assert "does not bound g on its cone" in check_certificate(signed(forged)).reason
    at = tuple(tuple(map(Fraction, (*row, "1"))) for row in x)
    with pytest.raises(UnsolvedError, match="exceeds"):
        cone_dual(at, [2 * v for v in longer], 1.0)
    # proofs of twice the bound say nothing of once
    doubled = cone_dual(at, [2 * v for v in longer], 2.1)
    forged["dual"].update(above=doubled.above, below=doubled.below)
    assert "does not bound g on its cone" in check_certificate(signed(forged)).reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda nodes, cut, leaf: nodes.pop(), "ends after"),
        (lambda nodes, cut, leaf: nodes.append(nodes[leaf]), "cover all directions"),
        (lambda nodes, cut, leaf: nodes.insert(0, [0, 1, 1, 1, 0]), "ends after|does not bound"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 0, 1, 1, 0]), "different rays"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 3, 1, 1, 0]), "different rays"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 1, 0, 1, 0]), "different rays"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 1, 1, -1, 0]), "different rays"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 1, 1, 1, 10_001]), "different rays"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, [0, 1, 1, 1]), "cut"),
        (lambda nodes, cut, leaf: nodes.__setitem__(cut, {"a": 0}), "cut of 5 integers"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(0, [10**12, 10**12, 0]), "more than 1"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(0, [0, 0, 0]), "does not bound"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(0, [0, 0]), "proof"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(0, ["1", 0, 0]), "proof"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(1, [[0, 10**9 + 1]]), "whole m"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(1, [[0, -1]]), "whole m"),
        (lambda nodes, cut, leaf: nodes[leaf].__setitem__(1, [[10, 0]]), "i from 0 to 9"),
    ],
)
@pytest.mark.parametrize("side", ["above", "below"])
def test_what_is_wrong_is_said(side: str, change: Any, reason: str) -> None:
    document = json.loads(proof())
    nodes = document["dual"][side]
    cut = next(k for k, node in enumerate(nodes) if len(node) == 5)
    # a proof of a cone on which g is nearly 1
    leaf = max((k for k, node in enumerate(nodes) if len(node) == 2), key=lambda k: sum(v * v for v in nodes[k][0]))
    change(nodes, cut, leaf)
    outcome = check_certificate(signed(document))
    assert not outcome.valid
    assert any(part in outcome.reason for part in reason.split("|")), outcome.reason


def test_numbers_that_grow_with_every_cut_are_undecided_soon() -> None:
    document = json.loads(proof())
    document["dual"]["above"] = [[0, 1, 999, 997, 10_000], [1, 0, 999, 997, 10_000]] * 5_000
    outcome = check_certificate(signed(document))
    assert not outcome.valid
    assert "undecided" in outcome.reason or "does not bound" in outcome.reason or "ends after" in outcome.reason


def test_a_multiple_of_p_is_shown_by_the_same_cones() -> None:
    """Feasible duals are a star around 0."""
    document = json.loads(proof())
    document["dual"]["p"] = [str(Fraction(v) * Fraction(2, 3)) for v in document["dual"]["p"]]
    assert check_certificate(signed(document)).reason.startswith("claim.lower")
