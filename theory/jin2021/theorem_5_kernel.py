"""Theorem 5: how far the kernel of n random units is from that of infinitely many, exactly at every width."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.independent_copies import IndependentCopies

from ..observed.training.exact_training import Pair, random_law

AT_X, AT_Z = "unit(1, w, b, x)", "unit(1, w, b, z)"


@theorem("copies of one unit")
def kernel_of_copies() -> Observation:
    """The kernel of n units is the mean of n independent copies of the product of a unit's outputs."""
    entry = IndependentCopies(
        term=f"{AT_X}*{AT_Z} - K",
        entries={"w": "real", "b": "real"},
        copies="n",
        totals={
            "K": f"{AT_X}*{AT_Z}",
            "F": f"({AT_X}*{AT_Z})**2",
            "A": f"{AT_X}**2",
            "B": f"{AT_Z}**2",
        },
        by={"K": "1"},
        each="-K",
        square_by={"F": "1", "K": "-2*K"},
        square_each="K**2",
    )
    domains: dict[str, Assumption] = {"n": "positive integer", "x": "real", "z": "real"}
    domains |= dict.fromkeys("KFAB", "positive")  # as of every law with a unit that is active at both inputs
    given = {"n": "n", "K": "K", "F": "F", "P": "A*B"}
    moments = ("K**2 <= F", "K**2 <= A*B")
    yield shows(entry, for_all=domains, assuming=moments, indifferent_to=("unit", "relu"), **given)


def _networks(context: Context) -> Iterator[tuple[int, list[Pair], Fraction, Fraction]]:
    """Width, law of (W, B), the inputs; those active at the second input differ, but where both inputs are the same."""
    draw = context.random()
    for case in range(context.choose(16, 40)):
        n = 1 + case % 4
        while True:
            law = random_law(draw, (4, 4, 3, 2)[n - 1])
            x, z = Fraction(draw.randint(-6, 6), 3), Fraction(draw.randint(-6, 6), 2)
            if case < 4:
                z = x
            ratios = {relu(w * x + b) / (w * z + b) for w, b in law if w * z + b > 0}
            if ratios and (case < 4 or len(ratios) > 1):
                break
        yield n, law, x, z


@certificate("every network")
def every_kernel(context: Context) -> Observation:
    """The mean square of K_n(x, x') - K(x, x') over every network that a law with finitely many values can draw."""
    wide = 0
    for n, law, x, z in _networks(context):
        products = [relu(w * x + b) * relu(w * z + b) for w, b in law]
        mean = Fraction(sum(products)) / len(law)
        misses = [(Fraction(sum(drawn)) / n - mean) ** 2 for drawn in itertools.product(products, repeat=n)]
        A, B = (Fraction(sum(relu(w * at + b) ** 2 for w, b in law)) / len(law) for at in (x, z))
        fourth = Fraction(sum(p * p for p in products)) / len(law)
        yield seen(
            sum(misses) / len(misses),
            f"width {n}, x = {x}, x' = {z}, {len(misses)} networks",
            n=n,
            K=mean,
            F=fourth,
            P=A * B,
        )
        wide += n > 1 and fourth != mean**2
    yield Premise("wider networks that scatter are among them", wide >= 5, f"{wide}")


KERNEL = claim(
    "jin2021.theorem_5_kernel",
    "Theorem 5, the kernels K_n and K",
    "Mean square distance of the kernel of n units from its limit",
    """The kernel of the output layer of n units, K_n(x, x') = (1/n)Σ[W_ix+B_i]_+[W_ix'+B_i]_+, is off its mean K by
    (E[φ(x)²φ(x')²] - K²)/n in the mean square, exactly and at every width: the rate n^(-1/2) of Theorem 5 for kernels,
    and why it asks for fourth moments of (W, B). So it is for any features φ.""",
    latex=r"E\big(K_n(x,x')-K(x,x')\big)^2=\frac{E[\varphi(x)^2\varphi(x')^2]-K(x,x')^2}{n}",
    hypotheses=("n independent units of one law with finite fourth moments", "K > 0: some are active at both inputs"),
    domain=("n >= 1", "K > 0", "F >= K**2", "P >= K**2"),
    formula="(F - K**2)/n",
    symbols={"n": "width", "K": "E[φ(x)φ(x')]", "F": "E[φ(x)²φ(x')²]", "P": "E φ(x)² E φ(x')²"},
    controls={
        "F/n": "the mean not taken off",
        "(P - K**2)/n": "outputs at two inputs as if independent",
        "(F - K**2)/n**2": "the square of the rate 1/n",
        "(F + K**2)/n": "the variance of a Gaussian product",
        "(F - K**2)/(n + 1)": "the sample's own mean taken off",
        "F - K**2/n": "only the mean becomes sharper",
    },
    checks=(kernel_of_copies, every_kernel),
    part_of="jin2021.theorem_5",
)


@theorem("derivative along each unit")
def first_order_of_copies() -> Observation:
    """With one datum x_1 and label y the trained output layer has y k/κ at x, k = K(x, x_1), κ = K(x_1, x_1). To first
    order in the kernels it moves by the mean of its derivatives along what each unit has too much of k and κ."""
    along = f"(k + e*({AT_X}*{AT_Z} - k))/(K + e*({AT_Z}**2 - K))"
    rest, gamma = f"({AT_X} - k/K*{AT_Z})", f"(y/K*{AT_Z})"
    moved = IndependentCopies(
        term=Derivative(f"y*{along}", "e", "0"),
        entries={"w": "real", "b": "real"},
        copies="n",
        totals={"k": f"{AT_X}*{AT_Z}", "K": f"{AT_Z}**2", "V": f"{rest}**2*{gamma}**2", "R": f"{rest}**2"},
        by={"k": "y/K", "K": "-y*k/K**2"},
        square_by={"V": "1"},
    )
    signs: tuple[Assumption, ...] = ("positive", "negative")
    for sign in signs:  # V > 0 needs a label other than 0
        domains: dict[str, Assumption] = {"n": "positive integer", "y": sign, "k": "nonnegative"}
        domains |= {**dict.fromkeys("xz", "real"), **dict.fromkeys("KVR", "positive")}
        indifferent = ("unit", "relu")
        yield shows(moved, f"{sign} label", for_all=domains, indifferent_to=indifferent, n="n", V="V", P="R*y**2/K")


@certificate("derivatives along kernels")
def first_orders(context: Context) -> Observation:
    """The mean square of the first-order distance at x over every network of a finite law: y(k + s)/(κ + t) along the
    kernel's distance (s, t) from its mean, by a quotient of differences extrapolated to 0, exactly."""
    wide = told = 0
    draw = context.random()
    for n, law, x, z in _networks(context):
        y = Fraction(draw.randint(1, 5) * draw.choice((1, -1)), draw.randint(1, 3))
        outputs = [(relu(w * x + b), relu(w * z + b)) for w, b in law]
        k, kappa = (sum((Fraction(p[i] * p[1]) for p in outputs), Fraction(0)) / len(law) for i in (0, 1))
        squares = [
            _slope(y, k, kappa, drawn) ** 2
            for drawn in itertools.product([(a * c, c * c) for a, c in outputs], repeat=n)
        ]
        rest = [a - k / kappa * c for a, c in outputs]  # ρ
        gamma = [y / kappa * c for _, c in outputs]
        V = sum(((r * g) ** 2 for r, g in zip(rest, gamma, strict=True)), Fraction(0)) / len(law)
        P = sum(r * r for r in rest) * sum(g * g for g in gamma) / len(law) ** 2
        yield seen(sum(squares) / len(squares), f"width {n}, {len(squares)} networks", n=n, V=V, P=P)
        wide += n > 1 and V > 0
        told += V != P
    yield Premise("wider networks that scatter are among them", min(wide, told) >= 5, f"{wide}, {told}")


def _slope(y: Fraction, k: Fraction, kappa: Fraction, drawn: tuple[tuple[Fraction, Fraction], ...]) -> Fraction:
    """The derivative of y(k + e s)/(κ + e t) at e = 0, (s, t) the distance of the drawn units' kernel from (k, κ).

    The quotient's odd part times κ² - (et)², which is linear in e: no rule of calculus is used.
    """
    s, t = (sum((p[i] for p in drawn), Fraction(0)) / len(drawn) - mean for i, mean in ((0, k), (1, kappa)))
    e = Fraction(1, 2**20)
    odd = (y * (k + e * s) / (kappa + e * t) - y * (k - e * s) / (kappa - e * t)) / (2 * e)
    return odd * (kappa**2 - (e * t) ** 2) / kappa**2


FIRST_ORDER = claim(
    "jin2021.theorem_5_first_order",
    "next to Theorem 5, one datum",
    "Mean square of the first-order distance to the limit",
    """For one datum the output layer of n units, trained from 0, is y K_n(x, x_1)/K_n(x_1, x_1) at x. To first order in
    K_n - K its distance from the limit has the mean square E[ρ²γ²]/n at every width, with γ = yφ(x_1)/K(x_1, x_1) and ρ
    = φ(x) - φ(x_1) K(x, x_1)/K(x_1, x_1): the constant of theorem_5_constant, where more data are trained on.""",
    latex=r"E\big(Dg(x)[K_n-K]\big)^2=\frac{E[\rho_x^2\gamma^2]}{n}",
    hypotheses=("n independent units of one law with finite fourth moments", "K(x_1, x_1) > 0"),
    domain=("n >= 1", "V >= 0", "P >= 0"),
    formula="V/n",
    symbols={"n": "width", "V": "E[ρ²γ²]", "P": "E[ρ²]E[γ²]"},
    controls={
        "P/n": "ρ and γ taken as independent",
        "2*V/n": "both copies of an anti-symmetrical pair counted",
        "V/n**2": "the square of the rate 1/n",
        "V/(n + 1)": "the sample's own mean taken off",
        "V": "no approach",
    },
    checks=(first_order_of_copies, first_orders),
    part_of="jin2021.theorem_5",
    rests_on=("jin2021.theorem_5_kernel",),
    own=True,
)
