"""The playground: a network trains on your data, live, over the function that theory says it tends to."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from ..data.playground import PACES, THEORIES, Frame, Scene, Setup
from ..data.trainer import Trainer
from ..messages import SetupChanged, Trained, TrainingFailed
from ..says import training
from ..widgets.focusing import focus_now
from ..widgets.network_plot import NetworkPlot
from ..widgets.plot_pane import PlotPane
from ..widgets.setup_form import SetupForm
from ..widgets.sheet import Sheet
from .main_screen import MainScreen

PACE_NAMES = ("very slow", "slow", "even", "fast", "very fast")


class PlaygroundScreen(MainScreen):
    place = "playground"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause"),
        Binding("full_stop", "frame", "Step"),
        Binding("r", "reset", "Reset"),
        Binding("n", "seed(1)", "Next seed", show=False),
        Binding("p", "seed(-1)", "Previous seed", show=False),
        Binding("o", "theory", "Theory"),
        Binding("plus,equals_sign", "pace(1)", "Faster", show=False),
        Binding("minus", "pace(-1)", "Slower", show=False),
        Binding("i", "edit", "Edit"),
        Binding("escape", "leave", "Walk"),
    ]

    def __init__(self, setup: Setup | None = None) -> None:
        super().__init__()
        self.setup = setup or Setup()
        self.theory = THEORIES[0]
        self.scene: Scene | None = None
        self.frame: Frame | None = None
        self.trainer: Trainer | None = None
        self.number = 0
        self._pace = len(PACES) // 2
        self._impossible = False
        self._history: list[tuple[int, float]] = []

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="playground"):
            yield NetworkPlot(id="play-plot")
            with Vertical(id="play-side"):
                yield SetupForm(self.setup, id="setup")
                yield Sheet(id="numbers")
                yield PlotPane(id="loss-plot")
                yield PlotPane(id="zeta-plot")

    def on_mount(self) -> None:
        self.query_one("#play-plot").border_title = "playground"
        self.query_one("#play-side").border_title = "what is trained"
        for name in ("#loss-plot", "#zeta-plot"):
            self.query_one(name).can_focus = False
        focus_now(self.query_one("#play-plot"))
        self.restart(self.setup)

    def on_unmount(self) -> None:
        if self.trainer is not None:
            self.trainer.stop()

    def restart(self, setup: Setup) -> None:
        """From the beginning, with this."""
        paused = self.trainer is not None and self.trainer.is_paused and setup == self.setup
        if self.trainer is not None:
            self.trainer.stop()
        self.setup, self.scene, self.frame, self._history, self._impossible = setup, None, None, [], False
        self.number += 1
        number = self.number
        self.query_one(NetworkPlot).say("working out what theory says …")
        self.trainer = Trainer(
            setup,
            lambda scene, frame: self.post_message(Trained(number, scene, frame)),
            lambda trouble: self.post_message(TrainingFailed(number, trouble)),
            paused=paused,
            device=self.host.settings.device,
        )
        self.trainer.pace = self._pace
        self._draw()

    @on(SetupChanged)
    def _changed(self, event: SetupChanged) -> None:
        self.restart(event.setup)
        focus_now(self.query_one("#play-plot"))

    @on(Trained)
    def _trained(self, event: Trained) -> None:
        if event.number == self.number:
            self.scene, self.frame = event.scene, event.frame
            self._history.append((event.frame.step, event.frame.loss))
            if self.theory not in event.scene.theories and event.scene.theories:
                self.theory = next(iter(event.scene.theories))
            self._draw()

    @on(TrainingFailed)
    def _failed(self, event: TrainingFailed) -> None:
        if event.number == self.number:
            self._impossible = True
            self.query_one(NetworkPlot).say(event.trouble)
            self._draw()

    @property
    def state(self) -> str:
        if self._impossible:
            return "not possible: i edits what is trained"
        if self.frame is None:
            return "starting"
        if self.frame.over:
            return f"over: {self.frame.over}"
        return "paused" if self.trainer is not None and self.trainer.is_paused else "training"

    def _draw(self) -> None:
        pace = PACE_NAMES[self._pace]
        says = training.numbers(self.setup, self.frame, self.scene, self.theory, self.state, pace)
        self.query_one("#numbers", Sheet).show(says)
        losses, zeta = self.query_one("#loss-plot", PlotPane), self.query_one("#zeta-plot", PlotPane)
        if self.scene is not None and self.frame is not None:
            self.query_one(NetworkPlot).show(self.scene, self.frame, self.theory)
            losses.show(training.losses(self._history), nothing="The loss appears with the first steps.")
            zeta.show([training.zeta(self.scene)])
        else:
            for pane in (losses, zeta):
                pane.show([], nothing="")

    def action_pause(self) -> None:
        if self.trainer is not None:
            if self.trainer.is_paused:
                self.trainer.resume()
            else:
                self.trainer.pause()
            self._draw()

    def action_frame(self) -> None:
        """One frame further, then rest."""
        if self.trainer is not None:
            self.trainer.one_frame()

    def action_reset(self) -> None:
        self.restart(self.setup)

    def action_seed(self, by: int) -> None:
        seed = max(0, self.setup.seed + by)
        self.query_one("#setup-seed", Input).value = str(seed)
        self.restart(replace(self.setup, seed=seed))

    def action_theory(self) -> None:
        names = [name for name in THEORIES if self.scene is None or name in self.scene.theories]
        at = names.index(self.theory) if self.theory in names else -1
        self.theory = names[(at + 1) % len(names)]
        self._draw()

    def action_pace(self, by: int) -> None:
        self._pace = min(len(PACES) - 1, max(0, self._pace + by))
        if self.trainer is not None:
            self.trainer.pace = self._pace
        self._draw()

    def action_edit(self) -> None:
        focus_now(self.query_one("#setup-data", Input))

    def action_leave(self) -> None:
        self.app.pop_screen()

    def command_line(self) -> str:
        return self.setup.command()
