"""What the evidence says about one candidate, and where the candidate fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Counterexample:
    """Where the candidate fails, so that it can be checked by hand: the point, the two values, the margin.

    label   a name for the point; empty if the given values say it all
    """

    label: str
    point: Mapping[str, str]
    observed: str
    candidate: str
    relation: str
    margin: str

    @property
    def place(self) -> str:
        """Where it fails: the label and the values of the symbols."""
        point = ", ".join(f"{name} = {value}" for name, value in self.point.items())
        return f"{self.label} at {point}".lstrip() if point else self.label

    def __str__(self) -> str:
        wanted = {"=": "", "<=": "at most ", ">=": "at least "}[self.relation]
        margin = f" (off by {self.margin})" if self.margin else ""
        found = f"observed {self.observed}, the candidate says {wanted}{self.candidate}{margin}"
        return f"{self.place}: {found}" if self.place else found

    def to_json(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "point": dict(self.point),
            "observed": self.observed,
            "candidate": self.candidate,
            "relation": self.relation,
            "margin": self.margin,
            "text": str(self),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Counterexample:
        return cls(**{k: document[k] for k in ("label", "point", "observed", "candidate", "relation", "margin")})


@dataclass(frozen=True)
class Judgement:
    """What the evidence says about one candidate."""

    outcome: Outcome
    reason: str = ""
    counterexample: Counterexample | None = None

    def to_json(self) -> dict[str, Any]:
        counterexample = self.counterexample.to_json() if self.counterexample else None
        return {"outcome": str(self.outcome), "reason": self.reason, "counterexample": counterexample}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Judgement:
        found = document["counterexample"]
        return cls(Outcome(document["outcome"]), document["reason"], Counterexample.from_json(found) if found else None)
