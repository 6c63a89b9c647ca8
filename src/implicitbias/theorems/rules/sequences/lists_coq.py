"""Sums over lists, means and integrals against measures in Coq: for all lists with the totals, given that there is one.

The term of an entry is a combination of what it adds to the totals; so are then sum, mean and integral.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from implicitbias.formal.generator import Given, Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.formal.within import binding, condition, entering, product, within
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.sequences.lists import ListSum, Mean, MeasureIntegral, entry_of
from implicitbias.theorems.setting import NotShownError, RefusedError, times, total
from implicitbias.theorems.theorem import divided

Linear = ListSum | Mean | MeasureIntegral


def statement(quantity: Linear, scope: Scope, value: str) -> Statement:
    if any(isinstance(formula, Quantity) for formula in quantity.totals.values()):
        raise NotInCoqError("totals of other quantities have no Coq generator yet")
    inside = Scope(entry_of(scope.setting, quantity.entries, quantity.where))
    domain = " /\\ ".join([*inside.conditions(quantity.entries), *map(inside.comparison, quantity.where)]) or "True"
    if not isinstance(quantity.term, Quantity):
        function = f"(fun {binding(quantity.entries)} => {inside.term(quantity.term)})"
        return _about(quantity, scope, inside, domain, function, value, inside.definedness(quantity.term))
    adds = [times(scope.tree(c), inside.tree(str(quantity.totals[n]))) for n, c in quantity.by.items()]
    combined = total([*adds, scope.tree(quantity.each)])
    try:
        cases = {
            case: there for case, there in divided(inside.setting, quantity.split) if not there.signs.contradictory
        }
    except (NotShownError, RefusedError):
        cases = {}
    looks = "sum_looks_within" if isinstance(quantity, ListSum) else "measure_looks_within"
    return within(
        quantity.term,
        inside,
        quantity.entries,
        domain,
        combined,
        cases,
        looks,
        lambda function, v: _about(quantity, scope, inside, domain, function, v, []),
        value,
        quantity.split,
    )


def _about(
    quantity: Linear, scope: Scope, inside: Scope, domain: str, function: str, value: str, demands: Sequence[str]
) -> Statement:
    bound, kind = binding(quantity.entries), product(quantity.entries)
    dom, one = condition(quantity.entries, domain), f"(fun _ : {kind} => 1)"
    known = {name: f"(fun {bound} => {inside.term(str(text))})" for name, text in quantity.totals.items()}
    totals = [f"I {f} {scope.term(name)}" for name, f in known.items()]
    parts = [(scope.term(c), known[name], scope.term(name)) for name, c in quantity.by.items()]
    if isinstance(quantity, ListSum):
        length = named(quantity.length)
        count, predicate, lemma = f"(INR {length})", f"is_sum_given (A := {kind}) {dom} {length}", "sum_by_combination"
    else:
        count, predicate, lemma = "1", f"is_integral_given (A := {kind}) {dom}", "integral_by_combination"
    if isinstance(quantity, Mean):
        totals.append(f"I {one} 1")
    if not isinstance(quantity, MeasureIntegral):
        parts.append((scope.term(quantity.each), one, count))
    known_of = " /\\ ".join(totals) or "True"
    held = f"(fun I : functional ({kind}) => {known_of})"
    combination = "".join(f"({c}, {f}, {T}) :: " for c, f, T in parts) + "nil"
    split = "".join(f" destruct (Rtotal_order {inside.term(text)} 0) as [? | [? | ?]];" for text in quantity.split)
    if isinstance(quantity, ListSum):
        exists = (
            f"exists l : list ({kind}), length l = {length} /\\ (forall e, In e l -> {dom} e)\n"
            f"    /\\ {held} (fun f v => sum f l = v)"
        )
    else:
        exists = f"exists I : functional ({kind}), linear {dom} I /\\ {held} I"
    everywhere = "".join(f"{c} -> " for c in [domain] if c != "True")
    binders = " ".join(f"({named(n)} : R)" for n in quantity.entries)
    texts = [str(text) for text in quantity.totals.values()]
    defined = [*demands, *inside.definedness(*texts)]
    return Statement(
        proposition=f"{predicate}\n    {held} {function} {value}",
        proof=(
            f"apply ({lemma} (A := {kind}) {dom} {'' if lemma[0] == 'i' else length} {held} {function}\n"
            f"    ({combination})%list).\n  {{ assumption. }}\n  {{ known_totals. }}\n"
            f"  {{ {entering(quantity.entries)}; intros inside; cbn [combination]; open;{split} term_by_totals. }}\n"
            "  { cbn [combined]. equal. }"
        ),
        unique="is_sum_given_unique" if isinstance(quantity, ListSum) else "is_integral_given_unique",
        defined=[f"(forall {binders}, {everywhere}{d})" if binders else d for d in defined],
        given=[Given(f"({exists})", lambda: _points(quantity, scope))],
    )


def _points(quantity: Linear, scope: Scope) -> Iterator[tuple[Mapping[str, Fraction], str]]:
    """Concrete lists with the values of the variables at which they have the totals."""
    from implicitbias.theorems.concrete_lists import lists_with_totals

    setting = scope.setting
    own = entry_of(setting, quantity.entries, quantity.where).hypotheses[len(setting.hypotheses) :]
    length = quantity.length if isinstance(quantity, ListSum) else None
    kinds = list(quantity._kinds(setting, Steps()))
    for point, parts in lists_with_totals(setting, quantity.entries, own, kinds, quantity._added, length):
        entries = [
            ", ".join(_written(point[f"{name}[{i}]"]) for name in quantity.entries) or "tt" for i in range(len(parts))
        ]
        written = "".join(f"({entry}) :: " for entry in entries) + "nil"
        at = {name: value for name, value in point.items() if "[" not in name}
        yield at, _exists(quantity, f"({written})%list")


def _exists(quantity: Linear, written: str) -> str:
    if isinstance(quantity, ListSum):
        return f"exists {written}; split; [reflexivity | split; [each_entry | has_totals]]"
    if isinstance(quantity, Mean):
        return f"exists (mean_over {written}); split; [apply mean_is_linear; each_entry | has_totals]"
    return f"exists (sum_over {written}); split; [apply sum_is_linear; each_entry | has_totals]"


def _written(value: Fraction) -> str:
    return str(value) if value.denominator == 1 and value >= 0 else f"({value.numerator} / {value.denominator})"
