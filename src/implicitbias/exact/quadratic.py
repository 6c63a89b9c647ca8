"""Numbers a + b√D with rational a and b, exactly: an ordered field."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt

from implicitbias.errors import DataError


@dataclass(frozen=True)
class Quadratic:
    """a + b√D, D > 1 an integer that is not a square.

    >>> x = Quadratic(Fraction(1), Fraction(1), 2)  # 1 + √2
    >>> x * x - 2 * x
    Quadratic(a=Fraction(1, 1), b=Fraction(0, 1), root=2)
    >>> 1 / x < x
    True
    """

    a: Fraction
    b: Fraction
    root: int

    def __post_init__(self) -> None:
        if self.root < 2 or isqrt(self.root) ** 2 == self.root:
            raise DataError(f"the root must be that of an integer above 1 that is not a square, not of {self.root}")

    def _with(self, other: Quadratic | Fraction | int) -> Quadratic:
        if not isinstance(other, Quadratic):
            return Quadratic(Fraction(other), Fraction(0), self.root)
        if other.root != self.root:
            raise DataError(f"√{self.root} and √{other.root} are in different fields: use one root")
        return other

    def __add__(self, other: Quadratic | Fraction | int) -> Quadratic:
        given = self._with(other)
        return Quadratic(self.a + given.a, self.b + given.b, self.root)

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.a, -self.b, self.root)

    def __sub__(self, other: Quadratic | Fraction | int) -> Quadratic:
        return self + (-self._with(other))

    def __rsub__(self, other: Fraction | int) -> Quadratic:
        return self._with(other) - self

    def __mul__(self, other: Quadratic | Fraction | int) -> Quadratic:
        given = self._with(other)
        return Quadratic(
            self.a * given.a + self.root * self.b * given.b, self.a * given.b + self.b * given.a, self.root
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Quadratic | Fraction | int) -> Quadratic:
        given = self._with(other)
        norm = given.a**2 - self.root * given.b**2
        return self * Quadratic(given.a / norm, -given.b / norm, self.root)

    def __rtruediv__(self, other: Fraction | int) -> Quadratic:
        return self._with(other) / self

    def sign(self) -> int:
        """1, 0 or -1, exactly."""
        a, b = (self.a > 0) - (self.a < 0), (self.b > 0) - (self.b < 0)
        if a * b >= 0:
            return a or b
        return a if self.a**2 > self.root * self.b**2 else b

    def __lt__(self, other: Quadratic | Fraction | int) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: Quadratic | Fraction | int) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: Quadratic | Fraction | int) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: Quadratic | Fraction | int) -> bool:
        return (self - other).sign() >= 0

    def __bool__(self) -> bool:
        return bool(self.a or self.b)

    def __float__(self) -> float:
        return float(self.a) + float(self.b) * sqrt(self.root)
