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
