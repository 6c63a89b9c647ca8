"""A formula of your own in the claim's place, judged at once by the recorded evidence."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from implicitbias.claims.statement import Claim
from implicitbias.errors import FormulaError
from implicitbias.judging.conjecture import together
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import Result
from implicitbias.report.typed import read
from implicitbias.report.typeset import typeset
from implicitbias.report.words import why

from ..data.judging import Conjecture, Judge, Values
from ..messages import AllJudged, Judged, TryLeft
from ..says import counterexample, plotted
from ..says.blocks import Block, Gap, Pairs, Paragraph
from ..says.wording import BOLD, DIM, GREEN, RED, YELLOW, outcome, plain
from ..settings import Settings
from .focusing import focus_now
from .plot_pane import PlotPane
from .reading_pane import ReadingPane

PAUSE = 0.4
"""Seconds after the last key before a complete formula is judged."""

SAYS = {
    Outcome.ACCEPTED: ("✓ ACCEPTED", GREEN, "every check of the claim accepts this formula"),
    Outcome.REJECTED: ("✗ REFUTED", RED, "the claim's own evidence contradicts this formula"),
    Outcome.UNDECIDED: ("? UNDECIDED", YELLOW, "nothing contradicts it, but not every check accepts it"),
}


class TryPanel(Vertical):
    """A line to edit and, below it, the judgement."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", show=True),
        Binding("enter", "judge", "Judge", show=True),
    ]

    def compose(self) -> ComposeResult:
        with Horizontal(id="try-line"):
            yield Static("try  ", id="try-sign")
            yield Input(id="try-formula", compact=True, select_on_focus=False)
        with Horizontal(id="try-body"):
            yield ReadingPane(id="try-says")
            yield PlotPane(id="try-plot")

    def on_mount(self) -> None:
        self.claim: Claim | None = None
        self.number = 0
        self.formula = self._read = ""
        """What was typed, and how it was read."""
        self._judge: Judge | None = None
        self._found: list[tuple[Result, Judgement, Values]] = []
        self._end: tuple[Outcome | None, str] | None = None
        self._pending: Timer | None = None

    def open(self, claim: Claim, settings: Settings) -> None:
        """Open it for this claim, with what was typed for it before."""
        if self._judge is None:
            self._judge = Judge(settings.ledger_path, self._tell, self._ended)
        self._judge.warm()
        field = self.query_one(Input)
        if self.claim is None or self.claim.id != claim.id:
            self.claim = claim
            with field.prevent(Input.Changed):
                field.value = typeset(str(claim.formula))
            field.action_select_all()
            self._found, self._end, self.formula = [], None, ""
            self._draw()
        focus_now(field)

    def close(self) -> None:
        if self._judge is not None:
            self._judge.stop()

    @property
    def outcome(self) -> Outcome | None:
        return self._end[0] if self._end else None

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(PAUSE, self.action_judge)

    def action_judge(self) -> None:
        """Judge the formula, unless it is the one that was judged last."""
        if self._pending is not None:
            self._pending.stop()
        formula = self.query_one(Input).value.strip()
        if self.claim is None or self._judge is None or (formula == self.formula and self._end is None):
            return
        self._found, self.formula = [], formula
        try:
            formula = read(formula, self.claim.symbols).formula
        except FormulaError as error:
            self._end = (None, str(error))
            self._draw()
            return
        self._end, self._read = None, formula
        self.number += 1
        self._draw()
        self._judge.judge(Conjecture(self.number, self.claim, formula))

    def action_leave(self) -> None:
        self.post_message(TryLeft())

    def _tell(self, number: int, result: Result, judgement: Judgement, values: Values) -> None:
        self.post_message(Judged(number, result, judgement, values))

    def _ended(self, number: int, found: Outcome | None, trouble: str) -> None:
        self.post_message(AllJudged(number, found, trouble))

    @on(Judged)
    def _judged(self, event: Judged) -> None:
        if event.number == self.number:
            self._found.append((event.result, event.judgement, tuple(event.values)))
            self._draw()

    @on(AllJudged)
    def _all_judged(self, event: AllJudged) -> None:
        if event.number == self.number:
            self._end = (event.outcome, event.trouble)
            self._draw()

    def _draw(self) -> None:
        self.query_one("#try-says", ReadingPane).show(self._blocks(), about=self.number)
        self._plot()

    def _blocks(self) -> list[Block]:
        if self._end is not None and self._end[1]:
            return [Paragraph(plain(self._end[1], YELLOW))]
        if not self.formula:
            names = ", ".join(self.claim.symbols) if self.claim else ""
            hint = (
                f"Edit the formula: it may use {names}, typed as it is shown (|s|, √, ², x₁, 2T) or as Abs(s),"
                " sqrt, **2, x_1, 2*T. It is judged as you type, by what is recorded."
            )
            return [Paragraph(plain(hint, DIM))]
        shown: list[Block] = []
        found = together([j for _, j, _ in self._found]) if self._end is None else self._end[0]
        if self._end is None and found is not Outcome.REJECTED:
            shown.append(Paragraph(plain("judging…", DIM)))
        elif found is not None:
            word, style, says = SAYS[found]
            shown.append(Paragraph(plain(f"{word}  ", style) + plain(says)))
        shown.append(Paragraph(plain(typeset(self._read), BOLD)))
        refuting = [j for _, j, _ in self._found if j.counterexample]
        nearest = min(refuting, key=lambda j: len(str(j.counterexample)), default=None)
        if nearest is not None and nearest.counterexample is not None:
            shown += [Gap(), counterexample.lines(nearest.counterexample), Gap()]
        for result, judgement, _ in self._found:
            reason = Content("") if judgement is nearest else plain(f"  {why(judgement)}", DIM)
            shown.append(Pairs(((outcome(judgement.outcome), plain(f"{result.check} ({result.kind})") + reason),)))
        return shown

    def _plot(self) -> None:
        pane = self.query_one("#try-plot", PlotPane)
        chosen = next(((r, j, v) for r, j, v in self._found if j.outcome is Outcome.REJECTED and _numbers(v)), None)
        chosen = chosen or next(((r, j, v) for r, j, v in self._found if _numbers(v)), None)
        pane.display = chosen is not None and self.size.width >= 70
        if chosen is not None and self.claim is not None:
            result, _, values = chosen
            pane.show(plotted.conjecture(self.claim, result, [said for _, said in values]))


def _numbers(values: Values) -> bool:
    """Whether there is more than one point to plot."""
    return sum(seen is not None and said is not None for seen, said in values) > 1
