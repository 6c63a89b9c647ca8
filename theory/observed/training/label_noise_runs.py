"""Observed: many random networks after Algorithm 1 has trained all their parameters for a long slow time.

f = Σ c_j [θ_j·(x, 1)]_+ without the factor 1/m, noise ±η. Final steps without noise bring the networks back to zero
error, which removes fluctuations of order √ε from the results; slow time does not advance during these steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.training.label_noise import LabelNoise

QUIET = 30_000
"""Number of final steps without noise."""
SPREAD_THETA, SPREAD_C = 0.4, 0.5
"""Standard deviations of θ and c at the start."""

Points = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Training:
    """A training job: m neurons per network, `replicas` networks; x has the inputs as rows."""

    x: Points
    y: tuple[Fraction, ...]
    m: int
    replicas: int
    eps: float
    eta: float
    steps: int
    seed: int

    @property
    def slow_time(self) -> float:
        """ε²η²t."""
        return (self.eps * self.eta) ** 2 * self.steps

    @property
    def points(self) -> Any:
        """x̃, (n, d + 1)."""
        import numpy as np

        return np.array([[*map(float, row), 1.0] for row in self.x])


def on_the_line(x: Sequence[Fraction | int]) -> Points:
    return tuple((Fraction(value),) for value in x)


@lru_cache(maxsize=32)
def trained(job: Training) -> LabelNoise:
    """The networks at the end of training from independent random starts."""
    import numpy as np

    rng = np.random.default_rng([job.seed, 1])
    shape = (job.replicas, job.m)
    theta = SPREAD_THETA * rng.normal(size=(*shape, len(job.x[0]) + 1))
    return run_from(job, theta, SPREAD_C * rng.normal(size=shape))


def run_from(job: Training, theta: Any, c: Any) -> LabelNoise:
    """The networks at the end of training from the given start."""
    from implicitbias.training.label_noise import label_noise_sgd

    data: Any = [list(map(float, row)) for row in job.x], list(map(float, job.y))
    noisy = label_noise_sgd(
        theta, c, *data, step=job.eps, noise_size=job.eta, steps=job.steps, seed=[job.seed, 2], scale=1.0
    )
    return label_noise_sgd(
        noisy.theta[-1], noisy.c[-1], *data, step=job.eps, noise_size=0.0, steps=QUIET, seed=[job.seed, 3], scale=1.0
    )


def effective_losses(job: Training, run: LabelNoise) -> Any:
    """Λ of every replica."""
    from implicitbias.training.effective_loss import effective_loss

    return effective_loss(run.theta[-1], run.c[-1], job.points, run.scale)


def values_at(job: Training, run: LabelNoise, x: Sequence[Fraction | int]) -> Any:
    """f of every replica at one input x, without neurons inactive at all data, which never move."""
    import numpy as np

    theta, c = run.theta[-1], run.c[-1]
    alive = (theta @ job.points.T > 0).any(-1)
    at = np.array([*map(float, x), 1.0])
    return (np.maximum(theta @ at, 0) * c * alive).sum(-1)


def worst_errors(job: Training, run: LabelNoise) -> Any:
    """max_i |f(x_i) - y_i| of every replica."""
    import numpy as np

    y = np.array(list(map(float, job.y)))
    return np.abs(run.outputs([list(map(float, row)) for row in job.x]) - y).max(-1)
