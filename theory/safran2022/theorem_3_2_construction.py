"""Theorem 3.2, its construction: dead neurons, mistakes on alternating labels, and what ten times the width can do."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.margin.dead_neurons import dead_probability, enclosed, least_mistakes, most_changes
from ..observed.margin.sign_changes import alternating, crossing_points


@theorem("angle of a sector")
def angle_of_a_sector() -> Observation:
    """Dead means -b/w >= h where w > 0 and -b/w <= l where w < 0: both densities of the breakpoint, integrated."""
    rising = "exp(-(1 + t**2)*w**2/(2*sigma**2))/(2*pi*(1 + t**2))"

    def probability(sign: int, lower: str, upper: str) -> Integral:
        density = Integral(
            "ratio_integrand(w, normal_density(w, sigma)*normal_density(-t*w, sigma))",
            over="w",
            lower="0" if sign > 0 else "-oo",
            upper="oo" if sign > 0 else "0",
            antiderivatives=(f"-{rising}" if sign > 0 else rising,),
        )
        return Integral(density, over="t", lower=lower, upper=upper, antiderivatives=("atan(t)/(2*pi)",))

    names: dict[str, Assumption] = {"l": "real", "h": "real", "sigma": "positive"}
    either = {"right": probability(1, "h", "oo"), "left": probability(-1, "-oo", "l")}
    yield shows(Composition("right + left", either), for_all=names, assuming=("l <= h",), l="l", h="h")


@certificate("law of the kink")
def law_of_the_kink(context: Context) -> Observation:
    """The Cauchy mass of [l, h], where -b/w must not lie, by rigorous quadrature; then the sign of w is the other one
    for half of the rest."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    half, third, tenth = (Fraction(1, n) for n in (2, 3, 10))
    by_hand = ((0, 1), (-1, 1), (half, 3), (1, 1), (0, 50), (-2, third), (tenth, 10), (-40, -half))
    cases = [(Fraction(low), Fraction(high)) for low, high in by_hand]
    for _ in range(context.choose(20, 100)):
        low = Fraction(draw.randint(-60, 60), draw.choice((1, 7, 90)))
        cases.append((low, low + Fraction(draw.randint(0, 90), draw.choice((1, 7, 90)))))
    widest = Fraction(0)
    for low, high in cases:
        start, end = (flint.acb(flint.fmpq(at.numerator, at.denominator)) for at in (low, high))
        area = flint.acb.integral(lambda z, analytic: 1 / (1 + z * z), start, end)
        mass = from_arb((area / flint.acb.pi()).real)
        dead = Interval((1 - mass.upper) / 2, (1 - mass.lower) / 2)
        widest = max(widest, dead.width)
        yield seen(dead, "by quadrature", l=low, h=high)
    yield Premise("known to 1e-12", widest < Fraction(1, 10**12), f"{float(widest):.1e}")


DEAD = claim(
    "safran2022.theorem_3_2_dead_neuron",
    "next to Theorem 3.2",
    "Probability of a dead neuron",
    """A neuron with w, b ~ N(0, σ²) is dead on all data in [l, h] with probability 1/2 - (atan h - atan l)/(2π). On
    positive data, wherever they lie, it is dead with probability at least 1/4, the probability of w, b < 0; then no
    sample gives it a gradient, so it stays dead for all times.""",
    latex=r"P(wl+b\le 0,\ wh+b\le 0)=\tfrac12-\tfrac{\arctan h-\arctan l}{2\pi}",
    hypotheses=("w, b independent with the same normal law", "l <= h"),
    formula="1/2 - (atan(h) - atan(l))/(2*pi)",
    symbols={"l": "the least input", "h": "the largest input"},
    controls={
        "1/4": "w, b < 0 and no other case",
        "1/2": "a neuron is active or dead",
        "1/2 - (atan(h) - atan(l))/pi": "the mass of the kinks inside [l, h] not halved by the orientation",
        "1/2 - (h - l)/(2*pi)": "kinks spread evenly",
    },
    checks=(angle_of_a_sector, law_of_the_kink),
    own=True,
    part_of="safran2022.theorem_3_2",
)


@certificate("binomial tails")
def count(context: Context) -> Observation:
    """Exact integers for k up to 400, and the argument for all k."""
    for k in range(1, context.choose(400, 1000) + 1):
        yield seen(enclosed(dead_probability(k)), f"k = {k}", relation="=" if k == 1 else ">=")
    largest = max(Fraction(comb(16, j) * 3 ** (16 - j), 4**16) for j in range(17))
    yield Step("k < 16: the probabilities are computed exactly")
    yield Step(
        "the largest P(Bin(k, 1/4) = j) never grows with k: one more toss averages two neighbouring values",
        f"at k = 16 it is {float(largest):.4f} <= 1/4",
        "exact integers",
    )
    yield Step("a median of Bin(k, 1/4) is at least ⌊k/4⌋ (Kaas and Buhrman 1980)", "P(X >= ⌊k/4⌋) >= 1/2")
    yield Step("so for k >= 16", "P(X >= k/4) >= P(X >= ⌊k/4⌋) - P(X = ⌊k/4⌋) >= 1/2 - 1/4 = 1/4")
    yield Premise("the largest value at k = 16 is at most 1/4", largest <= Fraction(1, 4), f"{float(largest):.4f}")


COUNT = claim(
    "safran2022.theorem_3_2_dead_count",
    "next to Theorem 3.2",
    "Probability that a quarter of the neurons is dead",
    """Of k neurons that are dead with probability 1/4 each, independently, at least k/4 are dead with probability at
    least 1/4, for every k >= 1, with equality at k = 1. Proof: exact for k < 16; for k >= 16 no value of Bin(k, 1/4)
    has probability above 1/4, and its median is at least ⌊k/4⌋.""",
    latex=r"P\big(\mathrm{Bin}(k,\tfrac14)\ge\tfrac k4\big)\ge\tfrac14",
    formula="1/4",
    controls={
        "1/2": "the median taken for ⌈k/4⌉",
        "1/3": "a third, which holds from two neurons on",
        "47/128": "the least value from k = 2 on, at k = 5",
    },
    checks=(count,),
    own=True,
    part_of="safran2022.theorem_3_2",
)


@proof("points left out")
def points_left_out(d: Derivation) -> None:
    """The argument by deletion, both parities of m - L."""
    m, e = d.symbols(m="nonnegative integer", e="nonnegative integer")
    d.step("leave out the e mistakes: the remaining labels are as predicted and change at most S(L) <= L + 1 times")
    d.identity("each point left out costs at most two of m changes", m - 2 * e, m - e - e, "m - 2e <= L + 1")
    d.step("so e >= (m - L - 1)/2, rounded up; attained by L + 1 changes on the first L + 2 points, and none after")
    j: dict[str, Assumption] = {"j": "nonnegative integer"}
    both: dict[str, Assumption] = {**j, "t": "nonnegative integer"}
    d.concludes("t", "m = L + 1 + 2t", over=both, L="j + 4", m="j + 5 + 2*t")
    d.concludes("t + 1", "m = L + 2 + 2t", over=both, L="j + 4", m="j + 6 + 2*t")
    d.concludes("0", "m = L + 1", over=j, L="j + 4", m="j + 5")
    d.concludes("0", "m = L - t", over=both, L="j + t + 4", m="j + 4")


@certificate("sequences of signs")
def sequences_of_signs(context: Context) -> Observation:
    """The fewest over all sequences of signs with L + 1 changes, and the mistakes of a network that attains it."""
    for width in (4, 5, 6, 7, 9, 14):
        network = alternating(width)
        for m in (*range(20), 31):
            least = least_mistakes(m, most_changes(width))
            x = [*crossing_points(width), *(100 + j for j in range(m))][: m + 1]
            signs = [1 if network(Fraction(p)) > 0 else -1 for p in x]
            made = sum(sign != (-1) ** (i + 1) for i, sign in enumerate(signs))
            if made != least:
                raise ArithmeticError(f"width {width} makes {made} mistakes on {m + 1} points, not {least}")
            yield seen(least, "best sequence of signs, best network", L=width, m=m)


MISTAKES = claim(
    "safran2022.theorem_3_2_mistakes",
    "next to Theorem 3.2",
    "Mistakes on alternating labels",
    """L >= 4 neurons make at least ⌈max(0, m - L - 1)/2⌉ mistakes on m + 1 points with alternating labels, and some
    points and weights attain it. Proof: without its e mistakes a network would change its sign m - 2e times or more,
    but S(L) = L + 1.""",
    latex=r"\#\{i:y_iN(x_i)\le 0\}\ge\lceil\max(0,m-L-1)/2\rceil",
    hypotheses=("L >= 4",),
    formula="floor((Max(0, m - L - 1) + 1)/2)",
    symbols={"L": "number of neurons", "m": "number of label switches"},
    controls={
        "floor((Max(0, m - L) + 1)/2)": "at most L sign changes",
        "Max(0, m - L - 1)": "a mistake removes only one change",
        "floor(Max(0, m - L - 1)/2)": "rounded down",
        "floor((Max(0, m - L + 1) + 1)/2)": "S(L) = L - 1, as for narrow networks",
    },
    checks=(points_left_out, sequences_of_signs),
    rests_on=("safran2022.sign_changes",),
    own=True,
    part_of="safran2022.theorem_3_2",
)
