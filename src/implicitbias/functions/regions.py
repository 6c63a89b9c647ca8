"""How many linear regions a two-layer ReLU network of one input has: by units, after merging, and exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import gcd, inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.functions.exact_sum import exact_sum

Numbers = Sequence[Fraction | Decimal] | Sequence[Fraction] | NDArray[np.float64]

LONG = 4096
"""Bits of a common denominator above which bends are summed in a balanced tree."""


class Units(Protocol):
    """Anything with weights w, b and v of its units, exact numbers or arrays of doubles, such as a Network."""

    @property
    def w(self) -> Numbers: ...
    @property
    def b(self) -> Numbers: ...
    @property
    def v(self) -> Numbers: ...


@dataclass(frozen=True, eq=False)
class LinearRegions:
    """The linear regions of x -> Σ v_i [w_i x + b_i]_+ + c, in three counts that must be kept apart.

    raw     1 + units with w != 0: what each unit could add; training does not change it
    merged  1 + different places -b/w of the units with w != 0 and v != 0
    exact   1 + places where the slope changes: where the Σ v|w| of the units there is not 0. The effective regions.

    Units are named by their positions from 0:
    dead        units that are 0 everywhere: v = 0, or w = 0 and b <= 0
    constant    units with w = 0, b > 0, v != 0: they only shift the output
    cancelling  units that bend, at a place where the bends of all units there cancel (a straight line may remain)
    """

    width: int
    raw: int
    merged: int
    exact: int
    dead: tuple[int, ...]
    constant: tuple[int, ...]
    cancelling: tuple[int, ...]
    shared: int
    """Places that more than one bending unit has."""
    units_at_kinks: tuple[tuple[int, ...], ...]
    """The bending units at each kink, kinks from left to right."""
    units: Units

    @cached_property
    def kinks(self) -> tuple[Fraction, ...]:
        """The places where the slope changes, increasing."""
        w, b = self.units.w, self.units.b
        return tuple(Fraction(*_place(w, b, there[0])) for there in self.units_at_kinks)

    @cached_property
    def jumps(self) -> tuple[Fraction, ...]:
        """By how much the slope changes at each kink: Σ v|w| over the units there."""
        w, v = self.units.w, self.units.v
        return tuple(Fraction(*_bend(w, v, there)) for there in self.units_at_kinks)


def linear_regions(network: Units) -> LinearRegions:
    """The kinks and linear regions of a network, exactly: doubles are taken as dyadic numbers.

    Parameters
    ----------
    network : Network
        Or anything with w, b, v: sequences of fractions, or arrays of doubles, of one length.

    Returns
    -------
    LinearRegions
        Kinks, regions, dead and cancelling units.

    Raises
    ------
    DataError
        If lengths differ or a number is not finite.

    Examples
    --------
    >>> from implicitbias import Network
    >>> net = Network(w=[1, 2, -1, 1], b=[0, 0, 0, -1], v=[2, -1, 0, 3])
    >>> found = linear_regions(net)
    >>> found.raw, found.merged, found.exact, found.kinks, found.dead, found.cancelling
    (5, 3, 2, (Fraction(1, 1),), (2,), (0, 1))
    """
    w, b, v = network.w, network.b, network.v
    if not len(w) == len(b) == len(v):
        raise DataError(f"w, b and v need one number per unit: got {len(w)}, {len(b)} and {len(v)} numbers")
    bends, places = _places(w, b, v)
    order = np.argsort(places, kind="stable")
    units, sorted_places = bends[order].tolist(), places[order]
    new = np.flatnonzero(sorted_places[1:] != sorted_places[:-1]) + 1
    starts = [0, *new.tolist(), len(units)] if units else []
    groups: list[tuple[int, ...]] = []
    for start, end in pairwise(starts):
        # Doubles that are equal can stand for different places, never the other way round.
        groups.extend(_same_places(w, b, units[start:end]) if end - start > 1 else ((units[start],),))
    kinks = tuple(there for there in groups if len(there) == 1 or _bend(w, v, there)[0])
    cancelling = () if len(kinks) == len(groups) else set(units).difference(*kinks)
    flat = [i for i, weight in enumerate(w) if not weight]
    constant = tuple(i for i in flat if b[i] > 0 and v[i])
    dead = sorted({i for i, weight in enumerate(v) if not weight} | (set(flat) - set(constant)))
    return LinearRegions(
        width=len(w),
        raw=1 + len(w) - len(flat),
        merged=1 + len(groups),
        exact=1 + len(kinks),
        dead=tuple(dead),
        constant=constant,
        cancelling=tuple(sorted(cancelling)),
        shared=sum(len(there) > 1 for there in groups),
        units_at_kinks=kinks,
        units=network,
    )


def is_balanced_with_biases(units: Units) -> bool:
    """Whether v² = w² + b² for every unit: conserved by gradient flow, and so true of its limits if true at the start.

    Dead units with weights other than 0 count as the others do.

    >>> from implicitbias import Network
    >>> is_balanced_with_biases(Network([3, 0], [4, 0], [-5, 0])), is_balanced_with_biases(Network([1], [1], [1]))
    (True, False)
    """
    for w, b, v in zip(units.w, units.b, units.v, strict=True):
        (p, q), (r, s), (t, u) = w.as_integer_ratio(), b.as_integer_ratio(), v.as_integer_ratio()
        if (t * q * s) ** 2 != u**2 * ((p * s) ** 2 + (r * q) ** 2):
            return False
    return True


def _places(w: Numbers, b: Numbers, v: Numbers) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The bending units, and their places -b/w rounded correctly to doubles (or to ±∞): equal places, equal doubles."""
    if all(isinstance(row, np.ndarray) for row in (w, b, v)):
        rows = [np.asarray(row, dtype=np.float64) for row in (w, b, v)]
        for name, row in zip("wbv", rows, strict=True):
            if row.ndim != 1:
                raise DataError(f"{name} must be a row of numbers, one per unit: its shape is {row.shape}")
            if not np.isfinite(row).all():
                i = int(np.flatnonzero(~np.isfinite(row))[0])
                raise DataError(f"{name}[{i}] is {row[i]}: the weights of a network must be finite")
        bends = np.flatnonzero((rows[0] != 0) & (rows[2] != 0))
        with np.errstate(over="ignore", under="ignore"):
            # + 0.0 makes one zero of the two
            return bends, -rows[1][bends] / rows[0][bends] + 0.0
    bending = [i for i, (weight, out) in enumerate(zip(w, v, strict=True)) if weight and out]
    return np.array(bending, dtype=np.int64), np.array([_quotient(w, b, i) for i in bending], dtype=np.float64)


def _quotient(w: Numbers, b: Numbers, i: int) -> float:
    top, bottom = _ratio(w, b, i)
    try:
        return top / bottom  # Python rounds the quotient of integers correctly
    except OverflowError:
        return inf if top > 0 else -inf


def _ratio(w: Numbers, b: Numbers, i: int) -> tuple[int, int]:
    (p, q), (r, s) = w[i].as_integer_ratio(), b[i].as_integer_ratio()
    return (-r * q, s * p) if p > 0 else (r * q, -s * p)


def _place(w: Numbers, b: Numbers, i: int) -> tuple[int, int]:
    """-b/w in lowest terms."""
    top, bottom = _ratio(w, b, i)
    common = gcd(top, bottom)
    return top // common, bottom // common


def _same_places(w: Numbers, b: Numbers, units: Iterable[int]) -> list[tuple[int, ...]]:
    """The units grouped by their exact places, places increasing."""
    found: dict[tuple[int, int], list[int]] = {}
    for i in units:
        found.setdefault(_place(w, b, i), []).append(i)
    if len(found) == 1:
        return [tuple(there) for there in found.values()]
    return [tuple(found[place]) for place in sorted(found, key=lambda place: Fraction(*place))]


def _bend(w: Numbers, v: Numbers, units: Sequence[int]) -> tuple[int, int]:
    """Σ v|w| over the units, as a numerator and a positive denominator."""
    top, bottom = 0, 1
    for i in units:
        (p, q), (r, s) = w[i].as_integer_ratio(), v[i].as_integer_ratio()
        numerator, denominator = abs(p) * r, q * s
        if denominator == bottom:
            top += numerator
        else:
            top, bottom = top * denominator + numerator * bottom, bottom * denominator
            common = gcd(top, bottom)
            top, bottom = top // common, bottom // common
            if bottom.bit_length() > LONG:
                total = exact_sum(
                    [abs(Fraction(*w[i].as_integer_ratio())) * Fraction(*v[i].as_integer_ratio()) for i in units]
                )
                return total.numerator, total.denominator
    return top, bottom
