"""Functions of one input with a penalty and a shape: both bounds, against a general solver and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.convex.penalised.fit import penalised_function
from implicitbias.convex.variation.descent import descended
from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.errors import DataError
from implicitbias.functions.representation_cost import representation_cost

SHAPES = list(product((None, "increasing", "decreasing"), (None, "convex", "concave")))


def by_cvxpy(x: np.ndarray, y: np.ndarray, penalty: float, network: bool, monotone: str | None, curved: str | None):
    f = cp.Variable(len(x))
    slopes = cp.multiply(1 / np.diff(x), cp.diff(f))
    bends = cp.diff(slopes)
    cost = cp.norm1(bends)
    if network:
        cost = cp.maximum(cost, 0.5 * (cost + cp.abs(slopes[0] + slopes[-1])))
    rules = {"increasing": slopes >= 0, "decreasing": slopes <= 0, "convex": bends >= 0, "concave": bends <= 0}
    asked = [rules[word] for word in (monotone, curved) if word]
    problem = cp.Problem(cp.Minimize(cp.sum_squares(f - y) / len(x) + penalty * cost), asked)
    return problem.solve(solver=cp.CLARABEL)


@pytest.mark.parametrize(("monotone", "curved"), SHAPES)
@pytest.mark.parametrize("network", [True, False])
def test_the_optimum_is_enclosed_and_the_shape_is_exact(
    network: bool, monotone: str | None, curved: str | None
) -> None:
    draw = np.random.default_rng(3)
    x = np.sort(draw.normal(size=14)) * 7 + 3
    y = 5 * np.sin(x) + x + 20
    found = penalised_function(x, y, Fraction(1, 3), network=network, monotone=monotone, curved=curved)
    assert found.lower <= found.upper <= found.lower * (1 + 1e-9)
    assert by_cvxpy(x, y, 1 / 3, network, monotone, curved) == pytest.approx(found.upper, rel=1e-6)
    slopes = found.function.slopes
    signs = {"increasing": 1, "decreasing": -1, "convex": 1, "concave": -1, None: 0}
    assert all(signs[monotone] * slope >= 0 for slope in slopes)
    assert all(signs[curved] * (after - before) >= 0 for before, after in pairwise(slopes))
    if network:
        assert representation_cost(found.function) == found.cost


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-30, 30), st.integers(-30, 30), st.integers(1, 4)), min_size=1, max_size=8),
    st.sampled_from([Fraction(1, 50), Fraction(1), Fraction(20)]),
    st.booleans(),
    st.sampled_from(SHAPES),
)
def test_no_values_that_anybody_takes_are_below_the_lower_bound(data, penalty, network, shape) -> None:
    rows = {x: (y, w) for x, y, w in data}
    x = sorted(rows)
    y, w = ([rows[place][k] for place in x] for k in (0, 1))
    found = penalised_function(x, y, penalty, weights=w, network=network, monotone=shape[0], curved=shape[1])
    assert found.lower <= found.upper * (1 + 1e-12) + 1e-300
    mean = Fraction(sum(a * b for a, b in zip(w, y, strict=True)), sum(w))
    constant = sum(a * (b - mean) ** 2 for a, b in zip(w, y, strict=True)) / sum(w)
    assert found.lower <= float(constant) * (1 + 1e-12)
    if shape == (None, None) and len(x) > 1:
        from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

        through = min_norm_interpolant(x, y)
        met = penalty * (through.cost if network else through.interior_variation)
        assert found.lower <= float(met) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("given", "word"),
    [({"penalty": 0}, "positive"), ({"weights": [1, 0]}, "weights"), ({"monotone": "up"}, "'increasing'")],
)
def test_what_cannot_be_fitted_is_refused(given, word: str) -> None:
    with pytest.raises(DataError, match=word):
        penalised_function([0, 1], [0, 1], **{"penalty": 1, **given})


@pytest.mark.parametrize(("n", "d", "penalty"), [(8, 1, 0.1), (10, 2, 0.1)])
def test_descent_comes_near_the_certified_optimum(n: int, d: int, penalty: float) -> None:
    draw = np.random.default_rng(n)
    X, y = draw.normal(size=(n, d)), draw.normal(size=n)
    found, best = descended(X, y, penalty), penalised_fit(X.tolist(), y.tolist(), penalty)
    assert float(best.lower) * (1 - 1e-9) <= found.objective <= float(best.upper) * 1.02
    missed = ((found(X) - y) ** 2).mean()
    assert missed + penalty * found.variation == pytest.approx(found.objective)
