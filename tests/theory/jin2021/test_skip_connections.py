"""The flow of networks with skip connections against plain gradient descent by small steps."""

from __future__ import annotations

import numpy as np

from implicitbias.theory.observed.training.skip_connections import flow


def test_the_path_ends_where_gradient_descent_by_small_steps_does() -> None:
    rng = np.random.default_rng(4)
    n, x, y = 24, np.array([[-1.0], [0.1], [0.8], [1.3]]), np.array([0.4, -0.3, 0.5, 0.1])
    w, b, v = 3 * rng.normal(size=(1, n, 1)), rng.normal(size=(1, n)), rng.normal(size=(1, n)) / np.sqrt(n)
    (w_, b_, v_, s), loss = flow(w, b, v, x, y, 400)
    assert loss[0] < 1e-24
    rate, step, at = n**-1.5, 0.05, [w[0].copy(), b[0].copy(), v[0].copy(), np.zeros(2)]
    lifted = np.column_stack([x, np.ones(4)])
    for _ in range(60_000):
        heights = at[0] @ x.T + at[1][:, None]
        on = heights > 0
        missed = np.where(on, heights, 0.0).T @ at[2] + lifted @ at[3] - y
        pulled = at[2][:, None] * on * missed
        changes = pulled @ x, pulled.sum(1), np.where(on, heights, 0.0) @ missed
        at[0], at[1], at[2] = (old - step * rate * change for old, change in zip(at[:3], changes, strict=True))
        at[3] = at[3] - step * missed @ lifted
    assert float(missed @ missed) < 1e-8  # it has still to go, far less than is compared below
    for found, descended in zip((w_[0], b_[0], v_[0], s[0]), at, strict=True):
        assert np.abs(found - descended).max() < 2e-2 * max(1.0, np.abs(descended).max())
    assert np.abs(s[0] - at[3]).max() < 1e-2
