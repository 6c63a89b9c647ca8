"""Minimisers in numbers a + b√D against closed forms, bounds, and what the definitions say of each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.convex.weighted.exact_minimiser import UniqueMinimiser, unique_minimiser
from implicitbias.errors import DataError
from implicitbias.exact.quadratic import Quadratic
from implicitbias.exact.surds import left_inverse, recognised
from tests.support.dedios_data import DATA, VALUES

F = Fraction


def exotic() -> UniqueMinimiser:
    return unique_minimiser([[-1], [1]], [-1, 1], [0, "-4/5"])


@pytest.mark.parametrize(
    ("name", "root", "a", "b", "atoms"),
    [
        ("A1", 2, F(1, 2), F(1, 2), 2),
        ("A6", 2, F(2), F(0), 2),
        ("A7", 97, F(0), F(1, 5), 2),
        ("A8", 13, F(0), F(1, 4), 2),
        ("A9", 5, F(0), F(2), 2),
        ("B1", 2, F(5, 4), F(0), 2),
        ("B2", 2, F(0), F(2), 4),
    ],
)
def test_values_are_the_closed_forms(name: str, root: int, a: Fraction, b: Fraction, atoms: int) -> None:
    found = unique_minimiser(*DATA[name])
    assert found.value == Quadratic(a, b, root)
    assert float(found.value) == pytest.approx(VALUES[name]["norm"], rel=1e-14)
    assert len(found.atoms) == atoms


def test_the_dual_of_two_points_is_minus_root_two_and_one() -> None:
    found = unique_minimiser(*DATA["A1"])
    assert [float(v) for v in found.p] == pytest.approx([-(2**0.5), 1])
    (i, j, k, where), *rest = found.pairs()
    assert rest == []
    assert (found.atoms[i].theta[1], found.cells.active(k)) == (Quadratic(F(0), F(0), 2), (0, 1))
    assert where.startswith("in the half-open cell (>= 0")
    assert float(found.atoms[j].mass) == pytest.approx(2**-0.5)


def test_atoms_of_opposite_signs_are_active_at_the_same_points_of_the_plane() -> None:
    found = unique_minimiser(*DATA["B1"])
    assert {tuple(t.a for t in atom.theta) for atom in found.atoms} == {
        (F(12, 25), F(20, 25), F(-9, 25)),
        (F(12, 25), F(-20, 25), F(-9, 25)),
    }
    assert {atom.mass.a for atom in found.atoms} == {F(5, 8)}
    _, _, k, where = found.pairs()[-1]
    assert found.cells.active(k) == (2, 3)
    assert where.startswith("in the half-open cell (> 0")


def test_the_tilted_norm_has_both_atoms_inside_one_cell() -> None:
    found = exotic()
    assert found.value == Quadratic(F(3, 5), F(0), 2)
    assert [v.a for v in found.p] == [F(-3, 10), F(3, 10)]
    assert {(atom.mass.a, atom.sign, *(t.a for t in atom.theta)) for atom in found.atoms} == {
        (F(5, 6), 1, F(3, 5), F(4, 5)),
        (F(5, 6), -1, F(-3, 5), F(4, 5)),
    }
    assert found.pairs()[-1][2:] == (3, "inside the cell")


@pytest.mark.parametrize("name", ["A1", "B1", "B2", "A8", "tilted"])
def test_the_dual_touches_the_weight_at_the_atoms_and_nowhere_else(name: str) -> None:
    found = exotic() if name == "tilted" else unique_minimiser(*DATA[name])
    x, p = np.array(found.points, float), np.array([float(v) for v in found.p])
    slope = np.array(found.tilt, float)
    atoms = np.array([[float(t) for t in atom.theta] for atom in found.atoms])
    theta = np.random.default_rng(0).standard_normal((100_000, x.shape[1]))
    theta /= np.linalg.norm(theta, axis=1)[:, None]
    theta = np.vstack([theta, atoms])
    share = np.maximum(theta @ x.T, 0) @ p / (1 + theta @ slope)
    assert np.abs(share).max() <= 1 + 1e-12
    assert share[-len(atoms) :] == pytest.approx([atom.sign for atom in found.atoms])
    far = np.min(np.linalg.norm(theta[:, None] - atoms[None], axis=2), axis=1) > 0.3
    assert np.abs(share[far]).max() < 0.999


def test_what_is_not_unique_or_not_in_such_numbers_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="not recognised"):
        unique_minimiser(*DATA["B3"])
    with pytest.raises(ArithmeticError):
        # |x| on a symmetric grid plus a line: kinks at data, and the same function with reflected units
        unique_minimiser(*DATA["A4"])
    with pytest.raises(DataError, match="all labels are 0"):
        unique_minimiser([[0], [1]], [0, 0])
    with pytest.raises(DataError, match="the tilt needs 2 numbers"):
        unique_minimiser([[0], [1]], [0, 1], [0, 0, 0])


def test_numbers_are_recognised_by_their_digits_only_if_they_are_close() -> None:
    root = F(14142135623730950488016887242096980785696718753769480731766797379907324784621, 10**76)
    assert recognised([root * 3 / 7 - 2, F(1, 3)]) == (
        2,
        (Quadratic(F(-2), F(3, 7), 2), Quadratic(F(1, 3), F(0), 2)),
    )
    with pytest.raises(ArithmeticError, match="not recognised"):
        recognised([root * 3 / 7 - 2 + F(1, 10**35)])


def test_a_left_inverse_is_one_and_dependent_columns_have_none() -> None:
    def number(a: int, b: int = 0) -> Quadratic:
        return Quadratic(F(a), F(b), 3)

    columns = [[number(1), number(0, 1), number(2)], [number(0), number(1), number(1, 1)]]
    inverse = left_inverse(columns, 3)
    for i, row in enumerate(inverse):
        for j, column in enumerate(columns):
            total = number(0)
            for a, b in zip(row, column, strict=True):
                total = total + a * b
            assert total == number(int(i == j))
    with pytest.raises(ArithmeticError, match="depend on each other"):
        left_inverse([columns[0], [v * number(0, 2) for v in columns[0]]], 3)
