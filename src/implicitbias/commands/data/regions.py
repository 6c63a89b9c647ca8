"""`implicitbias regions FILE`: the kinks and linear regions of a network, counted exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.options import AsJson, CertificateFile, XColumn
from implicitbias.errors import CertificateError, UserError

if TYPE_CHECKING:
    from implicitbias.convex.kkt.dual import Optimality
    from implicitbias.convex.kkt.points import KKTPoint
    from implicitbias.functions.network_file import Parameters
    from implicitbias.functions.regions import LinearRegions

SHOWN = 12
"""Kinks and units that are printed for people; `--json` prints all."""
UNDECIDED = 3


@dataclass(frozen=True)
class Answer:
    """Whether the network is a KKT point for the data: "exact", "near" one that is certified, "no" or "undecided"."""

    status: str
    reason: str
    labels: dict[str, int]
    document: dict[str, Any] | None = None
    statement: str = ""
    distance: float | None = None
    optimality: Optimality | None = None
    thinned: bool = False


def regions(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A network of one input: CSV with columns w,b,v, JSON, or a torch state dict; - for standard input.",
        ),
    ],
    c: Annotated[str | None, typer.Option("--c", metavar="NUMBER", help="The output bias [default: 0].")] = None,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DATA.csv", help="Labelled points: is the network a KKT point for them?"),
    ] = None,
    x: XColumn = None,
    label: Annotated[
        str | None, typer.Option("--label", metavar="COLUMN", help="Name or position of the labels [default: 2].")
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option("--positive", metavar="WORD", help="The word for +1 [default: the later in the alphabet]."),
    ] = None,
    certificate: CertificateFile = None,
    as_json: AsJson = False,
) -> None:
    """How many linear regions x ↦ Σ v[wx + b]₊ + c has: as its units promise, after merging, and in effect.

    Numbers are taken as the exact decimals, or doubles, that they are, so the counts are exact: units with one kink
    place are merged, and a place where all bends cancel is no kink. A CSV file may give c in a line `c,0.5`; JSON is
    {"w": [...], "b": [...], "v": [...], "c": 0}. A state dict is read as weights only: nothing in it is executed.

    With --data: whether the network, scaled to smallest margin 1, is a KKT point of min ½Σ(w² + b² + v²), y f(x) >= 1
    (Safran et al. 2022, problem (4)), exactly or near one that is certified, and whether that is a global optimum.
    Labels are 1 and -1, or two words. Exit code 3 where it is undecided whether it is a KKT point, 1 where
    --certificate asks for a proof of what is not so.
    """
    from implicitbias.functions.network_file import read_parameters
    from implicitbias.functions.regions import is_balanced_with_biases, linear_regions

    _check_options(file, data, (x, label, positive, certificate))
    given = read_parameters(file, c)
    answer = None if data is None else _kkt(given, data, (x, label), positive)
    found = linear_regions(given)
    balanced = is_balanced_with_biases(given)
    written = _write(answer, certificate)
    if as_json:
        document = as_document(given, found, balanced)
        if answer is not None:
            document["kkt"] = _kkt_document(answer, written)
        typer.echo(json.dumps(document, ensure_ascii=False))
    else:
        typer.echo("\n".join([*in_words(given, found, balanced), *_kkt_in_words(answer, written)]))
    if answer is not None and answer.status == "undecided":
        raise typer.Exit(UNDECIDED)
    if certificate is not None and written is None:
        raise typer.Exit(1)


def _check_options(file: str, data: str | None, belong: Sequence[str | Path | None]) -> None:
    names = ("--x", "--label", "--positive", "--certificate")
    if data is None and (alone := [name for name, value in zip(names, belong, strict=True) if value is not None]):
        raise UserError(f"{' and '.join(alone)} need --data DATA.csv: the labelled points of the margin problem")
    if file == data == "-":
        raise UserError("the network and the data cannot both come from standard input: name a file for one of them")
    if str(belong[3]) == "-":
        raise CertificateError("standard output carries the results: name a file for the certificate")


def _kkt(given: Parameters, data: str, columns: tuple[str | None, str | None], positive: str | None) -> Answer:
    from implicitbias.commands.data.signs import signs_of
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.points import exact_kkt
    from implicitbias.data.points import read_labelled

    points = read_labelled(data, *columns)
    meaning = signs_of(points, positive)
    labels = [meaning[str(label)] for label in points.labels]
    if given.c:
        return Answer("no", "the margin problem has no output bias, and this network has one", meaning)
    if (exactly := exact_kkt(given, points.x, labels)).point is not None:
        return _proved("exact", exactly.point, meaning, 0.0)
    near = kkt_limit(given, points.x, labels)
    if near.point is None or near.status != "certified":
        return Answer(near.status, f"{near.reason}; exactly: {exactly.reason}", meaning)
    return _proved("near", near.point, meaning, near.distance, near.thinned)


def _proved(status: str, point: KKTPoint, meaning: dict[str, int], distance: float, thinned: bool = False) -> Answer:
    from implicitbias.certificate import kernel
    from implicitbias.convex.kkt.dual import optimality

    document = point.certificate()
    statement = kernel.check_certificate(document).statement
    return Answer(status, "", meaning, document, statement, distance, optimality(point), thinned)


def _write(answer: Answer | None, certificate: Path | None) -> Path | None:
    from implicitbias.commands.data.certificates import write_accepted

    if answer is None or answer.document is None:
        return None
    write_accepted(answer.document, certificate)
    return certificate


def _kkt_document(answer: Answer, written: Path | None) -> dict[str, Any]:
    claim = None if answer.document is None else answer.document["claim"]
    return {
        "status": answer.status,
        "reason": answer.reason or None,
        "labels": answer.labels,
        "statement": answer.statement or None,
        "distance": answer.distance,
        "kinks": None if claim is None else [claim["kinks_at_least"], claim["kinks_at_most"]],
        "one_of_a_continuum": answer.thinned,
        "global_optimum": None if answer.optimality is None else asdict(answer.optimality),
        "certificate": None if written is None else str(written),
    }


def _kkt_in_words(answer: Answer | None, written: Path | None) -> list[str]:
    if answer is None:
        return []
    signs = ", ".join(f"{word} is {sign:+d}" for word, sign in answer.labels.items())
    told = {
        "exact": "yes, exactly, up to one positive factor",
        "near": f"near one: directions of units differ by {answer.distance or 0:.2g} at most",
        "no": f"no: {answer.reason}",
        "undecided": f"undecided: {answer.reason}",
    }
    lines = ["", f"KKT point of the margin problem for these labels ({signs})", f"  {told[answer.status]}"]
    if answer.statement:
        lines.append(f"  Proved: {answer.statement}")
    if answer.thinned:
        lines.append("  The units are redundant, KKT points form a continuum: the one proved has fewer units")
    if answer.optimality is not None:
        lines.append(f"  Global optimum among networks of all widths: {_optimal_in_words(answer.optimality)}")
    if written is not None:
        lines.append(f"  Certificate, accepted by the checker: {written}")
    return lines


def _optimal_in_words(found: Optimality) -> str:
    dual = f"the dual function is {found.largest:.6g} at most"
    if found.status == "global":
        return f"yes, ½‖θ‖² = {found.cost:.6g}; {dual}"
    if found.better is not None:
        return f"no, ½‖θ‖² = {found.cost:.6g}, and {found.better:.6g} is possible; {dual}"
    return f"undecided, ½‖θ‖² = {found.cost:.6g}; {dual}"


def as_document(given: Parameters, found: LinearRegions, balanced: bool) -> dict[str, Any]:
    """All that was found: exact numbers as text, units by their positions from 1."""
    from implicitbias.commands.data.numbers import text_of

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
    from implicitbias.commands.data.numbers import shown

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
