"""Steps of problem (10) in balls: the bounds that doubles find where they suffice, and close ones where they do not."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.margin.arithmetic import BITS, Balls, Doubles, Programme
from implicitbias.convex.margin.bounds import Grid, feasible_multipliers, feasible_ramps
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.margin.inner_start import started
from implicitbias.convex.margin.refined import refine

Data = tuple[list[Fraction], list[int]]


def with_neighbours(seed: int, size: int, k: int, gap: Fraction) -> Data:
    """Points of which every third has another so near, with labels at random."""
    rng = random.Random(seed)
    x = sorted(Fraction(v, 1000) for v in rng.sample(range(-1000, 1000), size))
    x = sorted({*x, *(at + gap for at in x[::3])})
    return x, [rng.randrange(k) for _ in x]


def matter(x: list[Fraction], labels: list[int]) -> Data:
    """The points that differ in label from a neighbour."""
    n = len(x)
    kept = [i for i in range(n) if labels[max(i - 1, 0)] != labels[i] or labels[min(i + 1, n - 1)] != labels[i]]
    return [x[i] for i in kept], [labels[i] for i in kept]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("copies", [1, 4])
def test_doubles_and_balls_come_to_the_same_optimum(seed: int, copies: int) -> None:
    x, labels = matter(*with_neighbours(seed, 8, 3, Fraction(1, 10**4)))
    kinks = (x[0], x[-1])
    middle, half = (x[0] + x[-1]) / 2, (x[-1] - x[0]) / 2
    k = 3 if copies == 1 else 4  # the last class then has no points
    inner = [(at - middle) / half for at in x]
    start = started(inner, np.array(labels), k, (Fraction(-1), Fraction(1)), copies).in_units(float(half))
    grid, bounds = Grid.of(x, kinks), []
    places = [*((1, c) for c in (x[0], *x[1:-1])), *((-1, c) for c in (*x[1:-1], x[-1]))]
    classes = k - 1 + copies
    for numbers in (Doubles(), Balls()):
        found = refine(grid, labels, k, start, copies, numbers)
        assert found is not None
        spread = [[*row[:-1], *[row[-1]] * copies] for row in found.weights]
        shared = [[*row[:-1], *[row[-1] / copies] * copies] for row in found.beta]
        ramps = [(side, c, row) for (side, c), row in zip(places, spread, strict=True)]
        above = feasible_ramps(grid, labels, classes, ramps)
        beta = {(i, j): v for i, row in enumerate(shared) for j, v in enumerate(row) if v > 0}
        below = feasible_multipliers(grid, labels, classes, beta)
        assert above is not None
        assert below is not None
        assert 0 <= 1 - below.lower / above.upper < 1e-9
        bounds.append((below.lower, above.upper))
    assert max(low for low, _ in bounds) <= min(high for _, high in bounds)


@pytest.mark.parametrize(("digits", "k"), [(8, 4), (10, 3), (12, 3), (15, 3), (17, 4)])
def test_bounds_are_close_however_near_points_are(digits: int, k: int) -> None:
    x, labels = with_neighbours(digits, 10, k, Fraction(1, 10**digits))
    found = max_margin(x, labels, range(k))
    assert 0 <= found.gap < 1e-8
    outcome = check_certificate(found.certificate())
    assert outcome.valid, outcome.reason
    # f_l - f_l' changes by no more than √2 V|x - x'|, and by 2 between two labels
    nearest = min(b - a for a, b, p, q in zip(x, x[1:], labels, labels[1:], strict=False) if p != q)
    assert float(found.upper * nearest) >= 2**0.5 * (1 - 1e-12)


def test_where_doubles_end_with_bounds_apart_balls_close_them(monkeypatch: pytest.MonkeyPatch) -> None:
    x, labels = with_neighbours(10, 10, 3, Fraction(1, 10**10))
    assert max_margin(x, labels, range(3)).gap < 1e-8
    monkeypatch.setattr(Balls, "most", 0)
    assert max_margin(x, labels, range(3)).gap > 1e-7


@pytest.mark.parametrize("numbers", [Doubles(), Balls()])
def test_integers_are_the_numbers_that_they_came_from(numbers: Doubles | Balls) -> None:
    values = [3 << BITS, -(5 << (BITS - 7)), 0, 1 << 60]
    with numbers.at_work():
        assert numbers.integers(numbers.one(values, 1 << BITS)) == values


@pytest.mark.parametrize("m", [2, 3, 4, 9])
@pytest.mark.parametrize(("k", "copies"), [(3, 1), (3, 4), (5, 1)])
@pytest.mark.parametrize("inside", [0, 1])
def test_the_system_of_a_step_is_solved(m: int, k: int, copies: int, inside: int) -> None:
    """Against its dense matrix; point by point as well as at once, with kinks from the data on or from further away."""
    rng = np.random.default_rng(m + k)
    x = sorted(random.Random(m).sample(range(100), m))
    grid = Grid(tuple(x), x[0] - 7 * inside, x[-1] + 3 * inside, 30)
    programme = Programme(grid, [int(v) for v in rng.integers(0, k, m)], k, copies)
    root = np.ones(k)
    root[-1] = np.sqrt(copies)
    ramps, margins = len(programme.kinks), len(programme.point)
    p, eta, ratio = rng.normal(size=(ramps, k)), rng.uniform(1, 2, ramps), rng.uniform(1, 2, margins)
    p -= (p @ root / (root @ root))[:, None] * root  # as w and g are
    residual = rng.normal(size=margins)
    heights = np.array([[max(s * (at - c), 0) / grid.scale for at in x] for s, c in programme.kinks])
    units = (np.eye(k)[programme.own] - np.eye(k)[programme.rival]) / root
    functions = heights[:, programme.point][:, None, :] * units.T  # (U, k, N): g_u is linear in β
    b = (p[:, :, None] * functions).sum(axis=1)
    h = (eta[:, None, None, None] * functions[:, :, :, None] * functions[:, :, None, :]).sum(axis=(0, 1))
    expected = np.linalg.solve(h + b.T @ (2 * eta[:, None] * b) + np.diag(ratio), residual)
    for numbers in (Doubles(), Balls()):

        def made(values: np.ndarray, numbers: Doubles | Balls = numbers) -> np.ndarray:
            rows = [numbers.one([int(v * 2**80) for v in row], 2**80) for row in np.atleast_2d(values)]
            return np.array(rows).reshape(values.shape)

        with numbers.at_work():
            beta, along = numbers.systems(programme)(made(p / root), made(eta), made(ratio))(made(residual))
            assert beta.astype(float) == pytest.approx(expected, rel=1e-9, abs=1e-11)
            assert along.astype(float) == pytest.approx(2 * eta * (b @ expected), rel=1e-9, abs=1e-11)


def test_too_few_digits_become_more() -> None:
    x, labels = matter(*with_neighbours(12, 10, 3, Fraction(1, 10**12)))
    middle, half = (x[0] + x[-1]) / 2, (x[-1] - x[0]) / 2
    inner = [(at - middle) / half for at in x]
    start = started(inner, np.array(labels), 3, (Fraction(-1), Fraction(1))).in_units(float(half))
    grid = Grid.of(x, (x[0], x[-1]))
    few, many = (refine(grid, labels, 3, start, 1, Balls(bits)) for bits in (32, 1024))
    assert few is not None
    assert many is not None
    assert float(sum(map(sum, few.beta))) == pytest.approx(float(sum(map(sum, many.beta))), rel=1e-9)
