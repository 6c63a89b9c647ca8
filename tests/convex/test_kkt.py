"""KKT points of the margin problem, against conditions written out in doubles and optima by column generation."""

from __future__ import annotations

import itertools
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import linprog

import implicitbias as ib
from implicitbias.certificate import kernel
from implicitbias.convex.kkt.limit import kkt_limit
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit, exact_kkt
from implicitbias.errors import DataError


def unit(sign, square, active, **contacts):
    return KKTUnit(sign, Fraction(square), frozenset(active), {int(i[1:]): Fraction(c) for i, c in contacts.items()})


def point(x, labels, multipliers, *units):
    weights = {i: Fraction(weight) for i, weight in multipliers.items()}
    return KKTPoint(tuple(map(Fraction, x)), tuple(labels), weights, units)


KNOWN = {
    "opposite labels": (
        point(["-4/3", "4/3"], [-1, 1], {0: "3/5", 1: "3/5"}, unit(1, "3/5", [1]), unit(-1, "3/5", [0])),
        2,
    ),
    "one class, two kinks, not global": (
        point(["-4/3", "4/3"], [1, 1], {0: "3/5", 1: "3/5"}, unit(1, "3/5", [1]), unit(1, "3/5", [0])),
        2,
    ),
    "one class, a constant": (point(["-4/3", "4/3"], [1, 1], {0: "1/2", 1: "1/2"}, unit(1, 1, [0, 1])), 0),
    "kinks on data points": (
        point(
            [-2, 0, "3/4", "4/3", 2, 3],
            [-1, -1, -1, 1, 1, 1],
            {2: "20/7", 3: "15/7"},
            unit(1, "15/7", [3, 4, 5], i2="24/25"),
            unit(-1, "20/7", [0, 1, 2], i3="24/25"),
        ),
        2,
    ),
    "two units with one kink on a data point": (
        point(
            ["-4/3", 0, "4/3"],
            [1, -1, 1],
            {0: "3/4", 1: "5/2", 2: "3/4"},
            unit(1, "3/2", [2], i1="3/10"),
            unit(1, "3/2", [0], i1="3/10"),
            unit(-1, 1, [0, 1, 2]),
        ),
        1,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_points_are_proved_with_their_kinks(name):
    found, kinks = KNOWN[name]
    document = found.certificate()
    assert kernel.check_certificate(document).valid
    optimal = {} if name == "one class, two kinks, not global" else {"global_optimum": True}
    assert document["claim"] == {"kinks_at_least": kinks, "kinks_at_most": kinks, **optimal}


@pytest.mark.parametrize("name", KNOWN)
def test_networks_at_known_points_are_recognised_exactly_at_any_scale(name):
    given, kinks = KNOWN[name]
    # (w, b, v) = a κ' (ε s, ε): each unit is split in four with v = 1/2 for κ = 1, where κ is a multiple of 1/4
    numbers = {"w": [], "b": [], "v": []}
    lowest = Fraction(1, 420)
    for j in given.units:
        w, b = given.direction(j)
        # Σ v_n² = κ/(420·4) by four squares at most
        for root in four_squares(int(j.square / lowest)):
            numbers["w"].append(j.sign * root * w)
            numbers["b"].append(j.sign * root * b)
            numbers["v"].append(j.sign * root)
    network = ib.Network(**numbers)
    answer = exact_kkt(network, given.x, given.labels)
    assert answer.point is not None, answer.reason
    assert answer.point.certificate()["claim"]["kinks_at_least"] == kinks == ib.linear_regions(network).exact - 1
    assert max(abs(network(x)) for x in given.x) > 100


def four_squares(number):
    for roots in itertools.combinations_with_replacement(range(int(number**0.5) + 1), 4):
        if sum(root * root for root in roots) == number:
            return [Fraction(root) for root in roots if root]
    raise AssertionError


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("two units with one kink on a data point", {"share": 0}, "equations"),
        ("two units with one kink on a data point", {"share": 1}, "equations"),
        (
            "two units with one kink on a data point",
            {"multiplier": (1, Fraction(5, 2) + Fraction(1, 1000))},
            "equations",
        ),
        ("opposite labels", {"multiplier": (0, Fraction(-3, 5))}, "equations"),
        ("opposite labels", {"active": (0, [0])}, "equations"),
        ("kinks on data points", {"square": (0, Fraction(15, 7) + Fraction(1, 10**9))}, "equations"),
        ("kinks on data points", {"active": (0, [3, 4])}, "inactive at the point 5"),
        ("kinks on data points", {"x": (4, Fraction(5, 4))}, "must increase"),
        ("kinks on data points", {"label": 1}, "margin of the point 1 is below 1"),
    ],
)
def test_near_misses_are_refused_with_the_reason(name, change, words):
    right, _ = KNOWN[name]
    x, weights, units = list(right.x), dict(right.multipliers), list(right.units)
    if "share" in change:
        units[0] = KKTUnit(units[0].sign, units[0].square, units[0].active, {1: Fraction(change["share"])})
    if "multiplier" in change:
        weights[change["multiplier"][0]] = change["multiplier"][1]
    if "square" in change:
        units[0] = KKTUnit(units[0].sign, change["square"][1], units[0].active, units[0].contacts)
    if "active" in change:
        units[0] = KKTUnit(units[0].sign, units[0].square, frozenset(change["active"][1]), units[0].contacts)
    labels = [-y if i == change.get("label") else y for i, y in enumerate(right.labels)]
    if "x" in change:
        x[change["x"][0]] = change["x"][1]
    with pytest.raises(DataError, match=words):
        KKTPoint(tuple(x), tuple(labels), weights, tuple(units)).certificate()


def test_networks_that_miss_are_told_why():
    x, labels = ["-4/3", "4/3"], [-1, 1]
    right = (["4/5", "-4/5"], ["3/5", "3/5"], [1, -1])
    assert exact_kkt(ib.Network(*right), x, labels).point is not None
    assert "not balanced" in exact_kkt(ib.Network([1, "-4/5"], right[1], right[2]), x, labels).reason
    assert "not classified" in exact_kkt(ib.Network(*right), x, [1, -1]).reason
    turned = ib.Network(["3/5", "-3/5"], ["4/5", "4/5"], [1, -1])
    assert "multipliers" in exact_kkt(turned, x, labels).reason


def test_a_ramp_with_derivative_0_or_1_at_its_kink_would_refuse_a_true_limit():
    given, _ = KNOWN["kinks on data points"]
    assert {share for j in given.units for share in j.contacts.values()} == {Fraction(24, 25)}


def optimum(x, y):
    """The global optimum by column generation: a linear programme over directions, priced cell by cell."""
    lifted, order = np.stack([x, np.ones_like(x)], axis=1), np.arange(len(x))
    columns = [side * np.array([1, -at]) / np.hypot(1, at) for at in x for side in (1, -1)] + [np.array([0.0, 1.0])]
    for _ in range(60):
        directions = np.array(columns)
        rows = np.maximum(directions @ lifted.T, 0) * y
        found = linprog(
            np.ones(2 * len(directions)), -np.concatenate([rows, -rows]).T, -np.ones(len(x)), method="highs"
        )
        dual = -found.ineqlin.marginals
        new = []
        for k in order:
            for mask in (order >= k, order <= k):
                pull = (dual * y * mask) @ lifted
                if np.hypot(*pull) > 1 + 1e-10:
                    new += [
                        u for u in (pull / np.hypot(*pull), -pull / np.hypot(*pull)) if ((lifted @ u > 0) == mask).all()
                    ]
        if not new:
            break
        columns += new
    size = found.x[: len(directions)] - found.x[len(directions) :]
    kept = np.abs(size) > 1e-9
    v = np.sign(size[kept]) * np.sqrt(np.abs(size[kept]))
    w, b = (directions[kept] * np.abs(v)[:, None]).T
    return SimpleNamespace(w=w, b=b, v=v)


def random_data(rng, switches):
    n = int(rng.integers(switches + 2, switches + 9))
    x = np.sort(rng.choice(np.arange(-2000, 2000), size=n, replace=False)) / 1000
    y = np.ones(n)
    for cut in rng.choice(np.arange(1, n), size=switches, replace=False):
        y[cut:] *= -1
    return x, y


def residual(found):
    """The largest violation of the KKT conditions, all written out in doubles."""
    x, y = np.array([float(at) for at in found.x]), np.array(found.labels)
    dual = np.array([float(found.multipliers.get(i, 0)) for i in range(len(x))])
    values, wrong = np.zeros(len(x)), [max(0, -dual.min())]
    for j in found.units:
        share = np.array([float(j.contacts.get(i, i in j.active)) for i in range(len(x))])
        v = j.sign * float(j.square) ** 0.5
        w, b = v * np.sum(dual * y * share * x), v * np.sum(dual * y * share)
        height = w * x + b
        values += v * np.maximum(height, 0)
        wrong += [abs(v - np.sum(dual * y * np.maximum(height, 0))), max(0, share.max() - 1), max(0, -share.min())]
        wrong += [
            max(0, -h) if i in j.active else abs(h) if i in j.contacts else max(0, h) for i, h in enumerate(height)
        ]
    wrong += [max(0, 1 - (y * values).min()), np.abs(dual * (y * values - 1)).max()]
    return max(wrong)


@pytest.mark.parametrize("switches", range(1, 6))
def test_optima_found_in_doubles_are_certified(switches):
    rng, certified = np.random.default_rng(switches), 0
    for _ in range(3):
        x, y = random_data(rng, switches)
        network = optimum(x, y)
        network.v = network.v * (1 + 1e-9 * rng.normal(size=len(network.v)))
        found = kkt_limit(network, [f"{at:.3f}" for at in x], y.astype(int).tolist())
        assert found.status in ("certified", "undecided")
        if found.status == "certified":
            document = found.point.certificate()
            assert kernel.check_certificate(document).valid
            assert residual(found.point) < 1e-9 * max(map(float, found.point.multipliers.values()))
            # the linear programme is good to 1e-7, and directions to the root of that
            assert found.distance < 1e-3
            assert 1 <= document["claim"]["kinks_at_most"] <= 6 * (switches + 1)
            certified += 1
    assert certified >= 2


def test_one_switch_has_the_limit_in_closed_form():
    """x_a the last -, x_c the first +: λ_a = √(1 + c²)/(c - a), λ_c = √(1 + a²)/(c - a), both kinks on data points."""
    for a, c in (("-1/2", "1/3"), ("1/10", "7/5"), ("-1/4", "2")):
        x = [Fraction(a) - 1, Fraction(a), Fraction(c), Fraction(c) + 2]
        network = optimum(np.array([float(at) for at in x]), np.array([-1.0, -1, 1, 1]))
        point = kkt_limit(network, x, [-1, -1, 1, 1]).point
        low, high = Fraction(a), Fraction(c)
        assert set(point.multipliers) == {1, 2}
        for own, other in ((1, high), (2, low)):
            assert abs(point.multipliers[own] ** 2 - (1 + other**2) / (high - low) ** 2) < Fraction(1, 10**20)


def test_what_is_no_limit_is_said_to_be_none():
    x, y = [-1.0, 0.5, 1.0], [-1, 1, 1]
    wrong = kkt_limit(SimpleNamespace(w=[1.0], b=[0.1], v=[1.0]), x, y)
    assert (wrong.status, "not classified" in wrong.reason) == ("no", True)
    network = optimum(np.array(x), np.array(y, dtype=float))
    turned = SimpleNamespace(w=network.w, b=network.b + 0.2, v=network.v)
    assert kkt_limit(turned, x, y).point is None


def test_a_tie_on_a_plateau_is_settled_by_its_line():
    """The optimum is -1 all along from -0.3 to 0.4, on further points there too, which need no multipliers."""
    x, y = ["-1.5", "-0.3", "0.4", "1.7"], [1, -1, -1, 1]
    network = optimum(np.array([float(at) for at in x]), np.array(y, dtype=float))
    found = kkt_limit(network, x, y)
    assert found.status == "certified", found.reason
    tied = kkt_limit(network, [*x[:2], "-0.1", "0", "0.1", *x[2:]], [*y[:2], -1, -1, -1, *y[2:]])
    assert tied.status == "certified", tied.reason
    assert set(tied.point.multipliers) == {0, 1, 5, 6}
    assert tied.point.certificate()["claim"] == found.point.certificate()["claim"]


def with_a_point(found, at, label):
    """The same point with one more of the data, which has no multiplier; units active at it where they are."""
    n = sum(x < at for x in found.x)
    moved = [i + (i >= n) for i in range(len(found.x))]
    units = []
    for j in found.units:
        w, b = found.direction(j)
        active = {moved[i] for i in j.active} | ({n} if j.sign * (w * at + b) > 0 else set())
        units.append(KKTUnit(j.sign, j.square, frozenset(active), {moved[i]: c for i, c in j.contacts.items()}))
    multipliers = {moved[i]: weight for i, weight in found.multipliers.items()}
    labels = (*found.labels[:n], label, *found.labels[n:])
    return KKTPoint((*found.x[:n], at, *found.x[n:]), labels, multipliers, tuple(units), found.radius)


def test_points_next_to_a_line_are_no_ties():
    """A point on the slope beside a plateau, violated by less than the enclosure is wide, is not saved by the line."""
    x, y = ["-1.5", "-0.3", "0.4", "1.7"], [1, -1, -1, 1]
    found = kkt_limit(optimum(np.array([float(at) for at in x]), np.array(y, dtype=float)), x, y).point
    assert with_a_point(found, Fraction("0.1"), -1).certificate()
    for at in ("0.4", "-0.3"):
        side = 1 if at == "0.4" else -1
        assert with_a_point(found, Fraction(at) - side * Fraction(1, 10**30), -1).certificate()
        with pytest.raises(DataError, match="such a tie is undecided"):
            with_a_point(found, Fraction(at) + side * Fraction(1, 10**30), -1).certificate()
    with pytest.raises(DataError, match="is below 1"):
        with_a_point(found, Fraction("0.1"), 1).certificate()


def kinks_in_digits(found):
    """Kinks counted from the numbers alone: places closer than 1e-20 taken as one, bends below 1e-20 as none."""
    bends = []
    for j in found.units:
        w, b = found.direction(j)
        if abs(w) > Fraction(1, 10**20):
            bends.append((-b / w, j.sign * j.square * abs(w)))
    clusters = []
    for at, bend in sorted(bends):
        if clusters and at - clusters[-1][0] < Fraction(1, 10**20):
            clusters[-1][1] += bend
        else:
            clusters.append([at, bend])
    return sum(abs(bend) > Fraction(1, 10**20) for _, bend in clusters)


@pytest.mark.parametrize("switches", [2, 3, 4])
def test_kinks_of_mirrored_and_flat_units_are_counted_exactly(switches):
    """With switches come flat units, and right and left ones at one place: only their equations say so."""
    rng, shared = np.random.default_rng(10 + switches), 0
    for _ in range(3):
        x, y = random_data(rng, switches)
        found = kkt_limit(optimum(x, y), [f"{at:.3f}" for at in x], y.astype(int).tolist())
        if found.status == "certified":
            kinks = kinks_in_digits(found.point)
            claim = found.point.certificate()["claim"]
            assert claim == {"kinks_at_least": kinks, "kinks_at_most": kinks, "global_optimum": True}
            shared += kinks < len(found.point.units)
    assert shared >= 2 or switches == 2


def test_many_copies_of_a_unit_count_as_one():
    given, kinks = KNOWN["opposite labels"]
    rng = np.random.default_rng(4)
    scale = [Fraction(int(k), 7) for k in rng.integers(1, 40, 3000)]
    w = [s * Fraction(4, 5) for s in scale] + [-s * Fraction(4, 5) for s in scale]
    b = [s * Fraction(3, 5) for s in scale] * 2
    answer = exact_kkt(ib.Network(w, b, [*scale, *(-s for s in scale)]), given.x, given.labels)
    assert answer.point is not None, answer.reason
    assert len(answer.point.units) == 2
    assert [j.square for j in answer.point.units] == [Fraction(3, 5)] * 2
    many = SimpleNamespace(
        w=np.array(w, dtype=float), b=np.array(b, dtype=float), v=np.array([*scale, *(-s for s in scale)], dtype=float)
    )
    found = kkt_limit(many, given.x, given.labels)
    assert (found.status, len(found.point.units), found.point.certificate()["claim"]["kinks_at_most"]) == (
        "certified",
        2,
        kinks,
    )


def test_redundant_units_leave_a_certified_point_with_fewer():
    """Three pairs of units bend at one place each: their squares can be shifted, and KKT points form a continuum."""
    x = [-1.254, -0.63, -0.526, -0.504, -0.202, 0.066, 0.147, 0.531, 0.627, 1.777, 1.947]
    y = [1, -1, -1, -1, -1, 1, -1, 1, 1, -1, 1]
    found = kkt_limit(optimum(np.array(x), np.array(y, dtype=float)), [f"{at}" for at in x], y)
    assert (found.status, found.thinned) == ("certified", True), found.reason
    assert residual(found.point) < 1e-9 * max(map(float, found.point.multipliers.values()))


@pytest.mark.parametrize("switches", [1, 2, 3])
def test_hidden_points_are_found_again_behind_copies_noise_and_dead_units(switches):
    """Every unit split into copies, weights moved by 1e-6, units that carry nothing added: the same cost comes out."""
    rng = np.random.default_rng(30 + switches)
    x, y = random_data(rng, switches)
    places, labels = [f"{at:.3f}" for at in x], y.astype(int).tolist()
    hidden = kkt_limit(optimum(x, y), places, labels).point
    rows = []
    for j in hidden.units:
        w, b = map(float, hidden.direction(j))
        for _ in range(3):
            rows.append(np.array([w, b, 1]) * j.sign * (float(j.square) / 3) ** 0.5)
    rows = np.array([*rows, [1e-4, -9, 1e-7]]) * (1 + 1e-6 * rng.normal(size=(len(rows) + 1, 3)))
    found = kkt_limit(SimpleNamespace(w=rows[:, 0], b=rows[:, 1], v=rows[:, 2]), places, labels)
    assert found.status == "certified", found.reason
    assert float(sum(j.square for j in found.point.units)) == pytest.approx(
        float(sum(j.square for j in hidden.units)), rel=1e-9
    )
    turned = SimpleNamespace(w=rows[:, 0], b=rows[:, 1] + 0.2, v=rows[:, 2])
    assert kkt_limit(turned, places, labels).point is None


@pytest.mark.parametrize(("x", "labels"), [([0, 1], [1, 0]), ([1, 0], [1, -1]), ([], []), ([0], [1, -1])])
def test_bad_data_are_refused(x, labels):
    with pytest.raises(DataError):
        exact_kkt(ib.Network([1], [0], [1]), x, labels)
