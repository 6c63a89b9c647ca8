"""Fuzzed input: formulas, laws, CSV files, network files, claim files, command lines.

    python -m benchmarks.campaigns inputs --count 100000 --seed 0

Each input goes to the command line in one process that is watched by this one. Counted as finds: an exit code other
than 0 to 3, an exception, more than `LIMIT` seconds, a death, a message without bound, control characters printed
raw, `--json` that is no JSON, and anything executed that the input holds.
`python -m benchmarks.campaigns.inputs KIND NUMBER SEED` repeats one input, and prints it.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.fuzzing import claim_files, command_lines, formulas, laws, networks, tables
from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.watched import LIMIT, Outcome, Watch

KINDS: dict[str, tuple[Callable[[Random], Call], int]] = {
    "formulas": (formulas.calls, 8),
    "laws": (laws.calls, 3),
    "tables": (tables.calls, 8),
    "networks": (networks.calls, 8),
    "claim files": (claim_files.calls, 1),
    "command lines": (command_lines.calls, 6),
}
"""Each kind with its share of the inputs."""
PATIENCE = 10 * LIMIT
"""Seconds after which a process that says nothing is ended: it waits, is inside a library, or the machine is busy."""
REPORTED = 1000
"""After so many inputs a line on standard error says how far the campaign is."""
EXAMPLES = 3
"""Inputs that are kept for each find."""


def call_of(kind: str, number: int, seed: int) -> Call:
    """The input with this number."""
    return KINDS[kind][0](Random(f"{seed} {kind} {number}"))


def plan(count: int) -> list[tuple[str, int]]:
    """Kinds and numbers of the inputs, mixed."""
    cycle = [kind for kind, (_, share) in KINDS.items() for _ in range(share)]
    return [(cycle[n % len(cycle)], n) for n in range(count)]


def run(count: int, seed: int) -> dict[str, object]:
    """The figures by kind, and what was found."""
    inputs = plan(count)
    tried: Counter[str] = Counter()
    codes: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    slowest: dict[str, tuple[float, int]] = dict.fromkeys(KINDS, (0.0, -1))
    seconds: dict[str, float] = dict.fromkeys(KINDS, 0.0)
    finds: dict[str, dict[str, Any]] = {}
    with _Process(inputs, seed) as process:
        for kind, number in inputs:
            if number % REPORTED == 0:
                print(f"{number} of {count}, {sum(find['times'] for find in finds.values())} finds", file=sys.stderr)
            found = process.next()
            tried[kind] += 1
            seconds[kind] += found.seconds
            codes[kind][str(found.code)] += 1
            slowest[kind] = max(slowest[kind], (found.seconds, number))
            if found.problem:
                find = finds.setdefault(f"{kind}: {found.problem}", {"times": 0, "numbers": [], "detail": found.detail})
                find["times"] += 1
                if len(find["numbers"]) < EXAMPLES:
                    find["numbers"].append(number)
                    print(f"{kind} {number}: {found.problem}", file=sys.stderr)
    return {
        "campaign": "inputs",
        "seed": seed,
        "inputs": count,
        "finds": sum(find["times"] for find in finds.values()),
        "worst_seconds": round(max((time for time, _ in slowest.values()), default=0.0), 2),
        "by_kind": {
            kind: {
                "inputs": tried[kind],
                "exit_codes": dict(sorted(codes[kind].items())),
                "mean_seconds": round(seconds[kind] / max(1, tried[kind]), 4),
                "worst_seconds": round(slowest[kind][0], 2),
                "slowest": slowest[kind][1],
            }
            for kind in KINDS
        },
        "found": finds,
    }


class _Process:
    """The process that makes the calls, started again behind an input that ended it."""

    def __init__(self, inputs: list[tuple[str, int]], seed: int) -> None:
        self.inputs = inputs
        self.seed = seed
        self.done = 0
        self.started: Any = None
        self.pipe: Any = None

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def next(self) -> Outcome:
        """What came of the next input."""
        if self.started is None:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe(duplex=False)
            self.started = context.Process(target=_calls, args=(self.inputs[self.done :], self.seed, theirs))
            self.started.start()
            theirs.close()
        self.done += 1
        try:
            if self.pipe.poll(PATIENCE):
                found: Outcome = self.pipe.recv()
                return found
            problem = f"nothing for {PATIENCE:.0f} s"
        except EOFError:
            self.started.join()
            problem = f"the process died with {self.started.exitcode}"
        self._end()
        return Outcome(None, problem, "", PATIENCE)

    def _end(self) -> None:
        if self.started is not None:
            self.started.kill()
            self.started.join()
            self.pipe.close()
            self.started = None


def _calls(inputs: list[tuple[str, int]], seed: int, results: Connection) -> None:
    watch = Watch()
    try:
        for kind, number in inputs:
            results.send(watch.outcome(call_of(kind, number, seed)))
    finally:
        watch.close()


def _again(kind: str, number: int, seed: int) -> None:
    """Repeat one input, and print it with what came of it."""
    call = call_of(kind, number, seed)
    watch = Watch()
    try:
        found = watch.outcome(call)
    finally:
        watch.close()
    print([argument[:300] for argument in call.arguments], f"stdin: {call.given[:300]!r}")
    for name, contents in call.files.items():
        print(f"{Path(name)}: {len(contents)} bytes: {contents[:600]!r}")
    print(f"{found.code} {found.seconds:.2f} s {found.problem}\n{found.detail}")


if __name__ == "__main__":
    _again(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
