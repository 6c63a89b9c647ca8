"""What the file of a law offers to the table of laws: a function that makes it, and what is known of it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from implicitbias.laws.one.law import Law
    from implicitbias.laws.penalty.zeta_form import ClosedForm

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True)
class Named(Generic[Made]):
    """A law that can be written by name.

    build     makes it from its parameters. Users write its name, the listing shows its parameters' names and the first
              line of its docstring
    examples  texts that make it; every contract is tested on each of them
    also      other names
    scipy     scipy.stats names of the same law, each with what makes it from scipy's parameters (shapes, loc, scale)
    forms     (law of W, law of B) -> closed form of zeta for pairs that this law is part of, None for others
    """

    build: Callable[..., Made]
    examples: tuple[str, ...]
    also: tuple[str, ...] = ()
    scipy: Mapping[str, Callable[..., Made]] = field(default_factory=dict)
    forms: tuple[Callable[[Law, Law], ClosedForm | None], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.build.__name__, *self.also)


def offered(package: str, files: Iterable[str]) -> tuple[Named[Any], ...]:
    """What the files of a package offer: the LAWS of each."""
    return tuple(entry for file in files for entry in import_module(f"{package}.{file}").LAWS)
