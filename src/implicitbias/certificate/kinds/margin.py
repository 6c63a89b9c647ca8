"""The trusted check of kind "maximum margin": standard library only, run by kernel.py.

  data    {"x": [x_1 < … < x_n], "labels": [y_1, …, y_n], "classes": k}, labels 0, …, k-1, k >= 2
  kinks   [A, B], A <= x_1, x_n <= B, A < B: where kinks may lie
  primal  {"unit": u, "ramps": [[s, c, [w_1, …, w_k]], …]}: f(x) = Σ u·w·[s(x - c)]_+ in R^k, s = 1 or -1, c in [A, B]
  dual    {"unit": v, "beta": [[i, l, b], …]}: β_il = v·b >= 0 for the point i and the class l != y_i, counted from 0
  claim   {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest Σ‖weights‖
          (Euclidean) of all f = Σ weights·[s(x - c)]_+ in R^k, kinks in [A, B], with margins f_{y_i}(x_i) - f_l(x_i)
          >= 1 for all i and l != y_i  (Stewart et al. 2022, problem (10), where A = -1, B = 1).

u, v, c, L, U, G are rationals; w and b are integers, so that a large certificate stays short.

Why the check suffices. f has all margins >= 1 and Σ‖u·w‖ <= U, so V <= U. Put α_i = Σ_l β_il (e_{y_i} - e_l) and
g_s(c) = Σ_i α_i [s(x_i - c)]_+. For any f with margins >= 1, measure μ of weights,
  Σ β_il <= Σ β_il (f_{y_i} - f_l)(x_i) = Σ_i α_i·f(x_i) = ∫ g_s(c)·dμ(s, c) <= max ‖g_s(c)‖ · Σ‖weights‖,
and g_s is linear in c between neighbouring points of A, x_1, …, x_n, B, and 0 at the end where s points away from the
data, so ‖g_s‖, convex there, is largest at one of these points. If it is at most 1 at each, L <= Σ β_il <= V.

Coq: Margin.v, margin_by_multipliers (docs/formal.md).
"""

from __future__ import annotations

from math import isqrt, lcm

from ..about import on_a_line
from ..budget import price, refuse, spend
from ..rational import Rational
from ..reading import (
    MAX_DIGITS,
    Fields,
    Kind,
    Proved,
    read_bounds,
    read_fields,
    read_integer,
    read_list,
    read_number,
    read_numbers,
    require_increasing,
)
from ..words import in_words

MOST_SCORES = 20_000_000
"""n times k beyond this is refused."""
NORM_BITS = 96
"""Bits after the point of a square root of an integer."""


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "labels", "classes"))
    x = read_numbers(data["x"], "data.x")
    if not x:
        refuse("data.x is empty: at least one point is needed")
    require_increasing(x, "data.x")
    k = data["classes"]
    if type(k) is not int or k < 2 or k * len(x) > MOST_SCORES:
        refuse(f"data.classes must be an integer from 2 to {MOST_SCORES // len(x)}")
    given = read_list(data["labels"], f"data.labels must be a list of {len(x)} labels, as many as data.x", len(x))
    labels = [
        read_integer(label, range(k), f"data.labels[{i}] must be an integer from 0 to {k - 1}")
        for i, label in enumerate(given)
    ]
    kinks = read_numbers(document["kinks"], "kinks")
    if len(kinks) != 2 or not kinks[0] < kinks[1] or not kinks[0] <= x[0] or not x[-1] <= kinks[1]:
        refuse("kinks must be [A, B] with A < B and all data between them")

    ramps, primal_unit = _vector_ramps(document["primal"], k, kinks)
    scale = 1
    for number in (*x, *kinks, *(kink for _, kink, _ in ramps)):
        spend(price(scale.bit_length(), number.denominator.bit_length()))
        scale = lcm(scale, number.denominator)
        if scale.bit_length() > MAX_DIGITS:
            refuse("the points and kinks must have a common denominator of fewer digits")
    points = [_times(number, scale) for number in x]
    ends = [_times(number, scale) for number in kinks]

    scores = _scores(points, k, [(side, _times(kink, scale), weights) for side, kink, weights in ramps])
    for i, (label, row) in enumerate(zip(labels, scores, strict=True)):
        spend(k)
        for other, score in enumerate(row):
            # the margin is unit·difference/scale
            if other != label and primal_unit * (row[label] - score) < scale:
                refuse(f"the margin of the point {i} over class {other} is below 1: the primal is not feasible")
    upper = primal_unit * Rational(sum(_norm_above(weights) for *_, weights in ramps), 1 << NORM_BITS)

    alpha, total, dual_unit = _alpha(document["dual"], labels, k)
    # what the squares of integers are compared with: they are integers too
    bound = _floor((Rational(scale) / dual_unit) ** 2)
    for side, end in ((1, ends[0]), (-1, ends[1])):
        mass, moment = [0] * k, [0] * k
        order = range(len(x) - 1, -1, -1) if side > 0 else range(len(x))
        for i in (*order, None):
            at = side * (end if i is None else points[i])
            if _squares([m - a * at for a, m in zip(mass, moment, strict=True)]) > bound:
                where = "the end of the range" if i is None else f"data.x[{i}]"
                refuse(f"the dual function exceeds 1 at {where}, side {side}: the dual is not feasible")
            if i is not None:
                mass = [a + v for a, v in zip(mass, alpha[i], strict=True)]
                moment = [m + v * at for m, v in zip(moment, alpha[i], strict=True)]
            _spend_on(mass, moment, at.bit_length())

    bounds = read_bounds(document["claim"], dual_unit * total, upper)
    return Proved(
        f"Of all sums of ramps with kinks in [{in_words(kinks[0])}, {in_words(kinks[1])}] that classify "
        f"the {len(x)} point{'s' * (len(x) > 1)} into {k} classes with margin 1, the smallest sum of Euclidean norms "
        f"{bounds}.",
        on_a_line(x, labels, classes=True),
    )


def _vector_ramps(
    given: object, k: int, kinks: list[Rational]
) -> tuple[list[tuple[int, Rational, list[int]]], Rational]:
    primal = read_fields(given, "primal", ("unit", "ramps"))
    unit = _read_positive(primal["unit"], "primal.unit")
    ramps = []
    for n, ramp in enumerate(read_list(primal["ramps"], "primal.ramps must be a list of [side, kink, weights]")):
        where = f"primal.ramps[{n}]"
        otherwise = f"{where} must be [side, kink, weights] with side 1 or -1"
        first, place, vector = read_list(ramp, otherwise, 3)
        side = read_integer(first, (1, -1), otherwise)
        kink = read_number(place, f"{where}, kink")
        if kink < kinks[0] or kink > kinks[1]:
            refuse(f"{where}: the kink {in_words(kink)} lies outside the range of kinks")
        weights = [_whole(w, f"{where}, weights") for w in read_numbers(vector, f"{where}, weights")]
        if len(weights) != k:
            refuse(f"{where} must have {k} weights, not {len(weights)}")
        ramps.append((side, kink, weights))
    return ramps, unit


def _alpha(given: object, labels: list[int], k: int) -> tuple[list[list[int]], int, Rational]:
    """α_i and Σ β in units, and the unit."""
    dual = read_fields(given, "dual", ("unit", "beta"))
    unit = _read_positive(dual["unit"], "dual.unit")
    listed = read_list(dual["beta"], "dual.beta must be a list of [point, class, multiplier]")
    spend(len(labels) * k)
    alpha, total, seen = [[0] * k for _ in labels], 0, set[tuple[int, int]]()
    for n, entry in enumerate(listed):
        where = f"dual.beta[{n}]"
        otherwise = f"{where} must be [point, class, multiplier]"
        i, rival, multiplier = read_list(entry, otherwise, 3)
        if type(i) is not int or type(rival) is not int:
            refuse(otherwise)
        if not 0 <= i < len(labels) or not 0 <= rival < k or rival == labels[i] or (i, rival) in seen:
            refuse(f"{where} must name a point, and a class that is not the point's, not named before")
        seen.add((i, rival))
        value = _whole(read_number(multiplier, where), where)
        if value < 0:
            refuse(f"{where} must not be negative")
        alpha[i][labels[i]] += value
        alpha[i][rival] -= value
        total += value
    return alpha, total, unit


def _scores(points: list[int], k: int, ramps: list[tuple[int, int, list[int]]]) -> list[list[int]]:
    """Σ weights·[s(x_i - c)]_+ at the points."""
    spend(len(points) * k)
    totals = [[0] * k for _ in points]
    for side in (1, -1):
        waiting = sorted(((side * kink, weights) for s, kink, weights in ramps if s == side), key=lambda ramp: -ramp[0])
        slope, offset = [0] * k, [0] * k
        for i in range(len(points)) if side > 0 else range(len(points) - 1, -1, -1):
            at = side * points[i]
            while waiting and waiting[-1][0] < at:
                kink, weights = waiting.pop()
                _spend_on(weights, offset, kink.bit_length())
                slope = [a + w for a, w in zip(slope, weights, strict=True)]
                offset = [b + w * kink for b, w in zip(offset, weights, strict=True)]
            _spend_on(slope, offset, at.bit_length())
            totals[i] = [t + a * at - b for t, a, b in zip(totals[i], slope, offset, strict=True)]
    return totals


def _spend_on(numbers: list[int], others: list[int], bits: int) -> None:
    """Pay for as many products with an integer of so many bits, sums, and a square of each."""
    lengths = [max(a.bit_length(), b.bit_length()) for a, b in zip(numbers, others, strict=True)]
    longest = max(lengths, default=0) + bits
    spend(len(lengths) if longest < 512 else sum(price(length + bits, length + bits) for length in lengths))


def _squares(numbers: list[int]) -> int:
    return sum(number * number for number in numbers)


def _norm_above(weights: list[int]) -> int:
    """√Σw²·2^NORM_BITS, rounded up."""
    _spend_on(weights, weights, 2 * NORM_BITS)
    square = _squares(weights) << (2 * NORM_BITS)
    spend(4 * price(square.bit_length(), square.bit_length()))
    return isqrt(square) + 1


def _floor(number: Rational) -> int:
    return number.numerator // number.denominator


def _times(number: Rational, scale: int) -> int:
    spend(price(number.numerator.bit_length(), scale.bit_length()))
    return number.numerator * (scale // number.denominator)


def _read_positive(given: object, where: str) -> Rational:
    number = read_number(given, where)
    if number <= 0:
        refuse(f"{where} must be positive")
    return number


def _whole(number: Rational, where: str) -> int:
    if number.denominator != 1:
        refuse(f"{where} must be integers")
    return number.numerator


KIND = Kind("maximum margin", ("data", "kinks", "primal", "dual", "claim"), check)
