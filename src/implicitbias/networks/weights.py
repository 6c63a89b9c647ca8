"""What the weights of a two-layer network say, whatever its inputs: sizes, balance, dead units, duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact.dyadic import product, total
from implicitbias.exact.rational import Interval
from implicitbias.networks.quantity import Quantity, Section
from implicitbias.networks.rays import Groups, same_rays
from implicitbias.training.two_layer import TwoLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

EPS = 2.0**-52


class Weights:
    """x -> Σ_j v_j [⟨w_j, x⟩ + b_j]_+ + c with w (n, d) and v (n, k): sums over its units."""

    def __init__(self, network: TwoLayer) -> None:
        self.w, self.b, self.v, self.c = network.w, network.b, network.v, network.c

    @cached_property
    def zero(self) -> NDArray[np.bool_]:
        """Units that are 0 everywhere: v = 0, or w = 0 and b <= 0."""
        return ~self.v.any(axis=1) | (~self.w.any(axis=1) & (self.b <= 0))

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Units that only shift the output: w = 0, b > 0, v != 0."""
        return ~self.zero & ~self.w.any(axis=1)

    @cached_property
    def bending(self) -> NDArray[np.int64]:
        """The other units, which have a hyperplane each."""
        return np.flatnonzero(~self.zero & ~self.constant)

    @cached_property
    def rays(self) -> Groups:
        """The bending units (by position in `bending`) grouped by hyperplane and side."""
        return same_rays(np.column_stack([self.w, self.b])[self.bending])

    @cached_property
    def w_norms(self) -> Array:
        """‖w_j‖, to a relative error of (d + 3)·2^-53."""
        return row_norms(self.w)

    @cached_property
    def lengths(self) -> Array:
        """‖(w_j, b_j)‖."""
        return row_norms(np.column_stack([self.w, self.b]))

    @cached_property
    def v_norms(self) -> Array:
        return row_norms(self.v)

    @cached_property
    def squares(self) -> Fraction:
        """½ Σ (‖w_j‖² + ‖v_j‖²), exactly."""
        return (_squares(self.w) + _squares(self.v)) / 2

    @cached_property
    def all_squares(self) -> Fraction:
        """½‖θ‖², biases included, exactly."""
        return self.squares + (_squares(self.b) + _squares(self.c)) / 2

    @cached_property
    def is_scalar(self) -> bool:
        """Whether norms are absolute values: one input, one output."""
        return (self.w.shape[1], self.v.shape[1]) == (1, 1)

    @property
    def roundings(self) -> int:
        """Roundings of 2^-52 that ‖v‖‖w‖ of one unit takes at most, with or without b."""
        return 2 * int(self.w.shape[1] + self.v.shape[1]) + 8

    @cached_property
    def path_norm(self) -> Fraction | Interval:
        """Σ ‖v_j‖‖w_j‖: exact with one input and one output, else enclosed."""
        if self.is_scalar:
            return total(product(np.abs(self.v[:, 0]), np.abs(self.w[:, 0])))
        return around(self.v_norms * self.w_norms, self.roundings)

    @cached_property
    def merged_path_norm(self) -> Fraction | Interval:
        """Σ over hyperplanes and sides of ‖Σ_j ‖w_j‖ v_j‖, j the units there: what they cost as one unit."""
        at, groups = self.bending, self.rays
        if self.is_scalar:
            v, w = self.v[at, 0], np.abs(self.w[at, 0])
            return total(product(v * signs_of_sums(v, w, groups)[group_of(groups)], w))
        return _merged(self.v[at], self.w_norms[at], groups, self.roundings)

    def variation(self, output: int) -> Interval:
        """Σ |v|‖(w, b)‖ of one output, biases counted: units of one ray are one, and so is all that is constant."""
        at = self.bending
        flat = np.flatnonzero(~self.w.any(axis=1))
        shift = total(product(self.v[flat, output], np.maximum(self.b[flat], 0.0)))
        constant = abs(Fraction(float(self.c[output])) + shift)
        bends = _merged(self.v[at, output : output + 1], self.lengths[at], self.rays, self.roundings)
        return Interval(bends.lower + constant, bends.upper + constant)

    def imbalance(self, biases: bool) -> float:
        """max_j |‖w_j‖ - ‖v_j‖|, with ‖(w_j, b_j)‖ in place of ‖w_j‖ if biases count."""
        inner = self.lengths if biases else self.w_norms
        return float(np.abs(inner - self.v_norms).max())


def _merged(v: Array, sizes: Array, groups: Groups, roundings: int) -> Interval:
    """Σ over groups of ‖Σ_j sizes_j v_j‖, rounding included."""
    if not len(groups):
        return Interval(Fraction(0), Fraction(0))
    carried = (v * sizes[:, None])[groups.order]
    together = around(row_norms(np.add.reduceat(carried, groups.starts, axis=0)), roundings)
    if len(groups) == len(v):
        return together
    # what rounding within a group can do is relative to what its units carry one by one
    apart = around(row_norms(carried), roundings)
    slack = Fraction(EPS) * (int(groups.sizes.max()) + roundings) * apart.upper
    return Interval(max(together.lower - slack, Fraction(0)), together.upper + slack)


def group_of(groups: Groups) -> NDArray[np.int64]:
    """The group of each position."""
    found = np.empty(len(groups.order), np.int64)
    found[groups.order] = np.repeat(np.arange(len(groups)), groups.sizes)
    return found


def signs_of_sums(v: Array, w: Array, groups: Groups) -> Array:
    """The sign of Σ v_j|w_j| over each group, exactly: in doubles where they decide, else in integers."""
    if not len(groups):
        return np.zeros(0)
    terms = (v * np.abs(w))[groups.order]
    sums = np.add.reduceat(terms, groups.starts)
    sizes = groups.sizes
    bound = (sizes + 2) * EPS * np.add.reduceat(np.abs(terms), groups.starts)
    signs: Array = np.where(sizes == 1, np.sign(v[groups.first]), np.sign(sums))
    for group in np.flatnonzero((np.abs(sums) <= bound) & (sizes > 1)).tolist():
        ratios = [(v[j].item().as_integer_ratio(), abs(w[j].item()).as_integer_ratio()) for j in groups.members(group)]
        below = max(q * s for (_, q), (_, s) in ratios)  # powers of two
        exact = sum(p * r * (below // (q * s)) for (p, q), (r, s) in ratios)
        signs[group] = (exact > 0) - (exact < 0)
    return signs


def row_norms(rows: Array) -> Array:
    """Euclidean lengths of rows; scaled by powers of two, so that no square overflows or vanishes."""
    _, exponent = np.frexp(np.abs(rows).max(axis=1, initial=0.0))
    scaled = np.ldexp(rows, -exponent[:, None])
    found: Array = np.ldexp(np.sqrt((scaled**2).sum(axis=1)), exponent)
    return found


def around(terms: Array, roundings: int) -> Interval:
    """The sum of nonnegative terms, each within this many relative roundings of 2^-52 of what it stands for."""
    middle = total(terms)
    return Interval.around(middle, middle * roundings * Fraction(EPS))


def _squares(numbers: Array) -> Fraction:
    flat = numbers.reshape(-1)
    return total(product(flat, flat))


def section(weights: Weights, has_biases: bool) -> Section:
    """All of it."""
    return Section("Weights", tuple(_quantities(weights, has_biases)))


def _quantities(found: Weights, has_biases: bool) -> Iterator[Quantity]:
    exact = "exact" if found.is_scalar else "enclosed, rounding included"
    yield Quantity("squares", "sum of squares", found.squares, "½ Σ (‖w‖² + ‖v‖²), biases free", "exact")
    if has_biases:
        yield Quantity(
            "all_squares",
            "with biases",
            found.all_squares,
            "½‖θ‖², the penalty of weight decay on all parameters",
            "exact",
        )
    yield Quantity("path_norm", "path norm", found.path_norm, "Σ ‖v‖‖w‖, the least ½ Σ of rescaled units", exact)
    yield Quantity(
        "merged_path_norm", "merged", found.merged_path_norm, "Σ ‖v‖‖w‖, units of one ray (w, b) taken as one", exact
    )
    formula = "max |‖w‖ - ‖v‖|, 0 if balanced"
    yield Quantity("imbalance", "imbalance", found.imbalance(False), formula, "then ½ Σ of squares is the path norm")
    if has_biases:
        note = "gradient flow conserves ‖(w, b)‖² - ‖v‖² of each unit"
        yield Quantity("imbalance_with_biases", "with biases", found.imbalance(True), "max |‖(w, b)‖ - ‖v‖|", note)
    yield Quantity("zero_units", "zero units", int(found.zero.sum()), "v = 0, or w = 0 and b ≤ 0", "0 at every input")
    if found.constant.any():
        yield Quantity(
            "constant_units", "constant units", int(found.constant.sum()), "w = 0, b > 0", "they shift the output"
        )
    doubled = len(found.bending) - len(found.rays)
    yield Quantity(
        "duplicate_units", "duplicate units", doubled, "(w, b) a positive multiple of an earlier unit's", "exact"
    )
