"""The largest value of a linear form over the unit ball of a cone, exactly.

For a cone C spanned by rays r_k and a form Q positive on it, max {c·θ: θ in C, θᵀQθ <= 1} is √(qᵀQq), where q in C
maximises c·q - qᵀQq/2: q = Σ a_k r_k with a >= 0, (c - Qq)·r_k <= 0, equality where a_k > 0. For Q = 1 it is the
projection of c on C. All in fractions: q and the square of the maximum are rational where c, Q and the rays are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.errors import UnsolvedError
from implicitbias.exact.vectors import dot, solve

STEPS = 200
"""Largest number of exchanges of rays: more than any small cone needs."""

Form = tuple[Fraction, ...]


def exact_maximiser(
    c: Sequence[Fraction], rays: Sequence[Form], Q: Sequence[Form], start: Sequence[int] = ()
) -> tuple[Fraction, ...]:
    """q = Σ a_k r_k, as `exact_shares` finds the a_k.

    >>> one = Fraction(1)
    >>> exact_maximiser((one, -one), [(one, 0 * one), (0 * one, one)], ((one, 0 * one), (0 * one, one)))
    (Fraction(1, 1), Fraction(0, 1))
    """
    shares = exact_shares(c, rays, Q, start)
    return tuple(sum((a * rays[j][i] for j, a in shares.items()), Fraction(0)) for i in range(len(c)))


def exact_shares(
    c: Sequence[Fraction], rays: Sequence[Form], Q: Sequence[Form] | None, start: Sequence[int] = ()
) -> dict[int, Fraction]:
    """The a_k > 0 of q = Σ a_k r_k, by Lawson and Hanson's method of active rays.

    Q      the identity if None
    start  rays that are thought to be active

    Raises ArithmeticError if c is positive on a ray on which Q vanishes: then there is no maximum.
    """
    seen = list(rays) if Q is None else [tuple(dot(row, ray) for row in Q) for ray in rays]
    goals = [dot(c, ray) for ray in rays]
    for goal, pull, ray in zip(goals, seen, rays, strict=True):
        if goal > 0 and not dot(pull, ray):
            raise ArithmeticError("a ray that the form does not see has no maximum")
    gram = _Gram(seen, rays)
    active = _independent(list(dict.fromkeys(start)), gram)
    shares = _solved(active, gram, goals)
    if any(a <= 0 for a in shares):
        active, shares = [], []
    for _ in range(STEPS):
        slopes = [
            goals[k] - sum((gram(k, j) * a for j, a in zip(active, shares, strict=True)), Fraction(0))
            for k in range(len(rays))
        ]
        # relative to the ray's length, so that the units of the rays do not matter
        best = max(range(len(rays)), key=lambda k: slopes[k] * abs(slopes[k]) / (gram(k, k) or 1), default=None)
        if best is None or slopes[best] <= 0:
            break
        active, shares = [*active, best], [*shares, Fraction(0)]
        while True:
            wanted = _solved(active, gram, goals)
            if all(a > 0 for a in wanted):
                shares = wanted
                break
            step = min(a / (a - b) for a, b in zip(shares, wanted, strict=True) if b <= 0)
            moved = [a + step * (b - a) for a, b in zip(shares, wanted, strict=True)]
            kept = [n for n, a in enumerate(moved) if a > 0]
            active, shares = [active[n] for n in kept], [moved[n] for n in kept]
    else:
        raise UnsolvedError("the maximiser over a cone was not found")
    return dict(zip(active, shares, strict=True))


class _Gram:
    """Products of rays, each computed when first needed."""

    def __init__(self, seen: Sequence[Form], rays: Sequence[Form]) -> None:
        self._seen, self._rays, self._known = seen, rays, dict[tuple[int, int], Fraction]()

    def __call__(self, i: int, j: int) -> Fraction:
        place = (i, j) if i <= j else (j, i)
        if place not in self._known:
            self._known[place] = dot(self._seen[i], self._rays[j])
        return self._known[place]


def _independent(chosen: Sequence[int], gram: _Gram) -> list[int]:
    """A maximal subset, in order, that is linearly independent under the form Q."""
    kept: list[int] = []
    rows: list[tuple[int, list[Fraction]]] = []
    for k in chosen:
        row = [gram(k, j) for j in chosen]
        for pivot, other in rows:
            if row[pivot]:
                factor = row[pivot] / other[pivot]
                row = [a - factor * b for a, b in zip(row, other, strict=True)]
        pivot_at = next((n for n, value in enumerate(row) if value), None)
        if pivot_at is not None:
            rows.append((pivot_at, row))
            kept.append(k)
    return kept


def _solved(active: Sequence[int], gram: _Gram, goals: Sequence[Fraction]) -> list[Fraction]:
    """a with gram a = goals on the active rays, which are independent."""
    return list(solve([[gram(i, j) for j in active] for i in active], [goals[i] for i in active]))
