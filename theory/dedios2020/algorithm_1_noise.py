"""Algorithm 1: what its noise distribution must satisfy."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import Mean
from implicitbias.theorems.rules.values.composition import Composition


@certificate("finite noise")
def best_outputs(context: Context) -> Observation:
    """The output of least expected loss E_r[(f - y - ηr)²] over finite noise, from three values of the loss."""
    draw = context.random()
    one, half = Fraction(1), Fraction(1, 2)
    laws: list[tuple[list[Fraction], list[Fraction]]] = [
        ([one, -one], [half, half]),
        ([Fraction(0), one], [half, half]),
        ([one], [one]),
        ([-one, Fraction(0), 3 * one], [half, Fraction(1, 4), Fraction(1, 4)]),
    ]
    for _ in range(context.choose(16, 80)):
        values = [Fraction(draw.randint(-9, 9), 2) for _ in range(draw.randint(1, 5))]
        shares = [draw.randint(1, 5) for _ in values]
        laws.append((values, [Fraction(share, sum(shares)) for share in shares]))
    for noise, masses in laws:
        y, eta = Fraction(draw.randint(-6, 6), 2), Fraction(draw.randint(1, 6), 4)

        def loss(
            f: Fraction,
            noise: list[Fraction] = noise,
            masses: list[Fraction] = masses,
            at: tuple[Fraction, Fraction] = (y, eta),
        ) -> Fraction:
            return sum((m * (f - at[0] - at[1] * r) ** 2 for m, r in zip(masses, noise, strict=True)), Fraction(0))

        low, middle, high = loss(-one), loss(Fraction(0)), loss(one)
        best = (low - high) / (2 * (low - 2 * middle + high))
        mean = sum((m * r for m, r in zip(masses, noise, strict=True)), Fraction(0))
        heaviest = max(zip(masses, noise, strict=True))[1]
        yield seen(best, f"{len(noise)} values, E r = {mean}", y=y, eta=eta, r=mean, h=heaviest)


@theorem("two values of the noise")
def two_values() -> Observation:
    """The label t for which (f - t)²/2 has the expected derivative at every output f, for any law of the noise."""
    expected = Mean(
        term=Derivative("squared_loss(g, y + eta*u)", "g", at="f"),
        entries={"u": "real"},
        totals={"r": "u"},
        by={"r": "-eta"},
        each="f - y",
    )
    names: dict[str, Assumption] = dict.fromkeys(("f", "y", "eta", "r", "h"), "real")
    yield shows(Composition("f - slope", {"slope": expected}), for_all=names, y="y", eta="eta", r="r", h="h")


TARGET = claim(
    "dedios2020.algorithm_1_noise",
    "Algorithm 1, the noise distribution ρ",
    "Label noise must have mean zero",
    """The expected step of Algorithm 1 at a datum is that of the square loss with the label y + η·E[r]: solutions with
    zero error for the given labels are stationary in the mean only if E[r] = 0. Any other noise fits shifted
    labels.""",
    latex=r"\arg\min_f\mathbb E_{r\sim\rho}\big[(f-y-\eta r)^2\big]=y+\eta\,\mathbb E[r]",
    hypotheses=("E[r²] < ∞",),
    formula="y + eta*r",
    symbols={"y": "label", "eta": "noise size η", "r": "E[r], the mean of the noise", "h": "the likeliest noise"},
    controls={
        "y": "noise of mean zero, whatever its law",
        "y - eta*r": "the shift with the wrong sign",
        "y + eta*h": "the likeliest noise instead of its mean",
        "y + r": "the noise size omitted",
    },
    checks=(two_values, best_outputs),
    part_of="dedios2020.equation_10",
)
