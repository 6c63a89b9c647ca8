"""The tour: six stages a claim, on and back, remembered."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.says.lesson import STAGES
from implicitbias.tui.screens.tour import TourScreen
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings
from tests.support.playing import play, screen_text, until

Pilots = Pilot[Any]


def tour(app: ImplicitBias) -> TourScreen:
    assert isinstance(app.screen, TourScreen)
    return app.screen


def test_a_claim_is_told_in_six_stages_and_the_next_follows(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("T")
        await until(pilot, lambda: len(tour(app)._results) == 2)
        wanted = (
            "f(x) = x·x",
            "the perimeter's growth",
            "… 7 instances more",
            "10 instances, x from",
            "✗ falls  2x",
            "so the claim is ✓ ESTABLISHED",
        )
        for number, (title, words) in enumerate(zip(STAGES, wanted, strict=True), 1):
            shown = screen_text(app)
            assert f"{number}. {title}" in shown
            assert words in shown
            await pilot.press("space")
            await pilot.pause()
        assert "The area, as printed" in screen_text(app)
        assert "The print differs: misprint." in screen_text(app)
        await pilot.press("backspace")
        await pilot.pause()
        assert "6. The verdict" in screen_text(app)
        assert "The area of a square" in screen_text(app)

    play(settings, script)


def test_the_place_is_remembered_and_the_walk_goes_on_from_there(settings: Settings) -> None:
    async def first(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("n", "n", "space")

    async def second(app: ImplicitBias, pilot: Pilots) -> None:
        assert tour(app).at == 2
        assert tour(app).stage == 1
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)
        assert app.screen.shown_claim is not None
        assert app.screen.shown_claim.id == "shown.theorem_3"

    play(replace(settings, tour=True), first)
    assert settings.memory is not None
    assert json.loads(settings.memory.read_text()) == {"claim": "shown.theorem_3", "stage": 1}
    play(replace(settings, tour=True), second, (80, 24))


def test_the_tour_goes_through_headlines_and_into_their_parts_and_on(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("T", *["n"] * 8)
        await pilot.pause()
        assert "Lemma 9 · The area in cases" in screen_text(app)
        assert "9 of 9" in screen_text(app)
        await pilot.press(*["space"] * 5)
        await pilot.pause()
        assert "as a whole ? UNDECIDED  1 of its 2 parts undecided" in screen_text(app)
        await pilot.press("m")
        await pilot.pause()
        assert "Small sides" in screen_text(app)
        assert "part 1 of 2" in screen_text(app)
        await pilot.press("n")
        await pilot.pause()
        assert "our own result, Lemma 9 bent · Bent sides" in screen_text(app)
        await pilot.press("n")
        await pilot.pause()
        assert "9 of 9" in screen_text(app)
        assert any("last headline" in n.message for n in app._notifications)
        await pilot.press("m", "p")
        await pilot.pause()
        assert tour(app).shown_claim.id == "shown.lemma_9"  # type: ignore[union-attr]
        await pilot.press("p", "m")
        await pilot.pause()
        assert any("no parts" in n.message for n in app._notifications)

    play(settings, script)


def test_claims_that_were_not_run_are_told_as_far_as_they_go(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("T", *["n"] * 5, "space", "space")
        await pilot.pause()
        assert "No check of this claim has run yet" in screen_text(app)
        await pilot.press("R")
        await until(pilot, lambda: "None of this has seen the formula" in screen_text(app))
        await until(pilot, lambda: app.run_now is None)

    play(settings, script)
