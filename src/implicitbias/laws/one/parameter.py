"""A parameter of a law: a real number known exactly, as a rational or as a formula of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import Comparison, NoValueError, compare, evaluate, to_arb
from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.operations import Arb
from implicitbias.exact.rational import Interval, Real, exact
from implicitbias.exact.symbolic import to_sympy

BITS = 512

SMALLEST, GREATEST = 1e-70, 1e70
"""Sizes of parameters other than 0: their fourth powers, which moments need, are doubles."""


@dataclass(frozen=True)
class Parameter:
    """A real number: `0.1` is exactly one tenth, `sqrt(0.1)` is enclosed as narrowly as is asked.

    >>> Parameter.of("sqrt(0.1)").number
    0.31622776601683794
    >>> Parameter.of("0.1").rational, Parameter.of("sqrt(0.1)").rational
    (Fraction(1, 10), None)
    """

    expression: Expression

    @classmethod
    def of(cls, given: Parameter | Real) -> Parameter:
        """A number as it is given: text may be a formula of numbers.

        Raises DataError for NaN and infinities, for what is no number, and for sizes that doubles cannot work with.
        """
        if isinstance(given, Parameter):
            return given
        made = cls._read(given)
        size = abs(made.number)
        if made.rational != 0 and not SMALLEST <= size <= GREATEST:
            raise DataError(
                f"{made.text} is too {'great' if size > 1 else 'small'} for a parameter of a law: its size may be 0, "
                f"or from {SMALLEST:g} to {GREATEST:g}, so that fourth moments are doubles; choose other units"
            )
        return made

    @classmethod
    def _read(cls, given: Real) -> Parameter:
        if isinstance(given, str):
            made = cls(parse(given, ()))
            try:
                _ = made.number
            except NoValueError as error:
                raise DataError(f"{given!r} is not a real number: {error}") from None
            return made
        try:
            fraction = exact(given)
        except TypeError:
            raise DataError(f"a parameter of a law is a number, or a formula of numbers: got {given}") from None
        return cls(Expression(_text(given, fraction), frozenset(), Operation("number", number=fraction)))

    @cached_property
    def value(self) -> Fraction | Interval:
        return evaluate(self.expression, {}, BITS)

    @property
    def rational(self) -> Fraction | None:
        """The number if it was recognised as rational."""
        return self.value if isinstance(self.value, Fraction) else None

    @cached_property
    def number(self) -> float:
        """The nearest double."""
        try:
            value = self.value
            return float((value.lower + value.upper) / 2 if isinstance(value, Interval) else value)
        except OverflowError:
            raise DataError(f"{self.text} is beyond what a double can hold") from None

    @property
    def ball(self) -> Arb:
        """A ball that contains the number."""
        return to_arb(self.value)

    @property
    def symbolic(self) -> Any:
        """The number for sympy."""
        return to_sympy(self.expression, {})

    @property
    def text(self) -> str:
        return self.expression.text

    @property
    def negated(self) -> Parameter:
        """The number with the other sign; twice negated it is itself again."""
        tree, text = self.expression.tree, self.text
        if tree.number is not None:
            plain = text[1:] if text.startswith("-") else f"-{text}"
            return Parameter(Expression(plain, frozenset(), Operation("number", number=-tree.number)))
        if tree.head == "neg" and text.startswith("-(") and text.endswith(")"):
            return Parameter(Expression(text[2:-1], frozenset(), tree.arguments[0]))
        return Parameter(Expression(f"-({text})", frozenset(), Operation("neg", (tree,))))

    @property
    def sign(self) -> int:
        """-1, 0 or 1. Raises DataError if the formula may be zero and is not recognised as zero."""
        match compare(self.value, 0):
            case Comparison.LESS:
                return -1
            case Comparison.GREATER:
                return 1
            case Comparison.EQUAL:
                return 0
        raise DataError(f"the sign of {self.text} cannot be told: write the number more simply")

    def __str__(self) -> str:
        return self.text


def _text(given: Real, fraction: Fraction) -> str:
    if isinstance(given, float):
        return repr(given)
    return str(fraction)


def positive(given: Parameter | Real, what: str) -> Parameter:
    """The parameter. Raises DataError, naming the law, unless it is positive."""
    parameter = Parameter.of(given)
    if parameter.sign <= 0:
        raise DataError(f"{what} must be positive, got {parameter.text}")
    return parameter


def increasing(lower: Parameter, upper: Parameter, what: str) -> None:
    """Raises DataError unless lower < upper."""
    if compare(lower.value, upper.value) is not Comparison.LESS:
        raise DataError(f"{what} needs lower < upper, got {lower.text} and {upper.text}")
