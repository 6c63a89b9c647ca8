"""The optimum of a quadratic problem under any number of linear conditions: it is spanned by what they test.

    min { ∫ α(p)² dμ(p) : ∫ α(p) f(p, tⱼ) dμ(p) + Σₘ cₘ aₘ(tⱼ) = yⱼ for j = 1, …, n }

over α in L²(μ) and over the coefficients cₘ of functions that cost nothing; μ >= 0 is any measure of the prescribed
part p for which the f(·, tⱼ) are square integrable, n any number, and t, y any data for which something is feasible.

Theorem. An α with coefficients c that meets the conditions is optimal exactly if there are numbers λⱼ with

    α = Σⱼ λⱼ f(·, tⱼ)  μ-almost everywhere,    Σⱼ λⱼ aₘ(tⱼ) = 0 for all m,

and all optima have the same α. Proof. Let Fβ = (∫ β f(·, tⱼ) dμ)ⱼ in Rⁿ and A the span of the vectors (aₘ(tⱼ))ⱼ. Let
α be optimal. Wherever Fβ lies in A, α + sβ is feasible for every real s with other coefficients, so ∫ αβ = 0. This
holds where Fβ = 0, that is for all β orthogonal to the f(·, tⱼ), whose span is closed: α lies in it, and ∫ αβ = κ·Fβ
for all β with some κ in Rⁿ. The form v ↦ κ·v on the range of F vanishes where the range meets A. So it and the zero
form on A agree where both are defined, and make a form on range + A, which some λ in Rⁿ gives: λ·Fβ = ∫ αβ for all β,
so α = Σⱼ λⱼ f(·, tⱼ), and λ·v = 0 for v in A. Conversely let α be of this form and α' feasible. Then F(α' - α) lies in
A, and ∫ α'² - ∫ α² = ∫ (α' - α)² + 2 λ·F(α' - α) = ∫ (α' - α)², which is positive unless α' = α almost everywhere.

So α at an entry p is the sum of λ f(p, t) over the list of pairs (λ, t). All that is known of this list are totals,
each defined by what a pair adds to it, and that the totals of λ aₘ(t) are 0; the rule finds the sum from them as
`implicitbias.theorems.rules.sequences.lists` does, by coefficients that are the same for all pairs. (λ need not be
unique; what it makes of p is, up to a set of entries of measure 0.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.sequences.lists import of_an_entry, totals_of
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, put, shown_in_domain, times, total


@dataclass(frozen=True, kw_only=True)
class RepresentedEntry(Quantity):
    """The optimal α at an entry, in totals over the data with their multipliers.

    tests       f: what an entry contributes to the condition of a datum, in the variables of both
    given       the variables of an entry with their domains
    datum       the variables of a datum
    multiplier  what the multiplier of a datum is called; it is real
    at_no_cost  the aₘ, in the variables of a datum
    at          the entry, in the variables of the theorem
    totals      variables of the theorem, real and free of hypotheses, each with what a datum and its multiplier add
    by          the coefficient of each total
    less        the coefficient of each function at no cost, whose total is 0
    """

    tests: str = defined()
    given: Mapping[str, Assumption] = bound()
    datum: Mapping[str, Assumption] = bound()
    multiplier: str = bound()
    at_no_cost: tuple[str, ...] = defined(default=())
    at: Mapping[str, str] = defined()
    totals: Mapping[str, str] = defined()
    by: Mapping[str, str] = witness()
    less: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        for name in self.totals:
            if setting.variables.get(name) != "real" or any(name in names_in(h.tree) for h in setting.hypotheses):
                raise RefusedError(f"the total {name} must be a real variable of which no hypothesis speaks")
        if stray := self.by.keys() - self.totals.keys():
            raise RefusedError(f"{min(stray)} is no total")
        if len(self.less) != len(self.at_no_cost):
            raise RefusedError(f"each function at no cost needs a coefficient: {', '.join(self.at_no_cost)}")
        at = self._entry(setting)
        coefficients = {name: _read(setting, text, "a coefficient") for name, text in self.by.items()}
        less = [_read(setting, text, "a coefficient") for text in self.less]
        data = setting.with_variables({**self.datum, self.multiplier: "real"})
        multiplier = Operation(self.multiplier)
        term = times(multiplier, self._tested(data, at))
        data.defined(term, "what a datum tests")
        added = totals_of(setting, data, self.totals, steps)
        free = [times(multiplier, self._free(data, text)) for text in self.at_no_cost]
        combined = total(
            [*(times(c, added[name]) for name, c in coefficients.items())]
            + [times(c, part) for c, part in zip(less, free, strict=True)]
        )
        how = data.zero(minus(term, combined), "what a datum contributes, as a combination of the totals")
        formula = f"{self.multiplier}*{self.tests} = {written(combined)}"
        steps.add("each datum contributes a combination of the totals", formula, how)
        says = "the optimum is spanned by what the conditions test"
        steps.add(says, self.reads, "orthogonality, for any number of data")
        return total([times(c, setting.read(name)) for name, c in coefficients.items()])

    def _entry(self, setting: Setting) -> dict[str, Operation]:
        if self.at.keys() != self.given.keys():
            raise RefusedError(f"the entry must give {', '.join(self.given)}")
        at = {name: _read(setting, text, f"{name} of the entry") for name, text in self.at.items()}
        for name, tree in at.items():
            shown_in_domain(setting, tree, self.given[name], f"{name} of the entry")
        return at

    def _tested(self, there: Setting, at: Mapping[str, Operation]) -> Operation:
        inner = there.with_variables(self.given)
        of_an_entry(self.tests, inner, self.given, "the test")
        of_an_entry(self.tests, inner, self.datum, "the test")
        tree = inner.read(self.tests)
        if outside := names_in(tree) & (there.bound.keys() - self.datum.keys()):
            raise RefusedError(
                f"the test {self.tests} holds {min(outside)}, which belongs neither to entry nor to datum"
            )
        inner.defined(tree, "the test")
        return put(tree, at)

    def _free(self, there: Setting, text: str) -> Operation:
        tree = _read(there, text, "a function at no cost")
        if outside := names_in(tree) & (there.bound.keys() - self.datum.keys()):
            raise RefusedError(f"the function at no cost {text} holds {min(outside)}, which does not belong to a datum")
        return tree

    @property
    def reads(self) -> str:
        at = ", ".join(f"{name} = {text}" for name, text in self.at.items())
        data = ", ".join(f"{name} {domain}" for name, domain in self.datum.items())
        more = f" plus any combination of {', '.join(self.at_no_cost)}" if self.at_no_cost else ""
        totals = ", ".join(f"{name} the sum of {text}" for name, text in self.totals.items())
        return (
            f"value where {at} of the function with the least integral of its square whose products with {self.tests} "
            f"integrate{more} to given values for any number of data ({data}), under any law of "
            f"{', '.join(self.given)}; {totals}, {self.multiplier} the multiplier of a datum"
        )


def _read(setting: Setting, text: str, what: str) -> Operation:
    tree = setting.read(text)
    setting.defined(tree, what)
    return tree
