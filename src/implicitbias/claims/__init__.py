"""Claims, and the one import that a claim file needs.

`writing` describes `claim` and its checks (`proof`, `certificate`, `experiment`); the records are in `statement`,
`check` and `evidence`.
"""

from implicitbias.claims.check import Budget, Check, Context, JobOutput, Kind
from implicitbias.claims.derivation import Derivation
from implicitbias.claims.erratum import Edition, Erratum
from implicitbias.claims.evidence import Curve, Identity, Instance, Premise, Proven, Step, Value
from implicitbias.claims.statement import Claim, Flaw, Paper, Rule
from implicitbias.claims.writing import (
    Attached,
    Item,
    Measured,
    Observation,
    Point,
    certificate,
    claim,
    experiment,
    proof,
    rests,
    rule,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.rational import Interval

__all__ = [
    "Assumption",
    "Attached",
    "Budget",
    "Check",
    "Claim",
    "Context",
    "Curve",
    "Derivation",
    "Edition",
    "Erratum",
    "Flaw",
    "Identity",
    "Instance",
    "Interval",
    "Item",
    "JobOutput",
    "Kind",
    "Measured",
    "Observation",
    "Paper",
    "Point",
    "Premise",
    "Proven",
    "Rule",
    "Step",
    "Value",
    "certificate",
    "claim",
    "experiment",
    "proof",
    "rests",
    "rule",
    "seen",
    "shows",
    "theorem",
]
