"""Sums over lists of any length, means over any law, integrals over any measure: linear in what an entry contributes.

    Σᵢ term(eᵢ) = Σⱼ cⱼ Tⱼ + c·n    where Tⱼ = Σᵢ fⱼ(eᵢ) and term(e) = Σⱼ cⱼ fⱼ(e) + c for every entry e

The totals Tⱼ are all that is known of the list, and each is defined by its fⱼ: two totals cannot be set equal. The
coefficients are the witness; they are the same for all entries, since no entry's variable can stand in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.entry_kind import Kind
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    names_in,
    number,
    times,
    total,
)
from implicitbias.theorems.theorem import assumed, divided


@dataclass(frozen=True, kw_only=True)
class _Linear(Quantity):
    """
    term     what an entry contributes: a formula, or a quantity, in the entry's variables
    entries  the variables of an entry with their domains
    totals   variables of the theorem, each with the formula of an entry whose sum (or mean) it is
    where    what holds for each entry: `a < b`, `b <= B`
    by       the coefficient of each total in the term
    each     what remains of the term, the same for all entries
    split    formulas of an entry whose sign makes cases
    """

    term: str | Quantity = defined()
    entries: Mapping[str, Assumption] = bound()
    totals: Mapping[str, str | Quantity] = defined()
    where: tuple[str, ...] = defined(default=())
    by: Mapping[str, str] = witness()
    each: str = witness(default="0")
    split: tuple[str, ...] = witness(default=())

    NAME = ""

    def _count(self, setting: Setting) -> Operation:
        raise NotImplementedError

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        count = self._count(setting)
        if stray := self.by.keys() - self.totals.keys():
            raise RefusedError(f"{min(stray)} is no total")
        coefficients = {name: setting.read(text) for name, text in self.by.items()}
        each = setting.read(self.each)
        for part in (each, *coefficients.values()):
            setting.defined(part, "a coefficient")
        of_an_entry(self.term, entry_of(setting, self.entries, self.where), self.entries, "the term")
        kinds = list(self._kinds(setting, steps))
        for kind in kinds:
            combined = total([*(times(c, kind.totals[name]) for name, c in coefficients.items()), each])
            how = kind.setting.zero(minus(kind.term, combined), f"{reading(self.term)} as a combination of the totals")
            says = f"each entry{' with ' * bool(kind.case)}{kind.case} contributes a combination of the totals"
            steps.add(says, f"{reading(self.term)} = {written(combined)}", how)
        value = total([*(times(c, setting.read(name)) for name, c in coefficients.items()), times(each, count)])
        tried = self._tried(setting, kinds, value)
        steps.add(f"the {self.NAME} is linear", written(value), f"{tried} lists with such totals")
        return value

    def _kinds(self, setting: Setting, steps: Steps) -> Iterator[Kind]:
        """The kinds of entries, by the signs of what is split on."""
        entry = entry_of(setting, self.entries, self.where)
        for text in self.split:
            if stray := names_in(entry.read(text)) & self.totals.keys():
                raise RefusedError(f"entries are not split by the total {min(stray)}, which they make together")
        for case, inner in divided(entry, self.split):
            if not inner.signs.contradictory:
                term = value_of(self.term, inner, steps)
                inner.defined(term, "the term")
                yield Kind(case, inner, term, totals_of(setting, inner, self.totals, steps))

    def _tried(self, setting: Setting, kinds: Sequence[Kind], value: Operation) -> int:
        """The number of concrete lists that have the totals' values; their terms are added up.

        Raises NotShownError if there is none, RefusedError where the terms add up to something else.
        """
        from implicitbias.theorems.concrete_lists import lists_with_totals
        from implicitbias.theorems.points import sign_at

        own = entry_of(setting, self.entries, self.where).hypotheses[len(setting.hypotheses) :]
        found = lists_with_totals(setting, self.entries, own, kinds, self._added, self._length)
        tried = 0
        for point, parts in found:
            tried += 1
            if sign_at(minus(self._added(parts), value), point) not in (None, 0):
                raise RefusedError(f"the {self.NAME} of {len(parts)} entries is another number at {point}")
        if not tried:
            raise NotShownError("no list was found that has such totals: the statement may be empty")
        return tried

    def _added(self, parts: list[Operation]) -> Operation:
        return total(parts)

    @property
    def _length(self) -> str | None:
        """The variable that is the length of the list."""
        return None

    @property
    def reads(self) -> str:
        totals = ", ".join(f"{name} that of {reading(formula)}" for name, formula in self.totals.items())
        domain = ", ".join((*(f"{name} {domain}" for name, domain in self.entries.items()), *self.where))
        return f"{self.NAME} of {reading(self.term)} over {domain}, where {totals}"


@dataclass(frozen=True, kw_only=True)
class ListSum(_Linear):
    """The sum of a term over the entries of a list; its length is a variable of the theorem, a whole number."""

    length: str = defined()

    NAME = "sum"

    def _count(self, setting: Setting) -> Operation:
        return length_of(setting, self.length)

    @property
    def _length(self) -> str:
        return self.length


@dataclass(frozen=True, kw_only=True)
class Mean(_Linear):
    """The mean of a term under any law of the entry for which the totals, which are means too, are finite."""

    NAME = "mean"

    def _count(self, setting: Setting) -> Operation:
        return number(1)

    def _added(self, parts: list[Operation]) -> Operation:
        return times(number(Fraction(1, len(parts))), total(parts))


@dataclass(frozen=True, kw_only=True)
class MeasureIntegral(_Linear):
    """The integral of a term against any measure, of either sign, for which the totals, integrals too, are finite.

    Its mass is known only where it is a total (of `1`), so nothing may remain of the term beside the totals.
    """

    NAME = "integral"

    def _count(self, setting: Setting) -> Operation:
        if setting.read(self.each) != number(0):
            raise RefusedError("a constant integrates to a multiple of the mass: make the mass a total, of 1")
        return number(0)


def entry_of(setting: Setting, entries: Mapping[str, Assumption], where: tuple[str, ...]) -> Setting:
    """The setting of one entry: its variables beside those of the theorem, and what holds for each entry."""
    inner = setting.with_variables(entries)
    for text in where:
        try:
            inner = assumed(inner, text)
        except ValueError as error:
            raise RefusedError(str(error)) from None
    return inner


def of_an_entry(formula: str | Quantity, inner: Setting, entries: Mapping[str, Assumption], what: str) -> None:
    """Raise RefusedError for a formula that holds nothing of an entry: a value typed in the definition's place."""
    if isinstance(formula, str) and entries and not names_in(inner.read(formula)) & entries.keys():
        raise RefusedError(f"{what} {formula} holds nothing of an entry")


def totals_of(
    setting: Setting, inner: Setting, totals: Mapping[str, str | Quantity], steps: Steps
) -> dict[str, Operation]:
    """What an entry adds to each total. A total's formula may use the totals before it."""
    found: dict[str, Operation] = {}
    for name, formula in totals.items():
        if name not in setting.variables and name not in setting.fixed:
            raise RefusedError(f"the total {name} is no variable of the theorem")
        tree = value_of(formula, inner, steps)
        if later := names_in(tree) & (totals.keys() - found.keys()):
            raise RefusedError(f"the formula of the total {name} holds {min(later)}, which is not known before it")
        if deeper := names_in(tree) & {n for n, depth in setting.bound.items() if depth > setting.bound.get(name, 0)}:
            raise RefusedError(f"the formula of the total {name} holds {min(deeper)}, on which it would depend")
        inner.defined(tree, f"the total {name}")
        found[name] = tree
    return found


def length_of(setting: Setting, name: str) -> Operation:
    """The length of the list, shown to be a whole number."""
    if setting.variables.get(name) not in ("positive integer", "nonnegative integer"):
        raise RefusedError(
            f"the length {name} is no whole number of the theorem: positive integer, nonnegative integer"
        )
    return Operation(name)
