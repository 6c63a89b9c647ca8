"""What a result is in a line of text and in a small table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.legible import legible

LONGEST = 60
"""Characters of a value; of a longer one the rest is left out."""


class Shown:
    """Whoever tells its quantities in `_quantities` has a short `repr` and a table in Jupyter."""

    def _quantities(self) -> Mapping[str, Any]:
        """By names as users know them, few."""
        raise NotImplementedError

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={said(value)}" for name, value in self._quantities().items())
        return f"<{type(self).__name__}: {told}>"

    def _repr_html_(self) -> str:
        return table(type(self).__name__, self._quantities())


def table(title: str, quantities: Mapping[str, Any]) -> str:
    """The quantities as HTML: no style or script of its own, everything escaped."""
    from markupsafe import Markup

    rows = [
        Markup('<tr><th scope="row" style="text-align: left">{}</th><td style="text-align: left">{}</td></tr>').format(
            legible(name), said(value)
        )
        for name, value in quantities.items()
    ]
    caption = Markup('<caption style="text-align: left; font-weight: bold">{}</caption>').format(legible(title))
    return str(Markup("<table>{}{}</table>").format(caption, Markup("").join(rows)))


def said(value: Any) -> str:
    """A value as short text: a fraction as it is, where it can be read, a float with six digits.

    >>> said(Fraction(1, 3)), said(1 / 3), said(True), said(None), said(Fraction(1, 10**50))
    ('1/3', '0.333333', 'yes', '–', '1.00000e-50')
    """
    if value is None:
        return "–"
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        small = max(value.numerator.bit_length(), value.denominator.bit_length()) < 40
        return str(value) if small else _rounded(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    text = " ".join(legible(str(value)).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _rounded(value: Fraction) -> str:
    try:
        return f"{float(value):.6g}" if not value or float(value) else "nearly 0"
    except OverflowError:
        return "beyond 1e308"
