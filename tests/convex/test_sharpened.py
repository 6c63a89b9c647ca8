"""Duals made better by small changes, and faces read off approximate minimisers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.convex.weighted.bounds import weighted_dual
from implicitbias.convex.weighted.faces import moved_to_walls
from implicitbias.convex.weighted.least import weighted_interpolant
from implicitbias.convex.weighted.sharpened import sharpened
from implicitbias.convex.weighted.weights import PARAMETER_NORM, TRUE
from implicitbias.exact.vectors import dot
from tests.support.dedios_data import DATA


@pytest.mark.parametrize(("name", "weight"), [("B1", PARAMETER_NORM), ("A3", PARAMETER_NORM), ("B3", TRUE)])
def test_a_dual_that_was_disturbed_gets_most_of_its_bound_back(name: str, weight: object) -> None:
    found = weighted_interpolant(*DATA[name], weight)  # type: ignore[arg-type]
    generator = np.random.default_rng(0)
    size = max(abs(float(value)) for value in found.dual.p)
    worse = [
        value + Fraction(float(1e-6 * size * step))
        for value, step in zip(found.dual.p, generator.standard_normal(len(found.y)), strict=True)
    ]
    before = weighted_dual(found.points, worse, found.shapes, found.weight)
    better = sharpened(found.points, found.y, worse, found.shapes)
    after = weighted_dual(found.points, better, found.shapes, found.weight)
    lost, left = (float(1 - dot(dual.p, found.y) / found.lower) for dual in (before, after))
    assert 1e-8 < lost < 1e-4
    assert left < lost / 100


def test_an_atom_that_crosses_a_hyperplane_is_put_on_it() -> None:
    at = [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(1))]
    face = (1, (True, True), ())
    assert moved_to_walls(at, face, (Fraction(1), Fraction(1))) == face
    assert moved_to_walls(at, face, (Fraction(2), Fraction(-1))) == (1, (False, True), (0,))
    # on the wall is still in the closed cell
    assert moved_to_walls(at, face, (Fraction(1), Fraction(0))) == face
    assert moved_to_walls(at, (1, (False, True), ()), (Fraction(1), Fraction(0))) == (1, (False, True), ())
