"""`implicitbias check-certificate` as a user runs it: 0 valid, 1 refused with the reason, 2 unreadable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.certificate import kernel
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
    assert said.startswith(
        "valid: About 3 points, inputs from 0 to 2, the first 0 -> 0, the last 2 -> 0 (SHA-256 of data "
    )
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


@pytest.mark.parametrize("name", ["missing.json", "."])
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


def test_a_fault_of_the_checker_ends_with_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(document: object) -> None:
        raise ValueError("unforeseen")

    monkeypatch.setattr("implicitbias.certificate.kernel._check", fails)
    for more in ([], ["--json"]):
        assert main(["check-certificate", write(tmp_path, VALID), *more]) == 4
        said = capsys.readouterr()
        assert "ValueError: unforeseen" in said.err
        assert "valid" not in said.out


LINE = "x,y\n0,0\n1,1\n2,0\n"
CLASSES = "x,label\n-1,cat\n0,dog\n2,cat\n"
PLANE = "a,b,y\n0,0,1\n1,0,0\n0,1,0\n"
PLANE_CLASSES = "a,b,y\n0,0,yes\n1,0,no\n0,1,no\n"
WRITERS: dict[str, tuple[list[str], str, str, str]] = {
    "minimum-norm interpolation": (["interpolate"], LINE, "1,1", "1,2"),
    "interpolation by ramps": (["interpolate", "--norm", "problem-9"], LINE, "2,0", "3,0"),
    "interpolation with penalised biases": (["interpolate", "--norm", "problem-4"], LINE, "2,0", "2,1/1000"),
    "interpolation of least total variation": (["interpolate", "--norm", "tv"], PLANE, "1,0,0", "1,1/9,0"),
    "least loss penalised by total variation": (
        ["interpolate", "--norm", "tv", "--penalty", "1/10"],
        PLANE,
        "0,1,0",
        "0,1,-1",
    ),
    "least penalised loss on a line": (["interpolate", "--penalty", "1/10"], "x,y\n0,0\n1,1\n1,0\n", "1,0", "1,2"),
    "margins of least total variation": (["margin", "--norm", "tv"], PLANE_CLASSES, "1,0,no", "1,0,yes"),
    "maximum margin": (["margin"], CLASSES, "2,cat", "2,dog"),
    "KKT point of the margin problem": (["margin", "--flow"], CLASSES, "-1,cat", "-2,cat"),
    "all minimisers of least variation": (["interpolate", "--norm", "tv"], "a,y\n0,-1/2\n1,1/2\n", "1,1/2", "2,1/2"),
}


def test_all_kinds_are_bound_to_data() -> None:
    assert set(WRITERS) == set(kernel.all_kinds())


@pytest.mark.parametrize("kind", WRITERS)
def test_a_proof_is_bound_to_the_users_own_data(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same points, in another order where that is allowed, pass; other ones are refused with their row."""
    monkeypatch.chdir(tmp_path)
    command, text, old, new = WRITERS[kind]
    Path("data.csv").write_text(text)
    option = "--all-minimisers" if kind.startswith("all") else "--certificate"
    assert main([*command, "data.csv", option, "proof.json"]) == 0
    assert json.loads(Path("proof.json").read_text())["kind"] == kind
    capsys.readouterr()
    assert main(["check-certificate", "proof.json"]) == 0
    alone = capsys.readouterr().out
    assert alone.startswith(f"valid: About {text.count(chr(10)) - 1} points")
    assert main(["check-certificate", "proof.json", "--data", "data.csv"]) == 0
    assert capsys.readouterr().out == alone.replace("valid: ", "valid: for the data of data.csv. ")
    header, *rows = text.splitlines()
    if text != LINE:
        Path("data.csv").write_text("\n".join([header, *reversed(rows)]))
        assert main(["check-certificate", "proof.json", "--data", "data.csv"]) == 0
    assert old in text
    for other in (text.replace(old, new), "\n".join([header, *rows[:-1]]), text + "9" + rows[0].lstrip("-")):
        Path("other.csv").write_text(other)
        capsys.readouterr()
        assert main(["check-certificate", "proof.json", "--data", "other.csv"]) == 1
        said = capsys.readouterr().out
        assert said.startswith("refused: the certificate is valid, but about other data: other.csv")
    assert main(["check-certificate", "proof.json", "--data", "other.csv", "--json"]) == 1
    assert "about other data" in json.loads(capsys.readouterr().out)["reason"]


def test_what_differs_is_named_with_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path, VALID)
    Path("other.csv").write_text("# mine\nx,y\n0,0\n1,1\n2,1e-9\n")
    assert main(["check-certificate", file, "--data", "other.csv"]) == 1
    said = capsys.readouterr().out
    assert "other.csv, line 5, and point 3 of the certificate: y is 1/1000000000 and 0" in said


def test_columns_are_chosen_as_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path, VALID)
    Path("wide.csv").write_text("z,y,x\n5,0,0\n5,1,1\n5,0,2\n")
    assert main(["check-certificate", file, "--data", "wide.csv", "--x", "x", "--y", "2"]) == 0
    for wrong in (["--label", "y"], ["--bins", "2"], ["--x", "nowhere"]):
        assert main(["check-certificate", file, "--data", "wide.csv", *wrong]) == 2
    assert main(["check-certificate", file, "--x", "x"]) == 2
    assert main(["check-certificate", file, "--data", "missing.csv"]) == 2


def test_bins_are_those_of_margin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("x,y\n-1,0.1\n0,0.9\n1,0.2\n")
    assert main(["margin", "data.csv", "--bins", "2", "--certificate", "proof.json"]) == 0
    assert main(["check-certificate", "proof.json", "--data", "data.csv", "--bins", "2"]) == 0
    assert main(["check-certificate", "proof.json", "--data", "data.csv"]) == 1
    assert "tells the labels" in capsys.readouterr().out
