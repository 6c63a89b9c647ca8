"""The kernel and the flow: what they tend to, against formulas and against each other."""

from dataclasses import replace

import numpy as np
import pytest

from implicitbias.training import InfiniteWidth, TwoLayer, anti_symmetric, ntk, standard, tangent_kernel, train

X, Y = np.arange(-2.0, 3.0), np.array([1.5, 0.5, 1.5, 0.5, 1.5])
GRID = np.linspace(-2.5, 2.5, 101)


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng([n, seed])
    return rng.uniform(-1, 1, n), rng.uniform(-2, 2, n), rng.uniform(-1, 1, n)


def uniform_kernel(x: np.ndarray, other: np.ndarray) -> np.ndarray:
    """E[[Wx+B]_+ [Wx'+B]_+] for W ~ U(-1, 1), B ~ U(-2, 2) and |x|, |x'| <= 2, by a double integral done by hand."""
    low, high, gap = np.minimum(x, other) + 2, 2 - np.maximum(x, other), np.abs(x - other)
    cubes = low**3 / 3 + gap * low**2 / 2 + high**3 / 3 + gap * high**2 / 2
    return cubes / 32 + x * other / 24 + 0.5


def numeric_jacobian(f: TwoLayer, x: np.ndarray) -> np.ndarray:
    h, rows = 1e-6, []
    for name in "wbvc":
        array = np.atleast_1d(getattr(f, name))
        for i in range(array.size):
            ends = []
            for sign in (1, -1):
                moved = array.copy()
                moved.flat[i] += sign * h
                values = {n: getattr(f, n) for n in "wbvc"} | {name: moved.reshape(np.shape(getattr(f, name)))}
                ends.append(replace(f, **values)(x))
            rows.append((ends[0] - ends[1]) / (2 * h))
    return np.array(rows).T


def test_the_tangent_kernel_is_the_product_of_numeric_derivatives() -> None:
    f = standard(*sample(12))
    x = np.array([-1.3, 0.21, 0.9])
    jacobian = numeric_jacobian(f, x)
    np.testing.assert_allclose(tangent_kernel(f, x), jacobian @ jacobian.T, atol=1e-8)
    blocks = sum(tangent_kernel(f, x, groups=g) for g in "wbvc")
    np.testing.assert_allclose(blocks, tangent_kernel(f, x), rtol=1e-14)
    assert np.allclose(tangent_kernel(f, x, GRID)[:, 7], tangent_kernel(f, x, GRID[7:8])[:, 0])


def test_the_tangent_kernel_takes_vector_inputs() -> None:
    rng = np.random.default_rng(1)
    f = TwoLayer(rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=6))
    x = rng.normal(size=(4, 2))
    jacobian = numeric_jacobian(f, x)
    np.testing.assert_allclose(tangent_kernel(f, x), jacobian @ jacobian.T, atol=1e-8)


def test_the_kernel_of_a_doubled_network_is_its_own() -> None:
    for make in (standard, ntk):
        f = make(*sample(30))
        np.testing.assert_allclose(tangent_kernel(anti_symmetric(f), X), tangent_kernel(f, X), rtol=1e-13)
        np.testing.assert_allclose(anti_symmetric(f)(GRID), 0.0, atol=1e-14)


def test_the_limit_of_linear_training_is_the_kernel_interpolant() -> None:
    f = standard(*sample(200))
    done = train(f, X, Y, engine="kernel")
    matrix = tangent_kernel(f, X)
    wanted = f(GRID) + tangent_kernel(f, GRID, X) @ np.linalg.solve(matrix, Y - f(X))
    np.testing.assert_allclose(done(GRID), wanted, rtol=1e-9)
    assert done.final_loss == 0
    assert done.final.parameters.w.shape == (200,)


def test_a_linearised_network_is_its_taylor_expansion() -> None:
    f = standard(*sample(40))
    done = train(f, X, Y, engine="kernel", steps=5)
    start, (w, b, v, c) = done.final.start, done.final.displacement
    z = np.outer(GRID, f.w) + f.b
    wanted = start(GRID) + ((z > 0) * (np.outer(GRID, w) + b)) @ f.v + np.maximum(z, 0) @ v + c
    np.testing.assert_allclose(done(GRID), wanted, rtol=1e-12)


def test_linear_steps_are_the_powers_of_the_contraction() -> None:
    f = standard(*sample(20))
    matrix, step = tangent_kernel(f, X), 1.7 / np.linalg.eigvalsh(tangent_kernel(f, X))[-1]
    residual = Y - f(X)
    done = train(f, X, Y, engine="kernel", step=step, steps=7, record=1)
    for loss in done.losses:
        np.testing.assert_allclose(loss, 0.5 * residual @ residual, rtol=1e-10)
        residual = residual - step * matrix @ residual
    beyond = train(f, X, Y, engine="kernel", step=1.2 * step, steps=400)
    assert beyond.reason == "diverged"


def test_infinite_width_interpolates_with_the_kernel_given() -> None:
    done = train(InfiniteWidth(uniform_kernel), X, Y, times=(1.0, np.inf), engine="kernel", snapshots=(0,))
    inside = GRID[np.abs(GRID) <= 2]
    gram = uniform_kernel(X[:, None], X[None])
    wanted = uniform_kernel(inside[:, None], X[None]) @ np.linalg.solve(gram, Y)
    np.testing.assert_allclose(done(inside), wanted, rtol=1e-10)
    values, vectors = np.linalg.eigh(gram)
    early = vectors @ np.diag(1 - np.exp(-values)) @ vectors.T @ Y
    np.testing.assert_allclose(done.snapshots[0](X), early, rtol=1e-10)


def test_wide_networks_approach_infinite_width_in_time_and_in_the_limit() -> None:
    limit = train(InfiniteWidth(uniform_kernel), X, Y, times=(3.0, np.inf), engine="kernel", snapshots=(0, 1))
    inside = GRID[np.abs(GRID) <= 2]
    gaps = []
    for n in (256, 16384):
        times = (3.0 / n, np.inf)
        flow = train(anti_symmetric(standard(*sample(n))), X, Y, times=times, snapshots=(0, 1), tolerance=1e-5)
        gaps.append([np.abs(f(inside) - g(inside)).max() for f, g in zip(flow.snapshots, limit.snapshots, strict=True)])
    # The gap falls as n^-1/2, by eight here, with random factors.
    assert max(gaps[1]) < 0.03
    assert gaps[1][1] < gaps[0][1] / 2


def test_the_flow_reaches_the_data_to_rounding_and_the_limit_of_descent() -> None:
    f = anti_symmetric(standard(*sample(256)))
    flow = train(f, X, Y, engine="gradient_flow")
    assert flow.reason == "times"
    assert np.abs(flow(X) - Y).max() < 1e-13
    descent = train(f, X, Y, steps=60_000, stop_loss=1e-18)
    linear = train(f, X, Y, engine="kernel")
    gap = np.abs(flow(GRID) - descent(GRID)).max()
    assert gap < 1e-3
    assert np.abs(linear(GRID) - descent(GRID)).max() > 5 * gap


def test_a_tighter_tolerance_takes_more_stages_and_comes_closer() -> None:
    f = anti_symmetric(standard(*sample(512)))
    best, fine, coarse = (train(f, X, Y, engine="gradient_flow", tolerance=t) for t in (1e-8, 1e-6, 1e-3))
    assert coarse.stop_steps[0] < fine.stop_steps[0] < best.stop_steps[0]
    gaps = [np.abs(one(GRID) - best(GRID)).max() for one in (fine, coarse)]
    assert gaps[0] < gaps[1]
    assert gaps[0] < 1e-3


def test_data_beyond_the_reach_of_all_kinks_are_never_fitted() -> None:
    rng = np.random.default_rng(0)
    w = rng.choice([-1.0, 1.0], 60)
    f = anti_symmetric(standard(w, -w * rng.uniform(-1, 1, 60), rng.normal(size=60)))
    # All kinks lie in [-1, 1], so the outputs at 2, 3, 4 stay on a line: Σ (1, -2, 1) f = 0, which leaves loss 1/3.
    x, y = [-0.5, 2.0, 3.0, 4.0], [0.0, 0.0, 1.0, 0.0]
    for engine in ("kernel", "gradient_flow"):
        done = train(f, x, y, engine=engine)
        assert done.reason == "stationary"
        assert float(done.final_loss) == pytest.approx(1 / 3, abs=1e-10)


def test_the_ntk_parametrisation_does_not_depend_on_the_learning_rate_of_the_width() -> None:
    w, b, v = sample(64)
    f, g = ntk(w, b, v), standard(w, b, v)
    for group, factor in (("w", 1.0), ("b", 1.0), ("v", 1 / 64), ("c", 1.0)):
        np.testing.assert_allclose(tangent_kernel(f, X, groups=group), factor * tangent_kernel(g, X, groups=group))


def test_the_first_step_of_a_kernel_is_that_of_descent_also_with_kinks_on_data() -> None:
    rng = np.random.default_rng(6)
    w, b, v = rng.integers(-2, 3, (3, 20)) / 2
    f, x = TwoLayer(w, b, v, 0.5), np.array([-1.0, -0.5, 0.5, 1.0, 2.0])
    assert (np.outer(x, w) + b == 0).any()
    linear, descent = (train(f, x, Y, engine=e, step=0.01, steps=1).final for e in ("kernel", "dense"))
    for name in "wbvc":
        np.testing.assert_allclose(getattr(linear.parameters, name), getattr(descent, name), rtol=1e-13, atol=1e-15)


def test_the_flow_agrees_with_an_integrator_of_scipy_where_no_kink_meets_a_datum() -> None:
    from scipy.integrate import solve_ivp

    rng = np.random.default_rng(7)
    w, v = 0.3 * rng.normal(size=(2, 5))
    x, y, b = np.array([-0.5, 0.1, 0.6]), np.array([0.5, -0.5, 0.2]), np.full(5, 2.0)

    def velocity(_: float, theta: np.ndarray) -> np.ndarray:
        w, b, v, c = theta[:5], theta[5:10], theta[10:15], theta[15]
        r = np.maximum(np.outer(x, w) + b, 0) @ v + c - y
        z = np.outer(x, w) + b
        return -np.concatenate([v * ((z > 0).T @ (r * x)), v * ((z > 0).T @ r), np.maximum(z, 0).T @ r, [r.sum()]])

    start = TwoLayer(w, b, v)
    wanted = solve_ivp(velocity, (0, 3), [*w, *b, *v, 0.0], rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
    errors = []
    for tolerance in (1e-3, 1e-4, 1e-5):
        final = train(start, x, y, times=(3.0,), tolerance=tolerance).final
        errors.append(np.abs(np.concatenate([final.w, final.b, final.v, [final.c]]) - wanted).max())
    # Extrapolation makes the error of a step smaller than the difference that the tolerance bounds.
    assert errors[0] < 1e-3
    assert errors[1] < 1e-4
    assert errors[2] < 1e-5
