"""`implicitbias inspect NETWORK`: what theory says of a trained network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.options import AsJson, Bias, CertificateFile, Joint, Weight, belong, reachable
from implicitbias.errors import CertificateError, UserError

if TYPE_CHECKING:
    from implicitbias.networks.inspection import Inspection
    from implicitbias.networks.picture import Picture

Network = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK",
        help="A torch state dict, a safetensors or ONNX file, or JSON or CSV with w, b, v, c; - for standard input.",
    ),
]
Data = Annotated[
    str | None,
    typer.Option("--data", metavar="DATA.csv", help="Data: a column per input, then labels, if there are any."),
]
Labels = Annotated[
    str | None,
    typer.Option("--y", metavar="COLUMN", help="Name or position of the labels [default: headed y, else the last]."),
]
Classes = Annotated[bool, typer.Option("--classes", help="Labels that are numbers are classes, as words always are.")]
Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", callback=reachable, help="Write it as a page too; - is standard output."),
]
NoPlot = Annotated[bool, typer.Option("--no-plot", help="Leave the plot out.")]


def inspect(
    network: Network,
    data: Data = None,
    y: Labels = None,
    classes: Classes = False,
    weight: Weight = None,
    bias: Bias = None,
    joint: Joint = None,
    certificate: CertificateFile = None,
    html: Page = None,
    no_plot: NoPlot = False,
    as_json: AsJson = False,
) -> None:
    """What a trained network costs, where it bends, and how far it is from the least that theory knows.

    A network of Linear, ReLU, Linear with any inputs and outputs (of more layers only path norms and pieces along
    segments): sums of squares and path norm, balance, dead and duplicate units. With one input its function exactly:
    representation cost, kinks, regions. With --data: how many times the least cost of any function with the same values
    there it costs, with a certificate; activation patterns; loss, margins, multipliers and distance to a KKT point, the
    Hessian's spectrum; and what the infinitely wide network learns from the data, from the initialisation of --weight
    and --bias or --joint (torch's, if none is named; with several inputs a normal one with torch's variances).

    Nothing in a file is executed: of torch files weights alone are read.
    """
    from implicitbias.commands.output import check_writable, say, writing
    from implicitbias.networks.inspection import inspection_of
    from implicitbias.networks.reading.of_table import read_samples
    from implicitbias.networks.reading.read import read_file

    law = {"--weight": weight, "--bias": bias, "--joint": joint}
    belong({"--y": y, "--classes": classes, "--certificate": certificate, **law}, "--data DATA.csv", data is not None)
    if network == data == "-":
        raise UserError("the network and the data cannot both come from standard input: name a file for one of them")
    if as_json and str(html) == "-":
        raise UserError("--json and --html - both write to standard output: name a file for the page")
    check_writable(html)
    start = _law(weight, bias, joint)
    stack = read_file(network)
    given = None if data is None else read_samples(data, stack.inputs, stack.outputs, y, classes)
    found = inspection_of(stack, given, start)
    written = _write(found, certificate)
    if html is not None:
        with writing(html) as stream:
            stream.write(found.page())
    if as_json:
        document = {**found.document(), "certificate": None if written is None else str(written)}
        say(json.dumps(document, ensure_ascii=False, allow_nan=False))
    elif str(html) != "-":
        drawn = [] if no_plot or found.picture is None else ["", *_plot(found.picture)]
        title, *told = str(found).splitlines()
        say("\n".join([title, *drawn, *told]))
        if written is not None:
            say(f"\nCertificate of the least cost, accepted by the checker: {written}")
    if certificate is not None and written is None:
        raise typer.Exit(1)


def _law(weight: str | None, bias: str | None, joint: str | None) -> Any:
    """What `wide.law_of` reads once the number of inputs is known."""
    if weight is None and bias is None and joint is None:
        return None
    if (joint is not None) == (weight is not None or bias is not None) or (weight is None) != (bias is None):
        raise UserError(
            'say how the network was initialised: --weight "normal(0,1)" --bias "uniform(-2,2)", or --joint'
        )
    from implicitbias.laws.joint.build import initialisation

    return initialisation(joint) if joint is not None else (weight, bias)


def _write(found: Inspection, certificate: Path | None) -> Path | None:
    """Have the checker accept the proofs of the least cost; the first output's is written where a file is named."""
    from implicitbias.commands.data.certificates import write_accepted
    from implicitbias.commands.output import remark

    for proof in filter(None, found.certificates):
        try:
            write_accepted(proof, None)
        except CertificateError as error:  # beyond the checker's budget
            remark(f"warning: {error}")
    if certificate is None:
        return None
    if not found.certificates or found.certificates[0] is None:
        remark("there is no certificate to write: see what is said of the least cost")
        return None
    if len(found.certificates) > 1:
        remark("the certificate is that of the first output")
    write_accepted(found.certificates[0], certificate)
    return certificate


def _plot(drawn: Picture) -> list[str]:
    """The network's curve in dots, with data and kinks."""
    from implicitbias.commands.data.plot import plot

    curve = drawn.curves["network"]
    marks = [(sign, x.tolist(), y.tolist()) for sign, (x, y) in (("○", drawn.kinks), ("●", drawn.points)) if len(x)]
    said = ["⠉ network", *(["○ kinks"] if len(drawn.kinks[0]) else []), *(["● data"] if len(drawn.points[0]) else [])]
    along = "" if drawn.axis == "x" else f"   along {drawn.axis}"
    return [*plot((drawn.x.tolist(), curve.tolist()), marks), f"{'':12}{'   '.join(said)}{along}"]
