"""Gradient flow of Σ v_j [w_j x + b_j]_+ on a classification loss, in the log-domain, at two temperatures.

Divided by (1/n) Σ|ℓ'(q_i)|, which changes the clock and not the path, gradient flow is
  θ' = Σ_i p_i y_i ∇f(x_i),  p_i = |ℓ'(q_i)|/Σ|ℓ'|,  q_i = y_i f(x_i).
  temperature 1  this flow;
  temperature 0  p on the points of smallest margin alone. If flows begin in one direction at ever larger margins,
                 their limits over a fixed time in log q_min solve this. It is a SURROGATE for the late phase of
                 gradient flow, not the limit of one given flow: for that, t -> ∞ and temperature -> 0 would have to
                 be exchanged.
Both are inclusions: at a kink on a datum any Clarke derivative in [0, 1] is allowed. Where both sides push towards the
kink the unit slides. Where both sides push away, gradient flow may go on in more than one way, so its limit is not a
function of the start; here the `branch` decides: "active" (to the side where the unit is active at the datum),
"inactive", or "stay".

Units move by exact hyperbolic rotations (v² - w² - b² is kept to rounding), p is implicit, and a step is repeated at
half its length where what must not fall falls: the smoothed margin once n L < ℓ(0), min q/|θ|² at temperature 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.flows.compiled_flow import ACTIVE, INACTIVE, STAY, codes_of, moments, move
from implicitbias.training.flows.implicit_force import at_temperature_one, at_zero_temperature
from implicitbias.training.flows.margin_losses import MARGIN_LOSSES, forces, log_mean_loss, smoothed_margin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from implicitbias.training.flows.margin_losses import MarginLoss

    Array = NDArray[np.float64]
    Codes = NDArray[np.int32]

Branch = Literal["active", "inactive", "stay"]
BRANCHES: dict[str, int] = {"active": ACTIVE, "inactive": INACTIVE, "stay": STAY}
GROWTH = 0.05
"""Relative growth of the margins, or of -log L, in one step; |θ| changes by at most half of it."""
SHORTEST = (2.0**-3, 2.0**-8)
"""By temperature: the least fraction of its usual length to which a step is halved; falls after it are counted."""
ROUNDING = 1e-10
"""Relative fall of the smoothed margin that counts as rounding."""
LEAP = 0.5
"""A step that would change θ by more than this fraction of |θ|, or a unit by e, is halved: pulls can grow in a step."""
FALL = 1e-3
"""Relative fall of a margin in one step that is never accepted: kinks of many units may have flipped together."""
HOPELESS = 2.0**-50
"""If a step cannot be taken even at this fraction of its usual length, the flow has stalled and ends."""
SETTLE = 8
"""Iterations for the first pull at temperature 0, on which the length of the first step depends."""
STILL = 1e-20
"""Squared speed, relative to what one datum alone would cause, that counts as none."""
SECOND_ORDER = 1e-3
"""Times growth²: the relative fall of min q/|θ|² at temperature 0 that counts as an error of the step."""


@dataclass
class Units:
    """Units in motion: weights, where they are active, the datum on their kink (-1: none)."""

    w: Array
    b: Array
    v: Array
    codes: Codes
    contacts: Codes

    def copy(self) -> Units:
        return Units(self.w.copy(), self.b.copy(), self.v.copy(), self.codes.copy(), self.contacts.copy())

    @property
    def imbalance(self) -> Array:
        """v² - w² - b²: conserved along gradient flow for every choice of Clarke derivatives."""
        found: Array = self.v**2 - self.w**2 - self.b**2
        return found


@dataclass(frozen=True)
class Sample:
    """Increasing inputs and labels ±1."""

    x: Array
    y: Array

    @property
    def size(self) -> int:
        return len(self.x)


@dataclass
class Course:
    """What a flow left behind.

    reason   "target", "steps", "stationary" (the gradient vanishes although data are misclassified), or "stalled"
             (no step was short enough)
    records  one row per step: log q_min (nan where it is negative), log L, min q/|θ|², smoothed margin, log |θ|
    counts   crossings, starts of sliding, releases, branchings, units held for a step on a datum
    falls    steps after which a margin that must not fall had fallen although the step was the shortest allowed
    """

    units: Units
    q: Array
    reason: str
    records: list[tuple[float, float, float, float, float]] = field(default_factory=list)
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(5, np.int64))
    falls: int = 0

    @property
    def margins(self) -> Array:
        """min q/|θ|² after every step."""
        return np.array([row[2] for row in self.records])

    @property
    def smoothed_margins(self) -> Array:
        """ℓ⁻¹(nL)/|θ|² after every step."""
        return np.array([row[3] for row in self.records])


def sample(x: Sequence[float] | Array, labels: Sequence[int] | Array) -> Sample:
    """Data for a flow. Raises DataError."""
    at, y = np.asarray(x, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    if at.ndim != 1 or at.shape != y.shape or not at.size:
        raise DataError(f"x and labels need one shape (n,), n >= 1: got {at.shape} and {y.shape}")
    if not np.isfinite(at).all() or (np.diff(at) <= 0).any():
        raise DataError("x must be finite and increase")
    if not np.isin(y, (-1.0, 1.0)).all():
        raise DataError(f"labels must be 1 or -1: got {y[~np.isin(y, (-1.0, 1.0))][0]}")
    return Sample(at, y)


def units(w: Array, b: Array, v: Array, data: Sample) -> Units:
    """Units at the start of a flow. Raises DataError."""
    arrays = [np.array(a, dtype=np.float64) for a in (w, b, v)]
    w, b, v = arrays
    if any(a.ndim != 1 or a.shape != arrays[0].shape for a in arrays) or not arrays[0].size:
        raise DataError("w, b and v need one number per unit, and at least one unit")
    if not all(np.isfinite(a).all() for a in arrays):
        raise DataError("the weights of a network must be finite")
    codes = codes_of(w, b, data.x)
    return Units(w, b, v, codes, np.full(len(codes), -1, np.int32))


def margins_and_gram(state: Units, data: Sample) -> tuple[Array, Array, float]:
    """q_i = y_i f(x_i), G_il = y_i y_l ∇f(x_i)·∇f(x_l) along the motions that are free, |θ|²."""
    n, x, y = data.size, data.x, data.y
    sums, norm = moments(state.w, state.b, state.v, state.codes, state.contacts, n)
    right = np.cumsum(sums[:n], axis=0)  # the units active from x_m on with m <= i
    left = np.zeros((n, 5))  # those active before x_m with m > i
    if n > 1:
        left[: n - 1] = np.cumsum(sums[n + 1 :][::-1], axis=0)[::-1]
    both = right + left
    q = y * (both[:, 0] * x + both[:, 1])
    low, high = np.minimum.outer(np.arange(n), np.arange(n)), np.maximum.outer(np.arange(n), np.arange(n))
    C = right[low] + left[high]
    G = C[..., 2] * np.outer(x, x) + C[..., 3] * np.add.outer(x, x) + C[..., 4]
    return q, np.outer(y, y) * G, norm


def directions(p: Array, data: Sample) -> Array:
    """s = Σ p_i y_i x̃_i over the active data, for every code: (2n, 2)."""
    n = data.size
    rows = (p * data.y)[:, None] * np.stack([data.x, np.ones(n)], axis=1)
    S = np.zeros((2 * n, 2))
    S[:n] = np.cumsum(rows[::-1], axis=0)[::-1]
    S[n + 1 :] = np.cumsum(rows, axis=0)[:-1]
    return S


def flow(
    start: Units,
    data: Sample,
    *,
    temperature: int,
    loss: str = "exponential",
    branch: Branch = "active",
    growth: float = GROWTH,
    steps: int = 2000,
    until: Callable[[Units, Array, float], bool] | None = None,
) -> Course:
    """Follow the flow until `until(units, margins, |θ|²)` holds, for at most `steps` steps.

    temperature  1: gradient flow; 0: the late-phase surrogate, which needs all margins to be positive at the start
    loss         "exponential" or "logistic"; at temperature 0 they agree
    branch       what a unit does on a datum that pushes its kink away to both sides
    growth       relative growth of q_min (of -log L at temperature 1) that a step aims at
    """
    law = MARGIN_LOSSES[loss]
    state, course = start.copy(), Course(start, np.zeros(0), "steps")
    q, G, norm = margins_and_gram(state, data)
    if temperature == 0 and q.min() <= 0:
        raise DataError("the late phase begins where all data are classified: some margin is not positive")
    p = forces(law, q)
    for _ in range(0 if temperature else SETTLE):
        p = at_zero_temperature(G, q, growth * float(q.min()) / max(float(p @ G @ p), 1e-300), p)
    part, allowed = 1.0, ROUNDING if temperature else SECOND_ORDER * growth**2
    for _ in range(steps):
        if until is not None and until(state, q, norm):
            course.reason = "target"
            break
        speed = float(p @ G @ p)
        if speed <= STILL * float(np.diag(G).max()):
            course.reason = "stationary"
            break
        height = float(q.min()) if temperature == 0 else max(1.0, -log_mean_loss(law, q))
        step = growth * min(height / speed, 0.5 * np.sqrt(norm / speed))
        while True:
            trial = _step(state, data, q, G, p, part * step, temperature, loss, BRANCHES[branch])
            rises = trial is not None and _rises(law, temperature, allowed, (q, norm), (trial[1], trial[3]))
            small = trial is not None and _rises(law, temperature, FALL, (q, norm), (trial[1], trial[3]))
            if rises or (part <= SHORTEST[temperature] and small) or part < HOPELESS:
                break
            part /= 2
        if trial is None or not small:
            course.reason = "stalled"
            break
        course.falls += not rises
        state, q, G, norm, p, counts = trial
        course.counts += counts
        part = min(1.0, 2 * part)
        low = float(q.min())
        course.records.append(
            (
                float(np.log(low)) if low > 0 else np.nan,
                log_mean_loss(law, q),
                low / norm,
                smoothed_margin(law, q, norm),
                0.5 * float(np.log(norm)),
            )
        )
    course.units, course.q = state, q
    return course


def norm_of(state: Units) -> float:
    """|θ|."""
    return float(np.sqrt(state.w @ state.w + state.b @ state.b + state.v @ state.v))


def _step(
    state: Units, data: Sample, q: Array, G: Array, p: Array, step: float, temperature: int, loss: str, branch: int
) -> tuple[Units, Array, Array, float, Array, NDArray[np.int64]] | None:
    """One step: units, margins, Gram matrix, |θ|², pull and counts after it; None if it is too long."""
    law = MARGIN_LOSSES[loss] if temperature else None
    found = _pull(law, G, q, step, p)
    if found is None:
        return None
    p = found
    held = np.zeros(len(state.v), np.bool_)
    leaving, inside = _leaving(state, data, p)
    if leaving.size:
        free = state.copy()
        _let_go(free, data, leaving, inside)
        other_q, other_G, _ = margins_and_gram(free, data)
        other = _pull(law, other_G, other_q, step, p)
        again = np.zeros(0, np.int64) if other is None else _leaving(state, data, other)[0]
        held[np.setdiff1d(leaving, again)] = True
        if other is not None and not held.any():
            p = other
    S = directions(p, data)
    if (
        step * float(np.sqrt(max(float(p @ G @ p), 0.0))) > LEAP * norm_of(state)
        or step * float(np.abs(S).max()) > 2 * LEAP
    ):
        return None
    after = state.copy()
    counts = move(after.w, after.b, after.v, after.codes, after.contacts, held, data.x, p * data.y, S, step, branch)
    q, G, norm = margins_and_gram(after, data)
    return (after, q, G, norm, p, counts) if np.isfinite(G).all() else None


def _pull(law: MarginLoss | None, G: Array, q: Array, step: float, guess: Array) -> Array | None:
    return at_zero_temperature(G, q, step, guess) if law is None else at_temperature_one(law, G, q, step, guess)


def _leaving(state: Units, data: Sample, p: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sliding units that this pull releases, because one side has begun to pull away, and whether to the active side.

    Many units slide along one datum, and releasing them changes the pull. If the new pull would bring them back at once
    they are held for the step: otherwise they would leave and return in turn.
    """
    at = np.flatnonzero((state.contacts >= 0) & (state.codes != data.size))
    i, v = state.contacts[at], state.v[at]
    S = directions(p, data)[state.codes[at]]
    along = S[:, 0] * data.x[i] + S[:, 1]
    out, into = v * along, v * (along + p[i] * data.y[i] * (data.x[i] ** 2 + 1))
    lets = ~((out > 0) & (into < 0)) & ~((out < 0) & (into > 0))
    return at[lets], (out + into > 0)[lets]


def _let_go(state: Units, data: Sample, which: NDArray[np.int64], inside: NDArray[np.bool_]) -> None:
    n, i, codes = data.size, state.contacts[which], state.codes[which]
    right = codes == i + 1
    active = np.where(right, i, np.where(i + 1 == n, 0, n + i + 1))
    state.codes[which] = np.where(inside, active, codes)
    state.contacts[which] = -1


def _rises(
    law: MarginLoss, temperature: int, allowed: float, before: tuple[Array, float], after: tuple[Array, float]
) -> bool:
    """Whether the margin (the loss, while data may be misclassified) goes the right way."""
    if temperature == 0:
        old, new = float(before[0].min()) / before[1], float(after[0].min()) / after[1]
        return new >= old * (1 - allowed) and new > 0
    small = log_mean_loss(law, before[0]) + np.log(len(before[0])) < np.log(law.at_zero)
    if small:
        old, new = smoothed_margin(law, *before), smoothed_margin(law, *after)
        return new >= old - allowed * abs(old)
    return log_mean_loss(law, after[0]) <= log_mean_loss(law, before[0])
