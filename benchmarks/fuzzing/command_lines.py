"""Command lines: every command with every option, and values that it hardly expects."""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from random import Random
from typing import get_args

import typer

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.claim_files import FILE
from benchmarks.fuzzing.numerals import number

FILES = {
    "data.csv": b"x,y\n0,0\n1,1\n2,0\n",
    "labelled.csv": b"x,label\n0,cat\n1,dog\n2,cat\n",
    "net.json": b'{"w":[1,-1],"b":[0,1],"v":[1,1]}',
    "empty": b"",
    "binary": bytes(range(256)),
    "zeros": bytes(5000),
    "text": b"not a number\n",
    "proof.json": b'{"kind":"minimum-norm interpolation"}',
    "ledger.sqlite": b"this is no ledger",
    "claims/square.py": FILE.encode(),
}
PATHS = (
    *FILES,
    "claims",
    "folder",
    ".",
    "..",
    "/",
    "",
    "no/such/file",
    "pipe",
    "loop",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/proc/self/mem",
    "/proc/self/environ",
    "a" * 300,
    "a/" * 3000,
    "data.csv/x",
    "-",
    "~",
    "~nobody/x",
    "new\nline",
    "\x1b[31m",
    "\udcff",
    "gone",
    "--",
    "*",
    "$(touch kanarie7)",
    "`touch kanarie7`",
    "; touch kanarie7",
)
WORDS = (
    "tiny.square",
    "tiny",
    "*",
    "**",
    "[",
    "[!",
    "?",
    "",
    "savarese2019.*",
    "no.such",
    "a" * 5000,
    "tiny.square\n",
    "\udcff",
    "\x1b[31m",
    "9" * 4400,
    "é",
    "theorem_3_1",
    "-",
    "cpu",
    "cuda",
    "quick",
    "full",
    "paper",
    "json",
    "html",
    "console",
    "junit",
    "badge",
    "none",
    "exact",
    "ols",
    "tv",
    "group",
    "proof",
    "1:2",
    "2:1",
    "nan:1",
    ":",
    "normal(0,1)",
    "uniform(-2,2)",
    "x",
    "y",
    "abs(x)",
)
INTEGERS = (
    "0",
    "1",
    "-1",
    "2",
    "10",
    str(10**30),
    "9" * 4301,
    f"-{10**30}",
    "1e3",
    "1.0",
    "nan",
    "inf",
    "",
    " 5",
    "+5",
    "1_000",
    "٣",
    "0x10",
    "None",
    "2147483648",
    str(2**63),
    str(2**64),
    "three",
)
FLOATS = (*INTEGERS, "1e400", "-1e400", "1e-400", "-inf", "-nan", "0.5", "-0.5", "1e308")
SEVERAL_PROCESSES = ("verify", "try", "attack", "formalise", "rivals")
"""Commands that start processes: seconds each, so they come rarely, and always with the tiny folder of claims."""
HEAVY = {"--train": ("1", "2", "0", "-1", "three", "1e3", str(10**30), "9" * 4301, ""), "--width": INTEGERS[:5]}
"""Options whose large values ask for large computations: the values that are drawn for them."""
UNTOUCHED = ("--debug",)


@cache
def options(command: str) -> tuple[tuple[str, str, bool], ...]:
    """(name, type of its value, whether it is an argument) of each parameter of the command's function."""
    from implicitbias.cli import COMMANDS

    module = importlib.import_module(f"implicitbias.commands.{COMMANDS[command][0]}")
    function = getattr(module, module.__name__.rpartition(".")[2])
    made = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        kind, declared = get_args(parameter.annotation)
        argument = isinstance(declared, typer.models.ArgumentInfo)
        spelled = [word for word in (declared.default, *(declared.param_decls or ())) if str(word)[:2] == "--"]
        name = spelled[0] if spelled else parameter.name if argument else f"--{parameter.name}"
        made.append((name, str(kind), argument))
    return tuple(made)


def value(random: Random, option: str, kind: str) -> str:
    """A value for an option: fitting more often than not."""
    if option in HEAVY:
        return random.choice(HEAVY[option])
    if "int" in kind:
        return random.choice(INTEGERS)
    if "float" in kind:
        return random.choice(FLOATS)
    if "Path" in kind or option in ("data", "file"):
        return _path(random)
    return random.choice((random.choice(WORDS), random.choice(WORDS), _path(random), number(random)))


def _path(random: Random) -> str:
    """One of `PATHS`; the pipe, for whose writer a command waits some seconds, only now and then."""
    while (path := random.choice(PATHS)) == "pipe" and random.random() < 0.9:
        pass
    return path


def calls(random: Random) -> Call:
    """Any command with any of its options."""
    from implicitbias.cli import COMMANDS

    while (command := random.choice(tuple(COMMANDS))) in SEVERAL_PROCESSES and random.random() < 0.98:
        pass
    words: list[str] = []
    for name, kind, argument in options(command):
        if argument:
            count = random.choice((0, 1, 1, 1, 1, 1, 1, 2))
            words += [
                random.choice(("data.csv", "labelled.csv", "net.json", value(random, name, kind)))
                if name in ("data", "file")
                else value(random, name, kind)
                for _ in range(count)
            ]
        elif random.random() < 0.2 and name not in UNTOUCHED:
            given = value(random, name, kind)
            joined = [f"{name}={given}"] if random.random() < 0.5 else [name, given]
            words += [name] if "bool" in kind else joined
    if random.random() < 0.1:
        stray = random.choice(("--no-such", "-x", "--", "-", "---", "--=", "-" * 5000, "--help", "-h", number(random)))
        words.insert(random.randrange(len(words) + 1), stray)
    if command == "cost":
        words += ["--time-limit", "1"]
    if command in SEVERAL_PROCESSES:
        words += ["--claims", "claims", "--workers", "1"][: 2 if command == "formalise" else 4]
        words += [] if command == "attack" else ["--ledger", "fresh.sqlite"]
    front = [random.choice(("--version", "--no-such", "nothing", ""))] if random.random() < 0.02 else []
    return Call((*front, command, *words), FILES, b"0,1\n2,3\n", processes=command in SEVERAL_PROCESSES)
