"""The playground: a network that trains live, on presets and files, with the keys that steer it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from implicitbias.errors import UserError
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.data import playground
from implicitbias.tui.data.playground import Setup
from implicitbias.tui.screens.playground import PlaygroundScreen
from implicitbias.tui.settings import Settings
from tests.support.playing import play, screen_text, until

Pilots = Pilot[Any]


def ground(app: ImplicitBias) -> PlaygroundScreen:
    assert isinstance(app.screen, PlaygroundScreen)
    return app.screen


def test_frames_go_on_in_proportion_until_the_data_are_fitted() -> None:
    state, frame = playground.begin(Setup(width=60))
    x, y = (np.array(column) for column in state.scene.data)
    assert frame.loss == pytest.approx(0.5 * np.sum(y**2))
    assert max(map(abs, frame.curve)) == 0
    steps, losses = [0], [frame.loss]
    while not frame.over:
        state, frame = playground.advance(state, 0.5, 0.05)
        steps.append(frame.step)
        losses.append(frame.loss)
    assert losses == sorted(losses, reverse=True)
    assert frame.loss < 1e-20
    assert np.abs(np.interp(x, state.scene.grid, frame.curve) - y).max() < 0.05
    assert set(frame.distances) == set(playground.THEORIES)
    assert frame.distances["wide limit"] < 0.3
    assert len(state.scene.zeta) == len(state.scene.grid)
    assert max(b / a for a, b in pairwise(steps[8:])) <= 1.51


def test_a_file_that_is_no_data_is_said_with_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Or one of zigzag, step, bump, ramp"):
        playground.points(str(tmp_path / "nowhere.csv"))
    (tmp_path / "data.csv").write_text("x,y\n0,1\n1,2\n")
    assert [len(column) for column in playground.points(str(tmp_path / "data.csv"))] == [2, 2]


def test_the_network_trains_live_and_is_paused_stepped_and_reset(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("P")
        await until(pilot, lambda: ground(app).frame is not None and ground(app).frame.step > 3)  # type: ignore[union-attr]
        await pilot.press("space")
        assert ground(app).state == "paused"
        await pilot.pause(0.5)
        frame = ground(app).frame
        assert frame is not None
        await pilot.pause(0.3)
        assert ground(app).frame is frame
        await pilot.press("full_stop")
        await until(pilot, lambda: ground(app).frame is not frame)
        shown = screen_text(app)
        assert "── network" in shown
        assert "╌╌ wide limit" in shown
        assert "● data" in shown
        assert "kinks" in shown
        assert "ζ, cheap where it is large" in shown
        await pilot.press("o")
        assert "╌╌ adaptive spline" in screen_text(app) or ground(app).theory == "adaptive spline"
        await pilot.press("plus", "minus", "n")
        assert ground(app).setup.seed == 1
        await pilot.press("p", "r")
        assert ground(app).setup.seed == 0
        await until(pilot, lambda: ground(app).frame is not None)
        assert ground(app).command_line().startswith("implicitbias predict DATA.csv --weight")
        await pilot.press("escape")
        assert not isinstance(app.screen, PlaygroundScreen)

    play(settings, script)


def test_another_law_and_other_data_are_typed_in_and_errors_stay_on_the_screen(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "mine.csv").write_text("0,1\n1,0\n2,2\n")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("P", "i")
        assert app.focused is not None
        assert app.focused.id == "setup-data"
        app.screen.query_one("#setup-data", Input).value = str(tmp_path / "mine.csv")
        app.screen.query_one("#setup-bias", Input).value = "normal(0,1)"
        app.screen.query_one("#setup-width", Input).value = "wide"
        await pilot.press("enter")
        assert any("width must be a whole number" in n.message for n in app._notifications)
        app.screen.query_one("#setup-width", Input).value = "40"
        await pilot.press("enter")
        await until(pilot, lambda: ground(app).scene is not None)
        assert ground(app).scene.data == ((0.0, 1.0, 2.0), (1.0, 0.0, 2.0))  # type: ignore[union-attr]
        app.screen.query_one("#setup-bias", Input).value = "normalish(0,1)"
        await pilot.press("i", "down", "up", "enter")
        await until(pilot, lambda: "normalish" in screen_text(app) and "law" in screen_text(app))
        await until(pilot, lambda: "not possible" in screen_text(app))
        assert "cheap where it is large" not in screen_text(app), "that was the ζ of the law before"
        await pilot.press("i", "escape")
        assert app.focused.id == "play-plot"  # type: ignore[union-attr]

    play(settings, script)
