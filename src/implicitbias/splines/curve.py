"""Functions with a given second derivative on panels and given values at the data: C¹ if the data allow it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.panels import Panels, rule

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """s on panels, affine outside them.

    left, right  (P,) ends of the panels, consecutive
    value, slope (P,) s and s' at the left end of each
    bend         (P, n) Legendre coefficients of s'' on each
    end_value, end_slope  s and s' at the right end of the last panel
    """

    left: Array
    right: Array
    value: Array
    slope: Array
    bend: Array
    end_value: float
    end_slope: float

    def __call__(self, x: Array, order: int = 0) -> Array:
        """The derivative of order 0, 1 or 2 at x of any shape; at a knot the limit from the right; NaN at NaN."""
        x = np.asarray(x, dtype=np.float64)
        where = np.clip(np.searchsorted(self.left, x, side="right") - 1, 0, len(self.left) - 1)
        half = 0.5 * (self.right - self.left)[where]
        step = x - self.left[where]
        inside = (x >= self.left[0]) & (x <= self.right[-1])
        t = np.where(inside, step / half - 1, -1.0)
        maps = rule(self.bend.shape[1])
        transform = (maps.twice, maps.once, None)[order]
        bend = self.bend[where]
        series = _clenshaw(bend if transform is None else bend @ transform, t)
        if order == 2:
            result = np.where(inside, series, 0.0)
        elif order == 1:
            result = np.where(inside, self.slope[where] + half * series, self.slope[0])
        else:
            result = np.where(inside, self.value[where] + self.slope[where] * step + half**2 * series, 0.0)
            result = np.where(x < self.left[0], self.value[0] + self.slope[0] * step, result)
        after = x > self.right[-1]
        if order == 1:
            result = np.where(after, self.end_slope, result)
        elif order == 0:
            result = np.where(after, self.end_value + self.end_slope * (x - self.right[-1]), result)
        return np.where(np.isnan(x), np.nan, result)


def _clenshaw(coefficients: Array, t: Array) -> Array:
    """Σ_k coefficients[..., k] P_k(t)."""
    n = coefficients.shape[-1]
    if n == 1:
        return coefficients[..., 0] + 0 * t
    older, newer = coefficients[..., n - 2], coefficients[..., n - 1]
    for k in range(n - 1, 1, -1):
        older, newer = coefficients[..., k - 2] - newer * ((k - 1) / k), older + newer * t * ((2 * k - 1) / k)
    result: Array = older + newer * t
    return result


def at_nodes(found: Panels, values: Array) -> Array:
    """The piecewise-linear function with these values at the data, at the nodes of the panels."""
    share = found.share
    result: Array = values[found.interval][:, None] * (1 - share) + values[found.interval + 1][:, None] * share
    return result


def ending(s: Curve) -> Array:
    """s at the right end of each panel, as integrated over that panel, (P,)."""
    half = 0.5 * (s.right - s.left)
    series = (s.bend @ rule(s.bend.shape[1]).twice).sum(axis=1)
    result: Array = s.value + s.slope * 2 * half + half**2 * series
    return result


def through(y: Array, panels: Panels, bend: Array) -> tuple[Curve, Array, Array]:
    """The function with s'' = `bend` at the nodes of the panels and s(x_j) = y_j, integrated from each x_j separately.

    bend  (P, n) s'' at the Gauss nodes

    Returns the function and its slopes at both ends of every interval between data, right of x_1, ..., x_{M-1} and left
    of x_2, ..., x_M: where they agree at x_2, ..., x_{M-1}, s is C¹.
    """
    maps = panels.rule
    half = panels.half[:, 0]
    turn = half * (bend @ maps.weights)
    moment = half**2 * (bend @ (maps.weights * (1 - maps.nodes)))
    x, interval = panels.edges, panels.interval
    width = np.diff(x)
    ahead = moment + (x[interval + 1] - panels.right) * turn
    intervals = len(width)
    leaving = np.diff(y) / width - np.bincount(interval, weights=ahead, minlength=intervals) / width
    arriving = leaving + np.bincount(interval, weights=turn, minlength=intervals)
    value, slope = _along(y, leaving, panels, turn, moment)
    curve = Curve(
        panels.left, panels.right, value, slope, bend @ maps.to_coefficients, float(y[-1]), float(arriving[-1])
    )
    return curve, leaving, arriving


def _along(y: Array, leaving: Array, panels: Panels, turn: Array, moment: Array) -> tuple[Array, Array]:
    """s and s' at the left ends: from panel to panel of an interval, all intervals at once."""
    first = np.searchsorted(panels.interval, np.arange(len(leaving)))
    rank = np.arange(len(panels.left)) - first[panels.interval]
    value, slope = y[panels.interval], leaving[panels.interval]
    if rank.max(initial=0) == 0:
        return value, slope
    order = np.argsort(rank, kind="stable")
    starts = np.searchsorted(rank[order], np.arange(1, rank.max() + 2))
    width = panels.right - panels.left
    for start, end in pairwise(starts):
        here = order[start:end]
        before = here - 1
        value[here] = value[before] + slope[before] * width[before] + moment[before]
        slope[here] = slope[before] + turn[before]
    return value, slope


def from_one_end(anchor: float, value: float, slope: float, panels: Panels, bend: Array) -> Curve:
    """The function with s'' = `bend` that has this value and slope at the anchor, the first or the last end."""
    maps = panels.rule
    half = panels.half[:, 0]
    turn = half * (bend @ maps.weights)
    moment = half**2 * (bend @ (maps.weights * (1 - maps.nodes)))
    back = half**2 * (bend @ (maps.weights * (1 + maps.nodes)))
    width = panels.right - panels.left
    count = len(width)
    values, slopes = np.empty(count + 1), np.empty(count + 1)
    if anchor <= panels.left[0]:
        values[0], slopes[0] = value, slope
        for p in range(count):
            values[p + 1] = values[p] + slopes[p] * width[p] + moment[p]
            slopes[p + 1] = slopes[p] + turn[p]
    else:
        values[-1], slopes[-1] = value, slope
        for p in range(count - 1, -1, -1):
            values[p] = values[p + 1] - slopes[p + 1] * width[p] + back[p]
            slopes[p] = slopes[p + 1] - turn[p]
    coefficients = bend @ maps.to_coefficients
    return Curve(
        panels.left, panels.right, values[:-1], slopes[:-1], coefficients, float(values[-1]), float(slopes[-1])
    )
