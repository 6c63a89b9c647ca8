"""`formalise`: Coq files of a claim's theorems, none where there is none."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "example_theorems"
OF_GAMMA = """
from implicitbias.claims import claim, shows, theorem
from implicitbias.theorems.rules.values.value import Value


@theorem("by its definition")
def of_gamma():
    yield shows(Value("relu(z) + gamma(z + 1/3)"), for_all={"z": "positive"}, z="z")


CLAIM = claim("tested.gamma", "Section 1", "A ramp and Γ", "The rectifier of a positive number is the number.",
              formula="z + gamma(z + 1/3)", symbols={"z": "a number"},
              controls={"z": "without Γ", "2*z + gamma(z + 1/3)": "twice"}, checks=(of_gamma,))
"""


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


def test_what_is_not_in_coq_is_said_and_none_ends_with_2(run, tmp_path: Path):
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "gamma.py").write_text(OF_GAMMA)
    ran = run("formalise", "tested.gamma", "--claims", tmp_path / "claims", "--workers", 1)
    assert ran.code == 2
    assert "not in Coq: tested.gamma: gamma of this argument" in ran.err
    assert "none of these claims has a theorem that is written in Coq" in ran.err


def test_a_folder_that_cannot_be_made(run, tmp_path: Path):
    (tmp_path / "file").write_text("")
    ran = run("formalise", "tested.ramps", "--claims", EXAMPLES, "--workers", 1, "-o", tmp_path / "file" / "coq")
    assert ran.code == 2
    assert "cannot be made a folder" in ran.err
