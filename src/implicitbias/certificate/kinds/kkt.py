"""The trusted check of kind "KKT point of the margin problem": standard library only, run by kernel.py.

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
optimum, is proved in parts/kkt_exact.py.
"""

from __future__ import annotations

from ..about import on_a_line
from ..budget import refuse, spend
from ..parts.balls import ZERO, Ball, add, scaled, times
from ..parts.kkt_exact import by_a_line, flat_units, mirrored, why_not_optimal
from ..parts.kkt_system import System
from ..rational import Rational, total
from ..reading import (
    Fields,
    Kind,
    Proved,
    read_fields,
    read_integer,
    read_list,
    read_number,
    read_numbers,
    require_increasing,
)
from ..words import at_most

MAX_POINTS = 5000
WIDEST_CUBE = Rational(1, 10**12)
"""The largest radius, relative to the largest number."""


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "labels"))
    x, otherwise = read_numbers(data["x"], "data.x"), "data.labels must be a list of 1 and -1"
    require_increasing(x, "data.x")
    labels = [read_integer(label, (1, -1), otherwise) for label in read_list(data["labels"], otherwise)]
    if not x or len(x) != len(labels) or len(x) > MAX_POINTS:
        refuse(f"data has {len(x)} x and {len(labels)} labels: as many, from 1 to {MAX_POINTS}, are needed")
    radius = read_number(document["radius"], "radius")
    if radius < 0:
        refuse("radius must not be negative")
    system = System(document, x, labels)
    if radius:
        _require_contraction(system, radius)
        if radius > WIDEST_CUBE * max(abs(number) for number in system.z):
            refuse("radius must be at most 1e-12 of the largest number: this says too little of where the point lies")
    elif any(value[0] for value in system.equations(0)[0]):
        refuse("the equations |s|² = 1, s·(x, 1) = 0 at contacts and y f(x) = 1 at multipliers do not all hold")
    low, high = check_inequalities(system, radius)
    claimed = document["claim"]
    optimal = isinstance(claimed, dict) and "global_optimum" in claimed
    names = ("kinks_at_least", "kinks_at_most", "global_optimum") if optimal else ("kinks_at_least", "kinks_at_most")
    claim = read_fields(claimed, "claim", names)
    least, most = claim["kinks_at_least"], claim["kinks_at_most"]
    if type(least) is not int or type(most) is not int or not 0 <= least <= most:
        refuse("claim must have integers 0 <= kinks_at_least <= kinks_at_most")
    if least > low or most < high:
        refuse(f"the number of kinks lies between {low} and {high} by what is proved, which the claim must contain")
    if most > len(system.units):
        refuse(f"claim.kinks_at_most must not exceed the {len(system.units)} units, each of which has one kink at most")
    if optimal and claim["global_optimum"] is not True:
        refuse("claim.global_optimum must be true where it is given")
    if optimal and (reason := why_not_optimal(system, radius)):
        refuse(f"a global optimum is not proved: {reason}")
    kinks = f"{least} kink{'s' * (least != 1)}" if least == most else f"{least} to {most} kinks"
    regions = f"{least + 1}" if least == most else f"{least + 1} to {most + 1}"
    where = f"within {at_most(radius)} of what is written, and only one there" if radius else "exactly as written"
    return Proved(
        f"A KKT point of the margin problem for {len(x)} point{'s' * (len(x) > 1)} lies {where}: {len(system.units)} "
        f"live unit{'s' * (len(system.units) != 1)}, {kinks}, linear regions: {regions}."
        + " It is a global optimum among networks of all widths."
        * optimal,
        on_a_line(x, labels, classes=True),
    )


def _require_contraction(system: System, radius: Rational) -> None:
    size = len(system.z)
    values = [value[0] for value in system.equations(0)[0]]
    slopes = system.equations(radius)[1]
    inverse = _approximate_inverse(slopes, size)
    if inverse is None:
        refuse("the equations are singular there: no unique point can be proved, the question is undecided")
    for row in range(size):
        weights = {m: c for m, c in enumerate(inverse[row]) if c}
        moved = abs(total(c * values[m] for m, c in weights.items()))
        sums: dict[int, Ball] = {row: (Rational(-1), Rational(-1))}
        for m, c in weights.items():
            for k, slope in slopes[m].items():
                sums[k] = add(sums.get(k, ZERO), scaled(c, slope))
        spread = total(max(-low, high) for low, high in sums.values())
        if moved + spread * radius >= radius:
            refuse("no contraction: the numbers are not precise enough, or the equations nearly singular there")


def _approximate_inverse(slopes: list[dict[int, Ball]], size: int) -> list[list[Rational]] | None:
    """By Gauss and Jordan in doubles."""
    try:
        rows = [[0.0] * size + [float(m == k) for k in range(size)] for m in range(size)]
        for row, by in zip(rows, slopes, strict=True):
            for k, slope in by.items():
                row[k] = float((slope[0] + slope[1]) / 2)
        for k in range(size):
            spend(size * size // 8)
            best = max(range(k, size), key=lambda m: abs(rows[m][k]))
            rows[k], rows[best] = rows[best], rows[k]
            pivot = rows[k][k]
            rows[k] = [entry / pivot for entry in rows[k]]
            for m in range(size):
                if m != k and rows[m][k]:
                    factor = rows[m][k]
                    rows[m] = [a - factor * b for a, b in zip(rows[m], rows[k], strict=True)]
        return [[Rational(*entry.as_integer_ratio()) for entry in row[size:]] for row in rows]
    except (ArithmeticError, ValueError):
        return None


def check_inequalities(system: System, radius: Rational) -> tuple[int, int]:
    """The inequalities on the whole cube, each refused where not proved; bounds of the number of kinks."""
    for i, k in system.support.items():
        if system.ball(k, radius)[0] < 0:
            refuse(f"the multiplier of the point {i} is not proved nonnegative")
    margins = [ZERO] * len(system.x)
    tied = set[int]()
    for j, (sign, active, contacts) in enumerate(system.units):
        square = system.ball(system.squares + j, radius)
        if square[0] <= 0:
            refuse(f"units[{j}].square is not proved positive")
        for i, k in contacts.items():
            low, high = system.ball(k, radius)
            if low < 0 or high > 1:
                refuse(f"units[{j}]: the Clarke coefficient at the point {i} is not proved to lie in [0, 1]")
        s, _ = system.direction(j, radius)
        for i in range(len(system.x)):
            if i in contacts:
                continue
            # s·(x, 1) is 0 at a contact
            height = scaled(system.x[i] - system.x[next(iter(contacts))], s[0]) if contacts else system.at(s, i)
            low, high = height if sign > 0 else (-height[1], -height[0])
            if low < 0 < high and i not in system.support:
                # c_ij does not matter where λ_i = 0: only the value of the ramp does
                tied.add(i)
                margins[i] = add(margins[i], times(square, scaled(Rational(sign * system.labels[i]), (ZERO[0], high))))
                continue
            if low < 0 if i in active else high > 0:
                word = "active" if i in active else "inactive"
                refuse(f"units[{j}] is not proved {word} at the point {i}")
            if i in active:
                margins[i] = add(margins[i], times(square, scaled(Rational(system.labels[i]), height)))
    for i, margin in enumerate(margins):
        if i not in system.support and margin[0] < 1 and not (margin[1] >= 1 and by_a_line(system, i, i in tied)):
            how = "is below 1" if margin[1] < 1 else "is not proved to be 1 or more (such a tie is undecided)"
            refuse(f"the margin of the point {i} {how}")
    flat, partner = flat_units(system), mirrored(system, radius)
    places, perhaps = list[Place](), 0
    for j, (sign, _, contacts) in enumerate(system.units):
        s, _ = system.direction(j, radius)
        where = system.x[next(iter(contacts))] if contacts else None
        if j in flat or s[0][0] == s[0][1] == 0:
            continue
        place = _kink_place(s, system.ball(system.squares + j, radius), sign, where, partner.get(j, j))
        if place is None:
            perhaps += 1
        else:
            places.append(place)
    # A unit that bends at an unknown place, or nowhere, adds a kink or cancels one.
    least, most = _bounds_of_kinks(places)
    return max(0, least - perhaps), most + perhaps


Place = tuple[Rational, Rational, Rational | int, Ball]


def _kink_place(s: list[Ball], square: Ball, sign: int, contact: Rational | None, name: int) -> Place | None:
    """(lower, upper, name, jump) of a unit's kink; None where there may be none. Exact places are their own names."""
    low, high = s[0]
    if low <= 0 <= high and contact is None:
        return None
    size = s[0] if low > 0 else (-high, -low) if high < 0 else (Rational(0), max(-low, high))
    jump = scaled(Rational(sign), times(square, size))
    if contact is not None:
        return contact, contact, contact, jump
    inverse = (Rational(1) / high, Rational(1) / low)
    lower, upper = times((-s[1][1], -s[1][0]), inverse)
    return lower, upper, lower if lower == upper else -1 - name, jump


def _bounds_of_kinks(places: list[Place]) -> tuple[int, int]:
    """Bounds of the number of kinks."""
    least = most = 0
    clusters: list[list[Place]] = []
    end: Rational | None = None
    for place in sorted(places, key=lambda p: p[:2]):
        if end is not None and place[0] <= end:
            clusters[-1].append(place)
            end = max(end, place[1])
        else:
            clusters.append([place])
            end = place[1]
    for cluster in clusters:
        # units of one name bend as one
        groups: dict[tuple[bool, Rational | int], Ball] = {}
        for lower, upper, name, jump in cluster:
            key = (lower == upper, name)
            groups[key] = add(groups.get(key, ZERO), jump)
        sure = [1 if low > 0 else -1 if high < 0 else 0 for low, high in groups.values()]
        possible = sum(not low == high == 0 for low, high in groups.values())
        # bends of one sign at places that may be equal leave a kink
        least += all(sure) and len(set(sure)) == 1
        most += possible
    return least, most


KIND = Kind("KKT point of the margin problem", ("data", "multipliers", "units", "radius", "claim"), check)
