"""ζ on stretches of many intervals: fewer evaluations of ζ than intervals between data, and all loops compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from implicitbias.exact import machine_code
from implicitbias.splines.curve import Curve, at_nodes, ending, through
from implicitbias.splines.hats import HatProducts, hat_products
from implicitbias.splines.panels import FEWEST_PANELS, NODES, TAIL, Panels, panels, rule, values_of
from implicitbias.splines.weight import Weight

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FEWEST_POINTS = 1000
"""Below this many points, panels alone: what compiled loops save is less than it takes to load them."""
FEWEST_INTERVALS = 4
"""A stretch with fewer intervals is not split further."""
BLOCK = 16
"""Intervals that compiled loops work on at once: of a thousand, so many are a stretch at first."""
FIRST_STRETCHES = 2 * FEWEST_PANELS
RADIUS = 3.0
"""A stretch is calm if Σ_{k>0} |c_k| RADIUS^k <= c_0, c_k the Legendre coefficients of ζ.

Then ζ varies by less than a factor of 2 on it, is positive, and loses no digits as Σ a_m u^m, since the coefficients
of P_k add up to less than (1 + √2)^k: Σ|a_m| <= 2 c_0."""
CALM: Array = np.power(RADIUS, np.arange(NODES))
ROUNDING = 2.0**-49
"""Last terms that add up to less than this fraction of ζ are dropped: the rounding of sixteen values makes as much."""
AGREES = 1e-13
"""Relative difference between ζ and its polynomial at the probes above which a stretch is refused."""
MOST_LEFT_OVER = 4
"""If more than one in so many intervals is in no stretch, panels are used for all."""
CHUNK = 1 << 14
"""Probes at a time, so that ζ works in the cache."""


@dataclass(frozen=True)
class Stretches:
    """ζ between the data x, as polynomials on stretches, and as panels where it is not smooth.

    begins, ends  (S,) a stretch is the intervals begins[s] <= j < ends[s]
    polynomials   (S, n) ζ in powers of (x - middle)/(half the width)
    table         (3, M - 1) rows of `products`
    offsets       (M,) where the coefficients of a spline begin; equal for intervals in no stretch
    rest          panels of the intervals in no stretch, None where there are none
    """

    x: Array
    begins: Integers
    ends: Integers
    polynomials: Array
    table: Array
    offsets: Integers
    rest: Panels | None

    @property
    def products(self) -> HatProducts:
        return HatProducts(*self.table)

    @cached_property
    def guides(self) -> NDArray[np.int32]:
        """Where to look for the interval of a place."""
        from implicitbias.splines import compiled

        found = np.empty(len(self.x) + 1, dtype=np.int32)
        compiled.guide(self.x, found)
        return found


@dataclass(frozen=True)
class PiecewiseCurve:
    """The function with s'' = ζ ℓ on stretches and these values and slopes at the data, affine outside."""

    zeta: Stretches
    y: Array
    ell: Array
    leaving: Array
    arriving: Array

    @cached_property
    def _coefficients(self) -> Array:
        from implicitbias.splines import compiled

        z = self.zeta
        found = np.empty(z.offsets[-1])
        compiled.coefficients(
            z.x, self.y, z.begins, z.ends, z.polynomials, self.ell, self.leaving, z.offsets, found, compiled.LANES
        )
        return found

    @cached_property
    def _elsewhere(self) -> Curve:
        """The same function on the panels of intervals in no stretch."""
        rest = self.zeta.rest
        if rest is None:
            raise AssertionError("every interval is in a stretch")
        return through(self.y, rest, rest.zeta * at_nodes(rest, self.ell))[0]

    @property
    def _ends(self) -> tuple[float, float, float, float]:
        return float(self.y[0]), float(self.leaving[0]), float(self.y[-1]), float(self.arriving[-1])

    def __call__(self, x: Array, order: int = 0) -> Array:
        """The derivative of order 0, 1 or 2 at x of any shape; at a knot the limit from the right; NaN at NaN."""
        from implicitbias.splines import compiled

        at = np.ascontiguousarray(x, dtype=np.float64)
        flat = at.reshape(-1)
        found = np.empty_like(flat)
        z = self.zeta
        if compiled.evaluate(z.x, z.guides, z.offsets, self._coefficients, self._ends, flat, order, found):
            missed = np.flatnonzero(np.isnan(found) & ~np.isnan(flat))
            found[missed] = self._elsewhere(flat[missed], order)
        return found.reshape(at.shape)

    def reached(self) -> Array:
        """s(x_2), ..., s(x_M), each from the interval before it."""
        z = self.zeta
        filled = np.flatnonzero(np.diff(z.offsets))
        found = np.empty(len(z.x) - 1)
        found[filled] = np.add.reduceat(self._coefficients, z.offsets[filled])
        if z.rest is not None:
            last = np.append(np.flatnonzero(np.diff(z.rest.interval)), len(z.rest.left) - 1)
            found[z.rest.interval[last]] = ending(self._elsewhere)[last]
        return found


def stretches(zeta: Weight, x: Array) -> Stretches | None:
    """ζ between these points on stretches, or None where it is not smooth enough for that to pay.

    Stretches are halved until ζ is a polynomial of degree 15 there to rounding, relative to its least value. Whether it
    is so between the nodes too is checked at one place in every interval: what changes and changes back between two
    neighbouring data may be missed unless `breaks` stand beside it. None also where no compiler is installed.

    Raises DataError if ζ is negative or not finite at a node or probe, or cannot be integrated.
    """
    if not machine_code.is_available():
        return None
    p = zeta.polynomial
    if p is not None and not p.breaks and p.degree == 0:
        return _constant(float(p.pieces[0][0]), x)
    if zeta.require is not None:
        zeta.require(float(x[0]), float(x[-1]))
    begins, ends = _first_split(x, zeta.breaks)
    kept: list[tuple[Integers, Integers, Array]] = []
    left_over = np.zeros(len(x) - 1, dtype=bool)
    budget = len(x) // 4
    while len(begins):
        budget -= len(begins)
        if budget < 0:
            return None
        found = _coefficients(zeta, x, begins, ends)
        fine = _is_smooth(found)
        if fine.all():
            kept.append((begins, ends, found))
            break
        kept.append((begins[fine], ends[fine], found[fine]))
        begins, ends = begins[~fine], ends[~fine]
        short = ends - begins < FEWEST_INTERVALS
        for begin, end in zip(begins[short], ends[short], strict=True):
            left_over[begin:end] = True
        begins, ends = begins[~short], ends[~short]
        middle = np.searchsorted(x, 0.5 * (x[begins] + x[ends]))
        middle = np.clip(middle, begins + 1, ends - 1)
        begins, ends = np.concatenate([begins, middle]), np.concatenate([middle, ends])
    begins = np.concatenate([part[0] for part in kept])
    ends = np.concatenate([part[1] for part in kept])
    order = np.argsort(begins)
    polynomials = _in_powers(np.concatenate([part[2] for part in kept])[order])
    return _integrated(zeta, x, begins[order], ends[order], polynomials, left_over)


def _constant(zeta: float, x: Array) -> Stretches:
    """One stretch, with nothing to check."""
    width = np.diff(x)
    whole = np.array([zeta / 3, zeta / 6, zeta / 3])[:, None] * width
    ends = np.array([0]), np.array([len(width)])
    return Stretches(x, *ends, np.array([[zeta]]), whole, np.arange(0, 4 * len(x), 4), None)


def _integrated(
    zeta: Weight, x: Array, begins: Integers, ends: Integers, polynomials: Array, left_over: NDArray[np.bool_]
) -> Stretches | None:
    from implicitbias.splines import compiled

    count = len(x) - 1
    table, offsets = np.empty((3, count)), np.zeros(count + 1, dtype=np.int64)
    probes, expected = np.empty(count), np.empty(count)
    compiled.moments(x, begins, ends, polynomials, table, offsets, probes, expected, compiled.LANES)
    wrong = _wrong(zeta, probes, expected, left_over)
    if wrong.size:
        refused = np.unique(np.searchsorted(begins, wrong, side="right") - 1)
        left_over = left_over.copy()
        for begin, end in zip(begins[refused], ends[refused], strict=True):
            left_over[begin:end] = True
        polynomials = np.delete(polynomials, refused, axis=0)
        begins, ends = np.delete(begins, refused), np.delete(ends, refused)
    if MOST_LEFT_OVER * np.count_nonzero(left_over) > count:
        return None
    if wrong.size:
        compiled.moments(x, begins, ends, polynomials, table, offsets, probes, expected, compiled.LANES)
    if not left_over.any():
        return Stretches(x, begins, ends, polynomials, table, offsets, None)
    rest = _rest(zeta, x, left_over)
    return Stretches(x, begins, ends, polynomials, table + hat_products(rest).rows, offsets, rest)


def _first_split(x: Array, breaks: tuple[float, ...]) -> tuple[Integers, Integers]:
    """Into blocks or, of more data, at those nearest to equal steps; and around every break."""
    count = len(x) - 1
    if FEWEST_PANELS * BLOCK <= count <= FIRST_STRETCHES * BLOCK:
        cuts = [np.append(np.arange(0, count, BLOCK), count)]
    else:
        cuts = [np.searchsorted(x, np.linspace(x[0], x[-1], FIRST_STRETCHES + 1))]
    if inner := [place for place in breaks if x[0] < place < x[-1]]:
        cuts += [np.searchsorted(x, inner), np.searchsorted(x, inner, side="right") - 1]
    places = np.unique(np.concatenate(cuts)).astype(np.int64, copy=False)
    return places[:-1], places[1:]


def _coefficients(zeta: Weight, x: Array, begins: Integers, ends: Integers) -> Array:
    """The Legendre coefficients of ζ on these stretches, (S, NODES)."""
    gauss = rule(NODES)
    left = x[begins][:, None]
    values, _ = values_of(zeta, left + 0.5 * (x[ends][:, None] - left) * (1 + gauss.nodes))
    found: Array = values @ gauss.to_coefficients
    return found


def _is_smooth(found: Array) -> NDArray[np.bool_]:
    size, least = np.abs(found), found[:, 0]
    smooth: NDArray[np.bool_] = (size @ CALM <= 2 * least) & (size[:, -4:].max(axis=1) <= TAIL * least)
    return smooth


def _in_powers(found: Array) -> Array:
    """These Legendre series as coefficients of powers, without the last terms as far as they are rounding."""
    from implicitbias.splines import compiled

    made = np.empty_like(found)
    compiled.in_powers(found, _to_powers(), ROUNDING, made)
    return made


@lru_cache
def _to_powers() -> Array:
    """(NODES, NODES): Legendre coefficients @ this are the coefficients of powers."""
    found = np.zeros((NODES, NODES))
    for k in range(NODES):
        found[k, : k + 1] = legendre.leg2poly(np.eye(NODES)[k, : k + 1])
    return found


def _wrong(zeta: Weight, probes: Array, expected: Array, left_over: NDArray[np.bool_]) -> Integers:
    """The intervals of stretches where ζ at the probe is not what its polynomial says."""
    asked = np.flatnonzero(~left_over) if left_over.any() else None
    places, said = (probes, expected) if asked is None else (probes[asked], expected[asked])
    wrong = []
    for start in range(0, len(places), CHUNK):
        part = slice(start, start + CHUNK)
        values, _ = values_of(zeta, places[part])
        bad = np.abs(values - said[part]) > AGREES * said[part]
        if bad.any():
            wrong.append(start + np.flatnonzero(bad))
    found = np.concatenate(wrong) if wrong else np.zeros(0, dtype=np.int64)
    return found if asked is None else asked[found]


def _rest(zeta: Weight, x: Array, left_over: NDArray[np.bool_]) -> Panels:
    """The panels of these intervals, run by run."""
    steps = np.flatnonzero(np.diff(np.concatenate([[False], left_over, [False]])))
    runs = [(begin, panels(zeta, x[begin : end + 1])) for begin, end in zip(steps[::2], steps[1::2], strict=True)]
    parts = [np.concatenate([getattr(found, name) for _, found in runs]) for name in ("left", "right", "zeta")]
    interval = np.concatenate([found.interval + begin for begin, found in runs])
    error = max(found.error for _, found in runs)
    return Panels(x, parts[0], parts[1], interval, parts[2], None, error)
