"""Bounds without lists of cells, against the lists."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.cells.arrangement import cells_of
from implicitbias.convex.variation.directions import bounded_on_sphere
from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.variation.many_cells import bounded_fit
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.penalised import largest_penalty_square, penalised_fit
from implicitbias.convex.variation.through import bounded_interpolant
from implicitbias.errors import CertificateError, DataError, UnsolvedError


def lifted(seed: int, n: int, d: int) -> tuple[list[list[str]], NDArray[np.float64]]:
    x = np.random.default_rng(seed).normal(size=(n, d)).round(3)
    return [[str(v) for v in row] for row in x], np.column_stack([x, np.ones(n)])


@pytest.mark.parametrize(("n", "d"), [(4, 1), (12, 1), (10, 2), (20, 2), (9, 3)])
def test_the_bound_over_directions_is_the_maximum_over_cells(n: int, d: int) -> None:
    x, points = lifted(n, n, d)
    lengths = np.linalg.norm(points, axis=1)
    peaks = Peaks(points / lengths[:, None], cells_of(x).patterns)
    p = np.random.default_rng(d).normal(size=n)
    p /= 1 + peaks.largest_excess(p * lengths * 1e3) if n == 4 else 1.0
    largest = 1e-6 * (1 + peaks.largest_excess(1e6 * p * lengths))
    found = bounded_on_sphere(points, p, largest * (1 + 1e-6))
    assert found.witness is None
    assert largest * (1 - 1e-12) <= found.largest <= largest * (1 + 1e-6)
    below = bounded_on_sphere(points, p, largest * (1 - 1e-3))
    assert below.witness is not None
    theta = below.witness / np.linalg.norm(below.witness)
    assert abs(np.maximum(points @ theta, 0) @ p) > largest * (1 - 1e-3)


def test_directions_never_exceed_the_bound() -> None:
    _, points = lifted(5, 30, 3)
    p = np.random.default_rng(1).normal(size=30) / 30
    goal = 0.5
    while (found := bounded_on_sphere(points, p, goal)).witness is not None:
        goal *= 1.2
    theta = np.random.default_rng(2).normal(size=(50_000, 4))
    theta /= np.linalg.norm(theta, axis=1)[:, None]
    assert np.abs(np.maximum(theta @ points.T, 0) @ p).max() <= found.largest <= goal


@pytest.mark.parametrize(("n", "d", "penalty"), [(8, 1, "0.05"), (15, 2, "0.01"), (20, 2, "0.1"), (9, 3, "0.02")])
def test_fits_without_cells_are_those_with_cells(n: int, d: int, penalty: str) -> None:
    x, points = lifted(n + 1, n, d)
    y = [str(v) for v in np.sin(2 * points[:, 0]).round(3)]
    fast, slow = bounded_fit(x, y, penalty), penalised_fit(x, y, penalty)
    assert 0 <= fast.gap < 1e-5
    assert fast.lower <= slow.upper
    assert slow.lower <= fast.upper
    assert float(fast.upper) == pytest.approx(float(slow.upper), rel=1e-5)


@pytest.mark.parametrize(("n", "d"), [(2, 2), (12, 2), (20, 2), (9, 3)])
def test_bounds_through_data_hold_those_from_all_cells(n: int, d: int) -> None:
    x, points = lifted(n + 2, n, d)
    y = [str(v) for v in np.sin(3 * points[:, 0]).round(3)]
    slow = tv_interpolant(x, y)
    fast = bounded_interpolant(x, y, np.eye(d + 1), float(slow.upper))
    assert 0 <= fast.lower <= slow.upper
    assert slow.lower <= fast.upper
    assert float(fast.lower) > 0.99 * float(slow.lower)
    assert float(fast.upper) < 1.02 * float(slow.upper)
    values = [sum(unit(point) for unit in fast.units) for point in fast.points]
    assert values == list(fast.y)


def test_constants_and_zero_are_bounded_too() -> None:
    x, _ = lifted(1, 30, 3)
    assert bounded_interpolant(x, [0] * 30, np.eye(4), 1.0).upper == 0
    found = bounded_interpolant(x, [2] * 30, np.eye(4), 2.0)
    assert 1.99 < found.lower <= found.upper < 2.001  # [b]_+ with b = 1 costs 1


def test_more_points_than_cells_can_be_listed_for() -> None:
    x, points = lifted(3, 70, 3)
    y = [str(v) for v in np.abs(points[:, 0]).round(3)]
    with pytest.raises(DataError, match="cells"):
        penalised_fit(x, y, "0.05")
    found = bounded_fit(x, y, "0.05", 1e-4)
    assert 0 < found.lower <= found.upper
    assert found.gap < Fraction(1, 1000)


def test_too_few_cones_and_bad_penalties_are_said() -> None:
    _, points = lifted(3, 20, 3)
    with pytest.raises(UnsolvedError, match="cones"):
        bounded_on_sphere(points, np.where(np.arange(20) % 2, 1.0, -1.0), 2.0**20 * 1e-9 + 12.0, most=20)
    with pytest.raises(DataError, match="25 inputs are too many"):
        bounded_fit(np.eye(25).tolist(), [1] * 25, 1)
    with pytest.raises(DataError, match="positive"):
        bounded_fit([[0]], [1], 0)
    with pytest.raises(DataError, match="repeat"):
        bounded_fit([[0], [0]], [1, 1], 1)


@pytest.mark.parametrize("labels", ["zeros", "constant", "one", "large", "small"])
@pytest.mark.parametrize("penalty", [None, "0.01", "1000000"])
def test_certificates_hold_the_bounds_that_are_said(labels: str, penalty: str | None) -> None:
    x, points = lifted(6, 14, 2)
    wave = np.sin(3 * points[:, 0]).round(3)
    y = {
        "zeros": ["0"] * 14,
        "constant": ["2"] * 14,
        "one": ["1"] + ["0"] * 13,
        "large": [f"{v}e6" for v in wave],
        "small": [f"{v}e-40" for v in wave],
    }[labels]
    found = bounded_interpolant(x, y) if penalty is None else bounded_fit(x, y, penalty, 1e-3)
    document = found.certificate()
    lower, upper = (Fraction(document["claim"][name]) for name in ("lower", "upper"))
    assert found.lower <= lower * (1 + Fraction(1, 10**18)), "claims have 20 digits or so"
    assert lower <= found.upper <= upper <= found.upper * (1 + Fraction(1, 10**18))
    outcome = check_certificate(document)
    assert outcome.valid, outcome.reason


@pytest.mark.parametrize("penalty", ["0.01", "1000000"])
def test_penalties_that_are_nothing_beside_the_labels_are_refused(penalty: str) -> None:
    x, points = lifted(6, 14, 2)
    y = [f"{v}e40" for v in np.sin(3 * points[:, 0]).round(3)]
    with pytest.raises((UnsolvedError, CertificateError), match="bring"):
        bounded_fit(x, y, penalty, 1e-3).certificate()


def test_from_the_largest_penalty_on_nothing_is_fitted() -> None:
    x, points = lifted(8, 20, 2)
    y = [str(v) for v in np.sin(3 * points[:, 0]).round(3)]
    square = largest_penalty_square(x, y)
    below, above = (bounded_fit(x, y, Fraction(float(square) ** 0.5 * share)) for share in (0.9, 1.1))
    assert below.strong_units()
    assert not above.strong_units()
    assert above.upper == sum(Fraction(v) ** 2 for v in y) / 20
    assert max(below.gap, above.gap) < Fraction(1, 10**5)
