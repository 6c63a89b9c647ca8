"""One call of the command line: its arguments and the files that it may read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Call:
    """What is typed after `implicitbias`.

    files         what stands in the working folder, by path
    given         standard input
    processes     the command runs checks in processes of its own: starting one is no find
    """

    arguments: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    given: bytes = b""
    processes: bool = False
