"""(48) and (49): the gradient of parallel networks, their optimum, and the least value over two slopes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.theory.observed.cheapest.one_input_49 import Sides, least_value, sides
from implicitbias.theory.observed.training.parallel_runs import least_objective, objective, start


@pytest.mark.parametrize("depth", [3, 4, 6])
def test_the_gradient_is_that_of_the_objective(depth: int) -> None:
    size = 3, depth, 2
    x, y = np.array([-1.0, 0.5, 2.0]), np.array([1.0, -2.0, 0.3])
    at = start(np.random.default_rng(depth), *size)
    slope, step = objective(at, *size, x, y, 0.3)[1], 1e-6
    for i in range(at.size):
        moved = np.eye(at.size)[i] * step
        above, below = (objective(at + s * moved, *size, x, y, 0.3)[0] for s in (1, -1))
        assert slope[i] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-6)


def test_the_objective_is_the_loss_and_the_mean_of_the_layers() -> None:
    """One sub-network of three layers with the weights 2, 3 and 5: f = 30[x]₊."""
    value, _ = objective(np.array([2.0, 3.0, 5.0]), 1, 3, 1, np.array([-1.0, 1.0]), np.array([2.0, 29.0]), 0.5)
    assert value == pytest.approx(4 + 1 + 0.5 * (4 + 9 + 25) / 3)


def test_the_loss_of_data_by_the_slopes_of_both_sides() -> None:
    x, y = [Fraction(v) for v in (-2, -1, 1, 3)], [Fraction(v) for v in (1, 2, -1, 4)]
    of = sides(x, y)
    for p, q in ((0.0, 0.0), (1.5, -0.25), (-2.0, 3.0)):
        loss = sum(((p * a if a > 0 else -q * a) - b) ** 2 for a, b in zip(x, y, strict=True))
        assert of.rest + of.right * (p - of.p) ** 2 + of.left * (q - of.q) ** 2 == pytest.approx(float(loss))


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    ("of", "lam", "depth"),
    [
        (Sides(0.5, 1.0, 2.0, 1.0, 0.7), 0.4, 3),
        (Sides(0.0, 1.0, 0.5, -1.0, -2.0), 1.0, 4),
        (Sides(0.1, 3.0, 1.0, 1.0, -0.4), 0.5, 5),
        (Sides(0.0, 1.0, 1.0, 1.0, 1.0), 9.0, 3),
    ],
)
def test_no_pair_of_slopes_on_a_grid_is_better(of: Sides, lam: float, depth: int, shared: bool) -> None:
    low, high = least_value(of, lam, depth, shared=shared)
    assert 0 <= high - low <= 1e-9 * high
    p, q = np.meshgrid(np.linspace(-2.2, 2.2, 1101), np.linspace(-2.2, 2.2, 1101))
    power = 2 / depth
    if shared:
        penalty = sum((np.maximum(s * p, 0) + np.maximum(s * q, 0)) ** power for s in (1, -1))
    else:
        penalty = np.abs(p) ** power + np.abs(q) ** power
    grid = of.rest + of.right * (p - of.p) ** 2 + of.left * (q - of.q) ** 2 + lam * penalty
    assert low <= grid.min() <= high + 1e-3


def test_a_network_reaches_the_least_value() -> None:
    """One label on each side, 1 and -1, at L = 3: two sub-networks, a third of the starts or more."""
    x, y = [-1.0, 1.0], [-1.0, 2.0]
    low, high = least_value(sides([Fraction(-1), Fraction(1)], [Fraction(-1), Fraction(2)]), 0.5, 3)
    runs = [least_objective(x, y, 0.5, depth=3, count=6, width=3, seed=seed) for seed in range(8)]
    best, norms = min(runs)
    assert low * (1 - 1e-9) <= best <= high * (1 + 1e-7)
    active = [layers for layers in norms if min(layers) > 1e-3]
    assert len(active) == 2, "one sub-network for each side"
    for layers in active:
        assert max(layers) - min(layers) < 1e-4 * max(layers), "the layers of an optimum have equal norms"
