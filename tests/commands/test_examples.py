"""`examples`, and that the commands that it prints run on what it writes."""

from __future__ import annotations

import shlex

import pytest

from implicitbias.commands.examples import EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_commands_that_are_printed_run(run, tmp_path, monkeypatch, example) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run("examples", tmp_path / "new").out.splitlines()
    for line in printed:
        if line.startswith("  implicitbias ") and example.name in line:
            ran = run(*shlex.split(line.removeprefix("  implicitbias ")))
            assert (ran.code, ran.err) == (0, ""), (line, ran)


def test_what_is_there_is_not_overwritten(run, tmp_path) -> None:
    (tmp_path / "table.csv").write_text("mine")
    ran = run("examples", tmp_path)
    assert ran.code == 2
    assert "table.csv" in ran.err
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".csv"] == ["table.csv"]
    (tmp_path / "table.csv").unlink()
    assert run("examples", tmp_path).code == run("examples", tmp_path).code == 0


def test_a_folder_that_cannot_be_made_is_a_message(run) -> None:
    ran = run("examples", "/proc/nowhere")
    assert ran.code == 2
    assert "cannot write" in ran.err
