"""A bound of |g| on the sphere by branch and bound over cones of directions, where cells are too many to list.

g(θ) = Σ p_i [θ·x̃_i]_+. On the cone of rays r_0, …, r_d, θ = Σ c_k r_k with c >= 0, each term has a linear bound from
above: p_i [·]_+ lies below its interpolation at the rays for p_i > 0, and below p_i λ_i (·) for p_i < 0 and any λ_i in
[0, 1]. So g(θ) <= w·θ for every w with w·r_k >= u_k, the sum of these bounds at r_k, and max g <= |w|. Sweeps over the
λ_i and over multipliers of the cone's facets make |w| small; where g touches 1 on walls the right λ make w the place
itself, and the cone need not be small. In narrow cones max u_k/min cos is a bound too, cos to the middle. Cones whose
bound is too large are cut in two (`cuts`).

The cones cover all directions exactly; their rays are known to within an error that is followed from cut to cut, and
added to the bound with that of all other rounding, a multiple of Σ|p_i||x̃_i|: the bound is rigorous for p and x̃ as
given, also if entries of x̃ are off by a rounding. The cuts with a w and the λ_i of each cone that is not cut are what
the trusted checker needs (`cone_proofs`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.variation.cuts import Cones, Cuts, chosen, cut
from implicitbias.errors import DataError, UnsolvedError

Array = NDArray[np.float64]

BATCH = 2048
"""Cones that are looked at together."""
MOST_CONES = 20_000_000
SWEEPS, DEEP = (12, 40, 300), (14, 30)
"""Sweeps for cones of few cuts, and of more than DEEP: few of these are left, and they are narrow."""
CROSSING = 2
"""So many times d + 1 walls with p_i < 0 across a cone have λ_i that are chosen together; others are 0 or 1."""
FAINT = 1e-100
"""λ_i of terms that are smaller are 0 or 1."""
EPSILON = float(np.finfo(float).eps)
GRAIN, SHARE = 1e-12, 1e-9
"""Entries of w and the λ_i are multiples of these in certificates: w is longer by that."""
CLEAR = 1e-9
"""Heights above this are positive, whatever rounding there is."""
NARROWEST = 1e-11
"""Cones of a smaller angle are refused: rounding is all that is left in them."""


@dataclass(frozen=True)
class Bounded:
    """max |g| <= largest <= goal, or a direction where it exceeds the goal; how many cones, and the deepest."""

    largest: float
    cones: int
    depth: int
    goal: float
    witness: Array | None = None


class Leaf(NamedTuple):
    """Why σg(θ) <= w·θ on a cone: interpolation where σp_i > 0, and σp_i [θ·x̃_i]_+ <= λ_i σp_i θ·x̃_i for others.

    listed  the points with σp_i < 0 and λ_i > 0 whose planes are not clearly below all rays
    lam     (len(listed),), their λ_i, multiples of SHARE; of others 1 where θ·x̃_i > 0 in the cone and 0 else
    """

    w: Array
    listed: NDArray[np.intp]
    lam: Array


class Tree:
    """The cuts and the proofs of what was not cut, for one sign σ; the first 2^(d+1) nodes are the orthants."""

    def __init__(self, roots: int) -> None:
        self.nodes: list[tuple[int, int, int, int, int, int, int] | Leaf | None] = [None] * roots

    def split(self, numbers: NDArray[np.intp], cuts: Cuts) -> NDArray[np.intp]:
        """The numbers of both halves of these nodes, all first halves first."""
        count, begin = len(numbers), len(self.nodes)
        columns = (values.tolist() for values in cuts)
        for k, (node, *how) in enumerate(zip(numbers.tolist(), *columns, strict=True)):
            self.nodes[node] = (*how, begin + k, begin + count + k)
        self.nodes += [None] * (2 * count)
        return np.arange(begin, begin + 2 * count)


def bounded_on_sphere(
    points: Array, p: Array, goal: float, most: int = MOST_CONES, trees: dict[int, Tree] | None = None
) -> Bounded:
    """A bound of max |Σ p_i [θ·x̃_i]_+| over |θ| = 1 that is at most the goal, or a direction where it is more.

    points  (n, d + 1), the x̃_i
    p       (n,), multipliers
    goal    cones whose bound is at most this are not cut; must be a little above the true maximum
    trees   takes what shows the bound, for g at 1 and for -g at -1

    Raises UnsolvedError if more than `most` cones are needed, or too narrow ones; DataError for too many inputs.

    >>> points = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> found = bounded_on_sphere(points, np.array([0.6, 0.8]), 1 + 1e-9)
    >>> 1 <= found.largest <= 1 + 1e-9
    True
    """
    r = points.shape[1]
    require_few_orthants(r, most)
    largest, cones, depth = 0.0, 0, 0
    for sign in (1, -1):
        search = _Search(points, sign * p, goal)
        orthants = np.array([np.diag(signs) for signs in product((1.0, -1.0), repeat=r)])
        tree = None if trees is None else trees.setdefault(sign, Tree(len(orthants)))
        whole = Cones(orthants, np.zeros(orthants.shape[:2]), np.zeros(orthants.shape[:2]))
        stack = [(whole, np.arange(len(orthants)), 0)]
        while stack:
            given, numbers, level = stack.pop()
            if len(numbers) > BATCH:
                stack.append((given.of(slice(BATCH, None)), numbers[BATCH:], level))
                given, numbers = given.of(slice(BATCH)), numbers[:BATCH]
            cones, depth = cones + len(numbers), max(depth, level)
            if cones > most:
                raise UnsolvedError(
                    f"{most} cones of directions are not enough for a bound of {goal:.17g}: there are too many points "
                    "or inputs, or the bound is too close to the maximum"
                )
            looked = search.look(given, SWEEPS[sum(level > deep for deep in DEEP)])
            if looked.seen > goal:
                return Bounded(np.inf, cones, depth, goal, looked.where)
            open_ = ~(looked.bounds <= goal)  # whatever is no number as well
            largest = max(largest, float(looked.bounds[~open_].max(initial=0.0)))
            if tree is not None:
                for k in np.flatnonzero(~open_):
                    tree.nodes[numbers[k]] = search.leaf(looked, k)
            if open_.any():
                kept = given.of(open_)
                halves, cuts = cut(kept, *chosen(kept, looked.heights[open_], search.up, looked.place[open_]))
                below = numbers[open_] if tree is None else tree.split(numbers[open_], cuts)
                stack.append((halves, np.tile(below, 2) if tree is None else below, level + 1))
    return Bounded(largest, cones, depth, goal)


def require_few_orthants(r: int, most: int) -> None:
    """Raises DataError unless the cones that all directions of r entries begin with are at most so many."""
    if 2**r > most:
        raise DataError(f"{r - 1} inputs are too many: directions begin with 2^{r} orthants, more than {most}")


class _Looked(NamedTuple):
    """Bounds of B cones, and what shows and cuts them.

    bounds  (B,)
    w       (B, r), and shares (B, m), the λ_i |p_i| of the m points with p_i < 0
    listed  (B, m), as `Leaf`
    heights (B, r, k), of the rays at the points with p_i > 0
    place   (B, r), the direction of w in terms of the rays
    seen    the largest g in the middle of one of them, at `where`
    """

    bounds: Array
    w: Array
    shares: Array
    listed: NDArray[np.bool_]
    heights: Array
    place: Array
    seen: float
    where: Array


class _Search:
    """g of given points and multipliers, on cones."""

    def __init__(self, points: Array, p: Array, goal: float) -> None:
        n, r = points.shape
        self._goal = goal
        self._length = float(np.abs(p) @ np.linalg.norm(points, axis=1))
        """g differs by at most so much times the distance between two places."""
        self._safe = 4 * (n + 4 * r + 20) * EPSILON * self._length
        self._below = np.flatnonzero(p < 0)
        self._above, self.up, self._down = points[p > 0], p[p > 0], -p[self._below]
        self._x = points[self._below]

    def leaf(self, looked: _Looked, cone: np.intp) -> Leaf:
        listed = np.flatnonzero(looked.listed[cone])
        lam = looked.shares[cone, listed] / self._down[listed]
        return Leaf(looked.w[cone], self._below[listed], lam)

    def look(self, cones: Cones, sweeps: int) -> _Looked:
        unit, x, down, r = cones.rays, self._x, self._down, cones.rays.shape[1]
        lifted = np.maximum(heights := unit @ self._above.T, 0.0) @ self.up
        under = unit @ x.T
        chosen = (under.sum(axis=1) > 0) * down
        values = lifted - np.einsum("bki,bi->bk", under, chosen)
        inverse = _inverse(unit)
        w = np.einsum("bik,bk->bi", inverse, values)
        normals = np.swapaxes(inverse, 1, 2)
        normals = normals / np.linalg.norm(normals, axis=2)[:, :, None]
        self._lower(w, chosen, under, normals, sweeps)
        inner = unit.sum(axis=1)
        length = np.linalg.norm(inner, axis=1)
        axis = inner / length[:, None]
        middle = np.maximum(inner @ self._above.T, 0.0) @ self.up - np.maximum(inner @ x.T, 0.0) @ down
        top = int((middle / length).argmax())
        # what is promised at the rays, computed anew: w·r_k must not be below it
        values = lifted - np.einsum("bki,bi->bk", under, chosen)
        error = 2 * cones.error.max(axis=1)
        off = self._safe + error * self._length + GRAIN * r * self._goal
        cosine = np.einsum("bki,bi->bk", unit, axis).min(axis=1) - error
        short = np.maximum(values - np.einsum("bki,bi->bk", unit, w), 0.0).max(axis=1)
        w += ((short + off + error * np.linalg.norm(w, axis=1)) / cosine)[:, None] * axis
        # narrow cones: the middle, as long as the largest value needs
        plain = (np.maximum(values.max(axis=1), 0.0) + off) / cosine
        w = np.where((plain < np.linalg.norm(w, axis=1))[:, None], plain[:, None] * axis, w)
        bound = np.where(cosine > 0, np.linalg.norm(w, axis=1) * (1 + 4 * EPSILON), np.inf)
        place = np.einsum("bi,bik->bk", w / np.maximum(np.linalg.norm(w, axis=1), 1e-300)[:, None], inverse)
        listed = (under.min(axis=1) < CLEAR) & (chosen > 0)
        return _Looked(bound, w, chosen, listed, heights, place, float(middle[top] / length[top]), inner[top])

    def _lower(self, w: Array, chosen: Array, under: Array, normals: Array, sweeps: int) -> None:
        """Shorten the w by the λ_i of walls across the cones, and by multipliers of facets: w and shares change."""
        x, down = self._x, self._down
        least, most = under.min(axis=1, initial=0.0), under.max(axis=1, initial=0.0)
        crossing = (least < 0) & (most > 0)
        count = min(CROSSING * int(w.shape[1]), len(down))
        places = np.argsort(-np.where(crossing, down * (most - least), 0.0), axis=1)[:, :count]
        shares = np.take_along_axis(np.where(crossing, down, 0.0), places, axis=1)
        at = x[places]
        squares = (at**2).sum(axis=2) * shares
        lam = np.take_along_axis(chosen > 0, places, axis=1).astype(float)
        mu = np.zeros(normals.shape[:2])
        for _ in range(sweeps):
            for j in range(count):
                # w = … - λ share x̃
                pull, size = (w * at[:, j]).sum(axis=1), squares[:, j]
                part = np.divide(pull, size, out=np.zeros_like(pull), where=size > FAINT)
                moved = np.clip(lam[:, j] + part, 0.0, 1.0)
                w -= ((moved - lam[:, j]) * shares[:, j])[:, None] * at[:, j]
                lam[:, j] = moved
            for k in range(normals.shape[1]):
                change = np.maximum(-(w * normals[:, k]).sum(axis=1), -mu[:, k])
                w += change[:, None] * normals[:, k]
                mu[:, k] += change
            if (np.linalg.norm(w, axis=1) <= self._goal - self._safe).all():
                break
        lam = np.round(lam / SHARE) * SHARE
        kept = np.where(shares > 0, lam * shares, np.take_along_axis(chosen, places, axis=1))
        np.put_along_axis(chosen, places, kept, axis=1)


def _inverse(rays: Array) -> Array:
    """Of each of the (B, r, r); rows are rays."""
    span = np.linalg.norm(rays - rays[:, :1], axis=2).max(axis=1, initial=0.0)
    if rays.shape[1] > 1 and (span < NARROWEST).any():
        raise UnsolvedError("the bound is too close to the maximum: cones became too narrow")
    try:
        return np.asarray(np.linalg.inv(rays))
    except np.linalg.LinAlgError:  # flat ones have a bound by their narrowness, or are cut
        return np.asarray(np.linalg.pinv(rays))
