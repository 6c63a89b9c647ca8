"""The walk: claims on the left, the one chosen on the right, its checks, and what is known of each."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from implicitbias.claims.statement import Claim

from ..data.filter import Filter
from ..data.progress import Progress
from ..data.snapshot import Snapshot
from ..messages import ClaimChosen, FilterChanged
from ..widgets.claim_tree import ClaimTree
from ..widgets.filter_bar import FilterBar
from ..widgets.focusing import focus_now
from ..widgets.reader import Reader
from ..widgets.status_line import StatusLine
from ..widgets.tab_strip import TABS
from . import jump
from .choose_claim import ChooseClaim
from .choose_filter import ChooseFilter
from .main_screen import MainScreen

REST = 0.03
"""Seconds without a key after which the claim under the cursor is shown."""

PANES = ("filter-text", "tree", "page", "checks-list", "detail-pane", "plot-pane", "try-formula")
"""Where jump mode can go."""


class WalkScreen(MainScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_claim(1)", "Next"),
        Binding("p", "next_claim(-1)", "Claim before", show=False),
        Binding("right_square_bracket", "next_check(1)", "Next check", show=False),
        Binding("left_square_bracket", "next_check(-1)", "Check before", show=False),
        *(Binding(str(i), f"tab({tab!r})", tab, show=False) for i, tab in enumerate(TABS, 1)),
        Binding("h,left", "step_out", "A pane back", show=False),
        Binding("l,right,enter", "step_in", "Read on", show=False),
        Binding("slash", "search", "Filter"),
        Binding("f", "filter", "Standings, kinds", show=False),
        Binding("exclamation_mark", "attention", "Look", tooltip="only what needs a look"),
        Binding("escape", "back", "Back", show=False),
        Binding("o", "related", "Rests on", show=False),
        Binding("backspace", "previous", "Claim seen before", show=False),
        Binding("r", "app.choose_run", "Run"),
        Binding("R", "app.run_this", "Run this claim", show=False),
        Binding("t", "try", "Try"),
        Binding("c", "recheck", "Re-check certificates", show=False),
        Binding("w", "write", "Write certificates", show=False),
        Binding("z", "zoom", "Zoom", show=False),
        Binding("ctrl+o,semicolon", "jump", "Jump to a pane", show=False),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.filter = Filter()
        self.claim: Claim | None = snapshot.claims[0] if snapshot.claims else None
        self._seen: list[str] = []
        self._following: Timer | None = None

    def compose_body(self) -> ComposeResult:
        yield StatusLine(id="status")
        with Horizontal(id="walk"):
            with Vertical(id="left"):
                yield FilterBar(id="filter")
                yield ClaimTree(self.host.snapshot, id="tree")
            yield Reader(id="reader")

    @property
    def claim_tree(self) -> ClaimTree:
        return self.query_one(ClaimTree)

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)

    def on_mount(self) -> None:
        focus_now(self.claim_tree)
        self.call_after_refresh(lambda: self.snapshot_changed(self.host.snapshot))

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        if self.claim is not None and self.claim.id in snapshot.standings:
            self.claim = snapshot.standing(self.claim.id).claim
        else:
            self.claim = snapshot.claims[0] if snapshot.claims else None
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

    def apply_filter(self) -> None:
        """Put the claims that pass into the tree, if they are others than those in it."""
        snapshot = self.host.snapshot
        shown = self.filter.choose(snapshot)
        if shown != self.claim_tree.shown:
            self.claim_tree.show(shown, self.claim.id if self.claim else None)
        self.query_one(FilterBar).show(self.filter, len(shown), len(snapshot.claims))

    @on(ClaimChosen)
    def _chosen(self, event: ClaimChosen) -> None:
        self.show_claim(event.claim)
        if event.opened:
            self.action_step_in()

    @on(FilterChanged)
    def _filtered(self, event: FilterChanged) -> None:
        self.filter = event.filter
        self.apply_filter()
        shown = self.claim_tree.shown
        if shown and self.claim not in shown:
            self.show_claim(shown[0].id)

    def show_claim(self, claim_id: str, *, remember: bool = True) -> None:
        standing = self.host.snapshot.standings.get(claim_id)
        if standing is None or (self.claim is not None and self.claim.id == claim_id):
            return
        if self.claim is not None and remember:
            self._seen.append(self.claim.id)
        self.claim = standing.claim
        self._follow()

    def _follow(self) -> None:
        """The claim follows the cursor as soon as that rests: a key is answered at once, however fast they come."""
        if self._following is not None:
            self._following.stop()
        self._following = self.set_timer(REST, self._show)

    def _show(self) -> None:
        self._following = None
        if self.claim is not None:
            self.reader.show(self.claim)

    @property
    def settled(self) -> Reader:
        """The reader, with the claim under the cursor in it now."""
        if self._following is not None:
            self._following.stop()
            self._show()
        return self.reader

    def action_go(self, claim_id: str) -> None:
        """To a claim, wherever the tree is; a filter that hides it is lifted."""
        if claim_id not in {claim.id for claim in self.claim_tree.shown}:
            self.filter = Filter()
            self.apply_filter()
        self.show_claim(claim_id)
        self.claim_tree.put_cursor(claim_id)

    @property
    def shown_claim(self) -> Claim | None:
        return self.claim

    def command_line(self) -> str:
        return self.settled.command_line()

    def action_next_claim(self, by: int) -> None:
        ids = [claim.id for claim in self.claim_tree.shown]
        if ids and self.claim is not None:
            at = ids.index(self.claim.id) + by if self.claim.id in ids else 0
            if 0 <= at < len(ids):
                self.show_claim(ids[at])
                self.claim_tree.put_cursor(ids[at])

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
        self.settled.show_tab(tab)

    def action_step_in(self) -> None:
        """From the tree to the claim, on to its checks, on to what they found."""
        self.add_class("reading")
        self.settled.step_in()

    def action_step_out(self) -> None:
        if not self.settled.step_out():
            self.to_tree()

    def to_tree(self) -> None:
        self.remove_class("reading", "zoom-page", "zoom-detail")
        focus_now(self.claim_tree)

    def action_back(self) -> None:
        if self.has_class("zoom-page") or self.has_class("zoom-detail"):
            self.remove_class("zoom-page", "zoom-detail")
        else:
            self.to_tree()

    def action_search(self) -> None:
        self.to_tree()
        focus_now(self.query_one("#filter-text", Input))

    def action_filter(self) -> None:
        self.app.push_screen(ChooseFilter(self.filter, self.host.snapshot))

    def action_attention(self) -> None:
        self.post_message(FilterChanged(replace(self.filter, attention=not self.filter.attention)))

    def action_related(self) -> None:
        """Pick one of the claims that this one rests on, that rest on it, or that speak of the same thing."""
        if self.claim is None:
            return
        snapshot = self.host.snapshot
        below = [name for name in self.claim.rests_on if any(c.id == name for c in snapshot.claims)]
        above = [claim.id for claim in snapshot.catalogue.resting_on(self.claim.id)]
        known = {claim.id for claim in snapshot.claims} - {*below, *above}
        beside = [name for name in snapshot.catalogue.beside(self.claim.id) if name in known]
        if not below and not above and not beside:
            self.notify("This claim rests on none of the others, and none rests on it.")
            return
        groups = (("it rests on", below), ("on it rest", above), ("see also", beside))
        self.app.push_screen(ChooseClaim(snapshot, groups), lambda name: self.action_go(name) if name else None)

    def action_try(self) -> None:
        self.add_class("reading")
        self.settled.open_try()

    def action_recheck(self) -> None:
        self.settled.recheck()

    def action_write(self) -> None:
        self.settled.write()

    def action_zoom(self) -> None:
        zoomed = self.has_class("zoom-page") or self.has_class("zoom-detail")
        self.remove_class("zoom-page", "zoom-detail")
        if not zoomed:
            on_page = self.query_one("#page").has_focus
            self.add_class("reading", "zoom-page" if on_page else "zoom-detail")

    def action_jump(self) -> None:
        widgets: dict[str, Widget] = {name: self.query_one(f"#{name}") for name in PANES}

        def go(name: str | None) -> None:
            if name:
                widgets[name].focus()

        self.app.push_screen(jump.Jump(jump.places(widgets)), go)
