"""Rational numbers whose every operation is exact, and paid for."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from .budget import price, spend


class Rational:
    """numerator/denominator in lowest terms, the denominator positive. Operands may be integers; nothing else mixes."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int = 1) -> None:
        """Raises ZeroDivisionError if the denominator is 0."""
        if not denominator:
            raise ZeroDivisionError(f"the fraction {numerator}/0")
        if denominator != 1:
            spend(2 * price(numerator.bit_length(), denominator.bit_length()))
            divisor = gcd(numerator, denominator) if denominator > 0 else -gcd(numerator, denominator)
            numerator, denominator = numerator // divisor, denominator // divisor
        self.numerator, self.denominator = numerator, denominator

    @property
    def bits(self) -> int:
        """The bits of both."""
        return self.numerator.bit_length() + self.denominator.bit_length()

    def __add__(self, other: Rational | int) -> Rational:
        a, b = self.numerator, self.denominator
        c, d = (other.numerator, other.denominator) if type(other) is Rational else (_integer(other), 1)
        _pay_for(a, b, c, d)
        if b == 1 == d:
            return _in_lowest_terms(a + c, 1)
        common = gcd(b, d)
        if common == 1:
            return _in_lowest_terms(a * d + c * b, b * d)
        # Knuth, The Art of Computer Programming, 4.5.1: what can be cancelled divides `common`
        rest = b // common
        top = a * (d // common) + c * rest
        cancelled = gcd(top, common)
        if cancelled == 1:
            return _in_lowest_terms(top, rest * d)
        return _in_lowest_terms(top // cancelled, rest * (d // cancelled))

    def __sub__(self, other: Rational | int) -> Rational:
        return self + -other

    def __mul__(self, other: Rational | int) -> Rational:
        a, b = self.numerator, self.denominator
        c, d = (other.numerator, other.denominator) if type(other) is Rational else (_integer(other), 1)
        _pay_for(a, b, c, d)
        if b == 1 == d:
            return _in_lowest_terms(a * c, 1)
        across, down = gcd(a, d), gcd(c, b)
        if across > 1:
            a, d = a // across, d // across
        if down > 1:
            c, b = c // down, b // down
        return _in_lowest_terms(a * c, b * d)

    def __truediv__(self, other: Rational | int) -> Rational:
        """Raises ZeroDivisionError if the other is 0."""
        c, d = (other.numerator, other.denominator) if type(other) is Rational else (_integer(other), 1)
        if not c:
            raise ZeroDivisionError("a quotient by 0")
        return self * (_in_lowest_terms(d, c) if c > 0 else _in_lowest_terms(-d, -c))

    def __pow__(self, exponent: int) -> Rational:
        """The square."""
        if exponent != 2:
            raise ValueError("no power but the square is needed")
        return self * self

    def __rsub__(self, other: int) -> Rational:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Rational:
        return _in_lowest_terms(-self.numerator, self.denominator)

    def __abs__(self) -> Rational:
        return -self if self.numerator < 0 else self

    def __lt__(self, other: Rational | int) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: Rational | int) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: Rational | int) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: Rational | int) -> bool:
        return self._compared(other) >= 0

    def _compared(self, other: Rational | int) -> int:
        """A number with the sign of self - other."""
        a, b = self.numerator, self.denominator
        c, d = (other.numerator, other.denominator) if type(other) is Rational else (_integer(other), 1)
        _pay_for(a, b, c, d)
        return a - c if b == d else a * d - c * b

    def __eq__(self, other: object) -> bool:
        if type(other) is Rational:
            _pay_for(self.numerator, 0, other.numerator, 0)
            return self.numerator == other.numerator and self.denominator == other.denominator
        if isinstance(other, int):
            return self.denominator == 1 and self.numerator == other
        return NotImplemented

    def __hash__(self) -> int:
        spend(1 + (self.bits >> 9))
        return hash((self.numerator, self.denominator)) if self.denominator != 1 else hash(self.numerator)

    def __bool__(self) -> bool:
        return self.numerator != 0

    def __float__(self) -> float:
        """The nearest double. Raises OverflowError beyond them."""
        spend(price(self.bits, self.bits))
        return self.numerator / self.denominator

    def __str__(self) -> str:
        """As documents write it. Raises ValueError beyond the digits that Python writes."""
        return f"{self.numerator}" if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self) -> str:
        return f"Rational({self.numerator}, {self.denominator})"


def _in_lowest_terms(numerator: int, denominator: int) -> Rational:
    made = _new(Rational)
    made.numerator, made.denominator = numerator, denominator
    return made


_new = object.__new__


def _integer(other: object) -> int:
    if not isinstance(other, int):
        raise TypeError(f"a rational number does not mix with {type(other).__name__}")
    return other


def _pay_for(a: int, b: int, c: int, d: int) -> None:
    """Pay for an operation on a/b and c/d."""
    bits, others = a.bit_length() + b.bit_length(), c.bit_length() + d.bit_length()
    spend(1 if bits + others < 512 else price(bits, others))


ZERO_NUMBER, ONE_NUMBER = Rational(0), Rational(1)


def key_of(*numbers: int) -> bytes:
    """A key of a dictionary for these integers.

    Python's hash of an integer is its remainder: a document could make all of its numbers collide, which takes
    quadratic time. Hashes of bytes are secret.
    """
    parts = [number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True) for number in numbers]
    return b"".join(len(part).to_bytes(4, "little") + part for part in parts)


def total(numbers: Iterable[Rational]) -> Rational:
    """The sum: numbers of one denominator first, then in pairs, so that few additions are of long numbers."""
    groups: dict[bytes, tuple[int, int]] = {}
    for number in numbers:
        name = key_of(number.denominator)
        before = groups[name][0] if name in groups else 0
        spend(1 + ((number.bits + before.bit_length()) >> 9))
        groups[name] = before + number.numerator, number.denominator
    level = [Rational(top, bottom) for top, bottom in groups.values()] or [ZERO_NUMBER]
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        level = [a + b for a, b in zip(level[::2], level[1::2], strict=False)] + odd
    return level[0]
