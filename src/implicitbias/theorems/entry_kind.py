"""The kinds of entries that a list may have: the cases of the signs that a sum is split on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.setting import Setting


@dataclass(frozen=True)
class Kind:
    """Entries of one kind: their setting, what they contribute, and what they add to each total."""

    case: str
    setting: Setting
    term: Operation
    totals: Mapping[str, Operation]
