"""An interior-point step for problem (10) with some of its margins: dense in these margins, few beside all m(k-1).

  max Σβ,  ‖g_u‖ <= 1,  β >= 0      and      min Σ t_u,  ‖w_u‖ <= t_u,  margins of w less 1 = slack >= 0.

The dual is feasible throughout, because g is computed from β; the primal becomes feasible. With Nesterov and Todd's
scaling Θ_u = η_u (2 p̄p̄' - J) of the cones, a step solves

  (Σ_u η_u φ_u φ_u' ⟨e, e'⟩ + B' 2η B + diag(slack/β)) Δβ = residual,   B_u = φ_u(x_i)(p_own - p_rival),

by Cholesky, or, when 2η has grown so far that this is inaccurate, by LU with the rows of B kept apart; solutions are
repeated for the residual in extended precision. Mehrotra's predictor and corrector. Nothing rests on this: bounds are
computed from whatever comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lu_factor, lu_solve

from implicitbias.convex.margin.ramp_sums import Doubles, Long, Margins, RampSums

INACCURATE = 1e-3
"""Relative to its slack, the error of a margin after a step by Cholesky; larger ones lead to LU."""
FEASIBLE = 1e-6
"""While margins miss more than this, primal and dual take steps of one length, so that both keep pace."""
REPEATS = 4
LARGEST_PART = 0.98
LEAST_AIM = 1e-4
SHORT, SHORTEST = 0.3, 0.1
"""After steps shorter than these the next one moves towards the centre, and without the corrector."""

Pair = tuple[Long, Long]
"""The first entries and the others of vectors of the cones."""


@dataclass(frozen=True)
class Iterate:
    """An interior point, and how the step to it went: its length, its error, what the margins miss, whether by LU."""

    t: Long
    w: Long
    slack: Long
    beta: Long
    g: Long
    length: float = 1.0
    error: float = 0.0
    missing: float = np.inf
    apart: bool = False

    @property
    def lower(self) -> float:
        return float(self.beta.sum())

    @property
    def cost(self) -> float:
        return float(np.sqrt((self.w**2).sum(axis=1)).sum())


def centred(sums: RampSums, margins: Margins, beta: Long, mean: float) -> Iterate:
    """β inside the cones, with the primal for which each product is `mean`."""
    g = sums.functions(margins, beta)
    room = 1 - (g**2).sum(axis=1)
    return Iterate(mean / room, mean * g / room[:, None], mean / beta, beta, g)


class _Scaling:
    """Nesterov and Todd's scaling of x = (t, w) and z = (1, -g): W z = W⁻¹x = λ."""

    def __init__(self, now: Iterate) -> None:
        size_x = np.sqrt(now.t**2 - (now.w**2).sum(axis=1))
        size_z = np.sqrt(1 - (now.g**2).sum(axis=1))
        self.inner = now.t - (now.w * now.g).sum(axis=1)
        gamma = np.sqrt((1 + self.inner / (size_x * size_z)) / 2)
        self.p = (now.w / size_x[:, None] + now.g / size_z[:, None]) / (2 * gamma)[:, None]
        self.p0 = np.sqrt(1 + (self.p**2).sum(axis=1))
        self.eta = size_x / size_z
        self._root = np.sqrt(self.eta)
        self._v0 = np.sqrt((self.p0 + 1) / 2)
        self._v = self.p / np.sqrt(2 * (self.p0 + 1))[:, None]
        self.mean0, self.mean = self.up(np.ones_like(now.t), -now.g)

    def up(self, a0: Long, a: Long) -> Pair:
        """W a."""
        i = self._v0 * a0 + (self._v * a).sum(axis=1)
        return self._root * (2 * self._v0 * i - a0), self._root[:, None] * (2 * self._v * i[:, None] + a)

    def down(self, a0: Long, a: Long) -> Pair:
        """W⁻¹a."""
        i = self._v0 * a0 - (self._v * a).sum(axis=1)
        return (2 * self._v0 * i - a0) / self._root, (a - 2 * self._v * i[:, None]) / self._root[:, None]

    def over_mean(self, a0: Long, a: Long) -> Pair:
        """The b with λ∘b = a."""
        m0, m = self.mean0, self.mean
        first = (m0 * a0 - (m * a).sum(axis=1)) / (m0**2 - (m**2).sum(axis=1))
        return first, (a - first[:, None] * m) / m0[:, None]

    def along(self, g: Long) -> Pair:
        """Θ(0, g)."""
        i = (self.p * g).sum(axis=1)
        return 2 * self.eta * self.p0 * i, self.eta[:, None] * (2 * self.p * i[:, None] + g)


@dataclass(frozen=True)
class _Change:
    t: Long
    w: Long
    slack: Long
    beta: Long
    g: Long
    error: float


def step(sums: RampSums, margins: Margins, now: Iterate) -> Iterate | None:
    """One step; None if numbers leave the cones or the system cannot be solved."""
    if not _inside(now):
        return None
    found = None if now.apart else _step(sums, margins, now)
    if found is not None and found.error < INACCURATE:
        return found
    return _step(sums, margins, replace(now, apart=True)) or found


def _step(sums: RampSums, margins: Margins, now: Iterate) -> Iterate | None:
    scaling = _Scaling(now)
    ratio = now.slack / now.beta
    try:
        solve = _solver(sums, margins, scaling, ratio.astype(np.float64), now.apart)
    except ValueError:  # LinAlgError is one
        return None
    products = scaling.inner.sum() + now.beta @ now.slack
    mean = products / (len(now.t) + len(now.beta))
    reached = sums.of(margins, now.w)
    square = _product((scaling.mean0, scaling.mean), (scaling.mean0, scaling.mean))

    def change(aim: float, cones: Pair | None, rest: Long | None, repeats: int) -> _Change:
        a0, a = aim - square[0], -square[1]
        if cones is not None:
            a0, a = a0 - cones[0], a - cones[1]
        q0, q = scaling.up(*scaling.over_mean(a0, a))
        towards = (aim - now.beta * now.slack - (0 if rest is None else rest)) / now.beta
        wanted = 1 + now.slack + towards - reached - sums.of(margins, q)
        beta, left = np.zeros_like(now.beta), wanted
        for _ in range(repeats):
            beta = beta + solve(left.astype(np.float64))
            g = sums.functions(margins, beta)
            t, w = scaling.along(g)
            left = wanted - sums.of(margins, w) - ratio * beta
        error = float(np.abs(left / np.maximum(now.slack, 1e-30)).max())
        return _Change(q0 + t, q + w, towards - ratio * beta, beta, g, error)

    first = change(0.0, None, None, 1)
    along, across = (min(1.0, room) for room in _rooms(now, first))
    after = ((now.t + along * first.t) - ((now.w + along * first.w) * (now.g + across * first.g)).sum(axis=1)).sum()
    after += (now.beta + across * first.beta) @ (now.slack + along * first.slack)
    aim = max(min(1.0, max(float(after / products), 0.0)) ** 3, LEAST_AIM)
    if now.missing > 1e-3:
        aim = max(aim, 0.5 * (1 - along) ** 2)
    if now.length < SHORT:
        aim = max(aim, 0.5)
    if now.length < SHORTEST:
        found = change(float(aim * mean), None, None, REPEATS)
    else:
        none = np.zeros_like(now.t)
        cones = _product(scaling.down(first.t, first.w), scaling.up(none, -first.g))
        found = change(float(aim * mean), cones, first.beta * first.slack, REPEATS)
    along, across = (min(1.0, LARGEST_PART * room) for room in _rooms(now, found))
    if now.missing > FEASIBLE:
        along = across = min(along, across)
    beta = now.beta + across * found.beta
    moved = Iterate(
        now.t + along * found.t,
        now.w + along * found.w,
        now.slack + along * found.slack,
        beta,
        sums.functions(margins, beta),
        min(along, across),
        found.error,
        apart=now.apart,
    )
    return replace(moved, missing=_missing(sums, margins, moved)) if _inside(moved) else None


def _missing(sums: RampSums, margins: Margins, at: Iterate) -> float:
    return float(np.abs(sums.of(margins, at.w) - 1 - at.slack).max())


def _inside(at: Iterate) -> bool:
    squares = (at.t**2 - (at.w**2).sum(axis=1)).min(), (1 - (at.g**2).sum(axis=1)).min()
    return bool(min(*squares, at.t.min(), at.slack.min(), at.beta.min()) > 0)


def _product(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] + (a[1] * b[1]).sum(axis=1), a[0][:, None] * b[1] + b[0][:, None] * a[1]


def _solver(
    sums: RampSums, margins: Margins, scaling: _Scaling, ratio: Doubles, apart: bool
) -> Callable[[Doubles], Doubles]:
    eta, p = scaling.eta.astype(np.float64), scaling.p.astype(np.float64) / sums.root
    pairs = np.ix_(margins.point, margins.point)
    h = ((sums.heights * eta[:, None]).T @ sums.heights)[pairs] * margins.same
    h[np.diag_indices(len(ratio))] += ratio
    b = sums.heights[:, margins.point] * (p[:, margins.own] - p[:, margins.rival])
    if not apart:
        b *= np.sqrt(2 * eta)[:, None]
        h += b.T @ b
        units = 1 / np.sqrt(np.diag(h))
        h *= units[:, None]
        h *= units
        h[np.diag_indices(len(ratio))] += 1e-14  # rounding of the sum
        factor = cho_factor(h, lower=True, overwrite_a=True)
        return lambda right: np.asarray(cho_solve(factor, right * units) * units)
    diagonal = np.diag(h)
    units = 1 / np.sqrt(np.concatenate([diagonal, 1 / (2 * eta) + (b * b / diagonal).sum(axis=1)]))
    matrix = np.block([[h, b.T], [b, np.diag(-1 / (2 * eta))]])
    matrix *= units[:, None]
    matrix *= units
    factors = lu_factor(matrix)

    def solve(right: Doubles) -> Doubles:
        scaled = np.concatenate([right, np.zeros(len(eta))]) * units
        found = lu_solve(factors, scaled)
        found += lu_solve(factors, scaled - matrix @ found)
        return np.asarray((found * units)[: len(right)])

    return solve


def _rooms(now: Iterate, by: _Change) -> tuple[float, float]:
    """The largest steps of primal and dual inside the cones."""
    return (
        min(_room(now.slack, by.slack), _cone_room(now.t, now.w, by.t, by.w)),
        min(_room(now.beta, by.beta), _cone_room(np.ones_like(now.t), now.g, np.zeros_like(now.t), by.g)),
    )


def _room(value: Long, change: Long) -> float:
    falling = change < 0
    return float(np.min(-value[falling] / change[falling])) if falling.any() else np.inf


def _cone_room(t: Long, w: Long, by_t: Long, by_w: Long) -> float:
    """The smallest positive zero of the determinants or of t along the step."""
    c, b, a = t**2 - (w**2).sum(axis=1), t * by_t - (w * by_w).sum(axis=1), by_t**2 - (by_w**2).sum(axis=1)
    inside = b * b - a * c
    real = inside >= 0
    root = np.sqrt(np.where(real, inside, 0))
    q = np.where(b > 0, -b - root, -b + root)
    with np.errstate(divide="ignore", invalid="ignore"):
        zeros = np.concatenate([(c / q)[real & (q != 0)], (q / a)[real & (a != 0)]])
    positive = zeros[zeros > 0]
    return min(float(positive.min()) if len(positive) else np.inf, _room(t, by_t))
