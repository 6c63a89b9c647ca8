"""Key screens as pictures, the clock and the cursor frozen. After a wanted change: pytest --snapshot-update."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from implicitbias.claims.catalogue import load
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.front import FrontScreen
from implicitbias.tui.screens.playground import PlaygroundScreen
from implicitbias.tui.screens.tour import TourScreen
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.try_panel import TryPanel
from tests.support.playing import until, walk

SMALL, MEDIUM, MIDDLE, LARGE, HUGE = (80, 24), (100, 30), (120, 40), (160, 50), (200, 60)

SCENES: dict[str, tuple[tuple[int, int], str, tuple[str, ...]]] = {
    "first screen, small": (SMALL, "slate", ()),
    "first screen, middle, light": (MIDDLE, "paper", ()),
    "first screen, large": (LARGE, "slate", ()),
    "a claim, small, light": (SMALL, "paper", ("n", "enter")),
    "a headline with its parts, middle": (MIDDLE, "slate", (*["n"] * 8, "space")),
    "a paper, middle, light": (MIDDLE, "paper", ("g",)),
    "a paper, small": (SMALL, "slate", ("g", "l")),
    "a flaw with its controls, middle": (MIDDLE, "slate", ("n", "4")),
    "a plot, large, light": (LARGE, "paper", ("right_square_bracket", "3")),
    "a derivation in the terminal's own colours": (MIDDLE, "ansi-dark", ("1",)),
    "a formula tried, middle": (MIDDLE, "slate", ("t", "end", "plus", "x", "enter")),
    "the front page, middle": (MIDDLE, "slate", ("F",)),
    "the front page, small, light": (SMALL, "paper", ("F",)),
    "the tour, middle": (MIDDLE, "slate", ("T", *["space"] * 4)),
    "the tour, small, light": (SMALL, "paper", ("T", "space")),
    "the legend, small": (SMALL, "slate", ("L",)),
    "what to run, middle": (MIDDLE, "slate", ("r",)),
    "what to show, small": (SMALL, "slate", ("f", "space")),
    "the playground before its first step, middle": (MIDDLE, "slate", ("P",)),
    "the playground before its first step, small, light": (SMALL, "paper", ("P",)),
    "a digit in the tree goes to the claim, small": (SMALL, "slate", ("2",)),
    "the front page, medium": (MEDIUM, "slate", ("F",)),
    "a claim, medium, light": (MEDIUM, "paper", ("n", "2")),
    "a formula tried, medium, light": (MEDIUM, "paper", ("t", "end", "plus", "x", "enter")),
    "the keys, medium": (MEDIUM, "slate", ("question_mark",)),
    "the front page, huge, light": (HUGE, "paper", ("F",)),
    "a claim with its plot, huge": (HUGE, "slate", ("n", "3")),
    "the tour, huge, light": (HUGE, "paper", ("T", *["space"] * 3)),
    "what to run, huge, light": (HUGE, "paper", ("r",)),
    "too small": ((40, 10), "slate", ()),
}


@pytest.mark.parametrize("scene", SCENES)
def test_the_screen_looks_as_it_did(
    snap_compare: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch, scene: str
) -> None:
    size, theme, keys = SCENES[scene]
    monkeypatch.chdir(settings.ledger_path.parent)
    shown = replace(settings, theme=theme, ledger=Path(settings.ledger_path.name))
    app = ImplicitBias(load(settings.claims), shown)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app._has_read and walk(app).reader.detail.entry is not None)
        for field in app.screen.query(Input):
            field.cursor_blink = False
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.05)
        if isinstance(app.screen, FrontScreen):
            await pilot.pause(0.2)
        elif isinstance(app.screen, TourScreen):
            tour = app.screen
            await until(pilot, lambda: len(tour._results) == 2)
        elif isinstance(app.screen, PlaygroundScreen):
            playground = app.screen
            await until(pilot, lambda: playground.frame is not None)
            await pilot.press("space", "r")
            await until(pilot, lambda: playground.frame is not None and playground.frame.step == 0)
        elif walk(app).paper is not None:
            await pilot.pause(0.2)
        elif "t" in keys:
            await until(pilot, lambda: walk(app).query_one(TryPanel).outcome is not None)
        else:
            await until(pilot, lambda: walk(app).reader.detail.entry is not None)
        await pilot.pause(0.1)

    assert snap_compare(app, run_before=before, terminal_size=size)
