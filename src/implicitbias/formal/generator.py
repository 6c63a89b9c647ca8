"""What a rule's Coq generator offers, found beside the rule: `rules/minimum.py` has `rules/minimum_coq.py`.

Such a module has one function,

    statement(quantity, scope, value) -> Statement

which says the quantity's definition as a Coq proposition about `value` and how Coq shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module

from implicitbias.formal.terms import NotInCoqError, Scope
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.setting import NotShownError, RefusedError


@dataclass(frozen=True)
class Given:
    """What must exist for a quantity to be about anything, such as a list with the totals: a hypothesis.

    points  exact points of the variables, each with tactics that prove the proposition there
    """

    proposition: str
    points: Callable[[], Iterator[tuple[Mapping[str, Fraction], str]]]


@dataclass(frozen=True)
class Statement:
    """A definition in Coq, about one value.

    proposition  `is_min (fun t => 0 < t) (fun t => …) (a * b)`
    proof        tactics that prove it once variables and hypotheses are introduced
    unique       a lemma: P v -> P w -> v = w, for the proposition P of a value (implicit arguments found by `eapply`)
    defined      what must hold for the definition to have a value: propositions
    within       where the lemma has uniqueness for quantities within as a last premise: the statements that have it
    given        what must exist
    """

    proposition: str
    proof: str
    unique: str
    defined: Sequence[str] = ()
    within: Statement | None = None
    given: Sequence[Given] = ()

    def same(self, first: str = "eassumption", second: str = "eassumption") -> str:
        """Tactics for v = w from P v and P w."""
        last = f" | intros; cbv beta in *; {self.within.same()}" if self.within else ""
        return f"eapply {self.unique}; [{first} | {second}{last}]"


def statement(quantity: Quantity, scope: Scope, value: str) -> Statement:
    """The quantity's definition about a Coq term. Raises NotInCoqError where its kind has no generator."""
    name = f"{type(quantity).__module__}_coq"
    try:
        generator = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise NotInCoqError(f"{type(quantity).__name__} has no Coq generator yet") from None
    made = generator.statement(quantity, scope, value)
    if not isinstance(made, Statement):
        raise TypeError(f"{generator.__name__}.statement returns a {type(made).__name__}")
    return made


def in_cases(proof: Callable[[], str]) -> str:
    """The tactics; none in a scope where a sign that the rule needs is open: there nothing is proved, its cases are."""
    try:
        return proof()
    except (NotShownError, RefusedError):
        return "idtac."
