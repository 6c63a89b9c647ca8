"""Observed: drift of networks of zero error under label noise, with the step-size errors O(ε) and O(ε²) removed.

Many replicas start at the same network and interpolate its own outputs, with step sizes ε, ε/2, ε/4 and step counts in
the ratio 1 : 4 : 16; Richardson's combination removes errors of order ε and ε² from the means.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from implicitbias.claims import Premise, Value

from .samples import RICHARDSON, combined

CURVED = 0.15
"""Allowed relative difference between the deviation at ε/2 and twice the deviation at ε/4."""


@dataclass(frozen=True)
class Start:
    """A network of zero error: the labels are its own outputs. No neuron is close to changing its activation pattern.

    theta, c   exact, rows (a, b);  x  rows of inputs;  scale  s;  noise  of Algorithm 1
    """

    name: str
    theta: tuple[tuple[Fraction, ...], ...]
    c: tuple[Fraction, ...]
    x: tuple[tuple[Fraction, ...], ...]
    scale: Fraction
    noise: Any

    @property
    def given(self) -> dict[str, Value]:
        return {"theta": self.theta, "c": self.c, "x": self.x, "scale": self.scale}


def exactly(rows: list[list[float]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(v) for v in row) for row in rows)


LINE = Start(
    "three neurons, two points on the line",
    exactly([[0.5, 1.5], [-1.25, 0.25], [1.5, 0.0]]),
    (Fraction(1), Fraction(3, 4), Fraction(-5, 4)),
    exactly([[-1.0], [1.0]]),
    Fraction(1),
    "signs",
)
PLANE = Start(
    "four neurons, three points in the plane",
    exactly([[1.0, 0.5, 3.0], [3.0, -2.5, 0.0], [-2.0, 3.0, 0.5], [-1.5, -2.0, 1.0]]),
    (Fraction(2), Fraction(-3, 2), Fraction(5, 2), Fraction(1)),
    exactly([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]),
    Fraction(1, 2),
    "normal",
)


@dataclass(frozen=True)
class Drift:
    """Runs at ε, ε/2, ε/4 from a start, all to the same slow time; the finest has `steps` steps of size `eps`."""

    start: Start
    eps: Fraction
    eta: Fraction
    steps: int
    replicas: int
    seed: int

    @cached_property
    def runs(self) -> list[Any]:
        import numpy as np

        from implicitbias.training.label_noise import label_noise_sgd, lifted_points, outputs

        theta, c, x = (np.array([[float(v) for v in row] for row in rows])
                       for rows in (self.start.theta, [self.start.c], self.start.x))  # fmt: skip
        y = outputs(theta, c[0], lifted_points(x), float(self.start.scale))
        return [
            label_noise_sgd(
                np.repeat(theta[None], self.replicas, 0), np.repeat(c, self.replicas, 0), x, y,
                step=float(self.eps) * factor, noise_size=float(self.eta), steps=self.steps // factor**2,
                seed=[self.seed, factor], scale=float(self.start.scale), noise=self.start.noise,
            )
            for factor in (4, 2, 1)
        ]  # fmt: skip

    def values(self, observable: str) -> list[Any]:
        """The observable of each replica, at ε, ε/2, ε/4."""
        import numpy as np

        point = np.array([*map(float, self.start.x[0]), 1.0])
        return [observed(observable, run.theta[-1], run.c[-1], point) for run in self.runs]

    def limit(self, observable: str, comparisons: int) -> tuple[float, float]:
        """The mean as ε -> 0 at this slow time, and the half-width of its interval."""
        return combined([(float(w), v) for w, v in zip(RICHARDSON, self.values(observable), strict=True)], comparisons)

    def premises(self, observable: str) -> tuple[Premise, ...]:
        """The premises of Richardson's combination: unchanged activation patterns, and a deviation of first order."""
        import numpy as np

        theta = np.array([[float(v) for v in row] for row in self.start.theta])
        points = np.array([[*map(float, row), 1.0] for row in self.start.x])
        kept = all(((r.theta[-1] @ points.T > 0) == (theta @ points.T > 0)).all() for r in self.runs)
        limit, half = self.limit(observable, 1)
        coarse, middle, fine = (float(np.mean(v)) - limit for v in self.values(observable))
        label = f"{self.start.name}, η = {self.eta}"
        return (
            Premise(f"{label}: every neuron of every replica keeps its pattern", kept),
            Premise(
                f"{label}: the deviation halves with ε, up to {CURVED:.0%} and the noise",
                abs(middle - 2 * fine) < CURVED * abs(middle) + half,
                f"{observable}: {coarse:+.4f}, {middle:+.4f}, {fine:+.4f} from the limit {limit:.4f} ± {half:.4f}",
            ),
        )


def observed(observable: str, theta: Any, c: Any, point: Any) -> Any:
    """`D1`, `D2`, …: |θ_j|² - c_j²; `share`: c_1 [θ_1·x̃_1]_+, invariant under rescaling of the neuron."""
    import numpy as np

    if observable == "share":
        return c[..., 0] * np.maximum(theta[..., 0, :] @ point, 0)
    j = int(observable[1:]) - 1
    return np.square(theta[..., j, :]).sum(-1) - c[..., j] ** 2
