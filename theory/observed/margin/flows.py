"""Samples, teachers, the constants of Theorems 3.1 and 2.3, and training in three stages:
early   gradient flow itself up to L <= 1/(2n), by a-priori bounds that include the motion of the hidden layer;
hand-on the same flow with frozen features, accurate to (|v|/|(w, b)|)² <= 1e-8, until that bound is reached;
late    the zero-temperature surrogate with a given branch rule, up to a KKT point that a kernel certifies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, log, sqrt
from typing import Any

from .frozen_features import separate

COLD_MARGIN = 1e6
"""Smallest margin to which the flow with frozen features is followed."""
RATIO = 1e-4
"""|v|/|(w, b)| at which the full late phase replaces the flow with frozen features."""


@dataclass(frozen=True)
class Setting:
    """One instance of Assumption 2.2 with a failure probability δ: segments of [-R, R] with alternating labels.

    cuts     where the labels change, increasing; there is one more segment than cuts
    first    the label of the first segment
    density  "uniform" on [-R, R], or "tent": (R - |x|)/R²
    """

    r: int
    n: int
    R: Fraction
    cuts: tuple[Fraction, ...]
    first: int
    density: str
    delta: Fraction
    loss: str

    @property
    def rho(self) -> Fraction:
        ends = (-self.R, *self.cuts, self.R)
        return min(b - a for a, b in pairwise(ends))

    @property
    def densest(self) -> Fraction:
        """The largest value of the density."""
        return 1 / (2 * self.R) if self.density == "uniform" else 1 / self.R

    def to_json(self) -> dict[str, Any]:
        return {
            "r": self.r, "n": self.n, "R": str(self.R), "cuts": [str(c) for c in self.cuts], "first": self.first,
            "density": self.density, "delta": str(self.delta), "loss": self.loss,
        }  # fmt: skip

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Setting:
        cuts = tuple(Fraction(c) for c in d["cuts"])
        return cls(d["r"], d["n"], Fraction(d["R"]), cuts, d["first"], d["density"], Fraction(d["delta"]), d["loss"])


def equal(r: int, n: int, loss: str, delta: str = "1/2", R: str = "1", first: int = -1, density: str = "uniform",
          unequal: bool = False) -> Setting:  # fmt: skip
    """A setting with r label changes: equal segments or, if `unequal`, lengths in the proportion 1 : 2 : 1 : 2 …"""
    width = Fraction(R)
    lengths = [Fraction(1 + (unequal and i % 2)) for i in range(r + 1)]
    total = sum(lengths)
    cuts = tuple(-width + 2 * width * sum(lengths[: i + 1]) / total for i in range(r))
    return Setting(r, n, width, cuts, first, density, Fraction(delta), loss)


def teacher(setting: Setting) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """w, b, v of a network of width r whose sign is the label; it is 0, with sign -1, on the first negative segment.

    On each side of that segment there is one unit per label change: the first has its kink at the cut, each later one
    halfway between two cuts, so that the next zero is at the next cut.
    """
    cuts, w, b, v = setting.cuts, list[Fraction](), list[Fraction](), list[Fraction]()
    flat = 0 if setting.first < 0 else 1  # the segment before cut number `flat`
    for side, places in ((1, list(cuts[flat:])), (-1, [-c for c in reversed(cuts[:flat])])):
        slope = value = Fraction(0)
        for number, place in enumerate(places):
            if number == 0:
                kink, jump = place, Fraction(1)
            else:
                before = places[number - 1]
                kink = (before + place) / 2
                value = slope * (kink - before)
                jump = -value / (place - kink) - slope
            slope += jump
            w.append(Fraction(side))
            b.append(-kink)
            v.append(jump)
    return w, b, v


def label(setting: Setting, x: float) -> int:
    """The sign of the teacher at x; -1 on a cut, where the teacher is 0."""
    if x in [float(c) for c in setting.cuts]:
        return -1
    changes = sum(x > float(c) for c in setting.cuts)
    return setting.first if changes % 2 == 0 else -setting.first


def width_needed(setting: Setting, factor: int = 24) -> int:
    """The least k allowed by (3), or by Theorem 2.3 if the factor is 48."""
    return ceil(6144 * float(setting.R) ** 4 * log(factor * setting.r / float(setting.delta)) / float(setting.rho))


def scales(setting: Setting, k: int, doubled: bool = False) -> tuple[float, float]:
    """σ_h and σ_o for width k, from (3) or, if `doubled`, from Theorem 2.3."""
    R, delta = float(setting.R), float(setting.delta) / (2 if doubled else 1)
    sigma_h = 4200 * setting.n**2 * float(setting.densest) * R**3.5 * sqrt(setting.r * k) / (delta * float(setting.rho))
    return sigma_h, 1 / (4 * k * R * sigma_h * log(6 * k / delta))


def draw(setting: Setting, k: int, seed: int, doubled: bool = False) -> tuple[Any, Any, tuple[float, float]]:
    """Units and sample of a run, and (σ_h, σ_o)."""
    import numpy as np

    from implicitbias.training.flows.classification_flow import sample, units

    rng = np.random.default_rng(seed)
    R = float(setting.R)
    x = rng.uniform(-R, R, setting.n)
    if setting.density == "tent":
        x = R * (rng.uniform(size=setting.n) - rng.uniform(size=setting.n))
    x = np.sort(x)
    data = sample(x, [label(setting, at) for at in x])
    sigma_h, sigma_o = scales(setting, k, doubled)
    w, b = sigma_h * rng.normal(size=(2, k))
    return units(w, b, sigma_o * rng.normal(size=k), data), data, (sigma_h, sigma_o)


def early_run(setting: Setting, k: int, seed: int) -> dict[str, Any]:
    """Check Theorem 3.1 for one draw: whether a-priori bounds give L <= 1/(2n), and the time from the integrator, if it
    gets there.
    """
    import numpy as np

    from implicitbias.training.flows.early_phase import certificate, frozen_flow

    state, data, (sigma_h, sigma_o) = draw(setting, k, seed)
    target = 1 / (2 * setting.n)
    found = certificate(state, data, setting.loss, target)
    time = frozen_flow(state, data, setting.loss, target).reached if found.reached else np.nan
    return {
        "seed": seed, "k": k, "sigma_h": sigma_h, "sigma_o": sigma_o, "classes": len(np.unique(data.y)),
        "reached": found.reached, "reason": found.reason, "drift": found.drift, "parting": found.parting,
        "bound of L n": float(np.exp(found.log_loss)) * setting.n if found.reached else None,
        "time": found.time, "time of the integrator": None if np.isnan(time) else time,
    }  # fmt: skip


def late_run(setting: Setting, k: int, seed: int, branch: str = "active", growth: float = 0.05) -> dict[str, Any]:
    """Run from a draw with the σ_h, σ_o of Theorem 2.3 to a certified KKT point, counting regions at every stage."""
    import numpy as np

    from implicitbias.functions.regions import linear_regions
    from implicitbias.training.flows.early_phase import certificate, frozen_flow
    from implicitbias.training.flows.limit import largest_dual, late_limit

    state, data, (sigma_h, sigma_o) = draw(setting, k, seed, doubled=True)
    found = certificate(state, data, setting.loss, 1 / (2 * setting.n))
    one = frozen_flow(state, data, setting.loss, 1 / (2 * setting.n))
    two = frozen_flow(state, data, setting.loss, 1 / (2 * setting.n), margin=COLD_MARGIN, ratio=RATIO)
    lazy = float(np.abs(one.units.v).max() / np.hypot(state.w, state.b).min())
    limit = late_limit(two.units, data, [Fraction(float(at)) for at in data.x], branch, growth, steps=1500)  # type: ignore[arg-type]
    live = limit.course.units
    moved = np.arctan2(live.b, live.w) - np.arctan2(state.b, state.w)
    strong = np.abs(live.v) * np.hypot(live.w, live.b)
    best, point = int(strong.argmax()), limit.point
    document = point.certificate() if point else None
    return {
        "seed": seed, "k": k, "sigma_h": sigma_h, "sigma_o": sigma_o, "classes": len(np.unique(data.y)),
        "switches": int((data.y[1:] != data.y[:-1]).sum()), "reached": found.reached,
        "regions at the start": linear_regions(state).exact, "regions after stage one": linear_regions(one.units).exact,
        "regions, output only": linear_regions(two.units).exact,
        "|v|/|u| after stage one": lazy, "growth": limit.growth, "falls": limit.falls,
        "branchings": limit.counts[3], "hand-over": two.reason,
        "turned": float(np.abs(np.sin(moved[best] / 2)) * 2), "drift": found.drift,
        "|v|/|u| at the end": float(np.abs(live.v[best]) / np.hypot(live.w[best], live.b[best])),
        "kept": float((strong > 1e-3 * strong[best]).mean()),
        "status": limit.limit.status, "reason": limit.limit.reason,
        "kinks": [document["claim"][f"kinks_at_{end}"] for end in ("least", "most")] if document else None,
        "largest dual": float(largest_dual(point)) ** 0.5 if point else None, "certificate": document,
    }  # fmt: skip


def narrow_run(setting: Setting, k: int, seed: int, steps: int) -> dict[str, Any] | None:
    """Run at most `steps` steps of the flow itself from a draw of k units; None if the sample misses a switch."""
    import numpy as np

    state, data, _ = draw(setting, k, seed)
    if int((data.y[1:] != data.y[:-1]).sum()) < setting.r:
        return None
    course, reached = first_phase(state, data, setting.loss, 1 / (2 * setting.n), steps)
    return {"classes": len(np.unique(data.y)), "reached": reached, "reason": course.reason, "drift": 0.0}


def first_phase(state: Any, data: Any, loss: str, level: float, steps: int) -> tuple[Any, bool]:
    """The flow itself for at most `steps` steps, or until the mean loss is `level` or less; and whether it is."""
    from implicitbias.training.flows.classification_flow import flow
    from implicitbias.training.flows.margin_losses import MARGIN_LOSSES, log_mean_loss

    law = MARGIN_LOSSES[loss]

    def there(_: Any, q: Any, __: float) -> bool:
        return log_mean_loss(law, q) <= log(level)

    course = flow(state, data, temperature=1, loss=loss, steps=steps, until=there)
    return course, there(None, course.q, 0.0)


def frozen_features_separate(setting: Setting, k: int, seed: int) -> bool:
    """Whether output weights on the hidden layer of a draw classify its sample, by a linear programme in rationals."""
    state, data, _ = draw(setting, k, seed)
    return separate(state.w, state.b, data.x, data.y)
