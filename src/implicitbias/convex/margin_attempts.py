"""Approximate solutions of problem (10): closed forms where there are some, else the cone programme, set by set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.convex.margin_bounds import Grid
from implicitbias.errors import DataError

Kinks = tuple[Fraction, Fraction]
Weighted = tuple[int, Fraction, Sequence[float]]

FAINT = (0.0, 1e-9, 1e-7)
"""Ramps fainter than this, relative to the strongest, may be left out: what the solver leaves where no kink is."""


@dataclass(frozen=True)
class Attempt:
    """Ramps (s, kink, weights) with positive margins if all went well, multipliers β_il, and what the solver said.

    dual  better and better multipliers, each made only when it is asked for
    """

    ramps: Sequence[Weighted]
    dual: Callable[[], Iterable[Mapping[tuple[int, int], float]]]
    status: str

    def primal(self, grid: Grid) -> Iterator[list[tuple[int, int, Sequence[float]]]]:
        """The ramps with kinks on the grid, without the faint ones, for each idea of faint."""
        norms = [sum(w * w for w in weights) ** 0.5 for *_, weights in self.ramps]
        bar = max(norms, default=0.0)
        counts = set()
        for faint in FAINT:
            kept = [
                (side, int(kink * grid.scale), weights)
                for norm, (side, kink, weights) in zip(norms, self.ramps, strict=True)
                if norm > faint * bar
            ]
            if len(kept) not in counts:
                counts.add(len(kept))
                yield kept


def attempts(x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: Kinks, most: int) -> Iterator[Attempt]:
    """One or several, better and better as a rule. x: R_class, increasing; labels in 0..k-1, k >= 2."""
    used = sorted(set(labels))
    if len(used) == 1 or k == 2:
        yield _closed_form(x, labels, k, kinks)
        return
    yield from _solved(x, labels, k, kinks, used, most)


def _closed_form(x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: Kinks) -> Attempt:
    """Two classes, or one of k: f = d·(e_own - mean of the e) for the function d of `two_classes`."""
    from implicitbias.convex.ramps import ramp_interpolant
    from implicitbias.convex.two_classes import two_class_dual, two_class_function

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
    return Attempt(ramps, lambda: (beta,), "closed form")


def _solved(
    x: Sequence[Fraction], labels: Sequence[int], k: int, kinks: Kinks, used: Sequence[int], most: int
) -> Iterator[Attempt]:
    import numpy as np

    from implicitbias.convex.margin_polish import polished
    from implicitbias.convex.margin_programme import ATTEMPTS, Guess, solve

    unused = [name for name in range(k) if name not in set(used)]
    size = len(used) + bool(unused)
    if len(x) * size > most:
        raise DataError(
            f"{len(x)} points differ in label from a neighbour, in {size} classes: {len(x) * size} scores are "
            f"more than the {most} that are solved for; take fewer points, or fewer classes (`--bins`)"
        )
    # In units in which [A, B] is [-1, 1]: margins are made 1 afterwards anyway.
    middle, half = (kinks[0] + kinks[1]) / 2, (kinks[1] - kinks[0]) / 2
    points = np.array([float((at - middle) / half) for at in x])
    reduced = np.array([used.index(label) for label in labels], dtype=np.intp)
    for settings in ATTEMPTS:
        guess = solve(points, reduced, size, -1.0, 1.0, max(1, len(unused)), settings)
        if not (np.isfinite(guess.right).all() and np.isfinite(guess.left).all() and np.isfinite(guess.beta).all()):
            yield Attempt((), tuple, guess.status)
            continue
        inner = x[1:-1]
        places = [*((1, c) for c in (kinks[0], *inner)), *((-1, c) for c in (*inner, kinks[1]))]
        rows = [*guess.right, *guess.left]
        ramps = [(side, c, _spread(row.tolist(), used, unused, k)) for (side, c), row in zip(places, rows, strict=True)]

        def dual(guess: Guess = guess) -> Iterator[dict[tuple[int, int], float]]:
            yield _by_place(guess.beta.tolist(), used, unused, k)
            better = polished(points, reduced, guess.beta, max(1, len(unused)))
            yield _by_place(better.tolist(), used, unused, k)

        yield Attempt(ramps, dual, guess.status)


def _by_place(
    rows: Sequence[Sequence[float]], used: Sequence[int], unused: Sequence[int], k: int
) -> dict[tuple[int, int], float]:
    """The positive multipliers by point and class; that of the last class is shared by those without points."""
    share = [1 / len(unused) if name in set(unused) else 1.0 for name in range(k)]
    return {
        (i, rival): value * share[rival]
        for i, row in enumerate(rows)
        for rival, value in enumerate(_spread(row, used, unused, k))
        if value > 0
    }


def _spread(values: Sequence[float], used: Sequence[int], unused: Sequence[int], k: int) -> list[float]:
    """From the classes of the programme to all: those without points share the last entry's value."""
    full = [values[-1]] * k
    for n, name in enumerate(used):
        full[name] = values[n]
    return full
