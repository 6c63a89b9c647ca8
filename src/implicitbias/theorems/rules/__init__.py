"""One rule a file: how the value of one kind of quantity is found from its definition and a witness.

`KINDS` names every kind of quantity that lies here, for records that come back from JSON.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules

from implicitbias.theorems.quantity import Quantity


@cache
def kinds() -> dict[str, type[Quantity]]:
    """The kinds of quantity by name."""
    found: dict[str, type[Quantity]] = {}
    for module in iter_modules(__path__):
        for name, member in getmembers(import_module(f"{__name__}.{module.name}"), isclass):
            if issubclass(member, Quantity) and member.__module__ == f"{__name__}.{module.name}":
                found[name] = member
    return found
