"""README and docs say only what is true: their Python runs, their claim files stand, their commands work as shown."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.cli import COMMANDS, main
from implicitbias.judging.result import stand
from implicitbias.judging.verdict import Standing
from implicitbias.running.runner import run

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    (f"{page.name} {i}", language, text)
    for page in PAGES
    for i, (language, text) in enumerate(re.findall(r"```(\w*)\n(.*?)```", page.read_text(), re.S), 1)
]
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


def test_every_block_is_of_a_kind_that_is_tried() -> None:
    assert {language for _, language, _ in BLOCKS} <= {"python", "console"}


@pytest.mark.parametrize(
    "block", [pytest.param(text, id=name) for name, lang, text in BLOCKS if lang == "python" and ">>>" in text[:4]]
)
def test_python_examples_print_what_they_show(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "a page", None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_claim_file_of_the_readme_is_established(tmp_path: Path) -> None:
    page = [(lang, text) for name, lang, text in BLOCKS if name.startswith("README")]
    (source,) = [text for lang, text in page if lang == "python" and "= claim(" in text]
    (tmp_path / "jensen.py").write_text(source)
    claims = load(tmp_path).claims
    found = stand(claims, run(claims, folder=tmp_path, ledger=None, workers=1))
    assert found["mine.jensen_gap"].standing is Standing.ESTABLISHED
    assert not found["mine.jensen_gap"].survivors


def test_what_was_found_is_what_the_catalogue_says() -> None:
    section = (ROOT / "README.md").read_text().partition("## What was found in the papers")[2].partition("\n## ")[0]
    flawed = {claim.id for claim in load().claims if claim.flaw}
    grave = sum(erratum.counts for erratum in load().errata)
    assert re.findall(r"(\d+) errata change a theorem or a formula", section) == [str(grave)]
    assert set(re.findall(r"^\| `([\w.]+)`", section, re.M)) <= flawed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_work_as_they_are_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(tmp_path / "ledger.sqlite"))
    assert main(["examples"]) == 0
    makefile = (ROOT / "Makefile").read_text()
    for command in commands(page):
        if command[0] == "make":
            assert re.search(rf"^{command[1]}:", makefile, re.M)
        elif not " ".join(command).startswith(SHOWN_ELSEWHERE):
            assert command[0] == "implicitbias", command
            assert command[1] in COMMANDS, command
            if not _takes_minutes(command):
                code = main(command[1:])
                if command[1] == "new-claim" and page.stem == "tutorial_paper":
                    shutil.copytree(page.parent / "examples" / "claims", "claims", dirs_exist_ok=True)
                said = capsys.readouterr()
                assert code in EXIT_CODES.get(command[1], (0,)), (command, said.err)
