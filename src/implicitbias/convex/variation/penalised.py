"""The least loss penalised by total variation, in any dimension (de Dios & Bruna 2020, problem (22)).

V = min (1/n) Σ (f(x_i) - y_i)² + λ Σ|c_j|·|θ_j| over all f(x) = Σ c_j [θ_j·(x, 1)]_+. If |Σ p_i [θ·x̃_i]_+| <= |θ| for
all θ, then λ Σ|c_j||θ_j| >= λ p·f with f the values at the data, and the least value of (1/n)|f - y|² + λ p·f is
λ p·y - (nλ²/4)|p|² <= V. At a minimiser p = (2/(nλ))(y - f).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point, distinct, few_cells
from implicitbias.convex.cells.lifted import Number, lifted
from implicitbias.convex.programmes.cone_projection import exact_shares
from implicitbias.convex.programmes.threads import one_thread
from implicitbias.convex.variation.bounds import Dual, Unit, exact_dual, strong_units
from implicitbias.convex.variation.certificate import penalised_certificate
from implicitbias.convex.variation.least import guesses_of, peaks_of
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.polish import Atom
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.contacts import held_contact, newton
from implicitbias.convex.weighted.weights import PARAMETER_NORM
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.exact.vectors import dot, network_at

CROWDED, TRIED, PROMISING = 2, 6, 3
"""Guesses with more than CROWDED atoms per point are noise; at most TRIED guesses and PROMISING duals are tried."""
SOLVED = 1e-25
MET = 1e-13
"""A bound in doubles this near to the loss, relatively, is that of the minimiser: no further faces are tried."""
CLOSED = Fraction(1, 10**15)
"""A relative gap that no further dual would make smaller in double precision."""


@dataclass(frozen=True)
class Penalised(ABC):
    """Units, and bounds of the least penalised loss, however the lower one is proved; points are (x, 1)."""

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    penalty: Fraction
    units: tuple[Unit, ...]

    @property
    @abstractmethod
    def lower(self) -> Fraction:
        """No network has less."""

    @abstractmethod
    def certificate(self) -> dict[str, Any]:
        """The proof of both bounds as a document for `certificate.kernel`."""

    @property
    def upper(self) -> Fraction:
        """The penalised loss of the units."""
        return penalised_loss(self.points, self.y, self.penalty, self.units)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper, 0 where all labels are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    @property
    def loss(self) -> Fraction:
        """(1/n) Σ (f(x_i) - y_i)² of the units."""
        return penalised_loss(self.points, self.y, Fraction(0), self.units)

    @property
    def variation(self) -> Fraction:
        """Σ|c||θ| of the units, rounded up a little."""
        return sum((unit.cost for unit in self.units), Fraction(0))

    def strong_units(self) -> list[Unit]:
        """The units that cost more than rounding, the most expensive first."""
        return strong_units(self.units)


@dataclass(frozen=True)
class PenalisedFit(Penalised):
    """Units whose penalised loss is `upper`, and a dual that shows that none is below `lower`."""

    dual: Dual
    cells: Cells

    @property
    def lower(self) -> Fraction:
        return penalised_bound(self.dual.p, self.y, self.penalty)

    def certificate(self) -> dict[str, Any]:
        bounds = self.lower, self.upper
        return penalised_certificate(self.points, self.y, self.penalty, self.units, self.dual, self.cells, bounds)


def penalised_fit(points: Sequence[Sequence[Number]], labels: Sequence[Number], penalty: Number) -> PenalisedFit:
    """Exact two-sided bounds on the least penalised loss, and units that attain the upper one.

    Raises DataError for λ <= 0, for equal points, and as `tv_interpolant` does.

    >>> found = penalised_fit([[0]], [3], 1)  # min (f - 3)² + |f|, f the value at 0
    >>> round(float(found.lower), 9), round(float(found.upper), 9)
    (2.75, 2.75)
    """
    weight = exact(penalty)
    if weight <= 0:
        raise DataError(
            f"the penalty must be positive, not {weight}: without a penalty the data are interpolated (tv_interpolant)"
        )
    at, y = distinct(points, labels)
    if len(at) < len(points):
        raise DataError("points repeat: the mean of the loss would change; keep each point once")
    with one_thread():
        return _fit(at, y, weight)


def _fit(at: tuple[Point, ...], y: tuple[Fraction, ...], weight: Fraction) -> PenalisedFit:
    cells = few_cells(at)
    peaks = peaks_of(at, cells)
    guesses, duals = guesses_of(at, y, peaks, float(weight))
    candidates = [
        tuple(Unit(Fraction(atom.sign), tuple(Fraction(float(value)) for value in atom.u)) for atom in atoms)
        for atoms in [*guesses, []]
    ]
    # with λ_max or more the dual of 0 is feasible; just below it, it has most of the digits
    nothing = penalised_dual(at, y, weight, ())
    # the bound that a dual gives once it is scaled down by its excess
    table = np.array([[float(v) for v in point] for point in at])
    lengths = np.linalg.norm(table, axis=1)

    def promised(p: Sequence[Fraction] | Array) -> float:
        numbers = np.array([float(v) for v in p])
        excess = Fraction(1 + peaks.largest_excess(numbers * lengths))
        return float(penalised_bound([Fraction(v) / excess for v in p], y, weight))

    polished = list[tuple[tuple[Unit, ...], tuple[Fraction, ...]]]()
    for p, face in product((duals[0], nothing), _faces(at, guesses)):
        answer = _to_digits(at, y, weight, face, [Fraction(float(v)) for v in p])
        if answer is not None:
            polished.append(answer)
            if promised(answer[1]) >= float(penalised_loss(at, y, weight, answer[0])) * (1 - MET):
                break  # these are the minimiser's faces
    candidates += [found for found, _ in polished]
    units = min(candidates, key=lambda found: penalised_loss(at, y, weight, found))
    residual = penalised_dual(at, y, weight, units)
    given = [*([Fraction(float(v)) for v in p] for p in (*duals, residual)), *(p for _, p in polished)]
    promising = sorted(given, key=promised, reverse=True)[:PROMISING]
    return PenalisedFit(at, y, weight, units, _best(at, y, weight, units, promising, cells, peaks), cells)


def _best(
    at: Sequence[Point],
    y: Sequence[Fraction],
    penalty: Fraction,
    units: Sequence[Unit],
    promising: Sequence[Sequence[Fraction]],
    cells: Cells,
    peaks: Peaks,
) -> Dual:
    """The dual of the largest exact lower bound; the first that closes the gap to the units."""
    upper = penalised_loss(at, y, penalty, units)
    best = exact_dual(at, promising[0], cells.patterns, peaks)
    for p in promising[1:]:
        if _lower(best, y, penalty) >= upper * (1 - CLOSED):
            break
        best = max(best, exact_dual(at, p, cells.patterns, peaks), key=lambda found: _lower(found, y, penalty))
    return best


Face = tuple[int, tuple[bool, ...], tuple[int, ...]]


def _faces(at: Sequence[Point], guesses: Sequence[Sequence[Atom]]) -> list[dict[Face, Array]]:
    """The sets of faces on which the atoms of the guesses may lie, without repetitions, small sets first."""
    table = np.array([[float(v) for v in point] for point in at])
    lengths = np.linalg.norm(table, axis=1)
    found: dict[frozenset[Face], dict[Face, Array]] = {}
    for atoms, near in product(guesses, (1e-6, 1e-4, 1e-8)):
        faces: dict[Face, Array] = {}
        for atom in atoms:
            heights = table @ atom.u / lengths / max(float(np.linalg.norm(atom.u)), 1e-300)
            walls = tuple(int(i) for i in np.flatnonzero(np.abs(heights) <= near))
            face = (atom.sign, tuple(bool(v) for v in heights > near), walls)
            faces[face] = faces.get(face, np.zeros(table.shape[1])) + atom.u
        if faces and len(faces) <= CROWDED * (len(at) + 1):
            found.setdefault(frozenset(faces), faces)
    return sorted(found.values(), key=len)[:TRIED]


def _to_digits(
    at: Sequence[Point], y: Sequence[Fraction], penalty: Fraction, faces: dict[Face, Array], p: Sequence[Fraction]
) -> tuple[tuple[Unit, ...], tuple[Fraction, ...]] | None:
    """The minimiser with atoms on these faces and its dual, to many digits; None if there is none."""
    rows = lifted([point[:-1] for point in at])
    held = [(held_contact(at, rows, PARAMETER_NORM, *face), u) for face, u in faces.items()]
    kept = [(c, float(np.linalg.norm(u))) for c, u in held if c is not None]
    while kept:
        contacts = [c for c, _ in kept]
        masses = np.array([mass for _, mass in kept])
        optimum = newton(at, y, contacts, p, masses, slack=len(y) * penalty / 2)
        if optimum is None or not optimum.residual < SOLVED:
            return None
        if all(m > 0 for m in optimum.masses):
            thetas = [
                tuple(m * v for v in c.direction(at, optimum.p)) for c, m in zip(contacts, optimum.masses, strict=True)
            ]
            return tuple(Unit(Fraction(c.sign), theta) for c, theta in zip(contacts, thetas, strict=True)), optimum.p
        kept = [pair for pair, m in zip(kept, optimum.masses, strict=True) if m > 0]
    return None


def largest_penalty_square(points: Sequence[Sequence[Number]], labels: Sequence[Number]) -> Fraction:
    """The square of the smallest penalty for which the minimiser is 0, exactly.

    λ_max = (2/n) max |Σ y_i [θ·x̃_i]_+| over |θ| = 1: the dual (2/(nλ))y of f = 0 is feasible from there on. On a cell
    the sum is linear, and its maximum the length of a projection on a cone, the square of which is rational.

    >>> largest_penalty_square([[-2], [0], [2]], [1, "1/2", 1])  # λ_max = 5/3
    Fraction(25, 9)
    """
    at, y = distinct(points, labels)
    if len(at) < len(points):
        raise DataError("points repeat: the mean of the loss would change; keep each point once")
    cells = few_cells(at)
    largest = Fraction(0)
    for pattern in cells.patterns:
        sides = [tuple(t if on else -t for t in x) for x, on in zip(at, pattern, strict=True)]
        v = [
            sum((w * x[j] for w, x, on in zip(y, at, pattern, strict=True) if on), Fraction(0))
            for j in range(len(at[0]))
        ]
        if dot(v, v) <= largest:
            continue
        for sign in (1, -1):
            # the projection on the cell is ±v minus its projection on the polar cone
            linear = [sign * value for value in v]
            shares = exact_shares([-value for value in linear], sides, None)
            z = [
                value + sum((m * sides[i][j] for i, m in shares.items()), Fraction(0)) for j, value in enumerate(linear)
            ]
            largest = max(largest, dot(z, z))
    return 4 * largest / len(at) ** 2


def penalised_loss(
    points: Sequence[Point], y: Sequence[Fraction], penalty: Fraction, units: Sequence[Unit]
) -> Fraction:
    """(1/n) Σ (f(x_i) - y_i)² + λ Σ|c||θ|, the second term rounded up by a relative error of about 2^-96."""
    errors = [found - value for found, value in zip(_outputs(points, units), y, strict=True)]
    return dot(errors, errors) / len(y) + penalty * sum((unit.cost for unit in units), Fraction(0))


def _outputs(points: Sequence[Point], units: Sequence[Unit]) -> list[Fraction]:
    """f at the points."""
    return network_at([unit.c for unit in units], [unit.theta for unit in units], points)


def penalised_dual(points: Sequence[Point], y: Sequence[Fraction], penalty: Fraction, units: Sequence[Unit]) -> Array:
    """(2/(nλ))(y - f), rounded."""
    left = [value - found for value, found in zip(y, _outputs(points, units), strict=True)]
    return np.array([float(2 * value / (len(y) * penalty)) for value in left])


def _lower(dual: Dual, y: Sequence[Fraction], penalty: Fraction) -> Fraction:
    return penalised_bound(dual.p, y, penalty)


def penalised_bound(p: Sequence[Fraction], y: Sequence[Fraction], penalty: Fraction) -> Fraction:
    """λ p·y - (nλ²/4)|p|², at most the least penalised loss if p is feasible."""
    return penalty * dot(p, y) - len(y) * penalty**2 / 4 * dot(p, p)
