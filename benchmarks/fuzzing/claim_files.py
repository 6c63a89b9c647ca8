"""Claim files with something wrong in them: fields of other types, long names, damaged text."""

from __future__ import annotations

import re
from random import Random

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.formulas import hostile
from benchmarks.fuzzing.mutation import damaged

FILE = '''"""The square of a number."""

from implicitbias.claims import Context, Observation, certificate, claim, seen


@certificate("small numbers")
def small(context: Context) -> Observation:
    """Squares by addition."""
    for a in range(-4, 5):
        yield seen(sum([abs(a)] * abs(a)), a=a)


square = claim(
    "tiny.square",
    "Section 1",
    "The square",
    "The square of a is a times a.",
    formula="a*a",
    symbols={"a": "a number"},
    controls={"2*a": "the double"},
    checks=(small,),
)
'''

VALUES = (
    "None",
    "5",
    "-1.5",
    "True",
    "()",
    "[]",
    "{}",
    "{1: 2}",
    "object()",
    "print",
    "b'bytes'",
    "''",
    "'\\x1b[31mred'",
    "'\\x00'",
    "'\\ud800'",
    "'a' * 100_000",
    "'(' * 50",
    "'1' * 4400",
    "float('nan')",
    "10**5000",
    "{'a': 1}",
    "{'a': None}",
    "{'': 'x'}",
    "{'a' * 5000: 'long'}",
    "{'a b': 'x'}",
    "('x',)",
    "(small, small)",
    "(small, 5)",
    "small",
    "Ellipsis",
    "type",
    "lambda a: a",
    "1/0",
    "undefined",
    "[[[]]]",
    "{'b': 'another'}",
    "{'2*a': ''}",
    "{'(' : 'bad'}",
    "{'a*a': 'the same'}",
)
STATEMENTS = (
    "raise SystemExit(0)",
    "raise SystemExit('end')",
    "raise ValueError('x' * 10**6)",
    "raise ValueError('\\x1b[31m')",
    "1/0",
    "import no_such_module",
    "import os, sys; sys.exit(4)",
    "def f(): return f()\nf()",
    "from . import nothing",
    "x = ",
    "\tindented",
    "'''",
    "square = None",
    "square = (square, square)",
    "square = (square, 5)",
    "again = square",
    "PAPER = 5",
    "del square",
    "raise BaseException('base')",
    "raise GeneratorExit",
    "int('9' * 5000)",
    "10**5000 + undefined",
    "raise ValueError(10**5000)",
    "raise UnicodeDecodeError('utf-8', b'', 0, 1, 'x')",
    "assert False, 'no'",
    "raise Exception",
    "class E(Exception):\n    def __str__(self): return 1/0\nraise E",
)


def text(random: Random) -> bytes:
    """A claim file with one thing or several wrong."""
    made = FILE
    for _ in range(random.choice((1, 1, 2, 3))):
        match random.randrange(5):
            case 0:
                field = random.choice(("formula", "symbols", "controls", "checks"))
                made = re.sub(rf"{field}=.*,\n", lambda _: f"{field}={random.choice(VALUES)},\n", made)  # noqa: B023
            case 1:
                old = random.choice(('"tiny.square"', '"Section 1"', '"The square"', '"a*a"', '"2*a"', '"a number"'))
                made = made.replace(old, random.choice(VALUES), 1)
            case 2:
                made = made.replace('"a*a"', repr(hostile(random, ("a",))), 1)
            case 3:
                lines = made.split("\n")
                lines.insert(random.randrange(len(lines) + 1), random.choice(STATEMENTS))
                made = "\n".join(lines)
            case 4:
                extra = random.choice(
                    (
                        "rests_on",
                        "part_of",
                        "latex",
                        "hypotheses",
                        "see_also",
                        "erratum",
                        "nonsense",
                        "assumptions",
                        "kind",
                        "printed",
                        "flaw",
                    )
                )
                made = made.replace("    checks=", f"    {extra}={random.choice(VALUES)},\n    checks=")
    coded = made.encode("utf-8", "surrogatepass")
    return damaged(random, coded, 2) if random.random() < 0.2 else coded


def calls(random: Random) -> Call:
    """Looking at such a folder."""
    files = {"claims/square.py": text(random)}
    if random.random() < 0.1:
        files["claims/__init__.py"] = random.choice((b"PAPER = 5\n", b"\0", b"raise SystemExit\n", text(random)))
    if random.random() < 0.1:
        files["claims/tiny/__init__.py"] = b"from implicitbias.claims import Paper\nPAPER = " + random.choice(
            (
                b"None",
                b"5",
                b'Paper(key="tiny", title="T", authors="A", year=2000)',
                b"Paper()",
                b"Paper(1, 2, 3, 4)",
                b'Paper(key="\\x1b", title=None, authors=7, year="now")',
            )
        )
        files["claims/tiny/square.py"] = text(random)
    commands = (
        ("list",),
        ("list", "--json"),
        ("list", "--all"),
        ("show", "tiny.square"),
        ("history", "tiny.square"),
        ("show", "tiny.square", "--json"),
        ("explain", "tiny.square"),
        ("report",),
        ("report", "--format", "html"),
        ("report", "--format", "junit"),
        ("report", "--format", "json"),
        ("list", "--flaws"),
    )
    return Call((*random.choice(commands), "--claims", "claims"), files)
