"""The three functions that workers call. They are found by name, and take and return JSON values and packed arrays.

A check is named by its claims folder (None: the shipped theory), the module of the theory in which its claim is
written, the claim's id and its own name. Of the theory a worker loads that module alone: whoever asks has loaded and
checked the whole. An error inside the functions is returned as a value, so that an error of a check does not look like
an error of the run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import linecache
import sys
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from implicitbias.claims import check as check_module
from implicitbias.claims import evidence as evidence_module
from implicitbias.claims import writing
from implicitbias.claims.catalogue import claim_in, load
from implicitbias.claims.check import Budget, Check, Context, Sweep
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.errors import brought_by_extra, missing_extra
from implicitbias.judging.result import assess
from implicitbias.judging.verdict import Verdict
from implicitbias.record import layers
from implicitbias.record import outputs as packing
from implicitbias.record.outputs import Packed, pack, unpack
from implicitbias.record.used import Used


@dataclass(frozen=True)
class Failure:
    """The reason why there is no output: BROKEN for an error, SKIPPED for a missing device or library."""

    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class Planned:
    """The parameters of each job of a sweep, and what they were made from."""

    points: list[dict[str, Any]]
    used: Used


@dataclass(frozen=True)
class Done:
    """The output of a job, the seconds that it took, and what it was made from."""

    output: Packed
    seconds: float
    used: Used


@dataclass(frozen=True)
class Observed:
    """The Result of a check as JSON, and what it was made from."""

    result: dict[str, Any]
    used: Used


def prepare(folder: str | None, module: str, claim_id: str, *_: Any) -> None:
    """Load the claim, and look up what is installed: once for the many jobs of one worker."""
    if layers.RECORDER is not None:
        layers.RECORDER.places.claims = folder
        layers.RECORDER.look_up_versions()
    _claim(folder, module, claim_id)


def plan(
    folder: str | None, module: str, claim_id: str, check_name: str, budget: str, seed: int, device: str
) -> Planned | Failure:
    """The parameters of each job of the check's sweep."""
    try:
        claim, check, file = _find(folder, module, claim_id, check_name)
        if missing := _missing(device):
            return missing
        sweep = _sweep(check)
        own = seed_of(seed, sweep.shared, "") if sweep.shared else seed_of(seed, claim.id, check.name)
        with recording(_files_of(file)) as used:
            points = [_checked(point) for point in sweep.parameters(Context(own, Budget(budget), device))]
            return Planned(points, used())
    except (Exception, SystemExit) as error:
        return _failure(error, "planning its jobs failed: ")


def job(
    folder: str | None, module: str, claim_id: str, check_name: str, parameters: Mapping[str, Any], device: str
) -> Done | Failure:
    """One job of the check's sweep."""
    began = time.perf_counter()
    try:
        _, check, file = _find(folder, module, claim_id, check_name)
        if missing := _missing(device):
            return missing
        sweep = _sweep(check)
        with recording(_files_of_job(file, sweep), JOBS_TAKE) as used:
            output = pack(sweep.job(parameters, device))
            return Done(output, time.perf_counter() - began, used())
    except (Exception, SystemExit) as error:
        return _failure(error)


def observe(
    folder: str | None,
    module: str,
    claim_id: str,
    check_name: str,
    budget: str,
    seed: int,
    device: str,
    outputs: Sequence[Packed] = (),
) -> Observed | Failure:
    """Observe and judge.

    Evidence is written to JSON and read back before it is judged, as the ledger will: what `try` judges later is the
    same to the last digit.
    """
    began = time.perf_counter()
    try:
        claim, check, file = _find(folder, module, claim_id, check_name)
        if missing := _missing(device):
            return missing
        with recording(_files_of(file)) as used:
            unpacked = tuple(unpack(output) for output in outputs)
            evidence = check.observe(_context(claim, check, budget, seed, device, unpacked))
            if not isinstance(evidence, Evidence):
                raise TypeError(f"observe returns Evidence, not {type(evidence).__name__}")
            evidence = Evidence.from_json(json.loads(json.dumps(evidence.to_json())))
            result = assess(claim, check, evidence, seconds=time.perf_counter() - began)
            return Observed(result.to_json(), used())
    except (Exception, SystemExit) as error:
        return _failure(error)


def seed_of(seed: int, claim_id: str, check_name: str) -> int:
    """The check's own seed, 32 bits: the same in every version, whatever else runs and in whatever order.

    >>> seed_of(0, "savarese2019.theorem_3_1", "measures")
    2846855170
    """
    digest = hashlib.sha256(f"{seed}\0{claim_id}\0{check_name}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


@contextlib.contextmanager
def recording(files: Iterable[Path], alone: Iterable[Path] = ()) -> Iterator[Callable[[], Used]]:
    """Record what is used; the function that is given says what it was. Only in a worker process can that be known."""
    if layers.RECORDER is None:
        yield lambda: Used(unseen=("was not run by a worker process of implicitbias, so what it used is not known",))
    else:
        with layers.RECORDER.recording(map(str, files), map(str, alone)) as used:
            yield used


def _files_of(claims: Path) -> list[Path]:
    """The files that make a result even if nothing is taken from them: this one, and the claim's."""
    return [Path(__file__), *_with_packages(claims)]


def _files_of_job(claims: Path, sweep: Sweep) -> list[Path]:
    """The file of a job's function, and the claim's unless the function is a plain one of another module.

    Anything else (a closure, a partial application) may hold what the claim's file made.
    """
    function = sweep.job
    if not isinstance(function, types.FunctionType):
        return _with_packages(claims)
    own = _with_packages(Path(function.__code__.co_filename))
    if function.__closure__:
        own += _with_packages(claims)
    return own


def _with_packages(file: Path) -> list[Path]:
    """A module's file, and those of the packages that it is in."""
    packages = []
    for folder in file.parents:
        init = folder / "__init__.py"
        if not init.is_file():
            break
        packages.append(init)
    return [file, *packages]


def essence(error: BaseException) -> str:
    """The error and the two places that matter: in the claim's own files, and where it was raised."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename not in HIDDEN]
    beside = [f for f in frames if Path(f.filename).parent == Path(frames[0].filename).parent]
    places = dict.fromkeys(_place(frame) for frame in (*beside[-1:], *frames[-1:]))
    return "; ".join(["".join(traceback.format_exception_only(error)).strip(), *places])


JOBS_TAKE = tuple(
    Path(str(m.__file__)) for m in (sys.modules[__name__], check_module, evidence_module, packing, writing)
)
"""Files that every job takes its way through, without the judging and stating that they import."""

HIDDEN = (__file__, writing.__file__, layers.__file__)
"""Files between the check and whoever runs it."""


def _place(frame: traceback.FrameSummary) -> str:
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    return f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}: {line}"


def _find(folder: str | None, module: str, claim_id: str, check_name: str) -> tuple[Claim, Check, Path]:
    """The claim, its check, and the file that they are in."""
    claim, file = _claim(folder, module, claim_id)
    return claim, claim.check(check_name), file


def _claim(folder: str | None, module: str, claim_id: str) -> tuple[Claim, Path]:
    if folder is None:
        return claim_in(module, claim_id)
    claims = load(folder)
    return claims.claim(claim_id), claims.file_of(claim_id)


def _context(
    claim: Claim, check: Check, budget: str, seed: int, device: str, outputs: tuple[Mapping[str, Any], ...] = ()
) -> Context:
    return Context(seed_of(seed, claim.id, check.name), Budget(budget), device, outputs)


def _sweep(check: Check) -> Sweep:
    if check.sweep is None:
        raise TypeError(f"the check {check.name!r} has no sweep of jobs")
    return check.sweep


def _checked(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point of a sweep, written to JSON and read back."""
    document: dict[str, Any] = json.loads(json.dumps(dict(point)))
    return document


def _failure(error: BaseException, where: str = "") -> Failure:
    """Without a library that an extra brings nothing is known of the claim: that is no fault of it."""
    missing = missing_extra(error)
    return Failure(Verdict.SKIPPED, str(missing)) if missing else Failure(Verdict.BROKEN, where + essence(error))


def _missing(device: str) -> Failure | None:
    if not device.startswith("cuda"):
        return None
    with brought_by_extra(f"the device {device}"):
        import torch

    if torch.cuda.is_available():
        return None
    return Failure(Verdict.SKIPPED, f"the device {device} is not there: torch finds no CUDA")
