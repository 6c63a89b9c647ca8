"""Theorem 4 with constants: for any number of data, at every step of both descents, and for every step size that it
allows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from implicitbias.claims import Context, Interval, Observation, Premise, Value, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.two_descents import FunctionsApart, PartsApart, RestMoved

from ..observed.data.draws import of_any_size
from ..observed.training.exact_training import Small, small
from ..observed.training.two_descents import Sizes, TwoDescents

DESCENTS = {
    "loss": "squared_loss(z, y)",
    "output": "z",
    "label": "y",
    "rate": "2/(n*(L + s))",
    "residual": "R",
    "least": "n*l",
    "most": "n*L",
    "least_of_part": "n*m",
    "rest": "q",
}
DOMAINS: Mapping[str, Assumption] = {
    "n": "positive integer",
    **dict.fromkeys("lmLs", "positive"),
    **dict.fromkeys("Rq", "nonnegative"),
}
SYMBOLS = {
    "n": "width",
    "R": "‖Y - f(X, θ₀)‖",
    "q": "λ_max of n(Θ̂_n - Θ̃_n), the kernel of W¹, b¹ and b²",
    "l": "λ_min(Θ̂_n)",
    "m": "λ_min(Θ̃_n)",
    "L": "λ_max(Θ̂_n)",
    "s": "2/(nη) - λ_max(Θ̂_n), positive: what the step size leaves",
}
BETWEEN = ("m <= l", "l <= L")


APART = ("m < l", "l <= L")
ATTAINED_IN_THE_LIMIT = (*APART, "l <= s")


@theorem("contraction")
def functions_apart() -> Observation:
    """The multipliers of the descent of all parameters, and by induction over the steps their distance from those of
    the other, for any number of data; where one datum attains the bound."""
    quantity = FunctionsApart(**DESCENTS, across="n*a", across_rest="b")
    yield from _bounded_and_attained(quantity, {**DOMAINS, "a": "nonnegative", "b": "nonnegative"})


@theorem("contraction")
def rest_moved() -> Observation:
    """The multipliers of the descent of all parameters, after any step, for any number of data; one datum attains the
    bound."""
    yield from _bounded_and_attained(RestMoved(**DESCENTS), DOMAINS)


@theorem("contraction")
def weights_apart() -> Observation:
    """The distance of the multipliers of both descents, by induction over the steps, for any number of data; where one
    datum attains the bound."""
    quantity = PartsApart(**DESCENTS, most_of_part="n*p")
    yield from _bounded_and_attained(quantity, {**DOMAINS, "p": "positive"})


def _bounded_and_attained(
    quantity: FunctionsApart | RestMoved | PartsApart, domains: Mapping[str, Assumption]
) -> Observation:
    """In general, and for one datum, whose kernels are numbers: l = m + q/n, and p = m."""
    spoken = {name: name for name in domains if name != "m" or not isinstance(quantity, RestMoved)}
    between = (*BETWEEN, *(("m <= p", "p <= L") if "p" in domains else ()))
    yield shows(quantity, "any data", for_all=domains, assuming=between, relation="<=", **spoken)
    fixed = {"q": "n*(l - m)"} | ({"p": "m"} if "p" in domains else {})
    alone = replace(quantity, rest=fixed["q"])
    if isinstance(alone, PartsApart):
        alone = replace(alone, most_of_part="n*m")
    left = {name: domain for name, domain in domains.items() if name not in fixed}
    attained = APART if isinstance(alone, RestMoved) else ATTAINED_IN_THE_LIMIT
    yield shows(alone, "one datum", for_all=left, assuming=attained, **{**spoken, **fixed})


Case = tuple[str, Sizes, TwoDescents, Fraction, bool]
"""A name, what is known, the descents, the step size, and whether the limits are what is farthest apart."""


def _cases(context: Context) -> Iterator[Case]:
    """One datum, with the place across 0 from it, so that the bounds are attained; steps near the critical one; two and
    three data."""
    draw = context.random()
    for case in range(context.choose(12, 40)):
        n = 1 + case % 4
        x, at = Fraction(draw.randint(4, 9), 3), -Fraction(draw.randint(4, 9), 2)
        network = _active(draw, n, (x, at), of_any_size(draw, 1, 4), of_any_size(draw, -1, 2))
        found = TwoDescents(network, [x], [Fraction(draw.randint(-9, 9), 2) + Fraction(1, 7)], at)
        yield f"one datum, {n} units", found.sizes(), found, 1 / found.kernels[0][0][0], True
    for case in range(context.choose(6, 20)):  # steps at which both descents are near the critical one
        n = 1 + case % 4
        x = Fraction(draw.randint(1, 6), 3)
        network = _active(draw, n, (x,), of_any_size(draw, 3, 4), Fraction(1, 16))
        found = TwoDescents(network, [x], [Fraction(draw.randint(1, 9), 2)], x)
        whole = found.kernels[0][0][0]
        yield f"one datum, {n} units, η near 2/λ_max", found.sizes(), found, (2 - Fraction(1, 400)) / whole, False
    for case in range(context.choose(24, 80)):
        m = 2 + case % 2
        x_all = sorted(draw.sample([Fraction(i, 2) for i in range(-7, 8)], m))
        network = small(draw, m + case % 3, x_all)
        found = TwoDescents(
            network,
            x_all,
            [Fraction(draw.randint(-9, 9), 2) for _ in x_all],
            Fraction(draw.randint(-9, 9), 4) + Fraction(1, 9),
        )
        sizes = found.sizes()
        if all(_lower(size) > Fraction(1, 50) for size in (sizes.least_of_part, sizes.least)):
            share = (Fraction(1, 2), Fraction(9, 10), Fraction(3, 2))[case % 3]
            most = sizes.n * _upper(sizes.most)
            yield f"{m} data, {sizes.n} units", sizes, found, (share / most).limit_denominator(10**6), False


def _active(draw: random.Random, units: int, x: tuple[Fraction, ...], size: Fraction, outer: Fraction) -> Small:
    """Units that are active at all these inputs."""
    w = tuple(Fraction(draw.choice((-2, -1, 1, 2)), 2) for _ in range(units))
    b = tuple(size * draw.randint(2, 5) + abs(v) * max(map(abs, x)) for v in w)
    return Small(
        w, b, tuple(outer * draw.choice((-2, -1, 1, 2)) for _ in range(units)), Fraction(draw.randint(-3, 3), 5)
    )


def _lower(number: Fraction | int | Interval) -> Fraction:
    return number.lower if isinstance(number, Interval) else Fraction(number)


def _upper(number: Fraction | int | Interval) -> Fraction:
    return number.upper if isinstance(number, Interval) else Fraction(number)


def _known(sizes: Sizes, eta: Fraction) -> dict[str, Value]:
    slack = 2 / (sizes.n * eta)
    left = Interval(slack - _upper(sizes.most), slack - _lower(sizes.most))
    return {
        "n": sizes.n,
        "R": sizes.residual,
        "q": sizes.rest,
        "l": sizes.least,
        "m": sizes.least_of_part,
        "L": sizes.most,
        "s": left.lower if left.width == 0 else left,
    }


STEPS = 24


@certificate("both descents in fractions", time_limit=60)
def followed_functions(context: Context) -> Observation:
    """The greatest distance of the functions at a place, over the steps made and the limit, of small networks."""
    several = 0
    for label, sizes, found, eta, attained in _cases(context):
        given = _known(sizes, eta) | {"a": sizes.across, "b": sizes.across_rest}
        attained = attained and found.same_way
        yield seen(found.apart(eta, STEPS).functions, label, relation="=" if attained else "<=", **given)
        several += len(found.residual) > 1
    yield Premise("several data are among them", several >= 5, f"{several}")


@certificate("both descents in fractions", time_limit=60)
def followed_rest(context: Context) -> Observation:
    """How far W¹, b¹ and b² have moved at most, over the steps made and the limit, in small networks."""
    several = 0
    for label, sizes, found, eta, _ in _cases(context):
        given = {name: value for name, value in _known(sizes, eta).items() if name != "m"}
        alone = len(found.residual) == 1  # attained by the first step, or the limit
        yield seen(found.apart(eta, STEPS).rest, label, relation="=" if alone else "<=", **given)
        several += len(found.residual) > 1
    yield Premise("several data are among them", several >= 5, f"{several}")


@certificate("both descents in fractions", time_limit=60)
def followed_weights(context: Context) -> Observation:
    """The greatest distance of the output weights, over the steps made and the limit, of small networks."""
    several = 0
    for label, sizes, found, eta, attained in _cases(context):
        given = _known(sizes, eta) | {"p": sizes.most_of_part}
        yield seen(found.apart(eta, STEPS).weights, label, relation="=" if attained else "<=", **given)
        several += len(found.residual) > 1
    yield Premise("several data are among them", several >= 5, f"{several}")


HYPOTHESES = ("square loss", "0 < η < 2/(nλ_max(Θ̂_n)), the same in both", "λ_min(Θ̃_n) > 0: the rank is M")
FUNCTION = claim(
    "jin2021.theorem_4_function_bound",
    "beside Theorem 4, equation (13)",
    "Distance of the functions at every step, for any data",
    """At every step, for any number of data, the functions of the linearised network trained by (9) and by (12) differ
    at x by at most ‖r‖ max(1/(nλ), η)(b + aq/min(λ̃, s)). Here r = Y - f(X, θ₀); Θ̃_n is the part of Θ̂_n of the output
    weights; λ, λ̃ are their least eigenvalues; a = ‖Θ̃_n(x, X)‖; b and q are the norms of n(Θ̂_n - Θ̃_n) at (x, X) and at
    (X, X); s = 2/(nη) - λ_max(Θ̂_n), so that 1/(nη) = (λ_max(Θ̂_n) + s)/2. With one datum and s ≥ λ the distance can be
    as large.""",
    latex=r"\sup_t|f^{lin}(x,\tilde\omega_t)-f^{lin}(x,\omega_t)|\le"
    r"\|r\|\max\Big(\frac1{n\lambda},\eta\Big)\Big(b+\frac{aq}{\min(\tilde\lambda,s)}\Big)",
    hypotheses=HYPOTHESES,
    domain=("n >= 1", "R >= 0", "q >= 0", "a >= 0", "b >= 0", "m > 0", "s > 0", *BETWEEN),
    formula="R*(b + a*q/Min(m, s))/(n*Min(l, (L + s)/2))",
    symbols={**SYMBOLS, "a": "‖Θ̃_n(x, X)‖", "b": "n‖(Θ̂_n - Θ̃_n)(x, X)‖"},
    controls={
        "R*(b + a*q/m)/(n*l)": "steps near the critical one as well",
        "R*(b + a*q/Min(m, s))/(2*n*Min(l, (L + s)/2))": "half as much",
        "R*(b + a*q/Min(m, s))/(n**2*Min(l, (L + s)/2))": "a power of n more",
        "R*(b + a*q/Min(m, s))/(n**(3/2)*Min(l, (L + s)/2))": "the rate of the output weights",
        "R*b/(n*Min(l, (L + s)/2))": "the output weights as if they moved alike",
        "R*a*q/(n*Min(l, (L + s)/2)*Min(m, s))": "the other parameters as if they did not matter",
        "R*(b + a*q/L)/(n*L)": "the greatest eigenvalue in the place of the least",
        "R*(b + a*q)/(n*Min(l, (L + s)/2))": "one of two least eigenvalues",
        "sqrt(R)*(b + a*q/Min(m, s))/(n*Min(l, (L + s)/2))": "the loss's root in the place of the residual",
    },
    checks=(functions_apart, followed_functions),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.equation_9",),
    own=True,
)


REST = claim(
    "jin2021.theorem_4_rest_bound",
    "beside Theorem 4, input weights and biases",
    "Movement of all but the output weights at every step, for any data",
    """At every step, for any number of data and for every step size, W¹, b¹ and b² together, trained by (9), have
    moved by at most √q ‖r‖ max(1/(nλ), η). Here r = Y - f(X, θ₀), λ = λ_min(Θ̂_n), q is the greatest eigenvalue of nΘ̂_n
    less the output weights' part, and 1/(nη) = (λ_max(Θ̂_n) + s)/2. With one datum they move as far, in the first step
    or in the limit.""",
    latex=r"\sup_t\|(\hat W^{(1)}_t,\hat b^{(1)}_t,\hat b^{(2)}_t)-(\bar W^{(1)},\bar b^{(1)},\bar b^{(2)})\|_2"
    r"\le\sqrt q\,\|r\|\max\Big(\frac1{n\lambda},\eta\Big)",
    hypotheses=(*HYPOTHESES[:2], "λ_min(Θ̂_n) > 0: the rank is M"),
    domain=("n >= 1", "R >= 0", "q >= 0", "l > 0", "s > 0", "l <= L"),
    formula="sqrt(q)*R/(n*Min(l, (L + s)/2))",
    symbols={name: says for name, says in SYMBOLS.items() if name != "m"},
    controls={
        "sqrt(q)*R/(n*l)": "how far they are in the limit: long steps overshoot",
        "sqrt(q)*R/(n*Min(l, s))": "what contraction alone gives: more, near the critical step",
        "sqrt(q)*R/(2*n*Min(l, (L + s)/2))": "half as much",
        "q*R/(n*Min(l, (L + s)/2))": "q in the place of its root",
        "sqrt(q)*R/(n**(3/2)*Min(l, (L + s)/2))": "the rate of the output weights",
        "sqrt(q)*R/(n**2*Min(l, (L + s)/2))": "a power of n more",
        "sqrt(q)*R/(n*L)": "the greatest eigenvalue in the place of the least",
        "R/sqrt(n*Min(l, (L + s)/2))": "how far all parameters move",
        "R/(n*Min(l, (L + s)/2))": "the output bias alone",
    },
    checks=(rest_moved, followed_rest),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.equation_9",),
    own=True,
)


WEIGHTS = claim(
    "jin2021.theorem_4_weights_bound",
    "beside Theorem 4, output weights",
    "Distance of the output weights at every step, for any data",
    """At every step, for any number of data, the output weights trained by (9) and by (12) differ by at most
    √(Λ̃/n) q‖r‖ max(1/(nλ), η)/min(λ̃, s). Here r = Y - f(X, θ₀), λ̃ and Λ̃ are the least and the greatest eigenvalue of
    Θ̃_n, the output weights' part of Θ̂_n, λ = λ_min(Θ̂_n), s = 2/(nη) - λ_max(Θ̂_n), so that 1/(nη) = (λ_max(Θ̂_n) + s)/2,
    and q is the greatest eigenvalue of n(Θ̂_n - Θ̃_n). With one datum and s ≥ λ they tend to as much.""",
    latex=r"\sup_t\|\tilde W^{(2)}_t-\hat W^{(2)}_t\|_2\le"
    r"\sqrt{\frac{\tilde\Lambda}n}\,\frac{q\,\|r\|}{\min(\tilde\lambda,s)}\max\Big(\frac1{n\lambda},\eta\Big)",
    hypotheses=HYPOTHESES,
    domain=("n >= 1", "R >= 0", "q >= 0", "m > 0", "s > 0", "m <= p", "p <= L", *BETWEEN),
    formula="sqrt(p)*q*R/(n**(3/2)*Min(l, (L + s)/2)*Min(m, s))",
    symbols={**SYMBOLS, "p": "λ_max(Θ̃_n)"},
    controls={
        "sqrt(p)*q*R/(n**(3/2)*l*m)": "steps near the critical one as well",
        "sqrt(p)*q*R/(2*n**(3/2)*Min(l, (L + s)/2)*Min(m, s))": "half as much",
        "sqrt(p)*q*R/(n**2*Min(l, (L + s)/2)*Min(m, s))": "half a power of n more",
        "sqrt(p*q)*R/(n**(3/2)*Min(l, (L + s)/2)*Min(m, s))": "the root of q",
        "sqrt(p)*q*R/(n**(3/2)*L**2)": "the greatest eigenvalue in the place of the least",
        "sqrt(p)*q*R/(n**(3/2)*Min(l, (L + s)/2))": "one of two least eigenvalues",
    },
    checks=(weights_apart, followed_weights),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.equation_9",),
    own=True,
)
