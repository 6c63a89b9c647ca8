"""Labelled data that a network is held against: inputs, and numbers or classes to be learned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.networks.stack import LARGEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class Samples:
    """(x_i, y_i), i < M, for a network of d inputs and k outputs.

    x        (M, d)
    y        (M, k) numbers, or None
    classes  (M,) positions in `names`, or None. With one output the second class is the positive one.
    exactly  x and y as fractions, where the data were written as decimals
    """

    x: Array
    y: Array | None = None
    classes: NDArray[np.int64] | None = None
    names: tuple[str, ...] = ()
    exactly: tuple[Rows, Rows] | None = None
    source: str = "X, y"

    def __len__(self) -> int:
        return len(self.x)

    def row(self, i: int) -> tuple[Fraction, ...]:
        """x_i in fractions."""
        return _fractions(self.x[i : i + 1])[0] if self.exactly is None else self.exactly[0][i]

    @cached_property
    def inputs(self) -> Rows:
        """x in fractions."""
        return _fractions(self.x) if self.exactly is None else self.exactly[0]

    @property
    def outputs(self) -> Rows:
        """y in fractions. For data with numbers alone."""
        assert self.y is not None
        return _fractions(self.y) if self.exactly is None else self.exactly[1]

    @property
    def signs(self) -> NDArray[np.int64]:
        """±1 of two classes, as a network of one output tells them apart."""
        assert self.classes is not None
        return 2 * self.classes - 1


def _fractions(numbers: Array) -> Rows:
    return tuple(tuple(map(Fraction, row)) for row in numbers.tolist())


def samples(X: Any, y: Any, inputs: int, outputs: int, classes: bool = False) -> Samples:
    """The data of arrays, tensors, data frames or lists.

    X        (M, d), or (M,) for one input; more axes are flattened, as of images
    y        (M,), (M, 1) or (M, k) numbers; words, booleans or, for k > 1, whole numbers (M,) are classes; or None
    classes  numbers are classes too

    Raises DataError for shapes that do not fit, and numbers that are not finite.
    """
    table = _array(X, "X")
    if table.dtype.kind not in "fiub":
        raise DataError(f"X holds {_kind(table)}: numbers are needed")
    at = _finite(table.reshape(len(table), -1) if table.ndim and table.size else table, "X")
    if at.ndim != 2 or at.shape[1] != inputs or not len(at):
        raise DataError(f"X must have the shape (M, {inputs}), as the network has {_inputs(inputs)}: got {table.shape}")
    if y is None:
        return Samples(at)
    given = _array(y, "y")
    if given.dtype.kind == "c":
        raise DataError(f"y holds {given.dtype}: real numbers or classes are needed")
    if len(given) != len(at) or given.ndim > 2:
        raise DataError(f"one label for each of the {len(at)} points is needed: y has the shape {given.shape}")
    column = given.reshape(-1) if given.size == len(at) else None
    if column is not None and (classes or given.dtype.kind not in "fiu" or (outputs > 1 and given.dtype.kind in "iu")):
        return of_classes(Samples(at), [str(word) for word in column.tolist()], outputs)
    numbers = _finite(given.reshape(len(at), -1), "y")
    if numbers.shape[1] != outputs:
        raise DataError(f"the network has {outputs} outputs: y must have the shape (M, {outputs}), got {given.shape}")
    return of_numbers(replace(Samples(at), y=numbers))


def of_numbers(given: Samples) -> Samples:
    """With the two classes -1 and 1 where y holds nothing else, for one output."""
    assert given.y is not None
    if given.y.shape[1] == 1 and np.array_equal(np.unique(given.y), [-1, 1]):
        return replace(given, classes=(given.y[:, 0] > 0).astype(np.int64), names=("-1", "1"))
    return given


def of_classes(given: Samples, words: Sequence[str], outputs: int) -> Samples:
    """The data with these classes, one per point: of two the later is the positive one, numbers by size.

    Raises DataError where there are more than the outputs tell apart.
    """
    words = [_canonical(word) for word in words]
    names = _ordered(words)
    if outputs > 1 and all(name.isdecimal() and int(name) < outputs for name in names):
        names = [str(k) for k in range(outputs)]  # classes by the position of their output; some may be absent
    if len(names) != (2 if outputs == 1 else outputs):
        there = f"{len(names)} class{'es' * (len(names) > 1)} ({', '.join(names[:5])}{', …' * (len(names) > 5)})"
        needed = "two classes, or numbers as labels" if outputs == 1 else f"{outputs} classes, one per output"
        raise DataError(f"{given.source} has {there}: {needed} are needed")
    place = {name: k for k, name in enumerate(names)}
    return replace(given, classes=np.array([place[word] for word in words], np.int64), names=tuple(names))


def _canonical(word: str) -> str:
    """1 for 1.0, so that numbers are the same class however they are written."""
    try:
        return str(exact(word))
    except DataError:
        return word


def _ordered(words: Iterable[str]) -> list[str]:
    names = set(words)
    try:
        return sorted(names, key=exact)
    except DataError:
        return sorted(names)


def _array(given: Any, name: str) -> NDArray[Any]:
    if np.ma.is_masked(given):
        raise DataError(f"{name} has masked entries: give the rows that are whole")
    if hasattr(given, "detach"):  # a tensor of torch; numpy knows no bfloat16
        given = given.detach().cpu()
        given = given.double() if given.is_floating_point() else given
    try:
        array = np.asarray(given)
    except ValueError:
        raise DataError(f"{name} must have rows of one length") from None
    if array.dtype.kind == "O" and not array.ndim:
        what = type(given).__name__
        raise DataError(f"{name} is a {what}: an array, a table or a list of rows is needed")
    if array.dtype.kind == "O":
        try:
            return np.array(array.astype(np.float64))
        except (TypeError, ValueError):
            return array.astype(str)
    return array


def _kind(array: NDArray[Any]) -> str:
    return "text" if array.dtype.kind == "U" else str(array.dtype)


def _finite(given: NDArray[Any], name: str) -> Array:
    array = given.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise DataError(f"{name} must be finite: {name}{list(where)} is {array[where]}")
    if array.size and np.abs(array).max() > LARGEST:
        raise DataError(f"{name} must be of sizes up to {LARGEST:g}: one is {np.abs(array).max():g}")
    return array


def _inputs(count: int) -> str:
    return f"{count} inputs" if count > 1 else "one input"
