"""The trusted check of least total variation, interpolating or penalised: standard library only, beside kernel.py.

Kind "interpolation of least total variation"
  data    {"x": [[…], …], "y": [y_1, …, y_n]}, the x_i points of R^d
  primal  {"units": [[c, a_1, …, a_d, b], …]}: f(x) = Σ c·[a·x + b]_+, (a, b) != 0
  dual    {"p": [p_1, …, p_n], "cells": [{"inside": [θ_1, …, θ_(d+1)], "above": [[i, m], …], "below": [[i, m], …]}, …]},
          i from 0, m >= 0
  claim   {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest
          Σ|c|·√(|a|² + b²) of all such f through the data (de Dios & Bruna 2020, problem (20))

Kind "least loss penalised by total variation": data has "penalty": λ > 0 besides, f need not pass through the data, and
V is the smallest (1/n) Σ (f(x_i) - y_i)² + λ Σ|c|·√(|a|² + b²) of all such f (problem (22)).

Kind "margins of least total variation": the y_i are 1 or -1, y_i f(x_i) >= 1 is enough, and "cells" are those of the
points with p_i != 0, in "above" and "below" counted from 0 among themselves; V is the smallest Σ|c|·√(|a|² + b²).

Why the check suffices. f passes through the data and Σ|c|√(|a|² + b²) <= U, so V <= U. Put x̃ = (x, 1), θ = (a, b),
g(θ) = Σ p_i [θ·x̃_i]_+. For any f through the data Σ p_i y_i = Σ c_j g(θ_j), so if |g(θ)| <= |θ| for all θ, then
L <= Σ p_i y_i <= V.
  Penalised. λ Σ|c_j||θ_j| >= λ Σ p_i f(x_i), and (t - y_i)²/n + λ p_i t >= λ p_i y_i - nλ²p_i²/4 for every t: so
L <= λ Σ p_i y_i - (nλ²/4) Σ p_i² <= V.
  Margins. If p_i y_i >= 0 as well, then L <= Σ p_i y_i <= Σ p_i f(x_i) <= Σ|c_j||θ_j|, so L <= V. Points with p_i = 0
do not occur in g.
  One cell. The hyperplanes θ·x̃_i = 0 cut R^(d+1) into cells. Let "inside" be off all of them and s_i be the sign of
inside·x̃_i. On the closed cell around it, where s_i θ·x̃_i >= 0 for all i, g(θ) = v·θ with v = Σ p_i x̃_i over s_i > 0.
With m_i >= 0 therefore ±g(θ) <= (±v + Σ m_i s_i x̃_i)·θ <= |θ| if that vector has length at most 1; + with "above", -
with "below".
  All cells. Parameters with different signs are in different cells. So if there are as many of them as there are cells,
every cell has been checked, and closed cells cover R^(d+1). The cells are counted in integers: one hyperplane H more
adds as many cells as there are within H, cut by the hyperplanes that were there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

FIELDS = ("data", "primal", "dual", "claim")
PENALISED = "least loss penalised by total variation"
MARGINS = "margins of least total variation"
ROOT_BITS = 96
"""Bits of a square root."""
MOST_COUNTED = 5_000_000
"""About how many vectors counting the cells may take: more is refused, undecided."""


def check(document: dict[str, Any], kernel: Any) -> str:
    """What the certificate proves, in words; refused otherwise. `kernel` reads the numbers."""
    penalised, margins = document["kind"] == PENALISED, document["kind"] == MARGINS
    data = kernel.read_fields(document["data"], "data", ("x", "y", "penalty") if penalised else ("x", "y"))
    if not isinstance(data["x"], list) or not data["x"]:
        kernel.refuse("data.x must be a list of points, at least one")
    x = [(*kernel.read_numbers(point, f"data.x[{i}]"), Fraction(1)) for i, point in enumerate(data["x"])]
    y = kernel.read_numbers(data["y"], "data.y")
    if len({len(point) for point in x}) > 1 or len(x[0]) < 2:
        kernel.refuse("the points of data.x need as many coordinates, at least one")
    if len(x) != len(y):
        kernel.refuse(f"data.x has {len(x)} points and data.y {len(y)} numbers")
    penalty = kernel.read_number(data["penalty"], "data.penalty") if penalised else None
    if penalty is not None and penalty <= 0:
        kernel.refuse(f"data.penalty must be positive, not {kernel.in_words(penalty)}")
    if margins and any(abs(side) != 1 for side in y):
        kernel.refuse("data.y must hold 1 and -1, the classes")
    upper = _cost(document["primal"], x, y, penalty, margins, kernel)
    dual = kernel.read_fields(document["dual"], "dual", ("p", "cells"))
    p = kernel.read_numbers(dual["p"], "dual.p")
    if len(p) != len(x):
        kernel.refuse(f"dual.p has {len(p)} numbers, the data have {len(x)} points")
    if margins and any(weight * side < 0 for weight, side in zip(p, y, strict=True)):
        kernel.refuse("dual.p must have the signs of the classes")
    seen = [i for i, weight in enumerate(p) if weight or not margins]
    if not seen:
        kernel.refuse("dual.p is 0: it shows nothing")
    _require_feasible([p[i] for i in seen], dual["cells"], [x[i] for i in seen], kernel)
    lower = _dot(p, y) if penalty is None else penalty * _dot(p, y) - len(y) * penalty**2 / 4 * _dot(p, p)
    claim = kernel.read_fields(document["claim"], "claim", ("lower", "upper", "relative_gap"))
    low, high, gap = (kernel.read_number(claim[name], f"claim.{name}") for name in ("lower", "upper", "relative_gap"))
    if low > lower:
        kernel.refuse(f"claim.lower is above what the dual proves, {kernel.in_words(lower)}")
    if high < upper:
        kernel.refuse(f"claim.upper is below what the primal proves, {kernel.in_words(upper)}")
    if not 0 <= gap < 1 or high - low > gap * high:
        kernel.refuse("claim.relative_gap must be at least (upper - lower)/upper, and below 1")
    points = f"{len(x)} data point{'s' * (len(x) > 1)} in dimension {len(x[0]) - 1}"
    what = f"through the {points}, the smallest Σ|c|·√(|a|² + b²)"
    if margins:
        what = f"with y·f >= 1 at the {points}, classes y = ±1, the smallest Σ|c|·√(|a|² + b²)"
    if penalty is not None:
        what = f"on {points}, the smallest mean squared error plus {kernel.in_words(penalty)} times Σ|c|·√(|a|² + b²)"
    return (
        f"Of all sums of units c·[a·x + b]_+ {what} lies between {kernel.in_words(low)} and "
        f"{kernel.in_words(high)}; relative gap at most {kernel.in_words(gap)}."
    )


def _cost(
    given: object,
    x: list[tuple[Fraction, ...]],
    y: list[Fraction],
    penalty: Fraction | None,
    margins: bool,
    kernel: Any,
) -> Fraction:
    """Σ|c|√(|a|² + b²), rounded up; refused if the units miss the data. Penalised: the loss that they have."""
    listed = kernel.read_fields(given, "primal", ("units",))["units"]
    if not isinstance(listed, list):
        kernel.refuse("primal.units must be a list of [c, a_1, …, a_d, b]")
    totals, cost = [Fraction(0)] * len(x), Fraction(0)
    for n, unit in enumerate(listed):
        numbers = kernel.read_numbers(unit, f"primal.units[{n}]")
        if len(numbers) != len(x[0]) + 1 or not any(numbers[1:]):
            kernel.refuse(f"primal.units[{n}] must be [c, a_1, …, a_d, b] with d = {len(x[0]) - 1}, a or b not 0")
        c, theta = numbers[0], numbers[1:]
        cost += _root_above(c**2 * sum((t**2 for t in theta), Fraction(0)))
        totals = [total + c * max(Fraction(0), _dot(theta, point)) for total, point in zip(totals, x, strict=True)]
    if penalty is not None:
        errors = [total - target for total, target in zip(totals, y, strict=True)]
        return _dot(errors, errors) / len(y) + penalty * cost
    for i, (total, target) in enumerate(zip(totals, y, strict=True)):
        if margins and total * target < 1:
            kernel.refuse(f"the margin of the point {i} is {kernel.in_words(total * target)}, below 1")
        if not margins and total != target:
            kernel.refuse(f"the units miss the data point {i}, where y = {kernel.in_words(target)}")
    return cost


def _require_feasible(p: list[Fraction], cells: Any, x: list[tuple[Fraction, ...]], kernel: Any) -> None:
    """|Σ p_i [θ·x̃_i]_+| <= |θ| for all θ, cell by cell; refused otherwise."""
    if not isinstance(cells, list):
        kernel.refuse("dual.cells must be a list")
    seen: set[tuple[bool, ...]] = set()
    for k, cell in enumerate(cells):
        where = f"dual.cells[{k}]"
        fields = kernel.read_fields(cell, where, ("inside", "above", "below"))
        inside = kernel.read_numbers(fields["inside"], f"{where}.inside")
        if len(inside) != len(x[0]):
            kernel.refuse(f"{where}.inside must have {len(x[0])} numbers")
        values = [_dot(inside, point) for point in x]
        if 0 in values:
            kernel.refuse(f"{where}.inside lies on the hyperplane of point {values.index(Fraction(0))}, in no cell")
        pattern = tuple(value > 0 for value in values)
        seen.add(pattern)
        v = [Fraction(0)] * len(x[0])
        for on, weight, point in zip(pattern, p, x, strict=True):
            if on and weight:
                v = [entry + weight * coordinate for entry, coordinate in zip(v, point, strict=True)]
        for name, side in (("above", 1), ("below", -1)):
            total = [side * entry for entry in v]
            for i, m in _multipliers(fields[name], f"{where}.{name}", len(x), kernel):
                m = m if pattern[i] else -m
                total = [entry + m * coordinate for entry, coordinate in zip(total, x[i], strict=True)]
            if sum(entry**2 for entry in total) > 1:
                kernel.refuse(f"{where}.{name} does not show |g| <= 1 on its cell: the dual is not shown feasible")
    count = _count([_integers(point) for point in x], [MOST_COUNTED], kernel)
    if len(seen) != count:
        kernel.refuse(f"dual.cells has {len(seen)} different cells, and there are {count}")


def _multipliers(given: Any, where: str, n: int, kernel: Any) -> list[tuple[int, Fraction]]:
    found = []
    if not isinstance(given, list):
        kernel.refuse(f"{where} must be a list of pairs [i, m]")
    for pair in given:
        if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) is not int or not 0 <= pair[0] < n:
            kernel.refuse(f"{where} must be a list of pairs [i, m], i from 0 to {n - 1}")
        m = kernel.read_number(pair[1], where)
        if m < 0:
            kernel.refuse(f"{where} has the negative multiplier {kernel.in_words(m)}")
        found.append((pair[0], m))
    return found


def _count(rows: list[tuple[int, ...]], left: list[int], kernel: Any) -> int:
    """The cells into which the hyperplanes θ·row = 0 cut the space of θ."""
    left[0] -= len(rows)
    if left[0] < 0:
        kernel.refuse("undecided: there are too many hyperplanes to count their cells")
    distinct = list(dict.fromkeys(_line(row) for row in rows if any(row)))
    if not rows or len(rows[0]) <= 2:
        return max(1, 2 * len(distinct)) if rows and len(rows[0]) == 2 else 1 + bool(distinct)
    total = 1
    for i, row in enumerate(distinct):
        k = next(j for j, value in enumerate(row) if value)
        within = [
            tuple(row[k] * other[j] - other[k] * row[j] for j in range(len(row)) if j != k) for other in distinct[:i]
        ]
        total += _count(within, left, kernel)
    return total


def _line(row: tuple[int, ...]) -> tuple[int, ...]:
    """The same for all multiples of the row."""
    divisor = gcd(*row) if next(value for value in row if value) > 0 else -gcd(*row)
    return tuple(value // divisor for value in row)


def _integers(point: Sequence[Fraction]) -> tuple[int, ...]:
    scale = lcm(*(value.denominator for value in point))
    return tuple(int(value * scale) for value in point)


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def _root_above(square: Fraction) -> Fraction:
    """A rational not below the root, and above it by 2^-ROOT_BITS of it, about."""
    if not square:
        return Fraction(0)
    shift = max(0, ROOT_BITS + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    return Fraction(isqrt((square.numerator << (2 * shift)) // square.denominator) + 1, 1 << shift)
