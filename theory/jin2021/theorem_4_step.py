"""Theorem 4: step sizes that it allows and with which the two trainings do not come near each other."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import isqrt

from implicitbias.claims import Context, Flaw, Interval, Observation, Premise, certificate, claim, seen

from ..observed.training.exact_training import Small, gram, jacobian, random_law
from . import errata

WIDTHS = range(4, 16)
DIGITS = 10**12
"""Distances are rounded down to such parts."""
CLOSE = 24
"""η = (2 - n⁻²⁴)/(nλ_max(Θ̂_n)): so close to the critical step that the residual keeps its length to ten digits."""


@certificate("both residuals in fractions", time_limit=60)
def residuals(context: Context) -> Observation:
    """The greatest distance of the functions at the one datum over t, in residuals at the start, by width against
    another width: below by that after one even number of steps, above by the larger residual, since both have one
    sign."""
    draw = context.random()
    allowed, widest = True, Fraction(0)
    cases = context.choose(4, 12)
    pairs = list(itertools.product(WIDTHS, repeat=2))  # each is looked at with one of the networks
    draw.shuffle(pairs)
    for case in range(cases):
        x = Fraction(draw.randint(-5, 5), 3)
        law = [(w, b) for w, b in random_law(draw, 8) if w * x + b > 3] or [(Fraction(1), 4 + abs(x))]
        apart: dict[int, Interval] = {}
        for n in WIDTHS:
            units = [draw.choice(law) for _ in range(n)]
            least, most = isqrt(10**6 // n) + 1, isqrt(4 * 10**6 // n)  # in thousandths, as √n|W²| is from 1 to 2
            outer = tuple(Fraction(draw.choice((-1, 1)) * draw.randint(least, most), 1000) for _ in units)
            network = Small(tuple(w for w, _ in units), tuple(b for _, b in units), outer, Fraction(0))
            whole, part = (gram(jacobian(network, [x], groups))[0][0] for groups in ("wbvc", "v"))
            eta = (2 - Fraction(1, n**CLOSE)) / whole
            own, of_part = 1 - eta * whole, 1 - eta * part
            allowed = allowed and eta < 2 / whole and own < of_part < 0
            steps = 2 * int(7 * whole / (whole - part))
            apart[n] = Interval(Fraction(int((own**steps - of_part**steps) * DIGITS), DIGITS), Fraction(1))
        for n, n0 in pairs[case::cases]:
            ratio = Interval(apart[n].lower / apart[n0].upper, apart[n].upper / apart[n0].lower)
            widest = max(widest, ratio.width)
            yield seen(ratio, f"network {case + 1}", n=n, n0=n0)
    yield Premise("every ratio is known to 10⁻¹⁰", widest < Fraction(1, 10**10), f"{float(widest):.1e}")
    yield Premise("the steps are allowed, and both residuals change their sign at each", allowed)


STEP_SIZE = claim(
    "jin2021.theorem_4_step_share",
    "Theorem 4, the step size",
    "Near the critical step size the two trainings stay apart",
    """With one datum and η = (2 - n⁻²⁴)/(nλ_max(Θ̂_n)), which is less than 2/(nλ_max(Θ̂_n)), the functions of the two
    linearised trainings (9) and (12) are apart at the datum, at some t, by the residual at the start, up to 10⁻¹⁰ of
    it: of width n and width n₀ the ratio is 1, for all widths from 4 to 15. The rate of Theorem 4 needs a step size
    that keeps away from the critical one.""",
    latex=r"\frac{\sup_t|f^{lin}_n(x_1,\tilde\omega_t)-f^{lin}_n(x_1,\omega_t)|/|r_n|}"
    r"{\sup_t|f^{lin}_{n_0}(x_1,\tilde\omega_t)-f^{lin}_{n_0}(x_1,\omega_t)|/|r_{n_0}|}=1\pm10^{-10}",
    hypotheses=("square loss", "one datum", "|W̄| from 1 to 2"),
    formula="1",
    symbols={"n": "width", "n0": "reference width"},
    flaw=Flaw(errata.STEP_SHARE, "n0/n"),
    controls={
        "sqrt(n0/n)": "a slower decrease",
        "(n0/n)**(1/4)": "a very slow decrease",
        "sqrt(n/n0)": "growth",
    },
    checks=(residuals,),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.equation_9", "jin2021.theorem_4_step_size"),
)
