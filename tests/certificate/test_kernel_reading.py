"""What the trusted checker reads: numbers of one spelling, documents of one form; nothing else makes it fall over."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate.kernel import UnreadableError, check_certificate, check_text
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from tests.support.certificates import VALID, signed
from tests.support.corruptions import changed


@pytest.mark.parametrize(
    "text",
    [
        "1.0",
        "1e3",
        "01",
        "-0",
        "+1",
        " 1",
        "1 ",
        "2/4",
        "1/1",
        "3/-1",
        "0/2",
        "1/0",
        "١",
        "1_000",
        "",
        "-",
        "nan",
        "inf",
        "0x1",
    ],
)
def test_a_number_has_one_spelling(text: str) -> None:
    document = min_norm_interpolant([0, 1], [0, 1]).certificate()
    outcome = check_certificate(signed(changed(document, ("data", "y", 1), text)))
    assert "must be a rational in lowest terms as text" in outcome.reason


@pytest.mark.parametrize("value", [1, 1.0, True, None, [], {}, ["1"], float("nan")])
def test_a_number_is_text(value: Any) -> None:
    document = min_norm_interpolant([0, 1], [0, 1]).certificate()
    assert "data.y[1] must be" in check_certificate(changed(document, ("data", "y", 1), value)).reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (VALID.replace('"version": 1', '"version": 1.0'), "the float '1.0' is refused"),
        (VALID.replace('"version": 1', '"version": true'), "version must be 1"),
        (VALID.replace('"version": 1', '"version": 2'), "version must be 1"),
        (VALID.replace('"version": 1', '"version": NaN'), "the float 'NaN' is refused"),
        (VALID.replace('"version": 1', '"version": ' + "9" * 5000), "the JSON integer"),
        (VALID.replace('"version": 1', '"version": 1, "version": 1'), "the field 'version' is repeated"),
        (VALID.replace('"unique": false', '"unique": false, "unique": false'), "the field 'unique' is repeated"),
        (VALID.replace('"unique": false', '"unique": 0'), "claim.unique must be false"),
        (VALID.replace("minimum-norm", "maximum-norm"), "kind must be one of"),
        (VALID.replace("implicitbias certificate", "certificate"), "format must be"),
        (VALID.replace('"y": ["0"', f'"y": ["{"7" * 5000}"'), "of at most 4000 digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("{}", "format must be"),
        ("[]", "a certificate is a JSON object, not a list"),
        ("7", "a certificate is a JSON object, not an integer"),
        ("null", "a certificate is a JSON object, not null"),
        ("1e400", "the float"),
        ('"\\ud800"', "not a text"),
        (VALID.replace('"digest": "', '"digest": "0'), "64 hexadecimal digits"),
        (VALID.replace('"digest"', '"remark": "\\ud800", "digest"'), "unknown field 'remark'"),
    ],
)
def test_hostile_texts_are_refused_with_a_reason(text: str, says: str) -> None:
    outcome = check_text(text)
    assert not outcome.valid
    assert says in outcome.reason


@pytest.mark.parametrize(
    "content", [b"", b"x,y\n0,1\n", b"\xff\xfe\x00", b"\x00" * 10, VALID[:-5].encode(), b"{'a': 1}"]
)
def test_what_is_no_json_is_unreadable(content: bytes) -> None:
    with pytest.raises(UnreadableError):
        check_text(content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["0", "1", "-1/2"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["x", "y", "p", "function"]), inner),
    max_leaves=8,
)


@given(st.sampled_from(["data", "primal", "dual", "claim", "format", "version", "kind", "digest"]), json_values)
def test_nothing_in_place_of_a_field_makes_the_checker_raise(name: str, value: Any) -> None:
    document = json.loads(VALID)
    if document[name] == value and type(document[name]) is type(value):
        return
    assert not check_certificate({**document, name: value}).valid


@given(json_values)
def test_nothing_in_place_of_the_certificate_makes_the_checker_raise(value: Any) -> None:
    assert not check_certificate(value).valid


def test_where_python_reads_fewer_digits_a_longer_number_is_refused() -> None:
    document = min_norm_interpolant([0, 10**700], [0, 1]).certificate()
    assert check_certificate(document).valid
    usual = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        assert "data.x[1] must be a rational" in check_certificate(document).reason
    finally:
        sys.set_int_max_str_digits(usual)
