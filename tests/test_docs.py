"""README and docs say only what is true: their Python runs, their claim files stand, their commands work as shown."""

import doctest
import re
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import stand
from implicitbias.judging.verdict import Standing
from implicitbias.running.runner import run
from tests.support.pages import follow

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    (f"{page.name} {i}", language, text)
    for page in PAGES
    for i, (language, text) in enumerate(re.findall(r"```(\w*)\n(.*?)```", page.read_text(), re.S), 1)
]
FOLLOWED_ELSEWHERE = "tutorial_paper.md"
"""Its commands are run on one ledger with what else is said there: tests/test_tutorial_paper.py."""


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


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all pages: what one has observed the others need not. (On all results a report takes half a minute.)"""
    return tmp_path_factory.mktemp("ledger") / "ledger.sqlite"


@pytest.fixture(scope="module")
def followed() -> set[str]:
    return set()


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != FOLLOWED_ELSEWHERE], ids=lambda page: page.name
)
def test_commands_work_as_they_are_shown(
    page: Path,
    ledger: Path,
    followed: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(ledger))
    follow(page, capsys, followed=followed)
