"""Gradient flow on margins by plain steps, whose length depends on |θ| alone: nothing holds a step back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SHORT = 1e-3
"""Largest length of a step relative to |θ|."""
FINE = 0.02
"""Length of a step times |θ|, at most: margins, of degree two, change by some hundredths."""
EVERY = 40
"""Steps between two states at which the rate is measured."""


@dataclass(frozen=True)
class Rate:
    """d log γ̃/d log|θ| over one step, what halving the step changes, and the cosine of θ and the step."""

    rate: float
    error: float
    cosine: float


def _gradient(theta: Any, x: Any, y: Any, loss: str) -> tuple[Any, float]:
    """-∇(n L) and log of the smoothed margin times |θ|², both from the margins; nan where n L >= l(0)."""
    import numpy as np

    w, b, v = theta
    hidden = np.outer(x, w) + b
    active = hidden > 0
    q = y * ((hidden * active) @ v)
    if loss == "exponential":
        total, pull = float(np.exp(-q).sum()), np.exp(-q)
        height = -np.log(total)
    else:
        total, pull = float(np.log1p(np.exp(-q)).sum()), 1 / (1 + np.exp(q))
        height = -np.log(np.expm1(total))
    back = (pull * y)[:, None] * active
    gradient = np.stack([(back * x[:, None]).sum(0) * v, back.sum(0) * v, (back * hidden).sum(0)])
    return gradient, float(np.log(height)) if height > 0 else float("nan")


def rates(theta: Any, x: Any, y: Any, loss: str, steps: int) -> Iterator[Rate]:
    """Rates along `steps` steps from θ = (w, b, v), where n L < l(0) and no kink crosses a datum in the step."""
    import numpy as np

    def moved(state: Any, share: float) -> Any:
        direction, _ = _gradient(state, x, y, loss)
        size = np.linalg.norm(state)
        return state + share * min(SHORT * size, FINE / size) / np.linalg.norm(direction) * direction

    def told(state: Any) -> tuple[float, float]:
        size = float(np.log(np.linalg.norm(state)))
        return _gradient(state, x, y, loss)[1] - 2 * size, size

    def active(state: Any) -> Any:
        return np.outer(x, state[0]) + state[1] > 0

    for number in range(steps):
        after = moved(theta, 1)
        before, size = told(theta)
        if number % EVERY == 0 and np.isfinite(before) and (active(theta) == active(after)).all():
            found = []
            for end in (after, moved(theta, 0.5)):
                margin, larger = told(end)
                found.append((margin - before) / (larger - size))
            direction, _ = _gradient(theta, x, y, loss)
            cosine = float((theta * direction).sum() / (np.linalg.norm(theta) * np.linalg.norm(direction)))
            yield Rate(2 * found[1] - found[0], 4 * abs(found[1] - found[0]) + 1e-7, cosine)
        theta = after
