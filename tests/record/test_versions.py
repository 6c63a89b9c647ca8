"""The distributions that a module comes from are those that Python's own, slower search finds."""

import importlib.metadata
import importlib.util

import pytest

from implicitbias.record.versions import NOT_INSTALLED, PYTHON, version_of, versions_of


def test_every_module_comes_from_the_distributions_that_python_finds() -> None:
    known = {
        module: set(names)
        for module, names in importlib.metadata.packages_distributions().items()
        if module.isidentifier() and importlib.util.find_spec(module) is not None
    }
    assert {"numpy", "flint", "pytest"} <= known.keys()
    assert {module: versions_of([module]).keys() - {PYTHON} for module in known} == known


def test_what_brings_no_module_has_no_version() -> None:
    assert versions_of(["no_such_module"]).keys() == {PYTHON}
    assert version_of("no-such-distribution") == NOT_INSTALLED


def test_a_version_that_is_known_is_not_looked_up() -> None:
    assert versions_of(["numpy"], {"numpy": "0.1"})["numpy"] == "0.1"


def test_the_names_of_a_module_s_distributions_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a run's results is dated by the same few modules."""
    first = versions_of(["numpy", "flint"])

    def parsed_anew(distribution: importlib.metadata.Distribution) -> None:
        raise AssertionError("metadata parsed anew")

    monkeypatch.setattr(importlib.metadata.Distribution, "metadata", property(parsed_anew))
    assert versions_of(["numpy", "flint"], first) == first
