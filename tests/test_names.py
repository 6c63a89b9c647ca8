"""The names that a user imports: `import implicitbias as ib`."""

from __future__ import annotations

import doctest
import inspect
import re
import sys

import pytest

import implicitbias as ib

ORDER = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Notes", "References", "Examples")
PARAMETERS = re.compile(r"^([\w*]+(?:, [\w*]+)*) : ", re.MULTILINE)


@pytest.mark.parametrize("name", ib.__all__)
def test_every_promised_name_is_there(name):
    assert callable(getattr(ib, name))
    assert name in dir(ib)


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing"):
        _ = ib.nothing


def test_the_example_of_the_package_is_true():
    assert doctest.testmod(ib).failed == 0


@pytest.mark.parametrize("name", ib.__all__)
def test_every_name_is_documented_as_numpy_does_and_its_examples_are_true(name):
    documented = getattr(ib, name)
    text = inspect.getdoc(documented) or ""
    titles = re.findall(r"^([A-Z][A-Za-z ]+)\n-+$", text, re.MULTILINE)
    assert titles == [title for title in ORDER if title in titles]
    assert {"Parameters", "Examples"} <= set(titles)
    assert inspect.isclass(documented) or {"Returns", "Yields"} & set(titles)
    assert not re.search(r"^Raises [A-Z]", text, re.MULTILINE)
    given = [part.lstrip("*") for names in re.findall(PARAMETERS, text) for part in names.split(", ")]
    assert set(inspect.signature(documented).parameters) <= set(given)
    names = vars(sys.modules[documented.__module__])
    tests = doctest.DocTestFinder(recurse=False).find(documented, name, globs=dict(names))
    tried = [doctest.DocTestRunner(verbose=False).run(test) for test in tests]
    assert sum(result.attempted for result in tried) > 0
    assert sum(result.failed for result in tried) == 0


ESTIMATORS = [name for name in ib.__all__ if "estimators" in getattr(ib, name).__module__]


@pytest.mark.parametrize("name", ib.__all__)
def test_what_a_name_raises_is_said(name):
    """Of estimators at `fit`; `check_certificate` says that it never does."""
    documented = getattr(ib, name)
    text = inspect.getdoc(documented.fit if name in ESTIMATORS else documented)
    assert "\nRaises\n------\n" in text or "Never raises" in text


@pytest.mark.parametrize("name", ESTIMATORS)
def test_methods_of_estimators_are_documented_as_numpy_does(name):
    kind = getattr(ib, name)
    own = [method for room in kind.__mro__ if room.__module__.startswith("implicitbias") for method in vars(room)]
    public = [method for method in dict.fromkeys(own) if not method.startswith("_") and hasattr(kind, method)]
    public = [method for method in public if not method.endswith("_request")]  # scikit-learn puts these there
    assert {"fit", "predict", "plot"} <= set(public)
    for method in public:
        text = inspect.getdoc(getattr(kind, method))
        assert text, method
        if callable(getattr(kind, method)):
            titles = re.findall(r"^([A-Z][A-Za-z ]+)\n-+$", text, re.MULTILINE)
            assert titles == ["Parameters", "Returns", "Raises"], method
            given = [part for names in re.findall(PARAMETERS, text) for part in names.split(", ")]
            assert given == list(inspect.signature(getattr(kind, method)).parameters)[1:], method


def test_the_version_is_that_of_the_installed_package():
    from importlib.metadata import version

    assert ib.__version__ == version("implicitbias")


def test_bad_data_are_a_value_error_with_the_same_words():
    from implicitbias.errors import DataError, UnsolvedError

    with pytest.raises(ValueError, match="x must increase") as caught:
        ib.min_norm_interpolant([1, 0], [0, 0])
    assert isinstance(caught.value, DataError)
    assert issubclass(UnsolvedError, ArithmeticError)
    assert str(DataError("a" * 5000)) != "a" * 5000, "messages stay legible"
