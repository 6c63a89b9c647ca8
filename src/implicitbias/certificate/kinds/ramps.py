"""The trusted check of kind "interpolation by ramps": standard library only, run by kernel.py.

  data    {"x": [x_1 < … < x_n], "y": [y_1, …, y_n]}
  kinks   [A, B], A <= x_1, x_n <= B, A < B: where kinks may lie
  primal  {"ramps": [[s, c, w], …]}: f(x) = Σ w·[s(x - c)]_+, s = 1 or -1, c in [A, B]; or, for n >= 2,
          {"left_shares": [θ_2, …, θ_{n-1}]}, 0 <= θ_i <= 1: with κ_i the kinks of the linear spline P of the data, left
          ramps θ_i κ_i and right ramps (1 - θ_i) κ_i at x_i, q at B and p at A, so that they pass through the data:
          q = (P(A) - Σ θ_i κ_i (x_i - A))/(B - A), p = (P(B) - Σ (1 - θ_i) κ_i (B - x_i))/(B - A)
  dual    {"alpha": [α_1, …, α_n]}; or {"eta": η, "lambda": λ} in [-1, 1], for n >= 2
  claim   {"value": V}: V is the smallest Σ|w| of all sums of ramps with kinks in [A, B] through the data (Stewart et
          al. 2022, problem (9), where A = -1, B = 1); {"at_least": L, "at_most": U} encloses it

Why the check suffices. The value is at most Σ|w| of an f through the data. For g_s(c) = Σ α_i [s(x_i - c)]_+ and any f
through the data, Σ α_i y_i = Σ w_j g_{s_j}(c_j) <= max|g_s(c)|·Σ|w_j|, and g_s is linear between neighbouring points of
A, x_1, …, x_n, B and 0 at one end: if |g_s| <= 1 at these points, the value is at least Σ α_i y_i.

The shares make f(x) = P(x): its second derivative is right, and so are its values at A and B. It costs
Σ|κ_i| + |p| + |q|. For the pair (η, λ) put D(c) = (η(B - c) - λ(c - A))/(B - A), |D| <= 1 on [A, B], and let g_1 be
linear between the data with g_1(x_1) = D(x_1), g_1(x_i) = min(1, 1 + D(x_i)) or max(-1, -1 + D(x_i)) as κ_i > 0 or not,
g_1(x_n) = 0, continued by D to A and by 0 to B; α_i are the changes of its slope, and g_{-1} = g_1 - D.
Both are at most 1 in absolute value, and (summation by parts) Σ α_i y_i =
  Σ|κ_i| + P(A)(η + λ)/(B - A) + l_1 η - Σ κ_i⁺ [-D(x_i)]_+ - Σ κ_i⁻ [D(x_i)]_+,  l_1 the first slope.
These sums are enclosed between multiples of 2^-BITS: a value stated in this way is enclosed, never exact.

Coq: Ramps.v, ramps_by_multipliers, ramps_by_shares (docs/formal.md).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..about import on_a_line
from ..budget import price, refuse, spend
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
    read_value,
    require_increasing,
    value_in_words,
)
from ..words import in_words

BITS = 1536
"""Bits after the point of a rounded term."""


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "y"))
    x, y = read_numbers(data["x"], "data.x"), read_numbers(data["y"], "data.y")
    if not x or len(x) != len(y):
        refuse(f"data.x has {len(x)} numbers and data.y {len(y)}: as many, and at least one, are needed")
    require_increasing(x, "data.x")
    kinks = read_numbers(document["kinks"], "kinks")
    if len(kinks) != 2 or not kinks[0] < kinks[1] or not kinks[0] <= x[0] or not x[-1] <= kinks[1]:
        refuse("kinks must be [A, B] with A < B and all data between them")
    explicit = isinstance(document["primal"], dict) and "ramps" in document["primal"]
    if explicit:
        high = _cost_of_ramps(document["primal"], x, y, kinks)
        alpha = read_numbers(read_fields(document["dual"], "dual", ("alpha",))["alpha"], "dual.alpha")
        low = _bound_of(alpha, x, y, kinks)
    else:
        low, high = _enclosure(document, x, y, kinks)
    least, most = read_value(read_fields(document["claim"], "claim", ("value",))["value"], "claim.value")
    if least > low:
        refuse(f"claim.value is more than the dual proves, {in_words(low)}")
    if most < high:
        refuse(f"claim.value is less than the primal costs, {in_words(high)}")
    return Proved(
        f"Of all sums of ramps w·[±(x - c)]_+ with kinks c in [{in_words(kinks[0])}, "
        f"{in_words(kinks[1])}] through the {len(x)} data point{'s' * (len(x) > 1)}, the smallest Σ|w| "
        f"{value_in_words(least, most)}.",
        on_a_line(x, y),
    )


def _cost_of_ramps(given: object, x: list[Rational], y: list[Rational], kinks: list[Rational]) -> Rational:
    """Σ|w|; refused if the ramps miss the data."""
    listed = read_list(
        read_fields(given, "primal", ("ramps",))["ramps"], "primal.ramps must be a list of [side, kink, weight]"
    )
    ramps: dict[int, list[tuple[Rational, Rational]]] = {1: [], -1: []}
    for n, ramp in enumerate(listed):
        where = f"primal.ramps[{n}]"
        otherwise = f"{where} must be [side, kink, weight] with side 1 or -1"
        first, *numbers = read_list(ramp, otherwise, 3)
        side = read_integer(first, (1, -1), otherwise)
        kink, weight = (read_number(v, f"{where}, {name}") for v, name in zip(numbers, ("kink", "weight"), strict=True))
        if kink < kinks[0] or kink > kinks[1]:
            refuse(f"{where}: the kink {in_words(kink)} lies outside the range of kinks")
        ramps[side].append((side * kink, weight))
    totals = [Rational(0)] * len(x)
    for side, waiting in ramps.items():
        waiting = sorted(waiting, reverse=True)
        slope = offset = Rational(0)
        for i in range(len(x)) if side > 0 else range(len(x) - 1, -1, -1):
            at = side * x[i]
            while waiting and waiting[-1][0] < at:
                kink, weight = waiting.pop()
                slope, offset = slope + weight, offset + weight * kink
            totals[i] += slope * at - offset
    for i, (reached, target) in enumerate(zip(totals, y, strict=True)):
        if reached != target:
            refuse(f"the ramps miss the data point {i}: ({in_words(x[i])}, {in_words(target)})")
    return total(abs(weight) for both in ramps.values() for _, weight in both)


def _bound_of(alpha: list[Rational], x: list[Rational], y: list[Rational], kinks: list[Rational]) -> Rational:
    """Σ α_i y_i; refused if some |g_s| exceeds 1."""
    if len(alpha) != len(x):
        refuse(f"dual.alpha has {len(alpha)} numbers, the data have {len(x)}")
    for side, end in ((1, kinks[0]), (-1, kinks[1])):
        mass = moment = Rational(0)
        order = range(len(x) - 1, -1, -1) if side > 0 else range(len(x))
        for i in (*order, None):
            at = side * (end if i is None else x[i])
            if abs(moment - mass * at) > 1:
                where = "the end of the range" if i is None else f"data.x[{i}]"
                refuse(f"the dual function exceeds 1 at {where}, side {side}: the dual is not feasible")
            if i is not None:
                mass, moment = mass + alpha[i], moment + alpha[i] * at
    return total(a * b for a, b in zip(alpha, y, strict=True))


def _enclosure(
    document: Fields, x: list[Rational], y: list[Rational], kinks: list[Rational]
) -> tuple[Rational, Rational]:
    """A lower bound by (η, λ) and an upper bound by the shares, both rounded outwards."""
    if len(x) < 2:
        refuse("primal must be {ramps}: shares need at least two points")
    shares = read_numbers(
        read_fields(document["primal"], "primal", ("left_shares",))["left_shares"], "primal.left_shares"
    )
    if len(shares) != len(x) - 2 or any(share < 0 or share > 1 for share in shares):
        refuse(f"primal.left_shares must be {len(x) - 2} numbers in [0, 1], one for each inner point")
    dual = read_fields(document["dual"], "dual", ("eta", "lambda"))
    eta, lam = (read_number(dual[name], f"dual.{name}") for name in ("eta", "lambda"))
    if abs(eta) > 1 or abs(lam) > 1:
        refuse("dual.eta and dual.lambda must lie in [-1, 1]: the dual is not feasible")
    (A, B), width = kinks, kinks[1] - kinks[0]
    slopes = [(y[i] - y[i - 1]) / (x[i] - x[i - 1]) for i in range(1, len(x))]
    jumps = [slopes[i] - slopes[i - 1] for i in range(1, len(slopes))]
    inner = list(zip(x[1:-1], jumps, shares, strict=True))
    at_a, at_b = y[0] + slopes[0] * (A - x[0]), y[-1] + slopes[-1] * (B - x[-1])
    left = _enclosed_sum(share * kappa * (c - A) / width for c, kappa, share in inner if share)
    right = _enclosed_sum((1 - share) * kappa * (B - c) / width for c, kappa, share in inner if share != 1)
    variation = _enclosed_sum(abs(kappa) for kappa in jumps)
    high = variation[1]
    for end, (least, most) in ((at_a / width, left), (at_b / width, right)):
        high += max(abs(end - least), abs(end - most))
    gap = [(eta * (B - c) - lam * (c - A)) / width for c in x[1:-1]]
    lost = _enclosed_sum(
        abs(kappa) * max(Rational(0), -d if kappa > 0 else d) for kappa, d in zip(jumps, gap, strict=True)
    )
    return variation[0] - lost[1] + at_a * (eta + lam) / width + slopes[0] * eta, high


def _enclosed_sum(terms: Iterable[Rational]) -> tuple[Rational, Rational]:
    """Multiples of 2^-BITS below and above a sum."""
    below = count = 0
    for term in terms:
        spend(price(term.numerator.bit_length() + BITS, term.denominator.bit_length()))
        below += (term.numerator << BITS) // term.denominator
        count += 1
    return Rational(below, 1 << BITS), Rational(below + count, 1 << BITS)


KIND = Kind("interpolation by ramps", ("data", "kinks", "primal", "dual", "claim"), check)
