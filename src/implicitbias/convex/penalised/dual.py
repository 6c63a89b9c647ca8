"""Multipliers of the penalised loss on a line, exactly feasible, and the lower bound that they prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from implicitbias.convex.penalised.programme import Approximation
from implicitbias.convex.penalised.shapes import Shape
from implicitbias.exact.enclosure import to_arb

BITS = 400
"""Of the balls in which bounds are summed up."""


@dataclass(frozen=True)
class Dual:
    """p, m and q of `fit`, those of a curved shape within p.

    bends  of the changes of the slope at the inner data: |p| <= λ - |m|, but on one side only where f is curved
    ends   m, of the sum of the end slopes: |m| <= λ/2; 0 where they cost nothing
    steps  q >= 0, of the slopes between the data; all 0 where f need not be monotone
    """

    bends: tuple[Fraction, ...] = ()
    ends: Fraction = Fraction(0)
    steps: tuple[Fraction, ...] = ()

    def terms(
        self, x: Sequence[Fraction], shares: Sequence[Fraction], means: Sequence[Fraction], shape: Shape
    ) -> list[Fraction]:
        """Terms whose sum no penalised loss of a function with the shape is below."""
        if len(x) == 1:
            return []
        # c as a sum over slopes: each slope has what the bends at its two ends, the ends and the shape ask
        weigh = [left - right for left, right in pairwise((Fraction(0), *self.bends, Fraction(0)))]
        weigh = [w - shape.rising * q for w, q in zip(weigh, self.steps, strict=True)]
        weigh[0] += self.ends
        weigh[-1] += self.ends
        per_step = [w / (b - a) for w, (a, b) in zip(weigh, pairwise(x), strict=True)]
        c = [before - after for before, after in pairwise((Fraction(0), *per_step, Fraction(0)))]
        return [v * mean - v * v / (4 * share) for v, mean, share in zip(c, means, shares, strict=True)]


def feasible(found: Approximation, units: float, by: Fraction, network: bool, shape: Shape) -> Dual:
    """The multipliers of the programme, moved into where they must lie.

    units  what they are multiplied by
    by     λ
    """
    ends = Fraction(found.ends * units) if network else Fraction(0)
    ends = max(-by / 2, min(by / 2, ends))
    room = by - abs(ends)
    bends = [max(-room, min(room, Fraction(float(p) * units))) for p in found.bends]
    shaped = [Fraction(float(q) * units) for q in found.shape]
    count = len(found.values) - 1
    rising = shaped[:count] if shape.rising else [Fraction(0)] * count
    bending = shaped[count if shape.rising else 0 :] if shape.bending else [Fraction(0)] * len(bends)
    turning = tuple(p - shape.bending * q for p, q in zip(bends, bending, strict=True))
    return Dual(turning, ends, tuple(rising))


def enclosed(terms: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Bounds of the sum of fractions, by balls."""
    import flint

    with flint.ctx.workprec(BITS):
        total = flint.arb(0)
        for term in terms:
            total += to_arb(term)
        low, high = total.lower(), total.upper()
    return _exactly(low), _exactly(high)


def _exactly(number: Any) -> Fraction:
    mantissa, exponent = number.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
