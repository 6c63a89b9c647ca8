"""How fast rivals are searched for: expressions per second on one core, for evidence of several sizes."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random

from benchmarks.timing import table
from implicitbias.claims.evidence import Evidence, Instance
from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import parse
from implicitbias.judging.rivals.search import search

EXPRESSIONS = 300_000
FORMULAS = ("2*n + d", "Max(T, Abs(a + b))/2", "sqrt(a**2 + b**2)*c/(1 + d)")
SIZES = (10, 1000)


def evidence(formula: str, size: int) -> tuple[Evidence, tuple[str, ...]]:
    """Exact instances of the formula at random positive fractions."""
    expression = parse(formula)
    symbols = tuple(sorted(expression.names))
    draw = Random(0)
    points = [{name: Fraction(draw.randint(1, 40), draw.randint(1, 4)) for name in symbols} for _ in range(size)]
    return Evidence(instances=tuple(Instance("", p, evaluate(expression, p)) for p in points)), symbols


def report() -> str:
    rows = []
    for formula in FORMULAS:
        for size in SIZES:
            seen, symbols = evidence(formula, size)
            begun = time.process_time()
            found = search([seen], formula, symbols, EXPRESSIONS, seconds=60.0)
            spent = time.process_time() - begun
            rate = f"{found.evaluated / spent:,.0f}"
            rows.append(
                [f"`{formula}`", f"{size}", f"{found.evaluated:,}", f"{found.distinct:,}", f"{spent:.2f} s", rate]
            )
    header = ["formula", "instances", "expressions", "different, built from below", "CPU time", "per second"]
    return (
        "## Rivals\n\nExpressions that the search evaluates and holds against the evidence, on one core.\n\n"
        + table(header, rows)
    )
