"""A plot as a picture: SVG with labelled axes, drawn in the page's own colours. `MARKS` must stand on the page once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup

from implicitbias.report.plots.plot import RESIDUALS, Box, Plot, Point, Series
from implicitbias.report.plots.ticks import ticks

WIDTH, HEIGHT, LOW, LEFT, RIGHT, BELOW, ABOVE = 560, 270, 170, 58, 10, 36, 20
"""Of the picture, `LOW` that of residuals; then the margins."""
SEEN = 0.8
"""How far from a straight line a bend must be to be seen."""
NEAR = 5
"""Dots in one square of this width look like one."""
Place = tuple[int, int]

INSIDE = {HEIGHT: "inside", LOW: "inside-low"}
"""The class of what is cut off outside the axes, by the height of the picture."""

MARKS = Markup(
    '<svg class="marks" width="0" height="0" aria-hidden="true"><defs>'
    + "".join(
        f'<clipPath id="{name}"><path d="M{LEFT} {ABOVE}H{WIDTH - RIGHT}V{height - BELOW}H{LEFT}Z"/></clipPath>'
        for height, name in INSIDE.items()
    )
    + "".join(
        f'<marker id="m-{name}" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse">'
        f'<path class="{name}" d="{d}"/></marker>'
        for name, d in {
            "observed": "M2.6 0A2.6 2.6 0 1 1-2.6 0 2.6 2.6 0 1 1 2.6 0",
            "second": "M-2.3-2.3H2.3V2.3H-2.3Z",
            "third": "M0-3.2L3 2.2H-3Z",
            "fourth": "M0-3.4L3.4 0 0 3.4-3.4 0Z",
            "data": "M2.6 0A2.6 2.6 0 1 1-2.6 0 2.6 2.6 0 1 1 2.6 0",
            "run": "M1.2 0A1.2 1.2 0 1 1-1.2 0 1.2 1.2 0 1 1 1.2 0",
            "claim": "M4.6 0A4.6 4.6 0 1 1-4.6 0 4.6 4.6 0 1 1 4.6 0",
            "printed": "M-3-3L3 3M-3 3L3-3",
            "control": "M-3.6 0H3.6M0-3.6V3.6",
        }.items()
    )
    + "</defs></svg>"
)
OBSERVED = ("observed", "second", "third", "fourth")


COLOURS = 6


def plot(shown: Plot) -> Markup:
    """All series over one pair of axes, and below it which is which."""
    frame = _Frame(shown.box(), LOW if shown.title == RESIDUALS else HEIGHT)
    looks = dict(zip(shown.series, _looks(shown.series), strict=True))
    # What was observed comes last: it must be seen on top of what is claimed.
    ordered = sorted(shown.drawn(), key=lambda found: found[0].role in ("observed", "run"))
    inside = [part for one, points, spread in ordered for part in _series(one, looks[one], points, spread, frame)]
    key = {
        one.label: Markup('<li class="{}{}">{}</li>').format(looks[one], " line" if one.line else "", one.label)
        for one, *_ in shown.drawn()
    }
    note = Markup("<figcaption>{}</figcaption>").format(shown.note) if shown.note else ""
    return Markup('<figure>{}<g class="{}">{}</g></svg><ul class="key">{}</ul>{}</figure>').format(
        _axes(shown, frame), INSIDE[frame.height], Markup("").join(inside), Markup("").join(key.values()), note
    )


class _Frame:
    """From numbers to coordinates of the picture."""

    def __init__(self, box: Box, height: int) -> None:
        self.box, self.height = box, height
        self.right, self.bottom = WIDTH - RIGHT, height - BELOW

    def at(self, x: float, y: float) -> Place:
        x0, x1, y0, y1 = self.box
        near = min(max(y, 2 * y0 - y1), 2 * y1 - y0)
        across = (x - x0) / (x1 - x0) * (self.right - LEFT)
        return round(LEFT + across), round(self.bottom + (near - y0) / (y1 - y0) * (ABOVE - self.bottom))


def _axes(shown: Plot, frame: _Frame) -> Markup:
    """The picture's start: its title, the grid, both scales and what they are of."""
    x0, x1, y0, y1 = frame.box
    told = f"{shown.title} by {shown.x_label}"
    levels = [(frame.at(x0, y)[1], text) for y, text in ticks(y0, y1, frame.height // 40, logarithmic=shown.y_log)]
    below = [(frame.at(x, y0)[0], text) for x, text in ticks(x0, x1, 6, logarithmic=shown.x_log)]
    parts = [
        Markup('<svg class="plot" viewBox="0 0 {} {}" role="img"><title>{}</title>').format(WIDTH, frame.height, told),
        Markup('<path class="grid" d="{}"/>').format("".join(f"M{LEFT} {y}H{frame.right}" for y, _ in levels)),
        _text(4, 12, shown.y_label),
        Markup('<g class="end">'),
        _text(frame.right, frame.height - 4, shown.x_label),
        *(_text(LEFT - 5, y + 4, text) for y, text in levels),
        Markup('</g><g class="middle">'),
        *(_text(x, frame.height - 20, text) for x, text in below),
        Markup("</g>"),
    ]
    return Markup("").join(parts)


def _text(x: int, y: int, text: str) -> Markup:
    return Markup('<text x="{}" y="{}">{}</text>').format(x, y, text)


def _looks(series: Sequence[Series]) -> Iterator[str]:
    """The class of each: its role, with marks of their own for groups of observations and colours for curves."""
    labels: dict[str, list[str]] = {"observed": [], "curve": []}
    for one in series:
        if one.role == "curve" and not one.line:
            yield "data"
            continue
        if one.role not in labels:
            yield one.role
            continue
        known = labels[one.role]
        if one.label not in known:
            known.append(one.label)
        number = known.index(one.label)
        yield OBSERVED[number % len(OBSERVED)] if one.role == "observed" else f"series-{number % COLOURS}"


def _series(
    one: Series, look: str, points: Sequence[Point], spread: Sequence[Point], frame: _Frame
) -> Iterator[Markup]:
    if spread:
        bars = [(frame.at(x, low), frame.at(x, high)[1]) for (x, _), (low, high) in zip(points, spread, strict=True)]
        path = "".join(f"M{x} {low}V{high}" for (x, low), high in bars if low - high > 2)
        if path:
            yield Markup('<path class="line {}" d="{}"/>').format(look, path)
    places = [frame.at(*point) for point in points]
    if one.line:
        places = _bends(places)
    else:
        inside = (place for place in places if ABOVE <= place[1] <= frame.bottom)
        places = list({(x // NEAR, y // NEAR): (x, y) for x, y in inside}.values())
    if places:
        yield Markup('<path class="{} {}" d="{}"/>').format("line" if one.line else "dots", look, _by_steps(places))


def _by_steps(places: Sequence[Place]) -> str:
    """From place to place by the difference, a third shorter than by coordinates: a page has a thousand of these paths.

    >>> _by_steps([(72, 75), (80, 60), (536, 60)])
    'm72 75 8-15 456 0'
    """
    (x0, y0), *_ = places
    steps = [(x0, y0), *((x - u, y - v) for (u, v), (x, y) in pairwise(places))]
    return "m" + " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")


def _bends(places: Sequence[Place]) -> list[Place]:
    """A line without the points that are where a straight line is too: a page keeps no more than it can show."""
    (x0, y0), (x1, y1) = places[0], places[-1]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    off = [abs((y - y0) * (x1 - x0) - (x - x0) * (y1 - y0)) / length for x, y in places]
    far = max(range(len(places)), key=off.__getitem__)
    if off[far] < SEEN:
        return [places[0], places[-1]]
    return [*_bends(places[: far + 1])[:-1], *_bends(places[far:])]
