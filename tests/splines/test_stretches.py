"""Splines of many points, in compiled loops, against ζ on every interval by itself and against fractions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial.legendre import leg2poly
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.splines import smoothing
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.optimality import optimality
from implicitbias.splines.panels import NODES, panels
from implicitbias.splines.piecewise_polynomial import PiecewisePolynomial
from implicitbias.splines.points import Points, points
from implicitbias.splines.smoothing import SmoothingSpline
from implicitbias.splines.solution import by_panels, by_stretches
from implicitbias.splines.stretches import (
    FEWEST_POINTS,
    ROUNDING,
    PiecewiseCurve,
    Stretches,
    _in_powers,
    stretches,
)
from implicitbias.splines.weight import weight

Array = NDArray[np.float64]

WEIGHTS: dict[str, Any] = {
    "constant": "1/3",
    "polynomial": "1+x**2/3",
    "peak": "1/(0.1+x**2)**2",
    "waves": "exp(-x**2)*(1+0.8*sin(3*x))",
    "kink": "exp(-abs(x))",
    "hole": PiecewisePolynomial.of(["-1/2", "1/2"], [[1], [0], [1, 1]]),
    "jump": lambda c: np.where(c < 0.3, 1.0, 5.0),
    "over many orders": "exp(-9*x**2)",
}


def data_of(seed: int, count: int, spacing: str) -> Points:
    """Even, random, or in clusters of close data."""
    rng = np.random.default_rng(seed)
    if spacing == "even":
        x = np.linspace(-2, 2, count)
    elif spacing == "random":
        x = np.sort(rng.uniform(-2, 2, count))
    else:
        centres = rng.uniform(-2, 2, count // 5)
        x = np.unique(np.sort((centres[:, None] + 10.0 ** rng.uniform(-7, -2, (len(centres), 5))).ravel()))
    # straight in the middle, where one of the weights has a hole
    y = np.where(np.abs(x) < 0.6, 1.0, 1.0 + rng.normal(size=len(x)) * (np.abs(x) - 0.6))
    return points(x, y)


def places_of(data: Points, rng: np.random.Generator) -> Array:
    """Inside, at the data, outside; unsorted; with NaN."""
    inside = rng.uniform(data.x[0], data.x[-1], 200)
    places = np.concatenate([inside, data.x, data.x[0] - rng.random(5), data.x[-1] + rng.random(5), [np.nan]])
    return np.asarray(rng.permutation(places))


@given(
    st.sampled_from(sorted(WEIGHTS)),
    st.sampled_from(["even", "random", "clusters"]),
    st.integers(0, 10**6),
    st.integers(150, 600),
)
@settings(max_examples=40, deadline=None)
def test_by_stretches_and_by_panels_is_the_same_spline(name: str, spacing: str, seed: int, count: int) -> None:
    zeta, data = weight(WEIGHTS[name]), data_of(seed, count, spacing)
    found = stretches(zeta, data.x)
    if found is None:
        return
    try:
        slow = by_panels(data, zeta)
    except DataError as refusal:
        with pytest.raises(DataError, match=str(refusal)[:20]):
            by_stretches(data, zeta, found)
        return
    fast = by_stretches(data, zeta, found)
    places = places_of(data, np.random.default_rng(seed))
    assert np.abs(fast.ell - slow.ell).max() <= 1e-10 * np.abs(slow.ell).max()
    for order in (0, 1):
        here, there = fast.curve(places, order), slow.curve(places, order)
        assert np.nanmax(np.abs(here - there)) <= 1e-10 * np.nanmax(np.abs(there))
    assert np.abs(fast.curve(data.x) - data.y).max() <= 1e-14 * np.nanmax(np.abs(slow.curve(places)))
    inside = np.flatnonzero(np.diff(found.offsets))
    assert np.array_equal(fast.curve(data.x)[inside], data.y[inside])
    assert np.isnan(fast.curve(places)).sum() == 1
    assert fast.energy == pytest.approx(slow.energy, rel=1e-9)


@pytest.mark.parametrize("name", sorted(set(WEIGHTS) - {"over many orders"}))
def test_stretches_are_found_for_weights_that_are_smooth_almost_everywhere(name: str) -> None:
    data = data_of(3, 2000, "random")
    found = stretches(weight(WEIGHTS[name]), data.x)
    assert found is not None
    assert (found.rest is None) == (name in ("constant", "polynomial", "peak", "waves"))


def hat_products_in_fractions(found: Stretches) -> tuple[list[list[Fraction]], list[Fraction]]:
    rows = [[Fraction(float(v)) for v in row] for row in found.table]
    return rows, [Fraction(float(b)) - Fraction(float(a)) for a, b in pairwise(found.x)]


def smoothed_in_fractions(data: Points, found: Stretches, penalty: Fraction, weights: Array) -> tuple[Array, Array]:
    """(A + penalty D W⁻¹ Dᵀ) ℓ = D y as it stands, and s = y - penalty W⁻¹ Dᵀ ℓ."""
    (first, mixed, last), width = hat_products_in_fractions(found)
    count = len(width) + 1
    w = [Fraction(float(v)) for v in weights]
    y = [Fraction(float(v)) for v in data.y]
    differences = [
        {j - 1: 1 / width[j - 1], j: -1 / width[j - 1] - 1 / width[j], j + 1: 1 / width[j]} for j in range(1, count - 1)
    ]
    size = count - 2
    system = [[Fraction(0)] * size for _ in range(size)]
    for i, row in enumerate(differences):
        system[i][i] += last[i] + first[i + 1]
        if i + 1 < size:
            system[i][i + 1] += mixed[i + 1]
            system[i + 1][i] += mixed[i + 1]
        for k in range(max(0, i - 2), min(size, i + 3)):
            shared = row.keys() & differences[k].keys()
            system[i][k] += penalty * sum((row[j] * differences[k][j] / w[j] for j in shared), Fraction(0))
    right = [sum((c * y[j] for j, c in row.items()), Fraction(0)) for row in differences]

    def q(value: Fraction) -> fmpq:
        return fmpq(value.numerator, value.denominator)

    solved = fmpq_mat([[q(v) for v in row] for row in system]).solve(fmpq_mat([[q(v)] for v in right]))
    ell = [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(size)]
    pulled = [Fraction(0)] * count
    for bend, row in zip(ell, differences, strict=True):
        for j, c in row.items():
            pulled[j] += c * bend
    values = [v - penalty * pull / heavy for v, pull, heavy in zip(y, pulled, w, strict=True)]
    return np.array([float(v) for v in values]), np.array([0.0, *map(float, ell), 0.0])


@given(
    st.sampled_from(["constant", "peak", "kink"]),
    st.sampled_from(["even", "random", "clusters"]),
    st.integers(-9, 9),
    st.integers(0, 10**6),
)
@settings(max_examples=15, deadline=None)
def test_smoothing_is_what_fractions_make_of_the_same_system(name: str, spacing: str, power: int, seed: int) -> None:
    data = data_of(seed, 40, spacing)
    whole = stretches(weight(WEIGHTS["constant"]), data.x)
    found = stretches(weight(WEIGHTS[name]), data.x) or whole
    assert found is not None
    weights = np.random.default_rng(seed).uniform(0.5, 2, len(data))
    penalty = 10.0**power
    values, ell, _ = smoothing.by_stretches(data, found, penalty, weights)
    exact_values, exact_ell = smoothed_in_fractions(data, found, Fraction(penalty), weights)
    assert np.abs(values - exact_values).max() <= 1e-12 * (1 + np.abs(data.y).max())
    assert np.abs(ell - exact_ell).max() <= 1e-10 * np.abs(exact_ell).max()


@given(st.sampled_from(["constant", "peak", "kink"]), st.integers(-12, 12), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_smoothing_by_stretches_and_by_panels_is_the_same(name: str, power: int, seed: int) -> None:
    data, zeta = data_of(seed, FEWEST_POINTS, "random"), weight(WEIGHTS[name])
    fast = SmoothingSpline(data.x, data.y, WEIGHTS[name], penalty=10.0**power)
    slow, ell, curve = smoothing.by_panels(data, panels(zeta, data.x), 10.0**power, np.ones(len(data)))
    places = np.random.default_rng(seed).uniform(-2.5, 2.5, 300)
    size = 1 + np.abs(data.y).max()
    assert np.abs(fast.values - slow).max() <= 1e-11 * size
    assert np.abs(fast.ell - ell).max() <= 1e-9 * np.abs(ell).max()
    assert np.abs(fast(places) - curve(places)).max() <= 1e-10 * size


def test_a_peak_between_the_nodes_of_a_stretch_is_seen_by_the_probes() -> None:
    x = np.linspace(-2, 2, 3000)

    def spiked(c: Array) -> Array:
        return np.asarray(1 + 50 * np.exp(-(((c - 0.7173) / 2e-3) ** 2)))

    y = np.sin(3 * x)
    s = AdaptiveSpline(x, y, spiked)
    slow = by_panels(points(x, y), weight(spiked))
    assert np.abs(s.ell - slow.ell).max() < 1e-10 * np.abs(slow.ell).max()
    assert s.optimality().holds


@pytest.mark.parametrize("name", ["constant", "peak", "kink", "jump"])
def test_the_certificate_is_made_by_panels_and_sees_what_is_changed(name: str) -> None:
    x = np.sort(np.random.default_rng(0).uniform(-2, 2, FEWEST_POINTS))
    found = AdaptiveSpline(x, np.sin(3 * x), WEIGHTS[name], exact=False)._solution
    assert isinstance(found.curve, PiecewiseCurve)
    assert optimality(found).holds
    wrong = found.ell.copy()
    wrong[250] *= 1 + 1e-6
    table = found.curve.zeta.table * (1 + 1e-9)
    polynomials = found.curve.zeta.polynomials * (1 + 1e-9)
    for broken in (
        replace(found, ell=wrong),
        replace(found, curve=replace(found.curve, ell=wrong)),
        replace(found, leaving=found.leaving * (1 + 1e-9)),
        by_stretches(found.data, found.zeta, replace(found.curve.zeta, table=table)),
        replace(found, curve=replace(found.curve, zeta=replace(found.curve.zeta, polynomials=polynomials))),
    ):
        assert not optimality(broken).holds


@pytest.mark.parametrize(
    ("zeta", "words"),
    [
        ("x", "at least 0"),
        ("1/x", "at least 0"),
        (lambda c: np.where(np.abs(c - 0.7) < 1e-3, -1.0, 1.0), "at least 0"),
        (lambda c: np.where(np.abs(c - 0.7) < 1e-3, np.nan, 1.0), "finite"),
        (lambda c: np.where(np.abs(c) < 1, 1.0, 0.0), "lie on no line"),
    ],
)
def test_bad_weights_are_refused_among_many_points_too(zeta: str | Callable[[Array], Array], words: str) -> None:
    x = np.linspace(-2, 2, 5001)
    with pytest.raises(DataError, match=words):
        AdaptiveSpline(x, np.sin(3 * x), zeta)


def test_series_are_written_in_powers_without_what_is_rounding() -> None:
    """As numpy writes them; their last terms are dropped as far as they are rounding together."""
    rng = np.random.default_rng(3)
    whole = rng.normal(size=(5, NODES)) + 10 * np.eye(NODES)[0]
    cut = whole.copy()
    for dropped, row in enumerate(cut):
        row[NODES - dropped :] = 0.0
    rounding = cut.copy()
    for dropped, row in enumerate(rounding):
        row[NODES - dropped :] = 0.9 * ROUNDING * row[0] / max(dropped, 1) * (-1) ** np.arange(dropped)
    found = _in_powers(rounding)
    expected = [np.pad(leg2poly(row), (0, NODES))[:NODES] for row in cut]
    assert found == pytest.approx(np.array(expected), rel=1e-12, abs=1e-11)
    assert np.array_equal(found, _in_powers(cut))
    kept = cut.copy()
    kept[1:, -1] = 1.1 * ROUNDING * kept[1:, 0]
    assert (_in_powers(kept)[1:, -1] != 0).all()
    kept[:, -2:] = 0.6 * ROUNDING * kept[:, :1]
    assert (_in_powers(kept)[:, -2] != 0).all(), "two terms that are more than rounding together"
    assert not _in_powers(kept)[:, -1].any()
