"""The common parts of the walk, the tour and the playground."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from implicitbias.claims.statement import Claim, Paper

from ..data.progress import Progress
from ..data.snapshot import Snapshot
from ..host import Host
from ..says.wording import plain
from ..widgets.key_line import KeyLine
from ..widgets.run_strip import RunStrip
from .vi_keys import VI_KEYS, move

LEAST_WIDTH, LEAST_HEIGHT = 50, 14


class MainScreen(Screen[None]):
    """Fills the terminal, or says that it is too small; shows the current run at the bottom."""

    place: ClassVar[str]
    """Which screen it is: `walk`, `front`, `tour` or `playground`."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """As in Textual, which draws the whole screen again when the focus moves; the two widgets do that themselves."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 (declared so by Screen)
        (0, "-tiny"),
        (LEAST_WIDTH, "-narrow"),
        (100, "-wide"),
        (140, "-roomy"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_HEIGHT, "-low"), (30, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *VI_KEYS,
        Binding("tab", "app.focus_next", "Next pane", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous pane", show=False),
    ]

    def compose(self) -> ComposeResult:
        yield Static("", id="too-small")
        yield from self.compose_body()
        yield RunStrip(id="run-strip")
        yield KeyLine()

    def compose_body(self) -> ComposeResult:
        raise NotImplementedError

    @property
    def host(self) -> Host:
        return cast(Host, self.app)

    def on_mount(self) -> None:
        self.watch(self.app, "snapshot", self.snapshot_changed, init=False)
        self.watch(self.app, "progress", self._progress_changed, init=False)

    def on_resize(self, event: Resize) -> None:
        size = f"This terminal is {event.size.width}×{event.size.height}."
        says = f"{size} At least {LEAST_WIDTH}×{LEAST_HEIGHT} is needed: make it larger, or q quits."
        self.query_one("#too-small", Static).update(plain(says))

    def action_vi(self, where: str) -> None:
        move(self.focused, where)

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        """Redraw: the snapshot has changed."""

    def progress_changed(self, progress: Progress | None) -> None:
        """Redraw: the run has progressed."""

    def _progress_changed(self, progress: Progress | None) -> None:
        self.query_one(RunStrip).show(progress, self.host.stopping)
        self.progress_changed(progress)

    @property
    def shown_claim(self) -> Claim | None:
        """The claim that this screen shows."""
        return None

    @property
    def shown_paper(self) -> Paper | None:
        """The paper that this screen shows, or whose claim it shows."""
        claim = self.shown_claim
        return self.host.snapshot.catalogue.paper(claim.paper) if claim else None

    @property
    def filtered_claims(self) -> tuple[Claim, ...]:
        """The claims that a filter lets through; none where nothing is filtered."""
        return ()

    def command_line(self) -> str:
        """The command that reproduces what is shown."""
        return f"implicitbias report{self.host.settings.arguments()}"
