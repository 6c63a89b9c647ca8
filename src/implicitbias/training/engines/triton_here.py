"""Whether Triton, the language of engine `fused`, is installed, and whether it compiles or interprets."""

from __future__ import annotations

import os
from importlib.util import find_spec


def is_available() -> bool:
    """Whether Triton is installed."""
    return find_spec("triton") is not None


def interpreted() -> bool:
    """Whether Triton was told to interpret its kernels, on the cpu: slow, for tests."""
    return os.environ.get("TRITON_INTERPRET") == "1"
