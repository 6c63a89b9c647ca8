"""The trusted check of kind "interpolation with penalised biases": standard library only, beside kernel.py.

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

from fractions import Fraction
from math import isqrt
from typing import Any

FIELDS = ("data", "primal", "dual", "claim")
ROOT_BITS = 96
"""Bits of a square root."""


def check(document: dict[str, Any], kernel: Any) -> str:
    """What the certificate proves, in words; refused otherwise. `kernel` reads the numbers."""
    data = kernel.read_fields(document["data"], "data", ("x", "y"))
    x, y = kernel.read_numbers(data["x"], "data.x"), kernel.read_numbers(data["y"], "data.y")
    if not x or len(x) != len(y):
        kernel.refuse(f"data.x has {len(x)} numbers and data.y {len(y)}: as many, and at least one, are needed")
    kernel.require_increasing(x, "data.x")
    upper = _cost(document["primal"], x, y, kernel)
    alpha = kernel.read_numbers(kernel.read_fields(document["dual"], "dual", ("alpha",))["alpha"], "dual.alpha")
    if len(alpha) != len(x):
        kernel.refuse(f"dual.alpha has {len(alpha)} numbers, the data have {len(x)}")
    _require_feasible(alpha, x, kernel)
    lower = sum((a * b for a, b in zip(alpha, y, strict=True)), Fraction(0))
    claim = kernel.read_fields(document["claim"], "claim", ("lower", "upper", "relative_gap"))
    low, high, gap = (kernel.read_number(claim[name], f"claim.{name}") for name in ("lower", "upper", "relative_gap"))
    if low > lower:
        kernel.refuse(f"claim.lower is above what the dual proves, {kernel.in_words(lower)}")
    if high < upper:
        kernel.refuse(f"claim.upper is below what the primal proves, {kernel.in_words(upper)}")
    if not 0 <= gap < 1 or high - low > gap * high:
        kernel.refuse("claim.relative_gap must be at least (upper - lower)/upper, and below 1")
    return (
        f"Of all sums of units v·[a x + b]_+ through the {len(x)} data point{'s' * (len(x) > 1)}, the smallest "
        f"Σ|v|√(a² + b²) lies between {kernel.in_words(low)} and {kernel.in_words(high)}; relative gap at most "
        f"{kernel.in_words(gap)}."
    )


def _cost(given: object, x: list[Fraction], y: list[Fraction], kernel: Any) -> Fraction:
    """Σ|v|√(a² + b²), rounded up; refused if the units miss the data."""
    listed = kernel.read_fields(given, "primal", ("units",))["units"]
    if not isinstance(listed, list):
        kernel.refuse("primal.units must be a list of [v, a, b]")
    constant = cost = Fraction(0)
    ramps: dict[int, list[tuple[Fraction, Fraction, Fraction]]] = {1: [], -1: []}
    for n, unit in enumerate(listed):
        where = f"primal.units[{n}]"
        if not isinstance(unit, list) or len(unit) != 3:
            kernel.refuse(f"{where} must be [v, a, b]")
        v, a, b = kernel.read_numbers(unit, where)
        if not a and not b:
            kernel.refuse(f"{where} must have a or b other than 0")
        cost += _root_above(v**2 * (a**2 + b**2))
        if not a:
            constant += v * max(Fraction(0), b)
        else:
            side = 1 if a > 0 else -1
            ramps[side].append((side * -b / a, v * a, v * b))
    totals = [constant] * len(x)
    for side, waiting in ramps.items():
        waiting = sorted(waiting, reverse=True)
        slope = offset = Fraction(0)
        for i in range(len(x)) if side > 0 else range(len(x) - 1, -1, -1):
            while waiting and waiting[-1][0] < side * x[i]:
                _, a, b = waiting.pop()
                slope, offset = slope + a, offset + b
            totals[i] += slope * x[i] + offset
    for i, (total, target) in enumerate(zip(totals, y, strict=True)):
        if total != target:
            kernel.refuse(f"the units miss the data point {i}: ({kernel.in_words(x[i])}, {kernel.in_words(target)})")
    return cost


def _require_feasible(alpha: list[Fraction], x: list[Fraction], kernel: Any) -> None:
    whole = sum((a * at for a, at in zip(alpha, x, strict=True)), Fraction(0)), sum(alpha, Fraction(0))
    for side in (1, -1):
        p, q = whole
        order = list(range(len(x))) if side > 0 else list(range(len(x) - 1, -1, -1))
        for i, following in zip(order, [*order[1:], None], strict=True):
            at = x[i]
            if (p - at * q) ** 2 > 1 + at**2:
                kernel.refuse(f"the dual function exceeds 1 at data.x[{i}], side {side}: the dual is not feasible")
            p, q = p - alpha[i] * at, q - alpha[i]
            if following is None:
                continue
            # (p, q) or -(p, q) lies on the arc if its kink is between the two points
            if (p * at + q) * (p * x[following] + q) <= 0 and p**2 + q**2 > 1:
                kernel.refuse(
                    f"the dual function exceeds 1 between data.x[{i}] and data.x[{following}], side {side}: the dual "
                    "is not feasible"
                )
    p, q = whole
    if (p * x[0] + q) * (p * x[-1] + q) >= 0 and p**2 + q**2 > 1:
        kernel.refuse("the dual function exceeds 1 where all data are active: the dual is not feasible")


def _root_above(square: Fraction) -> Fraction:
    """A rational not below the root, and above it by 2^-ROOT_BITS of it, about."""
    if not square:
        return Fraction(0)
    shift = max(0, ROOT_BITS + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    return Fraction(isqrt((square.numerator << (2 * shift)) // square.denominator) + 1, 1 << shift)
