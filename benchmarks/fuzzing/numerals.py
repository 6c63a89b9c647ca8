"""Numbers as users, programs and adversaries write them."""

from __future__ import annotations

from random import Random

STRANGE = (
    "",
    " ",
    "nan",
    "NaN",
    "-nan",
    "inf",
    "-inf",
    "Infinity",
    "1e400",
    "1e-400",
    "1e401",
    "-1e309",
    "1e999999999",
    "1e-999999999",
    "1e" + "9" * 5000,
    "0e" + "9" * 4400,
    "5e-324",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
    "1e150",
    "1e-150",
    "1.0000001e150",
    "0x1p3",
    "0x10",
    "0b11",
    "1_000",
    "1,5",
    "1.234,5",
    "1,234.5",
    "1/0",
    "0/0",
    "1/-2",
    "-1/3",
    "1//3",
    "1/3/5",
    "1.5/2",
    "--1",
    "+-1",
    "+1",
    "-0",
    "-0.0",
    ".5",
    "5.",
    ".",
    "-",
    "+",
    "e5",
    "1e",
    "1e+",
    "1E5",
    "1d5",
    "1j",
    "True",
    "None",
    "null",
    "٣",
    "-٣٫٥",
    "１２",
    "²",
    "½",
    "Ⅷ",
    "−1",
    "1\u00a0000",
    "1 000",
    "0.1.2",
    "2024-01-31",
    "12:30",
    "$5",
    "5%",
    "1e5e5",
    "#N/A",
    "=1+1",
    "'1",
    '"1',
    "\x1b[31m1",
    "1\x00",
    "1\u2028",
    "\ufeff1",
    "\u202e12",
)
"""Texts that are no numbers, or on the border of what is read."""


def long(random: Random) -> str:
    """A number with many characters: around Python's limit of 4300 digits for integers, and our own limits."""
    digits = random.choice((300, 399, 400, 401, 1999, 3999, 4000, 4001, 4299, 4300, 4301, 4999, 5000, 5001, 20_000))
    run = random.choice("123456789") + "".join(random.choices("0123456789", k=digits - 1))
    return random.choice(
        (
            run,
            f"-{run}",
            f"0.{run}",
            f"{run[:2]}.{run}",
            f"1/{run}",
            f"{run}/3",
            f"{run}/{run[::-1]}",
            f"{run}e-{digits}",
            f"1e{run}",
            f"{run}.5",
            "0" * digits + "1",
            f"0.{'0' * digits}1",
        )
    )


def plain(random: Random) -> str:
    """A number as most files hold them."""
    match random.randrange(5):
        case 0:
            return str(random.randint(-9, 9))
        case 1:
            return f"{random.uniform(-5, 5):.{random.randint(0, 17)}f}"
        case 2:
            return repr(random.gauss(0, 1))
        case 3:
            return f"{random.randint(-99, 99)}/{random.randint(1, 99)}"
    return f"{random.uniform(-9, 9):.3e}"


def extreme(random: Random) -> str:
    """A number that is read, and hard to compute with."""
    match random.randrange(4):
        case 0:
            return f"{random.choice('-+')}{random.randint(1, 9)}e{random.choice((-1, 1)) * random.randint(100, 149)}"
        case 1:
            return f"{random.randint(-9, 9)}.{''.join(random.choices('0123456789', k=random.choice((30, 120, 390))))}"
        case 2:
            return f"{1 + random.randint(-3, 3) * 10.0 ** -random.randint(5, 16)!r}"
    return f"{random.randint(-(10**40), 10**40)}/{random.randint(1, 10**40)}"


def number(random: Random, strange: float = 0.2) -> str:
    """A number, or with this probability something that is hardly one."""
    if random.random() < strange:
        return long(random) if random.random() < 0.25 else random.choice(STRANGE)
    return extreme(random) if random.random() < 0.15 else plain(random)
