"""Atoms on given faces that pass through the data exactly, and the cheapest of them in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.cells.lifted import lifted
from implicitbias.convex.programmes.differences import differences
from implicitbias.convex.variation.bounds import Unit
from implicitbias.convex.variation.polish import least_on_faces
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.bounds import shifted_atoms
from implicitbias.convex.weighted.contacts import Contact, held_contact
from implicitbias.convex.weighted.faces import Face, moved_to_walls
from implicitbias.convex.weighted.weights import Weight

CROWDED = 2
"""Guesses with more atoms per point than this are noise."""
EXCHANGES = 12
"""Largest number of rounds in which atoms without mass are dropped, or put on the walls that they have crossed."""


def cheapest_on(table: Array, y: Array, guess: dict[Face, Array], weight: Weight) -> dict[Face, Array] | None:
    """The programme over these faces alone, in floating point: for the norm."""
    if not guess or weight.of_outputs or not weight.homogeneous or len(guess) > CROWDED * (len(y) + 1):
        return None
    rows = differences(table)
    bases, columns = [], []
    for sign, pattern, walls in guess:
        _, values, right = np.linalg.svd(table[list(walls)]) if walls else (None, np.zeros(0), np.eye(table.shape[1]))
        basis = right[int((values > 1e-13 * values.max(initial=1.0)).sum()) :].T
        if not basis.shape[1]:
            return None
        heights = np.where(np.array(pattern)[:, None], table @ basis, 0.0)
        for i, j in rows.pairs.items():
            if pattern[i] and pattern[j]:
                heights[i] = (table[i] - table[j]) @ basis
            else:
                heights[i] = heights[i] - np.where(pattern[j], table[j] @ basis, 0.0)
        bases.append(basis)
        columns.append(sign * heights / np.array(rows.scales, float)[:, None])
    targets = np.array([float(v) for v in rows.of([Fraction(float(value)) for value in y])])
    size = float(np.abs(targets).max())
    weights = least_on_faces(columns, targets / size)
    if weights is None:
        return None
    return {face: basis @ w * size for face, basis, w in zip(guess, bases, weights, strict=True)}


def as_they_are(
    at: Sequence[Point], y: Sequence[Fraction], weight: Weight, guess: dict[Face, Array]
) -> list[Unit] | None:
    """Units on these faces through the data exactly, as close to the guess as possible, relative to their size; units
    that cross a wall are held on it."""
    rows = lifted([point[:-1] for point in at])
    atoms = dict(guess)
    for _ in range(EXCHANGES):
        contacts, starts, rests = [], [], []
        for face, u in atoms.items():
            if (c := held_contact(at, rows, weight, *face)) is None:
                continue
            basis, flat = np.array(c.basis, float).T, np.array(c.flat, float).T.reshape(len(u), -1)
            shares = np.linalg.lstsq(np.hstack([basis, flat]), u, rcond=None)[0]
            contacts.append((face, c))
            starts.append([Fraction(float(v)) for v in shares[: basis.shape[1]]])
            rests.append(split_atom(c, u)[1])
        held = [c for _, c in contacts]
        thetas = shifted_atoms(at, y, held, starts, rests) if held else None
        if thetas is None:
            return None
        after: dict[Face, Array] = {}
        for (face, _), theta in zip(contacts, thetas, strict=True):
            new = moved_to_walls(at, face, theta)
            after[new] = after.get(new, np.zeros(len(theta))) + np.array(theta, float)
        if after.keys() == atoms.keys():
            return [Unit(Fraction(c.sign), theta) for c, theta in zip(held, thetas, strict=True) if any(theta)]
        atoms = after
    return None


def split_atom(c: Contact, u: Array) -> tuple[float, tuple[Fraction, ...]]:
    """The mass of u, and its part along which neither outputs nor cost change."""
    Q = np.array([[float(v) for v in row] for row in c.gram])
    basis, flat = np.array(c.basis, float).T, np.array(c.flat, float).T.reshape(len(u), -1)
    shares = np.linalg.lstsq(np.hstack([basis, flat]), u, rcond=None)[0]
    t, free = shares[: basis.shape[1]], [Fraction(float(s)) for s in shares[basis.shape[1] :]]
    rest = tuple(sum((s * v[j] for s, v in zip(free, c.flat, strict=True)), Fraction(0)) for j in range(len(u)))
    return float(np.sqrt(max(t @ Q @ t, 0.0))), rest
