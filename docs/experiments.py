"""Writes docs/experiments.md: the rule of each experiment, since when it stands, and every outcome that is recorded.

    python docs/experiments.py docs/experiments.md LEDGER [LEDGER …] > experiments.md

Fill a ledger by `python -m benchmarks.campaigns seeds` with IMPLICITBIAS_LEDGER, or by `implicitbias verify --kind
experiment --seed N`. Of a ledger, outcomes that were made from other claim files than the present ones are left out; of
an earlier page, those of rules that were worded otherwise: a rule that was changed starts anew. Ledgers are not kept,
the page is. Commit first: since when a rule stands is looked up by the lines of the last commit.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Check, Kind
from implicitbias.claims.statement import Claim
from implicitbias.judging.verdict import Verdict
from implicitbias.record.environment import environment
from implicitbias.record.ledger import Ledger
from implicitbias.record.present import Present
from implicitbias.record.used import Used

ROOT = Path(__file__).parent.parent

HEAD = """# Experiments: the rules, and what came of them

Every experiment states its acceptance rule. Rules are chosen by pilots; a rule that is changed after an outcome starts
anew. The page says since which commit a rule stands as it is, and gives every outcome of the present rule, in two
groups.

- **Judging seeds**: 10 and above, first used after the rule was committed. They alone test a rule.
- **Pilot seeds**: 0 to 9. Seed 0 is everybody's default, and seeds up to 9 were looked at while many of the rules were
  made; agreement there shows that the checks run, and no more. (`implicitbias verify --pilot` has come since: its draws
  are none that a `--seed` repeats.)

Outcomes against the paper stay. `python docs/experiments.py docs/experiments.md LEDGER …` adds what a ledger has.
"""

PILOTS = range(10)
"""Seeds at which outcomes were looked at while rules were made."""

SEEDS = re.compile(r"^- (\w+), (?:pilot|judging) seeds? ([\d, ]+): ([A-Z]+)$", re.MULTILINE)
REASON = re.compile(r"^- (\w+), seed (\d+): (.*)$", re.MULTILINE)

WORDS = 40
"""So many characters of a rule tell it from the others of its file."""

Outcome = tuple[str, int, Verdict, str]
"""Budget, seed, verdict, reason."""


def main(paths: list[str]) -> None:
    """The whole page."""
    catalogue = load()
    present = Present(None, environment())
    print(HEAD)
    experiments, counted = 0, Counter[tuple[bool, str]]()
    sections: list[str] = []
    for claim in catalogue.claims:
        for check in claim.checks:
            if check.kind is Kind.EXPERIMENT:
                outcomes = _once(_outcomes(paths, claim, check, present))
                counted.update((seed in PILOTS, verdict.name) for _, seed, verdict, _ in outcomes)
                experiments += 1
                sections += list(_section(claim, check, catalogue.file_of(claim.id), outcomes))
    print(f"{experiments} experiments.")
    for pilots, name in ((False, "judging"), (True, "pilot")):
        told = ", ".join(f"{n} {verdict}" for (piloted, verdict), n in counted.items() if piloted is pilots)
        print(f"Outcomes at {name} seeds: {told or 'none'}.")
    print("\n".join(sections))


def _once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """In order; of what two sources say of one seed the first. A run that broke is none where it was run again."""
    found: dict[tuple[str, int, Verdict], Outcome] = {}
    for outcome in outcomes:
        found.setdefault(outcome[:3], outcome)
    judged = {(budget, seed) for budget, seed, verdict in found if verdict is not Verdict.BROKEN}
    return sorted(o for o in found.values() if o[2] is not Verdict.BROKEN or o[:2] not in judged)


def _section(claim: Claim, check: Check, file: Path, outcomes: list[Outcome]) -> Iterator[str]:
    yield f"\n## `{claim.id}` · {check.name}\n"
    yield f"{claim.title}. {' '.join(check.acceptance.split())}\n"
    yield f"The rule stands since {since(check, file)}.\n"
    groups: dict[tuple[str, str, str], list[int]] = {}
    for budget, seed, verdict, _ in sorted(outcomes, key=lambda outcome: outcome[1] in PILOTS):
        groups.setdefault((budget, "pilot" if seed in PILOTS else "judging", verdict.name), []).append(seed)
    for (budget, sort, word), seeds in groups.items():
        yield f"- {budget}, {sort} seed{'s' * (len(seeds) > 1)} {', '.join(map(str, seeds))}: {word}"
    if not outcomes:
        yield "- no outcome is recorded"
    for budget, seed, verdict, reason in outcomes:
        if verdict is not Verdict.SUPPORTED:
            yield f"- {budget}, seed {seed}: {reason}"


def _outcomes(paths: list[str], claim: Claim, check: Check, present: Present) -> Iterator[Outcome]:
    for path in paths:
        if path.endswith(".md"):
            yield from _told(Path(path).read_text(), claim, check)
            continue
        with Ledger(path, read_only=True) as ledger:
            for entry in ledger.history(claim.id, check.name):
                result = entry.result
                used = Used.from_json(result.provenance["used"])
                files = {name: seen for name, seen in used.files.items() if name.startswith(_own(claim))}
                of_claims = Used(files=files)
                if not present.changes(of_claims):
                    given: dict[str, Any] = result.provenance["computation"]["parameters"]
                    yield given["budget"], given["seed"], result.verdict, result.reason


def _told(page: str, claim: Claim, check: Check) -> Iterator[Outcome]:
    """What an earlier page says of the check, if its rule was worded as it is now."""
    sections = page.split("\n## ")
    section = next((one for one in sections if one.startswith(f"`{claim.id}` · {check.name}\n")), "")
    if " ".join(check.acceptance.split()) not in section:
        return
    reasons = {(budget, seed): reason for budget, seed, reason in REASON.findall(section)}
    for budget, seeds, verdict in SEEDS.findall(section):
        for seed in seeds.split(", "):
            yield budget, int(seed), Verdict[verdict], reasons.get((budget, seed), "")


def _own(claim: Claim) -> tuple[str, ...]:
    """Where the claim files lie that an experiment can be made from: no paper imports from another one."""
    return "theory/observed/", f"theory/{claim.paper}/"


def since(check: Check, file: Path) -> str:
    """The last commit that touched the rule: the words, and what says which runs there are (what it is about may be
    told otherwise)."""
    source = file.read_text()
    tree = ast.parse(source)
    told = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    begins = " ".join(check.acceptance.split())[:WORDS]
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "experiment"):
            continue
        given = next(word.value for word in call.keywords if word.arg == "acceptance")
        words = told.get(given.id, given) if isinstance(given, ast.Name) else given
        if begins in " ".join((ast.get_source_segment(source, words) or "").split()):
            return _last_commit([*call.args, given, words], file)
    raise LookupError(f"{file} has no experiment whose rule begins with {begins!r}")


def _last_commit(parts: Iterable[ast.expr], file: Path) -> str:
    place = file.resolve().relative_to(ROOT)
    ranges = [f"-L{part.lineno},{part.end_lineno}:{place}" for part in parts]
    command = ["git", "-C", str(ROOT), "log", "-1", "-s", "--format=%h of %cs", *ranges]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]


if __name__ == "__main__":
    main(sys.argv[1:])
