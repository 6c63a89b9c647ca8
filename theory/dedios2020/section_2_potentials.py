"""Section 2.1: which potentials V give a norm by (3), and how the norms of different V compare."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Interval,
    Observation,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.sequences.lists import ListSum

from ..observed.cheapest.convex_minimum import NoMinimumError, convex_minimum
from ..observed.measures.power_potentials import least_power_mean
from ..observed.units.neurons import Neuron, Point, activity, gradient_potential, random_data, random_neuron
from . import errata

FAR = Fraction(1, 2**200)
"""A scale at which a potential whose infimum is 0 but not attained has fallen far below 2^-300."""


def _potential(name: str, neuron: Neuron, data: list[Point]) -> Fraction:
    """The potentials of the paper at a neuron; the path norm squared, which keeps it in fractions."""
    square = dot(neuron.theta, neuron.theta)
    if name == "path norm":
        return neuron.c**2 * square
    if name == "weight decay":
        return square + neuron.c**2
    return gradient_potential(neuron, data)


def _is_positive_over_rescalings(name: str, neuron: Neuron, data: list[Point]) -> bool:
    """Whether inf over α > 0 of V(αa, αb, c/α) is positive: a bracket of the minimum, or its fall beyond 2^-300."""

    def along(scale: Fraction) -> Fraction:
        return _potential(name, neuron.scaled(scale, 1 / scale), data)

    try:
        least = convex_minimum(along).value
    except NoMinimumError:
        if min(along(FAR), along(1 / FAR)) > Fraction(1, 2**300):
            raise
        return False
    if least.lower <= 0 < least.upper:
        raise ArithmeticError("the bracket of the minimum holds 0 and more")
    return least.lower > 0


@certificate("potentials along scalings")
def potential(context: Context) -> Observation:
    """The infima of three potentials over all (αa, αb, c') and over the rescalings of a neuron: positive or 0."""
    draw = context.random()
    data: list[Point] = [(Fraction(0),), (Fraction(1),)]
    half, one, zero = Fraction(1, 2), Fraction(1), Fraction(0)
    cases = [
        (Neuron((one, half), one), data),
        (Neuron((one, half), zero), data),
        (Neuron((zero, zero), one), data),
        (Neuron((zero, zero), zero), data),
        (Neuron((-one, -half), one), data),
    ]
    for d in (1, 2):
        for _ in range(context.choose(2, 8)):
            points = random_data(draw, 4, d)
            cases.append((random_neuron(draw, points, alive=False), points))
    for neuron, points in cases:
        for name in ("path norm", "weight decay", "label noise"):
            if name == "label noise" and not any(neuron.theta):
                continue  # the hinge is everywhere: no gradient
            fades = _potential(name, neuron.scaled(FAR, zero), points) < FAR
            observed = (not fades, _is_positive_over_rescalings(name, neuron, points))
            yield seen(
                observed,
                f"{name}, θ = {tuple(map(str, neuron.theta))}, c = {neuron.c}",
                potential=name,
                theta=neuron.theta,
                c=neuron.c,
                active=activity(neuron.theta, points),
            )
    yield Step("the first infimum is at most V(αa, αb, 0) with α = 2^-200, and V >= 0")


def _nonzero(given: Mapping[str, Value]) -> bool:
    theta = given["theta"]
    return bool(given["c"]) and isinstance(theta, tuple) and any(theta)


def _alive(given: Mapping[str, Value]) -> bool:
    return given["potential"] != "label noise" or bool(given["active"])


POTENTIAL = claim(
    "dedios2020.equation_3_potential",
    "Section 2.1, before (3)",
    "Which infimum of a potential is positive",
    """For the potentials of the paper, |c|‖θ‖, ‖(θ, c)‖² and Ṽ_b of (12), the infimum over all α and c' of V(αa, αb,
    c') is 0 for every neuron; the infimum over the rescalings (αa, αb, c/α), α > 0, which do not change the neuron, is
    positive exactly where the neuron is not zero: c ≠ 0, θ ≠ 0, and for Ṽ_b some datum is active.""",
    latex=r"""\inf_{\alpha,c'}V(\alpha a,\alpha b,c')=0,\qquad\inf_{\alpha>0}V(\alpha a,\alpha b,c/\alpha)>0\iff
    c\neq0,\ \theta\neq0\ (\widetilde V_b:\ \text{and some datum is active})""",
    hypotheses=("no hinge on a datum where Ṽ_b is meant",),
    formula=Rule(
        "over rescalings",
        "inf over α, c' is 0; inf over α > 0 of V(αa, αb, c/α) is positive if and only if the neuron is not zero on "
        "the data",
        lambda given: (False, _nonzero(given) and _alive(given)),
    ),
    flaw=Flaw(
        errata.POTENTIAL,
        Rule(
            "over all scalings",
            "inf over α, c of V(αa, αb, c) is positive",
            lambda given: (True, _nonzero(given) and _alive(given)),
        ),
    ),
    controls={
        Rule(
            "everywhere", "the infimum over rescalings is positive for all neurons", lambda given: (False, True)
        ): "zero neurons omitted",
        Rule(
            "one factor",
            "the infimum over rescalings is positive as soon as c ≠ 0 or θ ≠ 0",
            lambda given: (False, bool(given["c"]) or _nonzero({**given, "c": 1})),
        ): "as for ‖(θ, c)‖² without rescaling",
        Rule(
            "blind to data",
            "the infimum over rescalings is positive if and only if c ≠ 0 and θ ≠ 0",
            lambda given: (False, _nonzero(given)),
        ): "a neuron that no datum activates costs nothing under label noise",
    },
    checks=(potential,),
    part_of="dedios2020.equation_5_and_6",
)


def _masses(context: Context) -> list[list[Fraction]]:
    draw = context.random()
    cases: list[list[int | Fraction]] = [[1], [2], [1, 1], [1, 3], [1, 1, 1], [Fraction(1, 2), Fraction(1, 3)]]
    found = [[Fraction(t) for t in case] for case in cases]
    for _ in range(context.choose(5, 30)):
        found.append([Fraction(draw.randint(1, 40), draw.randint(1, 9)) for _ in range(draw.randint(2, 6))])
    # small and large together for each number of atoms
    sizes = (Fraction(1, 40), Fraction(1, 2), Fraction(3), Fraction(70))
    found += [[size * draw.randint(1, 9) / (9 * k) for _ in range(k)] for k in range(1, 7) for size in sizes]
    return found


@certificate("convex bounds on the simplex")
def power_means(context: Context) -> Observation:
    """Least costs of up to six atoms between a point and its gradient's bound, in fractions."""
    for masses in _masses(context):
        for q in (1, 2, 3, 5):
            power_sum = sum((t**q for t in masses), Fraction(0))
            label = f"q={q}, masses {', '.join(map(str, masses))}"
            yield seen(least_power_mean(masses, q), label, S=sum(masses, Fraction(0)), q=q, k=len(masses), Q=power_sum)
    yield Step("a point of the simplex and its gradient enclose the least")


@proof("two atoms")
def split_of_two(d: Derivation) -> None:
    """Two atoms and q = 1 + h: stationary at p = s/(s+t), convex in p, the cost there."""
    import sympy

    s, t, p, r, h = d.symbols(s="positive", t="positive", p="positive", r="positive", h="nonnegative")
    d.step("masses s, t with probabilities p, r = 1 - p", "f = p(s/p)^q + r(t/r)^q, q = 1 + h")
    cost = p * (s / p) ** (1 + h) + r * (t / r) ** (1 + h)
    at = {p: s / (s + t), r: t / (s + t)}
    slope = sympy.diff(cost, p) - sympy.diff(cost, r)
    d.identity("stationary at p = s/(s+t)", sympy.powsimp(sympy.simplify(slope).subs(at)), sympy.Integer(0))
    bend = sympy.powsimp(sympy.simplify(sympy.diff(cost, p, 2)))
    d.nonnegative("each term is convex", bend)
    least = sympy.simplify(cost.subs(at))
    d.concludes(
        least,
        "two atoms, any q ≥ 1",
        over={"s": "positive", "t": "positive", "h": "nonnegative"},
        S="s + t",
        q="1 + h",
        k="2",
        Q="s**(1 + h) + t**(1 + h)",
    )


POWER = claim(
    "dedios2020.equation_3_power",
    "Section 2.1, after (3)",
    "Powers of the path norm give powers of the norm",
    """Over the probability measures μ that project to a given ν, the least ∫|c|^q‖θ‖^q dμ is ‖ν‖^q, ‖ν‖ the total mass,
    for every q ≥ 1: atoms of masses t_k cost at least (Σ t_k)^q, attained where |c|‖θ‖ is the same at all of them. So
    (3) with this V is the q-th power of the variation norm: the same space, and a norm after the q-th root.""",
    latex=r"\inf_{\mu:P\mu=\nu}\int|c|^q\|\theta\|^q\,d\mu=\|\nu\|_{TV}^q\quad(S=\|\nu\|_{TV})",
    hypotheses=("q ≥ 1", "μ is a probability measure", "atoms of one direction do not cancel"),
    # Q is at most S^q, and at least what k equal masses have: of all t_k with Σ t_k = S
    domain=("S > 0", "q >= 1", "k >= 1", "Q <= S**q", "S**q <= k**(q - 1)*Q"),
    formula="S**q",
    symbols={"S": "total mass Σ t_k of ν", "q": "the power", "k": "number of atoms", "Q": "Σ t_k^q"},
    controls={
        "S": "the value taken for the norm: right for q = 1",
        "Q": "each atom's own power, as if every atom had mass 1",
        "k**(q - 1)*Q": "equal masses 1/k for all atoms",
        "0**(q - 1)*S": "without ∫dμ = 1: large masses of small weights cost nothing for q > 1",
    },
    checks=(split_of_two, power_means),
    part_of="dedios2020.equation_5_and_6",
)


@certificate("scales bracketed")
def bracketed_scales(context: Context) -> Observation:
    """min over the scales of each atom of p(‖λθ‖² + (c/λ)²), bracketed; probabilities and norms at random.

    One to six atoms, of total masses that are small and large for each number.
    """
    draw = context.random()
    for masses in _masses(context):
        shares = [draw.randint(1, 5) for _ in masses]
        low = high = Fraction(0)
        for t, share in zip(masses, shares, strict=True):
            p = Fraction(share, sum(shares))
            radius = Fraction(draw.randint(1, 30), draw.randint(1, 9))
            c = t / (p * radius)
            least = convex_minimum(
                lambda scale, p=p, r=radius, c=c: p * (scale**2 * r**2 + c**2 / scale**2)  # type: ignore[misc]
            ).value
            low, high = low + least.lower, high + least.upper
        yield seen(
            Interval(low, high), f"masses {', '.join(map(str, masses))}", S=sum(masses, Fraction(0)), k=len(masses)
        )


@theorem("completed square")
def completed_square() -> Observation:
    """Each of k atoms over its probability, its output weight and its length, its mass t given: 2t, whatever the
    probability, which can be 1/k for all.
    """
    atom = Minimum(
        "2*p*unit_cost(c, r)",
        over={"p": "positive", "c": "positive", "r": "positive"},
        subject_to={"r": "p*c*r - t"},
        at={"p": "1/k", "c": "sqrt(k*t)"},
        gap=("p*(c - t/(p*c))**2",),
    )
    total = ListSum(term=atom, entries={"t": "positive"}, length="k", totals={"S": "t"}, by={"S": "2"})
    yield shows(total, for_all={"S": "positive", "k": "positive integer"}, S="S", k="k")


WEIGHT_DECAY = claim(
    "dedios2020.footnote_2",
    "Section 2.1 and footnote 2",
    "Weight decay gives twice the variation norm",
    """Over the measures μ that project to a given ν, the least ∫(‖θ‖² + c²) dμ is 2‖ν‖: every atom is rescaled until
    ‖θ‖ = |c|, whatever its probability. So V = ‖(θ, c)‖² defines the same space, with twice the norm.""",
    latex=r"\inf_{\mu:P\mu=\nu}\int\|\theta\|^2+c^2\,d\mu=2\|\nu\|_{TV}\quad(S=\|\nu\|_{TV})",
    hypotheses=("φ is 2-homogeneous in all parameters, for positive factors", "atoms of one direction do not cancel"),
    formula="2*S",
    symbols={"S": "total mass of ν", "k": "number of atoms"},
    controls={
        "S": "the same value as for |c|‖θ‖: the factor of weight decay forgotten",
        "S**2": "the square, as for |c|²‖θ‖²",
        "2*S/k": "a mean over atoms instead of their sum",
    },
    checks=(completed_square, bracketed_scales),
    part_of="dedios2020.equation_5_and_6",
    see_also=("savarese2019.lemma_1",),
    rests_on=("dedios2020.footnote_1",),
)
