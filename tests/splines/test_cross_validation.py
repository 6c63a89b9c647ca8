"""Generalised cross-validation: its trace against the map itself, its choice against scipy's, repeated data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline

from implicitbias.errors import DataError
from implicitbias.splines.cross_validation import GeneralisedCrossValidation
from implicitbias.splines.smoothing import SmoothingSpline

DRAW = np.random.default_rng(0)
X = np.sort(DRAW.uniform(0, 3, 60))
Y = np.sin(3 * X) + 0.2 * DRAW.normal(size=60)


@pytest.mark.parametrize("zeta", [1, "1/(0.1+x**2)"])
@pytest.mark.parametrize("penalty", [1e-6, 1e-2, 10.0])
def test_the_trace_is_that_of_the_map_from_data_to_values(zeta: object, penalty: float) -> None:
    w = DRAW.integers(1, 4, len(X)).astype(float)
    columns = [SmoothingSpline(X, e, zeta, penalty=penalty, weights=w).values for e in np.eye(len(X))]
    found = GeneralisedCrossValidation(X, Y, zeta, weights=w)
    assert found.freedom_left(penalty) == pytest.approx(len(X) - np.trace(np.array(columns)), rel=1e-9)
    missed = Y - SmoothingSpline(X, Y, zeta, penalty=penalty, weights=w).values
    assert found(penalty) == pytest.approx(len(X) * (w @ missed**2) / found.freedom_left(penalty) ** 2, rel=1e-9)


def test_with_constant_weight_the_choice_is_scipys() -> None:
    chosen = GeneralisedCrossValidation(X, Y).best
    ours = SmoothingSpline(X, Y, penalty=chosen)
    assert ours(X) == pytest.approx(make_smoothing_spline(X, Y)(X), abs=2e-4)
    assert GeneralisedCrossValidation(X, Y)(chosen) <= min(
        GeneralisedCrossValidation(X, Y)(chosen * factor) for factor in (0.5, 0.9, 1.1, 2.0)
    )


def test_random_signs_estimate_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = GeneralisedCrossValidation(X, Y).freedom_left(0.01)
    monkeypatch.setattr("implicitbias.splines.cross_validation.EXACT", 59)
    assert GeneralisedCrossValidation(X, Y).freedom_left(0.01) == pytest.approx(exact, rel=0.03)


def test_data_that_share_a_place_count_as_many() -> None:
    w = np.array([1.0, 3, 2, 1, 1, 4])
    x, y = np.arange(6.0), np.array([0.0, 1, 0.5, 2, 1, 3])
    spread = 0.7
    grouped = GeneralisedCrossValidation(x, y, weights=w, within=spread)
    penalty = 0.3
    spline = SmoothingSpline(x, y, penalty=penalty, weights=w)
    columns = [SmoothingSpline(x, e, penalty=penalty, weights=w).values for e in np.eye(6)]
    left = w.sum() - np.trace(np.array(columns))
    wanted = w.sum() * (spread + w @ (y - spline.values) ** 2) / left**2
    assert grouped(penalty) == pytest.approx(wanted, rel=1e-9)


def test_too_few_data_are_told_of() -> None:
    with pytest.raises(DataError, match="four data"):
        GeneralisedCrossValidation([0, 1, 2], [0, 1, 0])


def test_data_on_a_line_have_any_penalty() -> None:
    assert GeneralisedCrossValidation([0, 1, 2, 4], [1, 2, 3, 5]).best > 0
