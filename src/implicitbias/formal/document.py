"""A Coq file for the theorems of one check of a claim, made from the records that the rules have checked.

For each theorem: the statement for the claim's formula with its definedness, case by case and as a whole; that its
hypotheses can be met; and that no control of the claim may stand in the formula's place, shown at a counterexample.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from implicitbias.exact.formula import Operation, parse, substituted
from implicitbias.formal.generator import Statement, statement
from implicitbias.formal.terms import NotInCoqError, Scope, definitions, named
from implicitbias.theorems.primitives import PRIMITIVES, unfolded
from implicitbias.theorems.setting import Setting, constant, minus, put
from implicitbias.theorems.theorem import Theorem, case_name, cases


@dataclass(frozen=True)
class Exclusion:
    """The Coq theorem that a control may not stand in the formula's place."""

    name: str
    text: str


@dataclass(frozen=True)
class Formalised:
    """One Coq file.

    base        definitions and the theorems that state the claim
    theorems    the names of these theorems, by the digest of the record they were made from
    exclusions  for each control the theorem that excludes it
    left_out    why a control has none
    """

    base: str
    theorems: Mapping[str, str]
    exclusions: Mapping[str, Exclusion]
    left_out: Mapping[str, str]

    def text(self, controls: Iterable[str] | None = None) -> str:
        """The file, with these exclusions (all, if none are named)."""
        chosen = self.exclusions if controls is None else controls
        return "\n".join([self.base, *(self.exclusions[control].text for control in chosen)])


def document(
    title: str, place: str, name: str, theorems: Sequence[Theorem], formula: str, controls: Sequence[str]
) -> Formalised:
    """The file of one check. Raises NotInCoqError where a quantity or a function has no counterpart."""
    primitives: frozenset[str] = frozenset().union(*(theorem.primitives for theorem in theorems))
    lines: list[str] = []
    names: dict[str, str] = {}
    exclusions: dict[str, Exclusion] = {}
    left_out: dict[str, str] = {}
    for index, theorem in enumerate(theorems, 1):
        one = _Stated(theorem, f"{_identifier(name)}_{index}" if len(theorems) > 1 else _identifier(name), formula)
        label = f": {_comment(theorem.label)}" if theorem.label else ""
        lines += ["", f"(* record {theorem.digest}{label} *)", *one.lines()]
        names[theorem.digest] = one.name
        for number, control in enumerate(controls, 1):
            if control in exclusions:
                continue
            excluded = f"{one.name}_not_{number}"
            try:
                exclusions[control] = Exclusion(excluded, "\n".join(one.excluded(control, excluded)) + "\n")
                left_out.pop(control, None)
            except NotInCoqError as error:
                left_out[control] = str(error)
    # What a witness is written in stands in no definition, but in a proof.
    words = {word for line in lines if not line.startswith("(*") for word in re.findall(r"\w+", line)}
    head = [
        *(f"(* {_comment(part)} *)" for part in (title, place) if part),
        "From ImplicitBias Require Import All.",
        "Open Scope R_scope.",
        "",
        *definitions(primitives.union(words & PRIMITIVES.keys())),
    ]
    return Formalised("\n".join([*head, *lines]) + "\n", names, exclusions, left_out)


class _Stated:
    """One theorem with the claim's formula as the value."""

    def __init__(self, theorem: Theorem, name: str, formula: str) -> None:
        if theorem.relation != "=":
            raise NotInCoqError("a theorem that bounds what the claim is about has no Coq generator yet")
        self.theorem, self.name, self.formula = theorem, name, formula
        self.cases = {case: setting for case, setting in cases(theorem) if not setting.signs.contradictory}
        only = None if theorem.split else next(iter(self.cases.values()), None)
        self.whole = Scope(only or Setting(dict(theorem.for_all)))

    def lines(self) -> Iterator[str]:
        if not self.theorem.split:
            for setting in self.cases.values():
                yield from self._theorem(self.name, Scope(setting), self._conditions())
        else:
            for index, (case, setting) in enumerate(self.cases.items(), 1):
                scope = Scope(setting)
                yield f"(* {_comment(case)} *)"
                conditions = [*scope.conditions(), *scope.hypotheses(), *self._given(scope)]
                yield from self._theorem(f"{self.name}_case_{index}", scope, conditions)
            yield from self._joined()
        yield ""
        yield from self._inhabited()

    def _theorem(self, name: str, scope: Scope, conditions: Sequence[str]) -> Iterator[str]:
        stated = self._statement(scope, self.formula)
        yield f"Theorem {name} : {_for_all(scope, conditions)}{_conjunction(stated, self._definedness(scope))}."
        yield "Proof."
        yield "  intros. pose proof PI_RGT_0. whole_numbers."
        yield f"  repeat match goal with |- _ /\\ _ => split; [defined |] end.\n  {stated.proof}"
        yield "Qed."

    def _joined(self) -> Iterator[str]:
        """The whole from its cases: every sign of what is split on."""
        stated = self._statement(self.whole, self.formula)
        conclusion = _conjunction(stated, self._definedness(self.whole))
        yield f"Theorem {self.name} : {_for_all(self.whole, self._conditions())}{conclusion}."
        yield "Proof."
        yield "  intros."
        for text in self.theorem.split:
            yield f"  all: destruct (Rtotal_order {self.whole.term(text)} 0) as [? | [? | ?]]."
        numbers = {case: index for index, case in enumerate(self.cases, 1)}
        for signs in itertools.product((-1, 0, 1), repeat=len(self.theorem.split)):
            case = case_name(zip(self.theorem.split, signs, strict=True))
            reached = (
                _matching(self.name, numbers[case], self.cases[case])
                if case in numbers
                else "exfalso; first [lra | nra]."
            )
            yield f"  {{ {reached} }}"
        yield "Qed."

    def _statement(self, scope: Scope, formula: str) -> Statement:
        return statement(self.theorem.quantity, scope, scope.term(self._put_in(scope, formula)))

    def _put_in(self, scope: Scope, formula: str) -> Operation:
        given = {name: scope.tree(text) for name, text in self.theorem.given.items()}
        return substituted(parse(formula, given).tree, given)

    def _definedness(self, scope: Scope) -> list[str]:
        return scope.definedness(self._put_in(scope, self.formula))

    def _conditions(self) -> list[str]:
        return [*self._hypotheses(), *self._given(self.whole)]

    def _hypotheses(self) -> list[str]:
        return [*self.whole.conditions(), *(self.whole.comparison(text) for text in self.theorem.assuming)]

    def _given(self, scope: Scope) -> list[str]:
        """What must exist for the quantity to be about anything, each once."""
        return list(dict.fromkeys(given.proposition for given in self._statement(scope, self.formula).given))

    def _inhabited(self) -> Iterator[str]:
        """That the hypotheses can be met."""
        conditions = self._conditions()
        if not conditions:
            return
        point, exists = next(iter(self._points), (None, ""))
        if point is None:
            raise NotInCoqError("no point is known at which the hypotheses hold")
        names = " ".join(f"({named(n)} : {_type(self.whole, n)})" for n in self.whole.variables)
        met = " /\\ ".join(conditions)
        at = " ".join(f"exists {_value(point[n], _type(self.whole, n))}." for n in self.whole.variables)
        yield f"Theorem {self.name}_is_not_vacuous : exists {names}, {met}."
        if exists:
            each = " | ".join([*("defined" for _ in self._hypotheses()), exists])
            yield f"Proof. {at} simpl INR; repeat match goal with |- _ /\\ _ => split end; [{each}]. Qed."
        else:
            yield f"Proof. {at} simpl INR; repeat split; defined. Qed."

    @cached_property
    def _points(self) -> Sequence[tuple[Mapping[str, Fraction], str]]:
        return list(self._all_points())

    def _all_points(self) -> Iterator[tuple[Mapping[str, Fraction], str]]:
        """Exact points where the hypotheses hold, with tactics that show that what must exist does."""
        for setting in self.cases.values():
            for point, exists in self._found(setting):
                values = {name: constant(put(tree, _numbers(point))) for name, tree in setting.fixed.items()}
                if None not in values.values():
                    yield {**point, **{n: v for n, v in values.items() if v is not None}}, exists

    def _found(self, setting: Setting) -> Iterator[tuple[Mapping[str, Fraction], str]]:
        from implicitbias.theorems.points import points_of

        given = {given.proposition: given for given in self._statement(Scope(setting), self.formula).given}
        if len(given) > 1:
            raise NotInCoqError("a theorem about several lists has no Coq generator yet")
        if given:
            yield from next(iter(given.values())).points()
        else:
            yield from ((point, "") for point in points_of(setting.variables, setting.hypotheses, ()))

    def excluded(self, control: str, name: str) -> Iterator[str]:
        """The negation of the theorem with a control in the formula's place, at a counterexample."""
        from implicitbias.theorems.points import sign_at

        true, false = (self._put_in(self.whole, text) for text in (self.formula, control))
        differs = unfolded(minus(true, false))
        found = next(((point, exists) for point, exists in self._points if sign_at(differs, point)), None)
        if found is None:
            raise NotInCoqError("no exact point is known where it differs")
        point, exists = found
        stated = self._statement(self.whole, control)
        conditions = self._conditions()
        shown = [*("defined" for _ in self._hypotheses()), *(exists for _ in self._given(self.whole))]
        values = " ".join(_value(point[n], _type(self.whole, n)) for n in self.whole.variables)
        yield f"(* {_comment(control)} *)"
        yield f"Theorem {name} : ~ ({_for_all(self.whole, conditions)}{stated.proposition})."
        yield "Proof."
        yield f"  intros false. pose proof ({self.name} {values}) as true."
        yield f"  specialize (false {values}). simpl INR in *."
        for tactics in shown:
            yield f"  specialize (true ltac:({tactics})). specialize (false ltac:({tactics}))."
        yield "  repeat match type of true with _ /\\ _ => destruct true as [_ true] end."
        yield f"  epose proof ltac:({stated.same('exact true', 'exact false')}) as same."
        yield "  clear true false. revert same. different."
        yield "Qed."


def _matching(name: str, index: int, setting: Setting) -> str:
    """Tactics that reduce the case at hand to its theorem; what a name stands for there is put in first."""
    scope = Scope(setting)
    puts = [
        f"assert ({named(n)} = {scope.term(tree)}) by first [lra | nra]. subst {named(n)}."
        for n, tree in setting.fixed.items()
    ]
    arguments = " ".join(named(n) for n in setting.variables)
    return " ".join([*puts, f"apply ({name}_case_{index} {arguments}); first [assumption | lra | nonneg]."])


def _for_all(scope: Scope, conditions: Sequence[str]) -> str:
    binders = f"forall {scope.binders()}, " if scope.variables else ""
    return binders + "".join(f"{condition} -> " for condition in conditions)


def _conjunction(stated: Statement, formula_defined: Sequence[str]) -> str:
    parts = [*dict.fromkeys([*stated.defined, *formula_defined]), stated.proposition]
    return "\n  " + " /\\\n  ".join(f"({part})" if len(parts) > 1 else part for part in parts)


def _numbers(point: Mapping[str, Fraction]) -> dict[str, Operation]:
    return {name: Operation("number", number=value) for name, value in point.items()}


def _type(scope: Scope, name: str) -> str:
    return {"nonnegative integer": "nat", "positive integer": "nat", "integer": "Z"}.get(scope.variables[name], "R")


def _value(number: Fraction, kind: str) -> str:
    if kind != "R":
        return f"({number})%{kind}"
    if number.denominator == 1:
        return str(number) if number >= 0 else f"({number})"
    return f"({number.numerator} / {number.denominator})"


def _identifier(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def _comment(text: str) -> str:
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
