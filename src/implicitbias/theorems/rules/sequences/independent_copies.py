"""The mean square of the mean of n independent copies, as of n random units.

    E (1/n Σᵢ Xᵢ)² = E X²/n + (1 − 1/n)(E X)²,    X₁, …, Xₙ independent and of one law with E X² < ∞

The square is 1/n² times the sum of n terms Xᵢ², each of mean E X², and of n(n − 1) terms XᵢXⱼ, i ≠ j, each of mean
(E X)² by independence. Both means are found as `Mean` finds them (`implicitbias.theorems.rules.sequences.lists`), from
totals under any law: X and X² are combinations of what the totals are means of, at every value of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, witness
from implicitbias.theorems.rules.sequences.lists import Mean, length_of, of_an_entry
from implicitbias.theorems.rules.values.composition import Composition
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import RefusedError, Setting, minus, number, times


@dataclass(frozen=True, kw_only=True)
class IndependentCopies(Quantity):
    """
    term         X: a formula, or a quantity, in the variables of an entry
    entries      the variables of an entry with their domains
    copies       the variable of the theorem that is n, a positive integer
    totals       variables of the theorem, each with the formula of an entry whose mean it is
    by, each     X as a combination of what the totals are means of, and what remains, the same for all entries
    square_by,   the same of X²
    square_each
    split        formulas of an entry whose sign makes cases
    """

    term: str | Quantity = defined()
    entries: Mapping[str, Assumption] = bound()
    copies: str = defined()
    totals: Mapping[str, str] = defined()
    by: Mapping[str, str] = witness()
    each: str = witness(default="0")
    square_by: Mapping[str, str] = witness()
    square_each: str = witness(default="0")
    split: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        n = length_of(setting, self.copies)
        if setting.variables[self.copies] != "positive integer":
            raise RefusedError(f"the number {self.copies} of copies must be a positive integer")
        of_an_entry(self.term, setting.with_variables(self.entries), self.entries, "the term")
        term = Value(self.term) if isinstance(self.term, str) else self.term
        square = Composition("term**2", {"term": term})
        mean_square = self._mean(square, self.square_by, self.square_each).establish(setting, steps)
        mean = self._mean(self.term, self.by, self.each).establish(setting, steps)
        steps.add("of n² products n are squares, and the others are of independent copies", self.reads, "independence")
        one = number(1)
        others = times(minus(one, Operation("/", (one, n))), times(mean, mean))
        return Operation("+", (Operation("/", (mean_square, n)), others))

    def _mean(self, term: str | Quantity, by: Mapping[str, str], each: str) -> Mean:
        return Mean(term=term, entries=self.entries, totals=self.totals, by=by, each=each, split=self.split)

    @property
    def reads(self) -> str:
        totals = ", ".join(f"{name} that of {formula}" for name, formula in self.totals.items())
        domain = ", ".join(f"{name} {domain}" for name, domain in self.entries.items())
        return (
            f"mean square of the mean of {self.copies} independent copies of {reading(self.term)}, any law of "
            f"{domain}, where the mean {totals}"
        )
