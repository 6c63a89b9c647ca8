"""What every kind of quantity has in common: a definition, a witness, and a rule that finds the value.

A kind is a frozen dataclass in a file of `implicitbias.theorems.rules`, named by what it is (`Minimum`, `Integral`).
Its fields are declared with `defined()` if they belong to the definition, with `bound()` if they name bound variables,
with `witness()` if they only help to show the value: tests perturb the witness, and put the claim's false formulas
wherever a text stands. A text is a formula in the variables of the theorem and in primitives. A field of a definition
may hold another quantity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from implicitbias.exact.formula import Operation
from implicitbias.theorems.established import Shown
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, names_in


class Steps(list[Shown]):
    """What a rule has verified so far, in order."""

    def add(self, says: str, formula: str, verified: str) -> None:
        self.append(Shown(says, formula, verified))


@dataclass(frozen=True)
class Quantity:
    """A quantity by its definition, with the witness that shows its value."""

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        """The value, for all values of the setting's variables, as a formula without primitives.

        Raises RefusedError where the witness is wrong, NotShownError where a step is not shown.
        """
        raise NotImplementedError

    @property
    def reads(self) -> str:
        """The definition for a reader, with its primitives by name."""
        raise NotImplementedError

    @property
    def bases(self) -> tuple[Any, ...]:
        """The theorems (of `theorem`, which imports this file) that the quantity, or one within it, rests on."""
        return tuple(theorem for quantity in _within(self) for theorem in quantity.bases)

    @property
    def in_words(self) -> tuple[str, ...]:
        """What of the definition no rule shows."""
        return tuple(words for quantity in _within(self) for words in quantity.in_words)


def _within(value: Any) -> Iterator[Quantity]:
    """The quantities that are parts of a quantity, a mapping or a sequence."""
    if isinstance(value, Quantity):
        parts: Iterable[Any] = [getattr(value, f.name) for f in fields(value)]
    elif isinstance(value, Mapping):
        parts = value.values()
    else:
        parts = value if isinstance(value, tuple | list) else ()
    for part in parts:
        if isinstance(part, Quantity):
            yield part
        else:
            yield from _within(part)


def defined(**options: Any) -> Any:
    """A field that belongs to the definition."""
    return field(metadata={"role": "definition"}, **options)


def bound(**options: Any) -> Any:
    """A field of the definition that binds variables: a name, names, or a mapping of names to domains."""
    return field(metadata={"role": "definition", "binds": True}, **options)


def option(**options: Any) -> Any:
    """A field of the definition that is no formula: a choice between readings."""
    return field(metadata={"role": "option"}, **options)


def witness(**options: Any) -> Any:
    """A field that helps to show the value and does not change what is defined."""
    return field(metadata={"role": "witness"}, **options)


@dataclass(frozen=True)
class ByInduction(Quantity):
    """A quantity that depends on a whole number, fixed by its start and its step: no closed form is computed.

    index     the variable of the theorem that counts: a nonnegative integer of which no hypothesis speaks
    previous  what a step calls the value at the index before
    """

    index: str = option()
    previous: str = bound(default="previous", kw_only=True)

    def start_and_step(self, setting: Setting, steps: Steps) -> tuple[Operation, Operation]:
        """The value at index 0, and the next value as a formula in the index and in `previous`.

        Raises as `establish` does.
        """
        raise NotImplementedError

    def counted(self, setting: Setting) -> tuple[Setting, Setting]:
        """The setting without the index, and with the value before. Raises RefusedError where there is no induction."""
        if setting.variables.get(self.index) != "nonnegative integer":
            raise RefusedError(f"the index {self.index} must be a nonnegative integer")
        if any(self.index in names_in(h.tree) for h in setting.hypotheses):
            raise RefusedError(f"a hypothesis speaks of the index {self.index}: there is no induction within it")
        bare = {name: domain for name, domain in setting.variables.items() if name != self.index}
        return replace(setting, variables=bare), setting.with_variables({self.previous: "real"})

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        raise NotShownError("a sequence is fixed by its start and its step: it has no value to go on with")


@dataclass(frozen=True)
class Bounded(Quantity):
    """A quantity that is bounded from above where a theorem says `<=` of it; its value may be found in fewer cases."""

    def upper_bound(self, setting: Setting, steps: Steps) -> Operation:
        """What the quantity does not exceed. Raises as `establish` does."""
        raise NotImplementedError


def value_of(definition: str | Quantity, setting: Setting, steps: Steps) -> Operation:
    """The value of a formula, or of a quantity within a quantity."""
    if isinstance(definition, Quantity):
        return definition.establish(setting, steps)
    return setting.read(definition)


def reading(definition: str | Quantity) -> str:
    return definition.reads if isinstance(definition, Quantity) else definition


def texts(quantity: Quantity, role: str | None = None) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text in the quantity with the path to it; only those of a `role` (`definition`, `witness`) if given."""
    for f in fields(quantity):
        if f.metadata["role"] != "option" and not f.metadata.get("binds") and role in (None, f.metadata["role"]):
            yield from _texts(getattr(quantity, f.name), (f.name,), role)


def _texts(value: Any, path: tuple[str | int, ...], role: str | None) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, Quantity):
        yield from (((*path, *rest), text) for rest, text in texts(value, role))
    elif isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key), role)
    elif isinstance(value, tuple | list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index), role)
