"""Along which symbol a check's instances are drawn, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from implicitbias.claims.evidence import Instance
from implicitbias.claims.statement import Rule
from implicitbias.exact.formula import Expression
from implicitbias.judging.conjecture import as_float
from implicitbias.judging.readable import text
from implicitbias.report.prose import prose
from implicitbias.report.typeset import symbol

MOST_GROUPS = 4
LONGEST = 50
"""Characters of what an axis says of its symbol."""


class Placed(Protocol):
    @property
    def instance(self) -> Instance: ...
    @property
    def x(self) -> float: ...


P = TypeVar("P", bound=Placed)


@dataclass(frozen=True)
class Axis:
    """`name`: of what is given; empty if the instances stand in their order."""

    name: str
    label: str
    order: Mapping[int, int] = field(default_factory=dict)

    def at(self, instance: Instance) -> float | None:
        return as_float(instance.given.get(self.name)) if self.name else float(self.order[id(instance)])


def axis_of(instances: Sequence[Instance], asked: Rule | Expression, symbols: Mapping[str, str]) -> Axis:
    """The most varied of the symbols in the formula; else of the other symbols, else of all that is given."""
    given = dict.fromkeys(name for instance in instances for name in instance.given)
    inside = [] if isinstance(asked, Rule) else [name for name in symbols if name in asked.names]
    for names in (inside, [*symbols], [*given]):
        varied = {name: len({as_float(i.given.get(name)) for i in instances} - {None}) for name in names}
        best = max(varied, key=lambda name: varied[name], default="")
        if varied.get(best, 0) > 1:
            return Axis(best, _label(best, symbols))
    return Axis("", "instance", {id(instance): k for k, instance in enumerate(instances, 1)})


def _label(name: str, symbols: Mapping[str, str]) -> str:
    meaning = prose(symbols.get(name, ""))
    told = f"{symbol(name)}: {meaning}"
    return told if meaning and len(told) <= LONGEST else symbol(name)


def depends_on(asked: Rule | Expression, instances: Sequence[Instance]) -> set[str]:
    """What a candidate may look at: the names of a formula, all that is given for a rule."""
    if isinstance(asked, Rule):
        return {name for instance in instances for name in instance.given}
    return set(asked.names)


def varying(instances: Sequence[Instance], names: Iterable[str]) -> list[str]:
    """Those of the names that are given more than one value."""
    return [name for name in sorted(names) if len({text(i.given.get(name)) for i in instances}) > 1]


def groups_of(seen: Sequence[P], asked: Rule | Expression, axis: Axis) -> list[tuple[str, list[P]]]:
    """The instances by all else that the claim depends on, or by the case that their labels begin with ("gauss: …").

    Each group has at least two places on the axis; without few such groups all is one.
    """
    instances = [one.instance for one in seen]
    names = varying(instances, depends_on(asked, instances) - {axis.name})
    for cases in (not names, False):
        groups: dict[str, list[P]] = {}
        for one in seen:
            name = _case(one.instance) if cases else _given(one.instance, names)
            groups.setdefault(name, []).append(one)
        if 1 < len(groups) <= MOST_GROUPS and all(len({one.x for one in group}) > 1 for group in groups.values()):
            return list(groups.items())
    return [("", list(seen))]


def _given(instance: Instance, names: Sequence[str]) -> str:
    return ", ".join(f"{symbol(name)} = {text(instance.given.get(name))}" for name in names)


def _case(instance: Instance) -> str:
    case, colon, _ = instance.label.partition(": ")
    return case if colon else ""
