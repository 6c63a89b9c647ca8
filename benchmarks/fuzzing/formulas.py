"""Formulas: of the language, near it, and attempts to have something executed."""

from __future__ import annotations

from random import Random

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.mutation import damaged
from benchmarks.fuzzing.numerals import number

ONE = (
    "Abs",
    "abs",
    "sqrt",
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "erf",
    "gamma",
    "sign",
    "floor",
)
ATTACKS = (
    "__import__('os').system('touch kanarie7')",
    "open('kanarie7','w')",
    "exec('kanarie7')",
    "eval('kanarie7()')",
    "().__class__.__bases__[0].__subclasses__()",
    "x.__class__",
    "x.func(kanarie7)",
    "[kanarie7 for x in (1,)]",
    "(lambda: kanarie7)()",
    "f'{kanarie7}'",
    "(x:=kanarie7)",
    "x if x else kanarie7",
    "'kanarie7'.__len__()",
    "getattr(x,'kanarie7')",
    "Symbol('kanarie7')",
    "Max(*x)",
    "Max(**x)",
    "Abs(x=1)",
    "x[0]",
    "{x}",
    "x<1",
    "x==x",
    "not x",
    "x and x",
    "~x",
    "x//2",
    "x%2",
    "x@x",
    "x^2",
    "1j",
    "...",
    "None",
    "True*x",
    "b'x'",
    "x;x",
    "x=1",
    "x\nx",
    "await x",
    "yield x",
    "print(x)",
    "x!",
    "|x|",
    "√x",
    "x²",
    "π",
    "х",
    "ℯ",
    "\U0001d465",
    "ﬀ",
    "x\u202e",
    "\x1b[31mx",
    "lambda",
    "import os",
    "#x",
    "'''",
    '"""',
    "\\",
    "x\\\nx",
    "0777",
    "1__0",
    "1e",
    "0x1F",
    "1if x else 2",
    "1or x",
    "9**9**9**9",
    "x**x**x**x",
    "gamma(gamma(9))",
    "gamma(1e300)",
    "exp(exp(exp(exp(x))))",
    "floor(x*1e300)",
    "sin(1e300*x)",
    "exp(1e300)",
    "exp(-1e300)",
    "tan(pi/2)",
    "log(0)",
    "sqrt(-1)",
    "0**0",
    "0**-1",
    "1/0",
    "x/0",
    "asin(2)",
    "log(-x**2)",
)


def formula(random: Random, names: tuple[str, ...] = ("x",), depth: int = 3) -> str:
    """A formula of the language up to now and then a strange number or name."""
    if depth <= 0 or random.random() < 0.25:
        if random.random() < 0.6:
            return random.choice(names)
        if random.random() < 0.1:
            return random.choice(("pi", "E", "y", "T", "x1", "_", "nan", "oo", "zoo", "I"))
        return number(random, 0.03)
    inner = depth - 1
    match random.randrange(6):
        case 0 | 1:
            left, right = formula(random, names, inner), formula(random, names, inner)
            return f"({left}) {random.choice('+-*/')} ({right})"
        case 2:
            exponent = random.choice(("2", "3", "-1", "1/2", "0.5", "0", "-2", "7", "257", "x", "pi", "1e9"))
            return f"({formula(random, names, inner)})**{exponent}"
        case 3:
            return f"-{formula(random, names, inner)}"
        case 4:
            return f"{random.choice(ONE)}({formula(random, names, inner)})"
    parts = ", ".join(formula(random, names, inner) for _ in range(random.randint(1, 3)))
    return f"{random.choice(('Max', 'Min', 'max'))}({parts})"


def huge(random: Random) -> str:
    """A formula of a size or a depth that nobody writes."""
    n = random.choice((30, 41, 300, 700, 1999, 2001, 50_000))
    return random.choice(
        (
            f"{'(' * n}x{')' * n}",
            "x" + "+x" * n,
            "-" * n + "x",
            "abs(" * n + "x" + ")" * n,
            "x" + "**2" * n,
            "x" * n,
            "1" * n,
            f"0.{'1' * n}*x",
            "Max(" + "x," * n + "x)",
            f"x**{'9' * n}",
            "x" + "/x" * n,
            "[" * n,
            "x" + " " * n,
            "x*" * n,
        )
    )


def hostile(random: Random, names: tuple[str, ...] = ("x",)) -> str:
    """Any of these."""
    match random.randrange(10):
        case 0 | 1 | 2:
            attack = random.choice(ATTACKS)
            return random.choice((attack, f"abs({attack})", f"x + {attack}", f"({attack})**2"))
        case 3:
            return huge(random)
        case 4 | 5 | 6 | 7:
            text = damaged(random, formula(random, names).encode("utf-8", "surrogatepass"), 2)
            return text.decode("utf-8", "surrogateescape").replace("\0", "0")
    return formula(random, names, random.randint(1, 4))


def calls(random: Random) -> Call:
    """A formula where the command line takes one; `cost` gives up after a second."""
    text = hostile(random)
    as_json = ("--json",) * random.randrange(2)
    match random.randrange(40):
        case 0:
            points = b"0,0\n1,1\n2,0\n4,1\n"
            return Call(("predict", "points.csv", f"--zeta={text}", *as_json), {"points.csv": points})
        case 1 | 2 | 3:
            return Call(("zeta", f"--weight=normal(0,{text})", "--bias", "normal(0,1)", "--at", "0.5", *as_json))
    return Call(("cost", f"--formula={text}", "--time-limit", "0.3", *as_json))
