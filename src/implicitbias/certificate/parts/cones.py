"""A dual that is shown feasible on cones of directions, for data with too many cells to list.

  dual    {"p": [p_1, …, p_n], "above": [node, …], "below": [node, …]}
  node    [a, b, α, β, s], a cut, or [[w_1, …, w_(d+1)], [[i, m], …]], a proof; JSON integers, i from 0

Put x̃ = (x, 1), g(θ) = Σ p_i [θ·x̃_i]_+. What is shown: |g(θ)| <= |θ| for all θ, "above" for g and "below" for -g.
  All cones. The 2^(d+1) orthants, with rays ±e_0, …, ±e_d, cover R^(d+1). They come in the order of their signs, +
before -, the last one changing first; each with its nodes, a cut before those of its halves. A cut replaces r_b in
the first half of the cone, and r_a in the second, by α r_a + β 2^s r_b, or α 2^-s r_a + β r_b where s < 0; α, β > 0. As
that ray lies between r_a and r_b, the halves cover the cone.
  One cone, σ = 1 or -1. Let q_i = σp_i. For q_i < 0 put l_i = m·10^-9, 0 <= m <= 10^9, if i is listed; else 1 if
x̃_i·r_k > 0 for all rays, else 0. Let w be the w_j·10^-12, and |w| <= 1. If for every ray
  w·r_k >= Σ_(q_i > 0) q_i [r_k·x̃_i]_+ + Σ_(q_i < 0) q_i l_i r_k·x̃_i,
then σg(θ) <= w·θ <= |θ| for θ = Σ c_k r_k with c >= 0: for q_i > 0, q_i [·]_+ is convex, and for q_i < 0,
q_i [t]_+ <= q_i l_i t.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import lcm

from ..budget import price, refuse, spend
from ..rational import Rational
from ..reading import Fields, read_integer, read_list
from .cells import Point, read_multipliers

WHOLE_SHARE = 10**9
WHOLE_LENGTH = 10**12
MAX_SHARE = 1000
"""α and β are at most this, and |s| at most 10000."""
CHEAP = 2
"""So many products in one sum of integers cost about a microsecond, on a slow machine."""

Ray = tuple[tuple[int, ...], list[int], int]
"""r_k, all r_k·x̃_i, and Σ q_i [r_k·x̃_i]_+ over q_i > 0."""


def require_feasible_on_cones(p: Sequence[Rational], dual: Fields, x: Sequence[Point]) -> None:
    """|Σ p_i [θ·x̃_i]_+| <= |θ| for all θ, cone by cone; refused otherwise."""
    rows, weights, unit = _in_integers(p, x)
    for name, side in (("above", 1), ("below", -1)):
        nodes = read_list(dual[name], f"dual.{name} must be a list of cuts and proofs")
        _follow_cones(nodes, f"dual.{name}", rows, [side * weight for weight in weights], unit)


def _in_integers(p: Sequence[Rational], x: Sequence[Point]) -> tuple[list[list[int]], list[int], int]:
    """Multiples of the x̃_i in integers, and of the p_i to go with them over one denominator: that denominator."""
    rows, weights = list[list[int]](), list[Rational]()
    for weight, point in zip(p, x, strict=True):
        longest = max(value.bits for value in point)
        spend(len(point) * price(len(point) * longest, longest))
        scale = lcm(*(value.denominator for value in point))
        rows.append([value.numerator * (scale // value.denominator) for value in point])
        weights.append(weight * Rational(1, scale))
    longest = max(weight.bits for weight in weights)
    spend(len(weights) * price(len(weights) * longest, longest))
    unit = lcm(*(weight.denominator for weight in weights))
    return rows, [weight.numerator * (unit // weight.denominator) for weight in weights], unit


def _follow_cones(nodes: Sequence[object], where: str, rows: list[list[int]], q: list[int], unit: int) -> None:
    """The cuts and proofs of all orthants; refused unless they are complete and hold."""
    size, number = len(rows[0]), 0
    above = [(i, weight) for i, weight in enumerate(q) if weight > 0]
    below = [(i, weight) for i, weight in enumerate(q) if weight < 0]
    bits = max(map(int.bit_length, q))
    for signs in product((1, -1), repeat=size):
        cones = [
            [
                _ray(tuple(sign * (j == k) for j in range(size)), [sign * row[k] for row in rows], above, bits)
                for k, sign in enumerate(signs)
            ]
        ]
        while cones:
            if number == len(nodes):
                refuse(f"{where} ends after {number} nodes, before all directions are covered")
            rays, node, place = cones.pop(), nodes[number], f"{where}[{number}]"
            number += 1
            if len(read_list(node, f"{place} must be a cut of 5 integers or a proof of 2 lists")) == 2:
                _require_bound(node, place, rays, below, unit, bits)  # type: ignore[arg-type]
                continue
            a, b, new = _cut_of_cone(node, place, rays, above, bits)
            cones += [[new if k == a else ray for k, ray in enumerate(rays)]]
            cones += [[new if k == b else ray for k, ray in enumerate(rays)]]
    if number < len(nodes):
        refuse(f"{where} has {len(nodes)} nodes, and {number} cover all directions")


def _ray(vector: tuple[int, ...], heights: list[int], above: list[tuple[int, int]], bits: int) -> Ray:
    _pay_for_products(len(above), max(map(int.bit_length, heights)), bits)
    return vector, heights, sum([weight * h for i, weight in above if (h := heights[i]) > 0])


def _cut_of_cone(
    node: object, where: str, rays: list[Ray], above: list[tuple[int, int]], bits: int
) -> tuple[int, int, Ray]:
    """The places of the rays that are replaced, and the ray that does."""
    otherwise = f"{where} must be a cut [a, b, α, β, s]: different rays, 1 <= α, β <= {MAX_SHARE}, -10000 <= s <= 10000"
    a, b, alpha, beta, power = read_list(node, otherwise, 5)
    a, b = (read_integer(end, range(len(rays)), otherwise) for end in (a, b))
    if a == b:
        refuse(otherwise)
    alpha, beta = (read_integer(share, range(1, MAX_SHARE + 1), otherwise) for share in (alpha, beta))
    power = read_integer(power, range(-10_000, 10_001), otherwise)
    alpha, beta = alpha << max(-power, 0), beta << max(power, 0)
    (first, heights, _), (second, others, _) = rays[a], rays[b]
    longest = max(map(int.bit_length, (*heights, *others, *first, *second)))
    _pay_for_products(len(heights) + len(first), longest, max(alpha, beta).bit_length())
    vector = tuple(alpha * s + beta * t for s, t in zip(first, second, strict=True))
    return a, b, _ray(vector, [alpha * s + beta * t for s, t in zip(heights, others, strict=True)], above, bits)


def _require_bound(
    node: list[object], where: str, rays: list[Ray], below: list[tuple[int, int]], unit: int, bits: int
) -> None:
    """σg <= |θ| on the cone of these rays."""
    otherwise = f"{where} must be a proof [[w_1, …, w_{len(rays)}], [[i, m], …]] of integers, |w| <= 1"
    allowed = range(-WHOLE_LENGTH, WHOLE_LENGTH + 1)
    w = [read_integer(v, allowed, otherwise) for v in read_list(node[0], otherwise, len(rays))]
    if sum(v * v for v in w) > WHOLE_LENGTH**2:
        refuse(f"{where}: |w| is more than 1")
    given: dict[int, int] = {}
    for i, share in read_multipliers(node[1], where, len(rays[0][1])):
        given[i] = read_integer(share, range(WHOLE_SHARE + 1), f"{where} must have whole m from 0 to {WHOLE_SHARE}")
    longest = max(v.bit_length() for vector, heights, lifted in rays for v in (*vector, *heights, lifted))
    _pay_for_products(len(rays) * (len(below) + len(rays)), longest, bits + unit.bit_length())
    every = [heights for _, heights, _ in rays]
    weights = []
    for i, weight in below:
        share = given.get(i)
        if share is None:
            share = WHOLE_SHARE if all(heights[i] > 0 for heights in every) else 0
        if share:
            weights.append((i, weight * share))
    for vector, heights, lifted in rays:
        needed = WHOLE_SHARE * lifted + sum([weight * heights[i] for i, weight in weights])
        if _product_sum(w, vector) * unit * WHOLE_SHARE < WHOLE_LENGTH * needed:
            refuse(f"{where} does not bound g on its cone: the dual is not shown feasible")


def _pay_for_products(count: int, bits: int, others: int) -> None:
    spend(1 + count * price(bits, others) // CHEAP)


def _product_sum(a: Sequence[int], b: Sequence[int]) -> int:
    return sum([s * t for s, t in zip(a, b, strict=True)])
