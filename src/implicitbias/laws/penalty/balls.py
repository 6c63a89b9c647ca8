"""The integrals over the weight in ball arithmetic: rigorous enclosures, independent of floating point."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import Comparison, compare, to_arb
from implicitbias.exact.rational import Number
from implicitbias.laws.one.law import Acb, Arb, Law, Piece

MAX_DOUBLINGS = 4000


def kink_sides(weight: Law, bias: Law, x: Fraction, power: int, size: float, bits: int) -> tuple[Arb, Arb]:
    """Enclosures of ∫ |w|^power p_W(w) p_B(-w x) dw over w < 0 and over w > 0.

    size   an estimate of the integral: only the width of the enclosure depends on it, not its validity
    bits   approximate number of certain bits of the result
    """
    with precision(bits + 40):
        place = flint.arb(flint.fmpq(x.numerator, x.denominator))
        aim = flint.arb(2) ** (-bits) * (flint.arb(size) if size > 0 else flint.arb(2) ** -1000)
        return _side(weight, bias, place, power, -1, aim), _side(weight, bias, place, power, 1, aim)


def _side(weight: Law, bias: Law, x: Arb, power: int, sign: int, aim: Arb) -> Arb:
    """∫_0^oo r^power p_W(sign r) p_B(-sign x r) dr."""
    total, outside = flint.arb(0), None
    for piece in weight.pieces:
        for other, factor in _seen(bias, -sign * x):
            lower, upper = flint.arb(0), None
            for one, by in ((piece, flint.arb(sign)), (other, factor)):
                low, high = _interval(one, by)
                lower = lower if low is None else lower.max(low)
                upper = high if upper is None else upper if high is None else upper.min(high)
            if upper is None:
                if outside is None:
                    outside = _reach(weight, bias, x, power, lower, aim)
                upper = outside[0].max(lower)
                total += flint.arb(0).union(outside[1])
            if upper < lower or (upper - lower).is_zero():
                continue
            total += _positive(_integral(piece, other, sign, factor, power, lower, upper, aim))
    return total


def _seen(bias: Law, factor: Arb) -> Iterator[tuple[Piece, Arb]]:
    """The bias's pieces that b = factor r meets; if factor is 0, the one that contains 0."""
    for piece in bias.pieces:
        if not factor.is_zero():
            yield piece, factor
        elif not (piece.lower is not None and piece.lower > 0) and not (piece.upper is not None and piece.upper < 0):
            yield piece, factor
            return


def _interval(piece: Piece, factor: Arb) -> tuple[Arb | None, Arb | None]:
    """The interval of r on which factor r lies in the piece; None for no bound."""
    if factor.is_zero():
        return None, None
    low = None if piece.lower is None else piece.lower / factor
    high = None if piece.upper is None else piece.upper / factor
    return (low, high) if factor > 0 else (high, low)


def _integral(piece: Piece, other: Piece, sign: int, factor: Arb, power: int, lower: Arb, upper: Arb, aim: Arb) -> Arb:
    def integrand(z: Acb, analytic: bool) -> Acb:
        return z**power * piece.density(sign * z, analytic) * other.density(factor * z, analytic)

    with_limits: dict[str, Any] = {"abs_tol": aim / 16, "rel_tol": flint.arb(2) ** -flint.ctx.prec}
    value = flint.acb.integral(integrand, lower, upper, eval_limit=200_000, **with_limits)
    if not value.is_finite():
        raise DataError("the integral over the weight could not be enclosed")
    return value.real


def _reach(weight: Law, bias: Law, x: Arb, power: int, lower: Arb, aim: Arb) -> tuple[Arb, Arb]:
    """A point T, and a bound on what the integrand leaves beyond it.

    With p_W(w) <= h (T/|w|)^a and p_B(b) <= k (T|x|/|b|)^c out there, the rest is at most
    h k T^(power+1)/(a + c - power - 1).
    """
    point, best = flint.arb(1), None
    while point > flint.arb(2) ** -900 and point > lower and _left(weight, bias, x, power, point) < aim:
        point = point / 2
    for _ in range(MAX_DOUBLINGS):
        rest = _left(weight, bias, x, power, point)
        if rest < aim:
            return point, rest.abs_upper()
        if rest.is_finite() and (best is None or rest < best[1]):
            best = point, rest
        point = point * (flint.arb(5) / 4 if point < 2**20 else 2)
    if best is None:
        raise DataError(
            f"zeta({float(x.mid()):g}) is infinite, or its integral decays too slowly to be enclosed, "
            f"for {weight.text} weights and {bias.text} biases"
        )
    return best[0], best[1].abs_upper()


def _left(weight: Law, bias: Law, x: Arb, power: int, point: Arb) -> Arb:
    height, alpha = weight.tail(point)
    other, beta = bias.tail(point * abs(x))
    decay = alpha + beta - power - 1
    if height.is_zero() or other.is_zero():
        return flint.arb(0)
    if not decay > 0:
        return flint.arb("inf")
    return height * other * point ** (power + 1) / decay


def _positive(value: Arb) -> Arb:
    """The part of the ball that is not negative, which is where the integral of a density lies."""
    if value >= 0 or not value.lower() < 0:
        return value
    top = value.upper()
    return (top / 2).union(flint.arb(0)).union(top) if top > 0 else flint.arb(0)


@contextlib.contextmanager
def precision(bits: int) -> Iterator[None]:
    """Ball arithmetic at this precision inside the block."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def density_at(law: Law, place: Number) -> Arb:
    """The density at a place; if that may be an end of the support, both sides of the end are covered.

    If place and ends are rational, it is decided exactly; the support includes its ends.
    """
    x = to_arb(place)
    covers: Arb | None = None
    for piece in law.pieces:
        outside = (piece.lower is not None and x < piece.lower) or (piece.upper is not None and x > piece.upper)
        if not outside:
            value = piece.density(flint.acb(x), False).real
            covers = value if covers is None else covers.union(value)
    low, high = law.ends
    below = Comparison.LESS if low is None else compare(low.value, place)
    above = Comparison.LESS if high is None else compare(place, high.value)
    if covers is None or Comparison.GREATER in (below, above):
        return flint.arb(0)
    return covers.union(flint.arb(0)) if Comparison.UNKNOWN in (below, above) else covers
