"""The equations of a KKT point of the margin problem: a part of kinds/kkt.py, standard library only."""

from __future__ import annotations

from ..budget import refuse
from ..rational import Rational
from ..reading import Fields, read_fields, read_integer, read_list, read_number
from .balls import ONE, ZERO, Ball, add, point, scaled, times

MAX_UNKNOWNS = 200
MINUS_ONE = point(Rational(-1))


class System:
    """The equations in z = (λ of the listed points, κ of the units, c of the contacts)."""

    def __init__(self, document: Fields, x: list[Rational], labels: list[int]) -> None:
        self.x, self.labels = x, labels
        self.z: list[Rational] = []
        self.support = self._pairs(document["multipliers"], "multipliers")
        given = read_list(document["units"], otherwise := "units must be a list of at least one unit")
        if not given:
            refuse(otherwise)
        self.units: list[tuple[int, frozenset[int], dict[int, int]]] = []
        entries = [read_fields(u, f"units[{j}]", ("sign", "square", "active", "contacts")) for j, u in enumerate(given)]
        self.squares = len(self.z)
        self.z += [read_number(unit["square"], f"units[{j}].square") for j, unit in enumerate(entries)]
        for j, unit in enumerate(entries):
            where = f"units[{j}]"
            sign = read_integer(unit["sign"], (1, -1), f"{where}.sign must be 1 or -1")
            otherwise = f"{where}.active must be a list of points, counted from 0"
            active = [read_integer(i, range(len(x)), otherwise) for i in read_list(unit["active"], otherwise)]
            contacts = self._pairs(unit["contacts"], f"{where}.contacts")
            if len(set(active)) < len(active) or sorted(active) != active or set(active) & set(contacts):
                refuse(f"{where}.active must increase, and must name no contact")
            if not set(contacts) <= set(self.support):
                refuse(f"{where}.contacts must be points with a multiplier")
            self.units.append((sign, frozenset(active), contacts))
        if len(self.z) > MAX_UNKNOWNS:
            refuse(f"{len(self.z)} unknowns are more than the {MAX_UNKNOWNS} that are read")

    def _pairs(self, given: object, where: str) -> dict[int, int]:
        """point -> position of its number in z."""
        found: dict[int, int] = {}
        last = -1
        for n, pair in enumerate(read_list(given, f"{where} must be a list of [point, number]")):
            otherwise = f"{where}[{n}] must be [point, number], points counted from 0"
            place, number = read_list(pair, otherwise, 2)
            i = read_integer(place, range(len(self.x)), otherwise)
            if i <= last:
                refuse(f"{where} must be in the order of the points, each named once")
            found[i], last = len(self.z), i
            self.z.append(read_number(number, f"{where}[{n}]"))
        return found

    def ball(self, k: int, radius: Rational | int) -> Ball:
        return (self.z[k] - radius, self.z[k] + radius) if radius else point(self.z[k])

    def direction(self, j: int, radius: Rational | int) -> tuple[list[Ball], dict[int, list[Ball]]]:
        """s_j and its derivatives by the unknowns."""
        _, active, contacts = self.units[j]
        s, slopes = [ZERO, ZERO], {}
        for i, k in self.support.items():
            if i not in active and i not in contacts:
                continue
            weight = self.ball(k, radius)
            share = self.ball(contacts[i], radius) if i in contacts else ONE
            row = (self.labels[i] * self.x[i], Rational(self.labels[i]))
            s = [add(s[a], times(scaled(row[a], weight), share)) for a in (0, 1)]
            slopes[k] = [scaled(row[a], share) for a in (0, 1)]
            if i in contacts:
                slopes[contacts[i]] = [scaled(row[a], weight) for a in (0, 1)]
        return s, slopes

    def equations(self, radius: Rational | int) -> tuple[list[Ball], list[dict[int, Ball]]]:
        """F and F' on the cube: 1 - y f(x) at multipliers, |s|² - 1 of units, s·(x, 1) at contacts."""
        directions = [self.direction(j, radius) for j in range(len(self.units))]
        values: list[Ball] = []
        slopes: list[dict[int, Ball]] = []
        for i in self.support:
            height_sum, slope = ZERO, dict[int, Ball]()
            for j, (s, by) in enumerate(directions):
                if i in self.units[j][1]:
                    square, y = self.ball(self.squares + j, radius), Rational(self.labels[i])
                    height = scaled(y, self.at(s, i))
                    height_sum = add(height_sum, times(square, height))
                    slope[self.squares + j] = height
                    for k, change in by.items():
                        part = times(square, scaled(y, self.at(change, i)))
                        slope[k] = add(slope.get(k, ZERO), part)
            values.append(add(height_sum, MINUS_ONE))
            slopes.append(slope)
        for s, by in directions:
            value = add(times(s[0], s[0]), times(s[1], s[1]))
            values.append(add(value, MINUS_ONE))
            slopes.append({k: scaled(Rational(2), add(times(s[0], d[0]), times(s[1], d[1]))) for k, d in by.items()})
        for j, (s, by) in enumerate(directions):
            for i in self.units[j][2]:
                values.append(self.at(s, i))
                slopes.append({k: self.at(d, i) for k, d in by.items()})
        return values, slopes

    def at(self, s: list[Ball], i: int) -> Ball:
        return add(scaled(self.x[i], s[0]), s[1])
