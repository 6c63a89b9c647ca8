"""Does a text contain the words that are quoted from it? For texts extracted from PDFs, by whatever programme.

White space, hyphens at line ends, ligatures, kinds of quotation marks and dashes, and marks of Markdown and TeX around
words are no difference; letters, digits and their order are.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from implicitbias.claims.erratum import Erratum, Reading


@dataclass(frozen=True)
class Checked:
    """One quotation held against the text of one edition.

    says  empty if all is well
    """

    erratum: Erratum
    reading: Reading
    says: str


def letters(text: str) -> str:
    """The text reduced to what no extraction changes: its letters and digits, in lower case.

    >>> letters("the de\\ufb01ni-\\ntion of *convex* functions")
    'thedefinitionofconvexfunctions'
    """
    plain = unicodedata.normalize("NFKC", text)
    plain = re.sub(r"\\(?:mathbf|mathrm|mathcal|mathbb|boldsymbol|text|overline|bar|tilde|widetilde|hat)\b", "", plain)
    return "".join(c for c in plain.casefold() if c.isalnum())


def check(erratum: Erratum, reading: Reading, folder: Path) -> Checked:
    """Whether the text of that edition in the folder has the words, if words are quoted.

    Where the slip is mended, the words that mend it are looked for. Of a formula nothing can be: extraction loses it.
    """
    file = folder / reading.edition.file
    words = reading.words or (erratum.quotation if reading.printed else "")
    if erratum.formula or not words:
        return Checked(erratum, reading, "")
    if not file.is_file():
        return Checked(erratum, reading, f"there is no {reading.edition.file} in {folder}")
    text = letters(file.read_text(encoding="utf-8", errors="replace"))
    missing = [part for part in words.split(" … ") if letters(part) not in text]
    if missing:
        return Checked(erratum, reading, f"not found in {reading.edition.file}: {missing[0]}")
    return Checked(erratum, reading, "")
