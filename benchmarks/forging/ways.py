"""Ways to alter a certificate. Each takes a document and a source of randomness, and gives the text of another one."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.certificate.kernel import digest

Document = dict[str, Any]
Path = tuple[str | int, ...]
HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**17, "", "0", "-0", "1/0", "1e999999999", "NaN", "\ud800", "\x1b[31m", "٣", [], {},
    [[]], [["0"]], {"at_least": "0", "at_most": "1"}, "9" * 4000, "9" * 4001, "1/" + "7" * 4000,
)  # fmt: skip
RAW = ("NaN", "Infinity", "1e400", "1.5", "-0", "9" * 5000, "[" * 3000, '{"a":' * 3000, '"\\ud800"', "nul", "")


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place of a document and what stands there."""
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def put(document: Document, path: Path, value: Any) -> None:
    """Write a value to a place."""
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value


def _number(text: Any) -> Fraction | None:
    written = isinstance(text, str) and len(text) < 60 and re.fullmatch(r"-?[0-9]+(/[1-9][0-9]*)?", text, re.ASCII)
    return Fraction(text) if written else None


def _some_place(document: Document, rng: Random) -> tuple[Path, Any]:
    # first the part, then the place in it: long lists would draw everything to them
    part = rng.choice([name for name in document if name not in ("format", "version", "digest")] + ["claim"])
    if part not in document:
        part = "data"
    return rng.choice(list(places({part: document[part]})))


def structural(document: Document, rng: Random) -> None:
    """Fields and entries dropped, repeated, moved, renamed, replaced by what does not belong there."""
    path, value = _some_place(document, rng)
    if isinstance(value, list) and value and rng.random() < 0.7:
        i, j = rng.randrange(len(value)), rng.randrange(len(value))
        new = list(value)
        match rng.randrange(4):
            case 0:
                del new[i]
            case 1:
                new.insert(i, copy.deepcopy(new[j]))
            case 2:
                new[i], new[j] = new[j], new[i]
            case _:
                new = new * rng.choice((0, 2, 3))
        put(document, path, new)
    elif isinstance(value, dict) and rng.random() < 0.7:
        name = rng.choice(list(value) or ["x"])
        put(document, path, {key + "s" * (key == name): inner for key, inner in value.items()})
    else:
        put(document, path, copy.deepcopy(rng.choice(HOSTILE)))


def numeric(document: Document, rng: Random) -> None:
    """A number moved a little or a lot, or replaced by another of the document."""
    every = [(path, value) for path, value in places(document) if _number(value) is not None or type(value) is int]
    claimed = [entry for entry in every if entry[0][0] == "claim"]
    path, value = rng.choice(claimed if claimed and rng.random() < 0.3 else every)
    if type(value) is int:
        put(document, path, rng.choice((value + 1, value - 1, -value, 0)))
        return
    number = _number(value)
    assert number is not None
    step = rng.choice((1, -1)) * rng.choice((1, Fraction(1, 2), Fraction(1, 10**9), Fraction(1, 10**40), abs(number)))
    other = _number(rng.choice(every)[1])
    new = rng.choice((number + step, number * (1 + step), -number, other if other is not None else 0, number * 3))
    put(document, path, str(new))


def enclosure(document: Document, rng: Random) -> None:
    """A claimed number replaced by bounds of any width, or its bounds moved apart, or together."""
    claim = document["claim"]
    targets = [(path, v) for path, v in places(claim) if _number(v) is not None or isinstance(v, int | dict)]
    if not targets:
        return
    path, value = rng.choice(targets)
    width = Fraction(10) ** rng.choice((-60, -30, -21, -19, -12, -6, -3, 0, 1, 6))
    if isinstance(value, dict):
        for end, sign in (("at_least", -1), ("at_most", 1)):
            if (number := _number(value.get(end))) is not None:
                size = abs(number) if abs(number) > 1 else Fraction(1)
                put(claim, (*path, end), str(number + sign * rng.choice((-1, 0, 1)) * width * size))
        return
    if isinstance(value, int):
        put(claim, path, value + rng.choice((-1, 1)) * rng.choice((1, 2, 10**6)))
        return
    number = _number(value)
    assert number is not None
    if rng.random() < 0.5:
        size = abs(number) if rng.random() < 0.7 else Fraction(1)
        low, high = number - width * size * rng.choice((0, 1)), number + width * size * rng.choice((0, 1))
        put(claim, path, {"at_least": str(low), "at_most": str(high)})
    else:
        put(claim, path, str(number + rng.choice((-1, 1)) * width * abs(number or 1)))
        if "relative_gap" in claim and rng.random() < 0.7:
            claim["relative_gap"] = rng.choice(("1/2", "999999/1000000", "1", "2", "0"))


def digits(document: Document, rng: Random) -> None:
    """Numbers made long, all or some, by less than they matter or by more."""
    length = rng.choice((50, 400, 1900, 3900))
    share = rng.choice((0.05, 1))
    for path, value in list(places(document)):
        number = _number(value)
        if number is None or rng.random() > share or path[0] == "digest":
            continue
        bottom = 10**length + 2 * rng.randrange(10 ** (length // 2)) + 1
        put(document, path, str(number + Fraction(rng.choice((-1, 0, 1)), bottom)))


def exchanged(document: Document, rng: Random) -> None:
    """Data scaled, shifted or mirrored, and the proof left as it is; or a part copied over another."""
    if rng.random() < 0.3:
        a, b = rng.sample(list(document), 2)
        document[a] = copy.deepcopy(document[b])
        return
    factor, shift = rng.choice((1, 2, -1, Fraction(1, 3))), rng.choice((0, 1, Fraction(-1, 7)))
    part = rng.choice(("data", "primal", "dual", "claim"))
    for path, value in list(places(document.get(part, {}))):
        if (number := _number(value)) is not None:
            put(document[part], path, str(number * factor + shift))


def several(document: Document, rng: Random) -> None:
    """Two to four alterations."""
    for _ in range(rng.randrange(2, 5)):
        rng.choice((structural, numeric, numeric, enclosure, exchanged))(document, rng)


def nested(document: Document, rng: Random) -> None:
    """Lists or objects within one another, in place of something."""
    path, _ = _some_place(document, rng)
    depth = rng.choice((3, 20, 200))
    inner: Any = rng.choice(("1", [], {}))
    for _ in range(depth):
        inner = [inner] if rng.random() < 0.5 else {"x": inner}
    put(document, path, inner)


WAYS: dict[str, tuple[Callable[[Document, Random], None], int]] = {
    "structural": (structural, 5),
    "numeric": (numeric, 8),
    "enclosure": (enclosure, 6),
    "digits": (digits, 1),
    "exchanged": (exchanged, 2),
    "several": (several, 4),
    "nested": (nested, 1),
}
"""Each way with its share; alterations of the text itself come besides."""


def textual(text: str, rng: Random) -> bytes:
    """The text with characters changed, cut, doubled, or something that is no JSON put in place of a value."""
    i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    match rng.randrange(6):
        case 0:
            return text[:i].encode()
        case 1:
            return (text[:i] + text[i : i + 40] + text[i:]).encode()
        case 2:
            return (text[:i] + chr(rng.randrange(1, 0x3000)) + text[i + 1 :]).encode("utf-8", "surrogatepass")
        case 3:
            return (text[:i] + text[min(j, i + 40) :]).encode()
        case 4:
            colon = text.find(": ", i)
            return (text[: colon + 2] + rng.choice(RAW) + text[colon + 3 :]).encode()
        case _:
            return text.encode()[:i] + bytes([rng.randrange(256)]) + text.encode()[i:]


def forged(document: Document, way: str, rng: Random) -> bytes:
    """The altered document as a file has it, its digest made right but for one in eight."""
    if way == "textual":
        return textual(json.dumps(document), rng)
    other = copy.deepcopy(document)
    WAYS[way][0](other, rng)
    if rng.random() < 7 / 8:
        other["digest"] = digest(other)
    return json.dumps(other).encode()
