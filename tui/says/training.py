"""The playground in words and series: the network over the theory, its kinks, loss, ζ."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..data.playground import Frame, Scene, Setup
from .blocks import Block, Gap, Pairs, Paragraph
from .canvas import Chart, Series
from .wording import ACCENT, BLUE, BOLD, CYAN, DIM, GREEN, YELLOW, plain

BARS = " ▁▂▃▄▅▆▇█"


def curves(scene: Scene, frame: Frame, theory: str) -> list[Series]:
    """The theory below, the network above it, its kinks on it, the data on top."""
    shown = [Series("network", scene.grid, frame.curve, "line", ACCENT)]
    if theory in scene.theories:
        shown.append(Series(theory, scene.grid, scene.theories[theory], "line", BLUE))
    shown.append(Series("data", *scene.data, "points", GREEN))
    return shown


def box(scene: Scene) -> tuple[float, float, float, float]:
    """A frame that stays while the network moves: the data and the theories, with room."""
    values = [*scene.data[1], *(v for theory in scene.theories.values() for v in theory)]
    low, high = min(values), max(values)
    room = 0.15 * (high - low) or 1.0
    return scene.grid[0], scene.grid[-1], low - room, high + room


def kinks(frame: Frame, width: int) -> str:
    """Changes of slope along x, as bars: the sum of |v_i w_i| over the kinks in each place."""
    if width < 1 or not frame.masses:
        return ""
    bins = [0.0] * width
    for i, mass in enumerate(frame.masses):
        bins[min(width - 1, i * width // len(frame.masses))] += mass
    top = max(bins) or 1.0
    return "".join(BARS[math.ceil(b / top * (len(BARS) - 1))] for b in bins)


def losses(history: Sequence[tuple[int, float]]) -> list[Chart]:
    """The loss by the step, both logarithmic; nothing before there are two steps."""
    points = [(math.log10(step), math.log10(loss)) for step, loss in history if step > 0 and loss > 0]
    if len(points) < 2:
        return []
    series = [Series("loss", [x for x, _ in points], [y for _, y in points], "line", ACCENT)]
    return [Chart(series, x_label="step", x_log=True, y_log=True)]


def zeta(scene: Scene) -> Chart:
    return Chart([Series("ζ, cheap where it is large", scene.grid, scene.zeta, "line", CYAN)], x_label="x")


def numbers(setup: Setup, frame: Frame | None, scene: Scene | None, theory: str, state: str, pace: str) -> list[Block]:
    """Step, loss, distances; `state`: running, paused, over, starting."""
    if frame is None:
        return [Paragraph(plain(state, DIM))]
    rows = [("step", f"{frame.step:,}".replace(",", " ")), ("loss", f"{frame.loss:.3g}")]
    shown = tuple((plain(name, DIM), plain(value, BOLD)) for name, value in rows)
    distances = tuple(
        (plain(name, BOLD if name == theory else DIM), plain(f"{distance:.4f}", BOLD if name == theory else ""))
        for name, distance in frame.distances.items()
    )
    notes: list[Block] = [Paragraph(plain(note, YELLOW)) for note in (scene.notes if scene else ())]
    engine = [Paragraph(plain(f"engine {frame.engine}, pace {pace}", DIM))] if frame.engine else []
    head: list[Block] = [Paragraph(plain(state, f"{BOLD} {ACCENT}")), Pairs(shown, least=6), Gap()]
    return [*head, Paragraph(plain("sup distance to", DIM)), Pairs(distances, least=6), *engine, *notes]
