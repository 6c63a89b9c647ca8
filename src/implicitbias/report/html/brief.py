"""A page without the end tags and the quotes that HTML lets one leave out, which are a twentieth of it."""

from __future__ import annotations

import re

ENDED_BY_THE_NEXT = re.compile(r"</(?:td|th|tr|li|dt|dd|tbody|thead)>\s*")
"""What follows one of these in our pages is the next of its kind, or the end of what they are in."""

PARAGRAPH = re.compile(r"</p>\s*(?=<(?:p|div|ul|dl|table|section|h[1-6]|details|/section|/div|/details)\b)")


TAG = re.compile(r"<[a-z][^<>]*>")
QUOTED = re.compile(r'(?<=[a-z])="([\w#.:%-]+)"(?=[ >])')


def brief(page: str) -> str:
    """The same document, shorter (HTML Standard, 13.1.2.3 and 13.1.2.4, unquoted attributes and optional tags).

    >>> brief("<ul><li>one</li>\\n<li><p>two</p></li></ul><p>three</p>\\n<div>four</div>")
    '<ul><li>one<li><p>two</p></ul><p>three<div>four</div>'
    >>> brief('<a href="#x" title="a b">="b" </a>')
    '<a href=#x title="a b">="b" </a>'
    """
    page = TAG.sub(lambda tag: QUOTED.sub(r"=\1", tag[0]), page)
    return PARAGRAPH.sub("", ENDED_BY_THE_NEXT.sub("", page))
