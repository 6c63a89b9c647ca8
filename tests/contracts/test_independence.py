"""No observation can see the formula it is judged by: nothing it reaches holds it. Determined without running it."""

from __future__ import annotations

import ast
import dis
import functools
import importlib
import importlib.util
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from implicitbias.claims import Context, Kind, Observation, certificate, seen
from implicitbias.claims.catalogue import load
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.statement import Candidate, Claim, Control, Flaw, Rule
from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import Comparison, compare, enclose, evaluate
from implicitbias.exact.formula import Expression, parse
from implicitbias.exact.symbolic import sample_points

CATALOGUE = load()
CHECKS = {f"{claim.id}: {check.name}": (claim, check) for claim in CATALOGUE.claims for check in claim.checks}
THEORY = "implicitbias.theory"
TELLING = 4
"""From this many characters on a text is recognisably the formula; shorter ones (`1`, `n`) occur by chance."""


@pytest.mark.parametrize("name", CHECKS)
def test_nothing_that_an_observation_reaches_holds_the_formula(name: str) -> None:
    claim, check = CHECKS[name]
    for found in reached([check]):
        assert not isinstance(found, Claim | Control | Erratum | Flaw | Rule)
        if isinstance(claim.formula, Rule):
            assert found is not claim.formula.predict
        elif isinstance(found, str) and len(found) >= TELLING:
            assert found != claim.formula


@pytest.mark.parametrize("name", [name for name, (_, check) in CHECKS.items() if check.kind is not Kind.PROOF])
def test_no_observation_has_the_formula_typed_in_its_code(name: str) -> None:
    """Proofs are left out: the value they derive is the formula, and some are given it as text."""
    claim, check = CHECKS[name]
    assert not typed_formulas(claim.formula, tuple(claim.symbols), [check])


def test_a_formula_written_differently_in_a_function_that_an_observation_calls_is_found() -> None:
    def oracle(x: int, y: int) -> object:
        return enclose("y**2 + 2*(x + 1) - 2", x=x, y=y)

    @certificate("typed")
    def observe(context: Context) -> Observation:
        yield seen([oracle(1, 2) for _ in range(3)], x=1, y=2)  # type: ignore[list-item]

    assert typed_formulas("2*x + y**2", ("x", "y"), [observe]) == ["y**2 + 2*(x + 1) - 2"]
    assert not typed_formulas("2*x - y**2", ("x", "y"), [observe])


def typed_formulas(formula: Candidate, symbols: tuple[str, ...], starts: list[Any]) -> list[str]:
    """String constants in reachable code of the theory that are equal to the formula, however they are written."""
    if isinstance(formula, Rule) or len(formula) < TELLING or formula.isidentifier():
        return []  # a symbol alone is a word like any other
    code = (found for found in reached(starts) if isinstance(found, types.FunctionType))
    texts = {text for function in code for text in _texts(function) if len(text) >= TELLING}
    return sorted(text for text in texts if _same(text, formula, symbols))


@functools.cache
def _same(text: str, formula: str, symbols: tuple[str, ...]) -> bool:
    """Whether both parse and agree at sample points (where both are defined)."""
    try:
        one, other = parse(text, symbols), parse(formula, symbols)
    except FormulaError:
        return False
    if not one.names:
        return one == other
    found = [
        comparison
        for domain in ("positive integer", "real")
        for point in sample_points(dict.fromkeys(symbols, domain), count=9)  # type: ignore[arg-type]
        if (comparison := _compared(one, other, point)) is not None
    ]
    return len(found) > 1 and set(found) <= {Comparison.EQUAL, Comparison.UNKNOWN}


def _compared(one: Expression, other: Expression, point: Mapping[str, Fraction]) -> Comparison | None:
    try:
        return compare(evaluate(one, point), evaluate(other, point))
    except ArithmeticError:
        return None


@functools.cache
def _texts(function: types.FunctionType) -> frozenset[str]:
    """The string constants of a function and of the functions inside it, those between the fields of f-strings too."""
    todo, texts = list[Any](function.__code__.co_consts), set()
    while todo:
        match todo.pop():
            case str(text):
                texts.add(text)
            case types.CodeType() as code:
                todo += code.co_consts
            case tuple() | frozenset() as constants:
                todo += constants
    return frozenset(texts)


CLAIM_FILES = sorted(set(CATALOGUE.files.values()))


@pytest.mark.parametrize("path", CLAIM_FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_claim_file_imports_from_another(path: Path) -> None:
    """Functions that several claim files need belong to `theory/observed`, which contains no claims."""
    others = {_module_name(other) for other in CLAIM_FILES if other != path}
    assert not sorted(_imported(path) & others)


@pytest.mark.parametrize("path", CLAIM_FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_claim_file_can_look_claims_up_or_judge_them(path: Path) -> None:
    """Claim files import the notation and the records, and nothing else of the checker."""
    assert not [name for name in _imported(path) if name.startswith(CHECKING)]


CHECKING = tuple(
    f"implicitbias.{name}" for name in ("claims.catalogue", "judging", "running", "record", "report", "commands", "cli")
)


def _module_name(path: Path) -> str:
    return f"{THEORY}.{path.parent.name}.{path.stem}"


def _imported(path: Path) -> set[str]:
    """The modules that a file imports from, and the imported names qualified, since they may be modules."""
    package, found = _module_name(path).rpartition(".")[0], set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            found |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
    return found


def reached(starts: list[Any]) -> Iterator[Any]:
    """Everything that checks and functions name, import, close over or have as defaults, transitively.

    Code of the theory is followed, the mathematics it uses is not.
    """
    met: dict[int, Any] = {}
    todo = list(starts)
    while todo:
        found = todo.pop()
        if id(found) in met:
            continue
        met[id(found)] = found
        yield found
        todo += _parts(found)


def _parts(found: Any) -> list[Any]:
    if isinstance(found, functools.partial):
        return [found.func, *found.args, *found.keywords.values()]
    if isinstance(found, types.MethodType | classmethod | staticmethod):
        return [found.__func__]
    if isinstance(found, property):
        return [found.fget]
    if isinstance(found, types.FunctionType):
        cells = [cell.cell_contents for cell in found.__closure__ or ()]
        defaults = [*(found.__defaults__ or ()), *(found.__kwdefaults__ or {}).values()]
        wrapped = [found.__wrapped__] if hasattr(found, "__wrapped__") else []
        return [*_named(found.__code__, found.__globals__), *cells, *defaults, *wrapped]
    if hasattr(found, "__wrapped__"):
        return [found.__wrapped__]
    if isinstance(found, type):
        return [m for m in vars(found).values() if isinstance(m, FUNCTIONS)]
    if isinstance(found, tuple | list | set | frozenset):
        return list(found)
    if isinstance(found, dict):
        return [*found.keys(), *found.values()]
    if is_dataclass(found) and not isinstance(found, type):
        return [type(found), *(getattr(found, field.name) for field in fields(found))]
    return []


FUNCTIONS = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)


def _named(code: types.CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The values that code names or imports, except functions and classes defined outside the theory."""
    values = [*(names[name] for name in code.co_names if name in names), *_imported_by(code, names)]
    modules = [value for value in values if isinstance(value, types.ModuleType) and _is_theory(value.__name__)]
    values += [getattr(module, name) for module in modules for name in code.co_names if hasattr(module, name)]
    for value in values:
        callable_ = isinstance(value, type | types.FunctionType | functools.partial) or hasattr(value, "__wrapped__")
        if not isinstance(value, types.ModuleType) and (not callable_ or _is_theory(_home(value))):
            yield value
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _named(inner, names)


def _home(value: Any) -> str:
    return str((value.func if isinstance(value, functools.partial) else value).__module__)


def _is_theory(name: str) -> bool:
    return name.startswith(THEORY)


def _imported_by(code: types.CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The values of `from x import y` inside a function, for modules x of the theory."""
    instructions = list(dis.get_instructions(code))
    for level, wanted, statement in zip(instructions, instructions[1:], instructions[2:], strict=False):
        if statement.opname != "IMPORT_NAME" or not wanted.argval:
            continue
        origin = importlib.util.resolve_name("." * level.argval + statement.argval, names["__package__"])
        if _is_theory(origin):
            module = importlib.import_module(origin)
            for name in wanted.argval:
                yield getattr(module, name) if hasattr(module, name) else importlib.import_module(f"{origin}.{name}")
