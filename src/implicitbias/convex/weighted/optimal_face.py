"""Where every minimiser of a variation has its atoms, and how many minimisers there are.

If p is dual feasible, |g| <= w with g(θ) = Σ p_i [θ·x̃_i]_+, then for every measure ν of units through the data
∫ (w - sign·g) d|ν| = ∫ w d|ν| - p·y. So a minimiser charges only contacts, places where |g| = w, with the sign of g, if
p is optimal; and of the norm at most one contact lies in a closed cell for each sign, as g is linear there (de Dios &
Bruna 2020, proof of Theorem 4.2). The minimisers are then {m >= 0: Φm = y}, Φ the outputs of the contacts: a polytope.

The optimal p is known to sixty digits, not exactly. What is exact here: p rational and feasible, short of optimal by
δ = upper - lower; with q the vector that shows it on a cell, sign·g(θ) - l·θ <= |q| cos∠(θ, q) |θ|. So every minimiser
has all its mass but δ/ε in the caps cos∠(θ, q) >= 1 - ε around the contacts (`caps`, in fractions). The set of
contacts and the rank of Φ are decided by these digits, with margins that are stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import comb

import numpy as np

from implicitbias.convex.cells.lifted import Number, lifted
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.contacts import Contact, held_contact
from implicitbias.convex.weighted.least import WeightedInterpolant, weighted_interpolant
from implicitbias.convex.weighted.weights import PARAMETER_NORM, Weight
from implicitbias.errors import DataError
from implicitbias.exact.vectors import dot

TOUCHING = Fraction(1, 10**9)
"""Cells on which the dual comes this close to the weight are examined."""
ON_WALL = 1e-7
SURE = Fraction(1, 10**30)
"""The dual touches the weight if they differ by no more than this."""
EPSILON = Fraction(1, 10**14)
"""ε of the caps, for a unit weight: an angle of 1.4e-7."""
MOST_SUBSETS = 200_000
"""Largest number of sets of contacts that are tried for vertices."""


@dataclass(frozen=True)
class Cap:
    """{θ: cos∠(θ, axis) >= 1 - ε}, with the sign that an atom in it has. `cell` is the closed cell it is about."""

    cell: int
    sign: int
    axis: tuple[Fraction, ...]


@dataclass(frozen=True)
class Touch:
    """A place where sign·g reaches w: a direction θ, to many digits, with |θ| = 1, and where it lies.

    pattern, walls  the points at which θ·x̃ > 0, and = 0
    cells           the closed cells that contain θ
    slack           how far it is from touching, to the digits known
    """

    sign: int
    theta: tuple[Fraction, ...]
    pattern: tuple[bool, ...]
    walls: tuple[int, ...]
    cells: tuple[int, ...]
    slack: float


@dataclass(frozen=True)
class OptimalFace:
    """The minimisers: {m >= 0: Φm = y} over the contacts.

    charged     contacts that some minimiser charges
    rank        of the outputs of the charged contacts
    pivots      the smallest number that counted as non-zero for that rank, and the largest that counted as 0
    caps, rest  every minimiser has all its mass but `rest` in the caps (exact): at most one for a closed cell and sign
    """

    interpolant: WeightedInterpolant
    contacts: tuple[Touch, ...]
    charged: tuple[int, ...]
    rank: int
    pivots: tuple[float, float]
    caps: tuple[Cap, ...]
    rest: Fraction

    @property
    def dimension(self) -> int:
        """Dimension of the set of minimisers; 0 if the minimiser is unique."""
        return len(self.charged) - self.rank

    @property
    def unique(self) -> bool:
        return self.dimension == 0

    def outputs(self) -> Array:
        """Φ in floating point, (n, number of contacts)."""
        x = np.array(self.interpolant.points, float)
        theta = np.array([touch.theta for touch in self.contacts], float).reshape(-1, x.shape[1])
        active = np.array([touch.pattern for touch in self.contacts]).reshape(-1, len(x))
        signs = np.array([touch.sign for touch in self.contacts], float)
        return np.asarray(np.where(active, theta @ x.T, 0.0).T * signs)

    def vertices(self) -> list[Array]:
        """The masses at all contacts, of every vertex of the face: minimisers with independent outputs.

        Raises ArithmeticError for more sets of contacts than MOST_SUBSETS.
        """
        if comb(len(self.charged), self.rank) > MOST_SUBSETS:
            raise ArithmeticError(f"{comb(len(self.charged), self.rank)} sets of contacts are too many to try")
        table, y = self.outputs(), np.array(self.interpolant.y, float)
        found: dict[tuple[float, ...], Array] = {}
        for masses in _basic(table, y, self.charged, self.rank):
            found.setdefault(tuple(np.round(masses / max(float(masses.max()), 1e-300), 8)), masses)
        return [found[key] for key in sorted(found)]


def optimal_face(
    points: Sequence[Sequence[Number]], labels: Sequence[Number], weight: Weight = PARAMETER_NORM
) -> OptimalFace:
    """All minimisers of Σ|c|·w(θ) through the data, w the norm or tilted.

    Raises DataError as `weighted_interpolant` does, and for weights of the outputs, whose contacts are not points;
    ArithmeticError where the conditions of optimality were not solved to enough digits.

    >>> face = optimal_face([[-1], ["-1/2"], [0], ["1/2"], [1]], [1, "1/2", 0, "1/2", 1])  # |x|
    >>> len(face.contacts), face.dimension, face.unique
    (2, 0, True)
    """
    if weight.of_outputs:
        raise DataError(
            f"the weight {weight.says} is the same for parameters with equal outputs: contacts are not points"
        )
    found = weighted_interpolant(points, labels, weight, with_contacts=True)
    if found.optimum is None or found.contacts is None or found.optimum.residual > float(SURE):
        raise ArithmeticError(
            "the conditions of optimality were not solved to enough digits: points may nearly coincide; `upper` and "
            "`lower` of weighted_interpolant remain valid"
        )
    caps, rest = caps_of(found)
    contacts = _touches(found, caps) if any(found.y) else []
    charged = _charged(found, contacts)
    rank, pivots = _rank([_outputs(found, contacts[j]) for j in charged])
    return OptimalFace(found, tuple(contacts), tuple(charged), rank, pivots, caps, rest)


def caps_of(found: WeightedInterpolant, epsilon: Fraction = EPSILON) -> tuple[tuple[Cap, ...], Fraction]:
    """Caps, and the mass that a minimiser may have outside of them; exact. Masses count |θ| = 1 as 1."""
    caps = []
    for k, pair in enumerate(found.dual.shown):
        for sign, q in zip((1, -1), pair, strict=True):
            square = dot(q, q)
            if square > (1 - epsilon) ** 2:
                caps.append(Cap(k, sign, q))
    return tuple(caps), (found.upper - found.lower) / epsilon


def _touches(found: WeightedInterpolant, caps: Sequence[Cap]) -> list[Touch]:
    assert found.optimum is not None
    at, p = found.points, found.optimum.p
    rows = lifted([point[:-1] for point in at])
    table = np.array(at, float)
    lengths = np.linalg.norm(table, axis=1)
    touches: dict[tuple[int, tuple[float, ...]], Touch] = {}
    for cap in caps:
        axis = np.array(cap.axis, float)
        heights = table @ axis / lengths / np.linalg.norm(axis)
        walls = tuple(int(i) for i in np.flatnonzero(np.abs(heights) <= ON_WALL))
        held: Contact | None = held_contact(
            at, rows, found.weight, cap.sign, tuple(bool(v) for v in heights > ON_WALL), walls
        )
        if held is None:
            continue
        t = held.coordinates(at, p)
        slack = 1 - sum((a * dot(row, t) for a, row in zip(t, held.gram, strict=True)), Fraction(0))
        if abs(slack) > SURE:
            continue
        theta = held.along(t)
        signs = found.cells.patterns
        inside = tuple(
            k
            for k in range(len(found.cells))
            if all(i in walls or bool(signs[k][i]) == held.pattern[i] for i in range(len(at)))
        )
        key = (cap.sign, tuple(round(float(v), 9) + 0.0 for v in theta))
        touches.setdefault(key, Touch(cap.sign, theta, held.pattern, walls, inside, float(abs(slack))))
    return [touches[key] for key in sorted(touches)]


def _outputs(found: WeightedInterpolant, touch: Touch) -> list[Fraction]:
    return [
        touch.sign * dot(touch.theta, at) if on else Fraction(0)
        for at, on in zip(found.points, touch.pattern, strict=True)
    ]


def _charged(found: WeightedInterpolant, contacts: Sequence[Touch]) -> list[int]:
    """Contacts that have mass in some minimiser: by linear programmes, in floating point."""
    from scipy.optimize import linprog

    if not contacts:
        return []
    table = np.array([[float(v) for v in _outputs(found, touch)] for touch in contacts]).T
    y = np.array(found.y, float)
    size = float(np.abs(y).max())
    left, values, _ = np.linalg.svd(table, full_matrices=False)
    kept = left[:, values > 1e-9 * values.max()].T
    charged = []
    for j in range(len(contacts)):
        goal = np.zeros(len(contacts))
        goal[j] = -1
        best = linprog(goal, A_eq=kept @ table, b_eq=kept @ y / size, bounds=(0, None))
        if best.status == 0 and best.x is not None and float(best.x[j]) > 1e-8:
            charged.append(j)
    return charged


def _rank(columns: Sequence[Sequence[Fraction]]) -> tuple[int, tuple[float, float]]:
    """The rank to many digits: elimination with complete pivots; entries are 0 if their size says so."""
    rows = [list(column) for column in columns]
    least, most, rank = float("inf"), 0.0, 0
    while rows:
        i, j = max(
            ((i, j) for i, row in enumerate(rows) for j in range(len(row))),
            key=lambda place: abs(rows[place[0]][place[1]]),
        )
        pivot = abs(rows[i][j])
        if pivot <= SURE:
            most = float(pivot)
            break
        least, rank = min(least, float(pivot)), rank + 1
        chosen = rows.pop(i)
        rows = [[a - row[j] / chosen[j] * b for a, b in zip(row, chosen, strict=True)] for row in rows]
        rows = [[_shortened(a) for a in row] for row in rows]
    return rank, (least, most)


def _shortened(value: Fraction) -> Fraction:
    """Rounded to multiples of 2^-250, as elimination would let the digits grow."""
    return Fraction(round(value * (1 << 250)), 1 << 250)


def _basic(table: Array, y: Array, charged: Sequence[int], rank: int) -> Iterator[Array]:
    size = float(np.abs(y).max()) if len(y) else 1.0
    for chosen in islice(combinations(charged, rank), MOST_SUBSETS):
        part = table[:, chosen]
        masses, _, found, _ = np.linalg.lstsq(part, y, rcond=1e-10)
        if found < rank or masses.min(initial=0.0) < -1e-9 * size or np.abs(part @ masses - y).max() > 1e-8 * size:
            continue
        whole = np.zeros(table.shape[1])
        whole[list(chosen)] = np.maximum(masses, 0.0)
        whole[whole < 1e-9 * size] = 0.0
        yield whole
