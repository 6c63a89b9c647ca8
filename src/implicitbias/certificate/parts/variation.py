"""What the three kinds of certificate of least total variation share: units, and a dual that is shown feasible.

  primal  {"units": [[c, a_1, …, a_d, b], …]}: f(x) = Σ c·[a·x + b]_+, (a, b) != 0
  dual    {"p": [p_1, …, p_n], …} and why it is feasible: cones.py, or
          {"p": [p_1, …, p_n], "cells": [{"inside": [θ_1, …, θ_(d+1)], "above": [[i, m], …], "below": [[i, m], …]}, …]},
          i from 0, m >= 0

Put x̃ = (x, 1), θ = (a, b), g(θ) = Σ p_i [θ·x̃_i]_+. What is shown: |g(θ)| <= |θ| for all θ.
  One cell. The hyperplanes θ·x̃_i = 0 cut R^(d+1) into cells. Let "inside" be off all of them and s_i be the sign of
inside·x̃_i. On the closed cell around it, where s_i θ·x̃_i >= 0 for all i, g(θ) = v·θ with v = Σ p_i x̃_i over s_i > 0.
With m_i >= 0 therefore ±g(θ) <= (±v + Σ m_i s_i x̃_i)·θ <= |θ| if that vector has length at most 1; + with "above", -
with "below".
  All cells. They are counted in integers (cells.py), so every cell is listed, and closed cells cover R^(d+1).
"""

from __future__ import annotations

from ..about import Data
from ..budget import refuse
from ..rational import Rational, total
from ..reading import Fields, Proved, read_fields, read_list, read_number, read_numbers
from ..words import in_words
from .cells import Pattern, Point, dot, read_cells, read_multipliers, read_points, require_all_cells
from .cones import require_feasible_on_cones
from .roots import root_above


def read_data(data: Fields) -> tuple[list[Point], list[Rational]]:
    """The points (x, 1) and their numbers y."""
    x = read_points(data["x"])
    y = read_numbers(data["y"], "data.y")
    if len({len(point) for point in x}) > 1 or len(x[0]) < 2:
        refuse("the points of data.x need as many coordinates, at least one")
    if len(x) != len(y):
        refuse(f"data.x has {len(x)} points and data.y {len(y)} numbers")
    return x, y


def read_units(given: object, x: list[Point]) -> tuple[list[Rational], Rational]:
    """f at the points, and Σ|c|√(|a|² + b²), rounded up."""
    listed = read_fields(given, "primal", ("units",))["units"]
    totals, costs = [Rational(0)] * len(x), list[Rational]()
    for n, unit in enumerate(read_list(listed, "primal.units must be a list of [c, a_1, …, a_d, b]")):
        numbers = read_numbers(unit, f"primal.units[{n}]")
        if len(numbers) != len(x[0]) + 1 or not any(numbers[1:]):
            refuse(f"primal.units[{n}] must be [c, a_1, …, a_d, b] with d = {len(x[0]) - 1}, a or b not 0")
        c, theta = numbers[0], numbers[1:]
        costs.append(root_above(c**2 * sum((t**2 for t in theta), Rational(0))))
        totals = [before + c * max(Rational(0), dot(theta, point)) for before, point in zip(totals, x, strict=True)]
    return totals, total(costs)


def read_dual(given: object, n: int) -> tuple[list[Rational], Fields]:
    """p, and what shows that it is feasible, unread."""
    by_cones = isinstance(given, dict) and "cells" not in given
    dual = read_fields(given, "dual", ("p", "above", "below") if by_cones else ("p", "cells"))
    p = read_numbers(dual["p"], "dual.p")
    if len(p) != n:
        refuse(f"dual.p has {len(p)} numbers, the data have {n} points")
    return p, dual


def require_feasible(p: list[Rational], dual: Fields, x: list[Point]) -> None:
    """|Σ p_i [θ·x̃_i]_+| <= |θ| for all θ, cell by cell or cone by cone; refused otherwise."""
    if "cells" in dual:
        _require_feasible_on_cells(p, dual["cells"], x)
    else:
        require_feasible_on_cones(p, dual, x)


def _require_feasible_on_cells(p: list[Rational], cells: object, x: list[Point]) -> None:
    seen: list[Pattern] = []
    for where, pattern, fields in read_cells(cells, x):
        seen.append(pattern)
        v = [Rational(0)] * len(x[0])
        for on, weight, point in zip(pattern, p, x, strict=True):
            if on and weight:
                v = [entry + weight * coordinate for entry, coordinate in zip(v, point, strict=True)]
        for name, side in (("above", 1), ("below", -1)):
            z = [side * entry for entry in v]
            for i, m in _nonnegative(fields[name], f"{where}.{name}", len(x)):
                m = m if pattern[i] else -m
                z = [entry + m * coordinate for entry, coordinate in zip(z, x[i], strict=True)]
            if sum((entry**2 for entry in z), Rational(0)) > 1:
                refuse(f"{where}.{name} does not show |g| <= 1 on its cell: the dual is not shown feasible")
    require_all_cells(seen, x)


def _nonnegative(given: object, where: str, n: int) -> list[tuple[int, Rational]]:
    found = []
    for i, number in read_multipliers(given, where, n):
        m = read_number(number, where)
        if m < 0:
            refuse(f"{where} has the negative multiplier {in_words(m)}")
        found.append((i, m))
    return found


def points_in_words(x: list[Point]) -> str:
    return f"{len(x)} data point{'s' * (len(x) > 1)} in dimension {len(x[0]) - 1}"


def prove(what: str, bounds: str, x: list[Point], y: list[Rational], classes: bool = False) -> Proved:
    """What is proved of the least value described by `what`: its bounds, in words."""
    data = Data(tuple(point[:-1] for point in x), tuple(y), classes)
    return Proved(f"Of all sums of units c·[a·x + b]_+ {what} {bounds}.", data)
