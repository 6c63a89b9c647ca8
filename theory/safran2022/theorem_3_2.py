"""Theorem 3.2: a width below 4r/3 leaves the population loss above a constant; the whole construction."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Measured, Observation, Step, certificate, claim, seen
from implicitbias.exact.rational import Interval

from ..observed.margin.dead_neurons import dead_probability, least_dead, share_of_mistakes


def proof_for_all_widths() -> tuple[Step, ...]:
    """The bound for every r >= 6, each step proved as it is written down."""
    import sympy

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


@certificate("exact shares of mistakes")
def bound(context: Context) -> Observation:
    """log 2 times the share of mistakes of the construction, exact by the sharp count of sign changes, for r up to 400
    and, for small r, all k from r to 4r/3.
    """
    from implicitbias.exact.enclosure import enclose, lower, upper

    log2 = enclose("log(2)")
    every = context.choose(32, 150)
    widths = [(r, k) for r in range(1, every + 1) for k in range(r, 4 * r // 3 + 1)]
    widths += [(r, k) for r in range(every + 1, 401, 3) for k in (r, 13 * r // 10, 4 * r // 3)]
    for r, k in widths:
        share = share_of_mistakes(r, k)
        logistic = Interval(share * lower(log2), share * upper(log2)) if share else Fraction(0)
        yield seen(logistic, f"r = {r}, k = {k}", relation=">=", a=Fraction(k, r))
    table = {
        f"r = {r}, k = {k}": f"{least_dead(k)} dead with probability {float(dead_probability(k)):.4f}, "
        f"share of mistakes {share_of_mistakes(r, k)}"
        for r, k in ((1, 1), (2, 2), (4, 4), (4, 5), (8, 8), (24, 24), (96, 96), (240, 312))
    }
    yield from proof_for_all_widths()
    yield Measured("widths", len(widths))
    yield Measured("largest r", max(r for r, _ in widths))
    yield from (Measured(name, value) for name, value in table.items())


BOUND = claim(
    "safran2022.theorem_3_2",
    "Theorem 3.2",
    "Population loss of too narrow networks",
    """For width k = αr there are a distribution D and a teacher of width r such that with probability at least 1/4 over
    the initialisation the population loss stays at (1 - 3α/4)/4 or more, for all times, all sample sizes and all
    samples, for both losses. The construction: D is uniform on m + 1 positive points with alternating labels;
    ⌈k/4⌉ neurons or more have w, b < 0 and never move (probability >= 1/4); the other L switch at most S(L) times, so
    ⌈(m - S(L))/2⌉ points stay mistakes, each with loss >= l(0) >= log 2. With m = r + 1 this suffices for every r >= 6,
    and m = r or r + 1 for r <= 5. The bound is positive for all k < 4r/3, that is k <= ⌊(4r - 1)/3⌋, and at
    least 1/160 for k < 1.3r. (The outer 1/4 is the paper's: nothing seen excludes 0.3 in its place.)""",
    latex=r"P\big(\forall t:L_D(\theta(t))\ge\tfrac14(1-\tfrac34\alpha)\big)\ge\tfrac14",
    hypotheses=(
        "α = k/r >= 1, and α <= 4/3: beyond, the printed bound is below 0, which no loss is, and says nothing",
        "w, b, v independent and symmetric about 0, as in Assumption 2.1",
    ),
    domain=("a >= 1", "a <= 4/3"),
    formula="(1 - 3*a/4)/4",
    symbols={"a": "α = k/r"},
    controls={
        "(1 - a/2)/4": "half of the neurons dead",
        "(1 - 3*a/4)/2": "each mistake costs twice as much",
        "1/16": "the bound for α = 1 at every width",
        "(1 - 5*a/8)/4": "three neurons in eight dead",
        "(1 - 3*a/4)*a/3": "as much again by the width",
    },
    checks=(bound,),
    rests_on=(
        "safran2022.sign_changes",
        "safran2022.theorem_3_2_dead_neuron",
        "safran2022.theorem_3_2_dead_count",
        "safran2022.theorem_3_2_mistakes",
    ),
    formerly=("safran2022.theorem_3_2_constant", "safran2022.theorem_3_2_excluded_widths"),
)
