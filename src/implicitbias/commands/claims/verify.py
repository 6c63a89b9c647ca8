"""`implicitbias verify`: run the checks, show how every claim stands, and say it in the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from implicitbias.claims.check import Budget, Kind
from implicitbias.commands.options import (
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
from implicitbias.errors import UserError

if TYPE_CHECKING:
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result
    from implicitbias.running.events import Event


class Where(StrEnum):
    """What runs the checks."""

    PROCESSES = "processes"
    DASK = "dask"


JSON_HELP = "Write the results as JSON to this file; - writes them to standard output instead of the table."


def verify(
    globs: Globs = None,
    budget: BudgetOption = Budget.QUICK,
    kind: Annotated[
        list[Kind] | None, typer.Option("--kind", help="Only checks of this kind; may be repeated.")
    ] = None,
    workers: Workers = None,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    executor: Annotated[
        Where, typer.Option("--executor", help="Where the checks run: processes of this machine, or a Dask cluster.")
    ] = Where.PROCESSES,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="The Dask scheduler; by default a cluster on this machine."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run everything again, whatever is recorded.")] = False,
    time_limit: TimeLimit = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help=JSON_HELP)] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the results as JUnit XML to this file.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the results as a page to this file.")
    ] = None,
) -> None:
    """Verify the claims.

    Checks whose recorded results are still fresh are not run again. Exit codes: 0 every claim stands as expected, 1 one
    is refuted or broken, 3 one is undecided or out of time, 130 interrupted (what had finished is kept). With --kind a
    claim counts by the checks asked for.
    """
    from implicitbias import report as reports
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.output import check_writable, writing
    from implicitbias.record.ledger import Ledger
    from implicitbias.record.standings import standings
    from implicitbias.report.summary import Report, exit_code
    from implicitbias.running.runner import run

    if scheduler and executor is not Where.DASK:
        raise UserError("--scheduler names a Dask scheduler: use it with --executor dask")
    written = {"json": json_file, "junit": junit_file, "html": html_file}
    to_stdout = [f"--{form} -" for form, file in written.items() if str(file) == "-"]
    if len(to_stdout) > 1:
        raise UserError(f"{' and '.join(to_stdout)} would all write to standard output: give all but one a file")
    for file in written.values():
        check_writable(file)
    catalogue = load(claims)
    chosen = _with_checks(catalogue.select(globs or ()), kind)
    with Ledger(ledger) as opened, ExitStack() as ends:
        pool = None
        if executor is Where.DASK:
            from implicitbias.running.cluster import ClusterPool

            pool = ends.enter_context(ClusterPool(scheduler, workers))
        results = run(
            chosen,
            folder=claims,
            budget=budget,
            seed=seed,
            workers=workers,
            device=device,
            kinds=kind,
            fresh=fresh,
            ledger=opened,
            time_limit=time_limit,
            executor=pool,
            progress=(watch := _Watch(chosen, kind)),
        )
        interrupted = watch.until_the_end(results)
        ids = {claim.id for claim in chosen}
        others = (
            [r for r in opened.all_latest(evidence=False) if r.claim not in ids]
            if len(ids) < len(catalogue.claims)
            else []
        )
    known = standings(catalogue, [*others, *watch.results])
    made = Report(
        tuple(known[c.id] for c in chosen), catalogue.papers, partial=kind is not None, interrupted=interrupted
    )
    for form, file in written.items():
        if file is not None:
            with writing(file) as stream:
                reports.write(made, stream, form)
    if not to_stdout:
        reports.write(made, sys.stdout)
    raise typer.Exit(exit_code(made))


class _Watch:
    """Shows the progress of a run and collects what finishes, an interrupted run's last results included."""

    def __init__(self, chosen: Sequence[Claim], kinds: Sequence[Kind] | None) -> None:
        from implicitbias.report.progress import display

        checks = [(claim, check.name) for claim in chosen for check in claim.checks if not kinds or check.kind in kinds]
        self.display = display(checks)
        self.results: list[Result] = []

    def __call__(self, event: Event) -> None:
        from implicitbias.running.events import Cached, Finished

        if isinstance(event, Finished | Cached):
            self.results.append(event.result)
        self.display(event)

    def until_the_end(self, results: Iterable[Result]) -> bool:
        """Run to the end; whether it was interrupted before."""
        with self.display:
            try:
                for _ in results:
                    pass
            except KeyboardInterrupt:
                return True
        return False


def _with_checks(claims: Sequence[Claim], kinds: Sequence[Kind] | None) -> tuple[Claim, ...]:
    chosen = tuple(c for c in claims if not kinds or any(check.kind in kinds for check in c.checks))
    if claims and not chosen:
        raise UserError(f"none of these claims has a check of the kind {' or '.join(kinds or ())}")
    return chosen
