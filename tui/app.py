"""The application: its screens, the keys that work everywhere, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Event, InputEvent
from textual.filter import LineFilter
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider

from implicitbias.claims.catalogue import Catalogue
from implicitbias.errors import UserError
from implicitbias.report.printable import printable

from .palette import Claims
from .printable_lines import PrintableLines
from .reading_app import LEISURE
from .running_app import RunningApp
from .says import keys, legend, story
from .screens.front import FrontScreen
from .screens.main_screen import MainScreen
from .screens.reading_dialogue import ReadingDialogue
from .settings import Settings
from .theme import DARK, LIGHT, THEMES

if TYPE_CHECKING:
    from .screens.walk import WalkScreen

TERMINATED = 128 + signal.SIGTERM

WALK = "walk"
"""The name of the screen that lies beneath all others, and stays."""

SOON = 0.05
"""Seconds after the front page in which it is drawn; then the walk is laid out behind it."""


class ImplicitBias(RunningApp):
    TITLE = "implicitbias"
    CSS_PATH = "app.tcss"
    COMMANDS: ClassVar = {SystemCommandsProvider, Claims}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("T", "tour", "Tour"),
        Binding("i", "lesson", "This claim as a lesson", show=False),
        Binding("P", "playground", "Playground"),
        Binding("F", "front", "Front page", show=False),
        Binding("x", "stop_run", "Stop the run", show=False),
        Binding("y", "copy_command", "Copy the command line", show=False),
        Binding("e", "export", "Export the claim as JSON", show=False),
        Binding("s", "screenshot_file", "Save the screen as SVG", show=False),
        Binding("L", "legend", "Legend"),
        Binding("D", "other_theme", "Dark or light", show=False),
        Binding("ctrl+r", "reload", "Read everything again", show=False),
        Binding("colon", "command_palette", "Commands", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("q", "end", "Quit"),
        Binding("ctrl+q,ctrl+c", "end", "Quit", show=False),
    ]

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        super().__init__(catalogue, settings)
        self._printable = PrintableLines()
        for theme in THEMES:
            self.register_theme(theme)
        if settings.theme and settings.theme not in self.available_themes:
            known = ", ".join(sorted(self.available_themes))
            raise UserError(f"no theme is called {settings.theme!r}: there are {known}")
        self.theme = settings.theme or DARK

    def on_mount(self) -> None:
        self.start_reading()
        if self.settings.front:
            self.push_screen(FrontScreen())
            self.call_after_refresh(self.set_timer, SOON, self._lay_out_walk)
            self.call_after_refresh(self.set_timer, LEISURE, _collect_garbage)
        else:
            self._to_walk()
        if self.settings.tour:
            self._push_tour("")
        self._mind_signals()

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._printable]

    # The keys that work everywhere

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide keys that lead to the current screen, and the legend where no standing is shown."""
        here = {"legend": "playground"}.get(action, action)
        return here != self._place()

    def action_tour(self) -> None:
        if self._place() != "tour":
            self._push_tour("" if story.told(self.snapshot.catalogue) else self._shown_id())

    def action_lesson(self) -> None:
        """Tell the claim that is shown as a lesson, and the headlines after it."""
        if self._place() != "tour" and self._shown_id():
            self._push_tour(self._shown_id())

    def _push_tour(self, start: str) -> None:
        from .screens.tour import TourScreen

        self.push_screen(TourScreen(start))

    def _shown_id(self) -> str:
        screen = self._main_screen()
        claim = screen.shown_claim if screen else None
        return claim.id if claim else ""

    def action_front(self) -> None:
        if self._place() != "front":
            self._to_walk()
            self.push_screen(FrontScreen())

    def action_playground(self) -> None:
        from .screens.playground import PlaygroundScreen

        if self._place() != "playground":
            self.push_screen(PlaygroundScreen())

    def action_legend(self) -> None:
        self.push_screen(ReadingDialogue("legend", legend.blocks()))

    def action_help(self) -> None:
        """Show the keys, from the bindings that are active here."""
        groups: list[keys.Group] = []
        focused = self.focused
        if focused is not None and not isinstance(focused, Screen):
            own = _bindings(type(focused))
            groups.append((f"in {focused.border_title or focused.id or 'this pane'}", own))
        groups.append(("on this screen", _bindings(type(self.screen))))
        groups.append(("everywhere", _bindings(ImplicitBias)))
        shown = keys.blocks(groups, lambda binding: self.get_key_display(binding))
        self.push_screen(ReadingDialogue("keys", shown))

    def action_other_theme(self) -> None:
        self.theme = LIGHT if self.current_theme.dark else DARK

    def action_reload(self) -> None:
        self.reload()

    def action_copy_command(self) -> None:
        screen = self._main_screen()
        if screen is not None:
            command = screen.command_line()
            self.copy_to_clipboard(command)
            self.notify(command, title="Copied")

    def action_export(self) -> None:
        """Write the claim as `implicitbias show --json` prints it, with its evidence."""
        from .data import files

        screen = self._main_screen()
        claim = screen.shown_claim if screen else None
        if claim is None:
            self.notify("No claim is shown.")
            return
        try:
            self.notify(str(files.export_claim(self.snapshot, claim.id, self.settings.ledger_path)), title="Exported")
        except UserError as error:
            self.notify(str(error), severity="error")

    def action_screenshot_file(self) -> None:
        from .data import files

        screen = self._main_screen()
        claim = screen.shown_claim if screen else None
        name = files.name_for("implicitbias", claim.id if claim else "", suffix=".svg")
        try:
            self.notify(str(files.write(files.here(name), self.export_screenshot())), title="Saved")
        except UserError as error:
            self.notify(str(error), severity="error")

    def go(self, claim_id: str) -> None:
        """Show a claim in the walk, from any screen."""
        self._in_walk(lambda walk: walk.action_go(claim_id))

    def go_to_paper(self, key: str) -> None:
        """Show a paper's page in the walk, from any screen."""
        self._in_walk(lambda walk: walk.action_go_to_paper(key))

    def search(self) -> None:
        """Begin to type a filter of the walk, from any screen."""
        self._in_walk(lambda walk: walk.action_search())

    def to_walk(self) -> None:
        """Show the walk, from any screen."""
        self._to_walk()

    def _in_walk(self, do: Callable[[WalkScreen], None]) -> None:
        """Show the walk and do something there, once its widgets are made."""
        walk = self._to_walk()
        if walk.is_mounted:
            do(walk)
        else:
            walk.call_later(do, walk)

    def _to_walk(self) -> WalkScreen:
        walk = self._lay_out_walk()
        while walk in self.screen_stack and self.screen is not walk:
            self.pop_screen()
        while walk not in self.screen_stack and len(self.screen_stack) > 2:
            self.pop_screen()  # to the front page, on Textual's own screen
        if walk not in self.screen_stack:
            self.switch_screen(walk) if len(self.screen_stack) > 1 else self.push_screen(walk)
        return walk

    def _lay_out_walk(self) -> WalkScreen:
        """The walk; the front page is drawn before its modules are read and its widgets made."""
        from .screens.walk import WalkScreen

        if not self.is_screen_installed(WALK):
            self.install_screen(WalkScreen(self.snapshot), WALK)
            self._get_screen(WALK)
        return cast(WalkScreen, self.get_screen(WALK))

    def _place(self) -> str:
        """Which screen is on top, behind any dialogue or not; empty for none."""
        screen = self.screen if self.screen_stack else None
        return screen.place if isinstance(screen, MainScreen) else ""

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every command that has a key, and Textual's commands for themes."""
        seen = set()
        for node in (screen, self):
            for binding in _bindings(type(node)):
                if binding.description and binding.action not in seen and not binding.action.startswith("vi("):
                    seen.add(binding.action)
                    says = f"key {self.get_key_display(binding)}"
                    yield SystemCommand(
                        binding.description, says, partial(self.run_action, binding.action, default_namespace=node)
                    )
        yield SystemCommand("Theme", "choose the colours", self.action_change_theme)

    # How it ends

    def action_end(self) -> None:
        if self.run_now is None:
            self.exit(0)
            return
        done = self._latest.done if self._latest else 0
        total = self.run_now.order.checks
        from .screens.confirm import Confirm

        question = f"A run is in progress: {done} of {total} checks are done. What has finished is kept either way."
        self.push_screen(Confirm("quit?", question, "stop it and quit", "stay"), self._answered)

    def _answered(self, leave: bool | None) -> None:
        if leave:
            self.exit(0)

    def _mind_signals(self) -> None:
        """On a signal, exit in order and restore the terminal."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, partial(self.exit, return_code=128 + number))

    async def on_event(self, event: Event) -> None:
        """Ignore keys that arrive when all screens are closed."""
        if isinstance(event, InputEvent) and not self.screen_stack:
            return
        await super().on_event(event)

    def on_unmount(self) -> None:
        self.end_run()

    def _print_error_renderables(self) -> None:
        """Report a fault of the interface in one line; IMPLICITBIAS_DEBUG shows its traceback."""
        if os.environ.get("IMPLICITBIAS_DEBUG", "0") not in ("", "0"):
            super()._print_error_renderables()
            return
        error = self._exception
        if error is not None:
            said = printable(f"implicitbias failed: {type(error).__name__}: {error}")
            self.error_console.print(said, markup=False)
            self.error_console.print("This is a fault of implicitbias; `implicitbias --debug tui` shows where it lies.")


def _collect_garbage() -> None:
    """Collect garbage again, which the start went without; what is there now stays, and is not looked through again."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _bindings(owner: type) -> Sequence[Binding]:
    """The bindings that a class and its parents in this package declare, without those of Textual's widgets."""
    found: list[Binding] = []
    for parent in owner.__mro__:
        declared = parent.__dict__.get("BINDINGS", ())
        if declared and (parent.__module__.startswith("implicitbias") or parent is owner):
            found += list(Binding.make_bindings(declared))
    return found
