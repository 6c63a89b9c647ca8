"""Play a script of keys to the real application."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from implicitbias.claims.catalogue import load
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings

FOLDER = Path(__file__).parents[1] / "tui" / "claims"
MADE = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

Script = Callable[[ImplicitBias, Pilot[Any]], Awaitable[None]]


def walk(app: ImplicitBias) -> WalkScreen:
    screen = app._main_screen()
    assert isinstance(screen, WalkScreen)
    return screen


async def read(app: ImplicitBias, pilot: Pilot[Any]) -> None:
    """Wait until the evidence of the selected check has arrived."""
    await until(pilot, lambda: walk(app).reader.detail.entry is not None)
    await pilot.pause()


def play(settings: Settings, script: Script, size: tuple[int, int] = (120, 40)) -> ImplicitBias:
    """Run the application while the script presses keys; return it for inspection."""
    app = ImplicitBias(load(settings.claims), settings)

    async def scene() -> None:
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app._has_read)
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(scene())
    return app


async def until(pilot: Pilot[Any], true: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until the condition holds. Raises AssertionError after `seconds`."""
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not happen in time")


def screen_text(app: ImplicitBias) -> str:
    """The screen as text."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
