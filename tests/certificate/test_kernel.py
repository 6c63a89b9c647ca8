"""The trusted checker: every true certificate passes, no false one does, and nothing it is fed makes it fall over."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate import kernel
from implicitbias.certificate.kernel import UnreadableError, check_certificate, check_text, digest
from implicitbias.certificate.kinds import minimum_norm
from implicitbias.certificate.rational import Rational
from implicitbias.convex.minimum_norm.few_kinks import with_few_kinks
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from tests.support.corruptions import changed, corrupted

KERNEL = Path(kernel.__file__)
DATA: list[tuple[list[Any], list[Any]]] = [
    ([0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1]),
    ([0, 1, 2, 3, 4, 5], [5, 2, 1, 1, 2, 5]),
    (["-2.7", "-1.8", "2", "4.9"], ["-8.2", "-5.3", "5.9", "14.6"]),
    (["0.1", "1.3", "3.4"], ["2.8", "-2.6", "-2.9"]),
    ([0, 2], [5, 1]),
    ([0, 1, 3], [0, -1, -3]),
    ([0, 1, 2, 3], [0, 0, 1, 3]),
    ([0, 1, 2, 3, 4], [0, 1, 2, 1, 0]),
    ([7], [3]),
    ([0, 1, 2], [4, 4, 4]),
]


def certificates() -> list[dict[str, Any]]:
    found = [min_norm_interpolant(x, y) for x, y in DATA]
    documents = [f.certificate() for f in found]
    documents += [f.certificate(with_few_kinks(f)) for f in found]
    documents += [f.certificate(f.spline("1/3")) for f in found]
    for f, share in ((f, share) for f in found for share in ("1", "0", "2/7")):
        document = f.certificate()
        document["primal"] = {"left_share": share}
        documents.append(signed(document))
    return documents


def signed(document: dict[str, Any]) -> dict[str, Any]:
    document["digest"] = digest(document)
    return document


def test_certificates_of_all_forms_are_valid() -> None:
    for document in certificates():
        outcome = check_certificate(document)
        assert outcome.valid, (outcome.reason, document)
        assert check_text(json.dumps(document, indent=2)) == outcome


def truth(document: dict[str, Any]) -> bool:
    """Whether a document of the right shape is true, by the project's own code: closed form and PiecewiseLinear."""
    found = min_norm_interpolant(document["data"]["x"], document["data"]["y"])
    claim = document["claim"]
    ends = [[Fraction(slope) for slope in pair] for pair in claim["end_slopes"]]
    if (Fraction(claim["value"]), claim["unique"]) != (found.cost, found.unique):
        return False
    if ends != [list(found.end_slopes.first), list(found.end_slopes.last)]:
        return False
    primal = document["primal"]
    if "function" in primal:
        given = primal["function"]
        f = PiecewiseLinear(given["knots"], given["values"], given["left_slope"], given["right_slope"])
    else:
        f = found.spline(primal["left_share"])
    p = tuple(map(Fraction, document["dual"]["p"]))
    dual = type(found.dual)(found.x, p)
    attained = max(f.total_variation, abs(f.end_slope_sum))
    return (
        [f(at) for at in found.x] == list(found.y)
        and p[-1] == 0
        and all(abs(value) <= 1 and abs(value - p[0]) <= 1 for value in p)
        and attained == found.cost == dual.bound(found.y)
    )


def test_a_thousand_corruptions_of_one_field_are_all_refused() -> None:
    rng, documents, refused = random.Random(1), certificates(), 0
    while refused < 1000:
        forged = corrupted(rng.choice(documents), rng)
        if forged is not None:
            outcome = check_certificate(forged)
            assert not outcome.valid, forged
            assert outcome.reason
            assert not check_text(json.dumps(forged)).valid
            refused += 1


def test_corruptions_with_a_new_digest_pass_only_where_they_are_another_truth() -> None:
    rng, documents, passed, refused = random.Random(2), certificates(), 0, 0
    while refused < 1000:
        forged = corrupted(rng.choice(documents), rng)
        if forged is None or "digest" not in forged:
            continue
        outcome = check_certificate(signed(forged))
        if outcome.valid:
            assert truth(forged), forged
            passed += 1
        else:
            assert outcome.reason
            refused += 1
            try:
                right = truth(forged)
            except Exception:  # not of the right shape
                right = False
            # What is true and yet refused is refused for its form, which the reason names.
            assert not right or "must" in outcome.reason or "field" in outcome.reason, (outcome.reason, forged)
    assert passed > 0


@pytest.mark.parametrize("corruption", range(60))
def test_false_claims_about_the_mathematics_are_refused_before_the_digest_is_looked_at(corruption: int) -> None:
    rng = random.Random(corruption)
    document = rng.choice(certificates())
    path = rng.choice([("claim", "value"), ("claim", "unique"), ("claim", "end_slopes", 0, 0), ("data", "y", 0)])
    place: Any = document
    for step in path:
        place = place[step]
    if path[-1] == "unique":
        forged = changed(document, path, not place)
    else:
        forged = changed(document, path, str(Fraction(place) + Fraction(1, 10**9)))
        if path[0] == "data" and len(document["data"]["y"]) == 1:
            return
    outcome = check_certificate(forged)
    assert not outcome.valid
    assert "digest" not in outcome.reason
    assert check_certificate(signed(forged)).reason == outcome.reason


def false_pairs() -> Iterator[tuple[str, dict[str, Any], str]]:
    case_a = min_norm_interpolant([0, 1, 2, 3], [0, 1, 0, 0]).certificate()
    case_b = min_norm_interpolant([0, 1, 2], [0, 1, 3]).certificate()
    yield (
        "a kink off the data where p is not ±1",
        changed(
            case_a,
            ("primal", "function"),
            {
                "knots": ["0", "1/2", "1", "2", "3"],
                "values": ["0", "1", "1", "0", "0"],
                "left_slope": "2",
                "right_slope": "0",
            },
        ),
        "complementary slackness fails at knot",
    )
    yield (
        "a kink to the left of the data",
        changed(
            case_a,
            ("primal", "function"),
            {"knots": ["-1", "1", "2", "3"], "values": ["-1", "1", "0", "0"], "left_slope": "2", "right_slope": "0"},
        ),
        "complementary slackness fails at knot 0",
    )
    yield (
        "a kink to the right of the data",
        changed(
            case_a,
            ("primal", "function"),
            {"knots": ["0", "1", "2", "4"], "values": ["0", "1", "0", "0"], "left_slope": "1", "right_slope": "5"},
        ),
        "complementary slackness fails at knot 3",
    )
    yield (
        "a function beside the data",
        changed(case_a, ("primal", "function", "values", 1), "2"),
        "misses the data point 1",
    )
    yield "a dual beyond 1", changed(case_a, ("dual", "p", 1), "-3/2"), "breaks"
    yield "a dual that is no combination of ramps", changed(case_a, ("dual", "p", 3), "1/2"), "must end with 0"
    yield "a dual too far from m", changed(case_b, ("dual", "p", 1), "-1/2"), "breaks"
    yield "a slack dual", changed(case_a, ("dual", "p", 1), "1/2"), "complementary slackness"
    yield (
        "the right value of a function that is not optimal",
        changed(
            changed(
                case_b,
                ("primal", "function"),
                {"knots": ["0", "1", "2"], "values": ["0", "1", "3"], "left_slope": "1", "right_slope": "2"},
            ),
            ("claim", "value"),
            "3",
        ),
        "do not attain weak duality",
    )
    tie = min_norm_interpolant([-1, 0, 1], [0, 0, 1]).certificate()
    yield "a dual for the other sign of s", changed(tie, ("dual", "p"), ["-1", "0", "0"]), "do not attain weak duality"
    tie["primal"] = {"left_share": "1"}
    yield "the same for the spline", changed(tie, ("dual", "p"), ["-1", "0", "0"]), "weak duality is not attained"
    spline = changed(case_a, ("primal",), {"left_share": "1"})
    yield "a dual for T = |s|", changed(spline, ("dual", "p"), ["1", "0", "1", "0"]), "weak duality is not attained"
    yield "too low a value", changed(case_a, ("claim", "value"), "2"), "claim.value is not"
    yield (
        "the other regime's end slopes",
        changed(case_b, ("claim", "end_slopes"), [["1", "2"], ["1", "2"]]),
        "end_slopes[0]",
    )
    yield "a share above 1", changed(case_b, ("primal",), {"left_share": "2"}), "must lie in [0, 1]"
    yield "uniqueness of one of many", changed(case_b, ("claim", "unique"), True), "claim.unique must be false"
    yield "denied uniqueness", changed(case_a, ("claim", "unique"), False), "claim.unique must be true"
    yield "unsorted data", changed(case_a, ("data", "x"), ["1", "0", "2", "3"]), "data.x must increase"
    yield "missing values", changed(case_a, ("data", "y"), ["1", "0", "2"]), "data.x has 4 numbers and data.y has 3"
    yield "no data", changed(case_a, ("data",), {"x": [], "y": []}), "data.x is empty"


@pytest.mark.parametrize(
    ("name", "document", "says"), list(false_pairs()), ids=lambda v: v if isinstance(v, str) else ""
)
def test_false_pairs_are_refused_with_the_reason(name: str, document: dict[str, Any], says: str) -> None:
    outcome = check_certificate(signed(document))
    assert not outcome.valid
    assert says in outcome.reason


def test_another_minimiser_is_another_valid_certificate_but_not_under_the_old_digest() -> None:
    found = min_norm_interpolant([0, 1, 2, 3], [1, 0, 0, 1])
    document = found.certificate()
    f = with_few_kinks(found)
    primal = {"knots": ["3/2"], "values": ["-1/2"], "left_slope": str(f.left_slope), "right_slope": str(f.right_slope)}
    other = changed(document, ("primal", "function"), primal)
    assert "digest" in check_certificate(other).reason
    assert check_certificate(signed(other)).valid


def test_a_kink_beyond_the_data_may_be_optimal_where_end_slopes_are_free() -> None:
    document = min_norm_interpolant([0, 1], [0, 1]).certificate()
    primal = {"knots": ["-5"], "values": ["-5"], "left_slope": "0", "right_slope": "1"}
    assert check_certificate(signed(changed(document, ("primal", "function"), primal))).valid


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


VALID = json.dumps(min_norm_interpolant([0, 1], [0, 1]).certificate())


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


def test_a_value_too_long_to_be_written_is_enclosed_and_the_enclosure_is_checked() -> None:
    rng = random.Random(0)
    # Denominators of 17 digits each: their common denominator has about 17 n digits.
    x = sorted({Fraction(rng.randrange(10**17), 10**17) for _ in range(600)})
    for noise, moved in ((1, False), (Fraction(1, 10**30), True)):
        y = [3 * v + noise * rng.randrange(10**17) / 10**17 for v in x]
        found = min_norm_interpolant(x, y)
        assert (found.correction > 0) == moved
        document = found.certificate()
        value = document["claim"]["value"]
        assert Fraction(value["at_least"]) < found.cost < Fraction(value["at_most"])
        assert check_certificate(document).valid
        for end, step in (("at_least", 1), ("at_most", -1)):
            gap = Fraction(value["at_most"]) - Fraction(value["at_least"])
            forged = changed(document, ("claim", "value", end), str(Fraction(value[end]) + step * gap))
            assert "claim.value does not lie between" in check_certificate(signed(forged)).reason
        exact = changed(document, ("claim", "value"), value["at_least"])
        assert "claim.value is not" in check_certificate(signed(exact)).reason
        if moved:
            assert document["primal"] == {"left_share": "1"}
            left = document["claim"]["end_slopes"][0][0]
            forged = changed(document, ("claim", "end_slopes", 0, 0, "at_most"), left["at_least"])
            assert "end_slopes[0][0] does not lie" in check_certificate(signed(forged)).reason


def test_enclosures_and_exact_sums_come_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    for document in certificates():
        assert check_certificate(document).valid
        value = document["claim"]["value"]
        forged = changed(document, ("claim", "value"), str(Fraction(value) + Fraction(1, 10**2000)))
        assert "claim.value is not" in check_certificate(signed(forged)).reason


def test_the_ends_of_an_enclosure_are_not_taken_for_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    document = min_norm_interpolant([0, 3, 10, 23], [0, 1, -1, 5]).certificate()
    slopes = [Rational(1, 3), Rational(-2, 7), Rational(6, 13)]
    for bits in minimum_norm.PRECISIONS[:1]:
        for end in minimum_norm._Variation(slopes, [-1, 1]).bounds(bits):
            forged = changed(document, ("claim", "value"), str(Fraction(end, 2**bits)))
            assert "claim.value is not" in check_certificate(signed(forged)).reason


def test_what_cannot_be_decided_within_the_limits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # A tie, T_int = |a + b|, is seen by no enclosure.
    document = min_norm_interpolant(["0", "1", "4", "11"], ["0", "0", "1", "3"]).certificate()
    assert check_certificate(document).valid
    monkeypatch.setattr(minimum_norm, "EASY_BITS", -1)
    monkeypatch.setattr(minimum_norm, "MAX_EXACT_BITS", 0)
    outcome = check_certificate(document)
    assert not outcome.valid
    assert "undecided" in outcome.reason


def test_where_python_reads_fewer_digits_a_longer_number_is_refused() -> None:
    document = min_norm_interpolant([0, 10**700], [0, 1]).certificate()
    assert check_certificate(document).valid
    usual = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        assert "data.x[1] must be a rational" in check_certificate(document).reason
    finally:
        sys.set_int_max_str_digits(usual)


def test_the_checker_runs_alone_without_the_project(tmp_path: Path) -> None:
    """The folder under another name, elsewhere, and nothing that is installed."""
    shutil.copytree(KERNEL.parent, tmp_path / "trusted", ignore=shutil.ignore_patterns("__pycache__"))
    files = {"valid": VALID, "refused": VALID.replace('"unique": false', '"unique": true'), "no": "x,y"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for name, code, says in (
        ("valid", 0, "valid: About 2 points, inputs from 0 to 1, the first 0 -> 0, the last 1 -> 1 (SHA-256 of data "),
        ("refused", 1, "refused: claim.unique"),
        ("no", 2, ""),
        ("-", 2, ""),
    ):
        run = subprocess.run(
            [sys.executable, "-I", "-S", tmp_path / "trusted" / "kernel.py", tmp_path / name],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stdout.startswith(says)) == (code, True)
        assert ("unreadable" in run.stderr) == (code == 2)
        assert "Traceback" not in run.stderr


def test_a_copy_that_is_not_whole_says_so_and_does_not_look_like_a_refusal(tmp_path: Path) -> None:
    shutil.copy(KERNEL, tmp_path)
    run = subprocess.run([sys.executable, "-I", "-S", tmp_path / "kernel.py", "x"], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert "must lie next to it" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_kind_of_certificate_is_a_file_in_the_folder_kinds(tmp_path: Path) -> None:
    shutil.copytree(KERNEL.parent, tmp_path / "trusted")
    (tmp_path / "trusted" / "kinds" / "trivial.py").write_text(
        "from ..reading import Fields, Kind, read_number\n\n"
        "def check(document: Fields) -> str:\n    return f\"{read_number(document['n'], 'n')} is a number.\"\n\n"
        'KIND = Kind("a number", ("n",), check)\n'
    )
    document = {"format": "implicitbias certificate", "version": 1, "kind": "a number", "n": "7/2"}
    (tmp_path / "proof.json").write_text(json.dumps(signed(document)))
    run = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "trusted" / "kernel.py", tmp_path / "proof.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "valid: 7/2 is a number.\n"), run.stderr
