"""All experiments at several seeds: a rule that stands by the luck of one seed falls here.

    python -m benchmarks.campaigns seeds --count 10 --seed 0

The seeds are `seed`, `seed` + 1, …; the budget is quick. Every outcome that is not the expected one is named, whether
it speaks against the paper, decides nothing, or is a fault of the check. With IMPLICITBIAS_LEDGER the results are kept,
as `docs/experiments.py` wants them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from implicitbias.record.ledger import VARIABLE

EXPECTED = ("SUPPORTED",)


def run(count: int, seed: int) -> dict[str, object]:
    """How often each verdict came, and what was not as expected, by seed."""
    verdicts, named = Counter[str](), dict[str, list[str]]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            for entry in _results(Path(folder), number):
                verdicts[entry["verdict"]] += 1
                if entry["verdict"] not in EXPECTED:
                    place = f"{entry['claim']} · {entry['check']}: {entry['verdict']}"
                    named.setdefault(place, []).append(str(number))
    return {
        "seeds": count,
        "checks": sum(verdicts.values()),
        **verdicts,
        "not as expected": {place: ", ".join(seeds) for place, seeds in sorted(named.items())},
    }


def _results(folder: Path, seed: int) -> list[dict[str, str]]:
    """Claims, checks and verdicts of all experiments at one seed. They are told as they come, for whoever waits."""
    file = folder / f"{seed}.json"
    ledger = os.environ.get(VARIABLE, str(folder / "ledger"))
    options = ["--kind", "experiment", "--seed", str(seed), "--json", str(file), "--ledger", ledger]
    ended = subprocess.run([sys.executable, "-m", "implicitbias", "verify", *options], stdout=subprocess.DEVNULL)
    if not file.exists():
        raise RuntimeError(f"verify at seed {seed} ended with {ended.returncode}, and wrote nothing")
    document = json.loads(file.read_text())
    found = [
        {"claim": claim["id"], "check": check["name"], "verdict": check["verdict"]}
        for claim in document["claims"]
        for check in claim["checks"]
        if check["kind"] == "experiment"
    ]
    print(f"seed {seed}: {dict(Counter(entry['verdict'] for entry in found))}", file=sys.stderr, flush=True)
    return found
