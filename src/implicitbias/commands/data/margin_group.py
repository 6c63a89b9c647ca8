"""What `margin` says of problem (10) of Stewart et al. (2022): the classifier of least group norm."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.commands.data.answers import ROWS, Answer, left_out, listed, titled, too_wide
from implicitbias.commands.data.interpolating.otherwise import read_range
from implicitbias.commands.output import remark
from implicitbias.errors import DataError

if TYPE_CHECKING:
    from implicitbias.convex.margin.classifier import MaxMargin
    from implicitbias.data.points import Labelled


def of_least_group_norm(points: Labelled, bins: int | None, kinks: str | None) -> Answer:
    """Problem (10), between bounds; with `bins` for numbers turned into that many classes."""
    from implicitbias.convex.margin.classifier import max_margin

    if bins is None:
        found = max_margin(points.x, points.labels, None, read_range(kinks))
    else:
        found = max_margin(points.x, in_bins(points.labels, bins), range(bins), read_range(kinks))
    warning = too_wide(found.gap)
    return Answer(
        as_document(points.source, found), in_words(points.source, found), found.certificate(), bool(warning), warning
    )


def in_bins(labels: Sequence[Fraction] | Sequence[str], k: int) -> tuple[int, ...]:
    """Labels as positions of k bins. Raises DataError where they are words, or k is no number of bins."""
    from implicitbias.convex.margin.bins import binned, midpoints, rescaled

    midpoints(k)
    if any(isinstance(label, str) for label in labels):
        raise DataError("--bins needs numbers in the label column: some of the labels are words")
    numbers = [label for label in labels if not isinstance(label, str)]
    if min(numbers) < 0 or max(numbers) > 1:
        remark("labels are scaled so that the smallest is 0 and the largest 1")
        return binned(rescaled(numbers), k)
    return binned(numbers, k)


def as_document(source: str, found: MaxMargin) -> dict[str, Any]:
    """All that was found; bounds as exact text, the classifier in doubles."""
    from implicitbias.convex.document import rounded_down

    names = [_name(name) for name in found.classes]
    return {
        "schema": 1,
        "source": source,
        "points": len(found.x),
        "classes": names,
        "kinks": [str(end) for end in found.kinks],
        "lower": str(rounded_down(found.lower, 20)),
        "upper": str(-rounded_down(-found.upper, 20)),
        "value": found.value,
        "relative_gap": float(found.gap),
        "margin": found.margin,
        "solver": found.status,
        "support": [float(found.x[i]) for i in found.support],
        "active_kinks": [{"side": _side(side), "kink": float(c)} for side, c in found.active()],
        "regions": [{"from": float(a), "to": float(b), "class": _name(name)} for a, b, name in found.regions()],
        "ramps": [
            {"side": _side(ramp.side), "kink": float(ramp.kink), "weights": [float(w) for w in ramp.weights]}
            for ramp in found.ramps
        ],
    }


def in_words(source: str, found: MaxMargin) -> list[str]:
    """The same to be read."""
    from implicitbias.commands.data.plot import plot
    from implicitbias.exact.rational import decimal_text

    A, B = (decimal_text(end) for end in found.kinks)
    active, regions = found.active(), found.regions()
    kinks = sorted({c for _, c in active})
    digits = next(n for n in range(12, 0, -1) if found.gap <= Fraction(1, 10**n) or n == 1)
    used = len(set(found.labels))
    counted = f"{len(found.classes)} classes" + ("" if used == len(found.classes) else f", {used} of them with points")
    blocks = {
        "value": [
            f"{found.value:.{digits}g}, the smallest Σ‖w‖ of classifiers Σ w[±(x - c)]₊ with margin 1, c in [{A}, {B}]",
            f"certified between {decimal_text(found.lower, 15, ROUND_FLOOR)} and "
            f"{decimal_text(found.upper, 15, ROUND_CEILING)}, "
            f"{float(found.gap):.1e} apart",
        ],
        "margin": [f"{found.margin:.{digits}g}, the largest of classifiers with Σ‖w‖ = 1"],
        "support": [
            f"{len(found.support)} of {len(found.x)} points are first, last, or differ in label from a neighbour",
            f"the dual allows kinks at {len(kinks)} places: " + listed([f"{float(c):.6g}" for c in kinks]),
        ],
        "classifier": [
            *(f"{_name(name)}  from {float(a):.6g} to {float(b):.6g}" for a, b, name in regions[:ROWS]),
            *left_out(len(regions)),
        ],
    }
    lines = titled(f"{len(found.x)} points of {source}, {counted}", blocks)
    place = {name: n for n, name in enumerate(found.classes)}
    across = [float(end) for a, b, _ in regions for end in (a, b)]
    up = [float(place[name]) for *_, name in regions for _ in (0, 1)]
    picture = plot((across, up), [("o", [float(at) for at in found.x], [float(n) for n in found.positions])])
    return [*lines, "", "the class decided for, by number, and the data (o)", *picture]


def _name(name: object) -> str:
    from implicitbias.exact.rational import decimal_text

    return decimal_text(name) if isinstance(name, Fraction) else str(name)


def _side(side: int) -> str:
    return "right" if side > 0 else "left"
