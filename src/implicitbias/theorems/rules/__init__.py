"""One rule a file: how the value of one kind of quantity is found from its definition and a witness.

Beside a rule lies its Coq generator: `extrema/minimiser.py` has `extrema/minimiser_coq.py`.

`KINDS` names every kind of quantity that lies here, for records that come back from JSON.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import walk_packages

from implicitbias.theorems.quantity import Quantity


@cache
def kinds() -> dict[str, type[Quantity]]:
    """The kinds of quantity by name."""
    found: dict[str, type[Quantity]] = {}
    for module in walk_packages(__path__, f"{__name__}."):
        if not module.name.endswith("_coq"):
            for name, member in getmembers(import_module(module.name), isclass):
                if issubclass(member, Quantity) and member.__module__ == module.name:
                    found[name] = member
    return found
