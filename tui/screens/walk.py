"""The walk: the tree on the left; on the right the chosen claim, its checks and their evidence, or the chosen paper."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from implicitbias.claims.statement import Claim, Paper
from implicitbias.report.words import claims_apart, count, located

from ..data.filter import Filter
from ..data.progress import Progress
from ..data.snapshot import Snapshot
from ..messages import ClaimChosen, FilterChanged, PaperChosen
from ..widgets.checks_table import ChecksTable
from ..widgets.claim_tree import ClaimTree
from ..widgets.filter_bar import FilterBar
from ..widgets.focusing import focus_now
from ..widgets.panes import Panes
from ..widgets.reader import Reader
from ..widgets.status_line import StatusLine
from ..widgets.tab_strip import TABS
from . import jump
from .choose_claim import ChooseClaim
from .choose_filter import ChooseFilter
from .main_screen import MainScreen

REST = 0.03
"""Seconds without a key before the claim under the cursor is shown."""


class WalkScreen(MainScreen):
    AUTO_FOCUS = "#tree"
    """At once: a focus asked for before the layout comes late, and takes it from what was chosen since."""

    place = "walk"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_claim(1)", "Next claim", show=False),
        Binding("p", "next_claim(-1)", "Previous claim", show=False),
        Binding("right_square_bracket", "next_check(1)", "Next check", show=False),
        Binding("left_square_bracket", "next_check(-1)", "Previous check", show=False),
        *(Binding(str(i), f"tab({tab!r})", tab, show=False) for i, tab in enumerate(TABS, 1)),
        Binding("h,left", "step_out", "Back a pane", show=False),
        Binding("l,right,enter", "step_in", "Read on", show=False),
        Binding("slash", "search", "Filter"),
        Binding("f", "filter", "Filter by standing and kind", show=False),
        Binding("exclamation_mark", "attention", "Only what needs a look", show=False),
        Binding("escape", "back", "Back", show=False),
        Binding("o", "related", "Related claims: headline, parts, what it rests on", show=False),
        Binding("backspace", "previous", "The claim shown before", show=False),
        Binding("r", "app.choose_run", "Run"),
        Binding("R", "app.run_this", "Run this claim", show=False),
        Binding("t", "try", "Try"),
        Binding("b", "next_control", "Next control beside the claim", show=False),
        Binding("v", "rivals", "Rivals of the formula", show=False),
        Binding("c", "recheck", "Re-check certificates", show=False),
        Binding("w", "write", "Write certificates", show=False),
        Binding("z", "zoom", "Zoom", show=False),
        Binding("ctrl+o,semicolon", "jump", "Jump to a pane", show=False),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.filter = Filter()
        self.claim: Claim | None = snapshot.claims[0] if snapshot.claims else None
        self.paper: Paper | None = None  # whose page is shown in the place of a claim
        self._seen: list[str] = []
        self._following: Timer | None = None

    def compose_body(self) -> ComposeResult:
        yield StatusLine(id="status")
        with Panes(id="walk"):
            with Vertical(id="left"):
                yield FilterBar(id="filter")
                yield ClaimTree(self.host.snapshot, id="tree")
            yield Reader(id="reader")

    @property
    def claim_tree(self) -> ClaimTree:
        return self.query_one(ClaimTree)

    @property
    def panes(self) -> Panes:
        return self.query_one(Panes)

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)

    def on_mount(self) -> None:
        self.call_after_refresh(lambda: self.snapshot_changed(self.host.snapshot))

    def on_screen_resume(self) -> None:
        self.call_after_refresh(lambda: self.query_one(ChecksTable).fit())

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        if self.claim is not None and self.claim.id in snapshot.standings:
            self.claim = snapshot.standing(self.claim.id).claim
        else:
            self.claim = snapshot.claims[0] if snapshot.claims else None
        papers = {paper.key: paper for paper in snapshot.catalogue.papers}
        self.paper = papers.get(self.paper.key) if self.paper else None
        self.query_one(StatusLine).show(snapshot, str(self.host.settings.ledger_path))
        self._labels()
        self.apply_filter()
        self._show()

    def progress_changed(self, progress: Progress | None) -> None:
        self._labels()
        self.reader.show_checks()

    def _labels(self) -> None:
        progress = self.host.progress
        running = {claim for claim, _ in progress.active} if progress else set()
        self.claim_tree.refresh_labels(self.host.snapshot, running)

    @property
    def filtered_claims(self) -> tuple[Claim, ...]:
        return () if self.filter.is_open else self.claim_tree.shown

    @property
    def _finds_nothing(self) -> bool:
        return not (self.filter.is_open or self.claim_tree.shown)

    def apply_filter(self) -> None:
        """Put the claims that pass into the tree, unless they are in it already."""
        snapshot = self.host.snapshot
        if (shown := self.filter.choose(snapshot)) != self.claim_tree.shown:
            current = self.paper.key if self.paper else self.claim.id if self.claim else None
            self.claim_tree.show(shown, current, filtered=not self.filter.is_open)
        headlines = count(len(snapshot.catalogue.headlines), "headline")
        self.query_one(FilterBar).show(self.filter, headlines if self.filter.is_open else claims_apart(shown))

    @on(ClaimChosen)
    def _chosen(self, event: ClaimChosen) -> None:
        self.show_claim(event.claim)
        if event.opened:
            self.action_step_in()

    @on(PaperChosen)
    def _paper_chosen(self, event: PaperChosen) -> None:
        self.paper = self.host.snapshot.catalogue.paper(event.paper)
        self._follow()

    @on(FilterChanged)
    def _filtered(self, event: FilterChanged) -> None:
        found_nothing, self.filter = self._finds_nothing, event.filter
        self.apply_filter()
        if found_nothing or self._finds_nothing:
            self._show()
        shown = self.claim_tree.shown
        named = next((claim for claim in shown if located(claim).casefold() == event.filter.text.casefold()), None)
        if shown and (named or self.claim not in shown):
            self.action_go((named or shown[0]).id)

    def show_claim(self, claim_id: str, *, remember: bool = True) -> None:
        standing = self.host.snapshot.standings.get(claim_id)
        if standing is None or (self.shown_claim is not None and self.shown_claim.id == claim_id):
            return
        if self.claim is not None and self.claim.id != claim_id and remember:
            self._seen.append(self.claim.id)
        self.claim, self.paper = standing.claim, None
        self._follow()

    def _follow(self) -> None:
        """The page follows the cursor once it rests, so that keys are answered at once however fast they come."""
        if self._following is not None:
            self._following.stop()
        self._following = self.set_timer(REST, self._show)

    def _show(self) -> None:
        self._following = None
        if self._finds_nothing:
            self.reader.show_nothing(self.filter.text)
        elif self.paper is not None:
            self.reader.show_paper(self.paper)
        elif self.claim is not None:
            self.reader.show(self.claim)

    @property
    def settled(self) -> Reader:
        """The reader, showing the claim under the cursor."""
        if self._following is not None:
            self._following.stop()
            self._show()
        return self.reader

    def action_go(self, claim_id: str) -> None:
        """Go to a claim, wherever the cursor is; a filter that hides it is lifted."""
        if claim_id not in {claim.id for claim in self.claim_tree.shown}:
            self.filter = Filter()
            self.apply_filter()
        self.show_claim(claim_id)
        self.claim_tree.put_cursor(claim_id)

    def action_go_to_paper(self, key: str) -> None:
        """Go to a paper's page."""
        self.filter = Filter()
        self.apply_filter()
        self.paper = self.host.snapshot.catalogue.paper(key)
        self.claim_tree.put_cursor(key)
        self._follow()

    @property
    def shown_claim(self) -> Claim | None:
        return None if self.paper or self._finds_nothing else self.claim

    @property
    def shown_paper(self) -> Paper | None:
        return self.paper or super().shown_paper

    def command_line(self) -> str:
        return self.settled.command_line()

    def action_next_claim(self, by: int) -> None:
        """To the next claim in the tree that is not folded away; from a paper to its first."""
        if (name := self.claim_tree.beside(self.paper or self.claim, by)) is not None:
            self.show_claim(name)
            self.claim_tree.put_cursor(name)

    def action_previous(self) -> None:
        while self._seen:
            before = self._seen.pop()
            if before in self.host.snapshot.standings:
                self.show_claim(before, remember=False)
                self.claim_tree.put_cursor(before)
                return

    def action_next_check(self, by: int) -> None:
        self.settled.next_check(by)

    def action_tab(self, tab: str) -> None:
        if self.panes.hides_reader:
            self.action_step_in()
        self.settled.show_tab(tab)

    def action_step_in(self) -> None:
        """From the tree to the claim, then to its checks, then to what they found."""
        self.panes.reading = True
        self.settled.step_in()

    def action_step_out(self) -> None:
        if not self.settled.step_out():
            self.to_tree()

    def to_tree(self) -> None:
        self.panes.show_tree()
        focus_now(self.claim_tree)

    def action_back(self) -> None:
        if not self.panes.unzoom():
            self.to_tree()

    def action_search(self) -> None:
        self.to_tree()
        focus_now(self.query_one("#filter-text", Input))

    def action_filter(self) -> None:
        self.app.push_screen(ChooseFilter(self.filter, self.host.snapshot))

    def action_attention(self) -> None:
        self.post_message(FilterChanged(replace(self.filter, attention=not self.filter.attention)))

    def action_related(self) -> None:
        """Choose among this claim's headline and parts, what it rests on, what rests on it, and what it says to see."""
        claim = self.shown_claim
        if claim is None:
            return
        snapshot = self.host.snapshot
        groups = snapshot.related(claim)
        if not any(names for _, names in groups):
            self.notify("This claim rests on no other, and no other rests on it.")
            return
        self.app.push_screen(ChooseClaim(snapshot, groups), lambda name: self.action_go(name) if name else None)

    def action_try(self) -> None:
        self.panes.reading = True
        self.settled.open_try()

    def action_rivals(self) -> None:
        """Search for formulas that the recorded evidence cannot tell from the claim's."""
        from .rivals import RivalsDialogue  # with it comes numpy, which the walk does without

        if self.shown_claim is not None:
            self.app.push_screen(RivalsDialogue(self.shown_claim, self.host.settings.ledger_path))

    def action_next_control(self) -> None:
        self.settled.next_control()

    def action_recheck(self) -> None:
        self.settled.recheck()

    def action_write(self) -> None:
        self.settled.write()

    def action_zoom(self) -> None:
        if not self.panes.unzoom():
            self.panes.zoom("page" if self.query_one("#page").has_focus else "detail")

    def action_jump(self) -> None:
        panes: dict[str, Widget] = {name: self.query_one(f"#{name}") for name in jump.PANES}
        self.app.push_screen(jump.Jump(jump.places(panes)), lambda name: focus_now(panes[name]) if name else None)
