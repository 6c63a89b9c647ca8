"""`implicitbias check-certificate` as a user runs it: 0 valid, 1 refused with the reason, 2 unreadable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.cli import main
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

VALID = json.dumps(min_norm_interpolant([0, 1, 2], [0, 1, 0]).certificate())


def write(folder: Path, text: str | bytes) -> str:
    file = folder / "proof.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def test_a_valid_certificate_says_what_it_proves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-certificate", write(tmp_path, VALID)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("valid: Of all functions f through the 3 data points")
    assert "is 2; exactly one function attains it" in said


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"value": "2"', '"value": "3"', "claim.value is not '3'"),
        ('"unique": true', '"unique": false', "claim.unique must be true"),
        ('"x": ["0", "1"', '"x": ["0", "1/2"', "misses the data point 1"),
        ('"p": ["0", "-1"', '"p": ["0", "1"', "complementary slackness"),
        ('"version": 1', '"version": NaN', "NaN"),
        ('"version": 1', '"version": 1, "version": 1', "repeated"),
        ('"digest": "', '"digest": "0', "64 hexadecimal digits"),
    ],
)
def test_a_false_certificate_is_refused_with_the_reason(
    old: str, new: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in VALID
    assert main(["check-certificate", write(tmp_path, VALID.replace(old, new))]) == 1
    said = capsys.readouterr().out
    assert said.startswith("refused: ")
    assert reason in said


@pytest.mark.parametrize("content", [b"", b"x,y\n0,1\n", b"\xff\xfe\x00\x01", VALID[:-1].encode()])
def test_what_is_no_certificate_at_all_is_unreadable(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-certificate", write(tmp_path, content)]) == 2
    said = capsys.readouterr()
    assert "cannot be read as a certificate" in said.err
    assert said.out == ""


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-certificate", str(tmp_path / name)]) == 2
    assert "cannot be read as a certificate" in capsys.readouterr().err


def test_the_outcome_comes_as_json_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-certificate", write(tmp_path, VALID), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["valid"] is True
    assert main(["check-certificate", write(tmp_path, VALID.replace("true", "false")), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["valid"]) == (1, False)
    assert "claim.unique" in document["reason"]


def test_checking_loads_nothing_that_could_be_wrong_with_it(tmp_path: Path) -> None:
    program = (
        "import sys; from implicitbias.cli import main; code = main(sys.argv[1:]);"
        "heavy = {'numpy', 'flint', 'scipy', 'sympy', 'torch'} & set(sys.modules);"
        "ours = {n for n in sys.modules if n.startswith(('implicitbias.convex', 'implicitbias.functions'))};"
        "sys.exit(code or ' '.join(heavy | ours) or 0)"
    )
    file = write(tmp_path, VALID)
    run = subprocess.run(
        [sys.executable, "-c", program, "check-certificate", file], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
