"""The names that a user imports: `import implicitbias as ib`."""

from __future__ import annotations

import doctest

import pytest

import implicitbias as ib


@pytest.mark.parametrize("name", ib.__all__)
def test_every_promised_name_is_there(name):
    assert callable(getattr(ib, name))
    assert name in dir(ib)


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing"):
        _ = ib.nothing


def test_the_example_of_the_package_is_true():
    assert doctest.testmod(ib).failed == 0


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
