"""What functions of a known shape cost: convex and concave ones, and sigmoids."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source


def convex_by_cases(context: Context) -> Evidence:
    """max(T, |s|) with T = r - l, s = r + l, for every position of zero among the end slopes of a convex function."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    p, q = symbol("p", "nonnegative"), symbol("q", "nonnegative")
    d = Derivation()
    d.step("f' increases from l to r, so that T = r - l and s = r + l; concave functions are the negatives")
    identities = []
    for left, right in ((p, p + q), (-p, q), (-p - q, -p), (p + q, p), (p, -q), (-p, -p - q)):
        T, s = sympy.Abs(right - left), right + left
        value = T if (left * right).is_nonpositive else abs(s)
        d.identity(f"l = {left}, r = {right}: the larger of T and |s|", sympy.Max(T, abs(s)), value)
        identities.append(
            Identity(
                f"l = {left}, r = {right}",
                {"p": "nonnegative", "q": "nonnegative"},
                {"l": from_sympy(left), "r": from_sympy(right)},
                from_sympy(value),
            )
        )
    return Evidence(identities=tuple(identities), steps=d.steps)


def convex_functions(context: Context) -> Evidence:
    """Convex and concave functions: exact ones by linear programme, smooth ones by certified networks."""
    from .observed.approaching_networks import enclosure_of_the_cost
    from .observed.cheapest_measure import cheapest_measure
    from .observed.piecewise_linear_cases import from_jumps, random_cases, simple_cases, with_room
    from .observed.smooth_functions import SMOOTH, analyse

    cases = [(label, f) for label, f in simple_cases() if len({jump > 0 for _, jump in f.kinks}) < 2]
    for _, f in random_cases(context.random(), context.choose(3, 20)):
        sign = 1 if f.left_slope > 0 else -1
        g = from_jumps([b for b, _ in f.kinks], [sign * abs(jump) for _, jump in f.kinks], f.end_slope_sum)
        cases.append(("random convex function" if sign > 0 else "random concave function", g))
    instances = [
        Instance(
            label, {"l": f.left_slope, "r": f.right_slope, "kinks": f.kinks}, cheapest_measure(f, with_room(f)).cost
        )
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
        instances.append(Instance(function.name, {"l": left, "r": right, "f": function.formula}, cost))
    return Evidence(instances=tuple(instances), measured={"functions": len(instances)})


CONVEX = Claim(
    id="savarese2019.convex_functions",
    source=Source(OWN_RESULT, "beside Theorem 3.1"),
    title="Cost of convex and concave functions",
    statement=(
        "A convex or concave function costs |f'(-∞)| + |f'(+∞)|, whatever it does between: a line of slope k costs "
        "2|k|, [x]₊, softplus and ELU cost 1, |x| and √(1 + x²) cost 2, the leaky ReLU of slope a costs 1 + "
        "|a|. Proof: "
        "T = |r - l| and s = r + l, and max(|r - l|, |r + l|) = |l| + |r|."
    ),
    latex=r"\bar R(f)=|f'(-\infty)|+|f'(+\infty)|",
    hypotheses=("f is convex or concave", "∫|f''| is finite"),
    rests_on=("savarese2019.theorem_3_1",),
    formula="Abs(l) + Abs(r)",
    symbols={"l": "f'(-∞)", "r": "f'(+∞)"},
    controls=(
        Control("Abs(r - l)", "the variation alone: lines would be free"),
        Control("Abs(l + r)", "the end slopes alone: |x| would be free"),
        Control("Max(Abs(l), Abs(r))", "the steeper side decides"),
        Control("r - l", "right for convex functions with a minimum only"),
    ),
    checks=(
        Check("zero at every place among the slopes", Kind.PROOF, convex_by_cases, "six cases of l and r"),
        Check(
            "exact and smooth functions", Kind.CERTIFICATE, convex_functions, "linear programmes; certified networks"
        ),
    ),
)


def sigmoids(context: Context) -> Evidence:
    """Functions that level off at both ends with slopes that rise and fall once: exact ones, and smooth ones."""
    from .observed.approaching_networks import enclosure_of_the_cost
    from .observed.cheapest_measure import cheapest_measure
    from .observed.piecewise_linear_cases import simple_cases, with_room
    from .observed.smooth_functions import SMOOTH, analyse, enclosed

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
        Instance(label, {"M": max(map(abs, f.slopes)), "slopes": f.slopes}, cheapest_measure(f, with_room(f)).cost)
        for label, f in cases
    ]
    for function in SMOOTH:
        if function.name in ("hyperbolic tangent", "logistic sigmoid", "arctangent", "error function"):
            found = analyse(function)
            cost = enclosure_of_the_cost(found, 60, weighted=False).cost
            instances.append(Instance(function.name, {"M": enclosed(found.extremes[1]), "f": function.formula}, cost))
    return Evidence(instances=tuple(instances), measured={"functions": len(instances)})


def one_turn(context: Context) -> Evidence:
    """The variation of a slope that goes from 0 to ±M and back: T, and s = 0, for both signs."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, b = symbol("a", "nonnegative"), symbol("b", "nonnegative")
    d = Derivation()
    d.step("f' rises from 0 to M = a + b in any steps, here two of heights a and b, and falls back; s = 0 + 0")
    T = a + b + abs(-a - b)
    d.identity("T does not depend on how M is split into steps", T, 2 * (a + b))
    return Evidence(
        identities=(Identity("up and down", {"a": "nonnegative", "b": "nonnegative"}, {"M": "a + b"}, from_sympy(T)),),
        steps=d.steps,
    )


SIGMOIDS = Claim(
    id="savarese2019.sigmoids",
    source=Source(OWN_RESULT, "beside Theorem 3.1"),
    title="Cost of sigmoids",
    statement=(
        "A function that levels off at both ends and whose slope rises once to its extreme ±M and falls back costs "
        "2M: tanh, arctan and the hard tanh cost 2, the logistic sigmoid ½, erf 4/√π. The height plays no part."
    ),
    latex=r"\bar R(f)=2\max|f'|",
    hypotheses=("f'(±∞) = 0", "f' has one sign and one turning point, or is constant around it"),
    rests_on=("savarese2019.theorem_3_1",),
    formula="2*M",
    symbols={"M": "max|f'|"},
    controls=(
        Control("M", "the way up without the way down"),
        Control("4*M", "as for a bump, whose slope has both signs"),
        Control("2*M**2", "a cost of second degree: the cost scales as f does"),
        Control("2", "as for tanh, whatever the steepness"),
    ),
    checks=(
        Check("one turn of the slope", Kind.PROOF, one_turn, "up to M in steps and down again"),
        Check("exact and smooth sigmoids", Kind.CERTIFICATE, sigmoids, "linear programmes; certified networks"),
    ),
)

CLAIMS: tuple[Claim, ...] = (CONVEX, SIGMOIDS)
