"""The function of a two-layer network of one input, output by output, exactly: kinks, slopes, representation cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact.dyadic import product, total, totals
from implicitbias.functions.network import Network
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.networks.quantity import LISTED, Quantity, Section
from implicitbias.networks.rays import Groups, same_rays
from implicitbias.networks.weights import Weights, group_of, signs_of_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Line:
    """One output of a network of one input: f(x) = Σ v_j [w_j x + b_j]_+ + c. Vectorised: 10⁶ units take a second."""

    def __init__(self, weights: Weights, output: int = 0) -> None:
        v = weights.v[:, output]
        at = np.flatnonzero((weights.w[:, 0] != 0) & (v != 0))
        self.w, self.b, self.v = weights.w[at, 0], weights.b[at], v[at]
        flat = weights.w[:, 0] == 0
        self.c = Fraction(float(weights.c[output])) + total(product(v[flat], np.maximum(weights.b[flat], 0.0)))

    @cached_property
    def places(self) -> Groups:
        """Units by their kinks, from right to left: -b/w increases where (|w|, b sign w) turns down."""
        return same_rays(np.column_stack([np.abs(self.w), self.b * np.sign(self.w)]))

    @cached_property
    def signs(self) -> Array:
        """The sign of the slope's change at each place: 0 where the bends of all units there cancel."""
        return signs_of_sums(self.v, self.w, self.places)

    @property
    def kinks(self) -> int:
        """The number of places where the slope changes."""
        return int(np.count_nonzero(self.signs))

    @property
    def cancelled(self) -> int:
        """The number of places where units bend and the slope does not change."""
        return len(self.places) - self.kinks

    @cached_property
    def variation(self) -> Fraction:
        """T = ∫|f″| = Σ over places of |Σ v|w||."""
        return total(product(self.v * self.signs[group_of(self.places)], np.abs(self.w)))

    @cached_property
    def end_slopes(self) -> tuple[Fraction, Fraction]:
        """(f′(-∞), f′(+∞))."""
        left, right = (total(product(self.v[side], self.w[side])) for side in (self.w < 0, self.w > 0))
        return left, right

    @property
    def cost(self) -> Fraction:
        """R̄(f) = max(T, |s|), s the sum of the end slopes."""
        return max(self.variation, abs(sum(self.end_slopes, Fraction(0))))

    @cached_property
    def kink_places(self) -> Array:
        """The kinks from left to right, rounded to doubles."""
        first = self.places.first[self.signs != 0][::-1]
        found: Array = -self.b[first] / self.w[first] + 0.0
        return found

    def first_kinks(self, count: int) -> list[tuple[Fraction, Fraction]]:
        """(place, change of slope) of the kinks furthest to the left, exactly."""
        found = []
        for group in np.flatnonzero(self.signs)[::-1][:count].tolist():
            there = self.places.members(group)
            place = -Fraction(self.b[there[0]].item()) / Fraction(self.w[there[0]].item())
            found.append((place, total(product(self.v[there], np.abs(self.w[there])))))
        return found

    @cached_property
    def function(self) -> PiecewiseLinear:
        """The function with a knot at every kink; about 10 µs a unit."""
        return Network(self.w.tolist(), self.b.tolist(), self.v.tolist(), self.c).to_piecewise_linear()

    def values(self, x: Sequence[Fraction]) -> list[Fraction]:
        """f(x) for increasing x, exactly: O((n + M) log(n + M)).

        A unit at its own kink is 0, active or not; so where the rounded kink is a rounded x, exact numbers decide, and
        elsewhere doubles do.
        """
        rounded = np.array([float(at) for at in x])
        kinks = -self.b / self.w
        before = np.searchsorted(rounded, kinks, side="left")  # the number of x to the left of the kink
        beside = np.minimum(before, len(x) - 1)
        for j in np.flatnonzero(rounded[beside] == kinks).tolist():
            exactly = -Fraction(self.b[j].item()) / Fraction(self.w[j].item())
            while before[j] < len(x) and x[before[j]] < exactly:
                before[j] += 1
        slopes, offsets = product(self.v, self.w), product(self.v, self.b)
        sums = []
        for terms in (slopes, offsets):
            rows = []
            for side in (self.w > 0, self.w < 0):
                part = type(terms)(terms.high[side], terms.low[side], terms.exponent[side])
                rows.append(totals(part, before[side].astype(np.int64), len(x) + 1))
            sums.append(rows)
        found = []
        active = [sum(rows[1], Fraction(0)) for rows in sums]  # all left units, left of everything
        for k, at in enumerate(x):
            for n, rows in enumerate(sums):
                active[n] += rows[0][k] - rows[1][k]
            found.append(active[0] * at + active[1] + self.c)
        return found


def section(lines: Sequence[Line]) -> Section:
    """What is said of every output's function."""
    return Section(
        "Function of one input", tuple(q for k, line in enumerate(lines) for q in _quantities(line, k, lines))
    )


def _quantities(line: Line, output: int, lines: Sequence[Line]) -> Iterator[Quantity]:
    several = len(lines) > 1
    key, name = (f"_{output + 1}", f" of output {output + 1}") if several else ("", "")
    yield Quantity(
        f"representation_cost{key}",
        f"R̄(f){name}",
        line.cost,
        "max(T, |s|), the least ½ Σ of all networks that are f",
        "exact",
    )
    yield Quantity(f"variation{key}", "T", line.variation, "∫|f″|, the slope's changes added up", "exact")
    left, right = line.end_slopes
    yield Quantity(f"end_slopes{key}", "end slopes", (left, right), "f′(-∞), f′(+∞); s is their sum", "exact")
    cancelled = f"; at {line.cancelled} more places units bend and cancel" if line.cancelled else ""
    yield Quantity(f"kinks{key}", "kinks", line.kinks, "places where the slope changes", f"exact{cancelled}")
    yield Quantity(f"regions{key}", "linear regions", line.kinks + 1, "kinks + 1")
    if line.kinks:
        places, changes = zip(*line.first_kinks(LISTED), strict=True)
        more = f"the first {LISTED} of {line.kinks}" if line.kinks > LISTED else "from left to right"
        yield Quantity(f"kink_places{key}", "at", places, "-b/w", more)
        yield Quantity(f"kink_jumps{key}", "changes", changes, "Σ v|w| over the units there", more)
    if several and output == len(lines) - 1:
        note = "what several outputs cost together has no formula here: each is costed on its own"
        yield Quantity("representation_cost_together", "R̄ of all outputs", None, "", note)
