"""`implicitbias rivals CLAIM`: which other formulas would the claim's evidence accept?"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from implicitbias.claims.check import Budget
from implicitbias.commands.options import (
    AsJson,
    BudgetOption,
    ClaimsFolder,
    Device,
    DeviceOption,
    Globs,
    LedgerFile,
    Seed,
    TimeLimit,
    Workers,
)
from implicitbias.commands.output import print_json, remark
from implicitbias.errors import UserError
from implicitbias.report.words import titled

if TYPE_CHECKING:
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result
    from implicitbias.judging.rivals.confirmed import Rivals

Searched = Sequence[tuple["Claim", "Rivals"]]


def rivals(
    globs: Globs = None,
    every: Annotated[bool, typer.Option("--all", help="Search all claims; a table by paper.")] = False,
    expressions: Annotated[
        int | None, typer.Option("--expressions", metavar="N", min=1, help="Formulas to try for each claim.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", min=1, help="End the search for a claim after S seconds of CPU time."),
    ] = None,
    recorded: Annotated[bool, typer.Option("--recorded", help="Take the recorded evidence as it is; run nothing.")] = (
        False
    ),
    budget: BudgetOption = Budget.QUICK,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    workers: Workers = None,
    time_limit: TimeLimit = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Search for formulas that the evidence cannot tell from a claim's.

    Also: which values the symbols took, which never varied apart, where a bound was met. The evidence is what is
    recorded, or observed now. Exit codes: 0 no rival inside the ranges that were tried, 1 there is one.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.observed import observed
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.report.rivals import headline

    if not (globs or every):
        raise UserError("name a claim, or search all of them with --all")
    asked = load(claims).select(globs or ["*"])
    if recorded:
        known = recorded_results(ledger)
        results = {c.id: [r for k in c.checks for r in known if (r.claim, r.check) == (c.id, k.name)] for c in asked}
    else:
        results = observed(asked, claims, ledger, budget, seed, device, workers, time_limit)
    searched: list[tuple[Claim, Rivals]] = []
    interrupted = False
    with contextlib.closing(_searched(asked, results, expressions, seconds, workers)) as searching:
        try:
            for claim, found in searching:
                searched.append((claim, found))
                if len(asked) > 1:
                    remark(f"[{len(searched)}/{len(asked)}] {claim.id}: {headline(found)}")
        except KeyboardInterrupt:
            interrupted = True
            remark(f"interrupted: {len(searched)} of {len(asked)} claims were searched")
    if as_json:
        print_json({"schema": 1, "claims": _documents(searched)})
    elif len(searched) == 1:
        _print(*searched[0])
    else:
        _print_table(searched)
    raise typer.Exit(130 if interrupted else 1 if any(found.inside for _, found in searched) else 0)


def _searched(
    claims: Sequence[Claim],
    results: dict[str, list[Result]],
    expressions: int | None,
    seconds: float | None,
    workers: int | None,
) -> Generator[tuple[Claim, Rivals]]:
    """Each claim with its rivals, in the order of the claims; as many at once as there are workers; closed, it ends."""
    from concurrent.futures import ThreadPoolExecutor

    from implicitbias.judging.rivals.confirmed import rivals_of, variation_alone
    from implicitbias.judging.rivals.search import EXPRESSIONS, SECONDS
    from implicitbias.running.executor import WorkerPool, processors

    count = min(workers or processors(), len(claims)) or 1
    pool = WorkerPool(count)

    def one(claim: Claim) -> Rivals:
        if not isinstance(claim.formula, str):
            return variation_alone(results[claim.id])
        asked = (expressions or EXPRESSIONS, seconds or SECONDS, claim.domain)
        return rivals_of(results[claim.id], claim.formula, tuple(claim.symbols), pool, *asked)

    threads = ThreadPoolExecutor(count)
    try:
        yield from zip(claims, threads.map(one, claims), strict=True)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.stop()


def _documents(searched: Searched) -> list[dict[str, object]]:
    from implicitbias.report.rivals import to_json

    return [to_json(claim, found) for claim, found in searched]


def _print(claim: Claim, found: Rivals) -> None:
    from rich.console import Group, RenderableType
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from implicitbias.report.rivals import headline, told
    from implicitbias.report.typeset import typeset
    from implicitbias.report.words import show

    style = "bold red" if found.inside else "yellow" if found.trouble else "green"
    parts: list[RenderableType] = [
        Text.assemble((f"{claim.source.locator}  {titled(claim)}", "bold")),
        Text(headline(found), style=style),
    ]
    for title, lines in told(claim, found):
        parts += [Text(""), Text(title, style="dim")]
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, style="dim")
        grid.add_column(ratio=1)
        for line in lines:
            says = Text(typeset(line.formula), style="bold red" if line.bad else "bold")
            if line.note:
                says.append(
                    f"{'  ' if line.formula else ''}{line.note}",
                    style="red" if not line.formula and line.bad else "not bold default",
                )
            grid.add_row(Text(line.label), says)
        parts.append(Padding(grid, (0, 0, 0, 2)))
    show(Group(*parts))


def _print_table(searched: Searched) -> None:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from implicitbias.report.rivals import is_experiment, tallies
    from implicitbias.report.words import show

    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for title in ("claims", "expressions", "rival inside", "only outside", "experiments, inside"):
        table.add_column(title, justify="right")
    for t in tallies(searched):
        table.add_row(t.name, *(f"{n:,}" for n in (t.claims, t.expressions, t.inside, t.outside, t.experiments)))
    parts: list[RenderableType] = [table, Text("")]
    for claim, found in searched:
        for rival in found.inside[:1]:
            at = ", ".join(f"{name} = {number}" for name, number in rival.point.items())
            kind = " (experiment)" if is_experiment(claim) else ""
            says = f"  {claim.formula}{kind}: {rival.claim_says} and {rival.rival_says} at {at}"
            parts.append(Text.assemble("✗ ", (claim.id, "bold"), "  ", (rival.formula, "red"), (says, "dim")))
        if found.trouble:
            parts.append(Text(f"? {claim.id}  {found.trouble}", style="dim"))
    show(Group(*parts))
