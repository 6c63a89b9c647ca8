"""Whether a change of the code changed the evidence: two ledgers compared check by check.

    python -m benchmarks.evidence BEFORE.sqlite AFTER.sqlite [--claims FOLDER]

Record both with the same seed and budget. Compared are instances, identities, the truth of premises, measured numbers,
certificates and curves by value, verdicts, and each candidate's outcome and counterexample. Labels and prose are not.
A check of a claim that was merged is looked for in the claim that its old id finds today. Prints what differs, what is
gone and what is new; the exit status is 1 if a check that is in both ledgers differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.claims.evidence import Evidence, Identity, encode
from implicitbias.errors import FormulaError, UnknownClaimError
from implicitbias.exact.formula import parse
from implicitbias.exact.symbolic import to_sympy
from implicitbias.judging.judgement import Counterexample, Judgement
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger

SHOWN = 100
"""Characters of a value that are printed."""

Key = tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """How the checks of one ledger compare with those of another.

    same     checks with the same evidence in both, by their earlier name
    differs  checks with different evidence, and what differs
    gone     checks without a counterpart, and the id of the claim into which theirs was merged ("" if none)
    new      checks without a counterpart in the earlier ledger
    """

    same: tuple[Key, ...]
    differs: Mapping[Key, tuple[str, ...]]
    gone: Mapping[Key, str]
    new: tuple[Key, ...]


def compared(before: Sequence[Result], after: Sequence[Result], catalogue: Catalogue) -> Comparison:
    """Pair the checks, by name where it still exists and by their evidence otherwise, and compare each pair."""
    left = {(r.claim, r.check): r for r in after}
    same: list[Key] = []
    differs: dict[Key, tuple[str, ...]] = {}
    unmatched: list[Result] = []
    for result in before:
        other = left.pop((result.claim, result.check), None)
        if other is None:
            unmatched.append(result)
        elif found := tuple(differences(result, other)):
            differs[result.claim, result.check] = found
        else:
            same.append((result.claim, result.check))
    gone: dict[Key, str] = {}
    claimed = set(left)
    for result in unmatched:
        home = _home(result.claim, catalogue)
        twins = [r for r in after if r.claim == home and r.kind is result.kind]
        twin = next((r for r in twins if not [*_evidence_differences(result.evidence, r.evidence)]), None)
        if twin is None:
            gone[result.claim, result.check] = home
        else:
            same.append((result.claim, result.check))
            claimed.discard((twin.claim, twin.check))
    return Comparison(tuple(same), differs, gone, tuple(key for key in left if key in claimed))


def _home(claim_id: str, catalogue: Catalogue) -> str:
    try:
        return catalogue.claim(claim_id).id
    except UnknownClaimError:
        return ""


def differences(before: Result, after: Result) -> Iterator[str]:
    """What differs between two results of a check, one line per difference; differences in wording do not count."""
    if before.verdict is not after.verdict:
        yield f"verdict: {before.verdict} -> {after.verdict} ({after.reason})"
    yield from _evidence_differences(before.evidence, after.evidence)
    yield from _judged("formula", before.formula, after.formula)
    yield from _judged("printed form", before.printed, after.printed)
    for name, other in _paired(before.controls, after.controls):
        yield from _judged(f"control {name or other}", before.controls.get(name), after.controls.get(other))


def _paired(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of control names: equal names first, then the rest in order, since the name of a rule is prose."""
    yield from ((name, name) for name in before if name in after)
    one, other = [n for n in before if n not in after], [n for n in after if n not in before]
    yield from zip_longest(one, other, fillvalue="")


def _evidence_differences(before: Evidence, after: Evidence) -> Iterator[str]:
    for name in ("instances", "premises", "measured", "certificates", "curves"):
        yield from _first_difference(name, _values(name, before), _values(name, after))
    if len(before.identities) != len(after.identities):
        yield f"identities: {len(before.identities)} -> {len(after.identities)}"
    for i, (one, other) in enumerate(zip(before.identities, after.identities, strict=False)):
        if not _same_identity(one, other):
            yield f"identities[{i}]: {_identity(one)} -> {_identity(other)}"
            return


def _values(name: str, evidence: Evidence) -> list[str]:
    """The values compared, as JSON texts in order; measured numbers are sorted, since their names are prose."""
    found: dict[str, list[Any]] = {
        "instances": [[encode(i.given), encode(i.observed), i.relation] for i in evidence.instances],
        "premises": [p.holds for p in evidence.premises],
        "measured": [*_numbers(encode(evidence.measured))],
        "certificates": [dict(c) for c in evidence.certificates],
        "curves": [[c.x, c.y] for c in evidence.curves],
    }
    texts = [json.dumps(value, sort_keys=True) for value in found[name]]
    return sorted(texts) if name == "measured" else texts


def _numbers(document: Any) -> Iterator[Any]:
    if isinstance(document, dict) and not document.keys() & {"fraction", "interval", "float"}:
        document = list(document.values())
    if isinstance(document, list):
        for value in document:
            yield from _numbers(value)
    elif not isinstance(document, str):
        yield document


def _first_difference(name: str, before: list[str], after: list[str]) -> Iterator[str]:
    if before == after:
        return
    count = f" ({len(before)} -> {len(after)})" if len(before) != len(after) else ""
    pairs = zip_longest(before, after, fillvalue="nothing")
    place, one, other = next((i, a, b) for i, (a, b) in enumerate(pairs) if a != b)
    yield f"{name}[{place}]{count}: {_short(one)} -> {_short(other)}"


def _same_identity(one: Identity, other: Identity) -> bool:
    """Whether the variables agree, and the expressions have the same canonical form in sympy."""
    if dict(one.variables) != dict(other.variables) or one.given.keys() != other.given.keys():
        return False
    pairs = [(one.given[name], other.given[name]) for name in one.given] + [(one.derived, other.derived)]
    return all(a == b or _written(a, one) == _written(b, one) for a, b in pairs)


def _written(text: str, identity: Identity) -> Any:
    try:
        return to_sympy(parse(text, identity.variables), identity.variables)
    except FormulaError:
        return text


def _identity(identity: Identity) -> str:
    return _short(json.dumps([dict(identity.variables), dict(identity.given), identity.derived]))


def _judged(what: str, before: Judgement | None, after: Judgement | None) -> Iterator[str]:
    if before is None or after is None:
        if before is not after:
            yield f"{what}: {'new' if before is None else 'gone'}"
    elif before.outcome is not after.outcome:
        yield f"{what}: {before.outcome} -> {after.outcome}"
    elif not _same_point(before.counterexample, after.counterexample):
        yield f"{what}, counterexample: {_short(str(before.counterexample))} -> {_short(str(after.counterexample))}"


def _same_point(one: Counterexample | None, other: Counterexample | None) -> bool:
    """Counterexamples of equal length count as equal: the judge chooses among them by their labels, which are prose."""
    if one is None or other is None:
        return one is other
    return dict(one.point) == dict(other.point) or _length(one) == _length(other)


def _length(found: Counterexample) -> int:
    return sum(map(len, found.point.values())) + len(found.observed)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def tell(found: Comparison) -> None:
    """Print what differs, what is gone, what is new, and the counts."""
    for (claim, check), lines in found.differs.items():
        print(f"differs: {claim}: {check}", *(f"    {line}" for line in lines), sep="\n")
    for (claim, check), home in found.gone.items():
        print(f"gone:    {claim}: {check}{f' (the claim is now {home})' if home not in ('', claim) else ''}")
    for claim, check in found.new:
        print(f"new:     {claim}: {check}")
    counts = (len(found.same), len(found.differs), len(found.gone), len(found.new))
    print("{} checks have the same evidence, {} differ, {} are gone, {} are new".format(*counts))


def recorded(path: Path) -> tuple[Result, ...]:
    """The last result of every check; the ledger is opened read-only."""
    with Ledger(path, read_only=True) as ledger:
        return ledger.all_latest()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, help="a ledger")
    parser.add_argument("after", type=Path, help="another, recorded with the code as it is")
    parser.add_argument("--claims", type=Path, help="the folder of the claims (default: the shipped theory)")
    given = parser.parse_args(arguments)
    found = compared(recorded(given.before), recorded(given.after), load(given.claims))
    tell(found)
    return 1 if found.differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
