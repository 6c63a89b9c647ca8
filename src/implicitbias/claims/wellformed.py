"""Is a claim well formed? Everything that the records show without running a check."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from implicitbias.claims.check import Check, Kind
from implicitbias.claims.domain import condition
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.statement import (
    Candidate,
    Claim,
    Control,
    Flaw,
    Paper,
    Rule,
    Source,
)
from implicitbias.errors import FormulaError
from implicitbias.exact.formula import CONSTANTS, Expression, parse

ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9_]+")
NAMED = 3
"""Wrong entries of one field that are reported one by one."""


@dataclass(frozen=True)
class Found:
    """A claim, its file, and the key of the paper in whose folder the file lies (None: no paper's folder)."""

    claim: Claim
    file: Path
    paper: str | None = None


@dataclass(frozen=True)
class Problem:
    """What is wrong, in which file, with which claim (None: with the file as a whole)."""

    file: Path
    claim: str | None
    says: str


def problems_of(found: Sequence[Found], known: Collection[str] = (), *, formulas: bool = True) -> list[Problem]:
    """Everything that is wrong with these claims, one by one and together.

    known     further ids that they may rest on
    formulas  whether formulas are parsed, which takes most of the time
    """
    problems = []
    sound: list[Found] = []
    for f in found:
        records = [Problem(f.file, str(f.claim.id), says) for says in _of_the_records(f.claim)]
        problems += records
        if not records:
            sound.append(f)
            problems += [Problem(f.file, f.claim.id, says) for says in _of_one(f)]
            if formulas:
                problems += [Problem(f.file, f.claim.id, says) for says in _of_the_candidates(f.claim)]
    return problems + list(_of_all(sound, {str(f.claim.id) for f in found} | set(known)))


def _of_the_records(claim: Claim) -> Iterator[str]:
    """Fields of the wrong type, which dataclasses accept and everything else would fail on."""

    def each(name: str, kind: type) -> Iterator[str]:
        entries = getattr(claim, name)
        if not isinstance(entries, tuple):
            yield f"`{name}` is a {type(entries).__name__}, not a tuple (a tuple of one needs a comma)"
        else:
            wrong = [i for i, entry in enumerate(entries) if not isinstance(entry, kind)]
            for i in wrong[:NAMED]:
                found = type(entries[i]).__name__
                yield f"`{name}[{i}]` is a {found}, not a {kind.__name__}{_advice(kind, entries[i])}"
            if len(wrong) > NAMED:
                yield f"`{name}` has {len(wrong) - NAMED} more entries like that"

    expected: Mapping[str, type | tuple[type, ...]] = {
        "id": str, "source": Source, "title": str, "statement": str, "formula": (str, Rule), "latex": str,
        "symbols": Mapping, "part_of": str, "flaw": (Flaw, type(None)), "conjecture": bool,
    }  # fmt: skip
    for name, kind in expected.items():
        value = getattr(claim, name)
        if not isinstance(value, kind):
            kinds = [k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)) if k is not type(None)]
            yield f"`{name}` is a {type(value).__name__}, not a {' or a '.join(kinds)}"
    for name, kind in {
        "controls": Control,
        "checks": Check,
        "hypotheses": str,
        "domain": str,
        "rests_on": str,
        "see_also": str,
        "formerly": str,
    }.items():
        yield from each(name, kind)
    if isinstance(claim.symbols, Mapping):
        names_and_meanings: list[object] = [*claim.symbols, *claim.symbols.values()]
        for entry in names_and_meanings:
            if not isinstance(entry, str):
                yield f"`symbols` holds a {type(entry).__name__}, and is to hold names and their meanings: str"
    candidates: dict[str, object] = {}
    if isinstance(claim.source, Source):
        yield from of_other_types(claim.source, "source")
    if isinstance(claim.flaw, Flaw):
        erratum: object = claim.flaw.erratum
        if not isinstance(erratum, Erratum):
            yield f"`flaw.erratum` is a {type(erratum).__name__}, not an Erratum"
        if claim.flaw.printed is not None:
            candidates["the flaw's `printed`"] = claim.flaw.printed
    for i, check in enumerate(as_tuple(claim.checks)):
        if isinstance(check, Check):
            yield from of_other_types(check, f"checks[{i}]")
    for i, control in enumerate(as_tuple(claim.controls)):
        if isinstance(control, Control):
            yield from of_other_types(control, f"controls[{i}]")
            candidates[f"the candidate of `controls[{i}]`"] = control.candidate
    for what, candidate in candidates.items():
        if not isinstance(candidate, str | Rule):
            yield f"{what} is a {type(candidate).__name__}, not a str or a Rule"


def of_other_types(record: Source | Erratum | Check | Control | Paper, name: str) -> Iterator[str]:
    """The fields of a record that are to hold text or whole numbers, and hold something else."""
    for declared in fields(record):
        value = getattr(record, declared.name)
        kind = {"str": str, "int": int, "tuple[str, ...]": tuple}.get(str(declared.type))
        if kind is not None and not isinstance(value, kind):
            yield f"`{name}.{declared.name}` is a {type(value).__name__}, not a {kind.__name__}"
        elif kind is tuple and not all(isinstance(entry, str) for entry in value):
            yield f"`{name}.{declared.name}` is to hold text alone"


def as_tuple(entries: object) -> tuple[object, ...]:
    """The entries, none for what should be a tuple and is not: that is reported as such."""
    return entries if isinstance(entries, tuple) else ()


def _advice(kind: type, entry: object) -> str:
    forgotten = kind is Check and callable(entry)
    return ": decorate it with @proof, @certificate or @experiment, each with its name" if forgotten else ""


def _of_one(found: Found) -> Iterator[str]:
    claim = found.claim
    if not ID.fullmatch(claim.id):
        yield "the id must be `paper.place` in lower case letters, digits, underscores, as savarese2019.theorem_3_1 is"
    elif found.paper is not None and claim.paper != found.paper:
        yield f"the id must begin with {found.paper!r}, the key of the paper in whose folder it stands"
    if not claim.checks:
        yield "has no check: nothing could refute it"
    if not claim.controls:
        yield "has no control: give a plausible but false neighbour that the checks must reject"
    yield from (f"two checks are named {name!r}" for name in _repeated(check.name for check in claim.checks))
    for check in claim.checks:
        if isinstance(check.name, str) and not _is_text(check.name):
            yield f"the check's name {check.name!r} has lone surrogates, which no file can hold as text"
    if isinstance(claim.formula, Rule):
        for check in claim.checks:
            if check.kind is Kind.PROOF:
                yield f"check {check.name!r} is a proof, but the claim is a rule: only a formula can be proved"
    if claim.conjecture and claim.flaw is not None:
        yield "is a conjecture with a flaw: what is refuted is no conjecture any more"
    if claim.flaw is not None and claim.flaw.erratum.paper != claim.paper:
        yield f"shows the erratum {claim.flaw.erratum.id}, which is of another paper"


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of_the_candidates(claim: Claim) -> Iterator[str]:
    """Formulas that do not parse, unused symbols, candidates that are equal."""
    candidates: list[tuple[str, Candidate]] = [("the formula", claim.formula)]
    if claim.printed is not None:
        candidates.append(("the printed form", claim.printed))
    candidates += [(f"control {control.name!r}", control.candidate) for control in claim.controls]
    used: set[str] = set()
    for symbol in claim.symbols:
        if symbol in CONSTANTS:
            yield f"the symbol {symbol!r} is a constant of the formula language: choose another name"
        try:
            parse(symbol, names=(symbol,))
        except FormulaError as error:
            yield f"the symbol {symbol!r} cannot be used in a formula: {error}"
            used.add(symbol)  # said once is enough
    for text in claim.domain:
        try:
            condition(text, claim.symbols)
        except FormulaError as error:
            yield f"the domain: {error}"
    parsed: dict[str, Expression] = {}
    for what, candidate in candidates:
        if isinstance(candidate, Rule):
            continue
        try:
            parsed[candidate] = parse(candidate, names=tuple(claim.symbols))
            used |= parsed[candidate].names
        except FormulaError as error:
            yield f"{what}: {error}"
    if isinstance(claim.formula, str) and claim.formula in parsed:
        for symbol in claim.symbols:
            if symbol not in used:
                yield f"the symbol {symbol!r} is declared, but neither the formula nor a control uses it"
    seen: list[tuple[str, Candidate]] = []
    for what, candidate in candidates:
        for earlier, other in seen:
            both_controls = earlier.startswith("control") and what.startswith("control")
            if (earlier == "the formula" or both_controls) and _same(candidate, other, parsed):
                yield f"{what} is the same as {earlier}"
        seen.append((what, candidate))


def _same(one: Candidate, other: Candidate, parsed: Mapping[str, Expression]) -> bool:
    if isinstance(one, Rule) and isinstance(other, Rule):
        return one.name == other.name or one.predict is other.predict
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (one in parsed and parsed[one] == parsed.get(other))
    return False


def _of_all(found: Sequence[Found], known: Collection[str]) -> Iterator[Problem]:
    """Ids given twice, references to unknown claims, claims that rest on themselves."""
    first: dict[str, Found] = {}
    merged: dict[str, str] = {}
    for f in found:
        if f.claim.id in first:
            where = f" in {first[f.claim.id].file.name}" if first[f.claim.id].file != f.file else ""
            yield Problem(f.file, f.claim.id, f"the id is given twice, first{where or ' earlier in the same file'}")
        first.setdefault(f.claim.id, f)
        for used in f.claim.rests_on:
            if used not in known:
                yield Problem(f.file, f.claim.id, f"rests on {used!r}, which is not in the catalogue")
        for other in f.claim.see_also:
            if other not in known or other == f.claim.id:
                yield Problem(f.file, f.claim.id, f"says to see {other!r}, which is not another claim of the catalogue")
        for former in f.claim.formerly:
            if former in known:
                yield Problem(f.file, f.claim.id, f"was formerly {former!r}, which is still the id of a claim")
            elif merged.setdefault(former, f.claim.id) != f.claim.id:
                yield Problem(f.file, f.claim.id, f"was formerly {former!r}, and so was {merged[former]}")
    for f in found:
        yield from _of_its_headline(f, first)
    for cycle in _cycles({name: f.claim.rests_on for name, f in first.items()}):
        text = " → ".join((*cycle, cycle[0]))
        yield Problem(first[cycle[0]].file, cycle[0], f"rests on itself: {text}")


def _of_its_headline(found: Found, first: Mapping[str, Found]) -> Iterator[Problem]:
    whole = found.claim.part_of
    if not whole:
        return
    headline = first.get(whole)
    if headline is None:
        says = "which is not in the catalogue"
    elif headline.claim.part_of:
        says = f"which is itself part of {headline.claim.part_of!r}: give the headline"
    elif headline.claim.paper != found.claim.paper:
        says = "which belongs to another paper"
    else:
        return
    yield Problem(found.file, found.claim.id, f"is part of {whole!r}, {says}")


def _cycles(uses: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """A cycle for every edge that closes one in a depth-first walk. Iterative, since chains can be long."""
    done: set[str] = set()
    for start in uses:
        path = [] if start in done else [start]
        waiting = [iter(uses[name]) for name in path]
        while path:
            used = next(waiting[-1], None)
            if used is None:
                done.add(path.pop())
                waiting.pop()
            elif used in path:
                yield tuple(path[path.index(used) :])
            elif used in uses and used not in done:
                path.append(used)
                waiting.append(iter(uses[used]))


def _repeated(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    repeated: list[str] = []
    for name in names:
        if name in seen and name not in repeated:
            repeated.append(name)
        seen.add(name)
    return repeated
