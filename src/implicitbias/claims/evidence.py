"""Evidence: instances, identities, premises, steps, measured numbers. Everything goes to JSON and back.

Evidence never says whether a claim holds; `implicitbias.judging.judge` does, for one candidate at a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal, Union

from implicitbias.exact.formula import Assumption
from implicitbias.exact.rational import Interval
from implicitbias.theorems.established import Conclusion, Shown

Relation = Literal["=", "<=", ">="]
RELATIONS: tuple[Relation, ...] = ("=", "<=", ">=")


Value = Union[None, bool, int, Fraction, float, Interval, str, Sequence["Value"], Mapping[str, "Value"]]  # noqa: UP007
"""A value that is given or observed: exact numbers, intervals, structures of them. Floats only among `measured`."""


@dataclass(frozen=True)
class Instance:
    """One concrete case: what is given there, and what was observed.

    The candidate is evaluated at `given` and must satisfy `observed <relation> candidate`: `=` for an equation, `<=`
    where the candidate is claimed to be an upper bound, `>=` where it is claimed to be a lower bound. A bound that is
    claimed to be sharp has instances with `=` where it is attained.

    runs  what each single run of an experiment gave, to be drawn and never judged: under "" of the quantity observed;
          where a word was observed, by name of what it was read from
    """

    label: str
    given: Mapping[str, Value]
    observed: Value
    relation: Relation = "="
    runs: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        runs = {"runs": {name: list(values) for name, values in self.runs.items()}} if self.runs else {}
        given, observed = encode(self.given), encode(self.observed)
        return {"label": self.label, "given": given, "observed": observed, "relation": self.relation, **runs}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Instance:
        return cls(
            document["label"],
            _mapping(decode(document["given"])),
            decode(document["observed"]),
            document["relation"],
            {name: tuple(values) for name, values in document.get("runs", {}).items()},
        )


@dataclass(frozen=True)
class Identity:
    """A derived closed form, valid for all values of its variables.

    variables  free variables with their domain, e.g. {"p": "positive", "q": "nonnegative"}
    given      each symbol of the claim as an expression in the variables, e.g. {"T": "p+q", "s": "-p"}
    derived    the derived value as an expression in the variables
    The candidate, with `given` put in, must equal `derived` for all values of the variables.
    """

    label: str
    variables: Mapping[str, Assumption]
    given: Mapping[str, str]
    derived: str


@dataclass(frozen=True)
class Proven:
    """A theorem as its rule has shown it.

    document     the record: variables, hypotheses, the quantity by its definition, the witness
    reads        the definition for a reader
    digest       the fingerprint of the record, which its Coq file bears
    conclusions  the value in every case: what a candidate is held against
    steps        what the rule has verified
    words        what of the definition or of the steps stands in words
    """

    document: Mapping[str, Any]
    reads: str
    digest: str
    conclusions: tuple[Conclusion, ...]
    steps: tuple[Shown, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Proven:
        return cls(
            document=document["document"],
            reads=document["reads"],
            digest=document["digest"],
            conclusions=tuple(
                Conclusion(**{**c, "positive": tuple(c["positive"]), "nonnegative": tuple(c["nonnegative"])})
                for c in document["conclusions"]
            ),
            steps=tuple(Shown(**s) for s in document["steps"]),
            words=tuple(document["words"]),
        )


@dataclass(frozen=True)
class Premise:
    """A condition without which the observation means nothing; if it does not hold the verdict is UNDECIDED."""

    name: str
    holds: bool
    detail: str = ""


@dataclass(frozen=True)
class Step:
    """A step of a derivation: what it says, the formula, and how it was verified."""

    says: str
    formula: str = ""
    verified: str = ""


@dataclass(frozen=True)
class Curve:
    """Points to plot. `role` names the series for the reader (`network`, `linear spline`, `f'(x)`)."""

    role: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Literal["line", "points"] = "line"


@dataclass(frozen=True)
class Evidence:
    """All that an observation has seen."""

    instances: tuple[Instance, ...] = ()
    identities: tuple[Identity, ...] = ()
    theorems: tuple[Proven, ...] = ()
    premises: tuple[Premise, ...] = ()
    steps: tuple[Step, ...] = ()
    measured: Mapping[str, Value] = field(default_factory=dict)
    certificates: tuple[Mapping[str, Any], ...] = ()
    curves: tuple[Curve, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "instances": [instance.to_json() for instance in self.instances],
            "identities": [
                {"label": i.label, "variables": dict(i.variables), "given": dict(i.given), "derived": i.derived}
                for i in self.identities
            ],
            "theorems": [asdict(theorem) for theorem in self.theorems],
            "premises": [{"name": p.name, "holds": p.holds, "detail": p.detail} for p in self.premises],
            "steps": [{"says": s.says, "formula": s.formula, "verified": s.verified} for s in self.steps],
            "measured": encode(self.measured),
            "certificates": [dict(c) for c in self.certificates],
            "curves": [{"role": c.role, "x": list(c.x), "y": list(c.y), "style": c.style} for c in self.curves],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Evidence:
        return cls(
            instances=tuple(Instance.from_json(i) for i in document["instances"]),
            identities=tuple(
                Identity(i["label"], i["variables"], i["given"], i["derived"]) for i in document["identities"]
            ),
            theorems=tuple(Proven.from_json(t) for t in document.get("theorems", ())),
            premises=tuple(Premise(p["name"], p["holds"], p["detail"]) for p in document["premises"]),
            steps=tuple(Step(s["says"], s["formula"], s["verified"]) for s in document["steps"]),
            measured=_mapping(decode(document["measured"])),
            certificates=tuple(document["certificates"]),
            curves=tuple(Curve(c["role"], tuple(c["x"]), tuple(c["y"]), c["style"]) for c in document["curves"]),
        )


def not_numbers(evidence: Evidence) -> tuple[str, ...]:
    """Where a NaN stands among what was given, observed or measured, in words."""
    seen = [(f"{i.label} {where}".strip(), value) for i in evidence.instances for where, value in i.given.items()]
    seen += [(i.label or "an instance", i.observed) for i in evidence.instances]
    seen += list(evidence.measured.items())
    return tuple(where for where, value in seen if _has_nan(value))


def _has_nan(value: Value) -> bool:
    if isinstance(value, Mapping):
        return any(_has_nan(v) for v in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return any(_has_nan(v) for v in value)
    return isinstance(value, float) and math.isnan(value)


def encode(value: Value) -> Any:
    """A value as JSON, unrounded: fractions become {"fraction": "p/q"}, intervals {"interval": ["p/q", "r/s"]}.

    >>> encode({"T": Fraction(1, 3), "unique": True})
    {'T': {'fraction': '1/3'}, 'unique': True}
    """
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else {"fraction": str(value)}
    if isinstance(value, Interval):
        return {"interval": [str(value.lower), str(value.upper)]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(k): encode(v) for k, v in value.items()}
    if isinstance(value, Sequence):
        return [encode(v) for v in value]
    raise TypeError(f"evidence holds exact numbers, floats, text and structures of them, not {type(value).__name__}")


def decode(document: Any) -> Value:
    """The inverse of `encode`; whole fractions come back as int, sequences as tuples."""
    if isinstance(document, dict):
        if document.keys() == {"fraction"}:
            return Fraction(document["fraction"])
        if document.keys() == {"interval"}:
            return Interval(Fraction(document["interval"][0]), Fraction(document["interval"][1]))
        if document.keys() == {"float"}:
            return float(document["float"])
        return {k: decode(v) for k, v in document.items()}
    if isinstance(document, list):
        return tuple(decode(v) for v in document)
    return document  # type: ignore[no-any-return]


def _mapping(value: Value) -> Mapping[str, Value]:
    if not isinstance(value, Mapping):
        raise TypeError("expected named values")
    return value
