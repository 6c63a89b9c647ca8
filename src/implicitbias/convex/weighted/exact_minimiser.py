"""The only minimiser of a variation, and a dual that shows it, exactly, in numbers a + b√D.

Floating point and Newton's method give the atoms to sixty digits. Where their entries are a + b√D with small rationals,
everything else follows exactly: their masses solve linear equations; so do the duals that touch w(θ) = |θ| + l·θ at
them, one of which is chosen; and on every cell multipliers show that it touches nowhere else (de Dios & Bruna 2020,
problem (20)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares
from implicitbias.convex.weighted.certificate import minimisers_certificate
from implicitbias.convex.weighted.contacts import Contact
from implicitbias.convex.weighted.least import weighted_interpolant
from implicitbias.convex.weighted.weights import tilted
from implicitbias.errors import CertificateError, DataError
from implicitbias.exact.quadratic import Quadratic
from implicitbias.exact.rational import exact
from implicitbias.exact.surds import SURE, Row, in_field, inner, left_inverse, recognised

DENOMINATORS = (100, 10**4, 10**8, 10**14)
"""Bounds on the denominators of the dual's entries, tried in turn if several duals touch at the atoms."""
TOUCHING = 1e-7

IN = {
    "in the closed cell": ((0, 1), (-1, 0)),
    "in the half-open cell (>= 0 at its points, < 0 at others)": ((0, 1), (-1,)),
    "in the half-open cell (> 0 at its points, <= 0 at others)": ((1,), (-1, 0)),
    "inside the cell": ((1,), (-1,)),
}
"""Senses in which θ lies in a cell, weaker ones first: signs of θ·x̃_i at the points of its pattern, and at others."""


@dataclass(frozen=True)
class ExactAtom:
    """mass·sign·[θ·(x, 1)]_+, |θ| = 1."""

    mass: Quadratic
    sign: int
    theta: tuple[Quadratic, ...]


@dataclass(frozen=True)
class UniqueMinimiser:
    """The only measure of least ∫ w d|ν| through the data, w(θ) = |θ| + tilt·θ.

    points       (x, 1)
    p            the dual: |Σ p_i [θ·x̃_i]_+| <= w(θ)
    multipliers  for each cell, for g and for -g, the (i, m_i) that show it
    inverse      R with RΦ = 1, Φ the outputs of the atoms
    """

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    tilt: tuple[Fraction, ...]
    root: int
    p: tuple[Quadratic, ...]
    atoms: tuple[ExactAtom, ...]
    cells: Cells
    multipliers: tuple[tuple[tuple[tuple[int, Quadratic], ...], ...], ...]
    inverse: tuple[tuple[Quadratic, ...], ...]

    @property
    def value(self) -> Quadratic:
        """Σ p_i y_i, the least variation."""
        return in_field(sum((a * b for a, b in zip(self.p, self.y, strict=True)), Fraction(0)), self.root)

    def pairs(self) -> list[tuple[int, int, int, str]]:
        """(i, j, k, where): atoms i of sign + and j of sign - that both lie in cell k, in one of the senses IN; the
        strongest sense for each pair and cell, sorted by strength, the strongest last."""
        signs = [[inner(atom.theta, at).sign() for at in self.points] for atom in self.atoms]
        found = []
        for i, j in product(range(len(self.atoms)), repeat=2):
            if (self.atoms[i].sign, self.atoms[j].sign) != (1, -1):
                continue
            for k in range(len(self.cells)):
                senses = [
                    rank
                    for rank, (active, idle) in enumerate(IN.values())
                    if all(
                        value in (active if on else idle)
                        for n in (i, j)
                        for value, on in zip(signs[n], self.cells.patterns[k], strict=True)
                    )
                ]
                if senses:
                    found.append((senses[-1], i, j, k))
        return [(i, j, k, list(IN)[rank]) for rank, i, j, k in sorted(found)]

    def certificate(self) -> dict[str, Any]:
        """The proof for `certificate.kernel` that every minimiser has two atoms of opposite signs in one closed cell.

        Raises CertificateError if there are no two such atoms.
        """
        pairs = self.pairs()
        if not pairs:
            raise CertificateError(
                "no two atoms of opposite signs lie in one closed cell: there is nothing to certify; for the value and "
                "its bounds use the certificate of tv_interpolant"
            )
        return minimisers_certificate(
            self.points,
            self.y,
            self.tilt,
            self.root,
            self.p,
            [(atom.mass, atom.sign, atom.theta) for atom in self.atoms],
            self.cells,
            self.multipliers,
            self.inverse,
            self.value,
            pairs[-1],
        )


def unique_minimiser(
    points: Sequence[Sequence[Number]], labels: Sequence[Number], tilt: Sequence[Number] | None = None
) -> UniqueMinimiser:
    """The minimiser in numbers a + b√D, with the proof that it is the only one.

    tilt  l in w(a, b) = √(|a|² + b²) + l·(a, b); by default 0

    Raises ArithmeticError, with the reason, if the minimiser is not unique or its numbers are not recognised; then
    `optimal_face` gives enclosures.

    >>> found = unique_minimiser([[0], [1]], ["-1/2", "1/2"])
    >>> found.root, found.value  # (1 + √2)/2
    (2, Quadratic(a=Fraction(1, 2), b=Fraction(1, 2), root=2))
    >>> [(atom.sign, [round(float(t), 3) for t in atom.theta]) for atom in found.atoms]
    [(-1, [-0.707, 0.707]), (1, [1.0, 0.0])]
    """
    size = len(points[0]) + 1 if len(points) else 0
    slope = tuple(map(exact, tilt)) if tilt is not None else (Fraction(0),) * size
    if len(slope) != size:
        raise DataError(f"the tilt needs {size} numbers, one for each input and one for the bias: got {len(slope)}")
    found = weighted_interpolant(points, labels, tilted(slope), with_contacts=True)
    if not any(found.y):
        raise DataError("all labels are 0: the minimiser is 0 and has no atoms")
    if found.optimum is None or found.contacts is None or found.optimum.residual > SURE:
        raise ArithmeticError("the conditions of optimality were not solved to enough digits")
    at, contacts = found.points, found.contacts
    root, numbers = recognised([v for c in contacts for v in c.direction(at, found.optimum.p)])
    thetas = [tuple(numbers[j * size : (j + 1) * size]) for j in range(len(contacts))]
    if any(inner(theta, theta) - 1 for theta in thetas):
        raise ArithmeticError("the recognised atoms do not have length 1")
    outputs = [_outputs(c, theta, at) for c, theta in zip(found.contacts, thetas, strict=True)]
    inverse = left_inverse(outputs, root)
    masses = [inner(row, found.y) for row in inverse]
    if any(m.sign() <= 0 for m in masses):
        raise ArithmeticError("the atoms' masses are not all positive: fewer atoms suffice")
    for i, target in enumerate(found.y):
        if sum((m * column[i] for m, column in zip(masses, outputs, strict=True)), Fraction(0)) - target:
            raise ArithmeticError("the recognised atoms do not pass through the data")
    atoms = tuple(ExactAtom(m, c.sign, theta) for m, c, theta in zip(masses, contacts, thetas, strict=True))
    order = sorted(range(len(atoms)), key=lambda j: (atoms[j].sign, [float(t) for t in atoms[j].theta]))
    reason: ArithmeticError | None = None
    for longest in DENOMINATORS:
        p = _dual(contacts, thetas, at, [value.limit_denominator(longest) for value in found.optimum.p], root)
        try:
            multipliers = tuple(
                tuple(_shown(at, p, slope, found.cells.patterns[k], sign, atoms, root) for sign in (1, -1))
                for k in range(len(found.cells))
            )
        except ArithmeticError as error:
            reason = error
            continue
        ordered, rows = tuple(atoms[j] for j in order), tuple(tuple(inverse[j]) for j in order)
        return UniqueMinimiser(at, found.y, slope, root, p, ordered, found.cells, multipliers, rows)
    raise reason or ArithmeticError("no dual was found")


def _outputs(contact: Contact, theta: Sequence[Quadratic], points: Sequence[Point]) -> Row:
    zero = theta[0] * 0
    return [inner(theta, at) * contact.sign if on else zero for at, on in zip(points, contact.pattern, strict=True)]


def _dual(
    contacts: Sequence[Contact],
    thetas: Sequence[tuple[Quadratic, ...]],
    points: Sequence[Point],
    near: Sequence[Fraction],
    root: int,
) -> tuple[Quadratic, ...]:
    """p whose σv - l, projected on the walls of each atom, is the atom; undetermined entries are taken from `near`."""
    n = len(points)
    rows: list[Row] = []
    for c, theta in zip(contacts, thetas, strict=True):
        for b in c.basis:
            slope = sum((s * t for s, t in zip(b, c.tilt, strict=True)), Fraction(0))
            left = [
                c.sign * sum((s * t for s, t in zip(b, at, strict=True)), Fraction(0)) if on else Fraction(0)
                for at, on in zip(points, c.pattern, strict=True)
            ]
            rows.append([*(in_field(value, root) for value in left), inner(theta, b) + slope])
    pivots: list[int] = []
    for j in range(n):
        chosen = next((r for r in rows[len(pivots) :] if r[j]), None)
        if chosen is None:
            continue
        rows.remove(chosen)
        scaled = [v / chosen[j] for v in chosen]
        rows = [r if not r[j] else [a - r[j] * b for a, b in zip(r, scaled, strict=True)] for r in rows]
        rows.insert(len(pivots), scaled)
        pivots.append(j)
    if any(r[n] for r in rows[len(pivots) :]):
        raise ArithmeticError("no dual touches the weight at all the recognised atoms")
    p = [in_field(value, root) for value in near]
    for r, j in zip(rows, pivots, strict=False):
        rest = r[n]
        for k in range(n):
            if k != j and r[k]:
                rest = rest - r[k] * p[k]
        p[j] = rest
    return tuple(p)


def _shown(
    points: Sequence[Point],
    p: Sequence[Quadratic],
    tilt: Sequence[Fraction],
    pattern: Sequence[bool],
    sign: int,
    atoms: Sequence[ExactAtom],
    root: int,
) -> tuple[tuple[int, Quadratic], ...]:
    """Multipliers with |±v - l + Σ m_i s_i x̃_i| <= 1, equality only towards an atom of this sign."""
    c = [in_field(-slope, root) for slope in tilt]
    for value, at, on in zip(p, points, pattern, strict=True):
        if on:
            c = [entry + value * (sign * t) for entry, t in zip(c, at, strict=True)]
    sides = [tuple(t if on else -t for t in at) for at, on in zip(points, pattern, strict=True)]
    table = np.array([[float(t) for t in row] for row in sides]).T
    numbers = np.array([float(v) for v in c])
    mu = nonnegative_least_squares(table, -numbers)
    z = numbers + table @ mu
    if float(np.linalg.norm(z)) < 1 - TOUCHING:
        held = [(int(i), in_field(Fraction(round(mu[i] * 2**60), 2**60), root)) for i in np.flatnonzero(mu > 0)]
    else:
        support = [int(i) for i in np.flatnonzero(mu > TOUCHING)]
        target = min(atoms, key=lambda a: float(np.linalg.norm(z - [float(t) for t in a.theta])))
        gap = [a - b for a, b in zip(target.theta, c, strict=True)]
        try:
            shares = left_inverse([[in_field(t, root) for t in sides[i]] for i in support], root) if support else []
        except ArithmeticError:
            raise ArithmeticError(
                "walls through an atom depend on each other: its multipliers are not unique"
            ) from None
        held = [(i, inner(row, gap)) for i, row in zip(support, shares, strict=True)]
    held = [(i, m) for i, m in held if m]
    total = list(c)
    for i, m in held:
        total = [entry + m * t for entry, t in zip(total, sides[i], strict=True)]
    excess = (inner(total, total) - 1).sign()
    if excess > 0 or any(m.sign() < 0 for _, m in held):
        raise ArithmeticError("the recognised dual is not shown feasible on a cell")
    if excess == 0 and not any(
        a.sign == sign and all(not (s - t) for s, t in zip(a.theta, total, strict=True)) for a in atoms
    ):
        inside = all(inner(total, row).sign() >= 0 for row in sides)
        if inside and not any(inner(total, sides[i]) for i, _ in held):
            raise ArithmeticError(
                "the dual touches the weight at a further place: other minimisers may have atoms there"
            )
    return tuple(held)
