"""The KKT point of the margin problem that the late phase of a flow approaches, certified.

Units of one sign that are active at the same data (and slide along the same datum) act on the data as one: along the
limit they all turn into one direction s with |s| = 1, or vanish next to the others. So they are merged, v(w, b) summed,
and the merged network is passed to `convex.kkt.limit`, whose answer the trusted kernel decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.convex.kkt.dual import DualFunction
from implicitbias.convex.kkt.limit import Limit, kkt_limit
from implicitbias.training.flows.classification_flow import Course, Units, flow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.convex.kkt.points import KKTPoint
    from implicitbias.exact.rational import Real
    from implicitbias.training.flows.classification_flow import Branch, Sample

    Array = NDArray[np.float64]

LOOKS = (12.0, 18.0, 25.0, 35.0, 50.0, 80.0, 120.0, 170.0)
"""Growths of log q_min at which the flow is compared with certified KKT points."""
TOLERANCES = (1e-4, 1e-5, 1e-3)
"""Tolerances tried in turn when guessing the KKT point; the certificate does not depend on them."""
SETTLED, FASTEST = 50.0, 0.25
"""Beyond this growth of log q_min, q_min grows by FASTEST in a step: few units cross data so late."""


@dataclass(frozen=True)
class MergedUnits:
    """w, b, v of one unit per class: balanced, v² = w² + b²."""

    w: Array
    b: Array
    v: Array


@dataclass(frozen=True)
class FlowLimit:
    """What the surrogate of the late phase arrived at.

    limit    the certified KKT point, or why there is none
    course   the last stretch of the late phase
    merged   the classes of units that were offered
    growth   by how much log q_min grew until then
    counts   over all stretches: crossings, starts of sliding, releases, branchings, holds
    falls    over all stretches: steps after which min q/|θ|² had fallen by more than the step's error
    """

    limit: Limit
    course: Course
    merged: MergedUnits
    growth: float
    counts: tuple[int, ...]
    falls: int

    @property
    def point(self) -> KKTPoint | None:
        """The certified KKT point."""
        return self.limit.point if self.limit.status == "certified" else None


def merged(units: Units, size: int) -> MergedUnits:
    """One unit per class (sign of v, where active, datum on the kink), with Σ v(w, b) kept; dead units are left out.

    size  the number of data
    """
    live = np.flatnonzero((units.codes != size) & (units.v != 0))
    key = (units.codes[live].astype(np.int64) * (size + 1) + units.contacts[live] + 1) * 2 + (units.v[live] > 0)
    _, place = np.unique(key, return_inverse=True)
    count = int(place.max()) + 1 if len(live) else 0
    sums = [np.bincount(place, np.abs(units.v[live]) * part[live], count) for part in (units.w, units.b)]
    sign = np.sign(np.bincount(place, units.v[live], count))
    length = np.hypot(*sums)
    root = np.sqrt(np.where(length > 0, length, 1.0))
    return MergedUnits(sums[0] / root, sums[1] / root, sign * np.sqrt(length))


def late_limit(
    start: Units, data: Sample, x: Sequence[Real], branch: Branch = "active", growth: float = 0.05, steps: int = 3000
) -> FlowLimit:
    """Follow the late-phase surrogate until a KKT point nearby is certified, or to the last of LOOKS.

    x      the inputs as exact numbers: the certificate is about them
    steps  maximum number of steps in total
    """
    state, begun, limit = start, None, None
    course, together = Course(start, np.zeros(0), "steps"), merged(start, data.size)
    labels = [int(label) for label in data.y]
    counts, falls, taken = np.zeros(5, np.int64), 0, 0
    for look in LOOKS:
        if begun is None:
            first = flow(state, data, temperature=0, branch=branch, growth=growth, steps=1)
            begun, state, counts = float(np.log(first.q.min())), first.units, first.counts
        aim = begun + look

        def there(_: Units, q: Array, __: float, aim: float = aim) -> bool:
            return bool(np.log(q.min()) >= aim)

        pace = growth if look <= SETTLED else max(growth, FASTEST)
        course = flow(state, data, temperature=0, branch=branch, growth=pace, steps=steps - taken, until=there)
        taken += len(course.records)
        state, counts, falls = course.units, counts + course.counts, falls + course.falls
        together = merged(state, data.size)
        for tolerance in TOLERANCES:
            limit = kkt_limit(together, x, labels, tolerance)
            if limit.status == "certified":
                return FlowLimit(limit, course, together, look, tuple(counts.tolist()), falls)
        if course.reason != "target":
            break
    assert limit is not None
    return FlowLimit(limit, course, together, look, tuple(counts.tolist()), falls)


def largest_dual(point: KKTPoint) -> Fraction:
    """sup D(u)² over |u| = 1, D(u) = Σ λ_i y_i [u·x̃_i]_+, for the multipliers written in the point.

    At most 1 iff the point is a global optimum: every network with margins >= 1 has ½|θ|² >= Σ λ_i/sup|D|, and Σ λ_i is
    ½|θ|² at the point. For a point known up to a radius this is as accurate as the radius; `convex.kkt.dual` decides.
    """
    return DualFunction(point.x, point.labels, point.multipliers).largest_square
