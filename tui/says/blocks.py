"""Blocks of text that lay themselves out for any width: paragraphs, labelled lines, small tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from textual.content import Content

from .wording import BOLD, DIM, plain

LEAST = 16
"""Least width of readable text; in a narrower place it goes below its label."""


class Block(Protocol):
    def lines(self, width: int) -> list[Content]: ...


@dataclass(frozen=True)
class Gap:
    """An empty line."""

    def lines(self, width: int) -> list[Content]:
        return [Content("")]


@dataclass(frozen=True)
class Paragraph:
    """Wrapped text, indented."""

    content: Content
    indent: int = 0

    def lines(self, width: int) -> list[Content]:
        return [_indented(line, self.indent) for line in wrapped(self.content, width - self.indent)]


@dataclass(frozen=True)
class Pairs:
    """Labels in a first column, their texts wrapped in a second one."""

    rows: tuple[tuple[Content, Content], ...]
    indent: int = 0
    most: int = 28
    least: int = LEAST

    def lines(self, width: int) -> list[Content]:
        label = min(self.most, max((name.cell_length for name, _ in self.rows), default=0))
        inner = width - self.indent - label - 2
        beneath = inner < self.least
        if beneath:
            inner = max(1, width - self.indent - 2)
        lines = []
        for name, says in self.rows:
            own_line = beneath or name.cell_length > label
            if own_line:
                lines += [_indented(line, self.indent) for line in wrapped(name, width - self.indent)]
            step = 2 if beneath else label + 2
            for i, line in enumerate(wrapped(says, inner)):
                first = i == 0 and not own_line
                head = name.pad_right(step - name.cell_length) if first else Content(" " * step)
                lines.append(_indented(head + line, self.indent))
        return lines


@dataclass(frozen=True)
class Grid:
    """A table: each column as wide as its content; column `grows` takes the rest and wraps."""

    header: tuple[str, ...]
    rows: tuple[tuple[Content, ...], ...]
    grows: int
    right: frozenset[int] = frozenset()
    most: int = 30

    def lines(self, width: int) -> list[Content]:
        titles = [plain(name, DIM) for name in self.header]
        sizes = [
            min(self.most, max([title.cell_length, *(row[i].cell_length for row in self.rows)]))
            for i, title in enumerate(titles)
        ]
        gaps = 2 * (len(sizes) - 1)
        sizes[self.grows] = max(LEAST, width - gaps - sum(s for i, s in enumerate(sizes) if i != self.grows))
        if sum(sizes) + gaps > width:
            return self._stacked(width)
        lines = self._row(titles, sizes) if any(self.header) else []
        for row in self.rows:
            lines += self._row(row, sizes)
        return lines

    def _row(self, cells: Sequence[Content], sizes: Sequence[int]) -> list[Content]:
        columns = [wrapped(cell, size) for cell, size in zip(cells, sizes, strict=True)]
        lines = []
        for y in range(max(map(len, columns))):
            parts = []
            for i, (column, size) in enumerate(zip(columns, sizes, strict=True)):
                cell = column[y] if y < len(column) else Content("")
                room = size - cell.cell_length
                parts.append(cell.pad_left(room) if i in self.right else cell.pad_right(room))
            lines.append(Content("  ").join(parts))
        return lines

    def _stacked(self, width: int) -> list[Content]:
        """For a table that does not fit: each row as labelled lines."""
        lines: list[Content] = []
        for row in self.rows:
            named = zip(self.header, row, strict=True)
            lines += Pairs(tuple((plain(name, DIM), cell) for name, cell in named)).lines(width)
            lines.append(Content(""))
        return lines[:-1]


def heading(text: str) -> Paragraph:
    return Paragraph(plain(text, DIM))


def bullet(content: Content, mark: str = "·") -> Pairs:
    return Pairs(((plain(mark, DIM), content),))


def strong(text: str, indent: int = 0) -> Paragraph:
    return Paragraph(plain(text, BOLD), indent)


def wrapped(content: Content, width: int) -> list[Content]:
    """Lines of at most this width; longer words are broken."""
    return content.wrap(max(1, width)) or [Content("")]


def _indented(line: Content, cells: int) -> Content:
    return Content(" " * cells) + line if cells else line
