"""The front page: what this is, the papers and how they stand, and where to go from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from implicitbias.claims.statement import Paper
from implicitbias.judging.verdict import GLYPHS, WEAKEST_FIRST
from implicitbias.record.ledger import Entry
from implicitbias.record.shipped import told
from implicitbias.report.paper import authors

from ..data.snapshot import Snapshot
from ..says import story
from ..says.wording import ACCENT, BOLD, DIM, OWN, counts, plain
from ..widgets.choices import Choices
from .main_screen import MainScreen

SUBJECT = "what five papers claim about the implicit bias of shallow ReLU networks"
STORY = "ten claims, from what a norm means to your own data"
WAY = (
    ": each claim is observed by computation that does not see its formula, then judged,"
    " and formulas that are nearly right must fail."
)
NARROW, WIDE, WIDEST = 66, 104, 120
"""Columns from which on the title stands beside how the claims stand, from which on it has a line of its own, and at
most: what stands far apart is not read together."""

ROOMY = 30
"""Lines of a terminal in which the marks are explained."""

DOORS = (
    ("enter", "a paper", "read its claims, see the evidence, run them here"),
    ("T", "the tour", "{route}"),
    ("P", "the playground", "train a network on points of your own"),
)


class FrontScreen(MainScreen):
    """Lists the papers; enter goes to one."""

    place = "front"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,w", "walk", "All claims"),
        Binding("slash", "search", "Find a claim"),
        Binding("r", "app.choose_run", "Run"),
    ]

    def compose_body(self) -> ComposeResult:
        with VerticalScroll(id="front", can_focus=False):
            yield Static("", id="front-about")
            yield Choices(id="front-papers", markup=False)
            yield Static("", id="front-doors")

    def __init__(self) -> None:
        super().__init__()
        self._drawn: tuple[Snapshot, Size] | None = None

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.call_after_refresh(lambda: self.snapshot_changed(self.host.snapshot))

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self.snapshot_changed(self.host.snapshot)

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        if self._drawn is not None and self._drawn[0] is snapshot and self._drawn[1] == self.size:
            return
        self._drawn = (snapshot, self.size)
        width = min(max(20, self.size.width - 6), WIDEST)
        own = not story.told(snapshot.catalogue)
        says = f"Checks {'the claims of a folder' if own else SUBJECT}{WAY}"
        self.query_one("#front-about", Static).update(plain("implicitbias  ", f"{BOLD} {ACCENT}") + plain(says))
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        papers = snapshot.catalogue.papers
        stands = _aligned([_stand(snapshot, paper) for paper in papers])
        listed.set_options([Option(_paper(paper, stand, width)) for paper, stand in zip(papers, stands, strict=True)])
        listed.highlighted = min(at, max(0, listed.option_count - 1)) if listed.option_count else None
        self.query_one("#front-doors", Static).update(
            Content("\n").join(
                [
                    *([_legend(snapshot), Content("")] if self.size.height >= ROOMY else []),
                    *_doors("each headline as a lesson" if own else STORY),
                    Content(""),
                    _made(snapshot),
                ]
            )
        )

    @property
    def shown_paper(self) -> Paper | None:
        at = self.query_one(OptionList).highlighted
        papers = self.host.snapshot.catalogue.papers
        return papers[at] if at is not None and at < len(papers) else None

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        paper = self.shown_paper
        if paper is not None:
            self.host.go_to_paper(paper.key)

    def action_walk(self) -> None:
        self.host.to_walk()

    def action_search(self) -> None:
        self.host.search()


def _stand(snapshot: Snapshot, paper: Paper) -> tuple[Content, Content]:
    """How the claims of a paper stand, and after a mark how our own results beside it do."""
    claims = snapshot.catalogue.of_paper(paper.key)
    own = [claim for claim in claims if claim.is_own_result]
    printed = counts(snapshot.rolled_up(claim for claim in claims if not claim.is_own_result), False)
    return printed, plain(f"{OWN} ", ACCENT) + counts(snapshot.rolled_up(own), False) if own else Content("")


def _aligned(stands: Sequence[tuple[Content, Content]]) -> list[Content]:
    """Each pair in one line, in columns."""
    first, second = (max((pair[i].cell_length for pair in stands), default=0) for i in (0, 1))
    gap = "  " if second else ""
    return [
        one.pad_right(first - one.cell_length) + plain(gap) + other.pad_right(second - other.cell_length)
        for one, other in stands
    ]


def _legend(snapshot: Snapshot) -> Content:
    """What the marks of the papers mean."""
    words = [word for word in WEAKEST_FIRST[::-1] if word in snapshot.rolled_up(snapshot.claims)]
    says = [f"{GLYPHS[word]} {word.lower()}" for word in words]
    own = any(claim.is_own_result for claim in snapshot.claims)
    return plain("   ".join([*says, *([f"{OWN} results of our own"] if own else [])]), DIM)


def _cited(paper: Paper, room: int) -> str:
    """Who wrote it, and where it is found; the first author alone where there is no room for all."""
    first, *others = paper.authors.split(", ")
    brief = replace(paper, authors=f"{first} et al." if others else first)
    full = [", ".join(part for part in (authors(one), paper.identifier) if part) for one in (paper, brief)]
    return full[0] if len(full[0]) <= room else full[1]


def _paper(paper: Paper, stand: Content, width: int) -> Content:
    """Key and title; below it who wrote it, and where it is found. How its claims stand is in the line with room."""
    indent = 14 if width >= NARROW else 2
    key = plain(paper.key.ljust(14), BOLD)
    title = plain(paper.title or paper.key)
    room = width - indent - stand.cell_length - 2
    if width >= WIDE:
        lines = [key + title, plain(" " * indent) + _filled(plain(_cited(paper, room), DIM), room) + stand]
    elif width >= NARROW:
        lines = [key + _filled(title, room) + stand, plain(" " * indent + _cited(paper, width - indent), DIM)]
    else:
        lines = [key + stand, plain("  ") + title, plain("  " + _cited(paper, width - indent), DIM)]
    return Content("\n").join(line.truncate(width, ellipsis=True) for line in lines if line.plain.strip())


def _filled(content: Content, room: int) -> Content:
    """Exactly as wide as the room, and a gap."""
    return content.truncate(room, ellipsis=True).pad_right(max(0, room - content.cell_length)) + plain("  ")


def _doors(route: str) -> list[Content]:
    return [
        plain(f"{key:>5}  ", f"{BOLD} {ACCENT}") + plain(f"{what:<16}") + plain(says.format(route=route), DIM)
        for key, what, says in DOORS
    ]


def _made(snapshot: Snapshot) -> Content:
    """Where the results come from."""
    elsewhere, total = snapshot.elsewhere, len(snapshot.results)
    if not total:
        return plain("Nothing has run here yet: r runs checks.", DIM)
    says = told([Entry(snapshot.recorded[key], snapshot.results[key]) for key in elsewhere], total)
    if not says:
        return plain(f"All {total} results were made here.", DIM)
    stale = sum(key in snapshot.stale for key in elsewhere)
    others = (
        f" ↻ {stale} of them {'was' if stale == 1 else 'were'} made from other sources than those here."
        if stale
        else ""
    )
    return plain(f"{says[0].upper()}{says[1:]}: r runs checks here.{others}", DIM)
