"""`implicitbias regions FILE`: the kinks and linear regions of a network, counted exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.options import AsJson

if TYPE_CHECKING:
    from implicitbias.functions.network_file import Parameters
    from implicitbias.functions.regions import LinearRegions

SHOWN = 12
"""Kinks and units that are printed for people; `--json` prints all."""


def regions(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A network of one input: CSV with columns w,b,v, JSON, or a torch state dict; - for standard input.",
        ),
    ],
    c: Annotated[str | None, typer.Option("--c", metavar="NUMBER", help="The output bias [default: 0].")] = None,
    as_json: AsJson = False,
) -> None:
    """How many linear regions x ↦ Σ v[wx + b]₊ + c has: as its units promise, after merging, and in effect.

    Numbers are taken as the exact decimals, or doubles, that they are, so the counts are exact: units with one kink
    place are merged, and a place where all bends cancel is no kink. A CSV file may give c in a line `c,0.5`; JSON is
    {"w": [...], "b": [...], "v": [...], "c": 0}. A state dict is read as weights only: nothing in it is executed.
    """
    from implicitbias.functions.network_file import read_parameters
    from implicitbias.functions.regions import is_balanced_with_biases, linear_regions

    given = read_parameters(file, c)
    found = linear_regions(given)
    balanced = is_balanced_with_biases(given)
    if as_json:
        typer.echo(json.dumps(as_document(given, found, balanced), ensure_ascii=False))
    else:
        typer.echo("\n".join(in_words(given, found, balanced)))


def as_document(given: Parameters, found: LinearRegions, balanced: bool) -> dict[str, Any]:
    """All that was found: exact numbers as text, units by their positions from 1."""
    from implicitbias.commands.interpolate import text_of

    return {
        "schema": 1,
        "source": given.source,
        "form": given.form,
        "units": found.width,
        "output_bias": text_of(given.c),
        "regions": {"raw": found.raw, "merged": found.merged, "exact": found.exact},
        "kinks": [
            {"x": text_of(x), "jump": text_of(jump), "units": _from_one(there)}
            for x, jump, there in zip(found.kinks, found.jumps, found.units_at_kinks, strict=True)
        ],
        "shared_places": found.shared,
        "dead": _from_one(found.dead),
        "constant": _from_one(found.constant),
        "cancelling": _from_one(found.cancelling),
        "balanced": balanced,
    }


def in_words(given: Parameters, found: LinearRegions, balanced: bool) -> list[str]:
    """The same for people, a line each."""
    from implicitbias.commands.interpolate import shown

    count = f"{found.width} units" if found.width > 1 else "one unit"
    rows = {
        "raw": f"{found.raw}  (1 + units with w ≠ 0)",
        "merged": f"{found.merged}  (1 + different places -b/w of units with w, v ≠ 0)",
        "exact": f"{found.exact}  (1 + places where the slope changes)",
    }
    lines = [f"A network of {count} from {given.source} ({given.form}), output bias {shown(given.c)}", "", "Regions"]
    lines += [f"  {name:<8}{text}" for name, text in rows.items()]
    lines += ["", f"Kinks: {len(found.units_at_kinks) or 'none'}"]
    for x, jump, there in _first_kinks(found):
        lines.append(f"  x = {shown(x):<24} slope changes by {shown(jump):<24} {_named(there)}")
    if len(found.units_at_kinks) > SHOWN:
        lines.append(f"  and {len(found.units_at_kinks) - SHOWN} more; --json prints all")
    balance = "v² = w² + b² for every unit" if balanced else "v² ≠ w² + b² for some unit"
    lines += [
        "",
        f"Dead (0 everywhere)           {_counted(found.dead)}",
        f"Constant (w = 0)              {_counted(found.constant)}",
        f"Cancelling (bends that add up to none)  {_counted(found.cancelling)}",
        f"Places of several units       {found.shared or 'none'}",
        f"Balanced                      {'yes' if balanced else 'no'}: {balance}",
    ]
    return lines


def _first_kinks(found: LinearRegions) -> list[tuple[Any, Any, tuple[int, ...]]]:
    from dataclasses import replace

    first = replace(found, units_at_kinks=found.units_at_kinks[:SHOWN])
    return list(zip(first.kinks, first.jumps, first.units_at_kinks, strict=True))


def _from_one(units: Sequence[int]) -> list[int]:
    return [unit + 1 for unit in units]


def _counted(units: Sequence[int]) -> str:
    return f"{len(units)}: {_named(units)}" if units else "none"


def _named(units: Sequence[int]) -> str:
    names = ", ".join(str(unit + 1) for unit in units[:SHOWN])
    return f"unit{'s' * (len(units) > 1)} {names}{', …' * (len(units) > SHOWN)}"
