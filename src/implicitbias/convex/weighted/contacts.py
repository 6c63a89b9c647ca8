"""Where a dual reaches the weight, to any number of digits: Newton's method on the optimality conditions in fractions.

Held on its walls and in its pattern S, an atom is u = m·B t with BᵀQ_S B regular. If the dual touches w at it,
  t = (BᵀQ_S B)⁻¹ Bᵀ(σ X̃_Sᵀp_S - l),  tᵀ(BᵀQ_S B)t = 1,   and   Σ m_j σ_j [B_j t_j·x̃_i]_+ = y_i,
as many polynomial equations as there are p_i and m_j. Half of the derivative's matrix is symmetric; a floating-point
pseudo-inverse of it is enough for steps whose residuals are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.cells.lifted import Vector, independent_columns, null_space
from implicitbias.convex.programmes.differences import Differences, differences
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.weights import Weight
from implicitbias.exact.fixed_point import solve_to_digits
from implicitbias.exact.vectors import Matrix, combined, dot, flint_matrix, matrix_of, values_at

BITS = 260
"""p and the masses are kept to multiples of 2^-BITS of their size."""
ENOUGH = 2.0**-200
STEPS = 40
EXACT_STEPS = 14
"""Steps of Newton's method with an exact derivative, which doubles the digits."""


@dataclass(frozen=True)
class Contact:
    """A place where sign·g may reach w: pattern and walls of its unit, and how t follows from p.

    basis     columns B, as vectors of R^(d+1)
    flat      further directions along the walls in which w and all outputs stay the same
    gram      BᵀQB
    to_t      (BᵀQB)⁻¹Bᵀ
    """

    sign: int
    pattern: tuple[bool, ...]
    walls: tuple[int, ...]
    basis: Matrix
    flat: Matrix
    gram: Matrix
    to_t: Matrix
    tilt: tuple[Fraction, ...]

    def direction(self, points: Sequence[Point], p: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """B t, the only place of its cell, walls and sign where g can touch w. `p` may be of any ordered field."""
        return self.along(self.coordinates(points, p))

    def coordinates(self, points: Sequence[Point], p: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """t."""
        active = [(value, at) for value, at, on in zip(p, points, self.pattern, strict=True) if on]
        masses = [value for value, _ in active]
        v = [self.sign * dot(masses, [at[j] for _, at in active]) - tilt for j, tilt in enumerate(self.tilt)]
        return tuple(dot(row, v) for row in self.to_t)

    def along(self, t: Sequence[Fraction]) -> tuple[Fraction, ...]:
        return tuple(dot(t, [column[j] for column in self.basis]) for j in range(len(self.tilt)))

    def outputs(self, points: Sequence[Point], theta: Sequence[Fraction]) -> list[Fraction]:
        return [dot(theta, at) if on else Fraction(0) for at, on in zip(points, self.pattern, strict=True)]


def held_contact(
    points: Sequence[Point],
    rows: Sequence[Vector],
    weight: Weight,
    sign: int,
    pattern: tuple[bool, ...],
    walls: tuple[int, ...],
) -> Contact | None:
    """The contact of this pattern on these walls."""
    size = len(points[0])
    space = (
        null_space([rows[i] for i in walls])
        if walls
        else tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    )
    if not space:
        return None
    Q, tilt = weight.form(points, pattern)
    basis: tuple[Vector, ...] = space
    flat: tuple[Vector, ...] = ()
    if weight.of_outputs:
        active = [row for row, on in zip(rows, pattern, strict=True) if on]
        moved = [tuple(sum(a * b for a, b in zip(row, v, strict=True)) for v in space) for row in active]
        kept = independent_columns(moved) if active else []
        if not kept:
            return None
        basis = tuple(space[j] for j in kept)
        flat = tuple(
            tuple(sum(c * v[j] for c, v in zip(combination, space, strict=True)) for j in range(size))
            for combination in null_space(moved)
        )
    columns = tuple(map(_short, basis))
    gram = tuple(tuple(dot(a, [dot(row, b) for row in Q]) for b in columns) for a in columns)
    to_t = matrix_of(flint_matrix(gram).inv() * flint_matrix(columns))
    return Contact(sign, pattern, walls, columns, tuple(map(_short, flat)), gram, to_t, tilt)


def _short(vector: Vector) -> tuple[Fraction, ...]:
    """A multiple with entries of absolute value at most 1, as the integers may have hundreds of digits."""
    scale = 1 << max(abs(value) for value in vector).bit_length()
    return tuple(Fraction(value, scale) for value in vector)


@dataclass(frozen=True)
class Optimum:
    """p and masses that solve the equations up to `residual`, relative."""

    p: tuple[Fraction, ...]
    masses: tuple[Fraction, ...]
    residual: float


def newton(
    points: Sequence[Point],
    y: Sequence[Fraction],
    contacts: Sequence[Contact],
    p: Sequence[Fraction] | Sequence[float],
    masses: Array,
    digits: bool = False,
    slack: Fraction = Fraction(0),
) -> Optimum | None:
    """The optimality conditions at these contacts, solved from an approximate start; the best iterate.

    digits  equations are solved to digits, for contacts of very different scales; else by a floating-point
            pseudo-inverse, for contacts whose outputs depend on each other
    slack   the residual at the data is slack·p_i: slack = (n/2)λ for the penalised loss
    """
    n, count = len(points), len(contacts)
    dual = [_rounded(Fraction(value)) for value in p]
    mass = [_rounded(Fraction(float(value))) for value in masses]
    rows = differences(np.array([[float(v) for v in point] for point in points]))
    size = max(map(abs, rows.of(y)))
    seen = [(_seen(points, c, c.basis, rows), _seen(points, c, c.to_t, rows)) for c in contacts]
    units = _units(rows)
    if digits:
        bends = [[[dot(a, b) for b in right] for a in left] for left, right in seen]
        extra = [[_rounded(slack / size * dot(a, b)) for b in units] for a in units]
    else:
        # the derivative alone is in floating point: residuals are exact
        doubles = [(np.array(left, float), np.array(right, float)) for left, right in seen]
        about = np.array([left @ right.T for left, right in doubles]).reshape(count, n, n)
        rounded = np.array(units, float).reshape(n, n)
        level = float(slack / size) * (rounded @ rounded.T)
    best: Optimum | None = None
    inverse: Array | None = None
    for step in range(STEPS):
        ts = [c.coordinates(points, dual) for c in contacts]
        heights = values_at([c.along(t) for c, t in zip(contacts, ts, strict=True)], points)
        columns = [
            [value if on else Fraction(0) for value, on in zip(row, c.pattern, strict=True)]
            for row, c in zip(heights, contacts, strict=True)
        ]
        reached = combined([m * c.sign for m, c in zip(mass, contacts, strict=True)], columns) if count else [0] * n
        missing = [target - slack * dual[i] - reached[i] for i, target in enumerate(y)]
        over = [
            1 - sum((a * dot(row, t) for a, row in zip(t, c.gram, strict=True)), Fraction(0))
            for c, t in zip(contacts, ts, strict=True)
        ]
        right = [value / size for value in rows.of(missing)]
        right += [value / 2 for value in over]
        residual = max(abs(float(value)) for value in right)
        if best is None or residual < best.residual:
            best = Optimum(tuple(dual), tuple(mass), residual)
        if residual <= ENOUGH or residual > 1e3 * best.residual or (digits and step >= EXACT_STEPS):
            break
        if digits or step < 4:
            phi = [
                [_rounded(c.sign * value) for value in rows.of(col)] for c, col in zip(contacts, columns, strict=True)
            ]
            shares = [_rounded(m / size) for m in mass]
            if digits:
                curved = [
                    [
                        sum((m * bend[i][j] for m, bend in zip(shares, bends, strict=True)), extra[i][j])
                        for j in range(n)
                    ]
                    for i in range(n)
                ]
                system = [[*curved[i], *(column[i] for column in phi)] for i in range(n)]
                system += [[*column, *([Fraction(0)] * count)] for column in phi]
            else:
                bent = np.tensordot(np.array(shares, float), about, 1) + level
                outer = np.array(phi, float).reshape(count, n)
                whole = np.block([[bent, outer.T], [outer, np.zeros((count, count))]])
                inverse = np.linalg.pinv(whole, rcond=1e-11)
        if digits:
            change = solve_to_digits(system, right)
        else:
            assert inverse is not None
            change = [Fraction(float(v)) for v in inverse @ np.array(right, float)]
        dual = [_rounded(value + d) for value, d in zip(dual, rows.back(change[:n]), strict=True)]
        mass = [_rounded(value + d * size) for value, d in zip(mass, change[n:], strict=True)]
    return best


def _seen(points: Sequence[Point], c: Contact, vectors: Matrix, rows: Differences) -> list[list[Fraction]]:
    """(n, number of vectors): X̃_S vectors as the equations see its rows. With B and to_t their product is
    X̃_S B (BᵀQB)⁻¹ Bᵀ X̃_Sᵀ, how g bends."""
    heights = [
        rows.of([dot(v, at) if on else Fraction(0) for at, on in zip(points, c.pattern, strict=True)]) for v in vectors
    ]
    return [[_rounded(value) for value in entries] for entries in zip(*heights, strict=True)]


def _units(rows: Differences) -> list[list[Fraction]]:
    """(n, n): the identity as the equations see its rows; its square is how they see the residuals' share of p."""
    n = len(rows.scales)
    columns = [rows.of([Fraction(int(i == k)) for i in range(n)]) for k in range(n)]
    return [list(row) for row in zip(*columns, strict=True)]


def _rounded(value: Fraction) -> Fraction:
    if not value:
        return value
    top, bottom = value.numerator, value.denominator
    shift = BITS - (top.bit_length() - bottom.bit_length())
    nearest, rest = divmod(top << max(shift, 0), below := bottom << max(-shift, 0))
    nearest += 2 * rest > below or (2 * rest == below and nearest % 2 == 1)
    return Fraction(nearest << max(-shift, 0), 1 << max(shift, 0))
