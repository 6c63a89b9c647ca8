"""A representation that always converges: beyond ±K it uses only ReLUs that are active away from the origin."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval

from ..functions.smooth_functions import enclosed

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval, Number

    from ..functions.smooth_functions import Analysis


@dataclass(frozen=True)
class OutwardMass:
    """Enclosures of the mass of the measure and its parts.

    tails   m = ∫_{|b|>K} |f''|, all on forward units for b > K and on backward units for b < -K
    shift   τ = ∫_{|b|>K} α_- , equal to ∫_{b>K} f'' - ∫_{b<-K} f''
    total   m + max(∫_{|b|<K} |f''|, |s - τ|), with the least mass inside
    """

    tails: Number
    shift: Number
    total: Interval


def outward_mass(found: Analysis, K: Fraction) -> OutwardMass:
    """The mass of this measure for a smooth function; K must lie beyond all turning points of f'.

    Outward units with |b| > |x| vanish at x, so h_{α,c}(x) is an integral over a bounded set for every x,
    whether or not ∫|b||f''| is finite; α_+ = f'' and ∫α_- = s make it equal to f up to a constant.
    """
    from implicitbias.exact.enclosure import enclose, evaluate, lower, upper

    def ball(number: Number) -> Interval:
        return Interval(lower(number), upper(number))

    names = {
        "first": ball(enclosed(found.extremes[0])),
        "last": ball(enclosed(found.extremes[-1])),
        "a": ball(enclose(found.first, x=-K)),
        "b": ball(enclose(found.first, x=K)),
        "T": ball(found.T_enclosure),
        "s": ball(found.s_enclosure),
    }
    for c in found.turning:
        if not abs(upper(enclosed(c))) < K:
            raise ArithmeticError(f"{found.function.name}: f' turns at {c}, beyond K = {K}")
    tails = evaluate(parse("Abs(last - b) + Abs(a - first)"), names)
    shift = evaluate(parse("(last - b) - (a - first)"), names)
    names |= {"m": ball(tails), "tau": ball(shift)}
    total = evaluate(parse("m + Max(T - m, Abs(s - tau))"), names)
    return OutwardMass(tails, shift, ball(total))
