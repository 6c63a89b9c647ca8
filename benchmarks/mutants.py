"""How much the evidence could notice: break every formula automatically, count what the claim's evidence rejects.

    python -m benchmarks.mutants ['savarese2019.*' …]

uses what the ledger holds (run `implicitbias verify` first). A mutant changes one sign, factor, exponent or function,
or drops one term. One that survives equals the formula where the claim speaks, or shows where its evidence is thin.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Iterator

from implicitbias.catalogue import load
from implicitbias.claim import Claim
from implicitbias.conjecture import judged, together
from implicitbias.errors import FormulaError
from implicitbias.execution.executor import WorkerPool
from implicitbias.expression import parse
from implicitbias.judgement import Outcome
from implicitbias.ledger import Ledger
from implicitbias.result import Result

OTHER_FUNCTION = {"Max": "Min", "Min": "Max", "Abs": "sign", "sqrt": "Abs", "exp": "cosh", "sin": "cos", "cos": "sin"}
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def mutants(formula: str) -> list[str]:
    """The formula with one thing wrong, each way once.

    >>> mutants("Max(T, -s)")
    ['Max(2 * T, -s)', 'Max(T, -(2 * s))', 'Max(T, s)', 'Min(T, -s)']
    """
    tree = ast.parse(formula, mode="eval")
    found = {ast.unparse(ast.fix_missing_locations(other)) for other in _broken(tree)}
    return sorted(found - {ast.unparse(tree)})


def _broken(tree: ast.Expression) -> Iterator[ast.Expression]:
    for place, node in enumerate(ast.walk(tree)):
        for other in _neighbours(node):
            whole = copy.deepcopy(tree)
            target = list(ast.walk(whole))[place]
            yield _Swap(target, other).visit(whole)


def _neighbours(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=operator, right=right):
            yield left
            yield right
            if isinstance(operator, OPERATORS):
                yield from (ast.BinOp(left, other(), right) for other in OPERATORS if not isinstance(operator, other))
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in OTHER_FUNCTION:
            yield ast.Call(ast.Name(OTHER_FUNCTION[name]), arguments, [])
        case ast.Name(id=name) if name not in OTHER_FUNCTION:
            yield ast.BinOp(ast.Constant(2), ast.Mult(), node)


class _Swap(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.expr) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> ast.AST:
        return self.other if node is self.target else self.generic_visit(node)


def tried(claim: Claim, results: list[Result], pool: WorkerPool) -> Iterator[tuple[str, Outcome]]:
    """Every mutant that the formula language allows, with what the evidence says of it."""
    symbols = list(claim.symbols)
    for formula in mutants(str(claim.formula)):
        try:
            parse(formula, symbols)
        except FormulaError:
            continue
        yield formula, together([judgement for _, judgement in judged(results, formula, symbols, pool)])


def main(globs: list[str]) -> None:
    catalogue = load()
    rejected = total = 0
    with Ledger() as ledger, WorkerPool() as pool:
        for claim in catalogue.select(globs):
            entries = [ledger.latest(claim.id, check.name) for check in claim.checks]
            results = [entry.result for entry in entries if entry is not None]
            if not isinstance(claim.formula, str) or not results:
                continue
            for formula, outcome in tried(claim, results, pool):
                total += 1
                rejected += outcome is Outcome.REJECTED
                if outcome is not Outcome.REJECTED:
                    print(f"{claim.id}: {claim.formula}  survived by  {formula}  ({outcome})")
    print(f"{rejected} of {total} mutants rejected" + (f", {rejected / total:.1%}" if total else ""))


if __name__ == "__main__":
    main(sys.argv[1:])
