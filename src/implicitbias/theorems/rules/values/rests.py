"""What another claim is about, for some values of its symbols: the value is that claim's formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Operation, parse
from implicitbias.theorems.established import Conclusion
from implicitbias.theorems.quantity import Quantity, Steps, defined, option
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    negated,
    put,
    shown_in_domain,
)
from implicitbias.theorems.sign import Hypothesis
from implicitbias.theorems.theorem import Theorem, assumed, establish


@dataclass(frozen=True)
class Rests(Quantity):
    """The quantity of another claim's theorems at these values of its symbols; made by `implicitbias.claims.rests`.

    claim     its id
    formula   its formula
    theorems  the theorems that prove it, whole: they are shown again here, so that nothing can rest on itself
    at        each of its symbols, in the variables of this theorem

    In every case one of the theorems must speak of the point: its variables are read off from the symbols that they
    stand for, and lie in their domains; its hypotheses hold. A claim without theorems is taken at its word, in words.
    """

    claim: str = option()
    formula: str = option()
    theorems: tuple[Theorem, ...] = option()
    at: Mapping[str, str] = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        at = {symbol: setting.read(text) for symbol, text in self.at.items()}
        for symbol, tree in at.items():
            setting.defined(tree, f"{symbol} of {self.claim}")
        formula = parse(self.formula, at).tree
        for theorem in self.theorems:
            for conclusion in establish(theorem, setting.vocabulary).conclusions:
                _agrees(conclusion, self.formula, setting)
        if self.theorems:
            steps.add(f"{self.claim} holds here", self._reads_at, self._spoken_of(setting, at))
        value = put(formula, at)
        setting.defined(value, f"the formula of {self.claim}")
        return value

    def _spoken_of(self, setting: Setting, at: Mapping[str, Operation]) -> str:
        """Which theorem speaks of the point. Raises NotShownError if none is shown to."""
        reasons = []
        for theorem in self.theorems:
            try:
                _applies(theorem, setting, at)
            except (NotShownError, RefusedError) as error:
                reasons.append(f"{theorem.label}: {error}" if theorem.label else str(error))
            else:
                return f"its theorem{f' ({theorem.label})' if theorem.label else ''} covers the values"
        raise NotShownError(f"no theorem of {self.claim} is shown to cover the values ({'; '.join(reasons)})")

    @property
    def bases(self) -> tuple[Theorem, ...]:
        return self.theorems

    @property
    def in_words(self) -> tuple[str, ...]:
        taken = () if self.theorems else (f"rests on {self.claim}, which no theorem proves",)
        return (*taken, *(words for theorem in self.theorems for words in theorem.in_words))

    @property
    def _reads_at(self) -> str:
        return ", ".join(f"{symbol} = {text}" for symbol, text in self.at.items())

    @property
    def reads(self) -> str:
        return f"what {self.claim} is about, at {self._reads_at}"


def _agrees(conclusion: Conclusion, formula: str, setting: Setting) -> None:
    """Show that the formula is what the theorem's rule has found. Raises RefusedError or NotShownError."""
    if conclusion.index:
        raise NotShownError("the formula rested on is shown by induction: it cannot be rested on")
    if conclusion.relation != "=":
        raise NotShownError("the formula rested on is a bound, not the value")
    names = conclusion.variables
    hypotheses = tuple(
        Hypothesis(parse(text, names).tree, strict)
        for texts, strict in ((conclusion.positive, True), (conclusion.nonnegative, False))
        for text in texts
    )
    there = Setting(names, hypotheses, setting.vocabulary)
    given = {symbol: parse(text, names).tree for symbol, text in conclusion.given.items()}
    claimed = put(parse(formula, given).tree, given)
    there.defined(claimed, "the formula rested on")
    there.zero(minus(claimed, parse(conclusion.value, names).tree), "the formula rested on")


def _applies(theorem: Theorem, setting: Setting, at: Mapping[str, Operation]) -> None:
    """Show that the theorem speaks of these values. Raises RefusedError or NotShownError."""
    if missing := theorem.given.keys() ^ at.keys():
        raise RefusedError(f"{min(missing)} is not a symbol of both")
    values = dict(_variables(theorem, at))
    if unknown := theorem.for_all.keys() - values.keys():
        raise NotShownError(f"the values do not say what {min(unknown)} is")
    there = Setting(dict(theorem.for_all), (), setting.vocabulary)
    for symbol, text in theorem.given.items():
        setting.zero(minus(put(there.read(text), values), at[symbol]), f"{symbol} in the theorem")
    for name, domain in theorem.for_all.items():
        shown_in_domain(setting, values[name], domain, f"{name} in the theorem")
    for text in theorem.assuming:
        there = assumed(there, text)
    for hypothesis in there.hypotheses:
        setting.at_least_zero(put(hypothesis.tree, values), "a hypothesis of the theorem", strict=hypothesis.strict)


def _variables(theorem: Theorem, at: Mapping[str, Operation]) -> Iterator[tuple[str, Operation]]:
    """The variables of the theorem that a symbol stands for, or the negative of one."""
    for symbol, text in theorem.given.items():
        name = text.strip()
        if name in theorem.for_all:
            yield name, at[symbol]
        elif name.startswith("-") and name[1:].strip() in theorem.for_all:
            yield name[1:].strip(), negated(at[symbol])
