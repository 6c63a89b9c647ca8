"""`implicitbias regions FILE`: the kinks and linear regions of a network, counted exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.data.answers import ROWS, WORDS, Answer, give, left_out
from implicitbias.commands.options import AsJson, CertificateFile, XColumn, belong
from implicitbias.errors import UserError

if TYPE_CHECKING:
    from implicitbias.convex.kkt.dual import Optimality
    from implicitbias.convex.kkt.points import KKTPoint
    from implicitbias.functions.network_file import Parameters
    from implicitbias.functions.regions import LinearRegions


@dataclass(frozen=True)
class KKT:
    """Whether the network is a KKT point for the data: "exact", "near" (a certified one), "no" or "undecided"."""

    status: str
    reason: str
    labels: dict[str, int]
    document: dict[str, Any] | None = None
    statement: str = ""
    distance: float | None = None
    optimality: Optimality | None = None
    thinned: bool = False


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A network of one input: CSV with columns w,b,v, JSON, or a torch state dict; - for standard input.",
    ),
]
OutputBias = Annotated[str | None, typer.Option("--c", metavar="NUMBER", help="The output bias [default: 0].")]
Data = Annotated[
    str | None,
    typer.Option("--data", metavar="DATA.csv", help="Labelled points: is the network a KKT point for them?"),
]
Label = Annotated[
    str | None, typer.Option("--label", metavar="COLUMN", help="Name or position of the labels [default: 2].")
]
Positive = Annotated[
    str | None, typer.Option("--positive", metavar="WORD", help="The label +1 [default: the later in the alphabet].")
]


def regions(
    file: File,
    c: OutputBias = None,
    data: Data = None,
    x: XColumn = None,
    label: Label = None,
    positive: Positive = None,
    certificate: CertificateFile = None,
    as_json: AsJson = False,
) -> None:
    """How many linear regions x ↦ Σ v[wx + b]₊ + c has: counted by units, after merging kinks, and exactly.

    Numbers are taken as the exact decimals, or doubles, that they are, so the counts are exact: units with one kink
    place are merged, and a place where all bends cancel is not a kink. A CSV file may give c in a line `c,0.5`; JSON is
    {"w": [...], "b": [...], "v": [...], "c": 0}. A state dict is read as weights only: nothing in it is executed.

    With --data: whether the network, scaled to smallest margin 1, is a KKT point of min ½Σ(w² + b² + v²), y f(x) >= 1
    (Safran et al. 2022, problem (4)), exactly or near one that is certified, and whether that is a global optimum.
    Labels are 1 and -1, or two words. Exit code 3 where it is undecided whether it is a KKT point, 1 where
    --certificate is given and there is nothing to certify.
    """
    from implicitbias.functions.network_file import read_parameters
    from implicitbias.functions.regions import is_balanced_with_biases, linear_regions

    of_data = {"--x": x, "--label": label, "--positive": positive, "--certificate": certificate}
    belong(of_data, "--data DATA.csv, the labelled points of the margin problem", data is not None)
    if file == data == "-":
        raise UserError("the network and the data cannot both come from standard input: name a file for one of them")
    given = read_parameters(file, c)
    kkt = None if data is None else _kkt(given, data, (x, label), positive)
    found, balanced = linear_regions(given), is_balanced_with_biases(given)
    written = _write(kkt, certificate)
    document, lines = as_document(given, found, balanced), in_words(given, found, balanced)
    if kkt is not None:
        document["kkt"] = _kkt_document(kkt, written)
        lines += _kkt_in_words(kkt, written)
    give(Answer(document, lines, undecided=kkt is not None and kkt.status == "undecided"), as_json)
    if certificate is not None and written is None:
        raise typer.Exit(1)


def _kkt(given: Parameters, data: str, columns: tuple[str | None, str | None], positive: str | None) -> KKT:
    from implicitbias.commands.data.signs import signs_of
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.points import exact_kkt
    from implicitbias.data.points import read_labelled

    points = read_labelled(data, *columns)
    meaning = signs_of(points, positive)
    labels = [meaning[str(label)] for label in points.labels]
    if given.c:
        return KKT("no", "the margin problem has no output bias, and this network has one", meaning)
    if (exactly := exact_kkt(given, points.x, labels)).point is not None:
        return _proved("exact", exactly.point, meaning, 0.0)
    near = kkt_limit(given, points.x, labels)
    if near.point is None or near.status != "certified":
        return KKT(near.status, f"{near.reason}; exactly: {exactly.reason}", meaning)
    return _proved("near", near.point, meaning, near.distance, near.thinned)


def _proved(status: str, point: KKTPoint, meaning: dict[str, int], distance: float, thinned: bool = False) -> KKT:
    from implicitbias.certificate import kernel
    from implicitbias.convex.kkt.dual import optimality

    document = point.certificate()
    statement = kernel.check_certificate(document).statement
    return KKT(status, "", meaning, document, statement, distance, optimality(point), thinned)


def _write(kkt: KKT | None, certificate: Path | None) -> Path | None:
    from implicitbias.commands.data.certificates import write_accepted

    if kkt is None or kkt.document is None:
        return None
    write_accepted(kkt.document, certificate)
    return certificate


def _kkt_document(kkt: KKT, written: Path | None) -> dict[str, Any]:
    claim = None if kkt.document is None else kkt.document["claim"]
    return {
        "status": kkt.status,
        "reason": kkt.reason or None,
        "labels": kkt.labels,
        "statement": kkt.statement or None,
        "distance": kkt.distance,
        "kinks": None if claim is None else [claim["kinks_at_least"], claim["kinks_at_most"]],
        "one_of_a_continuum": kkt.thinned,
        "global_optimum": None if kkt.optimality is None else asdict(kkt.optimality),
        "certificate": None if written is None else str(written),
    }


def _kkt_in_words(kkt: KKT, written: Path | None) -> list[str]:
    signs = ", ".join(f"{word} is {sign:+d}" for word, sign in kkt.labels.items())
    told = {
        "exact": "yes, exactly, up to one positive factor",
        "near": f"near one: directions of units differ by {kkt.distance or 0:.2g} at most",
        "no": f"no: {kkt.reason}",
        "undecided": f"undecided: {kkt.reason}",
    }
    lines = ["", f"KKT point of the margin problem for these labels ({signs})", f"  {told[kkt.status]}"]
    if kkt.statement:
        lines.append(f"  Proved: {kkt.statement}")
    if kkt.thinned:
        lines.append("  The units are redundant, KKT points form a continuum: the one proved has fewer units")
    if kkt.optimality is not None:
        lines.append(f"  Global optimum among networks of all widths: {_optimal_in_words(kkt.optimality)}")
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
    """The same to be read."""
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
    lines += [f"  {line}" for line in left_out(len(found.units_at_kinks))]
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

    first = replace(found, units_at_kinks=found.units_at_kinks[:ROWS])
    return list(zip(first.kinks, first.jumps, first.units_at_kinks, strict=True))


def _from_one(units: Sequence[int]) -> list[int]:
    return [unit + 1 for unit in units]


def _counted(units: Sequence[int]) -> str:
    return f"{len(units)}: {_named(units)}" if units else "none"


def _named(units: Sequence[int]) -> str:
    names = ", ".join(str(unit + 1) for unit in units[:WORDS])
    return f"unit{'s' * (len(units) > 1)} {names}{', …' * (len(units) > WORDS)}"
