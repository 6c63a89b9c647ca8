"""Integrals that depend on a parameter: their derivative, and their expansion where the parameter tends to infinity.

The interval is cut at the knots. On each open piece the integrand is one formula; where that is not identically 0 it is
smooth on the closed piece, which is compact, so that it may be differentiated and passed to the limit under the
integral. What is left is integrated by an antiderivative.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.beside import around
from implicitbias.theorems.differentiate import derivative, smooth, tidied
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, witness
from implicitbias.theorems.rules.calculus.limit import HIGHEST_ORDER, SMALL
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    names_in,
    number,
    put,
    times,
    total,
)

Text = TypeVar("Text")


@dataclass(frozen=True)
class IntegralDerivative(Quantity):
    """d/dr ∫ `integrand` d`over` from `lower` to `upper` at r = `at`, for r the `variable`, by Leibniz's rule.

    On a piece from k(r) to l(r) where the integrand is f it is ∫ ∂f/∂r + f(l) l' − f(k) k'.

    knots            where the integrand bends, in order; they may depend on r
    antiderivatives  for each piece, of ∂f/∂r; any text where f is 0
    near             strict inequalities for r that hold at the point, hence around it
    """

    integrand: str = defined()
    over: str = bound()
    lower: str = defined()
    upper: str = defined()
    variable: str = bound()
    at: str = defined()
    knots: tuple[str, ...] = witness(default=())
    antiderivatives: tuple[str, ...] = witness(default=())
    near: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        at = setting.read(self.at)
        setting.defined(at, "the point")
        there = around(setting, self.variable, at, self.near)
        ends = [there.read(text) for text in (self.lower, *self.knots, self.upper)]
        integrand = there.read(self.integrand, (self.over,))
        terms = []
        for (low, high), text, inside, f in _pieces(there, ends, self.antiderivatives, self.over, integrand, steps):
            for end in (low, high):
                smooth(there, end, self.variable, "an end of a piece")
            smooth(inside, f, self.variable, "the integrand on a closed piece")
            smooth(inside, f, self.over, "the integrand on a closed piece")
            rate = derivative(f, self.variable)
            terms.append(_integrated(inside, text, rate, self.over, low, high, steps))
            terms += [
                times(times(number(sign), put(f, {self.over: end})), derivative(end, self.variable))
                for end, sign in ((low, -1), (high, 1))
            ]
        kept = [term for term in terms if not _vanishes(there, term)]
        value = put(total(kept), {self.variable: at})
        setting.defined(value, "the derivative of the integral")
        return tidied(value)

    @property
    def reads(self) -> str:
        inner = f"∫ {self.integrand} d{self.over} from {self.lower} to {self.upper}"
        return f"derivative of {inner} in {self.variable} at {self.variable} = {self.at}"


@dataclass(frozen=True)
class IntegralExpansion(Quantity):
    """With K(r) = factor(r) ∫ `integrand` d`over` from `lower` to `upper`: lim K(r), or lim rⁿ(K(r) − lim K), r → ∞.

    With over = scale·u and r = 1/e the integral is that of extension(u, e) over u for small e > 0. The extension is
    smooth where e = 0 and u lies in the closed piece, so K is smooth in e; its derivatives are those of the extension.

    order            n; the extension's derivatives in e before the n-th, but the 0th, are 0 at e = 0
    scale            positive, in r
    knots            in u: where the integrand bends, in order
    extensions       for each piece factor·scale·integrand as a formula in u and e; any text where it is 0
    antiderivatives  for each piece, in u, of the extension's n-th derivative in e at 0, divided by n!
    within           the extension holds for 0 < e < within; none: for all e > 0
    """

    integrand: str = defined()
    over: str = bound()
    lower: str = defined()
    upper: str = defined()
    variable: str = bound()
    factor: str = defined(default="1")
    order: int = option(default=0)
    scale: str = witness(default="1")
    knots: tuple[str, ...] = witness(default=())
    extensions: tuple[str, ...] = witness(default=())
    antiderivatives: tuple[str, ...] = witness(default=())
    within: str | None = witness(default=None)

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if not 0 <= self.order <= HIGHEST_ORDER:
            raise RefusedError(f"the order of an expansion is 0 to {HIGHEST_ORDER}; got {self.order}")
        small = setting.with_variables({SMALL: "positive"})
        if self.within is not None:
            within = setting.read(self.within)
            setting.at_least_zero(within, "within", strict=True)
            small = small.assuming(minus(within, Operation(SMALL)))
        far = {self.variable: Operation("/", (number(1), Operation(SMALL)))}
        lower, upper, factor, scale = (
            put(small.read(text, (self.variable,)), far) for text in (self.lower, self.upper, self.factor, self.scale)
        )
        small.at_least_zero(scale, "the scale", strict=True)
        small.defined(factor, "the factor")
        ends = [Operation("/", (lower, scale)), *map(small.read, self.knots), Operation("/", (upper, scale))]
        u = Operation(self.over)
        integrand = put(small.read(self.integrand, (self.variable, self.over)), {**far, self.over: times(scale, u)})
        integrand = times(times(factor, scale), integrand)
        texts = list(zip(self.extensions, self.antiderivatives, strict=False))
        terms = [number(0)]
        for (low, high), (extension, text), inside, f in _pieces(small, ends, texts, self.over, integrand, steps):
            term = self._coefficient(inside, extension, f, steps)
            closed = self._at_the_end(setting, term, extension, low, high, steps)
            terms.append(_integrated(closed, text, put(term, {SMALL: number(0)}), self.over, low, high, steps))
        value = total(terms)
        setting.defined(value, "the limit")
        return tidied(value)

    def _coefficient(self, inside: Setting, extension: str, f: Operation, steps: Steps) -> Operation:
        """The n-th derivative of the extension in e, divided by n!."""
        tree = inside.read(extension)
        how = inside.zero(minus(f, tree), "the extension")
        steps.add("far out the integrand, scaled, is", extension, how)
        for _ in range(self.order):
            tree = derivative(tree, SMALL)
        return times(number(1), tree) if not self.order else Operation("/", (tree, number(math.factorial(self.order))))

    def _at_the_end(
        self, setting: Setting, term: Operation, extension: str, low: Operation, high: Operation, steps: Steps
    ) -> Setting:
        """The setting of the closed piece, where the extension is shown to be smooth at e = 0."""
        if SMALL in names_in(low) | names_in(high):
            raise NotShownError(
                f"the piece from {written(low)} to {written(high)} moves with {SMALL}: choose the scale"
            )
        closed = _closed(setting.with_variables({self.over: "real"}), self.over, low, high)
        zero = number(0)
        tree = closed.read(extension, (SMALL,))
        smooth(closed, tree, SMALL, "the extension at the limit", zero)
        smooth(closed, put(tree, {SMALL: zero}), self.over, "the extension at the limit")
        rate = tree
        for k in range(1, self.order):
            rate = derivative(rate, SMALL)
            how = closed.zero(put(rate, {SMALL: zero}), f"derivative {k} of the extension at the limit")
            steps.add(f"derivative {k} of the extension is 0 at the limit", written(rate), how)
        return closed

    @property
    def reads(self) -> str:
        inner = f"∫ {self.integrand} d{self.over} from {self.lower} to {self.upper}"
        whole = inner if self.factor == "1" else f"({self.factor}) {inner}"
        power = "" if self.order == 1 else f"^{self.order}"
        limit = f"limit of {whole}" if not self.order else f"limit of {self.variable}{power} (K - lim K), K = {whole},"
        return f"{limit} as {self.variable} → oo"


def _closed(setting: Setting, over: str, low: Operation, high: Operation) -> Setting:
    t = Operation(over)
    return setting.assuming(minus(t, low), minus(high, t), strict=False)


def _pieces(
    setting: Setting, ends: Sequence[Operation], texts: Sequence[Text], over: str, integrand: Operation, steps: Steps
) -> Iterator[tuple[tuple[Operation, Operation], Text, Setting, Operation]]:
    """Each piece on which the integrand is not 0: its ends, its texts, the setting of the closed piece, the formula.

    The pieces are made from the ends, shown to be in order, so that they cover the interval.
    """
    if len(texts) != len(ends) - 1:
        raise RefusedError(f"{len(ends) - 1} pieces need as many antiderivatives; got {len(texts)}")
    for end in ends:
        setting.defined(end, "an end of a piece")
    for low, high in pairwise(ends):
        setting.at_least_zero(minus(high, low), f"{written(low)} < {written(high)}", strict=True)
    t, free = Operation(over), setting.with_variables({over: "real"})
    for i, ((low, high), text) in enumerate(zip(pairwise(ends), texts, strict=True)):
        # with the ends in order, t lies strictly beyond those that are not the piece's own
        beyond = [minus(t, end) for end in ends[:i]] + [minus(end, t) for end in ends[i + 2 :]]
        between = free.assuming(*beyond)
        inside = between.assuming(minus(t, low), minus(high, t))
        inside.defined(integrand, "the integrand")
        found = [plain for _, plain in inside.cells(integrand)]
        if len(found) != 1:
            raise NotShownError(f"the integrand may bend between {written(low)} and {written(high)}: add a knot")
        where = f"from {written(low)} to {written(high)}"
        if _vanishes(inside, found[0]):
            steps.add(f"the integrand is 0 {where}", written(found[0]), "python-flint and sympy")
            continue
        steps.add(f"the integrand {where}", written(found[0]), "signs by certificate")
        yield (low, high), text, _closed(between, over, low, high), found[0]


def _vanishes(setting: Setting, tree: Operation) -> bool:
    try:
        setting.zero(tree, "the integrand")
    except (RefusedError, NotShownError):
        return False
    return True


def _integrated(
    closed: Setting, text: str, rate: Operation, over: str, low: Operation, high: Operation, steps: Steps
) -> Operation:
    """∫ rate over the piece by an antiderivative that is smooth on the closed piece."""
    antiderivative = closed.read(text)
    smooth(closed, antiderivative, over, "the antiderivative")
    how = closed.zero(minus(derivative(antiderivative, over), rate), "the antiderivative")
    steps.add("the antiderivative", f"{text} of {written(rate)}", how)
    ends: Mapping[str, Operation] = {"high": put(antiderivative, {over: high}), "low": put(antiderivative, {over: low})}
    return minus(ends["high"], ends["low"])
