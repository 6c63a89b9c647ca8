"""What an engine brings: its name, a line about it, what it refuses, and how it trains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Trajectory


@dataclass(frozen=True)
class Engine:
    """A way to train.

    name     as users write it
    says     one line about it
    refuses  Problem -> why this engine cannot train it, or None
    run      Problem -> Trajectory; imports its heavy libraries when called, so that looking at the table loads none
    """

    name: str
    says: str
    refuses: Callable[[Problem], str | None]
    run: Callable[[Problem], Trajectory]
