"""What a search for rivals has found, as titled lines for the terminal and the interface, as JSON, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from implicitbias.claims.check import Kind
from implicitbias.claims.statement import Claim
from implicitbias.judging.rivals.confirmed import Rival, Rivals
from implicitbias.judging.rivals.search import Sort
from implicitbias.judging.rivals.variation import SymbolValues, Variation

_STRONGER = {Sort.UPPER: "smaller", Sort.LOWER: "larger"}


@dataclass(frozen=True)
class Line:
    """A line of the account: a name, a formula, what is to be said of it; any may be empty. `bad`: it is a hole."""

    label: str = ""
    formula: str = ""
    note: str = ""
    bad: bool = False


@dataclass(frozen=True)
class Tally:
    """The figures of some claims, for a table by paper."""

    name: str
    claims: int
    expressions: int
    inside: int
    outside: int
    experiments: int


def told(claim: Claim, found: Rivals) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Each section of the account with its title."""
    yield "values that were tried", tuple(_values(found.found.variation))
    if found.trouble:
        yield "nothing was searched", (Line(note=found.trouble),)
        return
    yield "search", tuple(_search(claim, found))
    for title, rivals, bad in (
        ("rivals inside the range that was tried", found.inside, True),
        ("rivals that part only outside it", found.outside, False),
        ("looser bounds, which follow from the claim", found.looser, False),
    ):
        if rivals:
            yield title, tuple(_rival(r, found.found.sort, bad) for r in rivals)


def headline(found: Rivals) -> str:
    """The outcome in one line."""
    if found.trouble:
        return "? nothing was searched"
    if found.inside and found.found.sort is not Sort.EQUALITY:
        return f"✗ nothing seen excludes a {_STRONGER[found.found.sort]} bound, inside the range that was tried"
    if found.inside:
        return "✗ the evidence accepts another formula inside the range that was tried"
    if found.undecided:
        return "? no rival was confirmed; of some formulas that seem to agree the judge cannot say whether they do"
    if found.unasked:
        return "? no rival was confirmed; the judge was not asked about all formulas that agree in floating point"
    if found.outside:
        return "✓ no rival inside the range that was tried; outside it there are"
    return "✓ no rival was found"


def is_experiment(claim: Claim) -> bool:
    """Whether only experiments judge the claim: what they can tell is a matter of their intervals."""
    return all(check.kind is Kind.EXPERIMENT for check in claim.checks)


def to_json(claim: Claim, found: Rivals) -> dict[str, Any]:
    return {
        "claim": claim.id,
        "formula": claim.formula if isinstance(claim.formula, str) else claim.formula.says,
        "judged_as": str(found.found.sort),
        "kinds": sorted({str(check.kind) for check in claim.checks}),
        "tried": found.found.variation.to_json(),
        "factors": list(map(_finite, found.found.factors)),
        "expressions": found.found.evaluated,
        "different": found.found.distinct,
        "survivors": {"inside": found.found.inside, "outside": found.found.outside, "looser": found.found.looser},
        "inside": [_document(r) for r in found.inside],
        "outside": [_document(r) for r in found.outside],
        "looser": [_document(r) for r in found.looser],
        "undecided": found.undecided,
        "unasked": found.unasked,
        "seconds": round(found.seconds, 2),
        "trouble": found.trouble,
    }


def tallies(searched: Sequence[tuple[Claim, Rivals]]) -> list[Tally]:
    """One a paper, in the order in which they come, and the total; claims are counted, not their rivals."""
    papers: dict[str, list[tuple[Claim, Rivals]]] = {}
    for claim, found in searched:
        papers.setdefault(claim.paper, []).append((claim, found))
    return [_tally(name, some) for name, some in [*papers.items(), ("total", list(searched))]]


def _tally(name: str, some: Sequence[tuple[Claim, Rivals]]) -> Tally:
    judged = [(claim, found) for claim, found in some if not found.trouble]
    inside = [claim for claim, found in judged if found.inside]
    return Tally(
        name=name,
        claims=len(judged),
        expressions=sum(found.found.evaluated for _, found in judged),
        inside=sum(not is_experiment(claim) for claim in inside),
        outside=sum(bool(found.outside) and not found.inside for _, found in judged),
        experiments=sum(is_experiment(claim) for claim in inside),
    )


def _values(variation: Variation) -> Iterator[Line]:
    for symbol in variation.symbols:
        yield Line(symbol.name, note=_symbol(symbol))
    for label, words in (
        ("never vary apart", variation.together),
        ("one order only", variation.one_order),
        ("never equal", variation.never_equal),
    ):
        if words:
            yield Line(label, note="; ".join(words))
    if variation.attained is not None:
        where = f", only where {', '.join(variation.only_where)}" if variation.only_where else ""
        met = f"met with equality at {variation.attained} of {variation.of} points{where}"
        yield Line("the bound", note=met if variation.attained else f"never met at {variation.of} points")
    for answer, times in variation.answers:
        yield Line("answer", note=f"{answer}: {times} instance{'' if times == 1 else 's'}")
    if len(variation.answers) == 1:
        yield Line("answer", note="there is one answer only", bad=True)


def _symbol(symbol: SymbolValues) -> str:
    if symbol.distinct == 1:
        return f"{symbol.range}, it never varies"
    kind = ", whole" if symbol.whole else ""
    return f"{symbol.range}{kind}, {symbol.distinct} values, {' and '.join(symbol.signs)}"


def _search(claim: Claim, found: Rivals) -> Iterator[Line]:
    searched = found.found
    article = "a" if searched.sort is Sort.LOWER else "an"
    yield Line(f"claimed as {article} {searched.sort}", str(claim.formula))
    yield Line("tried", note=f"{searched.evaluated:,} expressions in {found.seconds:.1f} s")
    kinds = [
        (searched.inside, "differ from the claim inside the range"),
        (searched.outside, "differ outside it"),
        (searched.looser, "are looser"),
    ]
    words = ", ".join(f"{count:,} {what}" for count, what in kinds if count)
    yield Line("agree in floating point", note=words or "none")
    if found.rejected:
        yield Line("rejected", note=f"{found.rejected} of the simplest, by the exact judge")
    low, high = searched.factors
    if searched.sort is Sort.EQUALITY and (low, high) != (1.0, 1.0):
        top = f"{high:.4g}" if _finite(high) is not None else "any size"
        yield Line("factors", note=f"the formula times c passes for c from {low:.4g} to {top}")
    if (factor := {Sort.UPPER: low, Sort.LOWER: high}.get(searched.sort, 1.0)) != 1.0:
        much = f"{factor:.4g}" if _finite(factor) is not None else "any number"
        yield Line("not excluded", note=f"nothing seen excludes the formula times about {much} as a bound")
    if found.undecided:
        yield Line("undecided", note=f"{found.undecided} of the simplest: the judge neither accepts nor rejects them")
    if found.unasked:
        yield Line("not judged", note=f"{found.unasked} and more that differ inside the range, after so many")


def _rival(rival: Rival, sort: Sort, bad: bool) -> Line:
    at = ", ".join(f"{name} = {number}" for name, number in rival.point.items())
    most = {Sort.EQUALITY: "", Sort.UPPER: "at most ", Sort.LOWER: "at least "}[sort]
    says = f"at {at or 'every point'} the claim says {most}{rival.claim_says}, this {most}{rival.rival_says}"
    tried = f"; tried: {', '.join(rival.outside)}" if rival.outside else ", a point that was tried" * rival.tried
    return Line(formula=rival.formula, note=(says if rival.claim_says else "") + tried, bad=bad)


def _document(rival: Rival) -> Mapping[str, Any]:
    return {
        "formula": rival.formula,
        "at": dict(rival.point),
        "claim_says": rival.claim_says,
        "rival_says": rival.rival_says,
        "at_a_point_that_was_tried": rival.tried,
        "tried": list(rival.outside),
    }


def _finite(number: float) -> float | None:
    return number if abs(number) < float("inf") else None
