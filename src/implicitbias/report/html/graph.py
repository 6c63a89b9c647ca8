"""What rests on what, as a picture: each connected part of the claim graph in layers, the parts side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx
from markupsafe import Markup

from implicitbias.claims.catalogue import place_of
from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS
from implicitbias.report.summary import Report

COLUMN, ROW, MARGIN, WIDTH = 190, 20, 24, 1500
SWEEPS = 6
"""Rounds of moving each claim to the mean height of its neighbours: enough for few edges to cross."""


@dataclass(frozen=True)
class Place:
    x: float
    y: float


def graph(report: Report) -> Markup:
    """The graph of the claims that rest on another claim of the report or support one; empty if there are none.

    A claim is right of all it rests on. Each node links to its claim and lists what it rests on (`data-rests`).
    """
    known = {s.claim.id: s for s in report.standings}
    edges = [(below, s.claim.id) for s in known.values() for below in s.claim.rests_on if below in known]
    if not edges:
        return Markup("")
    whole = networkx.DiGraph(edges)
    parts = _packed([whole.subgraph(part) for part in networkx.weakly_connected_components(whole)])
    places = {name: place for part in parts for name, place in part.items()}
    sheet = f"0 0 {max(p.x for p in places.values()) + COLUMN:.0f} {max(p.y for p in places.values()) + MARGIN:.0f}"
    head = Markup('<svg id="graph-picture" viewBox="{0}" data-whole="{0}">').format(sheet)
    titles = [_title(part) for part in parts]
    lines = [_edge(places[a], places[b], a, b) for a, b in edges]
    nodes = [_node(known[name], place) for name, place in places.items()]
    return Markup("").join([head, *titles, *lines, *nodes, Markup("</svg>")])


def _title(part: Mapping[str, Place]) -> Markup:
    """The papers of a connected part, as a title above it."""
    papers = ", ".join(dict.fromkeys(name.partition(".")[0] for name in part))
    left, top = min(p.x for p in part.values()), min(p.y for p in part.values())
    return Markup('<text class="papers" x="{:.0f}" y="{:.0f}">{}</text>').format(left - 5, top - ROW, papers)


def _edge(below: Place, above: Place, below_name: str, above_name: str) -> Markup:
    start, end = below.x + COLUMN - 34, above.x - 8
    bend = (end - start) / 2
    return Markup(
        '<path class="edge" data-from="{}" data-to="{}" d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}"/>'
    ).format(above_name, below_name, start, below.y, start + bend, below.y, end - bend, above.y, end, above.y)


def _node(s: ClaimStanding, place: Place) -> Markup:
    name = place_of(s.claim)
    short = name if len(name) <= 25 else name[:24] + "…"
    return Markup(
        '<a class="node {0}" href="#{1}" data-id="{1}" data-rests="{2}"><title>{3}: {4} ({5})</title>'
        '<circle cx="{6:.0f}" cy="{7:.0f}" r="5"/><text x="{8:.0f}" y="{9:.0f}">{10} {11}</text></a>'
    ).format(
        s.standing.lower(),
        s.claim.id,
        " ".join(s.claim.rests_on),
        s.claim.id,
        s.claim.title,
        s.standing,
        place.x,
        place.y,
        place.x + 9,
        place.y + 4,
        GLYPHS[s.standing],
        short,
    )


def _packed(parts: Iterable[networkx.DiGraph[str]]) -> list[dict[str, Place]]:
    """All parts on one sheet, the tallest first, from left to right and then further down."""
    laid = sorted((_layered(part) for part in parts), key=lambda found: -max(p.y for p in found.values()))
    packed = []
    x = y = MARGIN
    tallest = 0
    for part in laid:
        width = round(max(p.x for p in part.values())) + COLUMN
        height = round(max(p.y for p in part.values())) + 2 * ROW + MARGIN
        if x > MARGIN and x + width > WIDTH:
            x, y, tallest = MARGIN, y + tallest, 0
        packed.append({name: Place(x + p.x, y + ROW + p.y) for name, p in part.items()})
        x, tallest = x + width, max(tallest, height)
    return packed


def _layered(part: networkx.DiGraph[str]) -> dict[str, Place]:
    """Columns by topological generation; within a column ordered by the mean height of the neighbours."""
    layers = [sorted(layer) for layer in networkx.topological_generations(part)]
    height = {name: float(i) for layer in layers for i, name in enumerate(layer)}
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            side = part.predecessors if sweep % 2 == 0 else part.successors
            wanted = {
                name: sum(height[n] for n in near) / len(near) if (near := list(side(name))) else height[name]
                for name in layer
            }
            layer.sort(key=lambda name: (wanted[name], name))
            height |= {name: float(i) for i, name in enumerate(layer)}
    tallest = max(map(len, layers))
    return {
        name: Place(column * COLUMN, (i + (tallest - len(layer)) / 2) * ROW)
        for column, layer in enumerate(layers)
        for i, name in enumerate(layer)
    }
