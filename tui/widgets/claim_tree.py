"""Papers, their headlines and the parts of these, in reading order, each with its standing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.scroll_view import ScrollView
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from implicitbias.claims.statement import Claim, Paper
from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.prose import prose
from implicitbias.report.words import count, titled

from ..data.snapshot import Snapshot
from ..messages import ClaimChosen, PaperChosen
from ..says.wording import OWN

TONES = {
    Standing.ESTABLISHED: "good",
    Standing.CORRECTED: "fixed",
    Standing.REFUTED: "bad",
    Standing.BROKEN: "bad",
    Standing.UNDECIDED: "open",
    Standing.UNCHECKED: "none",
    Standing.OPEN: "fixed",
}

ROOMY = 62
"""Cells at and above which a row has the number of its parts, and places stand in a column."""

LEAST_TITLE = 20
"""Cells that a long place in the paper leaves to a long title."""

PLACE_WIDTH = 24

TAIL_WIDTH = len("  12 parts ↻")
"""Cells at the end of a roomy row, the same for all rows, so that titles begin below each other."""

ABBREVIATED = {
    "Theorem": "Thm.", "Corollary": "Cor.", "Proposition": "Prop.", "Equation": "Eq.", "Equations": "Eqs.",
    "Section": "Sec.", "Figure": "Fig.", "Figures": "Figs.", "Appendix": "App.",
}  # fmt: skip
"""Words of a place where a row is short."""

WORD = re.compile(rf"\b({'|'.join(ABBREVIATED)})\b", re.IGNORECASE)

ANOTHER = re.compile(r"(.+)(?:[,;] | and | \((?=[A-Za-z])).*")
"""A place in the paper, and the last of what is said of it besides."""

TOGGLE = Style.from_meta({"toggle": True})
"""What `Tree` looks for in the text under a click to fold or unfold a row."""


class ClaimTree(Tree[str]):
    """Nodes hold the key of a paper or the id of a claim; labels are made when they come into view.

    Papers are unfolded at first, headlines folded. A filter unfolds everything that it leaves.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"claim-tree--{tone}" for tone in ("good", "fixed", "bad", "open", "none", "paper")
    }
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "toggle_node", "Parts", tooltip="fold or unfold")]

    def __init__(self, snapshot: Snapshot, id: str | None = None) -> None:
        super().__init__("claims", id=id)
        self.snapshot = snapshot
        self.shown: tuple[Claim, ...] = ()
        self.running: Collection[str] = ()
        self._by_name: dict[str, TreeNode[str]] = {}
        self._folds: dict[str, bool] = {}
        self._is_filtered = False
        self._place_width = PLACE_WIDTH
        self.show_root = False
        self.show_guides = False
        self.guide_depth = 2
        self.auto_expand = False
        self.border_title = "claims"

    def show(self, claims: Sequence[Claim], current: str | None, *, filtered: bool = False) -> None:
        """Put these claims into the tree, with the headlines of the parts among them.

        The cursor stays on the current claim or paper, or goes to the first claim.
        """
        self.shown = tuple(claims)
        self.border_title = "claims" if claims or not filtered else "no claim passes the filter: esc clears it"
        places = (len(claim.source.locator) + 2 for claim in claims)
        self._place_width = min(PLACE_WIDTH, max(places, default=0))
        if not self._is_filtered:
            self._folds = {name: node.is_expanded for name, node in self._by_name.items() if node.allow_expand}
        self._is_filtered = filtered
        self._by_name = {}
        with self.prevent(Tree.NodeHighlighted, Tree.NodeExpanded, Tree.NodeCollapsed):
            self.clear()
            for paper in self.snapshot.catalogue.papers:
                families = self._families(paper.key)
                if families:
                    node = self._add(self.root, paper.key, filtered or self._folds.get(paper.key, True))
                    for headline, parts in families.items():
                        self._add_family(node, headline, parts)
            self.root.expand()
        target = current if current in self._by_name else (claims[0].id if claims else None)
        if target is not None:
            self.put_cursor(target)

    def _families(self, paper: str) -> Mapping[str, Sequence[str]]:
        families: dict[str, list[str]] = {}
        for claim in self.shown:
            if claim.paper == paper:
                parts = families.setdefault(claim.part_of or claim.id, [])
                if claim.part_of:
                    parts.append(claim.id)
        return families

    def _add_family(self, node: TreeNode[str], headline: str, parts: Sequence[str]) -> None:
        if not parts:
            self._by_name[headline] = node.add_leaf(headline, headline)
            return
        below = self._add(node, headline, self._is_filtered or self._folds.get(headline, False))
        for part in parts:
            self._by_name[part] = below.add_leaf(part, part)

    def _add(self, parent: TreeNode[str], name: str, expand: bool) -> TreeNode[str]:
        node = self._by_name[name] = parent.add(name, name, expand=expand)
        return node

    def beside(self, here: Claim | Paper | None, by: int) -> str | None:
        """The id of the claim so many rows on that no folded row hides; from a paper its first, or the one before."""
        ids = list(self._unfolded(self.root))
        if isinstance(here, Paper):
            at = next((i for i, name in enumerate(ids) if name.startswith(f"{here.key}.")), 0) - (by < 0)
        elif here is not None and (known := {here.id, here.part_of} & set(ids)):
            at = ids.index(here.id if here.id in known else here.part_of) + by
        else:
            at = 0
        return ids[at] if 0 <= at < len(ids) else None

    def _unfolded(self, node: TreeNode[str]) -> Iterator[str]:
        for child in node.children:
            if child.parent is not self.root and child.data:
                yield child.data
            if child.is_expanded:
                yield from self._unfolded(child)

    def put_cursor(self, name: str) -> None:
        """Move the cursor to a claim or a paper, unfolding what hides it, without posting a message."""
        node = self._by_name.get(name)
        if node is None:
            return
        above = node.parent
        while above is not None and above is not self.root:
            above.expand()
            above = above.parent
        with self.prevent(Tree.NodeHighlighted):
            if self.last_line >= 0:  # asking for it lays out the lines; until then no node knows its own
                self.cursor_line = node.line
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self.size:  # without one every line seems out of view
            self.scroll_to_line(self.cursor_line, animate=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_cursor)

    def refresh_labels(self, snapshot: Snapshot, running: Collection[str]) -> None:
        self.snapshot, self.running = snapshot, running
        self._clear_line_cache()
        self.refresh()

    def notify_style_update(self) -> None:
        """Draw the rows anew. A tree of Textual would be built anew and the screen laid out, each time that the focus
        moves: most of the time of a key.
        """
        ScrollView.notify_style_update(self)
        self._clear_line_cache()
        self.refresh()

    def get_label_width(self, node: TreeNode[str]) -> int:
        return 1  # labels fill the width; measuring a thousand of them would be slow

    def render_label(self, node: TreeNode[str], base_style: Style, style: Style) -> Text:
        at_cursor = node is self.cursor_node
        is_paper = node.parent is self.root
        depth = 0 if is_paper else 1 if node.parent is not None and node.parent.parent is self.root else 2
        room = max(10, self.scrollable_content_region.width - depth * self.guide_depth)
        arrow = Text("▾ " if node.is_expanded else "▸ ", style=TOGGLE) if node.allow_expand else Text("  ")
        row = self._paper(node, room - 2, at_cursor) if is_paper else self._claim(node, room - 2, at_cursor)
        label = Text.assemble(arrow, row, no_wrap=True)
        label.truncate(room, overflow="ellipsis", pad=True)
        label.stylize_before(style)
        return label

    def _paper(self, node: TreeNode[str], room: int, at_cursor: bool) -> Text:
        """Key, title, and how many of its claims stand how: those of the paper, then after the mark our own."""
        paper = self.snapshot.catalogue.paper(node.data or "")
        key = Text(paper.key, "" if at_cursor else self.get_component_rich_style("claim-tree--paper", partial=True))
        claims = [claim for claim in self.shown if claim.paper == paper.key]
        own = [claim for claim in claims if claim.is_own_result]
        counts = self._counts([claim for claim in claims if not claim.is_own_result], at_cursor)
        if own:
            counts = Text.assemble(counts, f" {OWN} ", self._counts(own, at_cursor))
        left = room - key.cell_len - counts.cell_len - 4
        title = Text(paper.title, no_wrap=True)
        title.truncate(max(0, left), overflow="ellipsis", pad=True)
        return Text.assemble(key, "  ", title, "  ", counts) if left >= 1 else Text.assemble(key, "  ", counts)

    def _counts(self, claims: Sequence[Claim], at_cursor: bool) -> Text:
        found = self.snapshot.rolled_up(claims)
        parts = [Text(f"{GLYPHS[word]} {number}", self._tone(word, at_cursor)) for word, number in found.items()]
        return Text(" ").join(parts)

    def _claim(self, node: TreeNode[str], room: int, at_cursor: bool) -> Text:
        standing = self.snapshot.standing(node.data or "")
        word = standing.whole if standing.parts else standing.standing
        star = "*" if word.holds and not standing.fully else " "
        roomy = self.scrollable_content_region.width >= ROOMY
        head = f"{GLYPHS[word]}{star} "
        tail = self._tail(node, standing, roomy)
        room -= len(head) + (max(TAIL_WIDTH, len(tail)) if roomy else len(tail))
        mark = f"{OWN} " if standing.claim.is_own_result else "  " if roomy else ""
        title = Text(titled(standing.claim))
        wide = min(self._place_width, max(8, room - min(LEAST_TITLE, title.cell_len) - 2))
        place = Text(mark + _located(standing.claim.source.locator, wide - len(mark), roomy), style="dim")
        place.truncate(wide, overflow="ellipsis", pad=roomy)
        title.truncate(max(4, room - place.cell_len - 2), overflow="ellipsis", pad=bool(tail))
        tail = tail.rjust(TAIL_WIDTH) if tail and roomy else tail
        return Text.assemble((head, self._tone(word, at_cursor)), place, "  ", title, (tail, "dim"))

    def _tail(self, node: TreeNode[str], standing: ClaimStanding, roomy: bool) -> str:
        """What is running or stale, in the parts too if they are folded, and how many parts there are."""
        claim = standing.claim
        members = self.snapshot.family(claim) if node.allow_expand and not node.is_expanded else (claim,)
        running = any(member.id in self.running for member in members)
        tag = " ▸" if running else " ↻" if any(self.snapshot.is_stale(member) for member in members) else ""
        parts = f"  {count(len(standing.parts), 'part')}" if standing.parts and roomy else ""
        return parts + tag

    def _tone(self, word: Standing, at_cursor: bool) -> Style | str:
        # The cursor's own colours are chosen to be legible together; others on its background may not be.
        return "" if at_cursor else self.get_component_rich_style(f"claim-tree--{TONES[word]}", partial=True)

    @on(Tree.NodeHighlighted)
    def _highlighted(self, event: Tree.NodeHighlighted[str]) -> None:
        event.stop()
        if event.node.data:
            is_paper = event.node.parent is self.root
            self.post_message(PaperChosen(event.node.data) if is_paper else ClaimChosen(event.node.data))

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[str]) -> None:
        event.stop()
        if event.node.parent is self.root:
            event.node.toggle()
        elif event.node.data:
            self.post_message(ClaimChosen(event.node.data, opened=True))


def _located(place: str, wide: int, roomy: bool) -> str:
    """Where in the paper, as a row has room for it: of several places the first ones."""
    place = prose(place[:1].upper() + place[1:]).replace("`", "")
    if not roomy:
        place = WORD.sub(lambda found: ABBREVIATED[found[0].capitalize()], place)
    while len(place) > wide and (first := ANOTHER.match(place)):
        place = first[1]
    return place
