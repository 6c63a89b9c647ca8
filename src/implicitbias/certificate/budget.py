"""How the checker refuses, and how much it computes before it does.

All arithmetic is paid for in units of about a microsecond. A check has a budget in proportion to its document, so that
its time and its memory are bounded whatever the document says. What would cost more is undecided, hence refused. Units
are counted, not measured: the outcome is the same on every machine.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

UNDECIDED = "undecided"
"""How the reason begins where the budget did not reach."""


class RefusedError(Exception):
    """The certificate is refused; the message says why."""


def refuse(reason: str) -> NoReturn:
    raise RefusedError(reason)


class _Purse(threading.local):
    """What is left to this thread; without limit outside of a check."""

    left: float = math.inf


_purse = _Purse()


@contextmanager
def limited_to(units: float) -> Iterator[None]:
    """Let what happens within spend this much."""
    before, _purse.left = _purse.left, units
    try:
        yield
    finally:
        _purse.left = before


def spend(units: int) -> None:
    """Pay for what comes next. Raises RefusedError where the budget does not reach."""
    left = _purse.left - units
    _purse.left = left
    if left < 0:
        refuse(f"{UNDECIDED}: checking this takes more arithmetic than a document of its size is granted")


def price(bits: int, others: int) -> int:
    """What a quotient, a greatest common divisor or a sum of fractions costs, of numbers with so many bits."""
    return 1 + ((bits + others) >> 9) + (bits * others >> 19)


def price_of_product(bits: int, others: int) -> int:
    """What a product of integers costs, by Karatsuba's method where they are long."""
    small, large = sorted((bits, others))
    return 1 + ((bits + others) >> 9) + int(large * small**0.585) // 40_000
