"""`implicitbias margin DATA.csv`: the classifier of largest margin, its value between certified bounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.options import AsJson, CertificateFile, XColumn
from implicitbias.errors import CertificateError, DataError, UserError

if TYPE_CHECKING:
    from implicitbias.convex.margin.classifier import MaxMargin

SHOWN = 12
"""Rows that are printed for people; `--json` prints all."""
UNDECIDED = 3
TOLERANCE = Fraction(1, 10**8)
"""Bounds further apart than this, relatively, are printed, but count as undecided."""


class MarginNorm(StrEnum):
    """What is made as small as it can be."""

    GROUP = "group"
    TV = "tv"


def margin(
    data: Annotated[
        str, typer.Argument(metavar="DATA.csv", help="A CSV file of points and labels; - for standard input.")
    ],
    x: XColumn = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--label", metavar="COLUMN", help="Name or position of the labels [default: the column label, else 2]."
        ),
    ] = None,
    bins: Annotated[
        int | None,
        typer.Option(
            "--bins",
            metavar="K",
            help="Turn numbers in the label column into K classes, the nearest of K "
            "midpoints from 0 to 1 (numbers outside [0, 1] are scaled to it).",
        ),
    ] = None,
    kinks: Annotated[
        str | None,
        typer.Option(
            "--kinks",
            metavar="A:B",
            help="Where kinks may lie [default: -1:1 if the data do, else from the first to the last x].",
        ),
    ] = None,
    norm: Annotated[
        MarginNorm,
        typer.Option(
            "--norm",
            help="group: Σ‖w‖ of ramps, one input. tv: Σ|c|√(|a|² + b²) of units c[a·x + b]₊, two classes, any number "
            "of inputs: all columns but y, or but the last; --x a,b chooses some.",
        ),
    ] = MarginNorm.GROUP,
    flow: Annotated[
        bool,
        typer.Option("--flow", help="Follow gradient flow in w, b and v to a KKT point, beside the global optimum."),
    ] = False,
    width: Annotated[
        int | None, typer.Option("--width", metavar="K", help="Units of the network of --flow [default: 100].")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Of its start [default: 0].")] = None,
    loss: Annotated[
        str | None, typer.Option("--loss", metavar="NAME", help="logistic or exponential [default: logistic].")
    ] = None,
    branch: Annotated[
        str | None,
        typer.Option(
            "--branch",
            metavar="RULE",
            help="Where a unit of --flow goes that a point pushes off to both sides: active, inactive or stay "
            "[default: active].",
        ),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option("--positive", metavar="WORD", help="The word for +1 with --flow [default: the later one]."),
    ] = None,
    certificate: CertificateFile = None,
    as_json: AsJson = False,
) -> None:
    """The two-layer ReLU classifier of smallest group norm with margin 1, and the proof that none is smaller.

    Minimises Σ‖w‖ over f(x) = Σ w[±(x - c)]₊ with values in R^k, so that the score of the right class exceeds every
    other by 1 at every point: problem (10) of Stewart et al. (2022). The value is printed between bounds that are exact
    rationals, and nothing is printed before the trusted checker has accepted the certificate. Labels may be words.
    Exit code 3 if the bounds are further apart than 1e-8 of the value. With --norm tv another norm, that of problem
    (20) of de Dios & Bruna (2020): f >= 1 at one of two classes, f <= -1 at the other.

    With --flow, for two classes: another problem, min ½Σ(w² + b² + v²) over f(x) = Σ v[wx + b]₊ with y f(x) >= 1
    (Safran et al. 2022, problem (4)). Gradient flow is followed until all margins are large, a zero-temperature
    surrogate of its late phase from there to a KKT point, which is certified and compared with the certified global
    optimum. Exit code 3 where no KKT point is certified.
    """
    from implicitbias.commands.data.certificates import write_accepted
    from implicitbias.commands.data.interpolate_otherwise import read_range
    from implicitbias.commands.data.margin_flow import checked, run
    from implicitbias.convex.margin.classifier import max_margin
    from implicitbias.data.points import read_labelled

    if str(certificate) == "-":
        raise CertificateError("standard output carries the results: name a file for the certificate")
    options = {"--width": width, "--seed": seed, "--loss": loss, "--branch": branch, "--positive": positive}
    if not flow and (alone := [name for name, value in options.items() if value is not None]):
        raise UserError(f"{' and '.join(alone)} without --flow: these describe the network that gradient flow trains")
    if flow and (other := [name for name, value in (("--bins", bins), ("--kinks", kinks)) if value is not None]):
        raise UserError(f"{' and '.join(other)} belong to problem (10), not to --flow")
    if norm is MarginNorm.TV:
        others = {"--flow": flow or None, "--bins": bins, "--kinks": kinks}
        if given_too := [name for name, value in others.items() if value is not None]:
            raise UserError(
                f"{' and '.join(given_too)} belong to other problems than that of --norm tv: leave them out"
            )
        _of_least_variation(data, x, label, certificate, as_json)
        return
    asked = checked(width, seed, loss, branch)
    given = read_labelled(data, x, label)
    if given.repeated:
        typer.echo(f"{given.repeated} repeated points are counted once", err=True)
    if flow:
        run(given, positive, asked, certificate, as_json)
        return
    if bins is None:
        found = max_margin(given.x, given.labels, None, read_range(kinks))
    else:
        found = max_margin(given.x, _in_bins(given.labels, bins), range(bins), read_range(kinks))
    write_accepted(found.certificate(), certificate)
    if as_json:
        typer.echo(json.dumps(as_document(given.source, found, certificate), ensure_ascii=False))
    else:
        typer.echo("\n".join(in_words(given.source, found)))
        if certificate is not None:
            typer.echo(f"\nCertificate, accepted by the checker: {certificate}")
    if found.gap > TOLERANCE:
        typer.echo(f"the bounds are {float(found.gap):.1e} apart, more than {float(TOLERANCE):.0e}", err=True)
        raise typer.Exit(UNDECIDED)


def _of_least_variation(data: str, x: str | None, label: str | None, certificate: Path | None, as_json: bool) -> None:
    """Problem (20) of de Dios & Bruna (2020) with margins."""
    from implicitbias.commands.data.answers import give
    from implicitbias.commands.data.interpolate_tv import of_largest_margin
    from implicitbias.data.table import read_table

    answer = of_largest_margin(read_table(data, [] if x is None else x.split(","), label, classes=True))
    give(answer, certificate, as_json)
    if answer.document["relative_gap"] > TOLERANCE:
        gap = answer.document["relative_gap"]
        typer.echo(f"the bounds are {gap:.1e} apart, more than {float(TOLERANCE):.0e}", err=True)
        raise typer.Exit(UNDECIDED)


def _in_bins(labels: Sequence[Fraction] | Sequence[str], k: int) -> tuple[int, ...]:
    from implicitbias.convex.margin.bins import binned, midpoints, rescaled

    midpoints(k)
    if any(isinstance(label, str) for label in labels):
        raise DataError("--bins needs numbers in the label column: some of the labels are words")
    numbers = [label for label in labels if not isinstance(label, str)]
    if min(numbers) < 0 or max(numbers) > 1:
        typer.echo("labels are scaled so that the smallest is 0 and the largest 1", err=True)
        return binned(rescaled(numbers), k)
    return binned(numbers, k)


def as_document(source: str, found: MaxMargin, certificate: Path | None) -> dict[str, Any]:
    """All that was found; bounds as exact text, the classifier in doubles."""
    from implicitbias.convex.document import rounded_down

    names = [_name(name) for name in found.classes]
    return {
        "schema": 1,
        "source": source,
        "points": len(found.x),
        "classes": names,
        "kinks": [str(end) for end in found.kinks],
        "lower": str(rounded_down(found.lower, 20)),
        "upper": str(-rounded_down(-found.upper, 20)),
        "value": found.value,
        "relative_gap": float(found.gap),
        "margin": found.margin,
        "solver": found.status,
        "support": [float(found.x[i]) for i in found.support],
        "active_kinks": [{"side": _side(side), "kink": float(c)} for side, c in found.active()],
        "regions": [{"from": float(a), "to": float(b), "class": _name(name)} for a, b, name in found.regions()],
        "ramps": [
            {"side": _side(ramp.side), "kink": float(ramp.kink), "weights": [float(w) for w in ramp.weights]}
            for ramp in found.ramps
        ],
        "certified": True,
        "certificate": None if certificate is None else str(certificate),
    }


def in_words(source: str, found: MaxMargin) -> list[str]:
    """The same for people, a line each."""
    from implicitbias.commands.data.plot import plot
    from implicitbias.exact.rational import decimal_text

    A, B = (decimal_text(end) for end in found.kinks)
    active, regions = found.active(), found.regions()
    kinks = sorted({c for _, c in active})
    digits = next(n for n in range(12, 0, -1) if found.gap <= Fraction(1, 10**n) or n == 1)
    used = len(set(found.labels))
    counted = f"{len(found.classes)} classes" + ("" if used == len(found.classes) else f", {used} of them with points")
    blocks = {
        "value": [
            f"{found.value:.{digits}g}, the smallest Σ‖w‖ of classifiers Σ w[±(x - c)]₊ with margin 1, c in [{A}, {B}]",
            f"certified between {decimal_text(found.lower, 15)} and {decimal_text(found.upper, 15)}, "
            f"{float(found.gap):.1e} apart",
        ],
        "margin": [f"{found.margin:.{digits}g}, the largest of classifiers with Σ‖w‖ = 1"],
        "support": [
            f"{len(found.support)} of {len(found.x)} points are first, last, or differ in label from a neighbour",
            f"the dual allows kinks at {len(kinks)} places: " + _listed([f"{float(c):.6g}" for c in kinks]),
        ],
        "classifier": [
            *(f"{_name(name)}  from {float(a):.6g} to {float(b):.6g}" for a, b, name in regions[:SHOWN]),
            *([f"… {len(regions) - SHOWN} more: see --json"] if len(regions) > SHOWN else []),
        ],
    }
    lines = [f"{len(found.x)} points of {source}, {counted}", ""]
    for title, block in blocks.items():
        lines += [f"{title if i == 0 else '':<12}{line}" for i, line in enumerate(block)]
    place = {name: n for n, name in enumerate(found.classes)}
    across = [float(end) for a, b, _ in regions for end in (a, b)]
    up = [float(place[name]) for *_, name in regions for _ in (0, 1)]
    picture = plot((across, up), [("o", [float(at) for at in found.x], [float(n) for n in found.positions])])
    return [*lines, "", "the class decided for, by number, and the data (o)", *picture]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:SHOWN]) + (f", and {len(words) - SHOWN} more" if len(words) > SHOWN else "")


def _name(name: object) -> str:
    from implicitbias.exact.rational import decimal_text

    return decimal_text(name) if isinstance(name, Fraction) else str(name)


def _side(side: int) -> str:
    return "right" if side > 0 else "left"
