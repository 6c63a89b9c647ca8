"""Where a filter leads, and what a move of the focus costs."""

from __future__ import annotations

from typing import Any

import pytest
from textual._compositor import Compositor
from textual.pilot import Pilot

from implicitbias.report.words import located
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.settings import Settings
from tests.support.playing import play, read, walk


def test_a_filter_that_is_a_number_goes_to_that_claim(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilot[Any]) -> None:
        await pilot.press("slash", *"lemma", "space", "9")
        await pilot.pause(0.2)
        shown = walk(app).shown_claim
        assert shown is not None
        assert located(shown) == "Lemma 9"

    play(settings, script)


def test_a_move_of_the_focus_draws_no_whole_screen(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[bool] = []
    drawn = Compositor.render_full_update

    def counted(self: Compositor, simplify: bool = False) -> Any:
        whole.append(simplify)
        return drawn(self, simplify)

    async def script(app: ImplicitBias, pilot: Pilot[Any]) -> None:
        await read(app, pilot)
        await pilot.pause(0.5)
        monkeypatch.setattr(Compositor, "render_full_update", counted)
        await pilot.press("enter")
        await pilot.pause(0.3)
        assert walk(app).focused is walk(app).query_one("#page")
        await pilot.press("h")
        await pilot.pause(0.3)
        assert walk(app).focused is walk(app).claim_tree
        assert not whole

    play(settings, script)
