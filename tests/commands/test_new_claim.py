"""A new claim runs as it is written, and nothing is written over."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_what_is_written_is_established_and_its_controls_fall(run, tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    for claim in ("smith2024.theorem_1", "smith2024.lemma_2"):
        assert run("new-claim", claim, "--in", folder).code == 0
    ran = run("verify", "smith2024.*", "--claims", folder, "--workers", 1)
    assert ran.code == 0
    assert "2 established" in ran.out
    assert "4 of 4 controls rejected" in ran.out
    tried = run("try", "smith2024.theorem_1", "--formula", "(a-b)**2/3", "--claims", folder)
    assert (tried.code, "REFUTED" in tried.out) == (1, True)


def test_a_file_that_exists_is_left_alone(run, tmp_path: Path) -> None:
    run("new-claim", "smith2024.theorem_1", "--in", tmp_path)
    file = tmp_path / "smith2024" / "theorem_1.py"
    file.write_text("# mine\n")
    ran = run("new-claim", "smith2024.theorem_1", "--in", tmp_path)
    assert (ran.code, file.read_text()) == (2, "# mine\n")
    assert "exists already" in ran.err


@pytest.mark.parametrize("given", ["theorem_1", "Smith.theorem", "a.b.c", "../x.y", "smith2024.theorem-1", ""])
def test_what_is_no_id_is_refused(run, tmp_path: Path, given: str) -> None:
    ran = run("new-claim", given, "--in", tmp_path)
    assert ran.code == 2
    assert "smith2024.theorem_1" in ran.err
    assert not list(tmp_path.rglob("*.py"))
