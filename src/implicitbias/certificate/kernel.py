"""The trusted checker of certificates: standard library only, nothing of this project, to be read in one sitting.

`python kernel.py FILE` works alone: exit code 0 valid, 1 refused (with the reason), 2 unreadable, 4 the checker itself
failed, which proves nothing. It needs the folder that it lies in, under any name and anywhere, and nothing else;
`implicitbias write-checker FILE` writes all of that folder as one file. Each kind of certificate has a file in kinds/,
which defines its fields and carries the proof that its check suffices; what the kinds share is next to this file and
in parts/.

A certificate is a JSON object {"format": "implicitbias certificate", "version": 1, "kind": …, …, "digest": …}; the
fields between depend on the kind. Every number is text in lowest terms, "-7/3" or "12"; floats, other spellings,
unknown, missing and repeated fields are refused. Nothing the document says is believed: everything is recomputed in
integers, within a budget in proportion to the document. The digest is the SHA-256 of the document without it (keys
sorted, no spaces, ASCII): an altered document is refused even where it happens to be another true certificate. Anyone
can recompute a digest, so no mathematical conclusion rests on it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import NoReturn

if not __package__:
    # Run as a script: this folder becomes the package that the relative imports below and in kinds/ refer to.
    __package__ = "certificate"
    package = sys.modules[__package__] = ModuleType(__package__)
    package.__path__ = [folder := os.path.dirname(os.path.abspath(__file__))]
    needed = {"about.py", "budget.py", "rational.py", "reading.py", "words.py", "kinds", "parts"}
    if missing := needed - set(os.listdir(folder)):
        print(f"kernel.py needs {', '.join(sorted(missing))}, which must lie next to it and do not", file=sys.stderr)
        sys.exit(2)

from .about import Data, about
from .budget import RefusedError, limited_to, refuse
from .kinds import all_kinds
from .reading import Fields, Kind, read_fields
from .words import kind_of, shown

FORMAT = "implicitbias certificate"
VERSION = 1

MAX_BYTES = 1 << 28
"""A larger file is not read."""
MAX_DEPTH = 16
"""Lists and objects within one another; no kind needs as many."""
MAX_JSON_INTEGER = 10**18
UNITS = 5_000_000
"""The budget of a document of up to SMALL characters; a larger one has as much more as it is larger."""
SMALL = 1_000_000

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Outcome:
    """Whether a certificate is valid; if not, why; if so, what it proves, in words, its kind and its data.

    fault  the checker itself failed: nothing is said of the certificate
    """

    valid: bool
    reason: str
    statement: str
    kind: str = ""
    data: Data | None = None
    fault: bool = False


class UnreadableError(ValueError):
    """The file cannot be read, or is not JSON text."""


def check_certificate(document: object) -> Outcome:
    """Check a certificate given as the JSON object it is. Never raises: what is not a valid certificate is refused.

    Parameters
    ----------
    document : dict
        What `json.load` reads from the file of a certificate.

    Returns
    -------
    Outcome
        `valid`, and why it is not; what was proved.

    Examples
    --------
    >>> check_certificate({}).valid
    False
    """
    try:
        with limited_to(UNITS * max(SMALL, _characters(document)) // SMALL):
            return _check(document)
    except RefusedError as refusal:
        return Outcome(False, str(refusal), "")
    except Exception as error:
        return _fault(error)


def _check(document: object) -> Outcome:
    if not isinstance(document, dict):
        refuse(f"a certificate is a JSON object, not {kind_of(document)}")
    for name, expected in (("format", FORMAT), ("version", VERSION)):
        given = document.get(name)
        if type(given) is not type(expected) or given != expected:
            refuse(f"{name} must be {expected!r}, not {shown(given)}")
    kind = _kind_named(document.get("kind"))
    read_fields(document, "the certificate", ("format", "version", "kind", *kind.fields, "digest"))
    proved = kind.check(document)
    given = document["digest"]
    if not isinstance(given, str) or not _DIGEST.fullmatch(given):
        refuse("digest must be 64 hexadecimal digits in lower case")
    if given != digest(document):
        refuse("the digest does not fit the document: something was altered after the certificate was made")
    if isinstance(proved, str):
        return Outcome(True, "", proved, kind.name)
    statement = f"{about(proved.data, _sha256(document['data']))}. {proved.statement}"
    return Outcome(True, "", statement, kind.name, proved.data)


def _fault(error: Exception) -> Outcome:
    said = str(error).splitlines()
    about_it = type(error).__name__ + (f": {said[0][:200]}" if said else "")
    return Outcome(False, f"the checker itself failed, which proves nothing: {about_it}", "", fault=True)


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
    except Exception as error:
        return _fault(error)
    return check_certificate(document)


def check_file(path: str) -> Outcome:
    """Check the certificate in a file. Raises UnreadableError if there is none, or its content is not JSON text."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(getattr(error, "strerror", None) or str(error)) from None
    except Exception as error:
        return _fault(error)
    if len(content) > MAX_BYTES:
        raise UnreadableError(f"the file has more than {MAX_BYTES} bytes")
    return check_text(content)


def digest(document: Mapping[str, object]) -> str:
    """SHA-256 of the document without its field "digest", keys sorted, no spaces, ASCII."""
    return _sha256({name: value for name, value in document.items() if name != "digest"})


def _sha256(document: object) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _kind_named(given: object) -> Kind:
    known = all_kinds()
    if not isinstance(given, str) or given not in known:
        refuse(f"kind must be one of {sorted(known)}, not {shown(given)}")
    return known[given]


# JSON -----------------------------------------------------------------------------------------------------------------


def _characters(document: object) -> int:
    """About how long the document is as text; refused where it is nested too deeply or has long integers."""
    length, depth = 0, 0
    level: list[object] = [document]
    while level:
        if depth > MAX_DEPTH:
            refuse("the document is nested too deeply")
        following: list[object] = []
        for value in level:
            if type(value) is dict:
                following += value
                following += value.values()
                if not all(type(name) is str for name in value):
                    refuse("the names of fields must be texts")
            elif type(value) is list:
                following += value
            elif type(value) is str:
                length += len(value) + 2
            elif type(value) is int and abs(value) >= MAX_JSON_INTEGER:
                refuse("numbers are text: a JSON integer of more than 18 digits is refused")
            length += 2
        if length > MAX_BYTES or len(following) > MAX_BYTES:
            refuse(f"the document has more than {MAX_BYTES} characters")
        level, depth = following, depth + 1
    return length


def _object(pairs: Iterable[tuple[str, object]]) -> Fields:
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
    """Check the file that is named, and say what came out; the exit code."""
    if len(arguments) != 1:
        print(f"usage: python {os.path.basename(sys.argv[0])} FILE", file=sys.stderr)
        return 2
    try:
        outcome = check_file(arguments[0])
    except UnreadableError as error:
        print(_printable(f"unreadable: {error}"), file=sys.stderr)
        return 2
    if outcome.fault:
        print(_printable(outcome.reason), file=sys.stderr)
        return 4
    try:
        print(_printable(f"valid: {outcome.statement}" if outcome.valid else f"refused: {outcome.reason}"), flush=True)
    except OSError:
        return 4  # nobody was told
    return 0 if outcome.valid else 1


def _printable(text: str) -> str:
    """The text without what the terminal's encoding lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return text.encode(encoding, "replace").decode(encoding)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
