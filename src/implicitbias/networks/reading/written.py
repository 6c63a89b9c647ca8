"""Networks written by hand: JSON with w, b, v and c, or the units of one input in exact numbers, as in CSV files."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.functions.regions import Numbers
from implicitbias.networks.reading.tensors import from_tensors
from implicitbias.networks.stack import Origin, Stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORM = '{"w": [[1, 0], …], "b": [0, …], "v": [1, …], "c": 0}'
ROUNDED = "numbers are taken as the nearest doubles"


def from_json(text: str, source: str) -> Stack:
    """{"w", "b", "v", "c"}: w and v lists of numbers, or of rows for several inputs and outputs."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{source} is no JSON: {error}") from None
    return from_document(document, source, "JSON")


def from_document(document: Any, source: str, form: str) -> Stack:
    """The same of what JSON holds, or of such a dict in memory."""
    if not isinstance(document, dict) or not {"w", "b", "v"} <= set(document) <= {"w", "b", "v", "c"}:
        raise DataError(f"{source} must be a JSON object with the fields w, b, v and perhaps c: {FORM}")
    arrays = {name: _array(document[name], f"{source}, {name}") for name in document}
    whole = all((array == np.floor(array)).all() for array in arrays.values())
    return from_tensors(arrays, Origin(source, form, "float64", () if whole else (ROUNDED,)), ordered=True)


def _array(given: Any, name: str) -> NDArray[np.float64]:
    try:
        array = np.array(given)
        if array.dtype.kind in "if":
            return array.astype(np.float64)
        return np.array(_numbers(given, name), dtype=np.float64)
    except DataError:
        raise
    except ValueError:
        raise DataError(f"{name}: its rows must be of one length") from None


def _numbers(entry: Any, name: str, depth: int = 0) -> Any:
    """Nested lists with each number as a double: fractions are written as text, "1/3"."""
    if isinstance(entry, list) and depth < 2:
        return [_numbers(part, name, depth + 1) for part in entry]
    if isinstance(entry, bool) or not isinstance(entry, str | int | float):
        raise DataError(f"{name}: a number is needed, not {type(entry).__name__}")
    try:
        return float(exact(entry))
    except (DataError, OverflowError) as error:
        raise DataError(f"{name}: {error}") from None


def from_units(w: Numbers, b: Numbers, v: Numbers, c: Fraction | None, source: str, form: str) -> Stack:
    """Units of one input given by exact numbers."""
    rows: dict[str, Numbers] = {"w": w, "b": b, "v": v} | ({} if c is None else {"c": [c]})
    try:
        arrays = {name: np.array([float(number) for number in row]) for name, row in rows.items()}
    except OverflowError:
        raise DataError(f"{source}: a number is beyond what a double can hold") from None
    whole = all(
        number == double for name, row in rows.items() for number, double in zip(row, arrays[name], strict=True)
    )
    return from_tensors(arrays, Origin(source, form, "float64", () if whole else (ROUNDED,)), ordered=True)
