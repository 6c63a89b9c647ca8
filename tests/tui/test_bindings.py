"""Every key that is offered does something, and help and the palette know them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import Screen

from implicitbias.tui.app import ImplicitBias, _bindings
from implicitbias.tui.screens.choose_claim import ChooseClaim
from implicitbias.tui.screens.choose_filter import ChooseFilter
from implicitbias.tui.screens.choose_run import ChooseRun
from implicitbias.tui.screens.confirm import Confirm
from implicitbias.tui.screens.playground import PlaygroundScreen
from implicitbias.tui.screens.reading_dialogue import ReadingDialogue
from implicitbias.tui.screens.tour import TourScreen
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.choices import Choices
from implicitbias.tui.widgets.key_line import KeyLine
from implicitbias.tui.widgets.reading_pane import ReadingPane
from tests.support.playing import play, screen_text, until, walk

Pilots = Pilot[Any]

OPENED: dict[type[Screen[Any]], tuple[str, ...]] = {
    WalkScreen: (),
    TourScreen: ("T",),
    PlaygroundScreen: ("P",),
    ChooseRun: ("r",),
    ChooseFilter: ("f",),
    ChooseClaim: ("o",),
    ReadingDialogue: ("L",),
}
"""The keys that lead to each screen."""


def keys(screen: type[Screen[Any]]) -> list[Binding]:
    return [b for b in _bindings(screen) if b.description]


@pytest.mark.parametrize("screen", OPENED, ids=lambda s: s.__name__)
def test_every_binding_of_a_screen_runs_without_trouble(
    settings: Settings, home: Path, screen: type[Screen[Any]]
) -> None:
    """Each in its turn; what it does is asked elsewhere."""

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        for binding in keys(screen):
            if not isinstance(app.screen, screen):
                while not isinstance(app.screen, WalkScreen):
                    app.pop_screen()
                    await pilot.pause()
                await pilot.press(*OPENED[screen])
            assert isinstance(app.screen, screen)
            done = await app.run_action(binding.action, default_namespace=app.screen)
            assert done or binding.action.startswith("vi("), binding
            await pilot.pause()
            if app.run_now is not None:
                app.end_run()
                await until(pilot, lambda: app.run_now is None)

    play(settings, script)


def test_every_binding_that_works_everywhere_works(settings: Settings, home: Path) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        for binding in keys(ImplicitBias):  # type: ignore[arg-type]
            if binding.action == "end":
                continue
            await pilot.press(binding.key)
            await pilot.pause()
            while not isinstance(app.screen, WalkScreen):
                app.pop_screen()
                await pilot.pause()
        await pilot.press("q")

    assert play(settings, script).return_code == 0


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
def test_the_application_ends_with_zero(settings: Settings, key: str) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press(key)

    assert play(settings, script).return_code == 0


def test_a_click_on_a_key_of_the_last_line_presses_it(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        line = app.screen.query_one(KeyLine)
        said = str(line.render())
        assert said.startswith("space Parts")
        await pilot.click(KeyLine, offset=(said.index("Tour"), 0))
        await until(pilot, lambda: isinstance(app.screen, TourScreen))
        assert "Walk" in str(app.screen.query_one(KeyLine).render())

    play(settings, script)


def test_no_key_means_two_things_on_a_screen() -> None:
    for screen in (*OPENED, Confirm):
        offered: dict[str, str] = {}
        for binding in (*keys(screen), *keys(ImplicitBias)) if issubclass(screen, WalkScreen) else keys(screen):  # type: ignore[arg-type]
            assert offered.setdefault(binding.key, binding.action) == binding.action, (screen, binding)


def test_help_names_every_key_of_the_screen_and_of_the_application(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("question_mark")
        said = app.screen.query_one(ReadingPane).text  # type: ignore[attr-defined]
        for binding in (*keys(WalkScreen), *keys(ImplicitBias)):  # type: ignore[arg-type]
            assert binding.description in said, binding
            assert app.get_key_display(binding) in said, binding

    play(settings, script)


def test_the_palette_knows_every_command_and_every_claim(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        offered = {command.title for command in app.get_system_commands(walk(app))}
        for binding in (*keys(WalkScreen), *keys(ImplicitBias)):  # type: ignore[arg-type]
            if not binding.action.startswith("vi("):
                assert binding.description in offered, binding
        await pilot.press("colon", *"nothing")
        await until(pilot, lambda: "Theorem 5 · The area of nothing" in screen_text(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.screen is walk(app))
        assert walk(app).shown_claim is not None
        await until(pilot, lambda: walk(app).shown_claim.id == "shown.theorem_5")  # type: ignore[union-attr]

    play(settings, script)


def test_the_footer_fits_eighty_columns(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        for opener in ((), ("T",), ("escape", "P")):
            await pilot.press(*opener)
            await pilot.pause()
            last = screen_text(app).splitlines()[-1].rstrip()
            assert last.endswith("Quit"), last

    play(settings, script, (80, 24))


def test_a_list_without_room_can_be_paged() -> None:
    listed = Choices("one", "two")
    listed.action_page_down()
    listed.action_page_up()
    assert listed.option_count == 2
