"""What functions of a known shape cost: convex and concave ones, and sigmoids."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Derivation, Measured, Observation, certificate, claim, proof, seen


@proof("zero at every place among the slopes")
def convex_by_cases(d: Derivation) -> None:
    """Six cases of l and r. max(T, |s|) with T = r - l, s = r + l, for every position of zero among the end slopes of a
    convex function.
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    p, q = d.symbols(p="nonnegative", q="nonnegative")
    d.step("f' increases from l to r, so that T = r - l and s = r + l; concave functions are the negatives")
    for left, right in ((p, p + q), (-p, q), (-p - q, -p), (p + q, p), (p, -q), (-p, -p - q)):
        T, s = sympy.Abs(right - left), right + left
        value = T if (left * right).is_nonpositive else abs(s)
        d.identity(f"l = {left}, r = {right}: the larger of T and |s|", sympy.Max(T, abs(s)), value)
        d.concludes(from_sympy(value), f"l = {left}, r = {right}", l=from_sympy(left), r=from_sympy(right))


@certificate("exact and smooth functions")
def convex_functions(context: Context) -> Observation:
    """Convex and concave functions: exact ones by linear programme, smooth ones by certified networks."""
    from ..observed.cheapest.cheapest_measure import cheapest_measure
    from ..observed.functions.piecewise_linear_cases import (
        from_jumps,
        random_cases,
        simple_cases,
        with_room,
    )
    from ..observed.functions.smooth_functions import SMOOTH, analyse
    from ..observed.units.approaching_networks import enclosure_of_the_cost

    cases = [(label, f) for label, f in simple_cases() if len({jump > 0 for _, jump in f.kinks}) < 2]
    for _, f in random_cases(context.random(), context.choose(3, 20)):
        sign = 1 if f.left_slope > 0 else -1
        g = from_jumps([b for b, _ in f.kinks], [sign * abs(jump) for _, jump in f.kinks], f.end_slope_sum)
        cases.append(("random convex function" if sign > 0 else "random concave function", g))
    instances = [
        seen(cheapest_measure(f, with_room(f)).cost, label, l=f.left_slope, r=f.right_slope, kinks=f.kinks)
        for label, f in cases
    ]
    softplus = SMOOTH[0]
    steep = replace(
        softplus,
        name="softplus of 5x",
        formula="log(1+exp(5*x))",
        factor="25*exp(5*x)/(1+exp(5*x))**2",
        right_slope="5",
    )
    for function in (softplus, steep, SMOOTH[1], SMOOTH[2]):
        found = analyse(function)
        left, right = (Fraction(int(e.p), int(e.q)) for e in (found.extremes[0], found.extremes[-1]))
        cost = enclosure_of_the_cost(found, 60, weighted=True).cost
        instances.append(seen(cost, function.name, l=left, r=right, f=function.formula))
    yield from instances
    yield Measured("functions", len(instances))


CONVEX = claim(
    "savarese2019.convex_functions",
    "beside Theorem 3.1",
    "Cost of convex and concave functions",
    """A convex or concave function costs |f'(-∞)| + |f'(+∞)|, whatever it does between: a line of slope k costs 2|k|,
    [x]₊, softplus and ELU cost 1, |x| and √(1 + x²) cost 2, the leaky ReLU of slope a costs 1 + |a|. Proof: T = |r - l|
    and s = r + l, and max(|r - l|, |r + l|) = |l| + |r|.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\bar R(f)=|f'(-\infty)|+|f'(+\infty)|",
    hypotheses=("f is convex or concave", "∫|f''| is finite"),
    formula="Abs(l) + Abs(r)",
    symbols={"l": "f'(-∞)", "r": "f'(+∞)"},
    controls={
        "Abs(r - l)": "the variation alone: lines would be free",
        "Abs(l + r)": "the end slopes alone: |x| would be free",
        "Max(Abs(l), Abs(r))": "the steeper side decides",
        "r - l": "right for convex functions with a minimum only",
    },
    checks=(convex_by_cases, convex_functions),
    rests_on=("savarese2019.theorem_3_1",),
    own=True,
)


@certificate("exact and smooth sigmoids")
def sigmoids(context: Context) -> Observation:
    """Linear programmes; certified networks. Functions that level off at both ends with slopes that rise and fall once:
    exact ones, and smooth ones.
    """
    from ..observed.cheapest.cheapest_measure import cheapest_measure
    from ..observed.functions.piecewise_linear_cases import simple_cases, with_room
    from ..observed.functions.smooth_functions import SMOOTH, analyse, enclosed
    from ..observed.units.approaching_networks import enclosure_of_the_cost

    random = context.random()
    hard = dict(simple_cases())["hard tanh"]
    cases = [("hard tanh", hard), ("minus hard tanh", -hard)]
    for _ in range(context.choose(15, 100)):
        sign, count = random.choice((1, -1)), random.randint(1, 5)
        slopes = sorted(Fraction(random.randint(1, 40), random.randint(1, 9)) for _ in range(count))
        cut = random.randint(0, count - 1)
        slopes = [Fraction(0), *slopes[cut:], *reversed(slopes[:cut]), Fraction(0)]
        b = Fraction(random.randint(-20, 20))
        kinks = []
        for low, high in pairwise(slopes):
            kinks.append((b, sign * (high - low)))
            b += Fraction(random.randint(1, 30), random.randint(1, 6))
        cases.append(("random sigmoid", type(hard).from_kinks(kinks, 0, value=random.randint(-5, 5))))
    instances = [
        seen(cheapest_measure(f, with_room(f)).cost, label, M=max(map(abs, f.slopes)), slopes=f.slopes)
        for label, f in cases
    ]
    for function in SMOOTH:
        if function.name in ("hyperbolic tangent", "logistic sigmoid", "arctangent", "error function"):
            found = analyse(function)
            cost = enclosure_of_the_cost(found, 60, weighted=False).cost
            instances.append(seen(cost, function.name, M=enclosed(found.extremes[1]), f=function.formula))
    yield from instances
    yield Measured("functions", len(instances))


@proof("one turn of the slope")
def one_turn(d: Derivation) -> None:
    """Up to M in steps and down again. The variation of a slope that goes from 0 to ±M and back: T, and s = 0, for both
    signs.
    """
    from implicitbias.exact.symbolic import from_sympy

    a, b = d.symbols(a="nonnegative", b="nonnegative")
    d.step("f' rises from 0 to M = a + b in any steps, here two of heights a and b, and falls back; s = 0 + 0")
    T = a + b + abs(-a - b)
    d.identity("T does not depend on how M is split into steps", T, 2 * (a + b))
    d.concludes(from_sympy(T), "up and down", M="a + b")


SIGMOIDS = claim(
    "savarese2019.sigmoids",
    "beside Theorem 3.1",
    "Cost of sigmoids",
    """A function that levels off at both ends and whose slope rises once to its extreme ±M and falls back costs 2M:
    tanh, arctan and the hard tanh cost 2, the logistic sigmoid ½, erf 4/√π. The height plays no part.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\bar R(f)=2\max|f'|",
    hypotheses=("f'(±∞) = 0", "f' has one sign and one turning point, or is constant around it"),
    formula="2*M",
    symbols={"M": "max|f'|"},
    controls={
        "M": "the way up without the way down",
        "4*M": "as for a bump, whose slope has both signs",
        "2*M**2": "a cost of second degree: the cost scales as f does",
        "2": "as for tanh, whatever the steepness",
    },
    checks=(one_turn, sigmoids),
    rests_on=("savarese2019.theorem_3_1",),
    own=True,
)
