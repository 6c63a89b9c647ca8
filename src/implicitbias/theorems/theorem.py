"""A theorem: variables, hypotheses, what each symbol of a claim is there, and a quantity with its witness.

`establish` has the rule of its kind find the value in every case. Cases are made here, from what to split on, so that
none can be left out.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from implicitbias.exact.formula import DOMAINS, Assumption, Operation, written
from implicitbias.theorems.dependence import ignored
from implicitbias.theorems.established import Conclusion, Established
from implicitbias.theorems.primitives import PRIMITIVES, Vocabulary, read, used
from implicitbias.theorems.quantity import Bounded, ByInduction, Quantity, Steps, texts
from implicitbias.theorems.setting import INFINITY, NotShownError, RefusedError, Setting, minus, negated, number, put
from implicitbias.theorems.sign import Hypothesis, Sign

RELATIONS = ("<=", ">=", "<", ">")


@dataclass(frozen=True)
class Theorem:
    """For all values of the variables under the hypotheses the claim's formula is this quantity, or bounds it.

    for_all   the variables with their domains
    given     each symbol of the claim as a formula in the variables
    assuming  hypotheses: `a < b`, `L >= 1`
    split     variables whose sign, and formulas (linear in some variable) whose sign, makes cases
    words     parts of the definition or steps that stand in words, for a reader
    indifferent_to  primitives that the definition names and whose change does not change the value; said to the reader
    relation  `=`; `<=` where what the claim bounds is at most the quantity, and the formula must not be less
    """

    label: str
    quantity: Quantity
    for_all: Mapping[str, Assumption]
    given: Mapping[str, str]
    assuming: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    indifferent_to: tuple[str, ...] = ()
    relation: str = "="

    def to_json(self) -> dict[str, Any]:
        document = {f.name: _encoded(getattr(self, f.name)) for f in fields(self)}
        return document if self.relation != "=" else {k: part for k, part in document.items() if k != "relation"}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Theorem:
        """Raises KeyError for a kind of quantity that does not exist."""
        return cls(**{f.name: _decoded(document[f.name]) for f in fields(cls) if f.name in document})

    @property
    def digest(self) -> str:
        """The fingerprint of the record: what a Coq file says it was made from."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def primitives(self) -> frozenset[str]:
        """The primitives that the definition names, and those of the theorems it rests on."""
        return frozenset().union(*map(used, self.definitions), *(base.primitives for base in self.quantity.bases))

    @property
    def independent_of(self) -> tuple[str, ...]:
        """The primitives that the definition names, or that these are made of, and that do not matter to it."""
        needed = frozenset().union(*(b.primitives.difference(b.independent_of) for b in self.quantity.bases))
        return tuple(name for name in ignored(self.definitions, names_of(self)) if name not in needed)

    @property
    def definitions(self) -> list[Operation]:
        """The texts of the definition as formulas in primitives."""
        names = names_of(self)
        formulas = (side for _, text in texts(self.quantity, "definition") for side in compared(text))
        return [read(text, names).tree for text in formulas]

    @property
    def in_words(self) -> tuple[str, ...]:
        """What stands in words: a definition that depends on no primitive is one."""
        restated = () if self.primitives.difference(self.independent_of) else ("the definition uses no primitive",)
        return (*self.words, *self.quantity.in_words, *restated)


def establish(theorem: Theorem, vocabulary: Vocabulary = PRIMITIVES) -> Established:
    """Have the rule find the value in every case. Raises RefusedError, NotShownError, FormulaError."""
    conclusions, steps = [], Steps()
    for case, setting in cases(theorem, vocabulary):
        if setting.signs.contradictory:
            continue
        seen = Steps()
        value, by_induction = _found(theorem, setting, seen)
        if by_induction and theorem.relation != "=":
            raise RefusedError("a sequence is found by its start and its step: a bound must be a formula")
        given = {name: setting.read(text) for name, text in theorem.given.items()}
        for name, tree in given.items():
            setting.defined(tree, f"what {name} is here")
        given = {name: setting.tidy(tree) for name, tree in given.items()}
        label = ": ".join(part for part in (theorem.label, case) if part)
        conclusions.append(
            Conclusion(
                label,
                setting.variables,
                {name: written(tree) for name, tree in given.items()},
                written(value),
                tuple(written(h.tree) for h in setting.hypotheses if h.strict),
                tuple(written(h.tree) for h in setting.hypotheses if not h.strict),
                **by_induction,
                relation=theorem.relation,
            )
        )
        steps += [replace(step, says=f"{case}: {step.says}") for step in seen] if case else seen
    if not conclusions:
        raise RefusedError("the hypotheses contradict each other: the theorem says nothing")
    if theorem.indifferent_to:
        named = ", ".join(theorem.indifferent_to)
        steps.add("the value is the same with other functions in the place of", named, "other functions put in")
    if spare := theorem.independent_of:
        steps.add("the definition does not depend on", ", ".join(spare), "other functions put in, at exact points")
    return Established(tuple(conclusions), tuple(steps))


def _found(theorem: Theorem, setting: Setting, steps: Steps) -> tuple[Operation, dict[str, str]]:
    """The value, or an upper bound; for a sequence that at index 0, with what a conclusion says of the others."""
    quantity = theorem.quantity
    if isinstance(quantity, Bounded) and theorem.relation == "<=":
        return setting.tidy(quantity.upper_bound(setting, steps)), {}
    if not isinstance(quantity, ByInduction):
        return setting.tidy(quantity.establish(setting, steps)), {}
    bare, stepping = quantity.counted(setting)
    start, step = quantity.start_and_step(setting, steps)
    says = {"index": quantity.index, "previous": quantity.previous, "step": written(stepping.tidy(step))}
    return bare.tidy(start), says


def cases(theorem: Theorem, vocabulary: Vocabulary = PRIMITIVES) -> Iterator[tuple[str, Setting]]:
    """Every combination of signs of what is split on, as a setting with its name; together they cover everything."""
    start = Setting(dict(theorem.for_all), (), vocabulary)
    for text in theorem.assuming:
        start = assumed(start, text)
    yield from divided(start, theorem.split)


def divided(start: Setting, split: Sequence[str]) -> Iterator[tuple[str, Setting]]:
    """Every combination of signs of the formulas, as a setting with its name; together they cover everything.

    Combinations that contradict the hypotheses are left out.
    """
    for text in split:
        start.defined(start.read(text), "what is split on")
    sides = [list(_sides(start, text)) for text in split]
    for chosen in itertools.product(*sides):
        setting = start
        for text, sign in chosen:
            setting = _on_side(setting, text, sign)
            if setting.signs.contradictory:
                break
        else:
            yield case_name(chosen), setting


def case_name(chosen: Iterable[tuple[str, int]]) -> str:
    """A case for a reader: `y < 0, z = 0`."""
    return ", ".join(f"{text.strip()} {'>' if sign > 0 else '<' if sign < 0 else '='} 0" for text, sign in chosen)


def assumed(setting: Setting, text: str) -> Setting:
    """The setting with a hypothesis `left < right` (<=, >, >=). Raises ValueError for anything else."""
    for relation in RELATIONS:
        if relation in text:
            a, b = map(setting.read, compared(text))
            larger = minus(b, a) if relation.startswith("<") else minus(a, b)
            return setting.assuming(larger, strict=len(relation) == 1)
    raise ValueError(f"a hypothesis compares two formulas by one of {', '.join(RELATIONS)}: got {text!r}")


def compared(text: str) -> tuple[str, ...]:
    """The two sides of a relation; a formula by itself."""
    for relation in RELATIONS:
        left, found, right = text.partition(relation)
        if found:
            return left, right
    return (text,)


def _sides(setting: Setting, text: str) -> Iterator[tuple[str, int]]:
    domain = setting.variables.get(text.strip(), "real")
    for sign in (1, 0, -1):
        if sign == 0 and domain in ("positive", "negative", "positive integer"):
            continue
        if sign < 0 and ("positive" in domain or "nonnegative" in domain):
            continue
        if sign > 0 and domain == "negative":
            continue
        yield text.strip(), sign


def _on_side(setting: Setting, text: str, sign: int) -> Setting:
    tree = setting.read(text)
    if sign:
        name = tree.head if tree.is_name else ""
        domain = setting.variables.get(name)
        if domain in ("real", "nonnegative") and not (domain == "nonnegative" and sign < 0):
            narrower: Assumption = "positive" if sign > 0 else "negative"
            return replace(setting, variables={**setting.variables, name: narrower})
        return setting.assuming(tree if sign > 0 else negated(tree))
    if setting.sign(tree) is Sign.ZERO:
        return setting
    for name, domain in setting.variables.items():
        constant = put(tree, {name: number(0)})
        slope = minus(put(tree, {name: number(1)}), constant)
        if domain.endswith("integer") or not _is_number(setting, slope):
            continue
        line = minus(tree, Operation("+", (Operation("*", (slope, Operation(name))), constant)))
        try:
            setting.zero(line, "linear")
        except (RefusedError, NotShownError):
            continue
        return _solved(setting, name, setting.tidy(Operation("/", (negated(constant), slope))))
    raise NotShownError(f"{text} = 0 cannot be solved for a variable: split on something linear")


def _is_number(setting: Setting, tree: Operation) -> bool:
    """Whether the formula is the same nonzero number everywhere."""
    from implicitbias.theorems.normal_form import NotReducedError

    try:
        ratio = setting.signs.field.of(tree)
    except NotReducedError:
        return False
    return bool(ratio.numerator != 0 and ratio.numerator.is_constant() and ratio.denominator.is_constant())


def _solved(setting: Setting, name: str, by: Operation) -> Setting:
    """The setting in which the variable is the formula; its domain becomes a hypothesis."""
    domain = setting.variables[name]
    rest = {n: d for n, d in setting.variables.items() if n != name}
    hypotheses = tuple(Hypothesis(put(h.tree, {name: by}), h.strict) for h in setting.hypotheses)
    fixed = {n: put(tree, {name: by}) for n, tree in setting.fixed.items()} | {name: by}
    there = replace(setting, variables=rest, hypotheses=hypotheses, fixed=fixed)
    match domain:
        case "positive" | "negative":
            return there.assuming(by if domain == "positive" else negated(by))
        case "nonnegative":
            return there.assuming(by, strict=False) if by.number is None else there
    return there


def names_of(theorem: Theorem) -> dict[str, Assumption]:
    """Every name that a text of the theorem may use with its domain, bound variables and infinite ends among them."""
    return {INFINITY: "real", **theorem.for_all, **_bound(theorem.quantity)}


def _bound(quantity: Quantity) -> dict[str, Assumption]:
    names: dict[str, Assumption] = {}
    for f in fields(quantity):
        inner = getattr(quantity, f.name)
        if isinstance(inner, Quantity):
            names |= _bound(inner)
        elif isinstance(inner, Mapping) and any(isinstance(part, Quantity) for part in inner.values()):
            names |= dict.fromkeys(inner, "real")
            for part in inner.values():
                names |= _bound(part) if isinstance(part, Quantity) else {}
        elif f.metadata.get("binds"):
            domains = inner if isinstance(inner, Mapping) else {}
            bound = [inner] if isinstance(inner, str) else inner
            names |= {name: domains[name] if domains.get(name) in DOMAINS else "real" for name in bound}
    return names


def _encoded(value: Any) -> Any:
    if isinstance(value, Theorem):
        return {"theorem": value.to_json()}
    if isinstance(value, Quantity):
        return {"kind": type(value).__name__} | {f.name: _encoded(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {"mapping": [[key, _encoded(inner)] for key, inner in value.items()]}
    if isinstance(value, tuple | list):
        return [_encoded(inner) for inner in value]
    return value


def _decoded(document: Any) -> Any:
    if isinstance(document, list):
        return tuple(_decoded(inner) for inner in document)
    if isinstance(document, dict) and "theorem" in document:
        return Theorem.from_json(document["theorem"])
    if isinstance(document, dict) and "kind" in document:
        from implicitbias.theorems.rules import kinds

        parts = {name: _decoded(inner) for name, inner in document.items() if name != "kind"}
        return kinds()[document["kind"]](**parts)
    if isinstance(document, dict):
        return {key: _decoded(inner) for key, inner in document["mapping"]}
    return document
