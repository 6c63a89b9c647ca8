"""Definite integrals, also improper ones: antiderivatives on the pieces between split points.

    ∫ f over (a, b)  =  Σ F(end of the piece) − F(start of the piece)

On each open piece F′ = f, so f is continuous there; on the closed piece F is continuous, its limit taken at an infinite
end. Hence every piece converges by itself (no principal values), and the fundamental theorem gives its part. The pieces
are made here from the split points, so nothing between the ends can be left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.at_infinity import limit_at_infinity
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
from implicitbias.theorems.setting import INFINITY, RefusedError, Setting, minus, negated, number, put, total

End = Operation | None
"""An end of a piece; None for the infinite one on its side."""


@dataclass(frozen=True)
class Integral(Quantity):
    """The integral of a formula, or of a quantity, in one variable from `lower` to `upper`.

    lower, upper     formulas in the variables of the theorem; `-oo` and `oo` for an improper integral
    splits           points between the ends, in order
    antiderivatives  one for each piece that the split points make, as a formula in the variable

    >>> half = Integral("relu(t)", over="t", lower="-1", upper="1", splits=("0",), antiderivatives=("0", "t**2/2"))
    >>> written(half.establish(Setting({}), Steps()))
    '1**2/2 - 0**2/2'
    """

    integrand: str | Quantity = defined()
    over: str = bound()
    lower: str = defined()
    upper: str = defined()
    antiderivatives: tuple[str, ...] = witness()
    splits: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        span = Span.read(setting, self.over, self.lower, self.splits, self.upper)
        return integrated(
            setting, span, lambda there: value_of(self.integrand, there, steps), self.antiderivatives, steps
        )

    @property
    def reads(self) -> str:
        return f"integral of {reading(self.integrand)} over {self.over} from {self.lower} to {self.upper}"


@dataclass(frozen=True)
class Span:
    """The range of an integral: a variable, and the ends with the split points between them."""

    over: str
    ends: tuple[End, ...]

    @classmethod
    def read(cls, setting: Setting, over: str, lower: str, splits: Sequence[str], upper: str) -> Span:
        """Raises RefusedError or NotShownError unless the range is not empty and the split points are in order."""
        below = None if lower.strip() == f"-{INFINITY}" else setting.read(lower)
        above = None if upper.strip() == INFINITY else setting.read(upper)
        ends = (below, *(setting.read(text) for text in splits), above)
        for text, end in zip((lower, *splits, upper), ends, strict=True):
            if end is not None:
                setting.defined(end, f"the end {text}")
        ends = tuple(setting.tidy(end) if end is not None else None for end in ends)
        if below is not None and above is not None:
            setting.at_least_zero(minus(above, below), f"{lower} lies below {upper}", strict=True)
        for a, b in itertools.pairwise(ends):
            if a is not None and b is not None:
                setting.at_least_zero(minus(b, a), f"{written(a)} lies below {written(b)}")
        return cls(over, ends)

    @property
    def pieces(self) -> list[tuple[End, End]]:
        return list(itertools.pairwise(self.ends))

    def within(self, setting: Setting, a: End, b: End, *, closed: bool) -> Setting:
        """The setting in which the variable lies between two ends."""
        domain: Assumption = "real"
        if a is not None and (sign := setting.sign(a)) is not None and sign.at_least_zero:
            domain = "nonnegative" if closed else "positive"
        elif not closed and b is not None and (sign := setting.sign(b)) is not None and sign.mirrored.at_least_zero:
            domain = "negative"
        there = setting.with_variables({self.over: domain})
        variable = Operation(self.over)
        between = [minus(variable, a)] if a is not None else []
        between += [minus(b, variable)] if b is not None else []
        return there.assuming(*between, strict=not closed)

    def inside(self, setting: Setting, a: End, b: End) -> Iterator[Setting]:
        """The open piece between two ends, in the cells of its hypotheses; none where it is shown to be empty."""
        for there, _ in self.within(setting, a, b, closed=False).cells(number(0)):
            if not there.signs.contradictory:
                yield there


def integrated(
    setting: Setting,
    span: Span,
    integrand: Callable[[Setting], Operation],
    antiderivatives: Sequence[str],
    steps: Steps,
) -> Operation:
    """The integral, from an antiderivative a piece. Raises RefusedError or NotShownError."""
    if len(antiderivatives) != len(span.pieces):
        raise RefusedError(f"{len(span.pieces)} pieces, but {len(antiderivatives)} antiderivatives")
    parts: list[Operation] = []
    for (a, b), text in zip(span.pieces, antiderivatives, strict=True):
        primitive = span.within(setting, a, b, closed=True).read(text)
        what = f"on the piece from {_written(a, '-')} to {_written(b, '')}"
        how = [_shown(there, integrand(there), primitive, span.over, what) for there in span.inside(setting, a, b)]
        if not how:  # the ends coincide: nothing lies between them
            continue
        steps.add(f"an antiderivative {what}", text, how[0])
        span.within(setting, a, b, closed=True).defined(primitive, f"the antiderivative at the ends {what}")
        if primitive != number(0):
            parts.append(minus(_at(setting, primitive, span.over, b, 1), _at(setting, primitive, span.over, a, -1)))
    return total(parts)


def _shown(there: Setting, formula: Operation, primitive: Operation, over: str, what: str) -> str:
    """How it is shown that the antiderivative has the integrand as its derivative, and that all have values."""
    slope = derivative(primitive, over)
    there.defined(formula, f"the integrand {what}")
    there.defined(primitive, f"the antiderivative {what}")
    there.defined(slope, f"the derivative of the antiderivative {what}")
    return there.zero(minus(slope, formula), f"derivative - integrand {what}")


def _at(setting: Setting, primitive: Operation, over: str, end: End, side: int) -> Operation:
    """The value at an end, or the limit at an infinite one."""
    variable = Operation(over)
    if end is not None:
        return put(primitive, {over: end})
    return limit_at_infinity(setting, put(primitive, {over: variable if side > 0 else negated(variable)}), over)


def _written(end: End, sign: str) -> str:
    return sign + INFINITY if end is None else written(end)
