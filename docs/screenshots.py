"""Pictures for the README, from real results: python docs/screenshots.py [LEDGER [CLAIMS]].

Run `implicitbias verify` first; every screen shows what the ledger holds.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from implicitbias.claims.catalogue import load
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.playground import PlaygroundScreen
from implicitbias.tui.screens.tour import TourScreen
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.try_panel import TryPanel

HERE = Path(__file__).parent
THEOREM = "savarese2019.theorem_3_1"
FLAWED = "savarese2019.lemma_1_zero_weights"
PLOTTED = "jin2021.theorem_4_output_weights"
LAST = 500
"""Steps of training at which the playground is photographed: the network is on its way."""


async def walk(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    _go(app, THEOREM)
    await pilot.press("4")


async def corrected(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    _go(app, FLAWED)
    await pilot.press("4")


async def plot(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    _go(app, PLOTTED)
    await pilot.press("3")


async def tried(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    _go(app, THEOREM)
    await pilot.press("t")
    app.screen.query_one("#try-formula", Input).value = "T + Abs(s)"
    await pilot.press("enter")
    while app.screen.query_one(TryPanel).outcome is None:
        await pilot.pause(0.05)


async def tour(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    _go(app, THEOREM)
    await pilot.press("T", *["space"] * 4)
    while not isinstance(app.screen, TourScreen) or len(app.screen._results) < 3:
        await pilot.pause(0.05)


async def playground(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    await pilot.press("P")
    while not isinstance(app.screen, PlaygroundScreen) or app.screen.frame is None or app.screen.frame.step < LAST:
        await pilot.pause(0.01)
    await pilot.press("space")


SCENES = {"walk": walk, "corrected": corrected, "plot": plot, "try": tried, "tour": tour, "playground": playground}


def _go(app: ImplicitBias, claim: str) -> None:
    screen = app.screen
    assert isinstance(screen, WalkScreen)
    screen.action_go(claim)


async def photograph(name: str, settings: Settings, size: tuple[int, int]) -> None:
    app = ImplicitBias(load(settings.claims), settings)
    async with app.run_test(size=size) as pilot:
        while not app._has_read:
            await pilot.pause(0.05)
        await pilot.pause(1.0)
        for field in app.screen.query(Input):
            field.cursor_blink = False
        await SCENES[name](app, pilot)
        await pilot.pause(0.5)
        (HERE / f"{name}.svg").write_text(app.export_screenshot(title="implicitbias") + "\n")


def main() -> None:
    ledger, claims = (*(Path(given).resolve() for given in sys.argv[1:3]), None, None)[:2]
    if ledger is not None:
        # The top line shows the path: the file's name alone says nothing about this machine.
        os.chdir(ledger.parent)
        ledger = Path(ledger.name)
    with tempfile.TemporaryDirectory() as nowhere:
        settings = Settings(claims=claims, ledger=ledger, memory=Path(nowhere) / "tour.json")
        for name in SCENES:
            shown = replace(settings, theme="paper") if name == "plot" else settings
            asyncio.run(photograph(name, shown, (120, 40)))
            print(f"docs/{name}.svg")


if __name__ == "__main__":
    main()
