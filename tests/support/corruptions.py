"""Certificates with one field altered, which the checker must refuse."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Path = tuple[str | int, ...]
WAYS = ("number", "sign", "swap", "drop", "repeat", "type", "rename", "empty")


def changed(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(document)
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def fields(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from fields(inner, (*path, key))


def corrupted(document: dict[str, Any], rng: random.Random, path: Path | None = None) -> dict[str, Any] | None:
    """The document with one field altered, random unless `path` is given; None if the alteration changes nothing."""
    every = list(fields(document))
    path, value = rng.choice(every) if path is None else next(entry for entry in every if entry[0] == path)
    way = rng.choice(WAYS)
    new: Any = value
    if isinstance(value, str):
        try:
            number = Fraction(value)
        except ValueError:
            new = rng.choice(["", value[:-1], value + " ", value.upper(), value[::-1]])
        else:
            steps = [1, -1, Fraction(1, 2), Fraction(1, 10**12), abs(number) or 1]
            new = str(-number if way == "sign" else number + rng.choice(steps)) if way != "type" else float(number)
    elif value is None:
        new = rng.choice(["", "0", False, []])
    elif isinstance(value, bool):
        new = not value if way != "type" else int(value)
    elif isinstance(value, int):
        new = {"type": str(value), "sign": -value}.get(way, value + rng.choice([1, -1]))
    elif isinstance(value, list):
        i, j = (rng.randrange(len(value)) for _ in range(2)) if value else (0, 0)
        new = list(value)
        if way == "empty" or not value:
            new = [] if value else ["1"]
        elif way == "drop":
            del new[i]
        elif way == "repeat":
            new.insert(i, new[j])
        else:
            new[i], new[j] = new[j], new[i]
    elif way == "drop":
        gone = rng.randrange(len(value))
        new = {key: inner for n, (key, inner) in enumerate(value.items()) if n != gone}
    elif way == "rename":
        new = {key + "s": inner for key, inner in value.items()}
    else:
        new = {**value, "remark": "none"}
    if new == value and type(new) is type(value):
        return None
    return changed(document, path, new)
