"""A bound of |g| on the sphere by branch and bound over cones of directions, where cells are too many to list.

g(θ) = Σ p_i [θ·x̃_i]_+. On the cone of rays r_0, …, r_d, θ = Σ c_k r_k with c >= 0, each term has a linear bound from
above: p_i [·]_+ lies below its interpolation at the rays for p_i > 0, and below p_i λ_i (·) for p_i < 0 and any λ_i in
[0, 1]. So g(θ) <= w·θ for every w with w·r_k >= u_k, the sum of these bounds at r_k, and max g <= |w|. Sweeps over the
λ_i and over multipliers of the cone's facets make |w| small; where g touches 1 on walls the right λ make w the place
itself, and the cone need not be small. In narrow cones max u_k/min cos is a bound too, cos to the middle. Cones whose
bound is too large are cut in two across the longest edge.

Rays are integers in doubles, and so are exact, as long as they have fewer than 53 bits: the cones cover all directions
exactly. Rounding elsewhere is bounded by a multiple of Σ|p_i||x̃_i| and added: the bound is rigorous for p and x̃ as
given, also if entries of x̃ are off by a rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError, UnsolvedError

Array = NDArray[np.float64]

BATCH = 2048
"""Cones that are looked at together."""
MOST_CONES = 20_000_000
SWEEPS, DEEP = (12, 40, 300), (14, 30)
"""Sweeps for cones of few cuts, and of more than DEEP: few of these are left, and they are narrow."""
CROSSING = 2
"""So many times d + 1 walls with p_i < 0 across a cone have λ_i that are chosen together; others are 0 or 1."""
EXACT = 2.0**50
"""Entries of rays beyond this are refused: sums of them would be rounded."""


@dataclass(frozen=True)
class Bounded:
    """max |g| <= largest, or a direction where it exceeds the goal; how many cones there were, and the deepest."""

    largest: float
    cones: int
    depth: int
    witness: Array | None = None


def bounded_on_sphere(points: Array, p: Array, goal: float, most: int = MOST_CONES) -> Bounded:
    """A bound of max |Σ p_i [θ·x̃_i]_+| over |θ| = 1 that is at most the goal, or a direction where it is more.

    points  (n, d + 1), the x̃_i
    p       (n,), multipliers
    goal    cones whose bound is at most this are not cut; must be a little above the true maximum

    Raises UnsolvedError if more than `most` cones are needed, or rays of too many bits; DataError for too many inputs.

    >>> points = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> found = bounded_on_sphere(points, np.array([0.6, 0.8]), 1 + 1e-9)
    >>> 1 <= found.largest <= 1 + 1e-9
    True
    """
    n, r = points.shape
    require_few_orthants(r, most)
    size = float(np.abs(p) @ np.linalg.norm(points, axis=1))
    safe = 4 * (n + 4 * r + 20) * float(np.finfo(float).eps) * size
    largest, cones, depth = 0.0, 0, 0
    for sign in (1.0, -1.0):
        above, below = np.maximum(sign * p, 0.0), np.maximum(-sign * p, 0.0)
        kept = (above > 0) | (below > 0)
        x, up, down = points[kept], above[kept], below[kept]
        corners = np.array([np.diag(signs) for signs in product((1.0, -1.0), repeat=r)])
        stack, levels = [corners], [0]
        while stack:
            rays, level = stack.pop(), levels.pop()
            if len(rays) > BATCH:
                stack.append(rays[BATCH:])
                levels.append(level)
                rays = rays[:BATCH]
            cones, depth = cones + len(rays), max(depth, level)
            if cones > most:
                raise UnsolvedError(
                    f"{most} cones of directions are not enough for a bound of {goal:.17g}: there are too many points "
                    "or inputs, or the bound is too close to the maximum"
                )
            bounds, seen, at = _bounds(rays, x, up, down, safe, goal, SWEEPS[sum(level > deep for deep in DEEP)])
            if seen > goal:
                return Bounded(np.inf, cones, depth, at)
            open_ = ~(bounds <= goal)  # whatever is no number as well
            largest = max(largest, float(bounds[~open_].max(initial=0.0)))
            if open_.any():
                stack.append(_halved(rays[open_]))
                levels.append(level + 1)
    return Bounded(largest, cones, depth)


def require_few_orthants(r: int, most: int) -> None:
    """Raises DataError unless the cones that all directions of r entries begin with are at most so many."""
    if 2**r > most:
        raise DataError(f"{r - 1} inputs are too many: directions begin with 2^{r} orthants, more than {most}")


def _bounds(
    rays: Array, x: Array, up: Array, down: Array, safe: float, goal: float, sweeps: int
) -> tuple[Array, float, Array]:
    """(B,) bounds of g on cones (B, r, r), and the largest g in the middle of one of them, with that direction."""
    lengths = np.linalg.norm(rays, axis=2)
    unit = rays / lengths[:, :, None]
    heights = unit @ x.T
    crossing = (heights.min(axis=1) < 0) & (heights.max(axis=1) > 0)
    middle = heights.sum(axis=1)
    # bounds at the rays: interpolation where p > 0, λ in {0, 1} where p < 0
    lifted = np.maximum(heights, 0.0) @ up
    chosen = (middle > 0) * down
    values = lifted - np.einsum("bki,bi->bk", heights, chosen)
    inverse = np.linalg.inv(unit)
    w = np.einsum("bik,bk->bi", inverse, values)
    normals = np.swapaxes(inverse, 1, 2)
    normals = normals / np.linalg.norm(normals, axis=2)[:, :, None]
    weight = np.where(crossing, down * (heights.max(axis=1) - heights.min(axis=1)), 0.0)
    count = min(CROSSING * x.shape[1], x.shape[0])
    places = np.argpartition(-weight, count - 1, axis=1)[:, :count]
    shares = np.take_along_axis(np.where(crossing, down, 0.0), places, axis=1)
    at = x[places]
    squares = (at**2).sum(axis=2) * shares
    lam = np.take_along_axis((middle > 0).astype(float), places, axis=1)
    mu = np.zeros(lengths.shape)
    bound = np.linalg.norm(w, axis=1)
    for _ in range(sweeps):
        for j in range(count):
            # w = … - λ share x̃
            part = np.where(squares[:, j] > 0, (w * at[:, j]).sum(axis=1) / np.maximum(squares[:, j], 1e-300), 0.0)
            moved = np.clip(lam[:, j] + part, 0.0, 1.0)
            w -= ((moved - lam[:, j]) * shares[:, j])[:, None] * at[:, j]
            lam[:, j] = moved
        for k in range(mu.shape[1]):
            change = np.maximum(-(w * normals[:, k]).sum(axis=1), -mu[:, k])
            w += change[:, None] * normals[:, k]
            mu[:, k] += change
        bound = np.linalg.norm(w, axis=1)
        if (bound <= goal - safe).all():
            break
    inner = unit.sum(axis=1)
    seen = np.maximum(middle, 0.0) @ (up - down) / np.linalg.norm(inner, axis=1)
    top = int(seen.argmax())
    # what is promised at the rays, computed from λ anew: w·r_k must not be below it
    np.put_along_axis(chosen, places, np.where(shares > 0, lam * shares, np.take_along_axis(chosen, places, axis=1)), 1)
    values = lifted - np.einsum("bki,bi->bk", heights, chosen)
    short = np.maximum(values - np.einsum("bki,bi->bk", unit, w), 0.0).max(axis=1)
    # Σ c_k for |Σ c_k r_k| = 1: rays of one orthant at angles of at most 90° have |Σ c_k r_k|² >= Σ c_k²
    # or, for narrow cones: θ = Σ c_k r_k has |θ| >= axis·θ >= Σ c_k min axis·r_k, and w·θ <= Σ c_k max u_k
    axis = inner / np.linalg.norm(inner, axis=1)[:, None]
    narrow = (np.maximum(values.max(axis=1), 0.0) + safe) / np.einsum("bki,bi->bk", unit, axis).min(axis=1)
    return np.minimum(bound + np.sqrt(mu.shape[1]) * (short + safe), narrow), float(seen[top]), inner[top]


def _halved(rays: Array) -> Array:
    """Each cone cut across its longest edge, at the sum of its ends, made about equally long by powers of 2."""
    count, r = len(rays), rays.shape[1]
    lengths = np.linalg.norm(rays, axis=2)
    unit = rays / lengths[:, :, None]
    pairs = np.array(list(combinations(range(r), 2)))
    cosines = np.einsum("bek,bek->be", unit[:, pairs[:, 0]], unit[:, pairs[:, 1]])
    ends = pairs[cosines.argmin(axis=1)]
    every = np.arange(count)
    first, second = rays[every, ends[:, 0]], rays[every, ends[:, 1]]
    ratio = np.round(np.log2(lengths[every, ends[:, 0]] / lengths[every, ends[:, 1]]))
    middle = first * 2.0 ** np.maximum(-ratio, 0)[:, None] + second * 2.0 ** np.maximum(ratio, 0)[:, None]
    if np.abs(middle).max() >= EXACT:
        raise UnsolvedError("the bound is too close to the maximum: cones became too narrow for exact rays")
    left, right = rays.copy(), rays.copy()
    left[every, ends[:, 1]] = middle
    right[every, ends[:, 0]] = middle
    return np.concatenate([left, right])
