"""True rewritings of the claims' formulas, judged by recorded evidence: none may be refuted, few left undecided.

    python -m benchmarks.rewritings LEDGER.sqlite [--every N]

Each rewriting changes one place of a formula into something equal wherever the place has a value: |x| into √(x²), Max
into half a sum with an absolute value, a root into an exponential of a logarithm, and so on. The evidence is read from
a ledger that `implicitbias verify --ledger` has filled.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from implicitbias.claims.catalogue import load
from implicitbias.exact.formula import Operation, parse
from implicitbias.judging.judge import judge
from implicitbias.record.ledger import Ledger

LIMIT = 60.0

Rewriting = Callable[[Operation], Operation | None]


def number(value: int | Fraction) -> Operation:
    return Operation("", number=Fraction(value))


def op(head: str, *arguments: Operation) -> Operation:
    return Operation(head, arguments)


def of(head: str, change: Callable[..., Operation]) -> Rewriting:
    return lambda node: change(*node.arguments) if node.head == head and node.arguments else None


def two(head: str, change: Callable[[Operation, Operation], Operation]) -> Rewriting:
    return lambda node: change(*node.arguments) if node.head == head and len(node.arguments) == 2 else None


def squared(x: Operation) -> Operation:
    return op("**", x, number(2))


REWRITINGS: dict[str, Rewriting] = {
    "|x| = max(x, -x)": of("Abs", lambda x: op("Max", x, op("neg", x))),
    "|x| = √(x²)": of("Abs", lambda x: op("sqrt", squared(x))),
    "|x| = ||x||": of("Abs", lambda x: op("Abs", op("Abs", x))),
    "|x| = ||x| + 1| - 1": of("Abs", lambda x: op("-", op("Abs", op("+", op("Abs", x), number(1))), number(1))),
    "√x = x^(1/2)": of("sqrt", lambda x: op("**", x, number(Fraction(1, 2)))),
    "√x = (x²)^(1/4)": of("sqrt", lambda x: op("**", squared(x), number(Fraction(1, 4)))),
    "√x = √(4x)/2": of("sqrt", lambda x: op("/", op("sqrt", op("*", number(4), x)), number(2))),
    "max(x, y) = (x + y + |x - y|)/2": two(
        "Max", lambda x, y: op("/", op("+", op("+", x, y), op("Abs", op("-", x, y))), number(2))
    ),
    "max(x, y) = x + max(0, y - x)": two("Max", lambda x, y: op("+", x, op("Max", number(0), op("-", y, x)))),
    "max(x, y) = -min(-x, -y)": two("Max", lambda x, y: op("neg", op("Min", op("neg", x), op("neg", y)))),
    "max(x, y) = max(x, y, min(x, y))": two("Max", lambda x, y: op("Max", x, y, op("Min", x, y))),
    "min(x, y) = (x + y - |x - y|)/2": two(
        "Min", lambda x, y: op("/", op("-", op("+", x, y), op("Abs", op("-", x, y))), number(2))
    ),
    "x y = ((x + y)² - (x - y)²)/4": two(
        "*", lambda x, y: op("/", op("-", squared(op("+", x, y)), squared(op("-", x, y))), number(4))
    ),
    "x/y = x y/y²": two("/", lambda x, y: op("/", op("*", x, y), squared(y))),
    "x/y = 1/(y/x) + 0 where x = 1": two(
        "/", lambda x, y: op("/", number(1), y) if x.number == 1 else op("*", x, op("/", number(1), y))
    ),
    "x² = |x|²": of("**", lambda x, n: op("**", op("Abs", x), n) if n.number == 2 else op("**", x, n)),
    "x + y = y + x": two("+", lambda x, y: op("+", y, x)),
    "x - y = (x² - 2xy + y²)/(x - y) not used; x - y = -(y - x)": two("-", lambda x, y: op("neg", op("-", y, x))),
    "atan x = sign(x) acos(1/√(1 + x²))": of(
        "atan",
        lambda x: op("*", op("sign", x), op("acos", op("/", number(1), op("sqrt", op("+", number(1), squared(x)))))),
    ),
    "atan x = asin(x/√(1 + x²))": of(
        "atan", lambda x: op("asin", op("/", x, op("sqrt", op("+", number(1), squared(x)))))
    ),
    "atan x = 2 atan(x/(1 + √(1 + x²)))": of(
        "atan",
        lambda x: op(
            "*",
            number(2),
            op("atan", op("/", x, op("+", number(1), op("sqrt", op("+", number(1), squared(x)))))),
        ),
    ),
    "exp x = (exp(x/2))²": of("exp", lambda x: squared(op("exp", op("/", x, number(2))))),
    "log x = 2 log √x": of("log", lambda x: op("*", number(2), op("log", op("sqrt", x)))),
    "log x = -log(1/x)": of("log", lambda x: op("neg", op("log", op("/", number(1), x)))),
}

WHOLE: dict[str, Callable[[Operation], Operation]] = {
    "f = min(f, f)": lambda f: op("Min", f, f),
    "f = max(f, f - 1)": lambda f: op("Max", f, op("-", f, number(1))),
    "f = ((f + 1)² - (f - 1)²)/4": lambda f: op(
        "/", op("-", squared(op("+", f, number(1))), squared(op("-", f, number(1)))), number(4)
    ),
    "f = sign(f)|f|": lambda f: op("*", op("sign", f), op("Abs", f)),
    "f = log(exp(f/8))·8": lambda f: op("*", number(8), op("log", op("exp", op("/", f, number(8))))),
}


def places(node: Operation, rewriting: Rewriting) -> Iterator[Operation]:
    """The formula rewritten at each place where the rewriting applies."""
    changed = rewriting(node)
    if changed is not None and changed != node:
        yield changed
    for i, argument in enumerate(node.arguments):
        for inner in places(argument, rewriting):
            yield Operation(node.head, (*node.arguments[:i], inner, *node.arguments[i + 1 :]))


def text(node: Operation) -> str:
    if node.number is not None:
        return f"({node.number})"
    if not node.arguments:
        return node.head
    inside = [text(a) for a in node.arguments]
    if node.head == "neg":
        return f"(-{inside[0]})"
    if node.head in ("+", "-", "*", "/", "**"):
        return f"({inside[0]}{node.head}{inside[1]})"
    return f"{node.head}({', '.join(inside)})"


def rewritten(formula: str, symbols: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    tree = parse(formula, symbols).tree
    for name, rewriting in REWRITINGS.items():
        first = next(places(tree, rewriting), None)
        if first is not None:
            yield name, text(first)
    yield from ((name, text(change(tree))) for name, change in WHOLE.items())


def main(arguments: list[str]) -> int:
    every = int(arguments[arguments.index("--every") + 1]) if "--every" in arguments else 1
    outcomes: Counter[str] = Counter()
    count = 0
    with Ledger(Path(arguments[0]), read_only=True) as ledger:
        results = ledger.all_latest()
    for claim in load().claims:
        if not isinstance(claim.formula, str):
            continue
        for name, formula in rewritten(claim.formula, tuple(claim.symbols)):
            count += 1
            if count % every or len(formula) > 1500:
                continue
            for result in (r for r in results if r.claim == claim.id and r.verdict.accepts):
                began = time.perf_counter()
                found = judge(result.evidence, formula, list(claim.symbols))
                outcomes[str(found.outcome)] += 1
                seconds = time.perf_counter() - began
                if str(found.outcome) != "accepted" or seconds > LIMIT / 6:
                    print(f"{claim.id} | {result.check} | {name} | {formula}\n    {found.outcome}: ", end="")
                    print(f"{(found.reason or str(found.counterexample))[:200]} ({seconds:.1f} s)", flush=True)
    print(dict(outcomes))
    return int(outcomes["rejected"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
