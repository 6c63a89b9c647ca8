"""Approximate solutions of problem (10): closed forms if there are any, else the cone programme, setting by setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.convex.margin.bounds import Grid
from implicitbias.errors import DataError

Kinks = tuple[Fraction, Fraction]
Numbers = Sequence[Sequence[float | Fraction]]


@dataclass(frozen=True)
class Attempt:
    """Ramps (s, kink, weights) with positive margins if all went well, multipliers β_il, and what the solver said."""

    ramps: Sequence[tuple[int, Fraction, Sequence[float | Fraction]]]
    beta: Mapping[tuple[int, int], float | Fraction]
    status: str


@dataclass(frozen=True)
class _Classes:
    """The k classes; those without points are a single one in the programme, the last."""

    k: int
    used: tuple[int, ...]

    @property
    def unused(self) -> int:
        return self.k - len(self.used)

    @property
    def copies(self) -> int:
        """How many classes the last of the programme stands for."""
        return max(1, self.unused)

    def spread(self, values: Sequence[float | Fraction]) -> list[float | Fraction]:
        """From the classes of the programme to all: those without points share the last entry's value."""
        full = [values[-1]] * self.k
        for n, name in enumerate(self.used):
            full[name] = values[n]
        return full

    def by_place(self, rows: Numbers) -> dict[tuple[int, int], float | Fraction]:
        """The positive multipliers by point and class; classes without points have equal shares of the last one."""
        used = set(self.used)
        count = [1 if name in used else self.unused for name in range(self.k)]
        return {
            (i, rival): value / count[rival]
            for i, row in enumerate(rows)
            for rival, value in enumerate(self.spread(row))
            if value > 0
        }


def attempts(x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: Kinks, most: int) -> Iterator[Attempt]:
    """One or several attempts, usually better and better. x: R_class, increasing; labels in 0..k-1, k >= 2.

    most  points times classes of the cone programme; DataError beyond
    """
    used = tuple(sorted(set(labels)))
    if len(used) == 1 or k == 2:
        yield _closed_form(x, labels, k, kinks)
    else:
        yield from _solved(x, labels, _Classes(k, used), kinks, most)


def _closed_form(x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: Kinks) -> Attempt:
    """Two classes, or one of k: f = d·(e_own - mean of the e) for the function d of `two_classes`."""
    from implicitbias.convex.margin.two_classes import two_class_dual, two_class_function
    from implicitbias.convex.ramps.interpolant import ramp_interpolant

    first = labels[0]
    d = ramp_interpolant(x, [-value for value in two_class_function(x, labels, kinks)], kinks)
    direction = [float(int(name == first) - Fraction(1, k)) for name in range(k)]
    ramps = [(ramp.side, ramp.kink, [float(ramp.weight) * w for w in direction]) for ramp in d.ramps]
    beta = {
        (i, rival): float(value)
        for i, value in enumerate(two_class_dual(x, labels, kinks))
        for rival in range(k)
        if value and rival != labels[i]
    }
    return Attempt(ramps, beta, "closed form")


def _solved(
    x: Sequence[Fraction], labels: Sequence[int], classes: _Classes, kinks: Kinks, most: int
) -> Iterator[Attempt]:
    import numpy as np

    from implicitbias.convex.margin.arithmetic import Balls, Doubles
    from implicitbias.convex.margin.few_rivals import FEWEST_CLASSES, by_few_rivals
    from implicitbias.convex.margin.inner_start import started
    from implicitbias.convex.margin.polish import polished_dual
    from implicitbias.convex.margin.programme import ATTEMPTS, FIRST, STARTS, solve
    from implicitbias.convex.margin.refined import refine
    from implicitbias.convex.programmes.threads import one_thread

    size = len(classes.used) + bool(classes.unused)
    if len(x) * size > most:
        raise DataError(
            f"{len(x)} points differ in label from a neighbour, in {size} classes: {len(x) * size} scores are "
            f"more than the {most} that are solved for; take fewer points, or fewer classes (`--bins`)"
        )
    # In units in which [A, B] is [-1, 1]: margins are made 1 afterwards anyway.
    middle, half = (kinks[0] + kinks[1]) / 2, (kinks[1] - kinks[0]) / 2
    points = np.array([float((at - middle) / half) for at in x])
    reduced = np.array([classes.used.index(label) for label in labels], dtype=np.intp)
    places = [*((1, c) for c in (kinks[0], *x[1:-1])), *((-1, c) for c in (*x[1:-1], kinks[1]))]

    inner = [(at - middle) / half for at in x]
    if size >= FEWEST_CLASSES:
        with one_thread():
            found = by_few_rivals(inner, reduced, size, (Fraction(-1), Fraction(1)), classes.copies)
        if found is not None:
            rows = zip(places, found.weights.astype(np.float64).tolist(), strict=True)
            ramps = [(side, c, classes.spread(row)) for (side, c), row in rows]
            yield Attempt(ramps, classes.by_place(found.beta.astype(np.float64).tolist()), found.status)

    def attempt(weights: Numbers, beta: Numbers, status: str) -> Attempt:
        rows = zip(places, weights, strict=True)
        return Attempt([(side, c, classes.spread(row)) for (side, c), row in rows], classes.by_place(beta), status)

    def solved(settings: Mapping[str, Any]) -> Iterator[Attempt]:
        guess = solve(points, reduced, size, -1.0, 1.0, classes.copies, settings)
        weights, beta = np.vstack([guess.right, guess.left]).tolist(), guess.beta
        if not (np.isfinite(weights).all() and np.isfinite(beta).all()):
            yield Attempt((), {}, guess.status)
            return
        yield attempt(weights, beta.tolist(), guess.status)
        with one_thread():
            better = polished_dual(points, reduced, beta, classes.copies).tolist()
        yield Attempt((), classes.by_place(better), f"{guess.status}, polished")

    yield from solved(FIRST)
    yield from solved(ATTEMPTS[0])
    grid = Grid.of(x, kinks)
    balls = Balls()
    if Doubles().is_quick(len(x), size):
        for settings in STARTS[:1] if balls.is_quick(len(x), size) else STARTS:
            start = solve(points, reduced, size, -1.0, 1.0, classes.copies, settings).interior
            better = start and refine(grid, reduced.tolist(), size, start.in_units(float(half)), classes.copies)
            if better:
                yield attempt(better.weights, better.beta, better.status)
    if balls.is_quick(len(x), size):
        with one_thread():
            start = started(inner, reduced, size, (Fraction(-1), Fraction(1)), classes.copies)
        better = refine(grid, reduced.tolist(), size, start.in_units(float(half)), classes.copies, balls)
        if better:
            yield attempt(better.weights, better.beta, better.status)
    for settings in ATTEMPTS[1:]:
        yield from solved(settings)
