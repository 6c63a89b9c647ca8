"""The trusted check of kind "interpolation with penalised biases": standard library only, run by kernel.py.

  data    {"x": [x_1 < … < x_n], "y": [y_1, …, y_n]}
  primal  {"units": [[v, a, b], …]}: f(x) = Σ v·[a x + b]_+, (a, b) != 0
  dual    {"alpha": [α_1, …, α_n]}
  claim   {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest
          Σ|v|·√(a² + b²) of all such f through the data (Stewart et al. 2022, problem (4) with d = 2)

Why the check suffices. f passes through the data and Σ|v|√(a² + b²) <= U, so V <= U. For g(a, b) = Σ α_i [a x_i +
b]_+ and any f through the data, Σ α_i y_i = Σ v_j g(a_j, b_j) <= max{|g| : a² + b² = 1}·Σ|v|√(a² + b²): if |g| <= 1 on
the circle, L <= Σ α_i y_i <= V. Where [a x_i + b]_+ > 0 for the same i all along an arc, g(a, b) = a·p + b·q there with
p = Σ α_i x_i, q = Σ α_i over these i. On the arc |g| is largest at an end of it, where the kink -b/a is at a point of
the data, or at ±(p, q)/|(p, q)| if that lies on it, and is |(p, q)| there. The arcs: all i are active where a x_1 + b
and a x_n + b are not negative; those from i + 1 on where a x_i + b <= 0 <= a x_(i+1) + b; those up to i where
a x_i + b >= 0 >= a x_(i+1) + b; and none.
"""

from __future__ import annotations

from ..about import on_a_line
from ..budget import refuse
from ..parts.roots import root_above
from ..rational import Rational, total
from ..reading import Fields, Kind, Proved, read_bounds, read_fields, read_list, read_numbers, require_increasing
from ..words import in_words


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "y"))
    x, y = read_numbers(data["x"], "data.x"), read_numbers(data["y"], "data.y")
    if not x or len(x) != len(y):
        refuse(f"data.x has {len(x)} numbers and data.y {len(y)}: as many, and at least one, are needed")
    require_increasing(x, "data.x")
    upper = _cost(document["primal"], x, y)
    alpha = read_numbers(read_fields(document["dual"], "dual", ("alpha",))["alpha"], "dual.alpha")
    if len(alpha) != len(x):
        refuse(f"dual.alpha has {len(alpha)} numbers, the data have {len(x)}")
    _require_within_circle(alpha, x)
    lower = total(a * b for a, b in zip(alpha, y, strict=True))
    bounds = read_bounds(document["claim"], lower, upper)
    return Proved(
        f"Of all sums of units v·[a x + b]_+ through the {len(x)} data point{'s' * (len(x) > 1)}, the smallest "
        f"Σ|v|√(a² + b²) {bounds}.",
        on_a_line(x, y),
    )


def _cost(given: object, x: list[Rational], y: list[Rational]) -> Rational:
    """Σ|v|√(a² + b²), rounded up; refused if the units miss the data."""
    listed = read_list(read_fields(given, "primal", ("units",))["units"], "primal.units must be a list of [v, a, b]")
    constant, costs = Rational(0), list[Rational]()
    ramps: dict[int, list[tuple[Rational, Rational, Rational]]] = {1: [], -1: []}
    for n, unit in enumerate(listed):
        where = f"primal.units[{n}]"
        v, a, b = read_numbers(read_list(unit, f"{where} must be [v, a, b]", 3), where)
        if not a and not b:
            refuse(f"{where} must have a or b other than 0")
        costs.append(root_above(v**2 * (a**2 + b**2)))
        if not a:
            constant += v * max(Rational(0), b)
        else:
            side = 1 if a > 0 else -1
            ramps[side].append((-b / a * side, v * a, v * b))
    totals = [constant] * len(x)
    for side, waiting in ramps.items():
        waiting = sorted(waiting, reverse=True)
        slope = offset = Rational(0)
        for i in range(len(x)) if side > 0 else range(len(x) - 1, -1, -1):
            while waiting and waiting[-1][0] < side * x[i]:
                _, a, b = waiting.pop()
                slope, offset = slope + a, offset + b
            totals[i] += slope * x[i] + offset
    for i, (reached, target) in enumerate(zip(totals, y, strict=True)):
        if reached != target:
            refuse(f"the units miss the data point {i}: ({in_words(x[i])}, {in_words(target)})")
    return total(costs)


def _require_within_circle(alpha: list[Rational], x: list[Rational]) -> None:
    whole = total(a * at for a, at in zip(alpha, x, strict=True)), total(alpha)
    for side in (1, -1):
        p, q = whole
        order = list(range(len(x))) if side > 0 else list(range(len(x) - 1, -1, -1))
        for i, following in zip(order, [*order[1:], None], strict=True):
            at = x[i]
            if (p - at * q) ** 2 > 1 + at**2:
                refuse(f"the dual function exceeds 1 at data.x[{i}], side {side}: the dual is not feasible")
            p, q = p - alpha[i] * at, q - alpha[i]
            if following is None:
                continue
            # (p, q) or -(p, q) lies on the arc if its kink is between the two points
            if (p * at + q) * (p * x[following] + q) <= 0 and p**2 + q**2 > 1:
                refuse(
                    f"the dual function exceeds 1 between data.x[{i}] and data.x[{following}], side {side}: the dual "
                    "is not feasible"
                )
    p, q = whole
    if (p * x[0] + q) * (p * x[-1] + q) >= 0 and p**2 + q**2 > 1:
        refuse("the dual function exceeds 1 where all data are active: the dual is not feasible")


KIND = Kind("interpolation with penalised biases", ("data", "primal", "dual", "claim"), check)
