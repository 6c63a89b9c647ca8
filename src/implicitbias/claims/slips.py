"""Mistakes in claim files that would silently lose a check or a claim, reported when the files are loaded.

These are claims and checks that a file makes but that reach no catalogue or claim, observations without a decorator,
and claim files that import one another.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from implicitbias.claims.statement import Claim
from implicitbias.claims.wellformed import Found, Problem
from implicitbias.claims.writing import Made, Observation

IMPORT = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)", re.MULTILINE)
TAKES = {"context", "derivation", "d"}
"""Usual names of the only parameter of an observation."""


def lost(made: Mapping[Path, Made], found: Iterable[Found]) -> Iterator[Problem]:
    """The claims that were made while a file was imported but that no file holds, and the checks that no claim has."""
    kept = [f.claim for f in found]
    ids = {str(claim.id) for claim in kept}
    used = {id(observe) for claim in kept for observe in _observations(claim)}
    for file, things in made.items():
        for claim in things.claims:
            used |= {id(observe) for observe in _observations(claim)}
            if str(claim.id) not in ids:
                says = "is made and lost: give each claim a name of its own, or put claims in a tuple"
                yield Problem(file, str(claim.id), says)
    for file, things in made.items():
        for check in things.checks:
            if id(check.observe) not in used:
                yield Problem(file, None, f"no claim has the check {check.name!r} ({check.observe.__name__})")


def _observations(claim: Claim) -> list[object]:
    return [getattr(check, "observe", None) for check in claim.checks]


def undecorated(module: types.ModuleType, file: Path) -> Iterator[Problem]:
    """Observations that neither a decorator nor anything else in the file refers to."""
    for name, value in vars(module).items():
        if not isinstance(value, types.FunctionType) or value.__module__ != module.__name__:
            continue
        if _observes(value) and len(re.findall(rf"\b{name}\b", _text(file))) < 2:
            says = f"nothing uses the observation {name}: decorate it with @proof, @certificate or @experiment"
            yield Problem(file, None, says)


def _text(file: Path) -> str:
    """The file's text. What has another encoding than it says is reported where it is imported."""
    return file.read_bytes().decode("utf-8", "replace")


def _observes(function: types.FunctionType) -> bool:
    parameters = tuple(inspect.signature(function).parameters)
    if len(parameters) != 1 or hasattr(function, "__wrapped__"):
        return False
    returns = function.__annotations__.get("return")
    is_generator = inspect.isgeneratorfunction(function) and parameters[0] in TAKES
    return is_generator or returns == "Observation" or returns is Observation


def borrowed(files: Mapping[str, Path]) -> Iterator[Problem]:
    """Imports from one claim file into another. `files`: the claim files by the full names of their modules."""
    for name, file in files.items():
        package = name.rpartition(".")[0]
        for other in dict.fromkeys(_imported(package, _text(file), files)):
            if other != name:
                advice = "what claim files share stands in a file whose name begins with an underscore"
                yield Problem(file, None, f"imports from {files[other].name}, another claim file: {advice}")


def _imported(package: str, text: str, modules: Collection[str]) -> Iterator[str]:
    for dots, path, names in IMPORT.findall(text):
        base = package.split(".")[: len(package.split(".")) - len(dots) + 1] if dots else []
        target = ".".join([*base, *([path] if path else [])])
        candidates = [target, *(f"{target}.{word}" for word in re.findall(r"\w+", names))]
        yield from (module for module in candidates if module in modules)


def hidden(module: types.ModuleType, file: Path) -> Iterator[Problem]:
    """Claims in containers that the catalogue does not look into."""
    for name, value in vars(module).items():
        listed = isinstance(value, tuple | list)
        if not isinstance(value, Claim) and any(map(_hides_claims, value if listed else (value,))):
            where = f"a {type(value).__name__} of {'tuples' if listed else 'claims'}"
            yield Problem(file, None, f"{name} is {where}: only names, tuples and lists of claims are read")


def _hides_claims(value: object) -> bool:
    return not isinstance(value, Claim) and _hold_claims(value)


def _hold_claims(value: object, depth: int = 3) -> bool:
    if isinstance(value, Claim):
        return True
    inside: Iterable[object] = ()
    if isinstance(value, Mapping):
        inside = value.values()
    elif isinstance(value, tuple | list | set | frozenset):
        inside = value
    return depth > 0 and any(_hold_claims(entry, depth - 1) for entry in inside)
