"""A sentence about mathematics as HTML: what Unicode cannot raise or lower is raised or lowered all the same."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from implicitbias.report.prose import prose

GROUP = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
WORD = r"(?:reg|class|lin|max|min|is|jk|TV)(?![A-Za-z0-9_])|[A-Za-z](?![A-Za-z]{2}|[0-9_])"
"""An index of letters; in `W_ix` it is one letter."""
LEFT = re.compile(rf"_({GROUP}|{WORD}|\d+|[α-ω*∞+ℝ-]|Θ\u0303?)|\^({GROUP}|[A-Za-z]+|\d+|[α-ω½∞±])")
"""What `prose` leaves: indices and powers."""
BASE = re.compile(
    r"((?<![A-Za-z])[A-Za-z]{1,2}|[^\x00-\x7f]|(?<![A-Za-z])(sup|inf|min|max|lim)|[\])])[\u0300-\u036f]?[′″]?\Z"
)
"""What has an index: a letter or two, another sign of mathematics or a bracket, but no word: `lemma_1` is a name."""


def sentence(text: str) -> Markup:
    """A sentence, typeset.

    >>> print(sentence("sup_{x in S} f_D <= e^(-|x|), x_{j_q} of R_class, see lemma_1"))
    sup<sub>x in S</sub> f<sub>D</sub> ≤ e<sup>-|x|</sup>, x<sub>j<sub>q</sub></sub> of R<sub>class</sub>, see lemma_1
    """
    return _marked(prose(text))


def _marked(text: str) -> Markup:
    shown, at = Markup(), 0
    for found in LEFT.finditer(text):
        low, high = found.groups()
        if low and not BASE.search(text, max(0, found.start() - 6), found.start()):
            continue
        tag, inner = ("sub", low) if low else ("sup", high)
        inner = inner[1:-1] if inner.startswith("(") else inner
        shown += escape(text[at : found.start()]) + Markup(f"<{tag}>%s</{tag}>") % _marked(inner)
        at = found.end()
    return shown + escape(text[at:])
