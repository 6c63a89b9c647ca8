"""What `inspect` has a theory of, said where something else is found."""

from __future__ import annotations

from typing import NoReturn

from implicitbias.errors import DataError

SUPPORTED = "a network of Linear, ReLU, Linear (more such layers: path norm and linear regions only)"


def refuse(source: str, found: str) -> NoReturn:
    """Say what was found and what is supported."""
    raise DataError(f"{source} has {found}; supported: {SUPPORTED}")
