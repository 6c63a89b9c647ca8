"""Theorem 3.2, its construction: dead neurons, mistakes on alternating labels, and what ten times the width can do."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source
from implicitbias.exact.rational import Interval


def derive_dead(context: Context) -> Evidence:
    """The half-planes w l + b <= 0 and w h + b <= 0 meet in a sector; (w, b) has a uniform direction."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    high = symbol("h")
    d = Derivation()
    d.step("(w, b) has a rotation-invariant law: the probability of a sector is its angle over 2π")
    d.identity("the normal (h, 1) has the direction π/2 - atan h", sympy.cos(sympy.atan(high)) ** 2, 1 / (1 + high**2))
    d.step(
        "two closed half-planes whose normals enclose the angle ω meet in a sector of angle π - ω",
        "ω = atan h - atan l",
    )
    d.identity("data anywhere in (0, ∞): ω = π/2", (sympy.pi - sympy.pi / 2) / (2 * sympy.pi), sympy.Rational(1, 4))
    identity = Identity(
        "h = l + t", {"l": "real", "t": "positive"}, {"l": "l", "h": "l + t"}, "(pi - (atan(l + t) - atan(l)))/(2*pi)"
    )
    return Evidence(identities=(identity,), steps=d.steps)


def observe_dead(context: Context) -> Evidence:
    """By the Cauchy law of -b/w: no kink inside [l, h], and then the sign of w decides; rigorous Riemann sums."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    cells = context.choose(400, 4000)
    instances = []
    for low, high in (
        (0, 1),
        (-1, 1),
        (Fraction(1, 2), 3),
        (1, 1),
        (0, 50),
        (-2, Fraction(1, 3)),
        (Fraction(1, 10), 10),
    ):
        step = Fraction(Fraction(high) - low, cells)
        heights = [1 / (1 + (low + j * step) ** 2) for j in range(cells + 1)]
        peak = [Fraction(1)] if low < 0 < high else []
        below = above = Fraction(0)
        for j in range(cells):
            pair = (heights[j], heights[j + 1])
            inside = peak if low + j * step < 0 < low + (j + 1) * step else []
            below += step * Fraction(int(min(pair) * 10**12), 10**12)
            above += step * Fraction(int(max([*pair, *inside]) * 10**12) + 1, 10**12)
        pi = from_arb(flint.arb.pi())
        dead = Interval((1 - above / pi.lower) / 2, (1 - below / pi.upper) / 2)
        instances.append(Instance("Riemann sums", {"l": Fraction(low), "h": Fraction(high)}, dead))
    wide = max(i.observed.width for i in instances if isinstance(i.observed, Interval))
    return Evidence(
        instances=tuple(instances), premises=(Premise("known to 1/50", wide < Fraction(1, 50), f"{float(wide):.1e}"),)
    )


DEAD = Claim(
    id="safran2022.theorem_3_2_dead_neuron",
    source=Source(OWN_RESULT, "beside Theorem 3.2"),
    title="The probability of a dead neuron",
    statement=(
        "A neuron with w, b ~ N(0, σ²) is dead on all data in [l, h] with probability 1/2 - (atan h - atan l)/(2π). On "
        "positive data, wherever they lie, it is dead with probability at least 1/4, the probability of w, b < 0; then "
        "no sample gives it a gradient, so it stays dead for all times."
    ),
    latex=r"P(wl+b\le 0,\ wh+b\le 0)=\tfrac12-\tfrac{\arctan h-\arctan l}{2\pi}",
    hypotheses=("w, b independent with the same normal law", "l <= h"),
    formula="1/2 - (atan(h) - atan(l))/(2*pi)",
    symbols={"l": "the least input", "h": "the largest input"},
    controls=(
        Control("1/4", "w, b < 0 and no other case"),
        Control("1/2", "a neuron is active or dead"),
        Control("1/2 - (atan(h) - atan(l))/pi", "the mass of the kinks inside [l, h] not halved by the orientation"),
        Control("1/2 - (h - l)/(2*pi)", "kinks spread evenly"),
    ),
    checks=(
        Check(
            name="angle of a sector", kind=Kind.PROOF, observe=derive_dead, about="two half-planes, uniform directions"
        ),
        Check(
            name="law of the kink",
            kind=Kind.CERTIFICATE,
            observe=observe_dead,
            about="the Cauchy mass of [l, h] between Riemann sums; kinks, not directions",
        ),
    ),
)


def observe_count(context: Context) -> Evidence:
    from math import comb

    from .observed.dead_neurons import dead_probability, enclosed

    instances = [
        Instance("", {"k": k}, enclosed(dead_probability(k)), "=" if k == 1 else ">=")
        for k in range(1, context.choose(400, 1000) + 1)
    ]
    largest = max(Fraction(comb(16, j) * 3 ** (16 - j), 4**16) for j in range(17))
    steps = (
        Step("k < 16: the probabilities are computed exactly"),
        Step(
            "the largest P(Bin(k, 1/4) = j) never grows with k: one more toss averages two neighbouring values",
            f"at k = 16 it is {float(largest):.4f} <= 1/4",
            "exact integers",
        ),
        Step("a median of Bin(k, 1/4) is at least ⌊k/4⌋ (Kaas and Buhrman 1980)", "P(X >= ⌊k/4⌋) >= 1/2"),
        Step("so for k >= 16", "P(X >= k/4) >= P(X >= ⌊k/4⌋) - P(X = ⌊k/4⌋) >= 1/2 - 1/4 = 1/4"),
    )
    premise = Premise("the largest value at k = 16 is at most 1/4", largest <= Fraction(1, 4), f"{float(largest):.4f}")
    return Evidence(instances=tuple(instances), steps=steps, premises=(premise,))


COUNT = Claim(
    id="safran2022.theorem_3_2_dead_count",
    source=Source(OWN_RESULT, "beside Theorem 3.2"),
    title="A quarter of the neurons is dead with probability a quarter",
    statement=(
        "Of k neurons that are dead with probability 1/4 each, independently, at least k/4 are dead with probability "
        "at least 1/4, for every k >= 1, with equality at k = 1. Proof: exact for k < 16; for k >= 16 no value of "
        "Bin(k, 1/4) has probability above 1/4, and its median is at least ⌊k/4⌋."
    ),
    latex=r"P\big(\mathrm{Bin}(k,\tfrac14)\ge\tfrac k4\big)\ge\tfrac14",
    formula="1/4",
    symbols={"k": "number of neurons"},
    controls=(
        Control("1/2", "the median taken for ⌈k/4⌉"),
        Control("1/4 + 1/(4*k)", "a bound that tends to 1/4"),
        Control("Min(1/2, 1/4 + (k - 1)/100)", "equality at k = 1 only, a half for many neurons"),
    ),
    checks=(
        Check(
            name="binomial tails",
            kind=Kind.CERTIFICATE,
            observe=observe_count,
            about="exact integers for k up to 400, and the argument for all k",
        ),
    ),
)


def derive_mistakes(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    m, e = symbol("m", "nonnegative integer"), symbol("e", "nonnegative integer")
    d.step("leave out the e mistakes: what is left has labels as predicted, and S(L) <= L + 1 changes of them at most")
    d.identity("each point left out costs at most two of m changes", m - 2 * e, m - e - e, "m - 2e <= L + 1")
    d.step("so e >= (m - L - 1)/2, rounded up; attained by L + 1 changes on the first L + 2 points, and none after")
    cases = (
        Identity(
            "m = L + 1 + 2t",
            {"j": "nonnegative integer", "t": "nonnegative integer"},
            {"L": "j + 4", "m": "j + 5 + 2*t"},
            "t",
        ),
        Identity(
            "m = L + 2 + 2t",
            {"j": "nonnegative integer", "t": "nonnegative integer"},
            {"L": "j + 4", "m": "j + 6 + 2*t"},
            "t + 1",
        ),
        Identity("m = L + 1", {"j": "nonnegative integer"}, {"L": "j + 4", "m": "j + 5"}, "0"),
        Identity(
            "m = L - t", {"j": "nonnegative integer", "t": "nonnegative integer"}, {"L": "j + t + 4", "m": "j + 4"}, "0"
        ),
    )
    return Evidence(identities=cases, steps=d.steps)


def observe_mistakes(context: Context) -> Evidence:
    """The fewest over all sequences of signs with L + 1 changes, and the mistakes of a network that has so few."""
    from .observed.dead_neurons import least_mistakes, most_changes
    from .observed.sign_changes import alternating, crossing_points

    instances = []
    for width in (4, 5, 6, 9, 14):
        network = alternating(width)
        for m in (1, 3, 5, 6, 7, 8, 9, 10, 13, 20, 31):
            least = least_mistakes(m, most_changes(width))
            x = [*crossing_points(width), *(100 + j for j in range(m))][: m + 1]
            signs = [1 if network(Fraction(p)) > 0 else -1 for p in x]
            made = sum(sign != (-1) ** (i + 1) for i, sign in enumerate(signs))
            if made != least:
                raise ArithmeticError(f"width {width} makes {made} mistakes on {m + 1} points, not {least}")
            instances.append(Instance("best sequence of signs, best network", {"L": width, "m": m}, least))
    return Evidence(instances=tuple(instances))


MISTAKES = Claim(
    id="safran2022.theorem_3_2_mistakes",
    source=Source(OWN_RESULT, "beside Theorem 3.2"),
    title="Mistakes on alternating labels",
    statement=(
        "L >= 4 neurons make at least ⌈max(0, m - L - 1)/2⌉ mistakes on m + 1 points with alternating labels, and some "
        "points and weights attain it. Proof: without its e mistakes a network would change its sign m - 2e times or "
        "more, but S(L) = L + 1."
    ),
    latex=r"\#\{i:y_iN(x_i)\le 0\}\ge\lceil\max(0,m-L-1)/2\rceil",
    hypotheses=("L >= 4",),
    rests_on=("safran2022.sign_changes",),
    formula="floor((Max(0, m - L - 1) + 1)/2)",
    symbols={"L": "number of neurons", "m": "number of label switches"},
    controls=(
        Control("floor((Max(0, m - L) + 1)/2)", "at most L sign changes"),
        Control("Max(0, m - L - 1)", "a mistake removes one change only"),
        Control("floor(Max(0, m - L - 1)/2)", "rounded down"),
        Control("floor((Max(0, m - L + 1) + 1)/2)", "S(L) = L - 1, as for narrow networks"),
    ),
    checks=(
        Check(
            name="points left out",
            kind=Kind.PROOF,
            observe=derive_mistakes,
            about="the argument by deletion, both parities",
        ),
        Check(
            name="sequences of signs",
            kind=Kind.CERTIFICATE,
            observe=observe_mistakes,
            about="dynamic programming over all sequences of signs; explicit networks with so few mistakes",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    DEAD,
    COUNT,
    MISTAKES,
)
