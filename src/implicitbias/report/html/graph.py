"""Which headline rests on which, a picture for each paper: labels in columns, lines between the columns.

A headline rests on another one if it, or a part of it, rests on that one or on a part of it. A line passes a column
only in a row of its own, so that it never crosses a label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise

from markupsafe import Markup

from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS
from implicitbias.report.summary import Report
from implicitbias.report.words import titled

WIDTH, GUTTER, ROW, TRACK, TOP = 1100, 44, 24, 9, 16
"""Of the sheet, between two columns, of a label, of a line that passes a column, above the first row."""
CHARACTER, MOST = 8.0, 32
"""Of a label: the width of a character, and how many there are at most."""
SWEEPS = 8
"""Rounds of moving each label to the mean height of its neighbours: enough for few lines to cross."""

Node = str | tuple[str, str, int]
"""A headline, or where the line between two of them passes a column."""


@dataclass(frozen=True)
class Place:
    x: float
    y: float


def graphs(report: Report) -> dict[str, Markup]:
    """For each paper of the report in which some headline rests on another one its picture."""
    known, edges = _edges(report)
    rests: dict[str, list[str]] = {}
    for a, b in edges:
        rests.setdefault(b, []).append(a)
    drawn = {}
    for paper in report.papers:
        names = [name for name, s in known.items() if s.claim.paper == paper.key]
        inside = [(a, b) for a, b in edges if a in names and b in names]
        if inside:
            drawn[paper.key] = _picture([known[name] for name in names], inside, rests)
    return drawn


def across(report: Report) -> list[tuple[ClaimStanding, ClaimStanding]]:
    """The headlines of one paper that rest on those of another, each with that one."""
    known, edges = _edges(report)
    return [(known[b], known[a]) for a, b in edges if known[a].claim.paper != known[b].claim.paper]


def _edges(report: Report) -> tuple[dict[str, ClaimStanding], list[tuple[str, str]]]:
    """The headlines by id; and the pairs of them in which the first carries the second."""
    known = {s.claim.id: s for s in report.standings}
    heads = {name: (s.headline or s.claim).id for name, s in known.items()}
    edges = {(heads[below], heads[name]) for name, s in known.items() for below in s.claim.rests_on if below in known}
    headlines = {name: s for name, s in known.items() if heads[name] == name}
    return headlines, sorted((a, b) for a, b in edges if a != b and a in headlines and b in headlines)


def _picture(
    standings: Sequence[ClaimStanding], edges: Sequence[tuple[str, str]], rests: Mapping[str, Sequence[str]]
) -> Markup:
    layers = _layers(edges)
    used = {node for layer in layers for node in layer}
    alone = [s for s in standings if s.claim.id not in used]
    step = min((WIDTH + GUTTER) / len(layers), MOST * CHARACTER + 2 * GUTTER)
    places = _placed(layers, step)
    bottom = max(place.y for place in places.values()) + ROW
    across = max(1, int(WIDTH // 260))
    for i, s in enumerate(alone):
        places[s.claim.id] = Place(i % across * WIDTH / across, bottom + ROW * (1.4 + i // across))
    height = max(place.y for place in places.values()) + ROW / 2
    room = int(min(MOST, (step - GUTTER) / CHARACTER))
    ends = {s.claim.id: len(_text(s, room)) * CHARACTER + 6 for s in standings}
    lines = [_edge(a, b, layers, places, step - GUTTER, ends) for a, b in edges]
    rooms = {s.claim.id: room if s.claim.id in used else MOST for s in standings}
    labels = [_label(s, places[s.claim.id], rooms[s.claim.id], rests.get(s.claim.id, ())) for s in standings]
    note = (
        Markup('<text class="alone" x="0" y="{:.0f}">on their own</text>').format(bottom + ROW * 0.5) if alone else ""
    )
    return Markup('<svg class="graph" viewBox="-2 0 {} {:.0f}">{}{}{}</svg>').format(
        WIDTH + 4, height, Markup("").join(lines), note, Markup("").join(labels)
    )


def _layers(edges: Sequence[tuple[str, str]]) -> list[list[Node]]:
    """Columns: each headline right of all it rests on, with a track in every column that a line passes.

    Two headlines whose parts rest on each other stand in the order of their first line.
    """
    rank = _ranks(edges)
    layers: list[list[Node]] = [[] for _ in range(max(rank.values()) + 1)]
    for name in sorted(rank):
        layers[rank[name]].append(name)
    near: dict[Node, list[Node]] = {}
    for a, b in edges:
        path = _path(a, b, rank)
        for one, next_one in pairwise(path):
            near.setdefault(one, []).append(next_one)
            near.setdefault(next_one, []).append(one)
        for i, node in enumerate(path[1:-1], min(rank[a], rank[b]) + 1):
            if node not in layers[i]:
                layers[i].append(node)
    height: dict[Node, float] = {node: i for layer in layers for i, node in enumerate(layer)}
    column = {node: i for i, layer in enumerate(layers) for node in layer}
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for i, layer in enumerate(layers) if forward else reversed([*enumerate(layers)]):
            side = {n: [m for m in near.get(n, ()) if (column[m] < i) == forward] for n in layer}
            wanted = {n: sum(height[m] for m in side[n]) / len(side[n]) if side[n] else height[n] for n in layer}
            layer.sort(key=lambda n: (wanted[n], str(n)))
            height |= {n: (k + 0.5) / len(layer) for k, n in enumerate(layer)}
    return layers


def _ranks(edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The column of each headline, the length of the longest way to it; a line that closes a circle does not count."""
    below: dict[str, set[str]] = {}
    for a, b in edges:
        below.setdefault(a, set())
        below.setdefault(b, set())
        if b not in _reached(a, below):
            below[b].add(a)
    rank: dict[str, int] = {}
    for name in TopologicalSorter(below).static_order():
        rank[name] = max((rank[other] + 1 for other in below[name]), default=0)
    return rank


def _reached(start: str, below: Mapping[str, set[str]]) -> set[str]:
    """All that a headline rests on, through others too, and itself."""
    found, todo = {start}, [start]
    while todo:
        new = below[todo.pop()] - found
        found |= new
        todo += new
    return found


def _path(a: str, b: str, rank: Mapping[str, int]) -> list[Node]:
    """From the left end of a line to its right one, over its tracks."""
    left, right = (a, b) if rank[a] < rank[b] else (b, a)
    return [left, *((left, right, i) for i in range(rank[left] + 1, rank[right])), right]


def _placed(layers: Sequence[Sequence[Node]], step: float) -> dict[Node, Place]:
    tall = max(sum(_high(node) for node in layer) for layer in layers)
    places: dict[Node, Place] = {}
    for i, layer in enumerate(layers):
        y = TOP + (tall - sum(_high(node) for node in layer)) / 2
        for node in layer:
            places[node] = Place(i * step, y + _high(node) / 2)
            y += _high(node)
    return places


def _high(node: Node) -> int:
    return ROW if isinstance(node, str) else TRACK


def _edge(
    a: str,
    b: str,
    layers: Sequence[Sequence[Node]],
    places: Mapping[Node, Place],
    width: float,
    ends: Mapping[str, float],
) -> Markup:
    """From the end of a label, straight through the columns and bent between them alone."""
    rank = {node: i for i, layer in enumerate(layers) for node in layer if isinstance(node, str)}
    path = [places[node] for node in _path(a, b, rank)]
    left = a if rank[a] < rank[b] else b
    parts = [f"M{path[0].x + min(ends[left], width):.0f} {path[0].y:.0f}H{path[0].x + width:.0f}"]
    for one, other in pairwise(path):
        start, end = one.x + width, other.x - 5
        half = (start + end) / 2
        parts.append(f"C{half:.0f} {one.y:.0f} {half:.0f} {other.y:.0f} {end:.0f} {other.y:.0f}")
        if other is not path[-1]:
            parts.append(f"H{other.x + width:.0f}")
    return Markup('<path class="edge" data-from="{}" data-to="{}" d="{}"/>').format(b, a, "".join(parts))


def _label(s: ClaimStanding, place: Place, room: int, rests: Sequence[str]) -> Markup:
    parts = " ".join(part.claim.id for part in s.parts)
    return Markup(
        '<a class="node {}" href="#{}" data-rests="{}" data-parts="{}"><title>{}</title>'
        '<text x="{:.0f}" y="{:.0f}">{}</text></a>'
    ).format(
        s.whole.lower(),
        s.claim.id,
        " ".join(rests),
        parts,
        f"{titled(s.claim)} ({s.whole.lower()})",
        place.x,
        place.y + 4,
        _text(s, room),
    )


def _text(s: ClaimStanding, room: int) -> str:
    where = f"◇ {s.claim.source.locator}" if s.claim.is_own_result else s.claim.source.locator
    text = f"{GLYPHS[s.whole]} {where}"
    return text if len(text) <= room else f"{text[: room - 1]}…"
