"""A plugin of pytest: `pytest --claims FOLDER` makes every check, control and printed form of a folder's claims a test.

A check passes where it accepts its claim and fails with the counterexample; where it cannot tell, it is skipped. A
control passes where some check rejects it, a printed form where some check refutes it. Results come from the ledger
where they are fresh. `-m proof`, `certificate`, `experiment`, `control` and `printed` choose by kind, `-k` by name.
pytest loads this module in every run where implicitbias is installed, so it imports nothing before it is asked to.
"""

from __future__ import annotations

from pathlib import Path

import pytest

MARKERS = {
    "proof": "a check of a claim that is a proof",
    "certificate": "a check of a claim that looks at exact instances",
    "experiment": "a check of a claim that trains networks",
    "control": "a false neighbour of a claim, which some check must reject",
    "printed": "the printed form of a corrected claim, which some check must refute",
}
BUDGETS = ("quick", "full", "paper")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("implicitbias", "claims as tests")
    group.addoption(
        "--claims", metavar="FOLDER", help="Collect the claims of this folder (also the ini value `claims`)."
    )
    group.addoption("--claims-budget", choices=BUDGETS, default="quick", help="How long the checks may take.")
    group.addoption("--claims-seed", type=int, default=0, metavar="N", help="The source of every random choice.")
    group.addoption("--claims-ledger", metavar="FILE", help="Where results are kept, instead of the user data folder.")
    parser.addini("claims", "The folder of claims that are collected.", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    folder = _folder(config)
    if folder is None:
        return
    for name, says in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {says}")
    from implicitbias.pytest_plugin.collected import Collected

    config.pluginmanager.register(Collected(config, folder), "implicitbias-claims")
    if config.getoption("--claims") and not any(_overlap(folder, root) for root in _roots(config)):
        config.args.append(str(folder))


def _roots(config: pytest.Config) -> list[Path]:
    """What pytest was asked to look through."""
    return [(config.invocation_params.dir / argument.partition("::")[0]).resolve() for argument in config.args]


def _overlap(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


def _folder(config: pytest.Config) -> Path | None:
    given: str | None = config.getoption("--claims")
    named: list[Path] = config.getini("claims")
    folder = config.invocation_params.dir / given if given else named[0] if named else None
    if folder is not None and not folder.is_dir():
        raise pytest.UsageError(f"--claims: there is no folder {folder}; give one of Python files that define claims")
    return folder.resolve() if folder else None
