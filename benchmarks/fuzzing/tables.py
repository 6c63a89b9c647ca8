"""CSV files: right, ragged, foreign, enormous in one way, damaged."""

from __future__ import annotations

from random import Random

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.mutation import damaged, encoded
from benchmarks.fuzzing.numerals import long, number, plain

NAMES = (
    "x",
    "y",
    "label",
    "w",
    "b",
    "v",
    "c",
    "1",
    "2",
    "",
    "X",
    "Größe",
    "x y",
    '"q"',
    "a,b",
    "\x1b[31mred",
    "x" * 5000,
    "٣",
    "1" * 4400,
    "nan",
    "\u202ey",
    "time",
    "-x",
    "<b>",
    "x\u2028",
)
WORDS = ("cat", "dog", "1", "-1", "0", "yes", "no", "+1", "1.0", "2", "NaN", "", "\x1b]0;t\x07", "<script>", "c" * 3000)
SEPARATORS = (",", ",", ",", ";", "\t", " ", "|", ", ")
COMMANDS = {
    "cost": 20,
    "cells": 6,
    "regions": 6,
    "interpolate": 4,
    "margin": 3,
    "predict": 1,
    "tv": 1,
    "margin tv": 1,
    "problem-9": 1,
    "problem-4": 1,
    "penalty": 1,
    "flow": 1,
    "bins": 1,
}
"""What reads a table, with its share: the cheap come often."""


def rows(random: Random, columns: int, labelled: bool, strange: float) -> list[list[str]]:
    """Rows of a table whose first column increases most of the time."""
    count = random.choice((0, 1, 2, 2, 3, 3, 4, 5, 8))
    made = [
        [number(random, strange) if random.random() < strange else plain(random) for _ in range(columns)]
        for _ in range(count)
    ]
    if random.random() < 0.9:
        step = random.choice(("1", "0.5", "1e-3", "1e149", "1e-150", "1/7", "1e20"))
        for n, row in enumerate(made):
            if random.random() > strange:
                row[0] = f"{n}{step[1:]}" if step[0] == "1" and "/" not in step else str(n)
    if labelled:
        words = random.sample(WORDS, k=2) if random.random() < 0.5 else ["1", "-1"]
        for row in made:
            row[-1] = random.choice(words)
    return made


def table(random: Random, columns: int, labelled: bool) -> bytes:
    """The bytes of a file."""
    strange = random.choice((0.0, 0.0, 0.05, 0.3))
    made = rows(random, columns, labelled, strange)
    if random.random() < 0.4:
        usual = ["x", "y"] if columns == 2 else [f"x{k}" for k in range(columns - 1)] + ["y"]
        made.insert(0, usual if random.random() < 0.6 else random.choices(NAMES, k=columns))
    if made and random.random() < 0.1:
        random.choice(made).append(number(random))
    if made and random.random() < 0.05:
        random.choice(made).pop()
    if random.random() < 0.02:
        made = [["1"] * random.choice((1000, 100_000)) for _ in range(2)]
    if random.random() < 0.02:
        made.append([long(random), long(random)])
    if random.random() < 0.02:
        made.append(["1", random.choice('1a"') * random.choice((140_000, 400_000))])
    separator = random.choice(SEPARATORS)
    if random.random() < 0.1:
        made = [[f'"{cell}"' for cell in row] for row in made]
    if separator == ";" and random.random() < 0.5:
        made = [[cell.replace(".", ",") for cell in row] for row in made]
    text = "\n".join(separator.join(row) for row in made) + "\n" * random.randrange(2)
    if random.random() < 0.05:
        text = "# a comment\n\n" + text
    found = encoded(random, text)
    return damaged(random, found) if random.random() < 0.2 else found


def column(random: Random) -> str:
    """What is given to --x, --y or --label."""
    return random.choice((*NAMES, "0", "3", "-1", "99", "x,y", "1,2", ",", long(random), number(random)))


def calls(random: Random) -> Call:
    """A command on such a file, or with such a file on standard input."""
    what = random.choices(tuple(COMMANDS), tuple(COMMANDS.values()))[0]
    several = what in ("tv", "margin tv", "penalty", "cells")
    labelled = what in ("margin", "margin tv", "flow")
    columns = random.choice((1, 2, 2, 2, 2, 3, 4)) if several else random.choice((1, 2, 2, 2, 2, 2, 2, 3))
    if what == "regions":
        columns = 3
    file = table(random, columns, labelled)
    name, given, files = ("-", file, {}) if random.random() < 0.2 else ("data.csv", b"", {"data.csv": file})
    more: list[str] = []
    if random.random() < 0.15 and what != "regions":
        more.append(f"--x={column(random)}")
    if random.random() < 0.1 and what != "regions":
        more.append(f"--{'label' if what in ('margin', 'margin tv', 'flow', 'bins') else 'y'}={column(random)}")
    if random.random() < 0.3:
        more.append("--json")
    if random.random() < 0.2 and what not in ("predict", "cells", "regions", "cost"):
        more += ["--certificate", "proof.json"]
    head: dict[str, list[str]] = {
        "tv": ["interpolate", name, "--norm", "tv"],
        "margin tv": ["margin", name, "--norm", "tv"],
        "problem-9": ["interpolate", name, "--norm", "problem-9"],
        "problem-4": ["interpolate", name, "--norm", "problem-4"],
        "penalty": ["interpolate", name, "--norm", "tv", f"--penalty={number(random)}"],
        "flow": ["margin", name, "--flow", "--width", random.choice(("1", "5", "20"))],
        "bins": ["margin", name, f"--bins={random.choice(('2', '5', '1', '0', '-3', '50', number(random)))}"],
        "predict": ["predict", name, f"--joint={random.choice(('pytorch()', 'circle(1)'))}"],
    }
    arguments = head.get(what, [what, name])
    if what == "problem-9" and random.random() < 0.3:
        more.append(f"--kinks={number(random)}:{number(random)}")
    if what == "cost" and random.random() < 0.2:
        more.append(f"--left-slope={number(random)}")
    if what == "predict" and random.random() < 0.3:
        more += [f"--time={number(random)}"]
    if what == "predict" and random.random() < 0.3:
        more += ["--at", number(random), number(random)]
    return Call((*arguments, *more), files, given)
