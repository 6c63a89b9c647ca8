"""`implicitbias try CLAIM --formula "…"`: a conjecture in the formula's place, judged by the claim's own evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.claims.check import Budget
from implicitbias.commands.options import (
    AsJson,
    BudgetOption,
    ClaimId,
    ClaimsFolder,
    Device,
    DeviceOption,
    LedgerFile,
    Seed,
    TimeLimit,
    Workers,
)
from implicitbias.commands.output import print_json
from implicitbias.errors import FormulaError
from implicitbias.report.words import titled

if TYPE_CHECKING:
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.judgement import Judgement, Outcome
    from implicitbias.judging.result import Result
    from implicitbias.report.typed import Typed

Verdicts = Sequence[tuple["Result", "Judgement"]]


def try_(
    claim_id: ClaimId,
    formula: Annotated[
        str,
        typer.Option(
            "--formula",
            metavar="EXPR",
            help="The conjecture, in the claim's symbols, typed as formulas are shown or in the formula language.",
        ),
    ],
    budget: BudgetOption = Budget.QUICK,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    workers: Workers = None,
    time_limit: TimeLimit = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Try a formula of your own.

    It is judged by the evidence of the claim's checks, recorded or observed now. Exit codes: 0 every check accepts it,
    1 refuted, with a counterexample, 3 undecided.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.observed import observed
    from implicitbias.judging.conjecture import JUDGING_LIMIT, judged, together
    from implicitbias.judging.judgement import Outcome
    from implicitbias.report.typed import read
    from implicitbias.running.executor import WorkerPool

    claim = load(claims).claim(claim_id)
    if not isinstance(claim.formula, str):
        raise FormulaError(_not_a_formula(claim))
    typed = read(formula, claim.symbols)
    formula = typed.formula
    results = observed([claim], claims, ledger, budget, seed, device, workers, time_limit)[claim.id]
    pool = WorkerPool(1)
    try:
        verdicts = list(judged(results, formula, tuple(claim.symbols), pool, time_limit or JUDGING_LIMIT))
    finally:
        pool.stop()
    outcome = together([j for _, j in verdicts])
    if as_json:
        print_json(_document(claim, typed, outcome, verdicts))
    else:
        _print(claim, typed, outcome, verdicts)
    raise typer.Exit({Outcome.ACCEPTED: 0, Outcome.REJECTED: 1, Outcome.UNDECIDED: 3}[outcome])


def _not_a_formula(claim: Claim) -> str:
    from implicitbias.report.words import candidate

    controls = "".join(f"\n  {candidate(control.candidate)}" for control in claim.controls)
    return (
        f"{claim.id} states a rule, which no formula can take the place of:\n  {candidate(claim.formula)}\n"
        f"Its checks tell it from these false rules:{controls}\n"
        f"`implicitbias show {claim.id}` shows how."
    )


def _print(claim: Claim, typed: Typed, outcome: Outcome, judged: Verdicts) -> None:
    from rich.console import Group, RenderableType
    from rich.padding import Padding
    from rich.text import Text

    from implicitbias.judging.judgement import Outcome
    from implicitbias.report.page import counterexample, pairs
    from implicitbias.report.words import candidate, show, why
    from implicitbias.report.words import outcome as marked

    refuting = [(result, judgement) for result, judgement in judged if judgement.counterexample]
    rejecting = min(refuting, key=lambda found: len(str(found[1].counterexample)), default=None)
    says = {
        Outcome.ACCEPTED: Text("✓ ACCEPTED  every check of the claim accepts this formula", style="green"),
        Outcome.REJECTED: Text("✗ REFUTED  the claim's own evidence contradicts this formula", style="bold red"),
        Outcome.UNDECIDED: Text("? UNDECIDED  nothing contradicts this formula, but not every check accepts it",
                                style="yellow"),
    }  # fmt: skip
    read_as = [] if typed.is_as_typed else [("read as", typed.formula)]
    parts: list[RenderableType] = [
        Text.assemble((f"{claim.source.locator}  {titled(claim)}", "bold")),
        pairs([("conjecture", typed.text), *read_as, ("the claim", candidate(claim.formula))]),
        Text(""),
        says[outcome],
    ]
    if rejecting and rejecting[1].counterexample:
        parts.append(Padding(counterexample(rejecting[1].counterexample), (1, 0, 1, 2)))
    for result, judgement in judged:
        line = f"{marked(judgement.outcome)}  by {result.check} ({result.kind})"
        skip = rejecting is not None and judgement is rejecting[1]
        parts.append(Text(line if skip or not why(judgement) else f"{line}: {why(judgement)}"))
    show(Group(*parts))


def _document(claim: Claim, typed: Typed, outcome: Outcome, judged: Verdicts) -> dict[str, Any]:
    from implicitbias.judging.judgement import Outcome
    from implicitbias.judging.tried import to_json

    words = {Outcome.ACCEPTED: "accepted", Outcome.REJECTED: "refuted", Outcome.UNDECIDED: "undecided"}
    return {
        "schema": 1,
        "claim": claim.id,
        "typed": typed.text,
        "formula": typed.formula,
        "verdict": words[outcome],
        "checks": [
            {
                "name": result.check,
                "kind": str(result.kind),
                "verdict": str(judgement.outcome),
                "reason": judgement.reason,
                "tried": to_json(result.evidence, claim.symbols),
                "counterexample": judgement.counterexample.to_json() if judgement.counterexample else None,
            }
            for result, judgement in judged
        ],
    }
