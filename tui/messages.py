"""The messages that widgets, threads and screens send each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Entry
from implicitbias.running.events import Event

from .data.filter import Filter
from .data.playground import Frame, Scene, Setup

if TYPE_CHECKING:
    from implicitbias.judging.rivals.confirmed import Rivals


@dataclass
class ClaimChosen(Message):
    """The cursor moved to a claim; `opened`: the reader wants to read it (Enter, a click)."""

    claim: str
    opened: bool = False


@dataclass
class PaperChosen(Message):
    """The cursor moved to a paper."""

    paper: str


@dataclass
class CheckChosen(Message):
    """The cursor moved to a check of the claim that is shown."""

    check: str


@dataclass
class FilterChanged(Message):
    filter: Filter


@dataclass
class Recorded(Message):
    """The ledger was read on from the last known row: what is new, or why it could not be read."""

    row: int
    entries: Sequence[Entry] = ()
    trouble: str = ""


@dataclass
class Aged(Message):
    """The checks that would be run again, with the reasons."""

    stale: Mapping[tuple[str, str], tuple[str, ...]]


@dataclass
class EvidenceRead(Message):
    """The last result of a check with all its evidence; None if there is none."""

    claim: str
    check: str
    entry: Entry | None


@dataclass
class HistoryRead(Message):
    claim: str
    check: str
    entries: Sequence[Entry]


@dataclass
class RunEvent(Message):
    """An event of our own run, from its thread."""

    event: Event


@dataclass
class RunEnded(Message):
    """Our own run is over; `trouble` says what stopped it, if anything did."""

    trouble: str = ""


@dataclass
class Judged(Message):
    """What a check's evidence says about conjecture number `number`."""

    number: int
    result: Result
    judgement: Judgement
    values: Sequence[tuple[float | None, float | None]] = ()


@dataclass
class AllJudged(Message):
    """Every check has judged conjecture number `number`; `trouble`: why it could not be judged at all."""

    number: int
    outcome: Outcome | None = None
    trouble: str = ""


@dataclass
class Rechecked(Message):
    """What the trusted checker says about the certificates of a check."""

    claim: str
    check: str
    outcomes: Sequence[tuple[bool, str]]


@dataclass
class TryLeft(Message):
    """The reader has left the panel where formulas are tried."""


@dataclass
class RivalsFound(Message):
    """What a search for rivals has found; `trouble`: why there was none."""

    found: Rivals | None
    trouble: str = ""


@dataclass
class Trained(Message):
    """A frame of training number `number`."""

    number: int
    scene: Scene
    frame: Frame


@dataclass
class TrainingFailed(Message):
    number: int
    trouble: str


@dataclass
class SetupChanged(Message):
    """What the playground is to train."""

    setup: Setup
