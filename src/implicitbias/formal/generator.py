"""What a rule's Coq generator offers, found beside the rule: `rules/minimum.py` has `rules/minimum_coq.py`.

Such a module has one function,

    statement(quantity, scope, value) -> Statement

which says the quantity's definition as a Coq proposition about `value` and how Coq shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from implicitbias.formal.terms import NotInCoqError, Scope
from implicitbias.theorems.quantity import Quantity


@dataclass(frozen=True)
class Statement:
    """A definition in Coq, about one value.

    proposition  `is_min (fun t => 0 < t) (fun t => …) (a * b)`
    proof        tactics that prove it once variables and hypotheses are introduced
    unique       a lemma: P v -> P w -> v = w, for the proposition P of a value (implicit arguments found by `eapply`)
    defined      what must hold for the definition to have a value: propositions
    """

    proposition: str
    proof: str
    unique: str
    defined: Sequence[str] = ()


def statement(quantity: Quantity, scope: Scope, value: str) -> Statement:
    """The quantity's definition about a Coq term. Raises NotInCoqError where its kind has no generator."""
    try:
        generator = import_module(f"{type(quantity).__module__}_coq")
    except ModuleNotFoundError:
        raise NotInCoqError(f"{type(quantity).__name__} has no Coq generator yet") from None
    made = generator.statement(quantity, scope, value)
    if not isinstance(made, Statement):
        raise TypeError(f"{generator.__name__}.statement returns a {type(made).__name__}")
    return made
