"""Theorem 4: step sizes that it allows and with which the two trainings do not come near each other."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Flaw, Interval, Observation, Premise, certificate, claim, seen

from ..observed.training.exact_training import Small, gram, jacobian, random_law
from . import errata

ROOTS = (3, 5, 8)
"""√n: with W² = W̄/√n all weights are rational."""


@certificate("both residuals in fractions", time_limit=60)
def residuals(context: Context) -> Observation:
    """The greatest distance of the functions at the one datum over t, at η = (2 - n⁻³)/(nλ_max(Θ̂_n)), by width against
    width 9: below by that after one even number of steps, above by the larger residual, since both have one sign."""
    draw = context.random()
    allowed = True
    for case in range(context.choose(4, 12)):
        x = Fraction(draw.randint(-5, 5), 3)
        law = [(w, b) for w, b in random_law(draw, 8) if w * x + b > 1] or [(Fraction(1), 3 + abs(x))]
        first: Interval | None = None
        for root in ROOTS:
            n = root**2
            units = [draw.choice(law) for _ in range(n)]
            outer = tuple(Fraction(draw.choice((-2, -1, 1, 2)), root) for _ in units)
            network = Small(tuple(w for w, _ in units), tuple(b for _, b in units), outer, Fraction(0))
            whole, part = (gram(jacobian(network, [x], groups))[0][0] for groups in ("wbvc", "v"))
            eta = (2 - Fraction(1, n**3)) / whole
            own, of_part = 1 - eta * whole, 1 - eta * part
            allowed = allowed and eta < 2 / whole and own < of_part < 0
            steps = 2 * int(3 * whole / (whole - part))
            apart = Interval(Fraction(int((own**steps - of_part**steps) * 1000), 1000), Fraction(1))  # rounded down
            first = first or apart
            ratio = Interval(apart.lower / first.upper, apart.upper / first.lower)
            yield seen(ratio, f"network {case + 1}, {steps} steps", n=n, n0=ROOTS[0] ** 2)
    yield Premise("the steps are allowed, and both residuals change their sign at each", allowed)


STEP_SIZE = claim(
    "jin2021.theorem_4_step_share",
    "Theorem 4, the step size",
    "Step sizes near the critical one",
    """With one datum and η = (2 - n⁻³)/(nλ_max(Θ̂_n)), which is less than 2/(nλ_max(Θ̂_n)), the functions of the two
    linearised trainings (9) and (12) are apart by order 1 at the datum, at some t, whatever the width: the rate of
    Theorem 4 needs a step size that keeps away from the critical one.""",
    latex=r"\sup_t|f^{lin}(x_1,\tilde\omega_t)-f^{lin}(x_1,\omega_t)|=\Theta(1)",
    hypotheses=("square loss", "one datum", "W̄ = ±1, ±2"),
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
