"""A plot for the terminal: a curve in braille dots, four rows and two columns of dots per character, and marks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

BLANK = 0x2800
# the bit of each dot of a braille character, by row and column
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
WIDTH, HEIGHT = 64, 16
LABEL = 10


def plot(
    curve: tuple[Sequence[float], Sequence[float]],
    marks: Sequence[tuple[str, Sequence[float], Sequence[float]]] = (),
    width: int = WIDTH,
    height: int = HEIGHT,
) -> list[str]:
    """Lines of text: the curve through these points in dots; every mark is (sign, x, y), the last on top.

    >>> print("\\n".join(plot(([0, 1], [0, 1]), [("o", [1], [1])], width=4, height=2)))
             1 ┤  ⡠o
             0 ┤⡠⠊
               └┬──┬
                0  1
    """
    xs = [*curve[0], *(x for _, across, _ in marks for x in across)]
    ys = [*curve[1], *(y for _, _, up in marks for y in up)]
    (left, right), (low, high) = _range(xs), _range(ys)
    cells = [[BLANK] * width for _ in range(height)]

    def column(x: float) -> float:
        return (x - left) / (right - left) * (2 * width - 1)

    def row(y: float) -> float:
        return (high - y) / (high - low) * (4 * height - 1)

    pixels = [(column(x), row(y)) for x, y in zip(*curve, strict=True)]
    for (x0, y0), (x1, y1) in pairwise(pixels):
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
        for k in range(steps + 1):
            i, j = round(y0 + (y1 - y0) * k / steps), round(x0 + (x1 - x0) * k / steps)
            cells[i // 4][j // 2] |= DOTS[i % 4][j % 2]
    signs = [[chr(cell) if cell != BLANK else " " for cell in line] for line in cells]
    for sign, across, up in marks:
        for x, y in zip(across, up, strict=True):
            signs[round(row(y)) // 4][round(column(x)) // 2] = sign
    lines = [
        f"{_label(high, low, height, i):>{LABEL}} {'┤' if _shown(i, height) else '│'}{''.join(line)}".rstrip()
        for i, line in enumerate(signs)
    ]
    edge = f"{'':>{LABEL}} └┬{'─' * (width - 2)}┬"
    ends = f"{left:.4g}", f"{right:.4g}"
    return [*lines, edge, f"{'':>{LABEL}}  {ends[0]}{ends[1].rjust(width - len(ends[0]))}"]


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    low, high = min(numbers), max(numbers)
    if low == high:
        margin = abs(low) or 1.0
        return low - margin, high + margin
    return low, high


def _shown(i: int, height: int) -> bool:
    return i in (0, height - 1) or (height > 8 and i == height // 2)


def _label(high: float, low: float, height: int, i: int) -> str:
    return f"{high + (low - high) * i / (height - 1):.4g}" if _shown(i, height) else ""
