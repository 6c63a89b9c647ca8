"""Forged certificates of every kind: none that says what is false may pass, nothing may raise or take long.

    python -m benchmarks.campaigns certificates --count 100000 --seed 0

A true certificate is altered in one of several ways, seeded by its number, and checked. One that is accepted and says
something else than before is examined: what it says is computed anew, by other means. `python -m
benchmarks.campaigns.certificates NUMBER SEED` prints one forgery, its outcome, and what was found about it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from functools import cache
from random import Random
from resource import RUSAGE_SELF, getrusage
from typing import Any

from benchmarks.forging.examples import examples
from benchmarks.forging.truth import why_false
from benchmarks.forging.ways import WAYS, forged
from implicitbias.certificate.kernel import Outcome, UnreadableError, check_certificate, check_text

LIMIT = 10.0
"""Seconds of one check that are too many."""
EXAMPLES = 5
"""Numbers that are kept for each find."""
TEXTUAL_SHARE = 3


@cache
def originals() -> list[tuple[dict[str, Any], str]]:
    """True certificates, and what they say."""
    found = [(document, check_certificate(document)) for document in examples()]
    assert all(outcome.valid for _, outcome in found)
    return [(document, outcome.statement) for document, outcome in found]


def forgery(number: int, seed: int) -> tuple[str, str, str, bytes]:
    """The kind that was altered, the way, what the original says, and the altered text."""
    rng = Random(f"{seed} certificates {number}")
    document, statement = originals()[number % len(originals())]
    shares = {**{way: share for way, (_, share) in WAYS.items()}, "textual": TEXTUAL_SHARE}
    way = rng.choices(list(shares), list(shares.values()))[0]
    return document["kind"], way, statement, forged(document, way, rng)


def checked(text: bytes) -> Outcome | None:
    """What the checker says; None where it cannot read the text."""
    try:
        return check_text(text)
    except UnreadableError:
        return None


def found_about(text: bytes, statement: str) -> tuple[str, str]:
    """Whether an accepted forgery is "true" or "false", or why that is "open"; and details."""
    try:
        wrong = why_false(json.loads(text), statement)
    except Exception as error:  # solvers refuse some data, with errors of all kinds: the forgery stays to be looked at
        return "open", f"{type(error).__name__}: {error}"
    return ("false", wrong) if wrong else ("true", "")


def run(count: int, seed: int) -> dict[str, object]:
    """The figures, by kind and by way."""
    by_kind: dict[str, Counter[str]] = {}
    by_way: dict[str, Counter[str]] = {}
    finds: dict[str, list[str]] = {}
    known: dict[str, tuple[str, str]] = {}
    worst = (0.0, -1)
    for number in range(count):
        kind, way, statement, text = forgery(number, seed)
        start = time.process_time()
        try:
            outcome = checked(text)
            result = "unreadable" if outcome is None else "refused" if not outcome.valid else "same statement"
            if outcome is not None and outcome.fault:
                result = "fault"
            if outcome is not None and outcome.valid and outcome.statement != statement:
                if outcome.statement not in known:
                    known[outcome.statement] = found_about(text, outcome.statement)
                result, why = known[outcome.statement]
                _keep(finds, result if result != "true" else "", f"{number}: {kind}, {way}: {why}")
        except Exception as error:
            result = "exception"
            _keep(finds, result, f"{number}: {type(error).__name__}: {error}")
        spent = time.process_time() - start if result not in ("true", "false", "open") else 0.0
        worst = max(worst, (spent, number))
        if result == "fault" or spent > LIMIT:
            _keep(finds, "fault" if result == "fault" else "slow", f"{number}: {kind}, {way}")
        for table, key in ((by_kind, kind), (by_way, way)):
            table.setdefault(key, Counter())[result] += 1
    return {
        "campaign": "certificates",
        "seed": seed,
        "forgeries": count,
        "false_accepted": sum(tally["false"] for tally in by_kind.values()),
        "open": sum(tally["open"] for tally in by_kind.values()),
        "exceptions": sum(tally["exception"] + tally["fault"] for tally in by_kind.values()),
        "worst_seconds": round(worst[0], 2),
        "worst_number": worst[1],
        "megabytes": getrusage(RUSAGE_SELF).ru_maxrss // 1000,
        "by_kind": {kind: dict(tally) for kind, tally in sorted(by_kind.items())},
        "by_way": {way: dict(tally) for way, tally in sorted(by_way.items())},
        "finds": finds,
    }


def _keep(finds: dict[str, list[str]], what: str, entry: str) -> None:
    if what and len(finds.setdefault(what, [])) < EXAMPLES:
        finds[what].append(entry[:400])
        print(f"{what} {entry[:400]}", file=sys.stderr)


if __name__ == "__main__":
    kind, way, before, text = forgery(int(sys.argv[1]), int(sys.argv[2]))
    after = checked(text)
    print(f"{kind}, {way}: {after}")
    if after is not None and after.valid:
        print(f"before: {before}\nafter:  {after.statement}\n{found_about(text, after.statement)}")
    print(text.decode("utf-8", "replace")[:3000])
