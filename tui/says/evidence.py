"""What a check has seen: premises with ticks, the acceptance rule, numbers with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual.content import Content

from implicitbias.claims.check import Check
from implicitbias.claims.evidence import Instance
from implicitbias.judging.judgement import text
from implicitbias.judging.result import Result
from implicitbias.judging.tried import cases_in_words, cases_of
from implicitbias.report.typeset import symbol
from implicitbias.report.words import IN_COQ, count, value

from .blocks import Block, Gap, Grid, Pairs, Paragraph, heading
from .wording import BOLD, DIM, badge, plain, tick

MOST = 100
"""Instances that are shown; the exported JSON has all."""

RELATIONS = {"=": "", "<=": " ≤ formula", ">=": " ≥ formula"}


def blocks(check: Check, result: Result | None, symbols: Sequence[str]) -> list[Block]:
    shown: list[Block] = []
    if result is not None:
        shown += [verdict(result), Gap()]
    if check.acceptance:
        shown += [Pairs(((plain("accepts if", DIM), plain(check.acceptance)),)), Gap()]
    if result is None:
        return [*shown, Paragraph(plain("Not run yet: r runs it.", DIM))]
    evidence = result.evidence
    if evidence.premises:
        shown += [heading("premises, without which the observation means nothing")]
        for premise in evidence.premises:
            says = plain(premise.name) + plain(f"  {premise.detail}" if premise.detail else "", DIM)
            shown.append(Pairs(((tick(premise.holds), says),)))
        shown.append(Gap())
    if evidence.measured:
        shown += [heading("measured"), *_measured(evidence.measured), Gap()]
    if evidence.instances:
        shown += _instances(evidence.instances, symbols)
    cases = cases_of(evidence)
    if cases:
        shown.append(Paragraph(plain(f"{cases_in_words(cases, symbols, 'derived')}: see Derivation.", DIM)))
    elif len(shown) <= 2:
        shown.append(Paragraph(plain("Nothing was observed.", DIM)))
    return shown


def verdict(result: Result) -> Paragraph:
    """The verdict with its reason: for an accepted formula what was tried."""
    in_coq = plain(IN_COQ) if result.in_coq else plain("")
    return Paragraph(badge(result.verdict) + in_coq + plain(f"  {result.reason}" if result.reason else ""))


def _measured(measured: Mapping[str, object]) -> Iterator[Block]:
    for name, found in measured.items():
        if isinstance(found, Mapping) and found:
            yield Paragraph(plain(name, BOLD))
            yield Pairs(tuple((plain(str(k)), plain(value(v))) for k, v in found.items()), indent=2, most=36)
        else:
            yield Pairs(((plain(name), plain(value(found), BOLD)),), most=36)  # type: ignore[arg-type]


def _instances(instances: Sequence[Instance], symbols: Sequence[str]) -> Iterator[Block]:
    named = [name for name in symbols if any(name in i.given for i in instances)]
    if not named:
        named = list(dict.fromkeys(name for i in instances for name in i.given))
    yield heading(f"{count(len(instances), 'instance')}: what is given, what was observed")
    rows = []
    for instance in instances[:MOST]:
        given = ", ".join(f"{symbol(n)} = {text(instance.given[n])}" for n in named if n in instance.given)
        observed = plain(text(instance.observed), BOLD) + plain(RELATIONS[instance.relation], DIM)
        rows.append((plain(given), observed, plain(instance.label, DIM)))
    if any(instance.label for instance in instances[:MOST]):
        yield Grid(("given", "observed", "where"), tuple(rows), grows=2, most=34)
    else:
        yield Grid(("given", "observed"), tuple((given, observed) for given, observed, _ in rows), grows=1, most=60)
    if len(instances) > MOST:
        yield Paragraph(plain(f"and {len(instances) - MOST} more; e exports them all as JSON", DIM))


def caption(check: Check, result: Result | None) -> Content:
    """One line for narrow places."""
    return badge(result.verdict) + plain(f"  {check.about}") if result else plain(check.about)
