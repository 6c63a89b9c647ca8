"""Rivals beside *try*: the search runs in a worker, and its account is what the command line tells."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.rivals import RivalsDialogue
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.reading_pane import ReadingPane
from tests.support.playing import play, screen_text, until, walk

Pilots = Pilot[Any]


def test_the_values_that_were_tried_and_the_rivals_are_shown(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("v")
        dialogue = app.screen
        assert isinstance(dialogue, RivalsDialogue)
        assert "searching for formulas" in screen_text(app)
        await until(pilot, lambda: dialogue.found is not None, seconds=120)
        await pilot.pause()
        text = dialogue.query_one(ReadingPane).text
        assert "values that were tried" in text
        assert "no rival" in text
        assert dialogue.found is not None
        assert dialogue.found.found.evaluated > 1000
        await pilot.press("escape")
        assert isinstance(app.screen, WalkScreen)

    play(settings, script)


def test_it_can_be_left_while_it_searches(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("v", "escape", "n")
        await until(pilot, lambda: walk(app).shown_claim is not None)
        assert isinstance(app.screen, WalkScreen)
        assert walk(app).shown_claim.id == "shown.theorem_2"  # type: ignore[union-attr]

    play(settings, script)


def test_a_rule_shows_its_answers_and_an_unchecked_claim_says_so(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        for claim, words in (("shown.rule_8", "a rule is judged"), ("shown.theorem_6", "no evidence is recorded")):
            walk(app).action_go(claim)
            await pilot.press("v")
            dialogue = app.screen
            assert isinstance(dialogue, RivalsDialogue)
            pane = dialogue.query_one(ReadingPane)
            await until(pilot, lambda pane=pane, words=words: words in pane.text)
            await pilot.press("escape")

    play(settings, script)
