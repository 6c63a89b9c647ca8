"""Where minimisers have their atoms: known counts, programmes over directions, and minimisers made by hand."""

from __future__ import annotations

from fractions import Fraction
from math import acos

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.convex.weighted.optimal_face import OptimalFace, optimal_face
from implicitbias.convex.weighted.weights import PRINTED, TRUE, tilted
from implicitbias.errors import DataError
from tests.support.dedios_data import DATA

CONTACTS = {
    "A1": (2, 0), "A2": (3, 0), "A3": (4, 0), "A4": (12, 4), "A5": (12, 4), "A6": (2, 0), "A7": (2, 0), "A8": (2, 0),
    "A9": (2, 0), "B0": (4, 0), "B1": (2, 0), "B2": (4, 0), "B3": (4, 0), "B4": (6, 0), "B5": (4, 0), "C1": (4, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CONTACTS))
def test_contacts_and_the_dimension_of_the_face_are_known(name: str) -> None:
    face = optimal_face(*DATA[name])
    assert (len(face.contacts), face.dimension) == CONTACTS[name]
    assert face.unique is (CONTACTS[name][1] == 0)
    least, most = face.pivots
    assert least > 1e-3
    assert most < 1e-40


@pytest.mark.parametrize("name", ["A4", "A5"])
def test_vertices_are_different_minimisers_with_as_many_atoms_as_the_rank(name: str) -> None:
    face = optimal_face(*DATA[name])
    vertices, table = face.vertices(), face.outputs()
    y, value = np.array(face.interpolant.y, float), float(face.interpolant.upper)
    assert len(vertices) > 4
    for masses in vertices:
        assert table @ masses == pytest.approx(y, rel=1e-7, abs=1e-9 * value)
        assert masses.sum() == pytest.approx(value, rel=1e-9)
        assert (masses > 0).sum() == 8
    differences = np.array(vertices[1:]) - vertices[0]
    assert np.linalg.matrix_rank(differences, tol=1e-6 * value) == face.dimension
    # one dimension: a unit and its reflection differ by an affine function
    assert len({tuple(np.sign(np.array(t.theta, float)[0]) * np.array(t.theta, float)) for t in face.contacts}) < 12


def test_at_most_one_contact_of_each_sign_in_a_closed_cell() -> None:
    both = {}
    for name in ("A1", "A4", "B1", "B2", "B4", "C1"):
        face = optimal_face(*DATA[name])
        cells = range(len(face.interpolant.cells))
        seen = {s: [sum(k in t.cells for t in face.contacts if t.sign == s) for k in cells] for s in (1, -1)}
        assert max(seen[1] + seen[-1]) <= 1
        both[name] = [k for k in cells if seen[1][k] and seen[-1][k]]
        assert len(face.contacts) <= len(face.interpolant.cells) - 1
    assert [face_cells != [] for face_cells in both.values()] == [True] * 6
    assert both["A1"] == [3]


def minimum_over(face: OptimalFace, directions: np.ndarray) -> float:
    from scipy.optimize import linprog

    x, y = np.array(face.interpolant.points, float), np.array(face.interpolant.y, float)
    outputs = np.maximum(x @ directions.T, 0)
    found = linprog(np.ones(2 * len(directions)), A_eq=np.hstack([outputs, -outputs]), b_eq=y)
    return float(found.fun) if found.status == 0 else float("inf")


def test_without_directions_near_a_contact_the_minimum_is_larger() -> None:
    face = optimal_face(*DATA["B3"])
    generator = np.random.default_rng(1)
    directions = generator.standard_normal((6000, 3))
    contacts = np.array([touch.theta for touch in face.contacts], float)
    directions = np.vstack([directions, *(c + 1e-3 * generator.standard_normal((50, 3)) for c in contacts), contacts])
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    value = float(face.interpolant.upper)
    assert minimum_over(face, directions) == pytest.approx(value, rel=1e-7)
    for theta in contacts:
        assert minimum_over(face, directions[directions @ theta < np.cos(0.2)]) > value * (1 + 1e-5)


@pytest.mark.parametrize("name", ["A2", "B1", "B4", "C1"])
def test_outside_the_caps_the_dual_stays_below_the_norm(name: str) -> None:
    face = optimal_face(*DATA[name])
    assert face.rest < 1e-10
    x, p = np.array(face.interpolant.points, float), np.array([float(v) for v in face.interpolant.dual.p])
    theta = np.random.default_rng(2).standard_normal((100_000, x.shape[1]))
    theta = np.vstack([theta, *(np.array([t.theta for t in face.contacts], float) + s for s in (0, 1e-3, -1e-4))])
    theta /= np.linalg.norm(theta, axis=1)[:, None]
    g = np.maximum(theta @ x.T, 0) @ p
    touching = np.flatnonzero(np.abs(g) > 1 - 1e-12)
    assert len(touching) == len(face.contacts)
    for k in touching:
        near = [
            acos(np.clip(float(theta[k] @ np.array(cap.axis, float)), -1, 1))
            for cap in face.caps
            if cap.sign == np.sign(g[k])
        ]
        assert min(near) < 1e-6


def test_two_contacts_of_the_tilted_norm_are_inside_one_cell() -> None:
    face = optimal_face([[-1], [1]], [-1, 1], tilted([0, "-4/5"]))
    assert face.unique
    assert [(touch.sign, touch.walls, touch.cells) for touch in face.contacts] == [(-1, (), (3,)), (1, (), (3,))]
    assert [float(v) for v in face.contacts[1].theta] == pytest.approx([0.6, 0.8], abs=1e-30)


@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(-4, 4)), min_size=2, max_size=6, unique_by=lambda p: p[0]))
def test_every_vertex_passes_through_the_data_at_the_least_cost(data: list[tuple[int, int]]) -> None:
    x, y = [[a] for a, _ in data], [b for _, b in data]
    if not any(y):
        return
    try:
        face = optimal_face(x, y)
    except ArithmeticError:
        return  # said, not hidden: the conditions were not solved
    vertices = face.vertices()
    assert vertices
    assert (len(vertices) == 1) is face.unique
    for masses in vertices:
        assert face.outputs() @ masses == pytest.approx(np.array(y, float), abs=1e-7)
        assert masses.sum() == pytest.approx(float(face.interpolant.upper), rel=1e-8)


def test_labels_of_zero_have_the_minimiser_zero() -> None:
    face = optimal_face([[0, 1], [2, 3]], [0, 0])
    assert (face.contacts, face.dimension, face.rest) == ((), 0, 0)


@pytest.mark.parametrize("weight", [PRINTED, TRUE])
def test_weights_of_outputs_have_no_contact_points(weight: object) -> None:
    with pytest.raises(DataError, match="contacts are not points"):
        optimal_face([[0], [1]], [Fraction(1), Fraction(2)], weight)  # type: ignore[arg-type]
