"""What was tried: within which values of a claim's symbols its evidence speaks. Every screen says it in these words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval, decimal_text
from implicitbias.theorems.established import Conclusion

Case = Identity | Conclusion
"""A case of a proof: for all values of its variables the claim's formula has a value, with its symbols as given."""

DIGITS = 4
"""Significant digits of an end that is too long to be written exactly."""


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of a symbol; an enclosure counts by its outer ends.

    As text it is never wider than it is: long ends are rounded inwards and said to be rounded.

    >>> str(Range(Fraction(1), Fraction(9))), str(Range(Fraction(3), Fraction(3)))
    ('from 1 to 9', '= 3')
    >>> str(Range(Fraction(0), Fraction("3.14159"))), str(Range(Fraction("0.33333"), Fraction("0.33334")))
    ('from 0 to about 3.141', 'about 0.3333')
    """

    least: Fraction
    greatest: Fraction

    def __str__(self) -> str:
        low, high = _rounded(self.least, ROUND_CEILING), _rounded(self.greatest, ROUND_FLOOR)
        exact = _is_short(self.least) and _is_short(self.greatest)
        if exact and self.least == self.greatest:
            return f"= {self.least}"
        if exact or Fraction(low) < Fraction(high):
            return f"from {_said(self.least, low)} to {_said(self.greatest, high)}"
        return f"about {decimal_text((self.least + self.greatest) / 2, DIGITS)}"


def cases_of(evidence: Evidence) -> tuple[Case, ...]:
    """All cases of a proof."""
    return (*evidence.identities, *(c for theorem in evidence.theorems for c in theorem.conclusions))


def equalities_of(evidence: Evidence) -> tuple[Case, ...]:
    """The cases in which a proof gives the value: a bound leaves open what is less."""
    return tuple(c for c in cases_of(evidence) if isinstance(c, Identity) or c.relation == "=")


def instances_in_words(instances: Sequence[Instance], symbols: Sequence[str] = ()) -> str:
    """How many instances, and the range of each symbol that they give as an exact number.

    >>> instances_in_words([Instance("", {"n": n, "s": -2}, 0) for n in range(1, 10)], ["n", "s"])
    '9 instances, n from 1 to 9, s = -2'
    """
    counted = f"{len(instances)} instance{'' if len(instances) == 1 else 's'}"
    return ", ".join([counted, *(f"{name} {found}" for name, found in ranges(instances, symbols).items())])


def cases_in_words(cases: Sequence[Case], symbols: Sequence[str] = (), what: str = "equal") -> str:
    """How many cases there are for all values, and the values of each symbol to which they are confined.

    >>> cases_in_words([Identity("", {"x": "real"}, {"d": f"{d}", "x": "x"}, "d*x") for d in (2, 3, 4)], ["d", "x"])
    '3 cases equal for all values, with d from 2 to 4'
    """
    counted = f"{len(cases)} case{'' if len(cases) == 1 else 's'} {what} for all values"
    confined = ", ".join(f"{name} {_listed(values)}" for name, values in constants(cases, symbols).items())
    return f"{counted}, with {confined}" if confined else counted


def ranges(instances: Sequence[Instance], symbols: Iterable[str]) -> dict[str, Range]:
    """The range of each symbol that some instance gives as an exact number, in the order of the symbols."""
    found = {}
    for name in symbols:
        ends = [end for instance in instances for end in _ends(instance.given.get(name))]
        if ends:
            found[name] = Range(min(ends), max(ends))
    return found


def constants(cases: Sequence[Case], symbols: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The symbols that every case gives as a constant, each with its values: of other values they say nothing."""
    found = {}
    for name in symbols:
        given = [parse(case.given[name], case.variables) for case in cases if name in case.given]
        if given and len(given) == len(cases) and not any(formula.names for formula in given):
            found[name] = tuple(dict.fromkeys(formula.text for formula in given))
    return found


def sizes(cases: Sequence[Case], meanings: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The symbols of which a proof covers some of many values: two or more constants, not all that it can be.

    meanings  each symbol of the claim with its meaning, which tells a dimension from a flag

    >>> cases = [Identity("", {}, {"d": f"{d}", "s": f"{d - 2}"}, "0") for d in (2, 3)]
    >>> sizes(cases, {"d": "the dimension", "s": "1 if the kink is inside, else 0"})
    {'d': ('2', '3')}
    """
    return {
        name: values
        for name, values in constants(cases, meanings).items()
        if len(values) > 1 and set(values) != _cases_of(meanings[name])
    }


def to_json(evidence: Evidence, symbols: Collection[str]) -> dict[str, dict[str, str]]:
    """For each symbol the least and the greatest value that was tried, exact, as text."""
    found = {}
    confined = constants(cases_of(evidence), symbols)
    seen = ranges(evidence.instances, symbols)
    for name in symbols:
        ends = [(value, text) for text in confined.get(name, ()) if (value := _value(text)) is not None]
        if name in seen:
            ends += [(end, str(end)) for end in (seen[name].least, seen[name].greatest)]
        if ends:
            found[name] = {"from": min(ends)[1], "to": max(ends)[1]}
    return found


def _ends(value: object) -> tuple[Fraction, ...]:
    if isinstance(value, Interval):
        return value.lower, value.upper
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return (Fraction(value),)
    return ()


def _is_short(number: Fraction) -> bool:
    most = 10**9 if number.denominator == 1 else 10**4
    return abs(number.numerator) < most and number.denominator < most


def _rounded(number: Fraction, rounding: str) -> str:
    return str(number) if _is_short(number) else decimal_text(number, DIGITS, rounding)


def _said(number: Fraction, rounded: str) -> str:
    return rounded if _is_short(number) else f"about {rounded}"


def _listed(values: Sequence[str]) -> str:
    """`from 2 to 8` for whole numbers without a gap, else every value: a proof for 3, 5 and 7 says nothing of 4."""
    if all(re.fullmatch(r"-?\d+", value) for value in values):
        numbers = sorted(map(int, values))
        if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"from {numbers[0]} to {numbers[-1]}"
        values = [str(number) for number in numbers]
    *first, last = values
    return f"= {', '.join(first)} and {last}" if first else f"= {last}"


def _cases_of(meaning: str) -> set[str]:
    """All values of a symbol, where its meaning lists them: `1 if …, else 0`, `log(2) for …, 1 for …`, `…, ±1`."""
    cases = {*re.findall(r"(\S+) (?:if|when|where|for)\b", meaning), *re.findall(r"\belse (\S+)", meaning)}
    return cases | ({"1", "-1"} if re.search(r"(^|[,:] )±1$", meaning) else set())


def _value(text: str) -> Fraction | None:
    """A constant of a case, to order it by; what is irrational counts by the lower end of its enclosure."""
    from implicitbias.exact.enclosure import NoValueError, evaluate, lower

    try:
        return lower(evaluate(parse(text), {}))
    except NoValueError:
        return None
