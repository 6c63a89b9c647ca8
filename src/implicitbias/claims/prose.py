"""Blocks of text in a claim file, as the records keep them."""

from __future__ import annotations

import re


def prose(text: str) -> str:
    """A block of text as its paragraphs, each on one line.

    >>> prose('''One sentence,
    ...     indented.''')
    'One sentence, indented.'
    """
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def rewrap(record: object, *fields: str) -> None:
    """Replace these fields of a frozen record by their `prose`; what is not text is left to `wellformed` to refuse."""
    for name in fields:
        given = getattr(record, name)
        if isinstance(given, str):
            object.__setattr__(record, name, prose(given))
        elif isinstance(given, tuple):
            object.__setattr__(record, name, tuple(prose(g) if isinstance(g, str) else g for g in given))
