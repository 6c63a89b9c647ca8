"""Problem (10) of Stewart et al. (2022): the classifier of least group norm with margin one, between exact bounds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.line import exact_numbers, kink_range
from implicitbias.convex.margin.attempts import attempts
from implicitbias.convex.margin.bounds import (
    Grid,
    Multipliers,
    Ramps,
    dual_squares,
    feasible_multipliers,
    feasible_ramps,
)
from implicitbias.convex.margin.certificate import margin_certificate
from implicitbias.convex.margin.decision_regions import decision_regions
from implicitbias.convex.ramps.supports import classification_support
from implicitbias.errors import DataError, UnsolvedError
from implicitbias.exact.rational import Real, decimal_text, exact
from implicitbias.shown.shown import Shown

MOST = 80_000
"""Points that matter times classes that occur: more is refused (about ten minutes and some gigabytes)."""
GAP = Fraction(5, 10**9)
"""Bounds further apart than this, relatively, lead to another attempt."""


@dataclass(frozen=True)
class GroupRamp:
    """x -> weights·[s(x - kink)]_+ in R^k, s = side: +1 for a right ramp, -1 for a left one."""

    side: int
    kink: Fraction
    weights: tuple[Fraction, ...]

    @property
    def norm(self) -> float:
        """‖weights‖."""
        return sqrt(sum(float(w) ** 2 for w in self.weights))


@dataclass(frozen=True, repr=False)
class MaxMargin(Shown):
    """An exact feasible classifier and an exact feasible dual: lower <= the optimum of problem (10) <= upper.

    x, labels   the data; classes  the k classes in order, each label is one of them
    kinks   (A, B), the range of the kinks
    primal  f_{y_i}(x_i) - f_l(x_i) >= 1 for all i and l != y_i, exactly; Σ‖weights‖ <= primal.upper
    dual    β_il >= 0 for positions (i, l): α_i = Σ_l β_il (e_{y_i} - e_l), ‖Σ_i α_i φ_u(x_i)‖ <= 1 for all u, exactly
    status  what the solver said; nothing rests on it
    """

    x: tuple[Fraction, ...]
    labels: tuple[Hashable, ...]
    classes: tuple[Hashable, ...]
    kinks: tuple[Fraction, Fraction]
    primal: Ramps
    dual: Multipliers
    status: str

    def _quantities(self) -> dict[str, Any]:
        bounds = {"lower": self.lower, "upper": self.upper, "margin": self.margin}
        return {"data": len(self.x), "classes": len(self.classes), **bounds}

    @property
    def lower(self) -> Fraction:
        return self.dual.lower

    @property
    def upper(self) -> Fraction:
        return self.primal.upper

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return float((self.lower + self.upper) / 2)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper."""
        return (self.upper - self.lower) / self.upper

    @property
    def margin(self) -> float:
        """1/value: the largest margin of a classifier of norm one, which trained networks approach from below."""
        return 1 / self.value

    @property
    def positions(self) -> tuple[int, ...]:
        """The labels as positions in `classes`."""
        place = {name: n for n, name in enumerate(self.classes)}
        return tuple(place[label] for label in self.labels)

    @property
    def support(self) -> tuple[int, ...]:
        """J_class: the positions in x of R_class (`ramps.supports.classification_support`)."""
        return classification_support(self.labels)

    @cached_property
    def ramps(self) -> tuple[GroupRamp, ...]:
        """The classifier; an interior-point solver leaves faint weights where no optimum has kinks: see `active`."""
        unit = self.primal.unit
        return tuple(
            GroupRamp(side, kink, tuple(unit * w for w in weights)) for side, kink, weights in self.primal.ramps
        )

    @cached_property
    def beta(self) -> dict[tuple[int, int], Fraction]:
        """The dual multipliers that are not 0."""
        return {place: self.dual.unit * value for place, value in self.dual.beta.items()}

    @cached_property
    def dual_norms(self) -> dict[tuple[int, Fraction], float]:
        """‖Σ_i α_i φ_u(x_i)‖ for u = (s, c), c = A, B or in the data: at most 1, and 1 at every kink of an optimum."""
        grid = Grid.of(self.x, self.kinks)
        unit = self.dual.unit / grid.scale
        squares = dual_squares(grid, self.positions, len(self.classes), self.dual.beta)
        return {(side, Fraction(kink, grid.scale)): sqrt(float(unit**2 * square)) for (side, kink), square in squares}

    def active(self, tolerance: float = 1e-5) -> tuple[tuple[int, Fraction], ...]:
        """The (s, c) of `dual_norms` within the tolerance of 1: the only kinks at data that an optimum appears to use.

        A numerical verdict: the dual is optimal only to within the gap.
        """
        return tuple(u for u, norm in self.dual_norms.items() if norm > 1 - tolerance)

    def excess(self) -> dict[tuple[int, Fraction], Fraction]:
        """The largest weight that a kink with dual norm ν < 1 can have in any optimum: (upper - lower)/(1 - ν).

        From Σ_u ‖w_u‖(1 - ν_u) <= V - lower: rigorous. Kinks with ν = 1 are left out.
        """
        room = self.upper - self.lower
        # dual norms are rounded to doubles: one unit in the last place is taken off what is left to 1
        return {
            u: room / (Fraction(1 - norm) - Fraction(1, 2**50))
            for u, norm in self.dual_norms.items()
            if norm < 1 - 2.0**-49
        }

    def scores(self, x: Real) -> tuple[Fraction, ...]:
        """f(x) in R^k, exactly."""
        at, total = exact(x), [Fraction(0)] * len(self.classes)
        for ramp in self.ramps:
            height = ramp.side * (at - ramp.kink)
            if height > 0:
                total = [t + w * height for t, w in zip(total, ramp.weights, strict=True)]
        return tuple(total)

    @overload
    def classify(self, x: Real) -> Hashable: ...
    @overload
    def classify(self, x: NDArray[np.float64]) -> NDArray[np.object_]: ...
    def classify(self, x: Real | NDArray[np.float64]) -> Hashable | NDArray[np.object_]:
        """The class of largest score, the first of them in case of a tie; of each entry of an array."""
        if isinstance(x, np.ndarray):
            found = np.empty(x.shape, dtype=np.object_)
            for at, place in np.ndenumerate(x):
                found[at] = self.classify(float(place))
            return found
        scores = self.scores(x)
        return self.classes[scores.index(max(scores))]

    def regions(self) -> tuple[tuple[Fraction, Fraction, Hashable], ...]:
        """(from, to, class) for x from A to B: where each class has the largest score; ends rounded to 2^-60 of B - A.

        Exact inside each linear piece of f; pieces in which a class leads for less than the rounding are left out.
        """
        ramps = [(ramp.side, ramp.kink, ramp.weights) for ramp in self.ramps]
        return tuple(
            (start, end, self.classes[n]) for start, end, n in decision_regions(ramps, len(self.classes), self.kinks)
        )

    def certificate(self) -> dict[str, Any]:
        """The proof of lower <= optimum <= upper as a document for `certificate.kernel`."""
        return margin_certificate(self.x, self.positions, len(self.classes), self.kinks, self.primal, self.dual)


def max_margin(
    x: Iterable[Real],
    labels: Iterable[Hashable],
    classes: Sequence[Hashable] | None = None,
    kinks: tuple[Real, Real] | None = None,
) -> MaxMargin:
    """min Σ_j ‖w_j‖ over f(x) = Σ_j w_j [s_j(x - c_j)]_+, w_j in R^k, kinks in [A, B], with margins
    f_{y_i}(x_i) - f_l(x_i) >= 1 for all i and l != y_i  (problem (10)).

    Only the points that matter (R_class) enter the cone programme, and classes without points enter as one. Bounds are
    exact whatever the solver did; two classes and constant labels need no solver.

    Parameters
    ----------
    x : iterable of numbers
        Strictly increasing, n >= 1 numbers (`exact`).
    labels : iterable of hashable
        As many, words or numbers.
    classes : sequence of hashable, optional
        The k classes, at least two; by default the labels that occur, sorted. More may be given: a class without
        points raises the value a little.
    kinks : (number, number), optional
        (A, B) around the data: see `line.kink_range`.

    Returns
    -------
    MaxMargin
        An optimum with bounds, and a certificate.

    Raises
    ------
    DataError
        For one class only, labels that are NaN, equal x, and beyond MOST points that matter times classes.

    References
    ----------
    Stewart, Bach, Berthet and Vert (2022), problem (10), Theorem 1.2.

    Examples
    --------
    >>> found = max_margin([-1, -0.5, 0, 0.5, 1], ["a", "b", "c", "b", "a"])
    >>> round(found.value, 7), found.gap < 1e-8, found.classify("0.1")
    (13.5035193, True, 'c')
    """
    points, names = _labelled(x, list(labels))
    known = _classes(names, classes)
    low, high = kink_range(points, kinks)
    place = {name: n for n, name in enumerate(known)}
    positions = [place[name] for name in names]
    primal, dual, status = _bounds(points, positions, len(known), (low, high))
    return MaxMargin(points, tuple(names), known, (low, high), primal, dual, status)


def _labelled(x: Iterable[Real], labels: list[Hashable]) -> tuple[tuple[Fraction, ...], list[Hashable]]:
    points = exact_numbers(x, "x")
    if len(points) != len(labels):
        raise DataError(f"x and labels must be as many: got {len(points)} and {len(labels)}")
    if not points:
        raise DataError("no data: at least one point is needed")
    names = [label.item() if hasattr(label, "item") else label for label in labels]
    for i, name in enumerate(names):
        if name is None or name != name:
            raise DataError(f"labels[{i}] is {name}: every point needs a label, a word or a number")
    for i in range(1, len(points)):
        if points[i - 1] > points[i]:
            raise DataError(
                f"x must increase: x[{i - 1}]={decimal_text(points[i - 1])} is not below x[{i}]="
                f"{decimal_text(points[i])}; sort the points by x"
            )
        if points[i - 1] == points[i]:
            what = (
                "is given twice with one label: keep one of them"
                if names[i - 1] == names[i]
                else f"has the labels {names[i - 1]!r} and {names[i]!r}: no classifier has both; drop one"
            )
            raise DataError(f"the point x[{i - 1}]=x[{i}]={decimal_text(points[i])} {what}")
    return points, names


def _classes(names: Sequence[Hashable], classes: Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    occurring = list(dict.fromkeys(names))
    if classes is None:
        try:
            known = sorted(occurring)  # type: ignore[type-var]
        except TypeError:
            known = occurring
        if len(known) < 2:
            raise DataError(f"there is one class only, {occurring[0]!r}: at least two classes are needed")
        return tuple(known)
    known = list(dict.fromkeys(classes))
    if len(known) < max(2, len(classes)):
        raise DataError(f"classes are at least two different names: got {list(classes)[:5]}")
    strange = next((name for name in occurring if name not in set(known)), None)
    if strange is not None:
        raise DataError(f"the label {strange!r} is none of the {len(known)} classes")
    return tuple(known)


def _bounds(
    x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: tuple[Fraction, Fraction]
) -> tuple[Ramps, Multipliers, str]:
    """The best primal and the best dual of a few attempts, from the points of R_class alone.

    Between them labels are constant and the functions affine, so margins are at least 1 there too; the dual is extended
    by zeros, and its function is affine there.
    """
    kept = classification_support(labels)
    points, names = [x[i] for i in kept], [labels[i] for i in kept]
    grid = Grid.of(points, kinks)
    primal: Ramps | None = None
    dual: Multipliers | None = None
    said: list[str] = []
    for attempt in attempts(points, names, k, kinks, MOST):
        said.append(attempt.status)
        better = feasible_ramps(grid, names, k, attempt.ramps)
        if better and (primal is None or better.upper < primal.upper):
            primal = better
        higher = feasible_multipliers(grid, names, k, attempt.beta)
        if higher and (dual is None or higher.lower > dual.lower):
            dual = higher
        if primal and dual and primal.upper - dual.lower <= GAP * primal.upper:
            return primal, _everywhere(dual, kept), attempt.status
    if primal is None or dual is None:
        raise UnsolvedError(f"no attempt at the cone programme came near a solution: {', '.join(said)}")
    return primal, _everywhere(dual, kept), ", ".join(said)


def _everywhere(dual: Multipliers, kept: Sequence[int]) -> Multipliers:
    """The multipliers of the points of R_class as multipliers of all, 0 elsewhere."""
    return Multipliers(dual.unit, {(kept[i], rival): value for (i, rival), value in dual.beta.items()}, dual.lower)
