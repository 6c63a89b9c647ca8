"""Help, made from the bindings that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.binding import Binding

from .blocks import Block, Gap, Pairs, Paragraph
from .wording import BOLD, plain

Group = tuple[str, Sequence[Binding]]


def blocks(groups: Iterable[Group], display: Callable[[Binding], str]) -> list[Block]:
    """Each group with its keys; those of one action in one line."""
    shown: list[Block] = []
    for title, bindings in groups:
        rows: dict[tuple[str, str], list[str]] = {}
        for binding in bindings:
            if binding.description and not binding.system:
                keys = rows.setdefault((binding.action, binding.description), [])
                name = display(binding)
                if name not in keys:
                    keys.append(name)
        if rows:
            pairs = tuple((plain(" ".join(keys), BOLD), plain(says)) for (_, says), keys in rows.items())
            shown += [Gap(), Paragraph(plain(title, BOLD)), Pairs(pairs, most=16)]
    return shown[1:]
