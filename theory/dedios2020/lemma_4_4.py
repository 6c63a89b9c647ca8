"""Lemma 4.4: equality in (19), which the paper takes back in its appendix (footnote 4).

Coq: Lifting.v, gap_of_proportional, weight_of_equality, two_neurons_are_one_cheaper (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.solutions.solution import Solution
from implicitbias.theorems.rules.values.value import Value

from ..observed.measures.chords import non_negative_multiples
from ..observed.units.neurons import Point, random_fraction, random_unit_vector
from . import errata


@certificate("rational norms")
def both_sides(context: Context) -> Observation:
    """Both sides of (19) for w = ‖θ‖ at θ and αθ, c and βc, with rational norms in two to four dimensions."""
    draw = context.random()
    half, one = Fraction(1, 2), Fraction(1)
    cases = [
        (half, 2 * one, 2 * one),
        (half, 2 * one, half),
        (half, one, 3 * one),
        (half, 3 * one, one),
        (half, one, one),
    ]
    cases += [(Fraction(1, 3), 4 * one, one / 5)]
    for _ in range(context.choose(12, 60)):
        alpha, beta = (Fraction(draw.randint(1, 12), draw.randint(1, 4)) for _ in "ab")
        cases.append((Fraction(draw.randint(1, 5), 6), alpha, beta))
    for n, (share, alpha, beta) in enumerate(cases):
        theta: Point = (one, Fraction(0)) if n < 6 else random_unit_vector(draw, 2 + n % 3)
        radius = one if n < 6 else 1 + abs(random_fraction(draw))
        c = one if n < 6 else random_fraction(draw)
        at = [radius * (share + (1 - share) * alpha) * t for t in theta]
        # at is a non-negative multiple of a unit vector
        length = radius * (share + (1 - share) * alpha)
        if dot(at, at) != length**2:
            raise ArithmeticError("the norm is not the one expected")
        left = abs(share * c + (1 - share) * beta * c) * length
        right = share * abs(c) * radius + (1 - share) * abs(beta * c) * alpha * radius
        yield seen(left - right, f"λ={share}, α={alpha}, β={beta}", l=share, alpha=alpha, beta=beta, c=c, w=radius)


@theorem("both signs of the output weight")
def both_sides_by_homogeneity() -> Observation:
    """The left side of (19) less the right one, where w(λθ + (1-λ)αθ) = (λ + (1-λ)α)w(θ) and w(αθ) = αw(θ)."""
    left = "path_cost(l*c + (1 - l)*beta*c, (l + (1 - l)*alpha)*w)"
    right = "l*path_cost(c, w) + (1 - l)*path_cost(beta*c, alpha*w)"
    over: dict[str, Assumption] = {
        "l": "positive",
        "alpha": "positive",
        "beta": "positive",
        "c": "real",
        "w": "nonnegative",
    }
    yield shows(
        Value(f"{left} - ({right})"), for_all=over, assuming=("l < 1",), split=("c",), **{name: name for name in over}
    )


IF = claim(
    "dedios2020.lemma_4_4",
    "Lemma 4.4, (19), the direction `if`",
    "Proportional neurons in (19)",
    """For (a', b', c') = (αa, αb, βc), α, β > 0, the two sides of (19) differ by -λ(1-λ)(1-α)(1-β)|c|w(a, b): they are
    equal only where α = 1 or β = 1. For λ = 1/2, α = β = 2 the left side is smaller by |c|w/4; for α = 2, β = 1/2 it is
    larger by |c|w/8, so that |c|w is not convex in (a, b, c).""",
    latex=r"|\lambda c+(1-\lambda)c'|\,w(\lambda\theta+(1-\lambda)\theta')-\lambda|c|w(\theta)"
    r"-(1-\lambda)|c'|w(\theta')=-\lambda(1-\lambda)(1-\alpha)(1-\beta)|c|w\quad(l=\lambda)",
    hypotheses=("w is 1-homogeneous", "α, β > 0", "0 < λ < 1"),
    formula="-l*(1 - l)*(1 - alpha)*(1 - beta)*Abs(c)*w",
    symbols={"l": "λ", "alpha": "α", "beta": "β", "c": "output weight", "w": "w(a, b)"},
    flaw=Flaw(errata.LEMMA_4_4, "0"),
    controls={
        "l*(1 - l)*(1 - alpha)*(1 - beta)*Abs(c)*w": "the opposite sign",
        "-l*(1 - l)*(1 - alpha*beta)*Abs(c)*w": "α and β as one factor",
        "-(1 - alpha)*(1 - beta)*Abs(c)*w/4": "λ = 1/2 for every λ",
    },
    checks=(both_sides_by_homogeneity, both_sides),
)

PAIRS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((0, 5), (12, -5)),
    ((5, 0), (-5, 12)),
    ((0, 4), (12, -9)),
    ((3, 4), (9, 1)),
    ((1, 0), (2, 3)),
    ((1, 1), (5, 1)),
    ((0, 1, 1), (3, 0, 4)),
    ((1, 0, 2), (-7, 1, 5)),
)


@certificate("pairs of parameters")
def weights_of_equality(context: Context) -> Observation:
    """The weight c' > 0 at which (19) is an equality for c = 1, λ = 1/2 and pairs that are not proportional."""
    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    pairs = list(PAIRS)
    while len(pairs) < context.choose(16, 60):
        u, v = tuple(draw.randint(-9, 9) for _ in "ab"), tuple(draw.randint(-20, 20) for _ in "ab")
        joint = tuple(p + q for p, q in zip(u, v, strict=True))
        small, large, both = (sum(t * t for t in w) for w in (u, v, joint))
        if 4 * small < both < 4 * large and small:
            pairs.append((u, v))
    apart = True
    for u, v in pairs:
        total = tuple(p + q for p, q in zip(u, v, strict=True))
        apart = apart and not non_negative_multiples([Fraction(t) for t in u], [Fraction(t) for t in v])
        r, s, t = (enclose(f"sqrt({sum(value * value for value in w)})") for w in (u, v, total))

        def gap(weight: int, r: object = r, s: object = s, t: object = t) -> Fraction | Interval:
            # w of the mean of the parameters is t/2
            return enclose(f"(1 + {weight})/2*t/2 - (r + {weight}*s)/2", r=r, s=s, t=t)  # type: ignore[arg-type]

        # both sides are affine in c' > 0: the root from two values
        root = enclose("f/(f - g)", f=gap(0), g=gap(1))
        yield seen(root, f"θ = {u}, θ' = {v}", r=r, s=s, t=t)
    yield Premise("no pair is proportional", apart)
    yield Step("for c' > 0 both sides of (19) are affine in c'; two values give the root")


@theorem("the only weight")
def the_only_weight() -> Observation:
    """The only c' > 0 with V of the mean neuron equal to the mean of V, V = |c|w: w of the mean parameters is t/2."""
    equality = Solution(
        unknowns={"k": "positive"},
        equations=("path_cost((1 + k)/2, t/2) - (path_cost(1, r) + path_cost(k, s))/2",),
        of="k",
        solution={"k": "(t - 2*r)/(2*s - t)"},
    )
    variables: dict[str, Assumption] = {"r": "nonnegative", "s": "positive", "t": "positive"}
    yield shows(equality, for_all=variables, assuming=("2*r < t", "t < 2*s"), r="r", s="s", t="t")


ONLY_IF = claim(
    "dedios2020.lemma_4_4_only_if",
    "Lemma 4.4, (19), the direction `only if`",
    "Other neurons with equality in (19)",
    """For λ = 1/2, c = 1 and parameters with 2w(θ) < w(θ+θ') < 2w(θ'), (19) is an equality at the weight c' = (t -
    2r)/(2s - t) > 0, r = w(θ), s = w(θ'), t = w(θ+θ'), proportional or not. For w = ‖·‖, θ = (3, 4), θ' = (9, 1): c' =
    (13 + 2√82)/53; for θ = (0, 5), θ' = (12, -5): c' = 1/7.""",
    latex=r"""\tfrac{1+c'}2\,w\big(\tfrac{\theta+\theta'}2\big)=\tfrac12w(\theta)+\tfrac{c'}2w(\theta')\iff
    c'=\frac{t-2r}{2s-t}""",
    hypotheses=("c' > 0", "2r < t < 2s"),
    formula="(t - 2*r)/(2*s - t)",
    symbols={"r": "w(θ)", "s": "w(θ')", "t": "w(θ + θ')"},
    flaw=Flaw(
        errata.LEMMA_4_4,
        Rule(
            "proportional only",
            "(19) is an equality for proportional parameters only: for the others no weight c' gives it",
            lambda given: "no weight",
        ),
    ),
    controls={
        "r/s": "equal costs of both neurons",
        "(t - r)/(s - t)": "w of the sum in place of w of the mean",
        "(2*s - t)/(t - 2*r)": "both neurons exchanged",
    },
    checks=(the_only_weight, weights_of_equality),
    part_of="dedios2020.lemma_4_4",
    rests_on=("dedios2020.lemma_4_4",),
)
