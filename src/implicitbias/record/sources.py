"""The files of this project, or of a claims folder, that a file uses: followed through its imports, without importing.

The scan takes every import statement, those inside functions too, and relative ones; not those under `TYPE_CHECKING`,
which nothing executes. A package's `__init__.py` counts where something is taken from it, not where it is only passed
on the way to a submodule: `implicitbias/__init__.py` offers everything, so no result would stay fresh. Data files
count where a string in the source names a file in the same folder.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PROJECT = "implicitbias"

# A whole module takes milliseconds to parse, its imports alone tens of microseconds. Whatever these patterns cannot be
# sure of (several statements on a line, continued lines, a line of prose that begins like an import) is parsed in full.
_IMPORT = re.compile(rb"^[ \t]*((?:from[ \t]+[.\w]+[ \t]*import\b|import\b)[^\n(]*(?:\([^)]*\)[^\n]*)?)", re.MULTILINE)
_ONE_LINER = re.compile(rb"[:;][ \t]*(?:import|from)\b|\bimport\b[^\n]*\\\n|\bfrom\b[^\n]*\\\n")
_TYPE_CHECKING = re.compile(
    rb"^([ \t]*)if (?:typing\.)?TYPE_CHECKING:[ \t]*\n(?:\1[ \t]+[^\n]*\n|[ \t]*\n)*", re.MULTILINE
)
_DATA = re.compile(rb"""["']([\w\-./]+\.(?:json|csv|txt|npy|npz))["']""")


@dataclass(frozen=True)
class _Scan:
    stamp: tuple[int, int]
    digest: str
    uses: tuple[Path, ...]


_scans: dict[Path, _Scan] = {}


def sources(files: Iterable[Path], folder: Path | None = None) -> dict[str, str]:
    """The names of these files and of all that they use, each with the digest of its contents.

    Names are the same on every machine: `theory/savarese2019/theorem_3_1.py`, `implicitbias/judging/judgement.py`, and
    within a claims folder the path from there.
    """
    todo, found = list(files), {}
    while todo:
        file = todo.pop()
        if file not in found:
            found[file] = scan = _scan(file)
            todo.extend(scan.uses)
    return dict(sorted((_name(file, folder), scan.digest) for file, scan in found.items()))


def file_of(module: str) -> Path | None:
    """The file of a module of this project; None for any other module."""
    first, *rest = module.split(".")
    if first != PROJECT:
        return None
    place = _place(PROJECT)
    if place is not None and rest and not _module_at(place / rest[0]):
        # Packages that live elsewhere in the repository: `theory`, `tui`.
        place, rest = _place(f"{PROJECT}.{rest[0]}"), rest[1:]
    return _module_at(place.joinpath(*rest)) if place is not None else None


def _scan(file: Path) -> _Scan:
    stat = file.stat()
    stamp = (stat.st_mtime_ns, stat.st_size)
    known = _scans.get(file)
    if known is None or known.stamp != stamp:
        contents = file.read_bytes()
        uses = tuple(dict.fromkeys(_used_by(file, contents))) if file.suffix == ".py" else ()
        known = _scans[file] = _Scan(stamp, hashlib.sha256(contents).hexdigest()[:20], uses)
    return known


def _used_by(file: Path, contents: bytes) -> Iterator[Path]:
    for statement in imports(contents):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if used := file_of(alias.name):
                    yield used
        elif origin := _origin(statement, file):
            yield from _taken_from(origin, [alias.name for alias in statement.names])
    for name in _DATA.findall(contents):
        data = file.parent / name.decode()
        if data.is_file():
            yield data


def imports(contents: bytes) -> list[ast.Import | ast.ImportFrom]:
    """All import statements of a module's source, except those under `TYPE_CHECKING`."""
    if not _ONE_LINER.search(contents):
        lines = b"\n".join(_IMPORT.findall(_TYPE_CHECKING.sub(b"", contents)))
        with contextlib.suppress(SyntaxError):
            return list(_statements(ast.parse(lines)))
    try:
        return list(_statements(ast.parse(contents)))
    except (SyntaxError, ValueError):
        return []  # its import will fail and say so; until it is mended, its digest tells versions apart


def _statements(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a tree. Only statements hold statements, so expressions are not walked."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in (
            getattr(node.test, "id", ""),
            getattr(node.test, "attr", ""),
        ):
            todo.extend(node.orelse)
            continue
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, block, None)
            if isinstance(inside, list):
                todo.extend(inside)


def _origin(statement: ast.ImportFrom, file: Path) -> Path | None:
    """The file of the module from which the statement takes names; for a package without `__init__.py` its folder."""
    if statement.level == 0:
        return file_of(statement.module or "")
    place = file.parents[statement.level - 1].joinpath(*(statement.module or "").split("."))
    return _module_at(place) or (place if place.is_dir() else None)


def _taken_from(origin: Path, names: list[str]) -> Iterator[Path]:
    package = origin.parent if origin.name == "__init__.py" else origin if origin.is_dir() else None
    for name in names:
        submodule = package and _module_at(package / name)
        if submodule:
            yield submodule
        elif origin.is_file():
            yield origin


def _module_at(place: Path) -> Path | None:
    for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


@lru_cache
def _place(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


@lru_cache(maxsize=4096)
def _name(file: Path, folder: Path | None) -> str:
    if folder is not None and file.is_relative_to(folder):
        return file.relative_to(folder).as_posix()
    for package, name in ((f"{PROJECT}.theory", "theory"), (PROJECT, PROJECT)):
        place = _place(package)
        if place is not None and file.is_relative_to(place):
            return f"{name}/{file.relative_to(place).as_posix()}"
    return file.name
