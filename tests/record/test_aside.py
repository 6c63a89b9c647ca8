"""Results do not depend on the terminal, the home or the folder in which a library was asked to compile something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.record.freshness import freshness
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run

SOURCE = '''
from implicitbias.claims import Context, Observation, certificate, claim, seen

@certificate("compiled")
def compiled(context: Context) -> Observation:
    """Squares by machine code, and a look at where ours is kept."""
    import numba
    from implicitbias.exact import machine_code

    square = numba.njit(lambda x: x * x)
    machine_code.folder(machine_code.room_of(machine_code.__file__))
    for x in (2, 3, 5):
        yield seen(square(x), x=x)

@certificate("of one home")
def of_one_home(context: Context) -> Observation:
    """Squares, and a look for a file of the user's."""
    import platformdirs

    exponent = 3 if (platformdirs.user_cache_path("of_the_user") / "exponent").exists() else 2
    for x in (2, 3, 5):
        yield seen(x**exponent, x=x)

@certificate("with one thread")
def with_one_thread(context: Context) -> Observation:
    """Squares, while libraries have one thread each."""
    import numpy
    import threadpoolctl

    with threadpoolctl.threadpool_limits(1):
        for x in (2, 3, 5):
            yield seen(int(numpy.square(x)), x=x)

CLAIM = claim("aside.square", "Section 1", "A square", "The square of x.", formula="x**2", symbols={"x": "a number"},
              controls={"2*x": "right at 2", "x**3": "right at 1"}, checks=(compiled, of_one_home, with_one_thread))
'''

FIRST = '''
from implicitbias.claims import Context, Observation, certificate, claim, seen

@certificate("machine code kept for the first time")
def kept(context: Context) -> Observation:
    """Squares, after numba's search for plugins, and after a file of machine code was kept."""
    import importlib.metadata
    from pathlib import Path
    from implicitbias.exact import machine_code

    importlib.metadata.entry_points(group="numba_extensions")
    place = Path(machine_code.folder(machine_code.room_of(machine_code.__file__)))
    place.mkdir(parents=True)
    (place / "kept.nbi").touch()
    assert (place / "kept.nbi").exists()
    for x in (2, 3, 5):
        yield seen(x * x, x=x)

CLAIM = claim("aside.first", "Section 1", "A square", "The square of x.", formula="x**2", symbols={"x": "a number"},
              controls={"2*x": "right at 2", "x**3": "right at 1"}, checks=(kept,))
'''

HOME_CHANGED = ("the environment variable HOME changed", "the environment variable XDG_CACHE_HOME is there now")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalogue, Ledger]]:
    folder = tmp_path_factory.mktemp("claims")
    (folder / "square.py").write_text(SOURCE)
    catalogue = load(folder)
    with Ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite") as ledger:
        results = list(run(catalogue.claims, folder=folder, ledger=ledger))
        assert all(result.verdict.accepts for result in results), [result.reason for result in results]
        yield catalogue, ledger


def reasons(recorded: tuple[Catalogue, Ledger]) -> dict[str, tuple[str, ...]]:
    catalogue, ledger = recorded
    [claim] = catalogue.claims
    return {check.name: freshness(ledger, catalogue, claim, check).reasons for check in claim.checks}


def test_the_libraries_that_a_process_has_loaded_are_no_inputs(recorded: tuple[Catalogue, Ledger]) -> None:
    _, ledger = recorded
    [found] = [result for result in ledger.all_latest() if result.check == "with one thread"]
    used = found.provenance["used"]
    assert {"numpy", "threadpoolctl"} <= used["versions"].keys()
    assert "./square.py" in used["files"]
    assert not [name for name in (*used["files"], *used["folders"]) if name.startswith("/")]


def test_in_an_empty_home_the_folders_that_are_made_for_machine_code_are_no_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "square.py").write_text(FIRST)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        [result] = run(load(tmp_path / "claims").claims, folder=tmp_path / "claims", ledger=ledger)
    assert result.verdict.accepts, result.reason
    assert list((tmp_path / "empty").rglob("kept.nbi"))
    used = result.provenance["used"]
    assert "implicitbias/exact/machine_code.py" in used["files"]
    assert not [name for name in (*used["files"], *used["folders"]) if name.startswith("/")]


def test_another_home_path_and_folder_are_no_other_input_of_machine_code(
    recorded: tuple[Catalogue, Ledger], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert reasons(recorded) == {"compiled": (), "of one home": (), "with one thread": ()}
    for name in ("HOME", "PATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "ANOTHER"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert reasons(recorded) == {"compiled": (), "of one home": HOME_CHANGED, "with one thread": ()}


def test_settings_of_the_compiler_are_inputs_of_machine_code(
    recorded: tuple[Catalogue, Ledger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert reasons(recorded)["compiled"] == ("the environment variables that begin with NUMBA_ changed",)


def test_a_file_of_settings_of_the_compiler_is_an_input(
    recorded: tuple[Catalogue, Ledger], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".numba_config.yaml").write_text("opt: 1\n")
    monkeypatch.chdir(tmp_path)
    assert reasons(recorded)["compiled"] == ("the working directory/.numba_config.yaml is there now",)
