"""The norms of the layers of a deep sub-network of least cost, searched."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from implicitbias.claims import Interval


def root_of_product(draw: random.Random) -> Fraction:
    """A random rational q > 0, so that the L-th root of a product p = q^L of L norms is rational."""
    return Fraction(draw.randint(1, 12), draw.choice([1, 2, 3, 5]))


def least_layer_cost(product: Fraction, depth: int, draw: random.Random) -> Interval:
    """A bracket of min (1/L) Σ n_l² over layer norms n_l > 0 with this product, from random norms downhill.

    In u_l = log n_l the cost is convex and Σu_l fixed. Newton's steps are taken in floats, the last norm is set so that
    the product is exact: their cost is the upper end. Below: the tangent there, with slopes g_l = 2n_l²/L, falls by at
    most Σ|g_l - mean g|·|u'_l - u_l| to any u' that is as cheap, whose norms lie between √(cost·L) and what the product
    leaves.

    >>> bracket = least_layer_cost(Fraction(8), 3, random.Random(0))
    >>> round(float(bracket.lower), 6), round(float(bracket.upper), 6)
    (4.0, 4.0)
    """
    total = math.log(product)
    u = [draw.uniform(-2, 2) for _ in range(depth)]
    u = [x + (total - sum(u)) / depth for x in u]
    for _ in range(200):
        slope = [2 * math.exp(2 * x) / depth for x in u]
        curvature = [2 * g for g in slope]
        # Newton on Σu = total: the step is (level - g)/curvature with the level that keeps the sum
        level = sum(g / c for g, c in zip(slope, curvature, strict=True)) / sum(1 / c for c in curvature)
        step = [(level - g) / c for g, c in zip(slope, curvature, strict=True)]
        longest = max(map(abs, step))
        u = [x + s * min(1.0, 0.5 / longest if longest else 1.0) for x, s in zip(u, step, strict=True)]
    norms = [Fraction(math.exp(x)) for x in u[:-1]]
    norms.append(product / math.prod(norms, start=Fraction(1)))
    cost = sum((n * n for n in norms), Fraction(0)) / depth
    slopes = [2 * n * n / depth for n in norms]
    mean = sum(slopes, Fraction(0)) / depth
    # no norm of a cheaper network is above √(L·cost) < top, so none is below product/top^(L-1); log t < t
    top = Fraction(math.isqrt(math.ceil(depth * cost)) + 1)
    reach = 2 * max(1 / min(norms), max(norms), top, top ** (depth - 1) / product, Fraction(1))
    fall = sum((abs(g - mean) for g in slopes), Fraction(0)) * reach
    return Interval(cost - fall, cost)
