"""A claim as a lesson in six stages: what is claimed, what would refute it, the observation, the judgement, the fall of
the controls, the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.content import Content

from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.readable import text
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.tried import cases_in_words, cases_of
from implicitbias.report.lines import typeset_line
from implicitbias.report.prose import prose
from implicitbias.report.typeset import symbol, typeset
from implicitbias.report.words import case_name, count, equals, listed, parts_text, seconds, titled, value, why

from ..data.snapshot import Snapshot
from . import counterexample
from .blocks import Block, Gap, Pairs, Paragraph, bullet, heading
from .evidence import instances
from .statement import candidate
from .wording import ACCENT, BLUE, BOLD, DIM, GREEN, OWN, RED, YELLOW, badge, outcome, plain, tick

STAGES = (
    "What is claimed",
    "What would refute it",
    "The observation",
    "The judgement",
    "The controls fall",
    "The verdict",
)

Results = Mapping[str, Result]
"""The results of a claim's checks with their evidence, by the check's name."""

FEW = 3
"""Instances and steps that are shown per check: a lesson, not the whole evidence."""


def stage(number: int, snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    """The blocks of stage `number`, from 0."""
    title: list[Block] = [Paragraph(plain(f"{number + 1}. {STAGES[number]}", f"{BOLD} {ACCENT}")), Gap()]
    if number in (2, 3, 4) and not results:
        return [*title, Paragraph(plain("No check of this claim has run yet: R runs them.", YELLOW))]
    makers = (_claimed, _refutable, _observed, _judged, _falling, _verdict)
    return title + makers[number](snapshot, claim, results)


def _claimed(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    shown: list[Block] = [Paragraph(plain(prose(" ".join(claim.statement.split()))))]
    if claim.hypotheses:
        shown += [Gap(), heading("supposing"), *(bullet(plain(prose(h))) for h in claim.hypotheses)]
    what = "So the quantity is" if isinstance(claim.formula, str) else "So the rule is"
    shown += [Gap(), heading(what), Paragraph(candidate(claim.formula, f"{BOLD} {ACCENT}"), indent=4)]
    if claim.symbols:
        meanings = tuple((plain(symbol(name), BOLD), plain(prose(says))) for name, says in claim.symbols.items())
        shown += [Gap(), Pairs(meanings, indent=4, most=12)]
    if claim.flaw:
        shown += [
            Gap(),
            Paragraph(plain(f"The print differs: {claim.flaw.erratum.word}.", f"{BOLD} {BLUE}")),
            Paragraph(plain(claim.flaw.erratum.quotation), indent=4),
            Paragraph(plain(prose(claim.flaw.erratum.charitable))),
        ]
    return shown


def _refutable(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    shown: list[Block] = [
        Paragraph(
            plain("A single case in which the observation differs from what the claim says. These checks look for one:")
        )
    ]
    for check in claim.checks:
        shown += [Gap(), Paragraph(plain(check.name, BOLD) + plain(f"  {check.kind}", DIM))]
        shown.append(Paragraph(plain(prose(check.about) or "derived or observed without the formula"), indent=2))
        if check.acceptance:
            shown.append(Pairs(((plain("accepts if", DIM), plain(prose(check.acceptance))),), indent=2))
    shown += [
        Gap(),
        Paragraph(plain("And so that they cannot pass blindly, they must reject every one of these false neighbours:")),
        Gap(),
    ]
    for control in claim.controls:
        shown.append(bullet(candidate(control.candidate) + plain(f"   {prose(control.why)}", DIM)))
    return shown


def _observed(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    shown: list[Block] = []
    for check in claim.checks:
        result = results.get(check.name)
        if result is None:
            continue
        evidence = result.evidence
        shown += [Paragraph(plain(check.name, BOLD) + plain(f"  {check.kind}, {seconds(result.seconds)}", DIM))]
        shown += [Pairs(((tick(p.holds), plain(prose(p.name))),), indent=2) for p in evidence.premises[:FEW]]
        for reads, found in _found(evidence):
            shown.append(bullet(plain(typeset_line(reads), ACCENT)))
            shown.append(Paragraph(plain(f"found by a rule: {'; '.join(found)}"), indent=2))
        for step in evidence.steps[:FEW]:
            formula = plain(f"   {typeset_line(step.formula)}" if step.formula else "", ACCENT)
            shown.append(bullet(plain(prose(step.says)) + formula))
        if len(evidence.steps) > FEW:
            shown.append(Paragraph(plain(f"… {count(len(evidence.steps) - FEW, 'step')} more", DIM), indent=2))
        for instance in evidence.instances[:FEW]:
            given = ", ".join(equals(name, text(value)) for name, value in instance.given.items())
            says = plain(text(instance.observed), BOLD) + plain(f"   {case_name(instance.label) or given}", DIM)
            shown.append(Pairs(((plain("seen", DIM), says),), indent=2))
        if len(evidence.instances) > FEW:
            more = count(len(evidence.instances) - FEW, "instance")
            shown.append(Paragraph(plain(f"… {more} more", DIM), indent=2))
        if cases := cases_of(evidence):
            shown.append(Paragraph(plain(cases_in_words(cases, tuple(claim.symbols), "derived")), indent=2))
        if evidence.measured and not (evidence.instances or evidence.steps):
            rows = tuple((plain(name, DIM), plain(value(v))) for name, v in list(evidence.measured.items())[:FEW])
            shown.append(Pairs(rows, indent=2))
        shown.append(Gap())
    shown.append(Paragraph(plain("None of this has seen the formula.", DIM)))
    return shown


def _found(evidence: Evidence) -> Iterator[tuple[str, list[str]]]:
    """What the first theorems define, each once, and what a rule has found of it in each case."""
    found: dict[str, list[str]] = {}
    for theorem in evidence.theorems[:FEW]:
        for one in theorem.conclusions[:FEW]:
            case = f" where {typeset_line(one.label)}" if one.label else ""
            found.setdefault(theorem.reads, []).append(typeset(one.value) + case)
    yield from found.items()


def _judged(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    shown: list[Block] = [Paragraph(plain("Now the formula is held against what was seen.")), Gap()]
    shown += [Paragraph(candidate(claim.formula, f"{BOLD} {ACCENT}"), indent=4), Gap()]
    for name, result in results.items():
        judgement = result.formula
        if judgement is None:
            shown.append(Pairs(((badge(result.verdict), plain(f"{name}: {result.reason}")),)))
            continue
        shown.append(Pairs(((outcome(judgement.outcome), plain(name, BOLD) + plain(f"   {why(judgement)}")),)))
        if result.evidence.instances:
            shown += [Gap(), instances(claim, result, FEW), Gap()]
    printed = [(name, r.printed) for name, r in results.items() if r.printed is not None]
    if claim.printed is not None and printed:
        shown += [Gap(), Paragraph(plain("And the form in print:")), Gap()]
        shown += [Paragraph(candidate(claim.printed), indent=4), Gap()]
        for name, found in printed:
            shown.append(Pairs(((outcome(found.outcome, BLUE), plain(name, BOLD) + plain(f"   {why(found)}")),)))
    return shown


def _falling(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    standing = snapshot.standing(claim.id)
    shown: list[Block] = []
    for control in claim.controls:
        killers = [name for name in standing.killed.get(control.name, ()) if name in results]
        if not killers:
            shown += [Paragraph(plain("! SURVIVES  ", RED) + candidate(control.candidate)), Gap()]
            continue
        shown.append(Pairs(((plain("✗ falls", GREEN), candidate(control.candidate)),)))
        judgement = results[killers[0]].controls[control.name]
        if judgement.outcome is Outcome.REJECTED and judgement.counterexample:
            shown.append(counterexample.lines(judgement.counterexample, indent=4))
        shown += [Paragraph(plain(f"by {listed(killers)}", DIM), indent=4), Gap()]
    return shown


def _verdict(snapshot: Snapshot, claim: Claim, results: Results) -> list[Block]:
    standing = snapshot.standing(claim.id)
    rows = []
    for check in claim.checks:
        result = snapshot.result(claim.id, check.name)
        reason = f"   {prose(result.reason)}" if result and result.verdict.accepts else ""
        name = plain(check.name) + plain(reason, DIM)
        rows.append((badge(result.verdict) if result else plain("· not run", DIM), name))
    shown: list[Block] = [Pairs(tuple(rows)), Gap(), Paragraph(plain("so the claim is ") + badge(standing.standing))]
    if standing.reason:
        shown.append(Paragraph(plain(standing.reason)))
    if standing.parts:
        whole = plain("as a whole ") + badge(standing.whole) + plain(f"  {parts_text(standing)}", DIM)
        shown += [Gap(), Paragraph(whole), Pairs(tuple(_part(part) for part in standing.parts), indent=2), Gap()]
    if claim.controls and standing.results:
        falls = f"{standing.controls_rejected} of {count(len(claim.controls), 'false neighbour')} rejected"
        shown.append(Paragraph(plain(falls)))
    if claim.rests_on:
        below = [name for name in claim.rests_on if name in snapshot.standings]
        rests = tuple((badge(snapshot.standing(n).standing), plain(titled(snapshot.standing(n).claim))) for n in below)
        shown += [Gap(), heading("It rests on"), Pairs(rests, indent=2)]
        if standing.fully:
            shown.append(Paragraph(plain("and all of that stands too.", DIM)))
    return shown


def _part(part: ClaimStanding) -> tuple[Content, Content]:
    own = plain(f"{OWN} " if part.claim.is_own_result else "", ACCENT)
    return badge(part.standing), own + plain(part.claim.source.locator) + plain(f"  {titled(part.claim)}", DIM)
