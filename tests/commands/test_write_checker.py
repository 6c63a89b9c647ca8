"""`implicitbias write-checker`: one file that says what the checker says."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.cli import main
from tests.contracts.test_every_certificate import KINDS, example
from tests.support.corruptions import corrupted


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("alone") / "checker.py"
    assert main(["write-checker", str(file)]) == 0
    return file


def run(file: Path, *arguments: str) -> tuple[int, str, str]:
    alone = [sys.executable, "-I", "-S", str(file), *arguments]
    ran = subprocess.run(alone, capture_output=True, text=True, check=False, cwd=file.parent)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_what_the_command_says(
    kind: str, checker: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, document = random.Random(kind), json.loads(example(kind))
    forged = [other for other in (corrupted(document, rng) for _ in range(6)) if other is not None]
    for text in (example(kind), *map(json.dumps, forged), example(kind)[:-2]):
        file = tmp_path / "proof.json"
        file.write_text(text)
        code, out, err = run(checker, str(file))
        capsys.readouterr()
        assert main(["check-certificate", str(file)]) == code
        said = capsys.readouterr()
        assert out == said.out
        assert bool(err) == bool(said.err) == (code == 2)


def test_it_stands_alone_in_its_folder_and_says_how_it_is_used(checker: Path) -> None:
    code, out, err = run(checker)
    assert (code, out, err) == (2, "", "usage: python checker.py FILE\n")
    assert [path.name for path in checker.parent.iterdir()] == ["checker.py"]
    source = checker.read_text()
    assert "implicitbias." not in source.replace("implicitbias.certificate", "")
    assert "from ." not in source


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["write-checker", str(tmp_path / "missing" / "checker.py")]) == 2
    assert "does not exist" in capsys.readouterr().err
