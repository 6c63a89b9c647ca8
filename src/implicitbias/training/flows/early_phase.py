"""The early phase of gradient flow from an enormous hidden layer, and a proof that its features stay where they are.

If |(w, b)| is far above |v|, the output weights learn before any unit turns: with Φ_ij = [w_j x_i + b_j]_+ frozen,
v' = (1/n) Σ_i |ℓ'(q_i)| y_i Φ_i, a convex problem in v, and q - q(0) = G a with G = (y y') ΦΦᵀ for a vector a in R^n.

`certificate` bounds the TRUE flow, all parameters moving, without trusting an integrator. With v* = v(0) + Σ a_i y_i
Φ_i and L(v*) below the target, convexity gives for the frozen flow  L(t) <= L(v*) + |v* - v(0)|²/(2t), hence a time t
at which the target is reached. Until the first activation flips, L does not rise and mean|ℓ'| <= L <= L(0), so
  |v_j| <= V_j = |v_j(0)| + t L(0) max_i |w_j x_i + b_j| (1 + margin),   drift_j = t L(0) (1 + max x²) V_j
bounds every change of w_j x_i + b_j; if all drifts are below all |w_j x_i + b_j|, nothing flips up to t. The gradient
is monotone in v, so true and frozen v come apart no faster than the features' drift pushes them: linearly in t.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from implicitbias.training.flows.classification_flow import Units
from implicitbias.training.flows.implicit_force import at_temperature_one, at_zero_temperature
from implicitbias.training.flows.margin_losses import MARGIN_LOSSES, forces, log_mean_loss, log_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.flows.classification_flow import Sample

    Array = NDArray[np.float64]

SLACK = 1e-6
"""Fraction of the target that is reserved for the features' drift; the certificate shows that it is enough."""
COLD = 1e6
"""Beyond this smallest margin the temperature is put to 0: its effect on the direction is of order log n/q."""


def features(units: Units, data: Sample) -> Array:
    """Φ (n, k)."""
    found: Array = np.maximum(np.outer(data.x, units.w) + units.b, 0.0)
    return found


@dataclass(frozen=True)
class EarlyCertificate:
    """Bounds for the true flow up to `time`.

    reached    all bounds hold, so the mean loss is at most the target at `time`
    reason     which bound fails otherwise
    time       t in the flow's own clock
    drift      the largest drift_j / min_i |w_j x_i + b_j|: below 1, no activation flips
    parting    bound of |log L(true) - log L(frozen)| at `time`
    margin     the smallest margin that the frozen features have at the v* that was compared with
    log_loss   bound of log L at `time`
    """

    reached: bool
    reason: str
    time: float
    drift: float
    parting: float
    margin: float
    log_loss: float


def certificate(units: Units, data: Sample, loss: str, target: float) -> EarlyCertificate:
    """Whether gradient flow from these units reaches a mean loss of at most `target`, by a-priori bounds alone."""
    law, n = MARGIN_LOSSES[loss], data.size
    heights = np.outer(data.x, units.w) + units.b
    Phi = np.maximum(heights, 0.0)
    start = data.y * (Phi @ units.v)
    wanted = law.inverse(float(np.log(target / 2)))
    scale = float(np.sqrt(np.square(Phi).sum(1).max()))
    R = np.linalg.qr((data.y[:, None] * Phi / scale).T, mode="r")
    if np.abs(np.diag(R)).min() <= 1e-13 * np.abs(np.diag(R)).max():
        return EarlyCertificate(False, "the frozen features are dependent", np.inf, np.inf, np.inf, 0.0, np.inf)
    a, _ = nnls(R, solve_triangular(R, wanted * (1 + 1e-9) - start, trans="T"), maxiter=50 * n)
    v = units.v + (data.y[:, None] * Phi).T @ (a / scale**2)
    margins = data.y * (Phi @ v)
    reached = float(np.exp(log_mean_loss(law, margins)))
    aim = target * (1 - SLACK)
    if not reached < aim:
        reason = f"frozen features were not found to separate the classes: smallest margin {margins.min():.3g}"
        return EarlyCertificate(False, reason, np.inf, np.inf, np.inf, float(margins.min()), np.inf)
    time = float(np.square(v - units.v).sum() / (2 * (aim - reached)))
    first = float(np.exp(log_mean_loss(law, start)))
    gaps = np.abs(heights).min(axis=0)
    reach = np.abs(units.v) + time * first * (np.abs(heights).max(axis=0) + gaps)
    drift = time * first * (1 + np.square(data.x).max()) * reach
    ratio = float((drift / gaps).max()) if (gaps > 0).all() else np.inf
    largest = float(np.sqrt(np.square(Phi).sum(1).max()))
    shift = float(reach @ drift)
    apart = time * first * (float(np.linalg.norm(drift)) + np.expm1(min(shift, 50.0)) * largest)
    parting = float(apart * largest + shift)
    good = bool(ratio < 1 and parting < -np.log1p(-SLACK))
    log_loss = float(np.log(aim) + parting)
    reason = "" if good else f"features may drift too far: drift/gap {ratio:.2g}, parting {parting:.2g}"
    return EarlyCertificate(good, reason, time, ratio, parting, float(margins.min()), log_loss)


@dataclass(frozen=True)
class FrozenCourse:
    """The flow with frozen features.

    units    with the output weights at the end
    q        margins there
    time     the flow's own clock; meaningless (infinite) once the temperature was put to 0
    reached  the clock when the mean loss reached the target, by the integrator; nan if it did not
    reason   "target", "steps" or "stalled"
    """

    units: Units
    q: Array
    time: float
    reached: float
    reason: str


def frozen_flow(
    units: Units,
    data: Sample,
    loss: str,
    target: float,
    margin: float = 0.0,
    ratio: float = 0.0,
    growth: float = 0.05,
    steps: int = 3000,
) -> FrozenCourse:
    """Train the output weights alone until L <= target, min q >= margin and max |v|/|(w, b)| >= ratio.

    This approximates gradient flow in all parameters with relative error of order (|v|/|(w, b)|)², as long as that is
    small: switch to the full flow at a small ratio.
    """
    law, n = MARGIN_LOSSES[loss], data.size
    signed = data.y[:, None] * features(units, data)
    G = signed @ signed.T
    start = q = signed @ units.v
    lengths = np.hypot(units.w, units.b)
    total, clock, reached, reason = np.zeros(n), 0.0, np.nan, "steps"
    p = forces(law, q)
    part = 1.0
    for _ in range(steps):
        done = log_mean_loss(law, q) <= np.log(target)
        if done and np.isnan(reached):
            reached = clock
        if done and float(q.min()) >= margin:
            v = units.v + signed.T @ total
            if not ratio or float((np.abs(v) / lengths).max()) >= ratio:
                reason = "target"
                break
        cold = float(q.min()) > COLD
        speed = max(float(p @ G @ p), 1e-300)
        height = float(q.min()) * 4 if cold else max(1.0, -log_mean_loss(law, q))
        step = part * growth * height / speed
        found = at_zero_temperature(G, q, step, p) if cold else at_temperature_one(law, G, q, step, p)
        if found is None:
            part /= 2
            if part < 1e-6:
                reason = "stalled"
                break
            continue
        p, part = found, min(1.0, 2 * part)
        q = q + step * (G @ p)
        total = total + step * p
        exponent = np.log(step * n) - log_sum(law.log_force(q))
        clock = np.inf if cold or exponent > 700 else clock + float(np.exp(exponent))
    v = units.v + signed.T @ total
    after = Units(units.w.copy(), units.b.copy(), v, units.codes.copy(), units.contacts.copy())
    return FrozenCourse(after, start + G @ total, clock, float(reached), reason)
