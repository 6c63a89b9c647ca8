"""ζ on panels: intervals so short that a polynomial of degree 15 represents ζ to rounding, found by bisection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.splines.weight import Weight

Array = NDArray[np.float64]
Integers = NDArray[np.intp]

NODES = 16
FEWEST_PANELS = 32
"""Minimum number of panels before ζ is accepted as smooth."""
TAIL = 1e-14
"""A panel is short enough if the last four Legendre coefficients of ζ are below this fraction of its maximum there
(sixteen coefficients of doubles carry rounding of a few 1e-15), …"""
NEGLIGIBLE = 1e-16
"""… or if their contribution is below this fraction of ∫ζ over the interval between the data."""
DEPTH = 60
WORST = 1e-9
"""Largest acceptable estimated relative error of ∫ζ."""


@dataclass(frozen=True)
class Rule:
    """Gauss–Legendre on [-1, 1] with n nodes, and the maps from values there to Legendre coefficients.

    to_coefficients  (n, n)   values @ to_coefficients
    once, twice      (n, n+1), (n, n+2)   coefficients of the first and second integral from -1
    """

    nodes: Array
    weights: Array
    to_coefficients: Array
    once: Array
    twice: Array


@lru_cache
def rule(n: int) -> Rule:
    nodes, weights = legendre.leggauss(n)
    basis = legendre.legvander(nodes, n - 1)
    transform = basis * weights[:, None] * (np.arange(n) + 0.5)
    once = legendre.legint(np.eye(n), 1, lbnd=-1, axis=0).T
    twice = legendre.legint(np.eye(n), 2, lbnd=-1, axis=0).T
    return Rule(nodes, weights, transform, np.ascontiguousarray(once), np.ascontiguousarray(twice))


@dataclass(frozen=True)
class Panels:
    """ζ at the Gauss nodes of consecutive panels.

    edges     (M,)    the data, x_1 < ... < x_M; every panel lies between two neighbours
    left, right  (P,) ends of each panel
    interval  (P,)    the panel lies in [edges[interval], edges[interval + 1]]
    zeta      (P, n)  ζ at the nodes
    positive  (P, n)  ζ₊ at the nodes, None where it is ζ/2
    error     estimated relative error of ∫ζ, the worst over intervals
    """

    edges: Array
    left: Array
    right: Array
    interval: Integers
    zeta: Array
    positive: Array | None
    error: float = 0.0

    @property
    def rule(self) -> Rule:
        return rule(self.zeta.shape[1])

    @property
    def half(self) -> Array:
        """Half the width of each panel, (P, 1)."""
        return 0.5 * (self.right - self.left)[:, None]

    @property
    def nodes(self) -> Array:
        """(P, n)."""
        return self.left[:, None] + self.half * (1 + self.rule.nodes)

    @property
    def share(self) -> Array:
        """(c - x_j)/(x_{j+1} - x_j) at the nodes c, (P, n): the value of the right one of the two hats there."""
        start = self.edges[self.interval]
        width = self.edges[self.interval + 1] - start
        return ((self.left - start)[:, None] + self.half * (1 + self.rule.nodes)) / width[:, None]

    def integrals(self, values: Array) -> Array:
        """∫ over each interval between the data of the function with these values at the nodes, (M - 1,)."""
        each: Array = (self.half * values) @ self.rule.weights
        return summed(self.interval, each, len(self.edges) - 1)


def summed(interval: Integers, each: Array, count: int) -> Array:
    """The sum of `each` over the panels of every interval, (count,)."""
    return np.bincount(interval, weights=each, minlength=count).astype(np.float64, copy=False)


def panels(zeta: Weight, edges: Array) -> Panels:
    """The panels of ζ between these points, x_1 < ... < x_M.

    Cost O(M) evaluations of ζ (16 each) where ζ is smooth; a kink, jump or singularity costs about fifty more panels
    unless it is named in `breaks`.

    Raises DataError if ζ is negative or not finite, or cannot be integrated.
    """
    if zeta.polynomial is not None:
        return _polynomial_panels(zeta, edges)
    if zeta.require is not None:
        zeta.require(float(edges[0]), float(edges[-1]))
    left, right, interval = _split(edges, zeta.breaks, FEWEST_PANELS)
    budget = 20_000 + 40 * len(edges)
    done: list[tuple[Array, Array, Integers, Array, Array | None]] = []
    masses, errors, count = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1), 0
    found = rule(NODES)
    for depth in range(DEPTH + 1):
        zeta_here, positive = values_of(zeta, left[:, None] + 0.5 * (right - left)[:, None] * (1 + found.nodes))
        width = right - left
        tail = _tail(zeta_here) if positive is None else np.maximum(_tail(zeta_here), _tail(positive))
        here = np.bincount(interval, weights=0.5 * width * (zeta_here @ found.weights), minlength=len(masses))
        small = tail * width <= NEGLIGIBLE * (masses + here)[interval]
        ends = width <= 8 * np.finfo(float).eps * np.maximum(np.abs(left), np.abs(right))
        fine = (tail <= TAIL * zeta_here.max(axis=1)) | small | ends
        if depth == DEPTH or count + 2 * int((~fine).sum()) > budget:
            fine[:] = True
        kept = None if positive is None else positive[fine]
        done.append((left[fine], right[fine], interval[fine], zeta_here[fine], kept))
        masses += np.bincount(
            interval[fine], weights=0.5 * width[fine] * (zeta_here[fine] @ found.weights), minlength=len(masses)
        )
        excess = np.where(tail > 10 * TAIL * zeta_here.max(axis=1), tail * width, 0.0)
        errors += np.bincount(interval[fine], weights=excess[fine], minlength=len(masses))
        count += int(fine.sum())
        if fine.all():
            break
        left, right, interval = left[~fine], right[~fine], interval[~fine]
        middle = 0.5 * (left + right)
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        interval = np.concatenate([interval, interval])
    with np.errstate(invalid="ignore", divide="ignore"):
        error = float(np.max(np.where(errors > 0, errors / masses, 0.0), initial=0.0))
    if not error <= WORST:
        raise DataError(
            f"{zeta.says} cannot be integrated between the data: its relative error stays about {error:.1e}; is it "
            "noisy, or its integral infinite?"
        )
    return _assembled(edges, done, error)


def _assembled(edges: Array, done: list[tuple[Array, Array, Integers, Array, Array | None]], error: float) -> Panels:
    left, right, interval, values = (np.concatenate([part[k] for part in done]) for k in range(4))
    order = np.argsort(left, kind="stable")
    parts = [part[4] for part in done if part[4] is not None]
    positive = np.concatenate(parts)[order] if parts else None
    return Panels(edges, left[order], right[order], interval[order], values[order], positive, error)


def _polynomial_panels(zeta: Weight, edges: Array) -> Panels:
    """The fewest nodes that represent ζ times a linear function and integrate ζ times a quadratic one exactly."""
    if zeta.polynomial is None:
        raise AssertionError("a polynomial is needed")
    left, right, interval = _split(edges, zeta.breaks, 1)
    n = zeta.polynomial.degree + 2
    nodes = left[:, None] + 0.5 * (right - left)[:, None] * (1 + rule(n).nodes)
    values, positive = values_of(zeta, nodes)
    return Panels(edges, left, right, interval, values, positive)


def _split(edges: Array, breaks: tuple[float, ...], at_least: int) -> tuple[Array, Array, Integers]:
    inner = np.array([place for place in breaks if edges[0] < place < edges[-1]])
    places = np.union1d(edges, inner)
    if (pieces := -(-at_least // (len(places) - 1))) > 1:
        steps = np.arange(pieces) / pieces
        split = (places[:-1, None] + np.diff(places)[:, None] * steps).ravel()
        places = np.append(split, places[-1])
        places = np.unique(places)
    left, right = places[:-1], places[1:]
    interval = np.searchsorted(edges, left, side="right") - 1
    return left, right, interval


def values_of(zeta: Weight, nodes: Array) -> tuple[Array, Array | None]:
    """ζ and ζ₊ at these places, None for ζ₊ where it is ζ/2. Raises DataError unless both are finite and at least 0."""
    values = np.asarray(zeta.values(nodes), dtype=np.float64)
    _require_weights(values, nodes, zeta.says)
    if zeta.right is None:
        return values, None
    positive = np.asarray(zeta.right(nodes), dtype=np.float64)
    _require_weights(positive, nodes, f"ζ₊ of {zeta.says}")
    return values, positive


def _require_weights(values: Array, nodes: Array, says: str) -> None:
    if not (values.min() >= 0 and values.max() < np.inf):  # NaN is neither
        bad = ~np.isfinite(values) | (values < 0)
        place, value = float(nodes[bad][0]), float(values[bad][0])
        raise DataError(f"ζ must be finite and at least 0 between the data: {says} is {value:.6g} at x={place:.6g}")


def _tail(values: Array) -> Array:
    result: Array = np.abs(values @ rule(NODES).to_coefficients[:, -4:]).max(axis=1)
    return result
