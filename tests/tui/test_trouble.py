"""What goes wrong is said in a sentence: no traceback ever reaches the screen."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from implicitbias.cli import main
from implicitbias.errors import UserError
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.settings import Settings
from tests.support.playing import FOLDER, play, screen_text, until, walk

Pilots = Pilot[Any]


def test_no_ledger_yet_shows_every_claim_unchecked(settings: Settings, tmp_path: Path) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert "10 of the papers  · 10 unchecked  ◇ 1 our own  · 1 unchecked" in screen_text(app)
        assert "Not run yet" in screen_text(app)

    play(replace(settings, ledger=tmp_path / "none.sqlite"), script)
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.parametrize("contents", [b"", b"no database at all, but long enough to have a header" * 40])
def test_an_unreadable_ledger_is_a_message(settings: Settings, tmp_path: Path, contents: bytes) -> None:
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(contents)

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("j", "2", "6", "R")
        await until(pilot, lambda: app.run_now is None)
        await pilot.pause()
        assert "10 of the papers" in screen_text(app)
        if contents:
            assert "! " in screen_text(app).splitlines()[0]
            assert any(n.title == "The ledger cannot be read" for n in app._notifications)

    play(replace(settings, ledger=bad), script)


def test_a_ledger_of_a_newer_version_is_a_message(settings: Settings) -> None:
    with sqlite3.connect(settings.ledger_path) as connection:
        connection.execute("PRAGMA user_version = 99")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert "it was written by a newer version" in app.snapshot.trouble

    play(settings, script)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_refuses_exports_and_runs_with_a_message(settings: Settings, home: Path) -> None:
    home.chmod(stat.S_IRUSR | stat.S_IXUSR)

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("e", "s")
        assert sum("cannot write" in n.message for n in app._notifications) == 2

    play(settings, script)


def test_what_cannot_be_written_is_a_message(settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("e", "s", "T", "space")
        assert sum("Permission denied" in n.message for n in app._notifications) == 2

    play(settings, script)


def test_a_ledger_that_cannot_be_made_ends_a_run_with_a_message(settings: Settings, tmp_path: Path) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("R")
        await until(pilot, lambda: app.run_now is None)
        await pilot.pause()
        assert any(n.title == "The run ended" for n in app._notifications)

    play(replace(settings, ledger=tmp_path / "no" / "folder" / "ledger.sqlite"), script)


def test_a_claims_folder_that_breaks_while_it_is_shown_leaves_what_was_there(
    settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "claims"
    shutil.copytree(FOLDER, folder)

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        (folder / "squares.py").write_text("ONE = (1,")
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert any(n.title == "The claims cannot be read" for n in app._notifications)
        assert len(walk(app).claim_tree.shown) == 11
        shutil.copy(FOLDER / "squares.py", folder / "squares.py")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: app.snapshot.row > 0)
        assert len(walk(app).claim_tree.shown) == 11

    play(replace(settings, claims=folder), script)


def test_an_empty_claims_folder_is_an_empty_screen(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("j", "n", "l", "t", "o", "R", "e", "y", "6", "z", "T", "space", "escape")
        assert "0 claims" in screen_text(app)

    play(replace(settings, claims=tmp_path / "empty"), script)


@pytest.mark.parametrize("size", [(40, 10), (5, 2)])
def test_a_terminal_that_is_too_small_says_so(settings: Settings, size: tuple[int, int]) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        if size[0] >= 20:
            assert "This terminal is" in screen_text(app)
        await pilot.press("j", "l", "t", "escape", "T", "space", "escape", "question_mark", "escape")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "The area of a square" in screen_text(app)
        assert "This terminal is" not in screen_text(app)

    play(settings, script, size)


def test_resizing_during_a_run_disturbs_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "0.2")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go("shown.theorem_7")
        await pilot.press("R")
        for size in ((80, 24), (40, 10), (160, 50), (60, 15), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.05)
        await until(pilot, lambda: app.run_now is None)
        assert app.snapshot.standing("shown.theorem_7").standing == "ESTABLISHED"

    play(settings, script)


def test_without_colour_everything_is_still_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert app.no_color
        assert "✗  Thm. 3" in screen_text(app)
        await pilot.press("n", "n")
        await until(pilot, lambda: "✗ REFUTED" in screen_text(app))

    play(settings, script)


@pytest.mark.parametrize("theme", ["ansi-light", "textual-light"])
def test_themes_of_others_draw_every_screen(settings: Settings, theme: str) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert app.theme == theme
        await pilot.press("3", "4", "L", "escape", "T", "space", "escape")
        await pilot.pause()
        assert "✗  Thm. 3" in screen_text(app)

    play(replace(settings, theme=theme), script, (100, 30))


def test_without_a_terminal_the_command_says_what_else_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tui"]) == 2
    said = capsys.readouterr().err
    assert "needs a terminal" in said
    assert "implicitbias list" in said


def test_a_dumb_terminal_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from implicitbias.commands.claims import tui

    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with pytest.raises(UserError, match="TERM='dumb'"):
        tui._require_terminal()


def test_a_fault_of_the_interface_is_one_line(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        def fail() -> None:
            raise ZeroDivisionError("a slip")

        app.call_later(fail)
        await pilot.pause()

    with pytest.raises(ZeroDivisionError):
        play(settings, script)
    said = capsys.readouterr().err
    assert "Traceback" not in said


def test_keys_that_come_while_it_ends_mean_nothing(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        app.exit(0)
        for key in "jkntq/" * 5:
            app.simulate_key(key)

    assert play(settings, script).return_code == 0


def test_an_unknown_theme_is_refused_with_those_there_are(settings: Settings) -> None:
    with pytest.raises(UserError, match=r"no theme is called 'mauve': there are .*paper.*slate"):
        play(replace(settings, theme="mauve"), None)  # type: ignore[arg-type]
