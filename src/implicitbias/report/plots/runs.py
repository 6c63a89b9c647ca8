"""The single runs of an experiment, where a word was read from them: a plot of its own, an instance a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from implicitbias.claims.evidence import Instance
from implicitbias.report.plots.plot import Plot, Point, Series

WIDE = 20
"""How many times the least value the greatest is where the axis is logarithmic."""

COLUMN = 0.5
"""The share of an instance's column over which its samples stand beside each other."""


def single_runs(instances: Sequence[Instance]) -> Iterator[Plot]:
    """What the observations were read from, by name; none where runs are of the observed number, which is drawn."""
    names = list(dict.fromkeys(name for instance in instances for name in instance.runs if name))
    found: dict[str, list[Point]] = {name: [] for name in names}
    for number, instance in enumerate(instances, 1):
        here = [name for name in names if name in instance.runs]
        for place, name in enumerate(here):
            at = number + COLUMN * ((place + 0.5) / len(here) - 0.5)
            found[name] += [(at, value) for value in instance.runs[name]]
    if found:
        series = tuple(Series(name, "observed", tuple(points)) for name, points in found.items())
        values = [y for points in found.values() for _, y in points]
        wide = min(values) > 0 and max(values) >= WIDE * min(values)
        yield Plot("single runs", "instance", "what each run gave", series, y_log=wide)
