"""The single runs of an experiment: what each seed gave, where the record keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from implicitbias.claims.evidence import Instance
from implicitbias.exact.rational import Interval
from implicitbias.judging.result import Result

FEWEST = 3
"""Runs that make a sample."""


def runs(instance: Instance, result: Result) -> Sequence[float]:
    """The measured list that is named after the instance and whose median lies within what was observed there.

    An interval over seeds is all that is judged, so the two must agree for the list to be of the same quantity.
    """
    observed = instance.observed
    if not (isinstance(observed, Interval) and instance.label):
        return ()
    for name, measured in result.evidence.measured.items():
        if instance.label in name and isinstance(measured, Sequence) and not isinstance(measured, str):
            found = [value for value in measured if isinstance(value, float)]
            if len(found) >= FEWEST and observed.lower <= median(found) <= observed.upper:
                return found
    return ()
