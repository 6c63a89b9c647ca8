"""Theorem 3.2: a width below 4r/3 leaves the population loss above a constant, by a complete construction."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Flaw, Rule, Source
from implicitbias.evidence import Evidence, Identity, Instance, Step, Value


def proof_for_all_widths() -> tuple[Step, ...]:
    """The bound for every r >= 6, each step proved as it is written down."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol, to_sympy

    d = Derivation()
    r, extra = symbol("r", "positive"), symbol("t", "nonnegative")
    alpha = symbol("alpha", "nonnegative")
    d.step(
        "D: m + 1 points x > 0 with equal mass and alternating labels, m = r + 1, labelled by a teacher of width r >= 4"
    )
    d.step("a neuron with w < 0 and b < 0 is 0 on x > 0 near its parameters: gradient 0 for every sample and all t")
    d.step("with probability >= 1/4 at least k/4 neurons are such, so L <= 3k/4 <= 3αr/4 others move")
    d.step("they change the sign at most L + 1 times on x > 0: at least (m - L - 1)/2 of the m + 1 points are mistakes")
    d.identity(
        "their share is at least",
        ((r + 1) - (3 * alpha * r / 4) - 1) / (2 * (r + 2)),
        r * (1 - 3 * alpha / 4) / (2 * (r + 2)),
        "(m - L - 1)/(2(m + 1)) >= r(1 - 3α/4)/(2(r + 2))",
    )
    d.step("every mistake costs at least l(0) >= log 2")
    at_six = to_sympy("log(2)*6/(2*8) - 1/4", {})
    if not at_six.is_positive:
        raise ArithmeticError("log 2·6/16 exceeds 1/4")
    more = (6 + extra) / (2 * (8 + extra)) - sympy.Rational(6, 16)
    d.nonnegative(
        "r/(2(r + 2)) grows with r = 6 + t", sympy.together(more), "r/(2(r + 2)) >= 6/16 and log 2·6/16 > 1/4"
    )
    d.step("r <= 5: by the table of exact shares")
    return d.steps


def observe_bound(context: Context) -> Evidence:
    """log 2 times the share of mistakes, for all widths from r up: exact, by the sharp count of sign changes."""
    from implicitbias.exact.enclosure import enclose, lower, upper
    from implicitbias.exact.rational import Interval

    from .observed.dead_neurons import dead_probability, least_dead, share_of_mistakes

    log2 = enclose("log(2)")
    every = context.choose(32, 150)
    widths = [(r, k) for r in range(1, every + 1) for k in range(r, -(-4 * r // 3) + 1)]
    widths += [(r, k) for r in range(every + 1, 401, 3) for k in (r, 13 * r // 10, (4 * r - 1) // 3)]
    instances = []
    for r, k in widths:
        share = share_of_mistakes(r, k)
        logistic = Interval(share * lower(log2), share * upper(log2)) if share else Fraction(0)
        instances.append(Instance(f"r = {r}, k = {k}", {"a": Fraction(k, r)}, logistic, ">="))
    table = {
        f"r = {r}, k = {k}": f"{least_dead(k)} dead with probability {float(dead_probability(k)):.4f}, "
        f"share of mistakes {share_of_mistakes(r, k)}"
        for r, k in ((1, 1), (2, 2), (4, 4), (4, 5), (8, 8), (24, 24), (96, 96), (240, 312))
    }
    return Evidence(
        instances=tuple(instances),
        steps=proof_for_all_widths(),
        measured={"widths": len(widths), "largest r": max(r for r, _ in widths), **table},
    )


BOUND = Claim(
    id="safran2022.theorem_3_2",
    source=Source("safran2022", "Theorem 3.2"),
    title="Too narrow networks keep a constant population loss",
    statement=(
        "For width k = αr there are a distribution D and a teacher of width r such that with probability at least 1/4 "
        "over the initialisation the population loss stays at (1 - 3α/4)/4 or more, for all times, all sample sizes "
        "and all samples, for both losses. Complete construction: D is uniform on m + 1 positive points with "
        "alternating labels; ⌈k/4⌉ neurons or more have w, b < 0 and never move (probability >= 1/4); the other L "
        "switch at most S(L) times, so ⌈(m - S(L))/2⌉ points stay mistakes, each with loss >= l(0) >= log 2. With m = "
        "r + 1 this suffices for every r >= 6, and m = r or r + 1 for r <= 5."
    ),
    latex=r"P\big(\forall t:L_D(\theta(t))\ge\tfrac14(1-\tfrac34\alpha)\big)\ge\tfrac14",
    hypotheses=("α = k/r >= 1", "w, b, v independent and symmetric about 0, as in Assumption 2.1"),
    rests_on=(
        "safran2022.sign_changes",
        "safran2022.theorem_3_2_dead_neuron",
        "safran2022.theorem_3_2_dead_count",
        "safran2022.theorem_3_2_mistakes",
    ),
    formula="(1 - 3*a/4)/4",
    symbols={"a": "α = k/r"},
    controls=(
        Control("(1 - a/2)/4", "half of the neurons dead"),
        Control("(1 - 3*a/4)/2", "each mistake costs twice as much"),
        Control("1/16", "the bound for α = 1 at every width"),
        Control("(1 - 5*a/8)/4", "three neurons in eight dead"),
    ),
    checks=(
        Check(
            name="exact shares of mistakes",
            kind=Kind.CERTIFICATE,
            observe=observe_bound,
            about="the loss of the construction for r up to 400, all k up to 4r/3 for small r; a smaller loss refutes",
        ),
    ),
)


def derive_constant(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    c, alpha = symbol("c", "positive"), symbol("alpha", "positive")
    bound = (1 - sympy.Rational(3, 4) * alpha) / 4
    least = sympy.limit(bound, alpha, c, "-")
    d = Derivation()
    d.nonnegative("the bound falls with α", -sympy.diff(bound, alpha))
    d.step("so its infimum over all k < c·r is its limit at c", f"{least}")
    (root,) = sympy.solve(least, c)
    d.identity("it is positive below", root, sympy.Rational(4, 3), "c < 4/3")
    d.identity("at c = 13/10", least.subs(c, sympy.Rational(13, 10)), sympy.Rational(1, 160))
    return Evidence(identities=(Identity("all c", {"c": "positive"}, {"c": "c"}, from_sympy(least)),), steps=d.steps)


CONSTANT = Claim(
    id="safran2022.theorem_3_2_constant",
    source=Source("safran2022", "before and after Theorem 3.2, of k >= ⌊1.3r⌋"),
    title="The absolute constant for widths below 1.3 r",
    statement=(
        "Over all widths k < c·r the bound of Theorem 3.2 has the infimum (1 - 3c/4)/4: it is 1/160 for c = 1.3 and "
        "positive for every c < 4/3, so 1.3 may be replaced by any number below 4/3."
    ),
    latex=r"\inf_{k<cr}\tfrac14(1-\tfrac34\tfrac kr)=\tfrac14(1-\tfrac34c)",
    rests_on=("safran2022.theorem_3_2",),
    formula="(1 - 3*c/4)/4",
    symbols={"c": "widths below c·r"},
    controls=(
        Control("1/160", "the constant of 1.3 for every c"),
        Control("(4/3 - c)/4", "the right threshold, another slope"),
        Control("(1 - c/2)/4", "half of the neurons dead"),
        Control("(1.34 - c)*3/16", "the threshold rounded up"),
    ),
    checks=(
        Check(
            name="infimum over the widths",
            kind=Kind.PROOF,
            observe=derive_constant,
            about="monotonicity, the limit and its zero",
        ),
    ),
)


def observe_excluded(context: Context) -> Evidence:
    instances = []
    for r in (*range(1, 31), 48, 99, 100, 240, 400):
        positive = [k for k in range(1, 2 * r + 1) if 1 - Fraction(3 * k, 4 * r) > 0]
        instances.append(Instance("", {"r": r}, max(positive)))
    return Evidence(instances=tuple(instances))


EXCLUDED = Claim(
    id="safran2022.theorem_3_2_excluded_widths",
    source=Source(OWN_RESULT, "beside Theorem 3.2"),
    title="The widest networks that Theorem 3.2 excludes",
    statement="The bound of Theorem 3.2 is positive exactly for the widths k <= ⌊(4r - 1)/3⌋, that is for k < 4r/3.",
    latex=r"k\le\lfloor(4r-1)/3\rfloor",
    rests_on=("safran2022.theorem_3_2",),
    formula="floor((4*r - 1)/3)",
    symbols={"r": "width of the teacher"},
    controls=(
        Control("floor(1.3*r)", "the remark's 1.3 taken as sharp"),
        Control("floor(1.34*r)", "4/3 rounded up"),
        Control("floor(4*r/3)", "at k = 4r/3 the bound is 0"),
    ),
    checks=(
        Check(
            name="widths one by one",
            kind=Kind.CERTIFICATE,
            observe=observe_excluded,
            about="the sign of the bound for all widths up to 2r",
        ),
    ),
)


def capable(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) >= _int(given["r"])


def never_below(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) >= 13 * _int(given["r"]) // 10


def strictly_wider(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) > _int(given["r"])


def from_four_thirds(given: Mapping[str, Value]) -> Value:
    return 3 * _int(given["k"]) >= 4 * _int(given["r"])


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def observe_capable(context: Context) -> Evidence:
    """A ball of starts around a scaled teacher, all margins at least 3 on it; or a mistake that every network makes."""
    from implicitbias.functions.network import Network

    from .observed.dead_neurons import least_mistakes, most_changes
    from .observed.sign_changes import alternating, crossing_points

    instances, radii = [], {}
    for r in (4, 5, 7, 10, 13):
        teacher = alternating(r)
        shift = 3  # to x > 0
        x = [Fraction(p + shift) for p in crossing_points(r)]
        b = [bias - shift * weight for weight, bias in zip(teacher.w, teacher.b, strict=True)]
        for k in sorted({r - 1, r, r + 1, 13 * r // 10 - 1, 13 * r // 10}):
            if k < r:
                possible = least_mistakes(r + 1, most_changes(k)) == 0
            else:
                rest = [Fraction(0)] * (k - r)
                centre = Network([2 * w for w in (*teacher.w, *rest)], [2 * c for c in (*b, *rest)],
                                 [2 * v for v in (*teacher.v, *rest)])  # fmt: skip
                radius = Fraction(1, 10**5)
                possible = least_margin(centre, x, [(-1) ** (i + 1) for i in range(len(x))], radius) >= 3
                radii[f"r = {r}, k = {k}: radius"] = radius
            instances.append(Instance("", {"r": r, "k": k}, possible))
    note = (
        "every normal initialisation hits the ball with positive probability; there l <= log(1 + e^-3) < 1/16 at t = 0"
    )
    return Evidence(instances=tuple(instances), steps=(Step(note),), measured=radii)


def least_margin(centre: object, x: list[Fraction], labels: list[int], radius: Fraction) -> Fraction:
    """A lower bound of y_i N(x_i) over all parameters within `radius` of the centre, each coordinate by itself."""
    from implicitbias.functions.network import Network

    assert isinstance(centre, Network)
    margins = []
    for place, label in zip(x, labels, strict=True):
        slack, value = radius * (abs(place) + 1), label * centre(place)
        for w, b, v in zip(centre.w, centre.b, centre.v, strict=True):
            unit = max(Fraction(0), w * place + b)
            value -= radius * (unit + slack) + abs(v) * slack
        margins.append(value)
    return min(margins)


SURELY = Claim(
    id="safran2022.theorem_3_2_probability",
    source=Source("safran2022", "before Theorem 3.2, of what gradient flow is not capable"),
    title="Narrow networks fail with some probability, not surely",
    statement=(
        "On the distributions of Theorem 3.2 (r >= 4, r + 1 switches) networks of width k reach a population loss "
        "below any constant with positive probability over the initialisation if and only if k >= r: near a scaled "
        "teacher every initialisation has small loss from the start, and fewer than r neurons always leave a mistake. "
        "For r <= k < 4r/3 Theorem 3.2 excludes success with probability 1, not success."
    ),
    latex=r"P(L_D<c)>0\iff k\ge r",
    hypotheses=(
        "normal initialisation of any scales: every ball has positive probability",
        "r >= 4, m = r + 1 switches",
    ),
    rests_on=("safran2022.theorem_3_2", "safran2022.sign_changes"),
    formula=Rule("from the teacher's width on", "small loss has positive probability iff k >= r", capable),
    flaw=Flaw(
        printed=Rule(
            "not below 1.3 r", "loss below the constant has positive probability only if k >= ⌊1.3 r⌋", never_below
        ),
        word="imprecise wording",
        wrong="widths from r to ⌊1.3r⌋ - 1 start near a scaled teacher with positive probability, and then succeed.",
        sure="certain",
        charitable="the theorem that follows has the probability: gradient flow fails with probability at least 1/4.",
    ),
    controls=(
        Control(
            Rule("wider than the teacher", "only if k > r", strictly_wider), "over-parametrisation in the strict sense"
        ),
        Control(Rule("four thirds", "only if k >= 4r/3", from_four_thirds), "where the bound of the theorem becomes 0"),
    ),
    checks=(
        Check(
            name="a ball of initialisations",
            kind=Kind.CERTIFICATE,
            observe=observe_capable,
            about="margins over a whole ball of parameters, bounded exactly; mistakes of every narrower network",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (BOUND, CONSTANT, EXCLUDED, SURELY)
