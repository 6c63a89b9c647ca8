"""What the rules found, as plain records that go to the ledger and come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption


@dataclass(frozen=True)
class Shown:
    """One step that a rule has verified: what it says, the formula, how."""

    says: str
    formula: str
    verified: str


@dataclass(frozen=True)
class Conclusion:
    """In one case the claim's formula at `given` must equal `value` wherever the hypotheses hold.

    With the relation <= it must be at least `value`: that is an upper bound of what the claim speaks of, and a formula
    below it is neither shown nor refuted. With an `index`, a variable that is a whole number from 0 on, the formula
    must equal a sequence: `value`, which is free of the index, at 0, and from one index to the next `step`, a formula
    in the variables and in `previous`.
    """

    label: str
    variables: Mapping[str, Assumption]
    given: Mapping[str, str]
    value: str
    positive: tuple[str, ...] = ()
    nonnegative: tuple[str, ...] = ()
    index: str = ""
    previous: str = ""
    step: str = ""
    relation: str = "="


@dataclass(frozen=True)
class Established:
    """What the rules found: one conclusion a case, and the steps that were verified."""

    conclusions: tuple[Conclusion, ...]
    steps: tuple[Shown, ...] = ()
