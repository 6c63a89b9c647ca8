"""The compiled L-BFGS and Adam take the steps of scipy's L-BFGS-B and of a few lines of numpy."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

from implicitbias.training.regularised.adam import RATE, adam
from implicitbias.training.regularised.layered_loss import value_and_gradient
from implicitbias.training.regularised.quasi_newton import minimise

X = np.linspace(-2, 2, 9)
Y = np.abs(X) - 0.3 * X**2 + 0.1
LAM = 1e-3


def a_network(hidden: list[int], seed: int) -> tuple[Any, Any]:
    sizes = np.array([1, *hidden, 1])
    count = int((sizes[:-1] * sizes[1:] + sizes[1:]).sum())
    return np.random.default_rng(seed).normal(0, 0.5, count), sizes


def scipys(start: Any, sizes: Any, iterations: int, memory: int, penalty: float) -> tuple[Any, int, int]:
    options = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": memory, "ftol": 1e-16, "gtol": 1e-13}
    run: Any = optimize.minimize
    found = run(
        lambda at: value_and_gradient(at, sizes, X, Y, LAM, penalty),
        start,
        jac=True,
        method="L-BFGS-B",
        options=options,
    )
    return found.x, found.nfev, found.nit


@pytest.mark.parametrize("hidden", [[3], [10], [6, 5], [4, 4, 4]])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("memory", [3, 30])
def test_its_first_iterates_are_those_of_scipy(hidden: list[int], penalty: float, memory: int) -> None:
    """Later ones are not: rounding grows where kinks cross data."""
    for seed in range(5):
        start, sizes = a_network(hidden, seed)
        for iterations in (1, 2, 5, 12):
            wanted, evaluations, _ = scipys(start, sizes, iterations, memory, penalty)
            found = start.copy()
            count = minimise(found, sizes, X, Y, LAM, penalty, memory, iterations, 2 * iterations, 1e-16, 1e-13)
            assert 0 <= count - evaluations <= 1  # scipy does not count a point that is evaluated again
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-10)


def test_it_ends_where_nothing_is_gained_any_more_as_low_as_scipy() -> None:
    lower = []
    for seed in range(30):
        start, sizes = a_network([8], seed)
        wanted, _, _ = scipys(start, sizes, 3000, 30, 0.0)
        found = start.copy()
        minimise(found, sizes, X, Y, LAM, 0.0, 30, 3000, 6000, 1e-16, 1e-13)
        mine, theirs = (value_and_gradient(at, sizes, X, Y, LAM, 0.0)[0] for at in (found, wanted))
        lower.append(mine <= theirs * (1 + 1e-3))
    assert np.mean(lower) >= 0.4


def test_a_gradient_below_the_bound_ends_it_at_once() -> None:
    start, sizes = a_network([3], 0)
    found = start.copy()
    assert minimise(found, sizes, X, Y, LAM, 0.0, 30, 100, 200, 1e-16, 1e9) == 1
    assert (found == start).all()


def test_adam_is_adam() -> None:
    flat, sizes = a_network([6, 5], 1)
    found = flat.copy()
    adam(found, sizes, X, Y, LAM, 1.0, 200)
    mean, square = np.zeros_like(flat), np.zeros_like(flat)
    for i in range(1, 201):
        slope = value_and_gradient(flat, sizes, X, Y, LAM, 1.0)[1]
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = RATE * (1 + np.cos(np.pi * i / 200)) / 2
        flat = flat - rate * (mean / (1 - 0.9**i)) / (np.sqrt(square / (1 - 0.999**i)) + 1e-8)
    np.testing.assert_allclose(found, flat, rtol=1e-9, atol=1e-12)
