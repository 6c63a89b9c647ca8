"""Why a formula has no value: it has none, or nothing that was tried could tell it."""

from __future__ import annotations

LARGE = 1 << 12
"""Numbers beyond 2^±LARGE are not carried: no claim here needs them and their ends fill the memory."""


class NoValueError(ArithmeticError):
    """No value was found."""


class UndefinedError(NoValueError):
    """It is proved that the formula has no real value there: a division by zero, the logarithm of a negative number."""


class UnresolvedError(NoValueError):
    """Whether the formula has a value there, or which, was not decided. It proves nothing."""


class TooLargeError(UnresolvedError):
    """The value is real and larger than 2^LARGE in size; `sign` is its sign, 0 where that is not known."""

    def __init__(self, sign: int) -> None:
        super().__init__(f"the value exceeds 2^{LARGE}")
        self.sign = sign


def called(head: str) -> str:
    """An operation in words.

    >>> called("**"), called("log")
    ('a power', 'log')
    """
    return {"/": "a quotient", "**": "a power", "sqrt": "a square root"}.get(head, head)


def why_undefined(head: str, border: int, sign: int) -> str:
    """What is wrong with the operation of a number on that side of the border."""
    if head == "/" or (head == "**" and sign == 0):
        return "division by zero"
    size = (
        {-1: "a negative number", 0: "0", 1: ""}[sign]
        if border == 0
        else f"a number {'above' if sign > 0 else 'below'} {border}"
    )
    return f"{called(head)} of {size} has no real value"
