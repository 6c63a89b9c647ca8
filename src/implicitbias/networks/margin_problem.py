"""Whether a network of one input is near a certified KKT point of the margin problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from implicitbias.networks.quantity import Quantity, Section

if TYPE_CHECKING:
    from implicitbias.networks.samples import Samples
    from implicitbias.networks.stack import Stack

MOST_UNITS = 5000


def section(network: Stack, samples: Samples) -> Section:
    """The nearest KKT point of min ½ Σ (w² + b² + v²), y f(x) >= 1, that is proved to be one."""
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.functions.network import Network

    two = network.two_layer
    title = "KKT point of the margin problem, certified"
    why = ""
    if two.c[0]:
        why = "the certified margin problem has no output bias, and this network has one"
    elif len(two.b) > MOST_UNITS:
        why = f"{len(two.b)} units are given, and {MOST_UNITS} at most are taken"
    labels: dict[object, int] = {}
    for (x,), sign in zip(samples.inputs, samples.signs.tolist(), strict=True):
        if labels.setdefault(x, sign) != sign:
            why = f"x = {float(x):g} has both labels"
    if why:
        return Section(title, (Quantity("kkt", "KKT point", None, note=why),))
    places = sorted({row[0] for row in samples.inputs})
    units = Network(two.w[:, 0].tolist(), two.b.tolist(), two.v[:, 0].tolist())
    found = kkt_limit(units, places, [labels[x] for x in places])
    verdict = {"certified": "near one", "no": "no", "undecided": "undecided"}[found.status]
    quantities = [Quantity("kkt", "KKT point", verdict, "", found.reason or "a point near is proved to be one")]
    if found.point is not None and found.status == "certified":
        formula = "largest change of a direction (w, b)/‖(w, b)‖"
        quantities.append(Quantity("kkt_certified_distance", "distance", found.distance, formula))
        shown = tuple(sorted(found.point.multipliers.values(), reverse=True))
        quantities.append(Quantity("kkt_multipliers", "multipliers", shown, "λ of that point, the largest first"))
    return Section(title, tuple(quantities))
