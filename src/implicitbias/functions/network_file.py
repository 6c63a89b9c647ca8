"""The parameters of a two-layer network of one input, from a CSV file, JSON or a torch state dict."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from implicitbias.data.points import _lines, _rows
from implicitbias.data.source import contents, decoded, name_of
from implicitbias.errors import DataError, brought_by_extra
from implicitbias.exact.rational import exact
from implicitbias.functions.regions import Numbers

NAMES = ("w", "b", "v")
DELIMITERS = (";", "\t", ",")
PLAIN = 60
"""Longer texts, and decimals with more digits before or after the point, are read by the slow method."""
_BINARY = (b"PK\x03\x04", b"\x80")
"""The first bytes of torch archives and of pickles."""
_SUFFIXES = {".pt", ".pth", ".pkl", ".pickle", ".ckpt"}


@dataclass(frozen=True)
class Parameters:
    """x -> Σ v_i [w_i x + b_i]_+ + c: fractions and decimals as written, or arrays of doubles."""

    w: Numbers
    b: Numbers
    v: Numbers
    c: Fraction
    source: str
    form: str
    """How the file was read: "CSV", "JSON" or "torch state dict"."""


def read_parameters(source: str | Path, c: str | None = None) -> Parameters:
    """The parameters in a file, or on standard input where the source is `-`. What the file holds decides its form.

    CSV    columns w, b, v, by name in a header or in this order; one line `c, number` may give the output bias
    JSON   {"w": [...], "b": [...], "v": [...], "c": number}; numbers, or texts such as "1/3"
    torch  a state dict with the weights of two layers, (width, 1) and (1, width), in this order, and their biases;
           or tensors named w, b, v, c. Read with weights_only: nothing in the file is executed.
    c      the output bias, instead of one in the file

    Raises DataError, with the place, for anything else.
    """
    name, raw = name_of(source), contents(source)
    if raw.startswith(_BINARY) or Path(source).suffix.lower() in _SUFFIXES:
        found = _from_torch(raw, name)
    else:
        text = decoded(raw, name)
        found = _from_json(text, name) if text.lstrip().startswith(("{", "[")) else units_in(text, name)
    rows, bias, form = found
    if c is not None:
        if bias is not None:
            raise DataError(f"{name} gives an output bias c, and so does --c: leave one of them out")
        try:
            bias = exact(c)
        except DataError as error:
            raise DataError(f"--c: {error}") from None
    lengths = [len(row) for row in rows]
    if len(set(lengths)) > 1:
        raise DataError(
            f"{name}: w, b and v need one number per unit, and have {lengths[0]}, {lengths[1]} and {lengths[2]}"
        )
    if not lengths[0]:
        raise DataError(f"{name} holds an empty network: at least one unit is needed, such as w=1, b=0, v=1")
    return Parameters(rows[0], rows[1], rows[2], bias or Fraction(0), name, form)


Found = tuple[Sequence[Numbers], Fraction | None, str]


def units_in(text: str, name: str) -> Found:
    """The columns w, b and v of a CSV text, and the output bias that it may give."""
    rows = _rows(text, name) if '"' in text else _split(text, name)
    bias = None
    for line, cells in rows:
        if cells[0] == "c" and len([cell for cell in cells if cell]) == 2:
            if bias is not None:
                raise DataError(f"{name}, line {line}: a second output bias c")
            bias = _number(cells[1], f"{name}, line {line}, c")
    body = [row for row in rows if row[1][0] != "c"] if bias is not None else rows
    if not body:
        raise DataError(f"{name} holds an empty network: a line w,b,v for each unit is needed, such as 1,0,1")
    columns = _columns(body[0][1], name)
    if columns is None:
        columns = (0, 1, 2)
        if len(body[0][1]) != 3:
            raise DataError(
                f"{name}, line {body[0][0]}: {len(body[0][1])} cells, and w, b and v are needed: three columns, or a "
                "header that names them"
            )
    else:
        body = body[1:]
    found: list[list[Fraction | Decimal]] = [[], [], []]
    for line, cells in body:
        for column, label, numbers in zip(columns, NAMES, found, strict=True):
            if column >= len(cells):
                raise DataError(f"{name}, line {line}: column {label} is missing; the line has {len(cells)} cells")
            try:
                numbers.append(_exact_decimal(cells[column]))
            except DataError as error:
                raise DataError(f"{name}, line {line}, column {label}: {error}") from None
    return found, bias, "CSV"


def _split(text: str, name: str) -> list[tuple[int, list[str]]]:
    """The cells of a text without quotation marks, several times faster than `data`: networks have many lines."""
    lines = _lines(text, name)
    delimiter = next((d for d in DELIMITERS if lines and d in lines[0][1]), None)
    return [(n, [cell.strip() for cell in line.split(delimiter)]) for n, line in lines]


def _exact_decimal(cell: str) -> Fraction | Decimal:
    """`exact`, several times faster for a plain decimal, which stays a decimal: that is exact."""
    if len(cell) <= PLAIN and cell.isascii() and "_" not in cell:
        try:
            decimal = Decimal(cell)
            if decimal.is_finite() and abs(decimal.adjusted()) < PLAIN:
                return decimal
        except ArithmeticError:
            pass  # not a decimal: `exact` knows more, and says what is wrong
    return exact(cell)


def _columns(first: list[str], name: str) -> tuple[int, ...] | None:
    """The columns of w, b and v in the header; None if the first line is not a header."""
    if not any(cell.isidentifier() and cell.lower() not in ("nan", "inf", "infinity") for cell in first):
        return None
    if missing := [label for label in NAMES if first.count(label) != 1]:
        raise DataError(f"{name}: one column named {missing[0]!r} is needed; the header is {', '.join(first)[:80]}")
    return tuple(first.index(label) for label in NAMES)


def _number(given: object, place: str) -> Fraction:
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise DataError(f"{place}: a number is needed, not {type(given).__name__}")
    try:
        return exact(given)
    except DataError as error:
        raise DataError(f"{place}: {error}") from None


def _from_json(text: str, name: str) -> Found:
    try:
        # Decimals stay text, to be taken exactly.
        document = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name} is no JSON: {error}") from None
    expected = '{"w": [...], "b": [...], "v": [...], "c": 0}'
    if not isinstance(document, dict) or not set(NAMES) <= set(document) <= {*NAMES, "c"}:
        raise DataError(f"{name} must be a JSON object with the fields w, b, v and perhaps c: {expected}")
    rows = []
    for label in NAMES:
        if not isinstance(document[label], list):
            raise DataError(f"{name}: {label} must be a list of numbers, one per unit: {expected}")
        rows.append([_number(entry, f"{name}, {label}[{i}]") for i, entry in enumerate(document[label])])
    return rows, _number(document["c"], f"{name}, c") if "c" in document else None, "JSON"


def _from_torch(raw: bytes, name: str) -> Found:
    with brought_by_extra(f"{name} is a file of torch, which"):
        import torch

    def refuse(reason: str) -> NoReturn:
        raise DataError(
            f"{name} is not a torch state dict of a two-layer network: {reason}; save one with "
            "torch.save(model.state_dict(), FILE)"
        )

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given: Any = torch.load(io.BytesIO(raw), map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises what it likes: UnpicklingError, RuntimeError, EOFError, KeyError, ...
        lines = str(error).strip().splitlines() or [type(error).__name__]
        unsafe = "weights_only" in str(error) or "Unsupported" in str(error)
        refuse("it holds other objects than tensors, and was not executed" if unsafe else lines[0][:120])
    if not isinstance(given, Mapping) or not given:
        refuse(f"it holds a {type(given).__name__}")
    tensors = {}
    for key, value in given.items():
        if not isinstance(key, str) or not isinstance(value, torch.Tensor):
            refuse(f"the entry {str(key)[:40]!r} is not a named tensor")
        if value.is_complex() or value.is_quantized or value.layout != torch.strided or value.is_meta:
            refuse(f"{key} holds no real numbers")
        row = value.detach().to(torch.float64).numpy()
        if not np.isfinite(row).all():
            raise DataError(f"{name}: {key} holds NaN or infinity: the weights of a network must be finite")
        tensors[key] = row
    return _layers(tensors, refuse)


def _layers(tensors: dict[str, Any], refuse: Any) -> Found:
    form = "torch state dict"
    if set(NAMES) <= set(tensors) <= {*NAMES, "c"}:
        bias = tensors.get("c")
        if bias is not None and bias.size != 1:
            refuse(f"c has the shape {bias.shape}, and is one number")
        return (
            [tensors[label].reshape(-1) for label in NAMES],
            None if bias is None else exact(float(bias.item())),
            form,
        )
    shapes = ", ".join(f"{key} {tuple(row.shape)}" for key, row in list(tensors.items())[:6])
    weights = [key for key, row in tensors.items() if row.ndim == 2]
    if len(weights) != 2:
        refuse(f"two layers are needed, a matrix each, and it holds {shapes}")
    hidden, outer = weights
    width = tensors[hidden].shape[0]
    if tensors[hidden].shape != (width, 1) or tensors[outer].shape != (1, width):
        refuse(f"weights of the shapes (width, 1) and (1, width) are needed, in this order, and it holds {shapes}")
    biases = {key: _bias_of(key, tensors) for key in weights}
    if others := sorted(set(tensors) - set(weights) - {key for key in biases.values() if key}):
        refuse(f"{others[0]} belongs to none of the two layers")
    found: dict[str, Any] = {key: tensors[bias] if bias else None for key, bias in biases.items()}
    b = np.zeros(width) if found[hidden] is None else found[hidden]
    c = found[outer]
    if b.shape != (width,) or (c is not None and c.shape != (1,)):
        refuse(f"biases of the shapes ({width},) and (1,) are needed, and it holds {shapes}")
    return [tensors[hidden][:, 0], b, tensors[outer][0]], None if c is None else exact(float(c[0])), form


def _bias_of(weight: str, tensors: dict[str, Any]) -> str | None:
    if not weight.endswith("weight"):
        return None
    name = weight[: -len("weight")] + "bias"
    return name if name in tensors else None
