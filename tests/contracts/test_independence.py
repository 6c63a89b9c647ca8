"""No observation can see what it will judge: nothing that it reaches holds the formula. Found without running it."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.statement import Claim, Control, Flaw, Rule

CHECKS = {f"{claim.id}: {check.name}": (claim, check) for claim in load().claims for check in claim.checks}
THEORY = "implicitbias.theory"
TELLING = 4
"""Characters from which a text is the formula's and not anybody's `1` or `n`."""


@pytest.mark.parametrize("name", CHECKS)
def test_nothing_that_an_observation_reaches_holds_what_it_will_judge(name: str) -> None:
    claim, check = CHECKS[name]
    starts = [check.observe, *([check.sweep.parameters, check.sweep.job] if check.sweep else [])]
    for found in _reached(starts):
        assert not isinstance(found, Claim | Control | Flaw | Rule)
        if isinstance(claim.formula, Rule):
            assert found is not claim.formula.predict
        elif isinstance(found, str) and len(found) >= TELLING:
            assert found != claim.formula


def _reached(starts: list[Any]) -> Iterator[Any]:
    """All that functions of the theory name, close over or have as defaults, down through what that reaches."""
    seen: dict[int, Any] = {}
    todo = list(starts)
    while todo:
        found = todo.pop()
        if id(found) in seen:
            continue
        seen[id(found)] = found
        yield found
        todo += _parts(found)


def _parts(found: Any) -> list[Any]:
    if isinstance(found, functools.partial):
        return [found.func, *found.args, *found.keywords.values()]
    if isinstance(found, types.MethodType | classmethod | staticmethod):
        return [found.__func__]
    if isinstance(found, types.FunctionType):
        cells = [cell.cell_contents for cell in found.__closure__ or ()]
        defaults = [*(found.__defaults__ or ()), *(found.__kwdefaults__ or {}).values()]
        return [*_named(found.__code__, found.__globals__), *cells, *defaults]
    if hasattr(found, "__wrapped__"):
        return [found.__wrapped__]
    if isinstance(found, type):
        return [m for m in vars(found).values() if isinstance(m, types.FunctionType | classmethod | staticmethod)]
    if isinstance(found, tuple | list):
        return list(found)
    return list(found.values()) if isinstance(found, dict) else []


def _named(code: types.CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The global values that a function names, those of the mathematics below the theory left out."""
    for name in code.co_names:
        value = names.get(name)
        callable_ = isinstance(value, type | types.FunctionType | functools.partial) or hasattr(value, "__wrapped__")
        if not isinstance(value, types.ModuleType) and (not callable_ or value.__module__.startswith(THEORY)):
            yield value
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _named(inner, names)
