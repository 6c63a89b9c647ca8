"""Certificates of KKT points: what is altered is refused; what is forged is refused where it is false."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from implicitbias.certificate import kernel
from implicitbias.certificate.parts.kkt_system import System
from implicitbias.certificate.rational import Rational
from implicitbias.certificate.reading import read_numbers
from implicitbias.convex.kkt.limit import kkt_limit
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit


def exact_point() -> dict[str, Any]:
    """Two kinks on data points, with the Clarke coefficient 24/25."""
    x = tuple(map(Fraction, ("-2", "0", "3/4", "4/3", "2", "3")))
    share, units = Fraction(24, 25), []
    units.append(KKTUnit(1, Fraction(15, 7), frozenset({3, 4, 5}), {2: share}))
    units.append(KKTUnit(-1, Fraction(20, 7), frozenset({0, 1, 2}), {3: share}))
    return KKTPoint(x, (-1, -1, -1, 1, 1, 1), {2: Fraction(20, 7), 3: Fraction(15, 7)}, tuple(units)).certificate()


def enclosed_point() -> dict[str, Any]:
    """One switch between -1/2 and 1/3 in closed form: κ_R = √(1 + a²)/(c - a), its mirror image, irrational."""
    a, c = -0.5, 1 / 3
    right, left = ((1 + a * a) ** 0.5 / (c - a)) ** 0.5, ((1 + c * c) ** 0.5 / (c - a)) ** 0.5
    w = [right / (1 + a * a) ** 0.5, -left / (1 + c * c) ** 0.5]
    network = SimpleNamespace(w=w, b=[-a * w[0], -c * w[1]], v=[right, -left])
    found = kkt_limit(network, ["-2", "-1/2", "1/3", "3"], [-1, -1, 1, 1])
    assert found.point is not None
    assert found.point.radius > 0
    return found.point.certificate()


MAKERS = {"exact": exact_point, "enclosed": enclosed_point}


@pytest.fixture(scope="module", params=MAKERS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    made: dict[str, Any] = MAKERS[request.param]()
    return made


def fields(value: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from fields(inner, (*path, key))


def changed(document: dict[str, Any], path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    forged = copy.deepcopy(document)
    place: Any = forged
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    return forged


def alterations(value: Any, rng: random.Random) -> list[Any]:
    if isinstance(value, bool | dict):
        return [None]
    if isinstance(value, int):
        return [value + 1, -value - 2, str(value), float(value)]
    if isinstance(value, list):
        return [value[1:], value + value[:1], value[::-1], "x"] if value else [[0], None]
    try:
        number = Fraction(value)
    except ValueError:
        return [value + "x", "", value.upper() + " "]
    return [str(number + step) for step in (1, -1, Fraction(1, 10**9), Fraction(rng.randrange(1, 9), 7))] + [
        float(number)
    ]


def signed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "digest": kernel.digest(document)}


def test_the_document_is_accepted_and_says_how_many_kinks(document: dict[str, Any]) -> None:
    outcome = kernel.check_certificate(document)
    assert outcome.valid, outcome.reason
    assert "2 kinks, linear regions: 3" in outcome.statement


def test_every_single_altered_field_is_refused(document: dict[str, Any]) -> None:
    rng, tried = random.Random(1), 0
    for path, value in fields(document):
        for new in alterations(value, rng) if path else ():
            if new != value or type(new) is not type(value):
                outcome = kernel.check_certificate(changed(document, path, new))
                assert not outcome.valid, (path, new)
                assert outcome.reason
                tried += 1
    assert tried > 100


def test_forged_digests_pass_only_where_the_document_is_still_true(document: dict[str, Any]) -> None:
    """Alterations that leave a truth: outer data moved, claims and cubes widened, units in another order."""
    rng = random.Random(2)
    for path, value in fields(document):
        for new in alterations(value, rng) if path and path[0] not in ("digest", "format", "version", "kind") else ():
            if new == value and type(new) is type(value):
                continue
            forged = signed(changed(document, path, new))
            if not kernel.check_certificate(forged).valid:
                continue
            outer = path[:2] == ("data", "x") and path[2] not in moved_points(document)
            wider = path in (("claim", "kinks_at_most"), ("units",), ("radius",))
            assert outer or wider, (path, new)


def moved_points(document: dict[str, Any]) -> set[int]:
    return {pair[0] for pair in document["multipliers"]}


@pytest.mark.parametrize(
    ("path", "new", "words"),
    [
        (("multipliers", 0, 1), "3", "equations"),
        (("units", 0, "square"), "15/8", "equations"),
        (("units", 0, "sign"), -1, "units"),
        (("units", 0, "contacts", 0, 1), "1", "equations"),
        (("units", 0, "contacts", 0, 1), "0", "equations"),
        (("units", 0, "contacts"), [], "equations"),
        (("units", 0, "active"), [3, 4], "inactive"),
        (("data", "labels", 0), 1, "margin of the point 0"),
        (("data", "labels", 0), True, "list of 1 and -1"),
        (("claim", "kinks_at_least"), 3, "0 <= kinks_at_least <= kinks_at_most"),
        (("claim", "kinks_at_most"), 1, "0 <= kinks_at_least <= kinks_at_most"),
        (("claim",), {"kinks_at_least": 3, "kinks_at_most": 4}, "between 2 and 2"),
        (("radius",), "-1", "negative"),
        (("radius",), "1", "contraction"),
        (("units",), [], "at least one unit"),
    ],
)
def test_forgeries_with_a_right_digest_are_refused_for_what_is_false(path: Any, new: Any, words: str) -> None:
    outcome = kernel.check_certificate(signed(changed(exact_point(), path, new)))
    assert not outcome.valid
    assert words in outcome.reason


@pytest.mark.parametrize(
    ("x", "labels", "multipliers", "units", "words"),
    [
        (["1", "2"], [1, 1], ["2", "-1"], [(1, "1", [0, 1], [])], "multiplier of the point 1"),
        (["-1", "1"], [1, 1], ["1/2", "1/2"], [(1, "2", [0, 1], []), (1, "-1", [0, 1], [])], "units[1].square"),
        (
            # one switch with a c < -1: the closed form for kinks on data points gives (1 + a c)/(|x_a||x_c|) < 0
            ["-4/3", "12/5"],
            [-1, 1],
            ["39/56", "25/56"],
            [(1, "25/56", [1], [[0, "-33/65"]]), (-1, "39/56", [0], [[1, "-33/65"]])],
            "Clarke coefficient at the point 0",
        ),
        (["-1", "1"], [1, 1], ["1/2", "1/2"], [(1, "2", [0, 1], [])], "equations"),
    ],
)
def test_each_inequality_is_needed_where_the_equations_hold(
    x: Any, labels: Any, multipliers: Any, units: Any, words: str
) -> None:
    """All but the last satisfy every equation, and violate one inequality; the last only misses y f(x) = 1."""
    document = {
        **{name: exact_point()[name] for name in ("format", "version", "kind")},
        "data": {"x": x, "labels": labels},
        "multipliers": [[i, weight] for i, weight in enumerate(multipliers)],
        "units": [{"sign": e, "square": k, "active": a, "contacts": c} for e, k, a, c in units],
        "radius": "0",
        "claim": {"kinks_at_least": 0, "kinks_at_most": 2},
    }
    outcome = kernel.check_certificate(signed(document))
    assert (outcome.valid, words in outcome.reason) == (False, True), outcome.reason


def test_an_enclosure_that_misses_the_solution_is_refused() -> None:
    document = enclosed_point()
    for shift in (Fraction(1, 10**12), Fraction(1, 10**3)):
        value = Fraction(document["multipliers"][0][1]) + shift
        outcome = kernel.check_certificate(signed(changed(document, ("multipliers", 0, 1), str(value))))
        assert (outcome.valid, "contraction" in outcome.reason) == (False, True)


def test_a_unit_given_twice_is_no_isolated_point() -> None:
    document = enclosed_point()
    half = copy.deepcopy(document["units"][0])
    half["square"] = str(Fraction(half["square"]) / 2)
    forged = signed(changed(document, ("units",), [half, half, document["units"][1]]))
    outcome = kernel.check_certificate(forged)
    assert not outcome.valid
    assert "singular" in outcome.reason or "contraction" in outcome.reason


def test_derivatives_of_the_equations_are_difference_quotients() -> None:
    document = enclosed_point()
    x, labels = read_numbers(document["data"]["x"], "x"), document["data"]["labels"]
    system = System(document, x, labels)
    base, slopes = system.equations(0)
    step = Rational(1, 10**30)
    for k in range(len(system.z)):
        system.z[k] += step
        for (value, _), (before, _), by in zip(system.equations(0)[0], base, slopes, strict=True):
            assert abs((value - before) / step - by.get(k, (Rational(0),))[0]) < Rational(1, 10**20)
        system.z[k] -= step


def test_a_kink_on_a_point_without_multiplier_is_no_obstacle() -> None:
    """The limit for - - + - at -1, 0, 1, 2 has irrational multipliers and a kink exactly on -1, which has none."""
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.optimum import margin_optimum

    x, labels = [-1, 0, 1, 2], [-1, -1, 1, -1]
    near = margin_optimum(x, labels)
    assert near is not None
    found = kkt_limit(near, x, labels, 1e-6)
    assert found.status == "certified", found.reason
    assert found.point is not None
    assert 0 not in found.point.multipliers
    assert found.point.radius > 0
    assert abs(float(sum(found.point.multipliers.values())) - 4.5 * 2**0.5) < 1e-12
