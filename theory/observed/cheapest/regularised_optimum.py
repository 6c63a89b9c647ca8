"""Certified minima of the regularised problem (28) with the squared loss."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Context
from implicitbias.exact.vectors import dot

from ..data.datasets import DataSet, by_hand, random_batch, ten_points
from ..data.draws import of_any_size
from .cheapest_network import cheapest_network, holds_for_every_kink
from .programme_20 import some_size


@dataclass(frozen=True)
class RegularisedOptimum:
    """A certified minimum of Σ(h(x_n) - y_n)² + λ C over all networks.

    value       the minimum: the lower bound λ Σν_n y_n - (λ²/4) Σν_n² equals the objective at the fitted labels
    fitted      h(x_n), the same for every minimiser because the loss is strictly convex
    cost        the least cost of a network through the fitted labels
    interpolation   the least cost of a network through the data
    """

    lam: Fraction
    value: Fraction
    fitted: tuple[Fraction, ...]
    cost: Fraction
    dual: tuple[Fraction, ...]
    interpolation: Fraction


def regularised_optimum(data: DataSet, lam: Fraction) -> RegularisedOptimum | None:
    """The minimum if the dual vector of the data, or of the fitted labels derived from it, certifies it; else None.

    For every network and feasible ν, Σ(h-y)² + λ C >= Σ[(h-y)² + λ ν h] >= λ Σν_n y_n - (λ²/4) Σν_n².
    """
    best = cheapest_network(data)
    interpolation = best.cost
    for _ in range(3):
        nu = best.dual
        if not holds_for_every_kink(data.x, nu):
            return None
        fitted = tuple(y - lam * v / 2 for y, v in zip(data.y, nu, strict=True))
        best = cheapest_network(data.with_labels(fitted))
        q = squares(nu)
        reached = lam * lam * q / 4 + lam * best.cost
        bound = lam * dot(nu, data.y) - lam * lam * q / 4
        if reached == bound:
            return RegularisedOptimum(lam, reached, fitted, best.cost, nu, interpolation)
    return None


def squares(dual: tuple[Fraction, ...]) -> Fraction:
    """Σ ν_n²."""
    return dot(dual, dual)


def optima(context: Context) -> Iterator[tuple[DataSet, RegularisedOptimum]]:
    """Certified optima for hand-made data, for random data as they are and narrow or wide with labels tiny or large,
    and for the ten points of Figure 1.

    For hand-made and random data, only those whose dual vector is also optimal for the data themselves.
    """
    batch = (*by_hand(), *random_batch(context.seed % 10**6, context.choose(8, 160)))
    for i, data in enumerate(batch):
        for lam in (Fraction(1, 10 + i % 7), Fraction(1), Fraction(5)):
            found = regularised_optimum(data, lam)
            if found and dot(found.dual, data.y) == found.interpolation:
                yield data, found
    draw = context.random()
    for k, data in enumerate((*random_batch(context.seed % 10**6 + 500, context.choose(6, 60), 4), *_pairs(draw, 320))):
        size = some_size if k % 2 else _any_size
        across, up = size(draw), size(draw)
        scaled = DataSet(f"{data.label}, scaled", tuple(across * x for x in data.x), tuple(up * y for y in data.y))
        lam = up * across * Fraction(draw.randint(1, 20), draw.choice((20, 20, 400)))
        found = regularised_optimum(scaled, lam)
        if found and dot(found.dual, scaled.y) == found.interpolation:
            yield scaled, found
    for lam in (Fraction(1, 10**5), Fraction(1, 1000), Fraction(1, 100), Fraction(3, 100)):
        if found := regularised_optimum(ten_points(), lam):
            yield ten_points(), found


def _any_size(draw: random.Random) -> Fraction:
    return of_any_size(draw, -5, 12)


def _pairs(draw: random.Random, count: int) -> Iterator[DataSet]:
    for _ in range(count):
        yield DataSet("two points", (0, 1), (0, draw.choice((1, -1))))
