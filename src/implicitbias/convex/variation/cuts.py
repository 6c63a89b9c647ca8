"""Where a cone of directions is cut in two: near the kinks of the terms that its bound overestimates.

On an edge from r_a to r_b the interpolation of p_i [·]_+, p_i > 0, exceeds it where θ·x̃_i = 0 crosses the edge, by
p_i |h_a h_b|/(|h_a| + |h_b|) with h the heights at the ends. The edge with the largest sum of these, weighted by how
much the place of the bound is made of its ends, is cut at their weighted middle; the longest edge in its middle where
there is no such crossing, or where the cone is much longer elsewhere.

A new ray is α r_a + β 2^s r_b, or α 2^-s r_a + β r_b where s < 0, with small integers α and β, so that cones are known
exactly by the cuts that made them. In doubles a ray is off by at most its `error`, which grows with every cut as the
triangle inequality says.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

SHARES = 31
"""α and β are at most this."""
LEAST_SHARE = 0.1
"""A cut leaves at least this much of the edge on either side."""
EVEN = 0.3
"""What is added to the shares of the place of the bound in the rays: edges far from it are cut as well."""
THIN = 3.0
"""The longest edge is cut if it is so many times longer than the one that would be."""
ROUNDING = 4 * float(np.finfo(float).eps)


class Cones(NamedTuple):
    """Cones of r rays each.

    rays   (B, r, r), of length 1
    size   (B, r), log2 of the length of the ray that the cuts make
    error  (B, r), how far 2^size times the ray may be from that one, relatively
    """

    rays: Array
    size: Array
    error: Array

    def of(self, which: NDArray[np.bool_] | slice) -> Cones:
        return Cones(self.rays[which], self.size[which], self.error[which])


class Cuts(NamedTuple):
    """Which rays are added, for each cone; it replaces r_b in the first half and r_a in the second. `power` is s."""

    a: Indices
    b: Indices
    alpha: Indices
    beta: Indices
    power: Indices


def chosen(cones: Cones, heights: Array, up: Array, place: Array) -> tuple[Indices, Indices, Array]:
    """(a, b, share): the edges to cut, and how far from a.

    heights  (B, r, n), of the rays at the points with p_i > 0
    up       (n,), these p_i
    place    (B, r), the direction of the bound in terms of the rays
    """
    count, r = cones.size.shape
    every = np.arange(count)
    pairs = np.array(list(combinations(range(r), 2)))
    weight = np.maximum(place, 0.0) + EVEN
    best, ends, shares = np.zeros(count), np.zeros(count, dtype=int), np.full(count, 0.5)
    for edge, (a, b) in enumerate(pairs):
        first, second = np.abs(heights[:, a]), np.abs(heights[:, b])
        crossing = heights[:, a] * heights[:, b] < 0
        total = np.where(crossing, first + second, 1.0)
        excess = np.where(crossing, first * second / total, 0.0) * up
        found = excess.sum(axis=1)
        score = found * weight[:, a] * weight[:, b] / (weight[:, a] + weight[:, b])
        better = score > best
        best[better], ends[better] = score[better], edge
        middle = (excess * first / total).sum(axis=1) / np.maximum(found, 1e-300)
        shares[better] = middle[better]
    cosines = np.einsum("bek,bek->be", cones.rays[:, pairs[:, 0]], cones.rays[:, pairs[:, 1]])
    chords = np.sqrt(np.maximum(2 - 2 * cosines, 0.0))
    longest = chords.argmax(axis=1)
    bisected = (best <= 0) | (chords[every, longest] > THIN * chords[every, ends])
    ends, shares = np.where(bisected, longest, ends), np.where(bisected, 0.5, shares)
    return pairs[ends, 0], pairs[ends, 1], np.clip(shares, LEAST_SHARE, 1 - LEAST_SHARE)


def cut(cones: Cones, a: Indices, b: Indices, share: Array) -> tuple[Cones, Cuts]:
    """Both halves of each cone, those with r_a first, and the cuts in integers."""
    every = np.arange(len(share))
    # α 2^size_a : β 2^(s + size_b) is about (1 - share) : share
    ratio = np.log2((1 - share) / share) - cones.size[every, a] + cones.size[every, b]
    power = -np.round(ratio).astype(np.intp)
    left = 2.0 ** (ratio + power)  # α/β, between 2^-1/2 and 2^1/2
    alpha = np.where(left >= 1, SHARES, np.maximum(np.round(SHARES * left), 1)).astype(np.intp)
    beta = np.where(left >= 1, np.maximum(np.round(SHARES / left), 1), SHARES).astype(np.intp)
    parts = (
        np.log2(alpha) + np.maximum(-power, 0) + cones.size[every, a],
        np.log2(beta) + np.maximum(power, 0) + cones.size[every, b],
    )
    top = np.maximum(*parts)
    first, second = 2.0 ** (parts[0] - top), 2.0 ** (parts[1] - top)
    new = first[:, None] * cones.rays[every, a] + second[:, None] * cones.rays[every, b]
    length = np.linalg.norm(new, axis=1)
    error = (first * cones.error[every, a] + second * cones.error[every, b]) / length + ROUNDING * (
        1 + np.abs(top) + np.maximum(np.abs(parts[0]), np.abs(parts[1]))
    )
    halves = []
    for replaced in (b, a):
        rays, size, errors = cones.rays.copy(), cones.size.copy(), cones.error.copy()
        rays[every, replaced] = new / length[:, None]
        size[every, replaced] = top + np.log2(length)
        errors[every, replaced] = error
        halves.append((rays, size, errors))
    joined = Cones(*(np.concatenate(pair) for pair in zip(*halves, strict=True)))
    return joined, Cuts(a, b, alpha, beta, power)
