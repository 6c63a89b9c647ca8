"""Rigorous enclosures for the minimiser of the entropic problem on a grid of parameters.

min over probabilities μ on K grid points of  F(μ) = (1/2n)|Φμ - y|² + τ Σ V_k μ_k + λ Σ μ_k log μ_k,
Φ_ik = φ_{x_i}(θ_k).

For every q in R^n,  D(q) = -q·y - (n/2)|q|² - λ log Σ_k exp(-(τ V_k + (Φᵀq)_k)/λ) <= min F. And F(μ) - min F >=
λ KL(μ, μ*) >= (λ/2)|μ - μ*|₁² (Pinsker), so a small gap encloses every mass, no matter how μ and q were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval

BITS = (600, 1200, 2400, 4800)
"""Digits that are tried in turn, until every mass is told from zero: one may be as small as e^{-1000}."""
STEPS = 60


@dataclass(frozen=True)
class Entropic:
    """Enclosures of the minimiser's masses and residuals f(x_i) - y_i, and the duality gap that proves them."""

    masses: tuple[Interval, ...]
    residuals: tuple[Interval, ...]
    gap: float


def entropic_minimiser(
    features: Sequence[Sequence[Fraction]],
    y: Sequence[Fraction],
    potential: Sequence[Fraction],
    tau: Fraction,
    lam: Fraction,
) -> Entropic:
    """`features` has shape (n, K). Newton's method on the dual finds a candidate; ball arithmetic proves the bounds."""
    import flint

    before = flint.ctx.prec
    try:
        for bits in BITS:
            flint.ctx.prec = bits
            found = _solved(features, y, potential, tau, lam)
            if all(mass.lower > 0 for mass in found.masses):
                break
        return found
    finally:
        flint.ctx.prec = before


def _ball(value: Fraction | int) -> Any:
    import flint

    number = Fraction(value)
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _solved(
    features: Sequence[Sequence[Fraction]],
    y: Sequence[Fraction],
    potential: Sequence[Fraction],
    tau: Fraction,
    lam: Fraction,
) -> Entropic:
    import flint

    from implicitbias.exact.enclosure import from_arb

    n, count = len(y), len(potential)
    phi = [[_ball(v) for v in row] for row in features]
    labels, costs = [_ball(v) for v in y], [_ball(tau * v) for v in potential]
    scale = _ball(lam)
    q = [flint.arb(0)] * n

    def gibbs(q: list[Any]) -> tuple[list[Any], Any]:
        powers = [-(costs[k] + sum((phi[i][k] * q[i] for i in range(n)), flint.arb(0))) / scale for k in range(count)]
        weights = [power.exp() for power in powers]
        total = sum(weights, flint.arb(0))
        return [w / total for w in weights], total

    def dual(q: list[Any]) -> Any:
        value = -scale * gibbs(q)[1].log()
        return (
            value
            - sum((a * b for a, b in zip(q, labels, strict=True)), flint.arb(0))
            - sum((a * a for a in q), flint.arb(0)) * n / 2
        )

    for _ in range(STEPS):
        masses, _ = gibbs(q)
        outputs = [sum((phi[i][k] * masses[k] for k in range(count)), flint.arb(0)) for i in range(n)]
        gradient = [outputs[i] - labels[i] - n * q[i] for i in range(n)]
        hessian = [
            [
                (sum((phi[i][k] * phi[j][k] * masses[k] for k in range(count)), flint.arb(0)) - outputs[i] * outputs[j])
                / scale
                + (n if i == j else 0)
                for j in range(n)
            ]
            for i in range(n)
        ]
        step = flint.arb_mat(hessian).solve(flint.arb_mat([[g] for g in gradient]))
        move, size = flint.arb(1), dual(q)
        while True:
            trial = [(q[i] + move * step[i, 0]).mid() for i in range(n)]
            if not dual(trial) < size or move < flint.arb(2) ** -40:
                break
            move = move / 2
        q = trial
        if all(abs(g) < flint.arb(2) ** (-flint.ctx.prec // 2) for g in gradient):
            break
    masses, _ = gibbs(q)
    outputs = [sum((phi[i][k] * masses[k] for k in range(count)), flint.arb(0)) for i in range(n)]
    # products instead of powers: a power of a ball around 0 is NaN
    missed = [a - b for a, b in zip(outputs, labels, strict=True)]
    primal = sum((v * v for v in missed), flint.arb(0)) / (2 * n)
    primal += sum((c * m for c, m in zip(costs, masses, strict=True)), flint.arb(0))
    primal += scale * sum((m * m.log() for m in masses), flint.arb(0))
    gap = (primal - dual(q)).abs_upper()
    radius = (2 * gap / scale).sqrt().abs_upper()
    around = flint.arb(0, radius)
    reach = [max(abs(v) for v in row) for row in features]
    return Entropic(
        tuple(from_arb(m + around) for m in masses),
        tuple(from_arb(o - b + around * _ball(r)) for o, b, r in zip(outputs, labels, reach, strict=True)),
        float(gap),
    )
