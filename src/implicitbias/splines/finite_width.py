"""How far from its limit a network of finite width ends: the central limit theorem behind Theorem 5."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.raw_data import KernelInterpolant

Array = NDArray[np.float64]

SAMPLES = 20_000
"""Units drawn to estimate the constants: to about one part in a hundred where eighth moments are moderate."""
DRAWS = 400
CHUNK = 4000


@dataclass(frozen=True)
class ExpectedDistance:
    """Constants of the distance between a network of n units and its limit, each to be divided by √n.

    rms      √ of the mean over the places x of n E(g_n(x) - g(x))²
    largest  the median, and the 0.9 quantile, of √n max_x |g_n(x) - g(x)|
    """

    rms: float
    largest: tuple[float, float]

    def at_width(self, n: int) -> ExpectedDistance:
        root = np.sqrt(n)
        return ExpectedDistance(self.rms / root, (self.largest[0] / root, self.largest[1] / root))


def expected_distance(limit: KernelInterpolant, places: Array, seed: int = 0) -> ExpectedDistance:
    """√n (g_n - g)(x) → N(0, E[ρ_x² γ²]) with γ = λᵀφ(X), λ = K⁻¹y and ρ_x = φ(x) - K(x, X)K⁻¹φ(X).

    g_n is what training makes of n independent units (all parameters; training the input layer too changes O(1/n)).
    The expectation is taken over sampled units. Needs fourth moments of the law (Theorem 5 of Jin and Montúfar 2021).

    limit   the infinitely wide network at the end of training
    places  where distances are measured
    """
    system = limit.system
    inverse = system.multipliers(*system.solve(np.eye(len(system.x))))
    across = np.asarray(system.law.kernel(places[:, None], system.x[None, :]), dtype=np.float64)
    cardinal = across @ inverse
    rng = np.random.default_rng(np.random.SeedSequence([seed, 5]))
    variance, paths = np.zeros(len(places)), np.zeros((DRAWS, len(places)))
    for _ in range(SAMPLES // CHUNK):
        w, b = system.law.sample(CHUNK, rng)
        seen = np.maximum(w[:, None] * system.x + b[:, None], 0.0)
        missed = np.maximum(w[:, None] * places + b[:, None], 0.0) - seen @ cardinal.T
        each = missed * (seen @ limit.multipliers)[:, None]
        variance += (each**2).sum(axis=0) / SAMPLES
        paths += rng.normal(size=(DRAWS, CHUNK)) @ each / np.sqrt(SAMPLES)
    middle, high = np.quantile(np.abs(paths).max(axis=1), [0.5, 0.9])
    return ExpectedDistance(float(np.sqrt(variance.mean())), (float(middle), float(high)))
