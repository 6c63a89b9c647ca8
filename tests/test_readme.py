"""The README says only what is true: its Python runs, its claim file loads and stands, its commands exist."""

import doctest
import re
from pathlib import Path

import pytest

from implicitbias.catalogue import load
from implicitbias.cli import COMMANDS
from implicitbias.result import stand
from implicitbias.runner import run
from implicitbias.verdict import Standing

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text()
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.S)


@pytest.mark.parametrize("block", [b for b in PYTHON if b.startswith(">>>")])
def test_python_examples_print_what_they_show(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README", str(README), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_claim_file_of_the_readme_is_established(tmp_path: Path) -> None:
    (source,) = [b for b in PYTHON if "CLAIMS = (" in b]
    (tmp_path / "jensen.py").write_text(source)
    claims = load(tmp_path).claims
    found = stand(claims, run(claims, folder=tmp_path, ledger=None, workers=1))
    assert found["mine.jensen_gap"].standing is Standing.ESTABLISHED
    assert not found["mine.jensen_gap"].survivors


def test_every_command_named_in_the_readme_exists_and_every_command_is_named() -> None:
    named = set(re.findall(r"^\$ implicitbias ([a-z-]+)", TEXT, re.M))
    assert named <= COMMANDS.keys()
    makefile = (README.parent / "Makefile").read_text()
    for target in re.findall(r"^\$ make ([a-z]+)", TEXT, re.M):
        assert re.search(rf"^{target}:", makefile, re.M)
