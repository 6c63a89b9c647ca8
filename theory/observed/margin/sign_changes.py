"""Sign changes of a network: counted for one network, maximised over the output weights, and attained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.functions.network import Network
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

Unit = tuple[int, Fraction]
"""(w, b) with w = 1, -1 or 0: [w x + b]_+, or the constant for w = 0, b = 1."""
Row = tuple[Fraction, ...]

PLACES = ((0, 1, 2, 3, 4, 5), (0, 1, 4, 16, 64, 256), (0, 10, 11, 12, 22, 23))
"""Places of kinks: evenly spaced, increasingly far apart, and clustered."""


def profile(f: PiecewiseLinear) -> tuple[Fraction, ...]:
    """The values of f at -oo (as -slope), at the knots and at oo (as slope), omitting zeros at the ends.

    Between consecutive entries f is affine, so every sign that f takes is the sign of an entry.
    """
    slopes = f.slopes
    left, right = -slopes[0], slopes[-1]
    return (*((left,) if left else ()), *f.values, *((right,) if right else ()))


def strict_changes(f: PiecewiseLinear) -> int:
    """The largest m such that f(x_0), …, f(x_m) strictly alternate in sign for some x_0 < … < x_m."""
    return _switches([value > 0 for value in profile(f) if value])


def sign_changes(f: PiecewiseLinear) -> int:
    """The number of changes of sign(f(x)) along the line, with sign(z) = 1 for z > 0 and -1 for z <= 0."""
    return _switches([value > 0 for value in profile(f)])


def _switches(signs: Sequence[bool]) -> int:
    return sum(a != b for a, b in pairwise(signs))


def alternating(r: int, left: int = 2) -> Network:
    """A network of r >= 4 units with r + 1 strict changes: N_4, then units that reverse the slope after each crossing,
    left of them facing left, from 2 to r - 2.

    N_4(x) = -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ is -1, 1, -1, 1, -1, 1 at -2, 0, 1, 2, 3, 5.
    """
    from implicitbias.functions.network import Network

    if r < 4:
        raise ValueError(f"r + 1 strict changes need at least 4 units, not {r}")
    if not 2 <= left <= r - 2:
        raise ValueError(f"r + 1 strict changes need two units of each orientation, not {left} of {r} facing left")
    w, b, v = [1, 1, -1, -1], [0, -1, 2, 3], [-3, 4, -4, 3]
    slope, value, place = 1, 1, 5  # N_4 leaves its last zero, 4, with slope 1
    for _ in range(r - left - 2):
        w, b, v = [*w, 1], [*b, -place], [*v, -2 * slope]
        slope, value, place = -slope, -value, place + 2
    slope, place = 1, -2  # and comes to its first, -1, with slope 1
    for _ in range(left - 2):
        w, b, v = [*w, -1], [*b, place], [*v, 2 * slope]
        slope, place = -slope, place - 2
    return Network(w, b, v)


def crossing_points(r: int) -> tuple[int, ...]:
    """r + 2 points at which `alternating(r)` is -1, 1, -1, …"""
    return (-2, 0, 1, 2, 3, *(5 + 2 * j for j in range(r - 3)))


@dataclass(frozen=True)
class Search:
    """The most changes over all output weights and sets of units tried, a set attaining them, and the number tried."""

    most: int
    units: tuple[Unit, ...]
    tried: int


def search(width: int, places: Sequence[int], strict: bool, left: int | None = None) -> Search:
    """Maximise exactly over all output weights and all sets of `width` units with kinks among the places.

    left  number of units facing left, the others face right; None: any orientation, and the constant unit is allowed
    """
    right = [(1, Fraction(-p)) for p in places]
    towards_left = [(-1, Fraction(p)) for p in places]
    if left is None:
        sets: Iterable[tuple[Unit, ...]] = combinations([(0, Fraction(1)), *right, *towards_left], width)
    else:
        sets = ((*a, *b) for a, b in product(combinations(towards_left, left), combinations(right, width - left)))
    best, tried = 0, 0
    where: tuple[Unit, ...] = ()
    for units in sets:
        tried += 1
        if (most := most_changes(units, strict, best)) > best:
            best, where = most, units
    return Search(best, where, tried)


def most_changes(units: Sequence[Unit], strict: bool, known: int = 0) -> int:
    """The most changes over all output weights of these units, or `known` if that is larger."""
    rows, most = profile_rows(units), known
    circuits = list(circuits_of(rows)) if most < len(rows) - 1 else []
    while most < len(rows) - 1 and reaches(rows, circuits, most + 1, strict):
        most += 1
    return most


def weights(units: Sequence[Unit], changes: int, strict: bool) -> tuple[Fraction, ...]:
    """Output weights for which the sign changes `changes` times, by linear programming; or raises ArithmeticError."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = profile_rows(units)
    for signs in sign_patterns(len(rows), changes):
        constraints = [tuple(-s * a for a in rows[i]) for i, s in signs.items()]
        bounds = [-1 if s > 0 or strict or i in (0, len(rows) - 1) else 0 for i, s in signs.items()]
        found = minimise([0] * len(units), A_ub=constraints, b_ub=bounds, free=True)
        if isinstance(found, Optimum):
            return found.primal
    raise ArithmeticError(f"no weights give {changes} changes")


def profile_rows(units: Sequence[Unit]) -> list[Row]:
    """The profile as linear forms in the output weights: at -oo, at the kinks and at oo."""
    kinks = sorted({-b / w for w, b in units if w})
    left = tuple(Fraction(w < 0) for w, _ in units)
    right = tuple(Fraction(w > 0) for w, _ in units)
    inner = [tuple(max(Fraction(0), w * x + b) for w, b in units) for x in kinks or [Fraction(0)]]
    return [left, *inner, right]


def sign_patterns(rows: int, changes: int) -> Iterator[dict[int, int]]:
    """Alternating signs on `changes + 1` of the rows, either sign first."""
    for chosen in combinations(range(rows), changes + 1):
        for first in (1, -1):
            yield {i: first * (-1) ** j for j, i in enumerate(chosen)}


def reaches(rows: Sequence[Row], circuits: Sequence[Row], changes: int, strict: bool) -> bool:
    """Whether some output weights give this many changes, by Motzkin's theorem.

    A sign pattern is possible unless a minimal dependence Σ λ_i row_i = 0 has these signs and is nonzero on a strict
    row. Every sign is strict, except that -1 at a knot allows 0 unless `strict`, since sign(0) = -1.
    """
    ends = (0, len(rows) - 1)
    for signs in sign_patterns(len(rows), changes):
        firm = {i for i, s in signs.items() if strict or s > 0 or i in ends}
        if not any(_forbids(c, signs, firm) for c in circuits):
            return True
    return False


def _forbids(circuit: Row, signs: dict[int, int], firm: set[int]) -> bool:
    for turn in (1, -1):
        if all(not c or (i in signs and turn * c * signs[i] > 0) for i, c in enumerate(circuit)) and any(
            circuit[i] for i in firm
        ):
            return True
    return False


def circuits_of(rows: Sequence[Row]) -> Iterator[Row]:
    """All minimal linear dependences between the rows, one of each pair ±λ, possibly with repetitions."""
    import flint

    def matrix(chosen: Sequence[int]) -> flint.fmpq_mat:
        transposed = [[flint.fmpq(rows[i][j].numerator, rows[i][j].denominator) for i in chosen] for j in range(width)]
        return flint.fmpq_mat(transposed)

    width = len(rows[0])
    rank = matrix(range(len(rows))).rank()
    for chosen in combinations(range(len(rows)), rank + 1):
        reduced, r = matrix(chosen).rref()
        if r < rank:
            continue
        pivots = [next(j for j in range(rank + 1) if reduced[i, j] != 0) for i in range(r)]
        (free,) = [j for j in range(rank + 1) if j not in pivots]
        dependence = [Fraction(0)] * len(rows)
        dependence[chosen[free]] = Fraction(1)
        for i, j in enumerate(pivots):
            entry = reduced[i, free]
            dependence[chosen[j]] = -Fraction(int(entry.p), int(entry.q))
        yield tuple(dependence)
