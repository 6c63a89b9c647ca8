"""The progress of a run, from its events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from implicitbias.running.events import Cached, Event, Finished, JobDone, Started, ToRun

from .running import Order
from .snapshot import Key


@dataclass(frozen=True)
class Active:
    """A running check: since when, and how many of its jobs are done (0 of 0 if it has none)."""

    since: float
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Progress:
    order: Order
    begun: float = field(default_factory=time.monotonic)
    active: Mapping[Key, Active] = field(default_factory=dict)
    finished: int = 0
    reused: int = 0
    unaccepted: int = 0

    @property
    def done(self) -> int:
        return self.finished + self.reused

    def after(self, event: Event) -> Progress:
        match event:
            case ToRun():
                return self
            case Started(claim, check):
                return replace(self, active={**self.active, (claim, check): Active(time.monotonic())})
            case JobDone(claim, check, _, total):
                before = self.active.get((claim, check), Active(time.monotonic()))
                now = replace(before, done=before.done + 1, total=total)
                return replace(self, active={**self.active, (claim, check): now})
            case Finished(result) | Cached(result):
                key = (result.claim, result.check)
                left = {other: active for other, active in self.active.items() if other != key}
                reused = isinstance(event, Cached)
                return replace(
                    self,
                    active=left,
                    finished=self.finished + (not reused),
                    reused=self.reused + reused,
                    unaccepted=self.unaccepted + (not reused and not result.verdict.accepts),
                )
