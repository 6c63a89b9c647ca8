"""The trusted check of certificates of kind "maximum margin": beside kernel.py, standard library only.

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
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, lcm
from typing import Any

FIELDS = ("data", "kinks", "primal", "dual", "claim")
MOST_SCORES = 20_000_000
"""n times k beyond this is refused."""
ROOT_BITS = 96
"""Bits after the point of a square root of an integer."""


def check(document: dict[str, Any], kernel: Any) -> str:
    """What the certificate proves, in words; refused otherwise. `kernel` reads the numbers."""
    data = kernel.read_fields(document["data"], "data", ("x", "labels", "classes"))
    x = kernel.read_numbers(data["x"], "data.x")
    if not x:
        kernel.refuse("data.x is empty: at least one point is needed")
    kernel.require_increasing(x, "data.x")
    k = data["classes"]
    if type(k) is not int or k < 2 or k * len(x) > MOST_SCORES:
        kernel.refuse(f"data.classes must be an integer from 2 to {MOST_SCORES // len(x)}")
    labels = data["labels"]
    if not isinstance(labels, list) or len(labels) != len(x):
        kernel.refuse(f"data.labels must be a list of {len(x)} labels, as many as data.x")
    for i, label in enumerate(labels):
        if type(label) is not int or not 0 <= label < k:
            kernel.refuse(f"data.labels[{i}] must be an integer from 0 to {k - 1}")
    kinks = kernel.read_numbers(document["kinks"], "kinks")
    if len(kinks) != 2 or not kinks[0] < kinks[1] or not kinks[0] <= x[0] or not x[-1] <= kinks[1]:
        kernel.refuse("kinks must be [A, B] with A < B and all data between them")

    ramps, primal_unit = _ramps(document["primal"], k, kinks, kernel)
    scale = 1
    for number in (*x, *kinks, *(kink for _, kink, _ in ramps)):
        scale = lcm(scale, number.denominator)
        if scale.bit_length() > kernel.MAX_DIGITS:
            kernel.refuse("the points and kinks must have a common denominator of fewer digits")
    points = [_times(number, scale) for number in x]
    ends = [_times(number, scale) for number in kinks]

    scores = _scores(points, k, [(side, _times(kink, scale), weights) for side, kink, weights in ramps])
    for i, (label, row) in enumerate(zip(labels, scores, strict=True)):
        for other, score in enumerate(row):
            # the margin is unit·difference/scale
            if other != label and primal_unit * (row[label] - score) < scale:
                kernel.refuse(f"the margin of the point {i} over class {other} is below 1: the primal is not feasible")
    upper = primal_unit * Fraction(
        sum(isqrt(_squares(weights) << (2 * ROOT_BITS)) + 1 for *_, weights in ramps), 1 << ROOT_BITS
    )

    alpha, total, dual_unit = _alpha(document["dual"], labels, k, kernel)
    bound = Fraction(scale) ** 2 / dual_unit**2
    for side, end in ((1, ends[0]), (-1, ends[1])):
        mass, moment = [0] * k, [0] * k
        for i in (*(range(len(x) - 1, -1, -1) if side > 0 else range(len(x))), None):
            at = side * (end if i is None else points[i])
            if _squares([m - a * at for a, m in zip(mass, moment, strict=True)]) > bound:
                where = "the end of the range" if i is None else f"data.x[{i}]"
                kernel.refuse(f"the dual function exceeds 1 at {where}, side {side}: the dual is not feasible")
            if i is not None:
                mass = [a + v for a, v in zip(mass, alpha[i], strict=True)]
                moment = [m + v * at for m, v in zip(moment, alpha[i], strict=True)]

    claim = kernel.read_fields(document["claim"], "claim", ("lower", "upper", "relative_gap"))
    low, high, gap = (kernel.read_number(claim[name], f"claim.{name}") for name in ("lower", "upper", "relative_gap"))
    if low > dual_unit * total:
        kernel.refuse(f"claim.lower is above what the dual proves, {kernel.in_words(dual_unit * total)}")
    if high < upper:
        kernel.refuse(f"claim.upper is below what the primal proves, {kernel.in_words(upper)}")
    if not 0 <= gap < 1 or high - low > gap * high:
        kernel.refuse("claim.relative_gap must be at least (upper - lower)/upper, and below 1")
    return (
        f"Of all sums of ramps with kinks in [{kernel.in_words(kinks[0])}, {kernel.in_words(kinks[1])}] that classify "
        f"the {len(x)} point{'s' * (len(x) > 1)} into {k} classes with margin 1, the smallest sum of Euclidean norms "
        f"lies between {kernel.in_words(low)} and {kernel.in_words(high)}; relative gap at most {kernel.in_words(gap)}."
    )


def _ramps(
    given: object, k: int, kinks: list[Fraction], kernel: Any
) -> tuple[list[tuple[int, Fraction, list[int]]], Fraction]:
    primal = kernel.read_fields(given, "primal", ("unit", "ramps"))
    unit = _positive(primal["unit"], "primal.unit", kernel)
    if not isinstance(primal["ramps"], list):
        kernel.refuse("primal.ramps must be a list of [side, kink, weights]")
    ramps = []
    for n, ramp in enumerate(primal["ramps"]):
        where = f"primal.ramps[{n}]"
        if not isinstance(ramp, list) or len(ramp) != 3 or type(ramp[0]) is not int or ramp[0] not in (1, -1):
            kernel.refuse(f"{where} must be [side, kink, weights] with side 1 or -1")
        kink = kernel.read_number(ramp[1], f"{where}, kink")
        if not kinks[0] <= kink <= kinks[1]:
            kernel.refuse(f"{where}: the kink {kernel.in_words(kink)} lies outside the range of kinks")
        weights = [_integer(w, f"{where}, weights", kernel) for w in kernel.read_numbers(ramp[2], f"{where}, weights")]
        if len(weights) != k:
            kernel.refuse(f"{where} must have {k} weights, not {len(weights)}")
        ramps.append((ramp[0], kink, weights))
    return ramps, unit


def _alpha(given: object, labels: list[int], k: int, kernel: Any) -> tuple[list[list[int]], int, Fraction]:
    """α_i and Σ β in units, and the unit."""
    dual = kernel.read_fields(given, "dual", ("unit", "beta"))
    unit = _positive(dual["unit"], "dual.unit", kernel)
    if not isinstance(dual["beta"], list):
        kernel.refuse("dual.beta must be a list of [point, class, multiplier]")
    alpha, total, seen = [[0] * k for _ in labels], 0, set()
    for n, entry in enumerate(dual["beta"]):
        where = f"dual.beta[{n}]"
        if not isinstance(entry, list) or len(entry) != 3 or type(entry[0]) is not int or type(entry[1]) is not int:
            kernel.refuse(f"{where} must be [point, class, multiplier]")
        i, rival = entry[0], entry[1]
        if not 0 <= i < len(labels) or not 0 <= rival < k or rival == labels[i] or (i, rival) in seen:
            kernel.refuse(f"{where} must name a point, and a class that is not the point's, not named before")
        seen.add((i, rival))
        value = _integer(kernel.read_number(entry[2], where), where, kernel)
        if value < 0:
            kernel.refuse(f"{where} must not be negative")
        alpha[i][labels[i]] += value
        alpha[i][rival] -= value
        total += value
    return alpha, total, unit


def _scores(points: list[int], k: int, ramps: list[tuple[int, int, list[int]]]) -> list[list[int]]:
    """Σ weights·[s(x_i - c)]_+ at the points."""
    totals = [[0] * k for _ in points]
    for side in (1, -1):
        waiting = sorted(((side * kink, weights) for s, kink, weights in ramps if s == side), key=lambda ramp: -ramp[0])
        slope, offset = [0] * k, [0] * k
        for i in range(len(points)) if side > 0 else range(len(points) - 1, -1, -1):
            at = side * points[i]
            while waiting and waiting[-1][0] < at:
                kink, weights = waiting.pop()
                slope = [a + w for a, w in zip(slope, weights, strict=True)]
                offset = [b + w * kink for b, w in zip(offset, weights, strict=True)]
            totals[i] = [t + a * at - b for t, a, b in zip(totals[i], slope, offset, strict=True)]
    return totals


def _squares(numbers: list[int]) -> int:
    return sum(number * number for number in numbers)


def _times(number: Fraction, scale: int) -> int:
    return number.numerator * (scale // number.denominator)


def _positive(given: object, where: str, kernel: Any) -> Fraction:
    number = Fraction(kernel.read_number(given, where))
    if number <= 0:
        kernel.refuse(f"{where} must be positive")
    return number


def _integer(number: Fraction, where: str, kernel: Any) -> int:
    if number.denominator != 1:
        kernel.refuse(f"{where} must be integers")
    return number.numerator
