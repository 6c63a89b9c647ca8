"""The trusted check of certificates of kind "KKT point of the margin problem", standard library only.

The problem: min ½ Σ_j (w_j² + b_j² + v_j²) with y_i f(x_i) >= 1 for f(x) = Σ_j v_j [w_j x + b_j]_+ (Safran et al. 2022,
problem (4)). Clarke's derivative of the ramp at its own kink is any number of [0, 1].

  data         {"x": [x_1 < … < x_n], "labels": [±1, …]}
  multipliers  [[i, λ_i], …], points counted from 0, the others having λ = 0
  units        [{"sign": ε, "square": κ, "active": [i, …], "contacts": [[i, c], …]}, …]
  radius       r: every λ, κ and c written is within r of the number that is meant; "0" where they are meant themselves
  claim        {"kinks_at_least": K, "kinks_at_most": L}: bounds of the kinks of f; and perhaps "global_optimum": true

Why the check suffices. Put s_j = Σ_i λ_i y_i c_ij (x_i, 1) with c_ij = 1 for active points, c for contacts, 0 for
others. The point is v_j = ε_j √κ_j, (w_j, b_j) = v_j s_j, so f(x) = Σ ε_j κ_j [ε_j s_j·(x, 1)]_+: no root is needed. If
  (1) |s_j|² = 1, κ_j > 0, λ_i >= 0, c in [0, 1];
  (2) ε_j s_j·(x_i, 1) is >= 0 at active points, 0 at contacts, <= 0 at others: c_ij is a Clarke derivative;
  (3) y_i f(x_i) = 1 where λ_i is listed, >= 1 at the others,
all conditions hold: (w_j, b_j) = Σ_i λ_i y_i v_j c_ij (x_i, 1) by definition, and v_j = Σ_i λ_i y_i [w_j x_i + b_j]_+
is s_j·(w_j, b_j) = v_j |s_j|². If r = 0, (1) to (3) are checked as they stand. If r > 0, let F(z) = 0 be the
equations among them, as many as unknowns z = (λ, κ, c), and Z the cube of radius r around the z written. For any
matrix C,
  |C F(z)| + |1 - C F'(Z)| r < r in each row
makes z - C F(z) a contraction of Z into its interior: exactly one zero lies in Z (Krawczyk). The inequalities are then
checked on all of Z, in intervals with rational ends. C comes from doubles, and need not be trusted. At a point without
multiplier c_ij enters nothing, so there (2) may stay open where an interval has both signs: (3) then has the ramp's
values, from 0 to the upper end.

Kinks: unit j bends at -b/w, that is where s_j·(x, 1) = 0, by ε_j κ_j |w-part of s_j|. Contacts bend at their point
exactly. Places whose intervals meet are counted as one or as several, whichever the bound needs. What intervals cannot
tell, margins that are 1 exactly, kinks of several units at one place, flat units, and whether the point is a global
optimum, is proved in kernel_kkt_exact.py.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

FIELDS = ("data", "multipliers", "units", "radius", "claim")
MAX_UNKNOWNS = 200
MAX_POINTS = 5000

Ball = tuple[Fraction, Fraction]
ZERO: Ball = (Fraction(0), Fraction(0))
ONE: Ball = (Fraction(1), Fraction(1))


def check(document: dict[str, Any], kernel: Any) -> str:
    """What the certificate proves, in words; refused otherwise. `kernel` reads the numbers."""
    data = kernel.read_fields(document["data"], "data", ("x", "labels"))
    x, labels = kernel.read_numbers(data["x"], "data.x"), data["labels"]
    kernel.require_increasing(x, "data.x")
    if not isinstance(labels, list) or any(type(y) is not int or y not in (1, -1) for y in labels):
        kernel.refuse("data.labels must be a list of 1 and -1")
    if not x or len(x) != len(labels) or len(x) > MAX_POINTS:
        kernel.refuse(f"data has {len(x)} x and {len(labels)} labels: as many, from 1 to {MAX_POINTS}, are needed")
    radius = kernel.read_number(document["radius"], "radius")
    if radius < 0:
        kernel.refuse("radius must not be negative")
    system = System(document, x, labels, kernel)
    if radius:
        _require_contraction(system, radius, kernel)
    elif any(value[0] for value in system.equations(0)[0]):
        kernel.refuse("the equations |s|² = 1, s·(x, 1) = 0 at contacts and y f(x) = 1 at multipliers do not all hold")
    low, high = check_inequalities(system, radius, kernel)
    claimed = document["claim"]
    optimal = isinstance(claimed, dict) and "global_optimum" in claimed
    names = ("kinks_at_least", "kinks_at_most", "global_optimum") if optimal else ("kinks_at_least", "kinks_at_most")
    claim = kernel.read_fields(claimed, "claim", names)
    least, most = claim["kinks_at_least"], claim["kinks_at_most"]
    if type(least) is not int or type(most) is not int or not 0 <= least <= most:
        kernel.refuse("claim must have integers 0 <= kinks_at_least <= kinks_at_most")
    if least > low or most < high:
        kernel.refuse(
            f"the number of kinks lies between {low} and {high} by what is proved, which the claim must contain"
        )
    if optimal and claim["global_optimum"] is not True:
        kernel.refuse("claim.global_optimum must be true where it is given")
    if optimal and (reason := kernel.beside("kkt_exact").why_not_optimal(system, radius)):
        kernel.refuse(f"a global optimum is not proved: {reason}")
    kinks = f"{least} kink{'s' * (least != 1)}" if least == most else f"{least} to {most} kinks"
    regions = f"{least + 1}" if least == most else f"{least + 1} to {most + 1}"
    where = "exactly as written" if not radius else f"within {float(radius):.1g} of what is written, and only one there"
    return (
        f"A KKT point of the margin problem for {len(x)} point{'s' * (len(x) > 1)} lies {where}: {len(system.units)} "
        f"live unit{'s' * (len(system.units) != 1)}, {kinks}, linear regions: {regions}."
        + " It is a global optimum among networks of all widths."
        * optimal
    )


class System:
    """The equations in z = (λ of the listed points, κ of the units, c of the contacts)."""

    def __init__(self, document: dict[str, Any], x: list[Fraction], labels: list[int], kernel: Any) -> None:
        self.x, self.labels = x, labels
        self.z: list[Fraction] = []
        self.support = self._pairs(document["multipliers"], "multipliers", kernel)
        given = document["units"]
        if not isinstance(given, list) or not given:
            kernel.refuse("units must be a list of at least one unit")
        self.units: list[tuple[int, frozenset[int], dict[int, int]]] = []
        entries = [
            kernel.read_fields(u, f"units[{j}]", ("sign", "square", "active", "contacts")) for j, u in enumerate(given)
        ]
        self.squares = len(self.z)
        self.z += [kernel.read_number(unit["square"], f"units[{j}].square") for j, unit in enumerate(entries)]
        for j, unit in enumerate(entries):
            where = f"units[{j}]"
            if type(unit["sign"]) is not int or unit["sign"] not in (1, -1):
                kernel.refuse(f"{where}.sign must be 1 or -1")
            active = unit["active"]
            if not isinstance(active, list) or any(type(i) is not int or not 0 <= i < len(x) for i in active):
                kernel.refuse(f"{where}.active must be a list of points, counted from 0")
            contacts = self._pairs(unit["contacts"], f"{where}.contacts", kernel)
            if len(set(active)) < len(active) or sorted(active) != active or set(active) & set(contacts):
                kernel.refuse(f"{where}.active must increase, and must name no contact")
            if not set(contacts) <= set(self.support):
                kernel.refuse(f"{where}.contacts must be points with a multiplier")
            self.units.append((unit["sign"], frozenset(active), contacts))
        if len(self.z) > MAX_UNKNOWNS:
            kernel.refuse(f"{len(self.z)} unknowns are more than the {MAX_UNKNOWNS} that are read")

    def _pairs(self, given: object, where: str, kernel: Any) -> dict[int, int]:
        """point -> position of its number in z."""
        if not isinstance(given, list):
            kernel.refuse(f"{where} must be a list of [point, number]")
            return {}
        found: dict[int, int] = {}
        for n, pair in enumerate(given):
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or type(pair[0]) is not int
                or not 0 <= pair[0] < len(self.x)
            ):
                kernel.refuse(f"{where}[{n}] must be [point, number], points counted from 0")
            if found and pair[0] <= max(found):
                kernel.refuse(f"{where} must be in the order of the points, each named once")
            found[pair[0]] = len(self.z)
            self.z.append(kernel.read_number(pair[1], f"{where}[{n}]"))
        return found

    def ball(self, k: int, radius: Fraction | int) -> Ball:
        return self.z[k] - radius, self.z[k] + radius

    def direction(self, j: int, radius: Fraction | int) -> tuple[list[Ball], dict[int, list[Ball]]]:
        """s_j and its derivatives by the unknowns."""
        _, active, contacts = self.units[j]
        s, slopes = [ZERO, ZERO], {}
        for i, k in self.support.items():
            if i not in active and i not in contacts:
                continue
            weight = self.ball(k, radius)
            share = self.ball(contacts[i], radius) if i in contacts else ONE
            row = (self.labels[i] * self.x[i], Fraction(self.labels[i]))
            s = [_add(s[a], _times(_scaled(row[a], weight), share)) for a in (0, 1)]
            slopes[k] = [_scaled(row[a], share) for a in (0, 1)]
            if i in contacts:
                slopes[contacts[i]] = [_scaled(row[a], weight) for a in (0, 1)]
        return s, slopes

    def equations(self, radius: Fraction | int) -> tuple[list[Ball], list[dict[int, Ball]]]:
        """F and F' on the cube: 1 - y f(x) at multipliers, |s|² - 1 of units, s·(x, 1) at contacts."""
        directions = [self.direction(j, radius) for j in range(len(self.units))]
        values: list[Ball] = []
        slopes: list[dict[int, Ball]] = []
        for i in self.support:
            total, slope = ZERO, dict[int, Ball]()
            for j, (s, by) in enumerate(directions):
                if i in self.units[j][1]:
                    square, y = self.ball(self.squares + j, radius), Fraction(self.labels[i])
                    height = _scaled(y, self._at(s, i))
                    total = _add(total, _times(square, height))
                    slope[self.squares + j] = height
                    for k, change in by.items():
                        part = _times(square, _scaled(y, self._at(change, i)))
                        slope[k] = _add(slope.get(k, ZERO), part)
            values.append((total[0] - 1, total[1] - 1))
            slopes.append(slope)
        for s, by in directions:
            value = _add(_times(s[0], s[0]), _times(s[1], s[1]))
            values.append((value[0] - 1, value[1] - 1))
            slopes.append(
                {k: _scaled(Fraction(2), _add(_times(s[0], d[0]), _times(s[1], d[1]))) for k, d in by.items()}
            )
        for j, (s, by) in enumerate(directions):
            for i in self.units[j][2]:
                values.append(self._at(s, i))
                slopes.append({k: self._at(d, i) for k, d in by.items()})
        return values, slopes

    def _at(self, s: list[Ball], i: int) -> Ball:
        return _add(_scaled(self.x[i], s[0]), s[1])


def _require_contraction(system: System, radius: Fraction, kernel: Any) -> None:
    size = len(system.z)
    values = [value[0] for value in system.equations(0)[0]]
    slopes = system.equations(radius)[1]
    inverse = _approximate_inverse(slopes, size)
    if inverse is None:
        kernel.refuse("the equations are singular there: no unique point can be proved, the question is undecided")
        return
    for row in range(size):
        weights = {m: c for m, c in enumerate(inverse[row]) if c}
        moved = abs(sum((c * values[m] for m, c in weights.items()), Fraction(0)))
        sums: dict[int, Ball] = {row: (Fraction(-1), Fraction(-1))}
        for m, c in weights.items():
            for k, slope in slopes[m].items():
                sums[k] = _add(sums.get(k, ZERO), _scaled(c, slope))
        spread = sum((max(-low, high) for low, high in sums.values()), Fraction(0))
        if moved + spread * radius >= radius:
            kernel.refuse("no contraction: the numbers are not precise enough, or the equations nearly singular there")


def _approximate_inverse(slopes: list[dict[int, Ball]], size: int) -> list[list[Fraction]] | None:
    """By Gauss and Jordan in doubles."""
    try:
        rows = [[float(sum(by.get(k, ZERO)) / 2) for k in range(size)] for by in slopes]
        for m, row in enumerate(rows):
            row += [float(m == k) for k in range(size)]
        for k in range(size):
            best = max(range(k, size), key=lambda m: abs(rows[m][k]))
            rows[k], rows[best] = rows[best], rows[k]
            pivot = rows[k][k]
            rows[k] = [entry / pivot for entry in rows[k]]
            for m in range(size):
                if m != k and rows[m][k]:
                    factor = rows[m][k]
                    rows[m] = [a - factor * b for a, b in zip(rows[m], rows[k], strict=True)]
        return [[Fraction(entry) for entry in row[size:]] for row in rows]
    except (ArithmeticError, ValueError):
        return None


def check_inequalities(system: System, radius: Fraction, kernel: Any) -> tuple[int, int]:
    """The inequalities on the whole cube, each refused where not proved; bounds of the number of kinks."""
    exact = kernel.beside("kkt_exact")
    for i, k in system.support.items():
        if system.ball(k, radius)[0] < 0:
            kernel.refuse(f"the multiplier of the point {i} is not proved nonnegative")
    margins = [ZERO] * len(system.x)
    tied = set[int]()
    for j, (sign, active, contacts) in enumerate(system.units):
        square = system.ball(system.squares + j, radius)
        if square[0] <= 0:
            kernel.refuse(f"units[{j}].square is not proved positive")
        for i, k in contacts.items():
            low, high = system.ball(k, radius)
            if low < 0 or high > 1:
                kernel.refuse(f"units[{j}]: the Clarke coefficient at the point {i} is not proved to lie in [0, 1]")
        s, _ = system.direction(j, radius)
        for i in range(len(system.x)):
            if i in contacts:
                continue
            # s·(x, 1) is 0 at a contact
            height = _scaled(system.x[i] - system.x[next(iter(contacts))], s[0]) if contacts else system._at(s, i)
            low, high = height if sign > 0 else (-height[1], -height[0])
            if low < 0 < high and i not in system.support:
                # c_ij does not matter where λ_i = 0: only the value of the ramp does
                tied.add(i)
                margins[i] = _add(
                    margins[i], _times(square, _scaled(Fraction(sign * system.labels[i]), (ZERO[0], high)))
                )
                continue
            if low < 0 if i in active else high > 0:
                word = "active" if i in active else "inactive"
                kernel.refuse(f"units[{j}] is not proved {word} at the point {i}")
            if i in active:
                margins[i] = _add(margins[i], _times(square, _scaled(Fraction(system.labels[i]), height)))
    for i, margin in enumerate(margins):
        if i not in system.support and margin[0] < 1 and not (margin[1] >= 1 and exact.by_a_line(system, i, i in tied)):
            how = "is below 1" if margin[1] < 1 else "is not proved to be 1 or more (such a tie is undecided)"
            kernel.refuse(f"the margin of the point {i} {how}")
    flat, partner = exact.flat_units(system), exact.mirrored(system, radius)
    places, perhaps = list[Place](), 0
    for j, (sign, _, contacts) in enumerate(system.units):
        s, _ = system.direction(j, radius)
        where = system.x[next(iter(contacts))] if contacts else None
        if j in flat or s[0][0] == s[0][1] == 0:
            continue
        place = _place(s, system.ball(system.squares + j, radius), sign, where, partner.get(j, j))
        if place is None:
            perhaps += 1
        else:
            places.append(place)
    # A unit that bends at an unknown place, or nowhere, adds a kink or cancels one.
    least, most = _count(places)
    return max(0, least - perhaps), most + perhaps


Place = tuple[Fraction, Fraction, Fraction | int, Ball]


def _place(s: list[Ball], square: Ball, sign: int, contact: Fraction | None, name: int) -> Place | None:
    """(lower, upper, name, jump) of a unit's kink; None where there may be none. Exact places are their own names."""
    low, high = s[0]
    if low <= 0 <= high and contact is None:
        return None
    size = s[0] if low > 0 else (-high, -low) if high < 0 else (Fraction(0), max(-low, high))
    jump = _scaled(Fraction(sign), _times(square, size))
    if contact is not None:
        return contact, contact, contact, jump
    inverse = (1 / high, 1 / low)
    lower, upper = _times((-s[1][1], -s[1][0]), inverse)
    return lower, upper, lower if lower == upper else -1 - name, jump


def _count(places: list[Place]) -> tuple[int, int]:
    """At least and at most so many kinks."""
    least = most = 0
    clusters: list[list[Place]] = []
    end: Fraction | None = None
    for place in sorted(places, key=lambda p: p[:2]):
        if end is not None and place[0] <= end:
            clusters[-1].append(place)
            end = max(end, place[1])
        else:
            clusters.append([place])
            end = place[1]
    for cluster in clusters:
        # units of one name bend as one
        groups: dict[tuple[bool, Fraction | int], Ball] = {}
        for lower, upper, name, jump in cluster:
            key = (lower == upper, name)
            groups[key] = _add(groups.get(key, ZERO), jump)
        sure = [1 if low > 0 else -1 if high < 0 else 0 for low, high in groups.values()]
        possible = sum(not low == high == 0 for low, high in groups.values())
        # bends of one sign at places that may be equal leave a kink
        least += all(sure) and len(set(sure)) == 1
        most += possible
    return least, most


def _add(a: Ball, b: Ball) -> Ball:
    return a[0] + b[0], a[1] + b[1]


def _scaled(c: Fraction, a: Ball) -> Ball:
    return (c * a[0], c * a[1]) if c >= 0 else (c * a[1], c * a[0])


def _times(a: Ball, b: Ball) -> Ball:
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)
