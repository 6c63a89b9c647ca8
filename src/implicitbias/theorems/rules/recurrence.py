"""Sequences that a start and a step fix: a descent, a count, what is gained from one index to the next.

Two sequences with the same start and the same step are equal, by induction. The rule shows that start and step have a
value whatever came before; a candidate is then held against both.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import ByInduction, Steps, defined
from implicitbias.theorems.setting import Setting


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
