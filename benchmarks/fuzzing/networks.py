"""Network files: CSV, JSON, torch archives and pickles, right, wrong and malicious."""

from __future__ import annotations

import io
import json
import pickle
from functools import lru_cache
from random import Random
from typing import Any

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.mutation import damaged, encoded
from benchmarks.fuzzing.numerals import number, plain

POINTS = b"x,label\n-1,-1\n0,1\n2,-1\n"


class _Attack:
    """Unpickling it would run a command."""

    def __reduce__(self) -> Any:
        import os

        return os.system, ("touch kanarie7",)


@lru_cache(maxsize=1)
def archives() -> tuple[bytes, ...]:
    """State dicts that are right, of other shapes, of other kinds, and pickles that would run a command."""
    import torch

    right = {
        "0.weight": torch.tensor([[1.0], [2.0]]),
        "0.bias": torch.zeros(2),
        "2.weight": torch.tensor([[1.0, -1.0]]),
        "2.bias": torch.zeros(1),
    }
    named = {"w": torch.ones(2), "b": torch.zeros(2), "v": torch.ones(2)}
    made: list[Any] = [
        right,
        named,
        {**right, "0.weight": torch.ones(3, 2)},
        {**named, "b": torch.tensor([float("nan"), 0.0])},
        {**named, "w": torch.ones(2, dtype=torch.complex64)},
        {**named, "w": torch.ones(0)},
        {"w": "text"},
        {1: torch.ones(1)},
        {"\x1b[31m" + "k" * 5000: torch.ones(1)},
        [1, 2],
        torch.ones(2),
        {},
        _Attack(),
        {"w": _Attack()},
    ]
    found = []
    for entry in made:
        buffer = io.BytesIO()
        torch.save(entry, buffer)
        found.append(buffer.getvalue())
    old = io.BytesIO()
    torch.save(right, old, _use_new_zipfile_serialization=False)
    return (*found, old.getvalue(), pickle.dumps(_Attack()), pickle.dumps({"w": [1]}), b"PK\x03\x04", b"\x80")


def value(random: Random, depth: int = 0) -> Any:
    """A JSON value: numbers for the most part."""
    match random.randrange(14):
        case 0:
            return random.choice((None, True, False, "", "text", "\x1b[31m", {}, [], {"w": 1}, "1/3", "nan"))
        case 1:
            return number(random, 0.5)
        case 2 if depth < 2:
            return [value(random, depth + 1) for _ in range(random.randint(0, 3))]
    return random.choice((random.randint(-9, 9), random.gauss(0, 1), plain(random)))


def as_json(random: Random) -> str:
    """A JSON network with something odd in it now and then."""
    width = random.choice((0, 1, 1, 2, 3, 3, 6))
    document: dict[str, Any] = {
        name: [random.choice((1, -1, 0, 2, "1/3", 0.1, plain(random))) for _ in range(width)]
        for name in ("w", "b", "v")
    }
    if random.random() < 0.4:
        document["c"] = value(random) if random.random() < 0.5 else plain(random)
    if random.random() < 0.5:
        name = random.choice(("w", "b", "v", "c", "d", "\x1b[31m", "w" * 5000))
        document[name] = value(random)
    if random.random() < 0.2 and isinstance(document["w"], list):
        document["w"].insert(0, value(random))
    if random.random() < 0.1:
        document.pop(random.choice(tuple(document)))
    text = json.dumps(document, ensure_ascii=random.random() < 0.5)
    if random.random() < 0.05:
        text = random.choice(
            (
                "[" * 100_000,
                '{"w":' * 5000,
                text + text,
                "[]",
                "{}",
                '{"w":' + "1" * 5000 + "}",
                text.replace("1", "1" * 4500),
                text.replace("[", "[1e400,"),
                text.replace("[", "[NaN,"),
                text.replace("]", ",]"),
                '{"w":[1],"w":[1],"b":[1],"v":[1]}',
                text.replace("1", f"1e{'9' * 4400}"),
                '{"w":["\\ud800"],"b":[1],"v":[1]}',
            )
        )
    return text


def as_csv(random: Random) -> str:
    """A CSV network."""
    lines = [",".join(plain(random) for _ in range(3)) for _ in range(random.randint(0, 5))]
    if random.random() < 0.4:
        lines.insert(0, random.choice(("w,b,v", "v,w,b", "w,b", "w,w,v", "a,b,c", "W,B,V", f"w,b,{'v' * 4000}")))
    if random.random() < 0.3:
        lines.append(f"c,{number(random)}")
    if random.random() < 0.4:
        lines.insert(
            random.randrange(len(lines) + 1), ",".join(number(random, 0.5) for _ in range(random.randint(1, 4)))
        )
    return "\n".join(lines)


def calls(random: Random) -> Call:
    """`regions` on such a file, at times with data whose KKT point it might be."""
    draw = random.random()
    if draw < 0.5:
        name, file = "net.json", encoded(random, as_json(random))
    elif draw < 0.8:
        name, file = "net.csv", encoded(random, as_csv(random))
    else:
        name, file = random.choice(("net.pt", "net.pth", "net.bin", "net.csv")), random.choice(archives())
    if random.random() < 0.25:
        file = damaged(random, file)
    files, given = {name: file}, b""
    if random.random() < 0.1:
        name, given = "-", file
    more: list[str] = []
    if random.random() < 0.1:
        more.append(f"--c={number(random, 0.5)}")
    if random.random() < 0.15:
        files["points.csv"] = POINTS
        more += ["--data", "points.csv"]
        if random.random() < 0.3:
            more += ["--certificate", "proof.json"]
    if random.random() < 0.4:
        more.append("--json")
    return Call(("regions", name, *more), files, given)
