"""The trusted checker of certificates: standard library only, nothing of this project, to be read in one sitting.

`python kernel.py FILE` works alone: exit code 0 valid, 1 refused (with the reason), 2 unreadable. It needs the folder
that it lies in, under any name and anywhere, and nothing else. Each kind of certificate has a file in kinds/, which
defines its fields and carries the proof that its check suffices; what the kinds share is in reading.py and parts/.

A certificate is a JSON object {"format": "implicitbias certificate", "version": 1, "kind": …, …, "digest": …}; the
fields between depend on the kind. Every number is text in lowest terms, "-7/3" or "12"; floats, other spellings,
unknown, missing and repeated fields are refused. Nothing the document says is believed: everything is recomputed in
integers. The digest is the SHA-256 of the document without it (keys sorted, no spaces, ASCII): an altered document is
refused even where it happens to be another true certificate. Anyone can recompute a digest, so no mathematical
conclusion rests on it.
"""

from __future__ import annotations

import hashlib
import json
import os
import pkgutil
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NoReturn

if not __package__:
    # Run as a script: this folder becomes the package that the relative imports below and in kinds/ refer to.
    __package__ = "certificate"
    package = sys.modules[__package__] = ModuleType(__package__)
    package.__path__ = [folder := os.path.dirname(os.path.abspath(__file__))]
    if not {"reading.py", "kinds", "parts"} <= set(os.listdir(folder)):
        print("kernel.py needs reading.py, kinds/ and parts/, which must lie next to it and do not", file=sys.stderr)
        sys.exit(2)

from . import kinds
from .reading import Fields, Kind, RefusedError, kind_of, read_fields, refuse, shown

FORMAT = "implicitbias certificate"
VERSION = 1

MAX_BYTES = 1 << 28
"""A larger file is not read."""

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Outcome:
    """Whether a certificate is valid; if not, why; if so, what it proves, in words."""

    valid: bool
    reason: str
    statement: str


class UnreadableError(ValueError):
    """The file cannot be read, or is not JSON text."""


def check_certificate(document: object) -> Outcome:
    """Check a certificate given as the JSON object it is. Never raises: what is not a valid certificate is refused."""
    try:
        if not isinstance(document, dict):
            refuse(f"a certificate is a JSON object, not {kind_of(document)}")
        for name, expected in (("format", FORMAT), ("version", VERSION)):
            given = document.get(name)
            if type(given) is not type(expected) or given != expected:
                refuse(f"{name} must be {expected!r}, not {shown(given)}")
        kind = _kind(document.get("kind"))
        read_fields(document, "the certificate", ("format", "version", "kind", *kind.fields, "digest"))
        statement = kind.check(document)
        given = document["digest"]
        if not isinstance(given, str) or not _DIGEST.fullmatch(given):
            refuse("digest must be 64 hexadecimal digits in lower case")
        if given != digest(document):
            refuse("the digest does not fit the document: something was altered after the certificate was made")
    except RefusedError as refusal:
        return Outcome(False, str(refusal), "")
    except (RecursionError, MemoryError):
        return Outcome(False, "the document is nested too deeply or is too large", "")
    return Outcome(True, "", statement)


def check_text(text: str | bytes) -> Outcome:
    """Check a certificate given as JSON text. Raises UnreadableError for what is not JSON text in UTF-8."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        document: object = json.loads(
            text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float, parse_int=_small_integer
        )
    except RefusedError as refusal:
        return Outcome(False, str(refusal), "")
    except RecursionError:
        return Outcome(False, "the document is nested too deeply", "")
    except ValueError as error:
        raise UnreadableError(f"this is no JSON text in UTF-8: {error}") from None
    return check_certificate(document)


def check_file(path: str) -> Outcome:
    """Check the certificate in a file. Raises UnreadableError if there is none, or its content is not JSON text."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(getattr(error, "strerror", None) or str(error)) from None
    if len(content) > MAX_BYTES:
        raise UnreadableError(f"the file has more than {MAX_BYTES} bytes")
    return check_text(content)


def digest(document: Mapping[str, object]) -> str:
    """SHA-256 of the document without its field "digest", keys sorted, no spaces, ASCII."""
    body = {name: value for name, value in document.items() if name != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _kind(given: object) -> Kind:
    known = all_kinds()
    if not isinstance(given, str) or given not in known:
        refuse(f"kind must be one of {sorted(known)}, not {shown(given)}")
    return known[given]


@cache
def all_kinds() -> dict[str, Kind]:
    """The kinds of certificate by name: the KIND of every file in kinds/."""
    found: dict[str, Kind] = {}
    for file in pkgutil.iter_modules(kinds.__path__):
        kind: object = getattr(import_module(f"{kinds.__name__}.{file.name}"), "KIND", None)
        if not isinstance(kind, Kind) or kind.name in found:
            raise TypeError(f"kinds/{file.name}.py must have a KIND of its own")
        found[kind.name] = kind
    return found


# JSON -----------------------------------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, object]]) -> Fields:
    found: Fields = {}
    for name, value in pairs:
        if name in found:
            refuse(f"the field {shown(name)} is repeated")
        found[name] = value
    return found


def _no_float(text: str) -> NoReturn:
    refuse(f'numbers are text in lowest terms, such as "1/10": the float {shown(text)} is refused')


def _small_integer(text: str) -> int:
    if len(text) > 18:
        refuse(f"numbers are text: the JSON integer {shown(text)} is refused")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: python kernel.py FILE", file=sys.stderr)
        return 2
    try:
        outcome = check_file(arguments[0])
    except UnreadableError as error:
        print(f"unreadable: {error}", file=sys.stderr)
        return 2
    print(f"valid: {outcome.statement}" if outcome.valid else f"refused: {outcome.reason}")
    return 0 if outcome.valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
