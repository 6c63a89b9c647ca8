"""Section 5: few linear regions, polynomials of low degree with the same sign, and VC dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from implicitbias.claims import Context, Derivation, Observation, Step, certificate, claim, proof, seen

from ..observed.data.targets import constant_intervals, fewest_regions, network_for, sign, wave, zeros
from ..observed.margin.sign_changes import alternating


@proof("components and roots")
def components_and_roots(d: Derivation) -> None:
    """Regions against ends of components; networks that need degree m."""

    components, unbounded = d.symbols(P="positive integer", u="nonnegative integer")
    d.step(
        "{N > 0} has P components, u of them unbounded; their 2P - u ends are the roots, a double one where two meet"
    )
    d.identity(
        "a concave kink in each bounded component, a convex one in each closed gap between components",
        (components - unbounded) + (components - 1) + 1,
        2 * components - unbounded,
        "regions = kinks + 1 >= 2P - u = degree",
    )
    d.step("a lower degree has fewer roots: sign(p) changes at most deg p times, also with sign(0) = -1")
    d.step("a triangular wave with zeros at 1, …, m has kinks at 3/2, …, m - 1/2: m regions, m roots, all simple")
    d.concludes("(k + 2) - 1", "waves with k kinks", over={"k": "nonnegative integer"}, m="k + 1")


def roots(ends: Sequence[tuple[Fraction, Fraction]], bound: Fraction) -> list[Fraction]:
    """The inner end points of the constant intervals: the roots, with multiplicity."""
    return [low for low, _ in ends[1:] if low > -bound]


@certificate("polynomials of exact roots")
def exact_roots(context: Context) -> Observation:
    """The polynomial of the exact roots, its sign against the network's at all roots, kinks and between them."""
    from implicitbias.functions.network import Network

    draw = context.random()
    waves = [(wave([Fraction(j) for j in range(m)]), "as many changes as regions") for m in range(1, 8)]
    networks = [(alternating(r), "as many changes as regions") for r in (4, 5, 6, 9)]
    others = [Network([0], [1], [1]), Network([1], [0], [1]), Network([1, -1], [0, 0], [1, 1])]
    others += [
        Network([1, -1], [-1, -1], [1, 1]),
        *(network_for([Fraction(j) for j in range(c)], 1) for c in (1, 3, 6)),
    ]
    for _ in range(context.choose(20, 100)):
        w, b, v = ([draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(5)] for _ in "wbv")
        others.append(Network(w, b, v))
    networks += [(network, "another network") for network in others]
    for f, label in [*waves, *((network.to_piecewise_linear(), label) for network, label in networks)]:
        places = [*f.knots, *zeros(f)]
        bound = max(map(abs, places)) + 1
        found = roots(constant_intervals(f, bound), bound)
        leading = sign(f(bound))
        grid = sorted({-bound, bound, *places})
        for x in [*grid, *((a + c) / 2 for a, c in pairwise(grid))]:
            value = leading * prod((x - root for root in found), start=Fraction(1))
            if sign(value) != sign(f(x)):
                raise ArithmeticError(f"the polynomial has another sign at {x}: {f}")
        sharp = label == "as many changes as regions"
        yield seen(len(found), label, relation="=" if sharp else "<=", m=f.pieces)
    yield Step("p(x) = ± Π (x - root), all roots exact")


DEGREE = claim(
    "safran2022.section_5_degree",
    "Section 5, on polynomial threshold functions",
    "Degree of a polynomial with the sign of a network",
    """The sign of a network with m linear regions is the sign of a polynomial of degree at most m, and degree m is
    needed for some networks with m regions, for every m >= 1: the roots are the ends of the components of {N > 0}, a
    double root where N touches zero from above.""",
    latex=r"\operatorname{sign}N=\operatorname{sign}p,\quad\deg p\le m",
    hypotheses=("sign(0) = -1",),
    formula="m",
    symbols={"m": "number of linear regions"},
    controls={"m - 1": "one root per kink", "m + 1": "one root per end of a region", "2*m": "a double root per region"},
    checks=(components_and_roots, exact_roots),
    rests_on=("safran2022.sign_changes",),
    part_of="safran2022.corollary_5_1",
)


@proof("interpolation and divided differences")
def divided_differences(d: Derivation) -> None:
    """d + 1 points shattered, d + 2 never."""
    import sympy

    x = sympy.symbols("x0:4", real=True)
    d.step("d + 1 points: the polynomial of degree d through the values ±1 (Lagrange) has any signs")
    weights = [1 / prod(x[i] - x[j] for j in range(4) if j != i) for i in range(4)]
    for power in range(3):
        d.identity(
            f"d + 2 points, shown for d = 2: Σ x_i^{power}/Π_(j≠i)(x_i - x_j)",
            sympy.cancel(sympy.together(sum(w * a**power for w, a in zip(weights, x, strict=True)))),
            sympy.Integer(0),
        )
    d.step(
        "the weights alternate in sign along x_0 < x_1 < …: p > 0 where they are positive and p <= 0 where they are "
        "negative would make Σ w_i p(x_i) positive, but it is 0 for deg p <= d"
    )
    d.concludes("(d + 2) - 1", "all d", over={"d": "nonnegative integer"}, d="d")


@certificate("all labellings")
def all_labellings(context: Context) -> Observation:
    """Every labelling of d + 1 points by an explicit polynomial; a linear relation that forbids one of d + 2 points."""
    draw = context.random()
    for d in range(7):
        points = sorted(Fraction(p, 7) for p in draw.sample(range(-60, 60), d + 2))
        size = 0
        for n in range(1, d + 3):
            if all(polynomial_has(points[:n], labels, d) for labels in product((1, -1), repeat=n)):
                size = n
        forbidden = alternation_forbidden(points, d)
        if not forbidden:
            raise ArithmeticError(f"no relation forbids alternating signs on {points}")
        yield seen(size, f"points {', '.join(map(str, points[:3]))}, …", d=d)
    yield Step("labellings listed one by one, polynomials in rationals")


def polynomial_has(points: Sequence[Fraction], labels: Sequence[int], degree: int) -> bool:
    """Whether the interpolating polynomial has degree at most d; through d + 1 points or fewer it does, verified."""
    if len(points) > degree + 1:
        return False
    values = [
        sum(
            y * prod(((x - b) / (a - b) for b in points if b != a), start=Fraction(1))
            for a, y in zip(points, labels, strict=True)
        )
        for x in points
    ]
    return all(value * label > 0 for value, label in zip(values, labels, strict=True))


def alternation_forbidden(points: Sequence[Fraction], degree: int) -> bool:
    """Whether Σ w_i p(x_i) = 0 for all p of the degree with weights of alternating sign."""
    weights = [1 / prod((a - b for b in points if b != a), start=Fraction(1)) for a in points]
    zero = all(sum(w * a**power for w, a in zip(weights, points, strict=True)) == 0 for power in range(degree + 1))
    return zero and all(v * w < 0 for v, w in pairwise(weights))


POLYNOMIALS = claim(
    "safran2022.section_5_vc_polynomials",
    "Section 5, on the VC dimension",
    "VC dimension of polynomial threshold functions",
    """The signs of polynomials of degree at most d on the line have VC dimension d + 1: Lagrange interpolation shatters
    any d + 1 points, and divided differences forbid alternating signs on d + 2. With 32r + 67 regions: 32r + 68.""",
    latex=r"\mathrm{VC}(\operatorname{sign}\mathbb R_d[x])=d+1",
    hypotheses=("sign(0) = -1",),
    formula="d + 1",
    symbols={"d": "degree"},
    controls={
        "d": "the number of roots",
        "d + 2": "both first signs counted",
        "2*d + 1": "intervals instead of roots",
    },
    checks=(divided_differences, all_labellings),
    part_of="safran2022.corollary_5_1",
)


@certificate("waves for all labellings")
def waves(context: Context) -> Observation:
    """The fewest regions for every labelling of up to m + 2 points, by waves through their switches."""
    draw = context.random()
    for m in range(1, 8):
        points = sorted(Fraction(p, 5) for p in draw.sample(range(-50, 50), m + 2))
        size = 0
        for n in range(1, m + 3):
            if max(fewest_regions(points[:n], labels) for labels in product((1, -1), repeat=n)) <= m:
                size = n
        yield seen(size, m=m)
    yield Step("m regions have m - 1 kinks and at most m sign changes: none has fewer")


REGIONS = claim(
    "safran2022.section_5_vc_regions",
    "next to Section 5",
    "VC dimension of functions with m linear regions",
    """The signs of piecewise-linear functions with at most m regions have VC dimension m + 1, like the polynomials of
    degree m: a wave with c regions has c label switches, so m + 1 points have all labellings and m + 2 do not. Bounding
    through polynomials loses nothing.""",
    latex=r"\mathrm{VC}(m\text{ regions})=m+1",
    hypotheses=("any number of neurons", "sign(0) = -1"),
    formula="m + 1",
    symbols={"m": "number of linear regions"},
    controls={
        "m": "one point per region",
        "2*m": "slope and value per region, without continuity",
        "m + 2": "one more for the sign",
    },
    checks=(waves,),
    rests_on=("safran2022.section_5_degree",),
    own=True,
    part_of="safran2022.corollary_5_1",
)
