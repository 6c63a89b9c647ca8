"""The report as a badge: an SVG picture of one line for a README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from markupsafe import Markup

from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import Standing
from implicitbias.report.summary import Report, counts_of

LETTER, PADDING, HEIGHT, LABEL = 6.6, 12, 20, "claims"
GREEN, RED, GREY = "#17692f", "#b3261e", "#5a6470"


def write(report: Report, stream: TextIO) -> None:
    """Write the badge: how many claims hold and how many do not, results of our own counted apart."""
    says, colour = _says(report)
    left, right = (round(len(part) * LETTER) + PADDING for part in (LABEL, says))
    stream.write(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{height}" role="img"'
            ' aria-label="{label}: {says}">'
            "<title>{label}: {says}</title>"
            '<rect width="{total}" height="{height}" rx="3" fill="{colour}"/>'
            '<path d="M3 0h{bare}v{height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#3a424c"/>'
            '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
            '<text x="{first}" y="14">{label}</text><text x="{second}" y="14">{says}</text></g></svg>\n'
        ).format(
            total=left + right,
            height=HEIGHT,
            label=LABEL,
            says=says,
            colour=colour,
            bare=left - 3,
            first=left / 2,
            second=left + right / 2,
        )
    )


def _says(report: Report) -> tuple[str, str]:
    counts = report.counts
    colour = RED if counts[Standing.REFUTED] or counts[Standing.BROKEN] else GREEN
    if colour is GREEN and (counts[Standing.UNDECIDED] or counts[Standing.UNCHECKED] or not report.standings):
        colour = GREY
    says = [_counted(report.of_papers), f"our own: {_counted(report.own)}" if report.own else ""]
    return "; ".join(filter(None, says)) or "none", colour


def _counted(standings: Sequence[ClaimStanding]) -> str:
    return ", ".join(f"{number} {word.lower()}" for word, number in counts_of(standings).items() if number)
