"""The commands that a page of documentation shows, run as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from implicitbias.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
SHOWN_ELSEWHERE = ("pip ", "dask ", "make ", "pytest")
"""Commands that are not ours; `make` targets are looked up."""

EXIT_CODES = {"try": (0, 1), "rivals": (0, 1), "verify": (0,), "report": (0, 1, 3)}
"""`try` with a wrong formula ends with 1, `rivals` if there are any; a report of an almost empty ledger with 1 or 3."""


def commands(page: Path) -> list[list[str]]:
    """The command lines of a page, without comments."""
    consoles = re.findall(r"```console\n(.*?)```", page.read_text(), re.S)
    return [shlex.split(line[2:], comments=True) for text in consoles for line in text.splitlines() if line[:2] == "$ "]


def _takes_minutes(command: list[str]) -> bool:
    """Everything is verified, or on machines that are not here, or by a pattern that takes in half a paper."""
    words = command[1:]
    return words[:1] == ["verify"] and ("--scheduler" in words or "*" in "".join(words) or len(words) == 1)


def follow(
    page: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    claims: Path | None = None,
    codes: dict[str, tuple[int, ...]] | None = None,
    followed: set[str] | None = None,
) -> None:
    """Run the commands of a page in the working folder; each ends as `codes` say, or with 0.

    claims    a folder that fills the one that `new-claim` makes
    followed  searches for rivals that were run on another page, and with the same words need not be again
    """
    codes = EXIT_CODES if codes is None else codes
    assert main(["examples"]) == 0
    makefile = (ROOT / "Makefile").read_text()
    for command in commands(page):
        line = " ".join(command)
        if command[0] == "make":
            assert re.search(rf"^{command[1]}:", makefile, re.M)
        elif not line.startswith(SHOWN_ELSEWHERE):
            assert command[0] == "implicitbias", command
            assert command[1] in COMMANDS, command
            if followed is not None and command[1] == "rivals" and "--claims" not in command:
                if line in followed:
                    continue
                followed.add(line)
            if not _takes_minutes(command):
                code = main(command[1:])
                if command[1] == "new-claim" and claims is not None:
                    shutil.copytree(claims, "claims", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
                said = capsys.readouterr()
                assert code in codes.get(command[1], (0,)), (command, said.err)
