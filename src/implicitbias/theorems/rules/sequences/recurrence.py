"""Sequences that a start and a step fix: a descent, a count, what is gained from one index to the next.

Two sequences with the same start and the same step are equal, by induction. The rule shows that start and step have a
value whatever came before; a candidate is then held against both.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.quantity import ByInduction, Steps, bound, defined
from implicitbias.theorems.setting import Setting, minus, put, times


@dataclass(frozen=True)
class Recurrence(ByInduction):
    """The sequence that begins with `start` and goes on with `step`.

    start  the value at index 0, free of the index
    step   the next value, in the index and in `previous`

    >>> powers = Recurrence("n", start="1", step="q*previous")
    >>> [str(part.head) for part in powers.start_and_step(Setting({"n": "nonnegative integer", "q": "real"}), Steps())]
    ['number', '*']
    """

    start: str = defined()
    step: str = defined()

    def start_and_step(self, setting: Setting, steps: Steps) -> tuple[Operation, Operation]:
        bare, stepping = self.counted(setting)
        start, step = bare.read(self.start), stepping.read(self.step)
        bare.defined(start, "the start")
        stepping.defined(step, "the step")
        steps.add("the start and every step have a value", self.reads, "no denominator is 0, no radicand negative")
        return start, step

    @property
    def reads(self) -> str:
        return f"the sequence from {self.start} on with the next value {self.step}, {self.index} = 0, 1, 2, ..."


@dataclass(frozen=True)
class Descent(ByInduction):
    """Gradient descent on a loss in one variable: the next value is previous - rate * loss'(previous).

    loss   a formula that is differentiable for all values of the variable
    start  the value at index 0, free of the index and of the variable
    """

    loss: str = defined()
    over: str = bound()
    rate: str = defined()
    start: str = defined()

    def start_and_step(self, setting: Setting, steps: Steps) -> tuple[Operation, Operation]:
        bare, stepping = self.counted(setting)
        there = stepping.with_variables({self.over: "real"})
        loss, rate, start = there.read(self.loss), setting.read(self.rate), bare.read(self.start)
        slope = derivative(loss, self.over)
        there.defined(loss, "the loss")
        there.defined(slope, "the loss's derivative")
        setting.defined(rate, "the rate")
        bare.defined(start, "the start")
        steps.add("the loss has a derivative everywhere", f"d/d{self.over} {self.loss}", "the rules of calculus")
        previous = Operation(self.previous)
        return start, minus(previous, times(rate, put(slope, {self.over: previous})))

    @property
    def reads(self) -> str:
        return f"gradient descent on {self.loss} in {self.over} at the rate {self.rate} from {self.start}"
