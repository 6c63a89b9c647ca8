"""Integrals that depend on a whole number, such as moments: one is reduced to the one before by parts.

    I(n) = ∫ f(n, w) dw,    f(n + 1, w) − ratio(n) f(n, w) = ∂F(n, w)/∂w    ⇒    I(n + 1) = ratio(n) I(n) + [F(n, ·)]

with [F] what the ends leave, piece by piece as in `Integral`, and I(0) by antiderivatives. So I(n) converges for all n
if I(0) does, and nothing is assumed to vanish at an end.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import ByInduction, Steps, bound, defined, witness
from implicitbias.theorems.rules.calculus.integral import Span, integrated
from implicitbias.theorems.setting import Setting, minus, number, put, times


@dataclass(frozen=True)
class Moments(ByInduction):
    """The integrals of a formula in one variable from `lower` to `upper`, for every index from 0 on.

    splits     points between the ends, free of the index
    first      an antiderivative a piece of the integrand at index 0
    ratio      how much of the integral before is in the next, free of the variable
    remainder  an antiderivative a piece of integrand(n + 1) - ratio(n) integrand(n)
    """

    integrand: str = defined()
    over: str = bound()
    lower: str = defined()
    upper: str = defined()
    first: tuple[str, ...] = witness()
    ratio: str = witness()
    remainder: tuple[str, ...] = witness()
    splits: tuple[str, ...] = witness(default=())

    def start_and_step(self, setting: Setting, steps: Steps) -> tuple[Operation, Operation]:
        bare, _ = self.counted(setting)
        span = Span.read(bare, self.over, self.lower, self.splits, self.upper)
        ratio = setting.read(self.ratio)
        setting.defined(ratio, "the ratio")
        start = integrated(bare, span, lambda there: self._at(there, number(0)), self.first, steps)

        def difference(there: Setting) -> Operation:
            following = Operation("+", (Operation(self.index), number(1)))
            return minus(self._at(there, following), times(ratio, self._at(there, Operation(self.index))))

        left = integrated(setting, span, difference, self.remainder, steps)
        return start, Operation("+", (times(ratio, Operation(self.previous)), left))

    def _at(self, there: Setting, index: Operation) -> Operation:
        """The integrand at an index, in a setting with the variable, with or without the index."""
        return put(
            there.read(self.integrand, () if self.index in there.variables else (self.index,)), {self.index: index}
        )

    @property
    def reads(self) -> str:
        return (
            f"integral of {self.integrand} over {self.over} from {self.lower} to {self.upper}, {self.index} = 0, 1, ..."
        )
