"""Find claims: the shipped theory, or any folder of claim files.

A claim file is a Python file that defines claims (`implicitbias.claims.claim`) as values of its own; what several claim
files share stands in a file whose name begins with an underscore, or in a subfolder without claims. A paper's folder
introduces itself by `PAPER` in its `__init__.py`; `PAPER.order` gives the reading order; its `errata.py` holds what is
wrong in print. Everything that is wrong in the files is reported at once, by file and claim, in one `CatalogueError`.
Loading imports none of the mathematics.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from implicitbias.claims.errata import FILE as ERRATA
from implicitbias.claims.errata import all_errata, errata_in, problems_of_errata
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.naming import as_named, matches, place_of
from implicitbias.claims.slips import borrowed, hidden, lost, undecorated
from implicitbias.claims.statement import Claim, Paper
from implicitbias.claims.wellformed import Found, Problem, as_tuple, of_other_types, problems_of
from implicitbias.claims.writing import Made, recording
from implicitbias.errors import CatalogueError, UnknownClaimError

SHIPPED = "implicitbias.theory"
DEFINES_CLAIMS = re.compile(rb"^\w+\s*(?::[^=\n]*)?=\s*claim\(", re.MULTILINE)
MOST_ENTRIES = 100_000
"""A folder with more in it and below is none of claims; `--claims /` would take hours to look through."""


@dataclass(frozen=True)
class Catalogue:
    """Claims in reading order, with their papers.

    papers  one for every key that a claim's id begins with
    claims  by paper, by file, by place in the file
    folder  the folder they were read from; None for the shipped theory
    errata  of these papers, the gravest first: those of their `errata.py`, and those that claims show
    """

    papers: tuple[Paper, ...]
    claims: tuple[Claim, ...]
    folder: Path | None = None
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)
    errata: tuple[Erratum, ...] = ()

    def claim(self, claim_id: str) -> Claim:
        """The claim with this id; its place alone (`theorem_3_1`, `Theorem 3.1`) suffices if only one paper has it.

        The id of a claim that was merged into another finds that one. Raises UnknownClaimError, naming the nearest ids.
        """
        claim_id = as_named(claim_id)
        for claim in self.claims:
            if claim.id == claim_id:
                return claim
        for claim in self.claims:
            if claim_id in claim.formerly:
                return claim
        placed = [claim for claim in self.claims if place_of(claim) == claim_id]
        if len(placed) == 1:
            return placed[0]
        if placed:
            names = " or ".join(claim.id for claim in placed)
            raise UnknownClaimError(f"several claims stand at {claim_id!r}. Did you mean {names}?")
        raise UnknownClaimError(self._unknown(claim_id, f"no claim has the id {claim_id!r}"))

    def select(self, globs: Iterable[str]) -> tuple[Claim, ...]:
        """The claims that match any of the patterns, in reading order; all claims for no pattern.

        A pattern is an id, a place, also as it is printed (`Theorem 3.1`), a glob (`*theorem*`), or the key of a paper.
        UnknownClaimError if one matches none.
        """
        patterns = tuple(map(as_named, globs))
        for pattern in patterns:
            if not any(matches(claim, pattern) for claim in self.claims):
                raise UnknownClaimError(self._unknown(pattern, f"no claim matches {pattern!r}"))
        if not patterns:
            return self.claims
        return tuple(claim for claim in self.claims if any(matches(claim, pattern) for pattern in patterns))

    def file_of(self, claim_id: str) -> Path:
        """The file in which the claim is written."""
        return self.files[self.claim(claim_id).id]

    def module_of(self, claim_id: str) -> str:
        """The module of the shipped theory in which the claim is written; empty for a claim of a folder."""
        if self.folder is not None:
            return ""
        root = Path(importlib.import_module(SHIPPED).__path__[0])
        return ".".join((SHIPPED, *self.file_of(claim_id).relative_to(root).with_suffix("").parts))

    def showing(self, erratum_id: str) -> tuple[Claim, ...]:
        """The claims that show the erratum, in reading order."""
        return tuple(claim for claim in self.claims if claim.flaw and claim.flaw.erratum.id == erratum_id)

    def errata_of(self, claims: Sequence[Claim]) -> tuple[Erratum, ...]:
        """The errata that these claims show; of a paper that they are all of, those too that no claim shows."""
        ids = {claim.id for claim in claims}
        shown = {claim.flaw.erratum.id for claim in claims if claim.flaw}
        whole = {paper.key for paper in self.papers if all(claim.id in ids for claim in self.of_paper(paper.key))}
        return tuple(erratum for erratum in self.errata if erratum.id in shown or erratum.paper in whole)

    @property
    def headlines(self) -> tuple[Claim, ...]:
        """The claims that are not part of another one."""
        return tuple(claim for claim in self.claims if claim.is_headline)

    def parts_of(self, claim_id: str) -> tuple[Claim, ...]:
        """The parts of a headline: its steps, cases and consequences, and our own additions to it."""
        return tuple(claim for claim in self.claims if claim.part_of == claim_id)

    def paper(self, key: str) -> Paper:
        """The paper of that key. Raises KeyError."""
        for paper in self.papers:
            if paper.key == key:
                return paper
        raise KeyError(key)

    def of_paper(self, key: str) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.paper == key)

    def resting_on(self, claim_id: str) -> tuple[Claim, ...]:
        """The claims that use this one directly."""
        return tuple(claim for claim in self.claims if claim_id in claim.rests_on)

    def beside(self, claim_id: str) -> tuple[str, ...]:
        """The ids of related claims: those it says to see, and those that say to see it."""
        saying = [claim.id for claim in self.claims if claim_id in claim.see_also]
        return tuple(dict.fromkeys([*self.claim(claim_id).see_also, *saying]))

    def _unknown(self, given: str, says: str) -> str:
        paper = difflib.get_close_matches(given, [paper.key for paper in self.papers], n=1, cutoff=0.75)
        if paper and "." not in given:
            return f"{says}. Did you mean the paper {paper[0]}?"
        near = difflib.get_close_matches(given, [claim.id for claim in self.claims], n=3, cutoff=0.6)
        place = given.rpartition(".")[2].strip("*?")
        near += [c.id for c in self.claims if place and place in c.id and c.id not in near][: 3 - len(near)]
        hint = f"Did you mean {' or '.join(near)}?" if near else "`implicitbias list` shows the ids."
        return f"{says}. {hint}"


def load(folder: Path | str | None = None, *, formulas: bool | None = None) -> Catalogue:
    """The shipped theory, or the claims of a folder.

    A folder is imported under a package name made from its path, the same in every process, so that its files may
    import each other relatively. Changed files are read anew.

    Parameters
    ----------
    folder : path, optional
        A folder of claims; without it the theory that is shipped.
    formulas : bool, optional
        Whether formulas are parsed. By default those of a folder are; those of the shipped theory are when its tests
        run and when they are judged.

    Returns
    -------
    Catalogue

    Raises
    ------
    CatalogueError

    Examples
    --------
    >>> load().claim("savarese2019.theorem_3_1").title
    'Representation cost of a univariate function'
    """
    if folder is None:
        return _load(None, (), bool(formulas))
    path = Path(folder).expanduser().resolve()
    if not path.is_dir():
        what = "is a file, not a folder" if path.exists() else "does not exist"
        raise CatalogueError(f"the claims folder {folder} {what}: give a folder of Python files that define claims")
    return _load(path, _signature(path), formulas is not False)


def claim_in(module: str, claim_id: str) -> tuple[Claim, Path]:
    """A claim of a module of the shipped theory, and its file; no other claims are loaded, and nothing is checked.

    Raises UnknownClaimError.
    """
    loaded = importlib.import_module(module)
    file = Path(str(loaded.__file__))
    for found in _claims_in(loaded, file, None, []):
        if found.claim.id == claim_id:
            return found.claim, file
    raise UnknownClaimError(f"{module} has no claim with the id {claim_id!r}")


@lru_cache(maxsize=8)
def _load(folder: Path | None, signature: tuple[tuple[str, int, int], ...], formulas: bool) -> Catalogue:
    problems: list[Problem] = []
    found: list[Found] = []
    papers: dict[str, Paper] = {}
    recorded: dict[Path, Made] = {}
    claim_files: dict[str, Path] = {}
    listed: list[tuple[Path, Erratum]] = []
    for package, files in _packages(folder, problems):
        paper = getattr(package, "PAPER", None)
        if paper is not None and not isinstance(paper, Paper):
            problems.append(Problem(_init_of(package), None, f"PAPER is a {type(paper).__name__}, not a Paper"))
            paper = None
        if paper is not None and (wrong := list(of_other_types(paper, "PAPER"))):
            problems += [Problem(_init_of(package), None, says) for says in wrong]
            paper = None
        if paper is not None:
            papers[paper.key] = paper
        if ERRATA in files:
            module = _import(f"{package.__name__}.{ERRATA}", files[ERRATA], problems)
            if module is not None:
                listed += errata_in(module, files[ERRATA], problems)
        for name, file in _claim_files(paper, files):
            claim_files[f"{package.__name__}.{name}"] = file
            with recording() as made:
                module = _import(f"{package.__name__}.{name}", file, problems)
            if module is not None:
                recorded[file] = made
                inside = list(_claims_in(module, file, paper, problems))
                if len(made.claims) > len(inside):
                    problems += hidden(module, file)
                found += inside
                problems += undecorated(module, file)
    problems += lost(recorded, found)
    if folder is not None:
        problems += borrowed(claim_files)
    shipped: tuple[str, ...] = ()
    ids = {str(f.claim.id) for f in found}
    named = {str(used) for f in found for used in (*as_tuple(f.claim.rests_on), *as_tuple(f.claim.see_also))}
    if folder is not None and named - ids:
        shipped = tuple(claim.id for claim in load().claims)
    problems += problems_of(found, known=shipped, formulas=formulas)
    errata = all_errata(listed, found)
    problems += problems_of_errata(errata)
    if problems:
        raise CatalogueError(_report(problems, folder))
    for f in found:
        papers.setdefault(f.claim.paper, Paper(f.claim.paper, "", "", 0))
    order = sorted(papers.values(), key=lambda paper: (paper.year, paper.key))
    rank = {paper.key: i for i, paper in enumerate(order)}
    found.sort(key=lambda f: rank[f.claim.paper])
    claims, files_of = tuple(f.claim for f in found), {f.claim.id: f.file for f in found}
    gravest_first = tuple(sorted((erratum for _, erratum in errata), key=lambda erratum: erratum.order))
    return Catalogue(tuple(order), claims, folder, files_of, gravest_first)


def _packages(folder: Path | None, problems: list[Problem]) -> Iterator[tuple[types.ModuleType, Mapping[str, Path]]]:
    """Each package that holds claims, with its modules' files: the root, then the papers' folders in it."""
    root = importlib.import_module(SHIPPED) if folder is None else _root_of(folder, problems)
    if root is None:
        return
    yield root, _modules(root)
    for package in _subpackages(root, problems):
        files = _modules(package)
        if getattr(package, "PAPER", None) is not None:
            yield package, files
            continue
        for file in files.values():
            if DEFINES_CLAIMS.search(file.read_bytes()):
                problems.append(Problem(file, None, "defines claims, but the `__init__.py` of its folder has no PAPER"))


def _modules(package: types.ModuleType) -> dict[str, Path]:
    return {
        info.name: Path(place) / f"{info.name}.py"
        for place in package.__path__
        for info in pkgutil.iter_modules([place])
        if not info.ispkg
    }


def _subpackages(root: types.ModuleType, problems: list[Problem]) -> Iterator[types.ModuleType]:
    for place in root.__path__:
        for info in pkgutil.iter_modules([place]):
            if info.ispkg and not info.name.startswith("_"):
                file = Path(place) / info.name / "__init__.py"
                package = _import(f"{root.__name__}.{info.name}", file, problems)
                if package is not None:
                    yield package


def _root_of(folder: Path, problems: list[Problem]) -> types.ModuleType | None:
    """The folder as a package with a name of its own; modules of an earlier load are dropped."""
    name = "implicitbias_claims_" + hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    for loaded in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[loaded]
    importlib.invalidate_caches()
    init = folder / "__init__.py"
    if not init.is_file():
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
        return package
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise CatalogueError(f"{init} cannot be imported")
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with _no_bytecode():
            spec.loader.exec_module(package)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a claim file may raise whatever Python lets it raise
        problems.append(Problem(init, None, _failure(error, init)))
        return None
    return package


def _claim_files(paper: Paper | None, files: Mapping[str, Path]) -> list[tuple[str, Path]]:
    """The names of the modules with claims, in reading order. Names of shared files begin with an underscore."""
    order = paper.order if paper else ()

    def place(name: str) -> tuple[int, str]:
        beginnings = [start for start in order if name == start or name.startswith(f"{start}_")]
        return (order.index(max(beginnings, key=len)) if beginnings else len(order)), name

    return [(name, files[name]) for name in sorted(files, key=place) if not name.startswith("_") and name != ERRATA]


def _import(name: str, file: Path, problems: list[Problem]) -> types.ModuleType | None:
    try:
        if name.startswith(f"{SHIPPED}."):
            return importlib.import_module(name)
        with _no_bytecode():
            return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a claim file may raise whatever Python lets it raise
        problems.append(Problem(file, None, _failure(error, file)))
        return None


@contextlib.contextmanager
def _no_bytecode() -> Iterator[None]:
    """Bytecode is stamped to the second, so a quick edit would be missed; and a user's folder should stay clean."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _claims_in(module: types.ModuleType, file: Path, paper: Paper | None, problems: list[Problem]) -> Iterator[Found]:
    """The claims among the values of a module, and in the tuples and lists among them, in the order of definition."""
    claims: dict[int, Claim] = {}
    for name, value in vars(module).items():
        inside = value if isinstance(value, tuple | list) else (value,)
        found = [entry for entry in inside if isinstance(entry, Claim)]
        if found and len(found) < len(inside):
            problems.append(Problem(file, None, f"{name} holds claims and something else: a check without a claim?"))
        claims |= {id(claim): claim for claim in found}
    if not claims:
        advice = "a file that others only share begins with an underscore"
        problems.append(Problem(file, None, f"defines no claim ({advice})"))
    yield from (Found(claim, file, paper.key if paper else None) for claim in claims.values())


def _failure(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f"line {error.lineno}: syntax error: {error.msg}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == file.parent]
    elsewhere = "" if not frames or frames[-1].filename == str(file) else f"{Path(frames[-1].filename).name} "
    where = f"{elsewhere}line {frames[-1].lineno}: " if frames else ""
    return f"cannot be imported: {where}{type(error).__name__}: {_said(error)}"


def _said(error: BaseException) -> str:
    """The error's message; an error of the claim file may have none that can be made."""
    try:
        return str(error)
    except Exception:
        return "without a message"


def _report(problems: Sequence[Problem], folder: Path | None) -> str:
    where = f"the claims folder {folder}" if folder else "the shipped theory"
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"{where} has {count}:"]
    for problem in problems:
        file = problem.file.relative_to(folder) if folder and problem.file.is_relative_to(folder) else problem.file
        lines.append(f"  {file}: {f'{problem.claim}: ' if problem.claim else ''}{problem.says}")
    return "\n".join(lines)


def _init_of(package: types.ModuleType) -> Path:
    return Path(package.__path__[0]) / "__init__.py"


def _signature(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """The Python files below the folder, each with what tells that it was changed.

    Raises CatalogueError for a folder with too much in it, and for what only looks like a Python file: importing a pipe
    would wait for its writer.
    """
    files: list[Path] = []
    entries = 0
    for inside, folders, names in os.walk(folder):
        entries += len(folders) + len(names)
        if entries > MOST_ENTRIES:
            raise CatalogueError(
                f"the claims folder {folder} holds more than {MOST_ENTRIES} files and folders: give a folder of claims"
            )
        files += [Path(inside, name) for name in names if name.endswith(".py")]
    if strange := [file for file in files if not file.is_file()]:
        raise CatalogueError(f"{strange[0]} is no file, or leads to none: remove it from the claims folder")
    stats = [(str(file), file.stat()) for file in sorted(files)]
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
