"""The command line as a whole: help, versions, exit codes, and what it does not load."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest

from implicitbias import cli
from implicitbias.cli import COMMANDS, main

HEAVY = ("sympy", "scipy", "numpy", "torch", "textual", "flint", "mpmath", "numba")


@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["--version"], []])
def test_looking_around_loads_none_of_the_heavy_libraries(arguments, tmp_path, monkeypatch):
    code = (
        "import sys; from implicitbias.cli import main; code = main(sys.argv[1:]);"
        f"print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(tmp_path / "ledger.sqlite"))
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert done.stdout


def test_every_command_has_its_module_and_its_help(capsys):
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        out = capsys.readouterr().out
        assert f"implicitbias {name}" in out.replace("\n", " ")


def test_help_lists_every_command_with_its_first_line(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for name in COMMANDS:
        line = next(line for line in out.split("\n") if line.strip().startswith(f"{name} "))
        assert not line.endswith("..."), f"the first line of {name} is too long for a terminal of 80"
    assert "Exit codes" in out


def test_alone_it_prints_its_help(capsys):
    assert main([]) == 0
    assert "Usage: implicitbias" in capsys.readouterr().out


def test_the_version_is_the_packages(capsys):
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"implicitbias {project['version']}\n"


@pytest.mark.parametrize("arguments", [["lst"], ["list", "--no-such-option"], ["show"], ["show", "no.such_claim"]])
def test_bad_usage_ends_with_2_and_a_message(arguments, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert err
    assert "Traceback" not in err
    assert not out


@pytest.fixture
def failing(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a fault inside")

    monkeypatch.setattr("implicitbias.claims.catalogue.load", fail)


def test_a_fault_of_its_own_ends_with_4_and_says_how_to_see_more(failing, capsys, monkeypatch):
    monkeypatch.delenv(cli.DEBUG, raising=False)
    assert main(["list"]) == 4
    err = capsys.readouterr().err
    assert "RuntimeError: a fault inside" in err
    assert "--debug" in err


def test_with_debug_the_traceback_is_shown(failing, monkeypatch):
    monkeypatch.setenv(cli.DEBUG, "")
    with pytest.raises(RuntimeError, match="a fault inside"):
        main(["--debug", "list"])


def test_with_debug_the_program_ends_with_4_too(failing, monkeypatch, capsys):
    monkeypatch.setenv(cli.DEBUG, "")
    monkeypatch.setattr(sys, "argv", ["implicitbias", "--debug", "list"])
    assert cli.run() == 4
    assert "Traceback" in capsys.readouterr().err


def test_a_closed_pipe_is_no_failure_to_talk_about(tmp_path):
    command = f"{sys.executable} -m implicitbias list | head -1"
    here = {**os.environ, "IMPLICITBIAS_LEDGER": str(tmp_path / "ledger.sqlite")}  # a ledger half filled is remarked on
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, env=here)
    assert done.stderr == ""


def test_an_encoding_without_our_signs_does_not_stop_it(monkeypatch):
    done = subprocess.run(
        [sys.executable, "-m", "implicitbias", "show", "savarese2019.theorem_3_1"],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "", "HOME": "/nonexistent"},
    )
    assert b"Theorem 3.1" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--seed", "9" * 4301],
        ["verify", "--seed", f"-{10**30}"],
        ["verify", "--time-limit", "x" * 100_000],
        ["predict", "data.csv", "--train", "9" * 100_000],
        ["x" * 100_000],
        ["list", f"--{'x' * 100_000}"],
        ["show", "x" * 100_000],
        ["new-claim", "x" * 100_000],
        ["cost", "--formula", "1" * 100_000],
        ["zeta", "--weight", "n" * 100_000, "--bias", "normal(0,1)", "--at", "0"],
        ["zeta", "--weight", "normal(0,1)", "--bias", "normal(0,1)", "--at", "9" * 100_000],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_a_message_is_short_however_long_what_was_given(arguments, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert 0 < len(err) < 1500
    assert not out


@pytest.mark.parametrize("option", ["--claims", "--ledger"])
@pytest.mark.parametrize("path", ["a" * 300, "a/" * 3000, "~nobody-of-this-name/x", "loop"])
def test_a_path_that_the_system_cannot_look_up_is_refused(option, path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert main(["report", option, path]) == 2
    assert "is no path of a file or folder" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["check-certificate", "a\0b"], ["examples", "a\0b"], ["show", "a\0b"]])
def test_a_null_character_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == "implicitbias: 'a\\x00b' holds a null character, which no argument can\n"


def test_a_report_is_not_written_to_a_name_that_is_too_long(capsys):
    assert main(["report", "--output", "a" * 300]) == 2
    assert "File name too long" in capsys.readouterr().err


def test_the_shell_completes_commands_papers_and_claims(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def completed(words: str) -> list[str]:
        monkeypatch.setenv("_IMPLICITBIAS_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", f"implicitbias {words}")
        monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
        assert main([]) == 0
        return capsys.readouterr().out.split()

    assert completed("veri") == ["verify"]
    assert completed("show sav") == ["savarese2019"]
    assert "savarese2019.theorem_3_1" in completed("show savarese2019.theorem")


def test_the_interface_is_served_to_a_browser_where_a_server_is_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served: list[tuple[str, dict[str, object]]] = []

    class Server:
        def __init__(self, command: str, **options: object) -> None:
            served.append((command, options))

        def serve(self) -> None:
            return

    monkeypatch.setitem(sys.modules, "textual_serve", types.ModuleType("textual_serve"))
    fake = types.ModuleType("textual_serve.server")
    fake.Server = Server  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "textual_serve.server", fake)
    ledger = tmp_path / "a ledger"
    assert main(["tui", "--web", "--port", "8123", "--seed", "3", "--ledger", str(ledger)]) == 0
    [(command, options)] = served
    assert shlex.split(command)[:4] == [sys.executable, "-m", "implicitbias", "tui"]
    assert {f"--ledger={ledger}", "--seed=3", "--budget=quick"} <= set(shlex.split(command))
    assert options["port"] == 8123
    assert "http://localhost:8123" in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    assert main(["tui", "--web"]) == 2
    assert "pip install 'implicitbias[web]'" in capsys.readouterr().err
    assert main(["tui", "--port", "8123"]) == 2
