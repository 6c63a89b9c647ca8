"""Definition 3.2: effectively strictly convex weights, the Euclidean norm of the parameters first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot, rational_root
from implicitbias.theorems.rules.values.vectors import VectorValue

from ..observed.measures.chords import mixed, non_negative_multiples, root_chord, vector
from ..observed.units.neurons import Point, random_fraction, random_unit_vector


def _pairs(context: Context, size: int, count: int) -> list[tuple[Point, Point, Fraction]]:
    """(θ, θ', λ) with rational norms: equal, proportional, opposite, orthogonal and random ones."""
    draw = context.random()
    half, three = Fraction(1, 2), Fraction(3)
    first = (Fraction(1), *(Fraction(0),) * (size - 1))
    second = (Fraction(0), Fraction(1), *(Fraction(0),) * (size - 2))
    cases = [
        (first, second, half),
        (first, first, half),
        (first, tuple(three * value for value in first), half),
        (first, tuple(-value for value in first), half),
        (first, tuple(-three * value for value in first), Fraction(1, 4)),
    ]
    for n in range(count):
        r, s = (1 + abs(random_fraction(draw)) for _ in range(2))
        u, v = random_unit_vector(draw, size), random_unit_vector(draw, size)
        if n % 4 == 3:
            v = u
        cases.append((tuple(r * t for t in u), tuple(s * t for t in v), Fraction(draw.randint(1, 5), 6)))
    return cases


@certificate("rational norms")
def gaps(context: Context) -> Observation:
    """Gaps of equal, proportional, opposite and random parameters in several dimensions, in fractions."""
    for size in (2, 3, 5):
        for theta, other, share in _pairs(context, size, context.choose(8, 60)):
            r, s = rational_root(dot(theta, theta)), rational_root(dot(other, other))
            middle = mixed(theta, other, share)
            gap = (share * r + (1 - share) * s) ** 2 - dot(middle, middle)
            yield seen(gap, f"R^{size}, λ={share}", r=r, s=s, k=dot(theta, other), l=share)


@theorem("squares expanded")
def squares_expanded() -> Observation:
    """The gap for all parameters of any dimension, from their inner products."""
    yield shows(
        VectorValue(
            formula="(l*norm(u) + (1 - l)*norm(v))**2 - norm(l*u + (1 - l)*v)**2",
            vectors=("u", "v"),
            products={"u u": "r**2", "u v": "k", "v v": "s**2"},
        ),
        for_all={"l": "nonnegative", "r": "nonnegative", "s": "nonnegative", "k": "real"},
        assuming=("l <= 1", "k <= r*s", "-r*s <= k"),
        split=("r", "s"),
        r="r",
        s="s",
        k="k",
        l="l",
    )


NORM = claim(
    "dedios2020.definition_3_2",
    "Definition 3.2, Section 4 on the total variation, and (23), second line",
    "How far the norm lies below its chords",
    """For w = ‖θ‖, r = ‖θ‖, s = ‖θ'‖ the gap in (14) is (λr + (1-λ)s)² - ‖λθ + (1-λ)θ'‖² = 2λ(1-λ)(rs - θ·θ'), in every
    dimension. For λ in (0, 1) it vanishes only where θ·θ' = rs. With vectors of outputs at any number of data in place
    of the parameters and λ = 1/2 it is Minkowski's inequality in the second line of (23).""",
    latex=r"(\lambda r+(1-\lambda)s)^2-\|\lambda\theta+(1-\lambda)\theta'\|^2=2\lambda(1-\lambda)"
    r"\,(rs-\theta\cdot\theta')\quad(l=\lambda,\ k=\theta\cdot\theta')",
    formula="2*l*(1 - l)*(r*s - k)",
    symbols={"r": "‖θ‖", "s": "‖θ'‖", "k": "θ·θ'", "l": "λ"},
    controls={
        "0": "a weight that is affine between all parameters",
        "2*l*(1 - l)*(r*s - Abs(k))": "equality for opposite parameters as well",
        "l*(1 - l)*(r*s - k)": "the two mixed terms counted once",
        "2*(r*s - k)": "λ has no effect",
    },
    checks=(squares_expanded, gaps),
    part_of="dedios2020.proposition_3_3",
    formerly=("dedios2020.section_4_homogeneous", "dedios2020.appendix_a_minkowski"),
)

STRICT = ("‖θ‖", "‖θ‖ - (4/5)b", "‖θ‖ - b")
WEIGHTS = (*STRICT, "‖a‖", "Σ|θ_k|")


def _chord(name: str, theta: Point, other: Point, share: Fraction) -> tuple[bool, bool]:
    """(equality in (14), the chord lies nowhere below), decided in fractions.

    Linear forms drop out of (14); roots are compared by their squares.
    """
    middle = mixed(theta, other, share)
    if name == "Σ|θ_k|":
        sums = [sum(map(abs, v), Fraction(0)) for v in (theta, other, middle)]
        chord = share * sums[0] + (1 - share) * sums[1]
        return sums[2] == chord, sums[2] <= chord
    last = -1 if name == "‖a‖" else None
    p, q, m = (sum((t * t for t in v[:last]), Fraction(0)) for v in (theta, other, middle))
    return root_chord(p, q, m, share)


@certificate("chords compared")
def weights(context: Context) -> Observation:
    """Whether w(λθ + (1-λ)θ') = λw(θ) + (1-λ)w(θ') for five weights, compared exactly by squares."""
    convex = True
    for size in (2, 3):
        pairs = _pairs(context, size, context.choose(8, 40))
        zeros = (Fraction(0),) * (size - 2)
        pairs += [
            ((Fraction(3), *zeros, Fraction(4)), (Fraction(4), *zeros, Fraction(3)), Fraction(1, 2)),
            ((Fraction(3), *zeros, Fraction(4)), (Fraction(3), *zeros, Fraction(-4)), Fraction(1, 2)),
        ]
        for theta, other, share in pairs:
            for name in WEIGHTS:
                equal, below = _chord(name, theta, other, share)
                convex = convex and below
                yield seen(equal, f"w = {name}, R^{size}", weight=name, theta=theta, other=other, l=share)
    yield Premise("no chord lies below its weight", convex)
    yield Step("linear forms drop out of (14); roots are compared by their squares, in fractions")


def _vectors(given: Mapping[str, Value]) -> tuple[list[Fraction], list[Fraction]]:
    return vector(given, "theta"), vector(given, "other")


def effective(given: Mapping[str, Value]) -> Value:
    u, v = _vectors(given)
    if given["weight"] in STRICT:
        return non_negative_multiples(u, v)
    if given["weight"] == "‖a‖":
        return non_negative_multiples(u[:-1], v[:-1])
    return all(p * q >= 0 for p, q in zip(u, v, strict=True))


EQUALITY = claim(
    "dedios2020.definition_3_2_weights",
    "next to Definition 3.2",
    "Which weights are effectively strictly convex",
    """Equality in (14) holds for ‖θ‖, and for ‖θ‖ less a linear form, if and only if the parameters are non-negative
    multiples of each other: these weights are effectively strictly convex, even ‖θ‖ - b, which vanishes on a ray. For
    ‖a‖ it holds as soon as a and a' are multiples, whatever b and b'; for Σ|θ_k| as soon as no entry changes its sign:
    these two are not.""",
    latex=r"""w(\lambda\theta+(1-\lambda)\theta')=\lambda w(\theta)+(1-\lambda)w(\theta')\iff\theta,\theta'\text{
    non-negative multiples}\quad(w=\|\theta\|-\ell(\theta))""",
    hypotheses=("0 < λ < 1",),
    formula=Rule(
        "by weight",
        "equality iff non-negative multiples for ‖θ‖ and ‖θ‖ less a linear form; iff a, a' are for ‖a‖; iff no entry "
        "changes sign for Σ|θ_k|",
        effective,
    ),
    controls={
        Rule(
            "strict for all",
            "equality iff the parameters are non-negative multiples, for all five weights",
            lambda given: non_negative_multiples(*_vectors(given)),
        ): "all homogeneous norms treated alike",
        Rule(
            "never", "equality for equal parameters only", lambda given: _vectors(given)[0] == _vectors(given)[1]
        ): "strictly convex in the ordinary sense",
        Rule(
            "any multiple",
            "equality for all pairs on a line through 0 as well",
            lambda given: (
                effective(given) or non_negative_multiples(_vectors(given)[0], [-value for value in _vectors(given)[1]])
            ),
        ): "proportional with either sign",
    },
    checks=(weights,),
    part_of="dedios2020.proposition_3_3",
    rests_on=("dedios2020.definition_3_2",),
    own=True,
)
