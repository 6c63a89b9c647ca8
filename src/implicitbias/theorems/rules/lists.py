"""Sums over lists of any length, means over any law, integrals over any measure: linear in what an entry contributes.

    Σᵢ term(eᵢ) = Σⱼ cⱼ Tⱼ + c·n    where Tⱼ = Σᵢ fⱼ(eᵢ) and term(e) = Σⱼ cⱼ fⱼ(e) + c for every entry e

The totals Tⱼ are all that is known of the list, and each is defined by its fⱼ: two totals cannot be set equal. The
coefficients are the witness; they are the same for all entries, since no entry's variable can stand in them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.formula import Assumption, Expression, Operation, written
from implicitbias.theorems.points import points_of, sign_at
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
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
from implicitbias.theorems.sign import Hypothesis
from implicitbias.theorems.theorem import assumed, divided

LENGTHS = (1, 2, 3)
"""The lengths of the lists at which a sum is compared entry by entry."""

Point = dict[str, Fraction]


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
    totals: Mapping[str, str] = defined()
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
        for case, inner in divided(entry_of(setting, self.entries, self.where), self.split):
            if not inner.signs.contradictory:
                self._combined(setting, inner, coefficients, each, case, steps)
        value = total([*(times(c, setting.read(name)) for name, c in coefficients.items()), times(each, count)])
        tried = self._tried(setting, value)
        steps.add(f"the {self.NAME} is linear", written(value), f"{tried} lists with such totals")
        return value

    def _combined(
        self,
        setting: Setting,
        inner: Setting,
        coefficients: Mapping[str, Operation],
        each: Operation,
        case: str,
        steps: Steps,
    ) -> None:
        """Show that an entry contributes the combination of what it adds to the totals."""
        term = value_of(self.term, inner, steps)
        inner.defined(term, "the term")
        totals = totals_of(setting, inner, self.totals)
        combined = total([*(times(c, totals[name]) for name, c in coefficients.items()), each])
        how = inner.zero(minus(term, combined), f"{reading(self.term)} as a combination of the totals")
        says = f"each entry{' with ' * bool(case)}{case} contributes a combination of the totals"
        steps.add(says, f"{reading(self.term)} = {written(combined)}", how)

    def _tried(self, setting: Setting, value: Operation) -> int:
        """The number of concrete lists that have the totals' values. Raises NotShownError if there is none.

        Where the term is a formula, it is added up there.
        """
        inner = entry_of(setting, self.entries, self.where)
        term = inner.read(self.term) if isinstance(self.term, str) else None
        tried = 0
        for point, entries in self._lists(setting, inner, totals_of(setting, inner, self.totals)):
            tried += 1
            if term is None:
                continue
            added = self._added([put(term, entry) for entry in entries])
            if sign_at(minus(added, value), point) not in (None, 0):
                raise RefusedError(f"the {self.NAME} of {len(entries)} entries is another number at {point}")
        if not tried:
            raise NotShownError("no list was found that has such totals: the statement may be empty")
        return tried

    def _lists(
        self, setting: Setting, inner: Setting, totals: Mapping[str, Operation]
    ) -> Iterator[tuple[Point, list[dict[str, Operation]]]]:
        """Lists of a few entries with the totals that they have, where the hypotheses of the theorem hold."""
        own = inner.hypotheses[len(setting.hypotheses) :]
        for n in LENGTHS:
            copies = [{name: Operation(f"{name}[{i}]") for name in self.entries} for i in range(n)]
            free = {name: domain for name, domain in setting.variables.items() if name not in totals}
            free |= {f"{name}[{i}]": domain for i in range(n) for name, domain in self.entries.items()}
            each = tuple(Hypothesis(put(h.tree, copy), h.strict) for copy in copies for h in own)
            early = tuple(h for h in setting.hypotheses if not names_in(h.tree) & totals.keys())
            for point in itertools.islice(points_of(self._drawn(free, n), (*early, *each), ()), 20):
                found = self._totals_at({**point, **self._length_at(n)}, totals, copies, setting)
                if found is not None:
                    yield found, copies

    def _totals_at(
        self, point: Point, totals: Mapping[str, Operation], copies: list[dict[str, Operation]], setting: Setting
    ) -> Point | None:
        """The point with the totals of the list there; None if they are not rational or not those of the theorem."""
        found = dict(point)
        for name, formula in totals.items():
            value = _exactly(self._added([put(formula, copy) for copy in copies]), found)
            if value is None:
                return None
            if name in setting.variables:
                found[name] = value
            elif sign_at(minus(setting.read(name), number(value)), found) != 0:
                return None
        return found if _allowed(setting, found) else None

    def _added(self, parts: list[Operation]) -> Operation:
        return total(parts)

    def _drawn(self, free: dict[str, Assumption], n: int) -> dict[str, Assumption]:
        return free

    def _length_at(self, n: int) -> Point:
        return {}

    @property
    def reads(self) -> str:
        totals = ", ".join(f"{name} that of {text}" for name, text in self.totals.items())
        domain = ", ".join((*(f"{name} {domain}" for name, domain in self.entries.items()), *self.where))
        return f"{self.NAME} of {reading(self.term)} over {domain}, where {totals}"


@dataclass(frozen=True, kw_only=True)
class ListSum(_Linear):
    """The sum of a term over the entries of a list; its length is a variable of the theorem, a whole number."""

    length: str = defined()

    NAME = "sum"

    def _count(self, setting: Setting) -> Operation:
        return length_of(setting, self.length)

    def _drawn(self, free: dict[str, Assumption], n: int) -> dict[str, Assumption]:
        return {name: domain for name, domain in free.items() if name != self.length}

    def _length_at(self, n: int) -> Point:
        return {self.length: Fraction(n)}


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


def totals_of(setting: Setting, inner: Setting, totals: Mapping[str, str]) -> dict[str, Operation]:
    """What an entry adds to each total. A total's formula may use the totals before it."""
    found: dict[str, Operation] = {}
    for name, text in totals.items():
        if name not in setting.variables and name not in setting.fixed:
            raise RefusedError(f"the total {name} is no variable of the theorem")
        tree = inner.read(text)
        if later := names_in(tree) & (totals.keys() - found.keys()):
            raise RefusedError(f"the formula of the total {name} holds {min(later)}, which is not known before it")
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


def _exactly(tree: Operation, point: Point) -> Fraction | None:
    from implicitbias.exact.enclosure import NoValueError, evaluate

    try:
        value = evaluate(Expression("", frozenset(point), tree), point)
    except NoValueError:
        return None
    return value if isinstance(value, Fraction) else None


def _allowed(setting: Setting, point: Point) -> bool:
    """Whether the point lies in the domains and satisfies the hypotheses."""
    from implicitbias.exact.points import allows

    if not all(allows(domain, point[name]) for name, domain in setting.variables.items()):
        return False
    signs = ((h.strict, sign_at(h.tree, point)) for h in setting.hypotheses)
    return all(sign is not None and sign >= int(strict) for strict, sign in signs)
