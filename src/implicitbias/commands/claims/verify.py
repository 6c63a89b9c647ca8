"""`implicitbias verify`: run the checks, show how every claim stands, and give an exit code."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    with_report_files,
)
from implicitbias.errors import UserError

if TYPE_CHECKING:
    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result
    from implicitbias.record.ledger import Ledger
    from implicitbias.report.summary import Report
    from implicitbias.running.cluster import ClusterPool
    from implicitbias.running.events import Event

Files = Mapping[str, Path | None]


class Where(StrEnum):
    """What the checks run on."""

    PROCESSES = "processes"
    DASK = "dask"


Kinds = Annotated[
    list[Kind] | None,
    typer.Option("--kind", metavar=f"<{'|'.join(Kind)}>", help="Only checks of this kind; may be repeated."),
]
Executor = Annotated[
    Where, typer.Option("--executor", help="Where the checks run: processes of this machine, or a Dask cluster.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler; by default a cluster on this machine."),
]
Formal = Annotated[
    bool, typer.Option("--formal", help="Have Coq check the theorems too (optional: see `docs/theorems.md`).")
]
Pilot = Annotated[
    bool,
    typer.Option(
        "--pilot",
        help="Seeds that never judge, to choose an acceptance rule by. Nothing is recorded.",
    ),
]
FailFast = Annotated[bool, typer.Option("--fail-fast", help="Stop at the first check that does not accept its claim.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show every claim, and what was tried.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show what is not as expected, and one line.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Run everything again, whatever is recorded.")]


@with_report_files
def verify(
    globs: Globs = None,
    budget: BudgetOption = Budget.QUICK,
    kind: Kinds = None,
    workers: Workers = None,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    executor: Executor = Where.PROCESSES,
    scheduler: Scheduler = None,
    formal: Formal = False,
    pilot: Pilot = False,
    fresh: Fresh = False,
    fail_fast: FailFast = False,
    time_limit: TimeLimit = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    *,
    files: Files,
) -> None:
    """Verify the claims.

    Checks whose recorded results are still fresh are not run again. Shown are the headlines, a single one with its
    parts, and whatever is not as expected. Exit codes: 0 every claim stands as expected, 1 one
    is refuted or broken, 3 one is undecided or out of time, or the cluster was lost, 130 interrupted (what had finished
    is kept). With --kind a claim counts by the checks asked for.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.claims.check import pilot_seed
    from implicitbias.commands.output import remark
    from implicitbias.record.ledger import Ledger
    from implicitbias.record.standings import standings
    from implicitbias.report.summary import Detail, Report, exit_code
    from implicitbias.running.runner import run

    if scheduler and executor is not Where.DASK:
        raise UserError("--scheduler names a Dask scheduler: use it with --executor dask")
    if pilot and formal:
        raise UserError("--formal asks Coq about recorded theorems, and --pilot records nothing: use one of the two")
    if verbose and quiet:
        raise UserError("--verbose shows every claim and --quiet one line: use one of the two")
    _check(files)
    catalogue = load(claims)
    if not catalogue.claims:
        raise UserError(f"{claims} holds no claims: --claims names the folder in which the folders of papers lie")
    chosen = _with_checks(catalogue.select(globs or ()), kind)
    with Ledger(ledger) as opened, _cluster(executor, scheduler, workers) as cluster:
        results = run(
            chosen,
            folder=claims,
            budget=budget,
            seed=pilot_seed(seed) if pilot else seed,
            workers=workers,
            device=device,
            kinds=kind,
            fresh=fresh,
            ledger=None if pilot else opened,
            time_limit=time_limit,
            executor=cluster,
            progress=(watch := _Watch(chosen, kind, quiet)),
        )
        interrupted = watch.until_the_end(results, fail_fast)
        if formal and not interrupted and not watch.lost:
            interrupted = _ask_coq(watch, chosen, opened, workers, fresh=fresh)
        others = _recorded_of_others(opened, catalogue, chosen)
    known = standings(catalogue, [*others, *watch.results])
    made = Report(
        tuple(known[c.id] for c in chosen),
        catalogue.papers,
        partial=kind is not None,
        interrupted=interrupted,
        errata=catalogue.errata_of(chosen),
        detail=Detail.ALL if verbose else Detail.LINE if quiet else Detail.HEADLINES,
    )
    _write(made, files)
    if pilot:
        remark("a pilot: nothing of this is recorded, and no --seed will ever judge by these draws")
    if watch.failed:
        remark("stopped at the first check that does not accept its claim")
        made = replace(made, standings=tuple(s for s in made.standings if s.results), interrupted=False)
    raise typer.Exit(exit_code(made) or (3 if watch.lost else 0))


class _Watch:
    """Shows the progress of a run and collects what finishes, an interrupted run's last results included."""

    def __init__(self, chosen: Sequence[Claim], kinds: Sequence[Kind] | None, quiet: bool) -> None:
        from implicitbias.report.progress import display

        checks = [(claim, check.name) for claim in chosen for check in claim.checks if not kinds or check.kind in kinds]
        self.display = display(checks, quiet=quiet, foretell=not quiet)
        self.results: list[Result] = []
        self.lost = self.failed = False

    def __call__(self, event: Event) -> None:
        from implicitbias.running.events import Cached, Finished

        if isinstance(event, Finished | Cached):
            self.results.append(event.result)
        self.display(event)

    def until_the_end(self, results: Iterator[Result], fail_fast: bool = False) -> bool:
        """Run to the end, that of the cluster, or with `fail_fast` a failure; whether checks are left."""
        from implicitbias.commands.output import remark
        from implicitbias.judging.verdict import Verdict
        from implicitbias.running.limited import LostError

        with self.display, contextlib.closing(results):  # type: ignore[type-var]
            try:
                for result in results:
                    if fail_fast and not (result.verdict.accepts or result.verdict is Verdict.SKIPPED):
                        self.failed = True
                        return True
            except KeyboardInterrupt:
                return True
            except LostError as error:
                self.lost = True
                remark(f"{error}. What had finished is kept, and the next run continues from there")
        return False


def _ask_coq(watch: _Watch, chosen: Sequence[Claim], ledger: Ledger, workers: int | None, *, fresh: bool) -> bool:
    """Have Coq check the theorems among the results and put its answers in; whether it was interrupted before."""
    from implicitbias.commands.output import remark
    from implicitbias.running.formal import with_coq

    claims = {claim.id: claim for claim in chosen}
    found: dict[tuple[str, str], Result] = {}
    try:
        for result in with_coq(watch.results, claims, ledger=ledger, workers=workers, fresh=fresh):
            found[result.claim, result.check] = result
            formal = result.formal
            if formal is not None:
                said = (
                    "accepted" if formal.accepted else "skipped" if formal.skipped else f"not accepted: {formal.reason}"
                )
                remark(f"{result.claim} · {result.check}: Coq {said}")
    except KeyboardInterrupt:
        return True
    finally:
        watch.results = [found.get((r.claim, r.check), r) for r in watch.results]
    return False


def _check(files: Files) -> None:
    """Refuse two reports on standard output, and files that cannot be written."""
    from implicitbias.commands.output import check_writable

    to_stdout = [f"--{form} -" for form, file in files.items() if str(file) == "-"]
    if len(to_stdout) > 1:
        raise UserError(f"{' and '.join(to_stdout)} would all write to standard output: give all but one a file")
    for file in files.values():
        check_writable(file)


def _write(made: Report, files: Files) -> None:
    """Write the files, and the report for the terminal unless one of them is standard output."""
    from implicitbias import report
    from implicitbias.commands.output import writing

    for form, file in files.items():
        if file is not None:
            with writing(file) as stream:
                report.write(made, stream, form)
    if not any(str(file) == "-" for file in files.values()):
        report.write(made, sys.stdout)


@contextlib.contextmanager
def _cluster(executor: Where, scheduler: str | None, workers: int | None) -> Iterator[ClusterPool | None]:
    """The Dask cluster, if the checks run on one."""
    if executor is Where.PROCESSES:
        yield None
        return
    from implicitbias.running.cluster import ClusterPool

    with ClusterPool(scheduler, workers) as pool:
        yield pool


def _recorded_of_others(ledger: Ledger, catalogue: Catalogue, chosen: Sequence[Claim]) -> list[Result]:
    """The recorded results of all other claims: the chosen ones may rest on them."""
    ids = {claim.id for claim in chosen}
    if len(ids) == len(catalogue.claims):
        return []
    return [result for result in ledger.all_latest(evidence=False) if result.claim not in ids]


def _with_checks(claims: Sequence[Claim], kinds: Sequence[Kind] | None) -> tuple[Claim, ...]:
    chosen = tuple(c for c in claims if not kinds or any(check.kind in kinds for check in c.checks))
    if claims and not chosen:
        raise UserError(f"none of these claims has a check of the kind {' or '.join(kinds or ())}")
    return chosen
