"""Papers and their claims in the paper's order, each with glyph and word for how it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from implicitbias.claims.statement import Claim
from implicitbias.judging.verdict import GLYPHS, Standing

from ..data.snapshot import Snapshot
from ..messages import ClaimChosen
from ..says.wording import STANDING_WIDTH

TONES = {
    Standing.ESTABLISHED: "good",
    Standing.CORRECTED: "fixed",
    Standing.REFUTED: "bad",
    Standing.BROKEN: "bad",
    Standing.UNDECIDED: "open",
    Standing.UNCHECKED: "none",
}

ROOMY = 70
"""Cells from which the place in the paper has a column of its own."""

PLACE_WIDTH = 20


class ClaimTree(Tree[str]):
    """Nodes hold a paper's key or a claim's id; labels are made when they are seen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"claim-tree--{tone}" for tone in ("good", "fixed", "bad", "open", "none", "paper")
    }

    def __init__(self, snapshot: Snapshot, id: str | None = None) -> None:
        super().__init__("claims", id=id)
        self.snapshot = snapshot
        self.shown: tuple[Claim, ...] = ()
        self.running: Collection[str] = ()
        self._by_name: dict[str, TreeNode[str]] = {}
        self.show_root = False
        self.show_guides = False
        self.guide_depth = 2
        self.auto_expand = False
        self.border_title = "claims"

    def show(self, claims: Sequence[Claim], current: str | None) -> None:
        """Put these claims into the tree; the cursor stays on the current one, or goes to the first."""
        self.shown = tuple(claims)
        folded = {key for key, node in self._by_name.items() if node.allow_expand and not node.is_expanded}
        self._by_name = {}
        with self.prevent(Tree.NodeHighlighted):
            self.clear()
            for paper in self.snapshot.catalogue.papers:
                own = [claim for claim in claims if claim.paper == paper.key]
                if own:
                    node = self.root.add(paper.key, paper.key, expand=paper.key not in folded)
                    self._by_name[paper.key] = node
                    self._by_name.update({claim.id: node.add_leaf(claim.id, claim.id) for claim in own})
            self.root.expand()
        target = current if current in self._by_name else (claims[0].id if claims else None)
        if target is not None:
            self.put_cursor(target)

    def put_cursor(self, claim_id: str) -> None:
        """The cursor to a claim, its paper unfolded, without telling anybody."""
        node = self._by_name.get(claim_id)
        if node is None:
            return
        if node.parent is not None and not node.parent.is_expanded:
            node.parent.expand()
        with self.prevent(Tree.NodeHighlighted):
            if self.last_line >= 0:  # asking lays the lines out, without which no node knows its own
                self.move_cursor(node)
            self.scroll_to_node(node, animate=False)

    def refresh_labels(self, snapshot: Snapshot, running: Collection[str]) -> None:
        self.snapshot, self.running = snapshot, running
        self._clear_line_cache()
        self.refresh()

    def get_label_width(self, node: TreeNode[str]) -> int:
        return 1  # labels fill the width there is; measuring a thousand of them would be lag

    def render_label(self, node: TreeNode[str], base_style: Style, style: Style) -> Text:
        at_cursor = node is self.cursor_node
        room = max(10, self.scrollable_content_region.width - (0 if node.allow_expand else 2))
        label = self._paper(node, at_cursor) if node.allow_expand else self._claim(node.data or "", room, at_cursor)
        label.truncate(room, overflow="ellipsis", pad=True)
        label.stylize_before(style)
        return label

    def _paper(self, node: TreeNode[str], at_cursor: bool) -> Text:
        claims = [claim for claim in self.shown if claim.paper == node.data]
        _, counts = self.snapshot.rolled_up(claims)
        parts: list[tuple[str, Style | str]] = [
            ("▾ " if node.is_expanded else "▸ ", ""),
            (f"{node.data} ", "" if at_cursor else self.get_component_rich_style("claim-tree--paper", partial=True)),
        ]
        long = sum(len(word) + 6 for word in counts) + len(node.data or "") + 4
        words = long <= self.scrollable_content_region.width
        for word, number in counts.items():
            text = f" {GLYPHS[word]} {number}" + (f" {word.lower()}" if words else "")
            parts.append((text, self._tone(word, at_cursor)))
        return Text.assemble(*parts, no_wrap=True)

    def _claim(self, claim_id: str, room: int, at_cursor: bool) -> Text:
        standing = self.snapshot.standing(claim_id)
        claim = standing.claim
        star = "*" if standing.standing.holds and not standing.fully else " "
        word = f"{GLYPHS[standing.standing]} {standing.standing}{star}".ljust(STANDING_WIDTH + 2)
        tag = "▸" if claim_id in self.running else "↻" if self.snapshot.is_stale(claim) else ""
        title = Text(claim.title, no_wrap=True)
        if room >= ROOMY:
            place = Text(claim.source.locator, style="dim", no_wrap=True)
            place.truncate(PLACE_WIDTH, overflow="ellipsis", pad=True)
            title = Text.assemble(place, "  ", title, no_wrap=True)
        left = room - len(word) - (2 if tag else 0)
        title.truncate(max(4, left), overflow="ellipsis", pad=bool(tag))
        return Text.assemble((word, self._tone(standing.standing, at_cursor)), title, f" {tag}" if tag else "")

    def _tone(self, word: Standing, at_cursor: bool) -> Style | str:
        # The cursor's colours are chosen to be read together; others on its background may not be.
        return "" if at_cursor else self.get_component_rich_style(f"claim-tree--{TONES[word]}", partial=True)

    @on(Tree.NodeHighlighted)
    def _highlighted(self, event: Tree.NodeHighlighted[str]) -> None:
        event.stop()
        if event.node.data and not event.node.allow_expand:
            self.post_message(ClaimChosen(event.node.data))

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[str]) -> None:
        event.stop()
        if event.node.allow_expand:
            event.node.toggle()
        elif event.node.data:
            self.post_message(ClaimChosen(event.node.data, opened=True))
