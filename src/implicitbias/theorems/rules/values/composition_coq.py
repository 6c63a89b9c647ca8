"""A formula in other quantities in Coq: its value at the only numbers that the parts are."""

from __future__ import annotations

from implicitbias.exact.formula import Assumption
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.generator import statement as statement_of
from implicitbias.formal.terms import Scope, named
from implicitbias.formal.within import binding, entering, product
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.values.composition import Composition


def statement(quantity: Composition, scope: Scope, value: str) -> Statement:
    parts: dict[str, Assumption] = dict.fromkeys(quantity.parts, "real")
    inside, bound = scope.within(parts), binding(parts)
    said = {name: statement_of(part, scope, named(name)) for name, part in quantity.parts.items()}
    domain = " /\\ ".join(inside.definedness(quantity.formula)) or "True"
    hold = " /\\ ".join(f"({made.proposition})" for made in said.values())
    return Statement(
        proposition=f"is_value_at (A := {product(parts)}) (fun {bound} => {domain})\n    (fun {bound} => {hold})\n"
        f"    (fun {bound} => {inside.term(quantity.formula)}) {value}",
        proof=in_cases(lambda: _proof(quantity, scope, said)),
        unique="is_value_at_unique",
        defined=[d for made in said.values() for d in made.defined],
        given=[given for made in said.values() for given in made.given],
    )


def _proof(quantity: Composition, scope: Scope, said: dict[str, Statement]) -> str:
    """Each part is shown to be its value; a point where the parts hold has these coordinates."""
    values = {
        name: scope.term(scope.setting.tidy(part.establish(scope.setting, Steps())))
        for name, part in quantity.parts.items()
    }
    shown = [statement_of(part, scope, values[name]) for name, part in quantity.parts.items()]
    known = "\n  ".join(
        f"assert (part_{i} : {made.proposition}).\n  {{ {made.proof} }}" for i, made in enumerate(shown)
    )
    held = f"has_{len(shown) - 1}"
    for i in reversed(range(len(shown) - 1)):
        held = f"[has_{i} {held}]"
    reached = "\n    ".join(
        f"assert ({named(name)} = {values[name]}) by ({made.same(f'exact has_{i}', f'exact part_{i}')}). "
        f"clear has_{i}. subst {named(name)}."
        for i, (name, made) in enumerate(said.items())
    )
    forget = f"clear {' '.join(f'part_{i}' for i in range(len(shown)))};"
    return (
        f"{known}\n  split.\n  {{ exists ({', '.join(values.values())}). cbv beta iota. split; [defined |].\n"
        f"    split; [repeat match goal with |- _ /\\ _ => split end; assumption | {forget} settled]. }}\n"
        f"  {{ {entering(dict.fromkeys(quantity.parts, 'real'))}; intros _ {held}.\n    {reached} settled. }}"
    )
