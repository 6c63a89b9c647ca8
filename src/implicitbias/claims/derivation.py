"""A derivation for a reader, each identity in it proved as it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from implicitbias.claims.evidence import Identity, Step
from implicitbias.exact.formula import Assumption

Expr = Any  # sympy is not typed


class DerivationError(Exception):
    """A step of a derivation is false or could not be proved."""


class Derivation:
    """Collects steps for `Evidence.steps`.

    >>> import sympy
    >>> from implicitbias.exact.symbolic import symbol
    >>> x, d = symbol("x"), Derivation()
    >>> d.identity("a relu and its mirror image make up |x|", sympy.Max(x, 0) + sympy.Max(-x, 0), sympy.Abs(x))
    >>> d.steps[0].formula
    'Max(0, -x) + Max(0, x) = Abs(x)'
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._identities: list[Identity] = []
        self._domains: dict[str, Assumption] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    @property
    def identities(self) -> tuple[Identity, ...]:
        return tuple(self._identities)

    def symbols(self, real: str = "", /, **domains: Assumption) -> tuple[Expr, ...]:
        """sympy symbols: those named in `real`, with spaces between, then one for each domain.

        >>> Derivation().symbols("x y", a="positive")
        (x, y, a)
        """
        from implicitbias.exact.symbolic import symbol

        asked: dict[str, Assumption] = {**dict.fromkeys(real.split(), "real"), **domains}
        self._domains |= asked
        return tuple(symbol(name, domain) for name, domain in asked.items())

    def concludes(
        self, value: Expr, label: str = "", /, *, over: Mapping[str, Assumption] | None = None, **given: Expr
    ) -> None:
        """The candidate, with each symbol of the claim as `given`, must equal `value` for all values of the variables.

        over  the variables with their domains, by default all that `symbols` has made
        """
        variables = self._domains if over is None else over
        texts = {name: str(expression) for name, expression in given.items()}
        self._identities.append(Identity(label, dict(variables), texts, str(value)))

    def step(self, says: str, formula: str = "") -> None:
        """A definition, a substitution or an explanation: nothing to verify."""
        self._steps.append(Step(says, formula))

    def identity(self, says: str, left: Expr, right: Expr, formula: str = "") -> None:
        """left = right for all values of the symbols. Raises DerivationError, with a point where they differ."""
        from implicitbias.exact.symbolic import prove_zero

        proof = prove_zero(left - right)
        shown = formula or f"{left} = {right}"
        if proof.status is not True:
            where = ", ".join(f"{k} = {v}" for k, v in (proof.witness or {}).items())
            raise DerivationError(f"{says}: {shown} is not proved ({'false at ' + where if where else proof.method})")
        self._steps.append(Step(says, shown, proof.method))

    def nonnegative(self, says: str, expr: Expr, formula: str = "") -> None:
        """expr >= 0 for all values of the symbols, by their assumptions. Raises DerivationError otherwise."""
        from implicitbias.exact.symbolic import is_nonnegative

        shown = formula or f"{expr} >= 0"
        if not is_nonnegative(expr):
            raise DerivationError(f"{says}: {shown} is not proved")
        self._steps.append(Step(says, shown, "sympy: sign by the assumptions"))
