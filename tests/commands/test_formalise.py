"""`formalise`: Coq files of a claim's theorems, none where there is none."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "example_theorems"


def test_one_file_a_proof_named_by_its_claim(run, tmp_path: Path):
    ran = run("formalise", "tested.ramps", "tested.cost", "--claims", EXAMPLES, "--workers", 1, "-o", tmp_path / "coq")
    assert ran.code == 0
    assert sorted(path.name for path in (tmp_path / "coq").iterdir()) == ["tested_cost.v", "tested_ramps.v"]
    text = (tmp_path / "coq" / "tested_ramps.v").read_text(encoding="utf-8")
    assert "Theorem tested_ramps :" in text
    assert "Definition relu" in text
    assert "2 Coq files" in ran.err


def test_standard_output_without_a_folder(run):
    ran = run("formalise", "tested.ramps", "--claims", EXAMPLES, "--workers", 1)
    assert (ran.code, "From ImplicitBias Require Import All." in ran.out) == (0, True)


def test_what_is_not_in_coq_is_said_and_none_ends_with_2(run):
    ran = run("formalise", "jin2021.theorem_2_gaussian", "--workers", 1)
    assert ran.code == 2
    assert "not in Coq: jin2021.theorem_2_gaussian" in ran.err
    assert "none of these claims has a theorem that is written in Coq" in ran.err


def test_a_folder_that_cannot_be_made(run, tmp_path: Path):
    (tmp_path / "file").write_text("")
    ran = run("formalise", "tested.ramps", "--claims", EXAMPLES, "--workers", 1, "-o", tmp_path / "file" / "coq")
    assert ran.code == 2
    assert "cannot be made a folder" in ran.err
