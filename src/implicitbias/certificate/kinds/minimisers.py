"""The trusted check of kind "all minimisers of least variation": standard library only, run by kernel.py.

  data    {"x": [[…], …], "y": […], "tilt": [l_1, …, l_(d+1)], "root": D}: points of R^d, labels, the weight
          w(θ) = |θ| + l·θ of a parameter θ = (a, b), and an integer D > 1 that is not a square
  primal  {"atoms": [[m, s, [θ_1, …, θ_(d+1)]], …]}: m > 0, s = 1 or -1, |θ| = 1: the network Σ m s [θ·(x, 1)]_+
  dual    {"p": [p_1, …, p_n], "cells": [{"inside": […], "above": [[i, m], …], "below": [[i, m], …]}, …],
          "inverse": [[r_11, …, r_1n], …]}, a row for each atom
  claim   {"value": V, "pair": [i, j, k], "where": W}: V is the least Σ|c|·w(θ) of all sums Σ c [θ·(x, 1)]_+ through
          the data, and of all signed measures of such units; exactly one measure attains it, that of the atoms; the
          atoms i, of sign +, and j, of sign -, lie both in cell k, in the sense W, a key of the table WHERE.
Where D may be needed (atoms, p, m of the multipliers, inverse, V), a number is either text, "-7/3", or a pair of such,
["a", "b"], which is a + b√D. Everything is computed in these numbers, without rounding.

Why the check suffices. Put x̃ = (x, 1), g(θ) = Σ p_i [θ·x̃_i]_+. The hyperplanes θ·x̃_i = 0 cut R^(d+1) into cells;
"inside" is off all of them, and names the one with the signs s_i of inside·x̃_i. On the closed cell, where
s_i θ·x̃_i >= 0, g(θ) = v·θ with v = Σ p_i x̃_i over s_i > 0. For "above" let z = v - l + Σ m_i s_i x̃_i, for "below" z =
-v - l + Σ m_i s_i x̃_i, with m_i >= 0. Then ±g(θ) - w(θ) = z·θ - |θ| - Σ m_i s_i θ·x̃_i <= (|z| - 1)|θ|.
  Feasible. If |z| <= 1 on both sides of every cell, |g| <= w everywhere: as many different cells are listed as there
are, counted in integers (parts/cells.py). So Σ p_i y_i = ∫ g dν <= ∫ w d|ν| for every signed measure ν of units through
the data; the atoms, which pass through them, attain it.
  Contacts. Where ±g(θ) = w(θ), θ in the closed cell and |θ| = 1, it must be that |z| = 1, θ = z, and s_i z·x̃_i = 0
for every m_i > 0. So there is at most one such θ for each side of a cell, and it is seen whether there is one. If ν is
a minimiser, ∫ w d|ν| = ∫ g dν: |ν| charges only points where g = w, ν > 0, or g = -w, ν < 0. It is checked that each
of these is one of the atoms, with its sign. So every minimiser is Σ t_j s_j δ_(θ_j) over the atoms.
  Unique. Its masses t solve Φ t = y, Φ_ij = s_j [θ_j·x̃_i]_+. "inverse" is R with RΦ = 1, hence t = R y = m.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from ..about import Data
from ..budget import price, refuse, spend
from ..parts.cells import Pattern, Point, read_cells, read_multipliers, read_points, require_all_cells
from ..rational import Rational
from ..reading import Fields, Kind, Proved, read_fields, read_integer, read_list, read_number, read_numbers
from ..words import SHORT_BITS, digits_between, in_words, shown

WHERE = {
    "in the closed cell": ((0, 1), (-1, 0)),
    "in the half-open cell (> 0 at its points, <= 0 at others)": ((1,), (-1, 0)),
    "in the half-open cell (>= 0 at its points, < 0 at others)": ((0, 1), (-1,)),
    "inside the cell": ((1,), (-1,)),
}
"""The signs that θ·x̃_i may have at the points of the cell's pattern, and at the others."""


class Surd:
    """a + b√D, exactly."""

    def __init__(self, a: Rational, b: Rational, root: int) -> None:
        self.a, self.b, self.root = a, b, root

    def __add__(self, other: Surd) -> Surd:
        return Surd(self.a + other.a, self.b + other.b, self.root)

    def __mul__(self, other: Surd) -> Surd:
        return Surd(
            self.a * other.a + self.root * self.b * other.b if self.b and other.b else self.a * other.a,
            self.a * other.b + self.b * other.a,
            self.root,
        )

    def times(self, factor: Rational) -> Surd:
        return Surd(self.a * factor, self.b * factor, self.root)

    def sign(self) -> int:
        a, b = (self.a > 0) - (self.a < 0), (self.b > 0) - (self.b < 0)
        if a * b >= 0:
            return a or b
        # of opposite signs: the larger of |a| and |b|√D decides, and they differ, as √D is irrational
        return a if self.a**2 > self.root * self.b**2 else b

    def minus(self, other: Surd) -> Surd:
        return Surd(self.a - other.a, self.b - other.b, self.root)


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "y", "tilt", "root"))
    x = read_points(data["x"])
    y, tilt = read_numbers(data["y"], "data.y"), read_numbers(data["tilt"], "data.tilt")
    if len({len(point) for point in x}) > 1 or len(x[0]) < 2 or len(tilt) != len(x[0]) or len(y) != len(x):
        refuse("the points of data.x need as many coordinates, data.tilt one more, data.y a number for each")
    root = data["root"]
    if type(root) is not int or root < 2 or isqrt(root) ** 2 == root:
        refuse("data.root must be an integer above 1 that is no square")
    read = _Reader(root)
    atoms = _atoms(document["primal"], len(tilt), read)
    outputs = [[_relu(_product(theta, point, read)).times(Rational(s)) for point in x] for _, s, theta in atoms]
    cost = read.zero
    for m, _, theta in atoms:
        cost = cost + m + m * _product(theta, tilt, read)
    for i, target in enumerate(y):
        total = read.zero
        for (m, _, _), values in zip(atoms, outputs, strict=True):
            total = total + m * values[i]
        if total.minus(read.rational(target)).sign():
            refuse(f"the atoms miss the data point {i}, where y = {in_words(target)}")
    dual = read_fields(document["dual"], "dual", ("p", "cells", "inverse"))
    p = read.surds(dual["p"], "dual.p", len(x))
    bound = _product(p, y, read)
    if cost.minus(bound).sign():
        refuse("the cost of the atoms is not Σ p_i y_i: they are not shown to be a minimiser")
    patterns = _require_contacts(p, dual["cells"], atoms, x, tilt, read)
    _require_left_inverse(dual["inverse"], outputs, read)
    claim = read_fields(document["claim"], "claim", ("value", "pair", "where"))
    if read.surd(claim["value"], "claim.value").minus(cost).sign():
        refuse("claim.value is not what the atoms cost")
    i, j, k = _pair(claim, atoms, patterns, x, read)
    a, b = (f"({', '.join(map(_surd_in_words, theta))})" for theta in (atoms[i][2], atoms[j][2]))
    slope = "" if not any(tilt) else f" + ({', '.join(map(in_words, tilt))})·(a, b)"
    return Proved(
        f"Of all measures of units c·[a·x + b]_+ through the {len(x)} data points in dimension {len(tilt) - 1} exactly "
        f"one has the smallest Σ|c|·w(a, b), w = √(|a|² + b²){slope}. It costs {_surd_in_words(cost)} and has "
        f"{len(atoms)} atoms. Two of them, {a} of sign + and {b} of sign -, lie {claim['where']} of the parameters "
        f"active at the points {', '.join(str(n) for n, on in enumerate(patterns[k]) if on) or 'none'} (from 0): every "
        "minimiser has two atoms of opposite signs there.",
        Data(tuple(point[:-1] for point in x), tuple(y)),
    )


Atom = tuple[Surd, int, list[Surd]]


class _Reader:
    """Reads the numbers a + b√D of a document."""

    def __init__(self, root: int) -> None:
        self.root = root
        self.zero = self.rational(Rational(0))

    def rational(self, number: Rational) -> Surd:
        return Surd(number, Rational(0), self.root)

    def surd(self, given: object, where: str) -> Surd:
        if isinstance(given, list):
            pair = read_list(given, f'{where} must be a number as text, or a pair ["a", "b"] for a + b√{self.root}', 2)
            a, b = read_numbers(pair, where)
            if not b:
                refuse(f"{where} has no part with √{self.root}: it must be written as text")
            return Surd(a, b, self.root)
        return self.rational(read_number(given, where))

    def surds(self, given: object, where: str, size: int) -> list[Surd]:
        listed = read_list(given, f"{where} must be a list of {size} numbers", size)
        return [self.surd(value, f"{where}[{i}]") for i, value in enumerate(listed)]


def _atoms(given: object, size: int, read: _Reader) -> list[Atom]:
    listed = read_fields(given, "primal", ("atoms",))["atoms"]
    found: list[Atom] = []
    for n, atom in enumerate(read_list(listed, "primal.atoms must be a list of [m, s, [θ_1, …, θ_(d+1)]]")):
        where = f"primal.atoms[{n}]"
        otherwise = f"{where} must be [m, s, [θ_1, …, θ_(d+1)]] with s = 1 or -1"
        mass, side, direction = read_list(atom, otherwise, 3)
        sign = read_integer(side, (1, -1), otherwise)
        m, theta = read.surd(mass, where), read.surds(direction, where, size)
        if m.sign() <= 0:
            refuse(f"{where} must have a mass above 0")
        if _square(theta, read).minus(read.rational(Rational(1))).sign():
            refuse(f"{where} must have a direction of length 1")
        found.append((m, sign, theta))
    return found


def _require_contacts(
    p: list[Surd],
    cells: object,
    atoms: list[Atom],
    x: list[Point],
    tilt: list[Rational],
    read: _Reader,
) -> list[Pattern]:
    """|g| <= w on every cell, with equality at most at atoms of that sign; refused otherwise. The cells' patterns."""
    patterns = []
    for where, pattern, fields in read_cells(cells, x):
        patterns.append(pattern)
        for name, side in (("above", 1), ("below", -1)):
            z = [read.rational(-slope) for slope in tilt]
            for on, weight, point in zip(pattern, p, x, strict=True):
                if on:
                    z = [entry + weight.times(side * t) for entry, t in zip(z, point, strict=True)]
            held = _positive_surds(fields[name], f"{where}.{name}", len(x), read)
            for i, m in held:
                z = [entry + m.times(t if pattern[i] else -t) for entry, t in zip(z, x[i], strict=True)]
            excess = _square(z, read).minus(read.rational(Rational(1))).sign()
            if excess > 0:
                refuse(f"{where}.{name} does not show |g| <= w on its cell: the dual is not shown feasible")
            if excess == 0 and _touches(z, held, pattern, x, read):
                known = any(s == side and _same(theta, z) for _, s, theta in atoms)
                if not known:
                    refuse(f"{where}.{name} touches w where no atom of this sign is: minimisers may differ")
    require_all_cells(patterns, x)
    return patterns


def _positive_surds(given: object, where: str, n: int, read: _Reader) -> list[tuple[int, Surd]]:
    found = []
    for i, number in read_multipliers(given, where, n):
        m = read.surd(number, where)
        if m.sign() <= 0:
            refuse(f"{where} has a multiplier that is not above 0")
        found.append((i, m))
    return found


def _touches(
    z: list[Surd],
    held: list[tuple[int, Surd]],
    pattern: Pattern,
    x: list[Point],
    read: _Reader,
) -> bool:
    """Whether z, of length 1, lies in the closed cell and on the hyperplanes of the multipliers."""
    signs = [_product(z, point, read).sign() for point in x]
    inside = all(sign >= 0 if on else sign <= 0 for sign, on in zip(signs, pattern, strict=True))
    return inside and all(signs[i] == 0 for i, _ in held)


def _require_left_inverse(given: object, outputs: list[list[Surd]], read: _Reader) -> None:
    """R with RΦ = 1; refused otherwise."""
    rows = read_list(given, f"dual.inverse must have {len(outputs)} rows, one for each atom", len(outputs))
    for j, row in enumerate(rows):
        numbers = read.surds(row, f"dual.inverse[{j}]", len(outputs[j]))
        for k, column in enumerate(outputs):
            total = read.zero
            for value, entry in zip(numbers, column, strict=True):
                total = total + value * entry
            if total.minus(read.rational(Rational(int(j == k)))).sign():
                refuse(f"dual.inverse[{j}] does not single out atom {j}: uniqueness is not shown")


def _pair(
    claim: Fields,
    atoms: list[Atom],
    patterns: list[Pattern],
    x: list[Point],
    read: _Reader,
) -> tuple[int, int, int]:
    otherwise, where = "claim.pair must be [i, j, k]: atoms i and j and cell k, counted from 0", claim["where"]
    limits = (len(atoms), len(atoms), len(patterns))
    pair = zip(read_list(claim["pair"], otherwise, 3), limits, strict=True)
    i, j, k = (read_integer(n, range(limit), otherwise) for n, limit in pair)
    if not isinstance(where, str) or where not in WHERE:
        refuse(f"claim.where must be one of {sorted(WHERE)}, not {shown(where)}")
    if (atoms[i][1], atoms[j][1]) != (1, -1):
        refuse("claim.pair must name an atom of sign + and one of sign -")
    for n in (i, j):
        signs = [_product(atoms[n][2], point, read).sign() for point in x]
        if any(sign not in WHERE[where][0 if on else 1] for sign, on in zip(signs, patterns[k], strict=True)):
            refuse(f"atom {n} does not lie {where} number {k}")
    return i, j, k


def _relu(number: Surd) -> Surd:
    return number if number.sign() > 0 else Surd(Rational(0), Rational(0), number.root)


def _product(theta: Sequence[Surd], point: Sequence[Rational], read: _Reader) -> Surd:
    total = read.zero
    for value, factor in zip(theta, point, strict=True):
        total = total + value.times(factor)
    return total


def _square(theta: Sequence[Surd], read: _Reader) -> Surd:
    total = read.zero
    for value in theta:
        total = total + value * value
    return total


def _same(a: Sequence[Surd], b: Sequence[Surd]) -> bool:
    return all(not p.minus(q).sign() for p, q in zip(a, b, strict=True))


def _surd_in_words(number: Surd) -> str:
    """a + b√D where it is short, and the first digits."""
    if not number.b:
        return in_words(number.a)
    a, b = number.a, number.b
    # a + b√D = (m + √n)/q or (m - √n)/q; a shift of the root beyond all cancellation
    q, m = a.denominator * b.denominator, a.numerator * b.denominator
    n = (b.numerator * a.denominator) ** 2 * number.root
    bits = 64 + 2 * (a.bits + b.bits + number.root.bit_length())
    spend(8 * price(4 * bits, 4 * bits))
    below = isqrt(n << (2 * bits))
    ends = (below, below + 1) if b > 0 else (-below - 1, -below)
    low, high = (Rational((m << bits) + end, q << bits) for end in ends)
    digits = digits_between(low, high)
    return digits if a.bits + b.bits > SHORT_BITS else f"{a} + {b}·√{number.root} ({digits})"


KIND = Kind("all minimisers of least variation", ("data", "primal", "dual", "claim"), check)
