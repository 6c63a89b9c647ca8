"""The errata of a folder of claims: those of its `errata.py` files and those that claims show; are they well formed?"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import get_args

from implicitbias.claims.erratum import EFFECTS, ID, Edition, Erratum, ErratumWord, Reading, Seen
from implicitbias.claims.wellformed import Found, Problem, as_tuple, of_other_types

FILE = "errata"
"""The module of a paper's folder that holds its errata, as the tuple `ERRATA`."""


def errata_in(module: types.ModuleType, file: Path, problems: list[Problem]) -> Iterator[tuple[Path, Erratum]]:
    """The errata of such a module, each with its file."""
    held = getattr(module, "ERRATA", None)
    if not isinstance(held, tuple) or not all(isinstance(entry, Erratum) for entry in held):
        problems.append(Problem(file, None, "defines no `ERRATA`: a tuple of Erratum"))
        return
    yield from ((file, erratum) for erratum in held)


def all_errata(listed: Iterable[tuple[Path, Erratum]], found: Iterable[Found]) -> list[tuple[Path, Erratum]]:
    """The listed errata, and those that only claims hold, each once; gravest first, then in the order of the papers."""
    shown = [(f.file, getattr(f.claim.flaw, "erratum", None)) for f in found]  # a flaw may be anything, said elsewhere
    once: list[tuple[Path, Erratum]] = []
    for file, erratum in [*listed, *shown]:
        if isinstance(erratum, Erratum) and all(erratum != other for _, other in once):
            once.append((file, erratum))
    return once


def problems_of_errata(errata: Sequence[tuple[Path, Erratum]]) -> Iterator[Problem]:
    """What is wrong with each, and what is counted twice."""
    ids: set[str] = set()
    quoted: set[tuple[str, str, str]] = set()
    for file, erratum in errata:
        if wrong := [*of_other_types(erratum, str(erratum.id)), *_other_readings(erratum)]:
            yield from (Problem(file, None, says) for says in wrong)
            continue
        yield from (Problem(file, None, f"the erratum {erratum.id}: {says}") for says in _of_one(erratum))
        if erratum.id in ids:
            yield Problem(file, None, f"two errata have the id {erratum.id!r}")
        ids.add(erratum.id)
        slip = (erratum.paper, erratum.place, erratum.quotation)
        if slip in quoted:
            yield Problem(file, None, f"the erratum {erratum.id} is counted twice: another quotes the same words there")
        quoted.add(slip)


def _other_readings(erratum: Erratum) -> Iterator[str]:
    readings = as_tuple(erratum.readings)
    if not readings:
        yield f"{erratum.id}.readings is to be a tuple of readings, one for each edition that was looked at"
    for reading in readings:
        if not isinstance(reading, Reading) or not isinstance(reading.edition, Edition):
            yield f"{erratum.id}.readings holds a {type(reading).__name__}: write `EDITION.prints(where, seen)`"
        elif not reading.where.strip():
            yield f"{erratum.id}: the reading of {reading.edition.name} does not say where"


def _of_one(erratum: Erratum) -> Iterator[str]:
    if not ID.fullmatch(erratum.id):
        yield "the id must be `paper-eN`, as savarese2019-e1 is"
    if erratum.effect not in EFFECTS:
        yield f"the effect {erratum.effect!r} is not one of: {', '.join(EFFECTS)}"
    if erratum.word not in get_args(ErratumWord):
        yield f"the word {erratum.word!r} is not one of: {', '.join(get_args(ErratumWord))}"
    for name in (f.name for f in fields(erratum) if f.type == "str"):
        if name != "bearing" and not str(getattr(erratum, name)).strip():
            yield f"has no {name}"
    if erratum.counts and not erratum.bearing:
        yield "changes a theorem or a formula, and does not say what depends on it: give its bearing"
    if erratum.quotation == erratum.correct:
        yield "the correct form is the printed one"
    if not any(reading.printed for reading in erratum.readings):
        yield "no edition that was read prints it"
    for reading in erratum.readings:
        if reading.seen not in get_args(Seen):
            yield f"was seen in {reading.seen!r}, which is not one of: {', '.join(get_args(Seen))}"
