"""An inspection as a page: one HTML file that needs no network, or a part of one for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from implicitbias.legible import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from implicitbias.networks.findings import Findings
    from implicitbias.networks.picture import Picture
    from implicitbias.networks.quantity import Section

    Array = NDArray[np.float64]

WIDTH, HEIGHT, LEFT, BOTTOM = 760, 300, 64, 24
"""Of the picture, and of the room for the numbers on its axes."""

STYLE = Markup("""
.inspection { font: 15px/1.5 system-ui, sans-serif; max-width: 76em; }
.inspection table { border-collapse: collapse; width: 100%; }
.inspection caption { text-align: left; font-weight: 600; padding: 1.2em 0 .3em; }
.inspection th, .inspection td { text-align: left; vertical-align: top; padding: .15em 1em .15em 0; }
.inspection th { font-weight: normal; }
.inspection tr { border-top: 1px solid rgba(128, 128, 128, .3); }
.inspection .value { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; max-width: 26em; }
.inspection .said { opacity: .75; }
.inspection svg { width: 100%; max-width: 760px; height: auto; fill: none; stroke-width: 2; }
.inspection svg text { fill: currentColor; stroke: none; font-size: 12px; }
.inspection .axis { stroke: currentColor; stroke-width: 1; opacity: .5; }
.inspection .network { stroke: #2a6fdb; }
.inspection .least { stroke: #c2541b; stroke-dasharray: 6 4; }
.inspection .limit { stroke: #2b8a3e; stroke-dasharray: 2 4; }
.inspection .kink { stroke: #2a6fdb; }
.inspection .datum { fill: currentColor; }
""")

SAYS = {
    "network": "the network",
    "least": "least cost through its values at the data",
    "limit": "what the infinitely wide network learns",
}


def page(found: Findings) -> str:
    """The whole file."""
    head = Markup(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
        "<title>{}</title>\n<style>{}</style>\n</head>\n"
    ).format(printable(found.title), STYLE)
    return Markup("{}<body>\n{}\n</body>\n</html>\n").format(head, _article(found))


def part(found: Findings) -> str:
    """What a notebook shows of it: the same with its style."""
    return Markup("<style>{}</style>\n{}").format(STYLE, _article(found))


def _article(found: Findings) -> Markup:
    """Title, picture, tables."""
    parts = [Markup("<h1>{}</h1>").format(printable(found.title))]
    if found.headline:
        parts.append(Markup("<p><strong>{}</strong></p>").format(found.headline))
    if found.picture is not None:
        parts.append(_figure(found.picture))
    parts += [_table(section) for section in found.sections]
    parts += [Markup("<p>Note: {}</p>").format(printable(remark)) for remark in found.remarks]
    return Markup('<article class="inspection">\n{}\n</article>').format(Markup("\n").join(parts))


def _table(section: Section) -> Markup:
    rows = [
        Markup('<tr><th scope="row">{}<td class="value">{}<td class="said">{}').format(
            quantity.name, quantity.words, printable("; ".join(filter(None, (quantity.formula, quantity.note))))
        )
        for quantity in section.quantities
    ]
    return Markup("<table><caption>{}</caption>\n{}\n</table>").format(section.title, Markup("\n").join(rows))


def _figure(drawn: Picture) -> Markup:
    values = [y for curve in drawn.curves.values() for y in curve.tolist()] + drawn.points[1].tolist()
    left, right = float(drawn.x[0]), float(drawn.x[-1])
    low, high = min(values), max(values)
    high = high if high > low else low + 1

    def across(x: float) -> str:
        return f"{LEFT + (x - left) / (right - left) * (WIDTH - LEFT - 8):.1f}"

    def up(y: float) -> str:
        return f"{8 + (high - y) / (high - low) * (HEIGHT - BOTTOM - 16):.1f}"

    def marks(places: tuple[Array, Array], kind: str, radius: int) -> Markup:
        mark = Markup('<circle class="{}" cx="{}" cy="{}" r="{}"/>')
        return Markup("").join(
            mark.format(kind, across(x), up(y), radius) for x, y in zip(*map(_list, places), strict=True)
        )

    lines = Markup("").join(
        Markup('<polyline class="{}" points="{}"/>').format(
            name, " ".join(f"{across(x)},{up(y)}" for x, y in zip(drawn.x.tolist(), curve.tolist(), strict=True))
        )
        for name, curve in reversed(drawn.curves.items())
    )
    base = HEIGHT - BOTTOM
    label = Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>')
    labels = Markup("").join(
        label.format(x, y, anchor, text)
        for x, y, anchor, text in (
            (LEFT - 6, 18, "end", f"{high:.4g}"),
            (LEFT - 6, base - 4, "end", f"{low:.4g}"),
            (LEFT, HEIGHT - 6, "start", f"{left:.4g}"),
            (WIDTH - 8, HEIGHT - 6, "end", f"{right:.4g}"),
            ((LEFT + WIDTH) / 2, HEIGHT - 6, "middle", drawn.axis),
        )
    )
    axis = Markup('<path class="axis" d="M{0} 4V{1}H{2}"/>').format(LEFT, base, WIDTH - 4)
    says = "; ".join(legend(drawn))
    svg = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}{}</svg>').format(
        WIDTH, HEIGHT, says, axis, lines, marks(drawn.kinks, "kink", 3), marks(drawn.points, "datum", 4), labels
    )
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(svg, says)


def _list(numbers: Array) -> list[float]:
    found: list[float] = numbers.tolist()
    return found


LOOKS = {"network": "line", "least": "dashed", "limit": "dotted"}


def legend(drawn: Picture) -> list[str]:
    """What is drawn, in words."""
    said = [f"{LOOKS[name]}: {SAYS[name]}" for name in drawn.curves]
    said += ["circles: its kinks"] if len(drawn.kinks[0]) else []
    return said + (["dots: the data"] if len(drawn.points[0]) else [])
