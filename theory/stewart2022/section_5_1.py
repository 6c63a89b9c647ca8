"""Section 5.1: from directions on the circle to a side and a kink."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import Claim, Control, Flaw, Source

UNITS: tuple[tuple[Fraction | int, Fraction | int], ...] = (
    (1, 0),
    (1, -2),
    (-1, 2),
    (-3, 2),
    (2, 3),
    (-1, -1),
    (5, 1),
    (-4, 3),
    (Fraction(1, 2), Fraction(-1, 3)),
)
"""(a_1, a_2), both signs of a_1."""


def unit(a: Fraction | int, b: Fraction | int, x: Fraction) -> Fraction:
    """(a_1 x + a_2)_+."""
    return max(Fraction(0), a * x + b)


def bend(a: Fraction | int, b: Fraction | int) -> Fraction:
    """Where the unit bends: the end of the interval on which it is 0, from two of its values where it is on."""
    step = Fraction(1)
    start = Fraction(0)
    while unit(a, b, start) == 0:  # walk to where it is on
        start += step if unit(a, b, start + 10**6) > 0 else -step
        step *= 2
    beyond = start + (1 if unit(a, b, start + 1) > unit(a, b, start) else -1)
    slope = (unit(a, b, beyond) - unit(a, b, start)) / (beyond - start)
    return start - unit(a, b, start) / slope


def derive_kink(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    p, q, x = symbol("p", "positive"), symbol("q"), symbol("x")
    d = Derivation()
    identities = []
    for sign in (1, -1):
        (root,) = sympy.solve(sympy.Eq(sign * p * x + q, 0), x)
        d.identity(
            f"a_1 {'>' if sign > 0 else '<'} 0: inside the ReLU is |a_1| times s(x - c)",
            sign * p * x + q,
            p * (sign * (x - root)),
        )
        identities.append(
            Identity(
                f"a_1 {'>' if sign > 0 else '<'} 0",
                {"p": "positive", "q": "real"},
                {"a": "p" if sign > 0 else "-p", "b": "q"},
                str(root),
            )
        )
    return Evidence(identities=tuple(identities), steps=d.steps)


def observe_kink(context: Context) -> Evidence:
    draw = context.random()
    cases: list[tuple[Fraction | int, Fraction | int]] = list(UNITS)
    for _ in range(12):
        cases.append((draw.choice([-1, 1]) * Fraction(draw.randint(1, 20), 3), Fraction(draw.randint(-20, 20), 7)))
    instances, flat = [], True
    for a, b in cases:
        c = bend(a, b)
        side = 1 if unit(a, b, c + 1) else -1
        flat = flat and all(unit(a, b, c - side * Fraction(j, 5)) == 0 for j in range(9))
        instances.append(Instance(f"a = ({a}, {b})", {"a": a, "b": b}, c))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("the unit is 0 on one side of the place found and not on the other", flat),),
        steps=(Step("two values where the unit is on give its line, and that its zero"),),
    )


KINK = Claim(
    id="stewart2022.section_5_1_kink",
    source=Source("stewart2022", "Section 5.1, before equation (6)"),
    title="The kink of a unit",
    statement=(
        "The unit (a_1 x + a_2)_+ with a_1 ≠ 0 has its kink at c = -a_2/a_1, for both signs of a_1. (Directions with "
        "a_1 = 0 have no kink; they are constants, on [-1, 1] the sum ((x+1)_+ + (1-x)_+)/2.)"
    ),
    latex=r"c=-\frac{a_2}{a_1}",
    hypotheses=("a_1 ≠ 0",),
    formula="-b/a",
    symbols={"a": "a_1", "b": "a_2"},
    flaw=Flaw(
        printed="-b/Abs(a)",
        word="misprint",
        wrong="for a_1 < 0 the printed c is the mirror image of the kink: a = (-1, 2) bends at 2, not at -2.",
        sure="certain",
        charitable="Figure 2 and equation (7) use the right one, s·c = -a_2/|a_1|.",
    ),
    controls=(
        Control("b/a", "the sign lost"),
        Control("-b", "a_1 taken for 1"),
        Control("-b/sqrt(a**2 + b**2)", "divided by the length of a"),
    ),
    checks=(
        Check(
            name="zero of the line",
            kind=Kind.PROOF,
            observe=derive_kink,
            about="the zero of a_1 x + a_2 and the ramp that starts there, for both signs of a_1",
        ),
        Check(
            name="bends of units",
            kind=Kind.CERTIFICATE,
            observe=observe_kink,
            about="where units with both signs of a_1 bend, from their values",
        ),
    ),
)


def derive_weight(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    p, v, x, c = symbol("p", "positive"), symbol("v"), symbol("x"), symbol("c")
    d = Derivation()
    for sign in (1, -1):
        d.identity(
            "v (a_1 x + a_2)_+ with a_2 = -a_1 c",
            v * sympy.Max(0, sign * p * (x - c)),
            v * p * sympy.Max(0, sign * (x - c)),
        )
    identities = tuple(
        Identity(f"a_1 {word} 0", {"p": "positive", "v": "real", "q": "real"}, {"a": a, "b": "q", "v": "v"}, "v*p")
        for word, a in ((">", "p"), ("<", "-p"))
    )
    return Evidence(identities=identities, steps=d.steps)


def observe_weight(context: Context) -> Evidence:
    draw = context.random()
    instances, same = [], True
    for a, b in UNITS:
        v = Fraction(draw.randint(-20, 20), 3)
        c, side = bend(a, b), 1 if unit(a, b, bend(a, b) + 1) else -1
        weight = v * unit(a, b, c + side)  # the ramp is 1 there
        for j in range(-12, 13):
            x = Fraction(j, 3)
            same = same and v * unit(a, b, x) == weight * max(Fraction(0), side * (x - c))
        instances.append(Instance(f"a = ({a}, {b}), v = {v}", {"a": a, "b": b, "v": v}, weight))
    return Evidence(instances=tuple(instances), premises=(Premise("equal functions at 25 points", same),))


WEIGHT = Claim(
    id="stewart2022.equation_6",
    source=Source("stewart2022", "equations (6) to (8)"),
    title="The weight of a ramp",
    statement=(
        "A unit of weight v on the direction a is the ramp φ_(s,c)(x) = (s(x-c))_+ with s the sign of a_1 and weight "
        "v|a_1|: so F_ν = f_μ with dμ = |a_1| dν."
    ),
    latex=r"v(a_1x+a_2)_+=v|a_1|\,(s(x-c))_+",
    hypotheses=("a_1 ≠ 0",),
    formula="v*Abs(a)",
    symbols={"a": "a_1", "b": "a_2", "v": "weight of the unit"},
    controls=(
        Control("v*a", "the sign of a_1 counted twice, in s and in the weight"),
        Control("v", "the factor forgotten"),
        Control("v*sqrt(a**2 + b**2)", "the length of a"),
    ),
    checks=(
        Check(
            name="homogeneity",
            kind=Kind.PROOF,
            observe=derive_weight,
            about="the unit as a multiple of a ramp, for all weights and both signs",
        ),
        Check(
            name="ramps of units",
            kind=Kind.CERTIFICATE,
            observe=observe_weight,
            about="the weight read off at distance 1 from the kink, held against 25 other points",
        ),
    ),
)


def derive_mass(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    c = symbol("c")
    d = Derivation()
    d.step("a = p(s, -s c) on the unit circle: p²(1 + c²) = 1, and the weight there is v with v p = w")
    d.identity("so |v| = |w|/p, and 1/p² is", 1 / (1 / (1 + c**2)), 1 + c**2)
    identities = tuple(
        Identity(f"w {word} 0", {"p": "nonnegative", "c": "real"}, {"w": w, "c": "c"}, "p/(1/sqrt(1 + c**2))")
        for word, w in ((">=", "p"), ("<=", "-p"))
    )
    return Evidence(identities=identities, steps=d.steps)


def observe_mass(context: Context) -> Evidence:
    """Units on the circle with rational coordinates, turned into ramps; the mass they had."""
    draw = context.random()
    instances = []
    for p, q, r in (
        (3, 4, 5),
        (-3, 4, 5),
        (5, -12, 13),
        (-8, -15, 17),
        (1, 0, 1),
        (-1, 0, 1),
        (24, 7, 25),
        (7, 24, 25),
    ):
        a, b = Fraction(p, r), Fraction(q, r)
        v = Fraction(draw.choice([-1, 1]) * draw.randint(1, 20), 3)
        c, side = bend(a, b), 1 if unit(a, b, bend(a, b) + 1) else -1
        weight = v * unit(a, b, c + side)
        instances.append(Instance(f"a = ({a}, {b}), v = {v}", {"w": weight, "c": c}, abs(v)))
    return Evidence(instances=tuple(instances), steps=(Step("weight and kink read off the unit's values"),))


MASS = Claim(
    id="stewart2022.section_5_2_mass",
    source=Source("stewart2022", "Section 5.2, after problem (10)"),
    title="The factor between the total variations",
    statement=(
        "A ramp of weight w with kink c is a unit of weight |w|√(1+c²) on the circle: ∫|dν| = ∫√(1+c²) |dμ|. This is "
        "the "
        "factor by which problem (4) differs from (9), and (5) from (10)."
    ),
    latex=r"\int|d\nu|=\int\sqrt{1+c^2}\,|d\mu|",
    formula="Abs(w)*sqrt(1 + c**2)",
    symbols={"w": "weight of the ramp", "c": "its kink"},
    controls=(
        Control("Abs(w)", "the total variations taken for equal"),
        Control("Abs(w)/sqrt(1 + c**2)", "the factor on the other side"),
        Control("Abs(w)*(1 + Abs(c))", "the l1 length of (1, -c)"),
    ),
    checks=(
        Check(
            name="direction of a ramp",
            kind=Kind.PROOF,
            observe=derive_mass,
            about="the point of the circle that gives the ramp, for all weights and kinks",
        ),
        Check(
            name="rational points of the circle",
            kind=Kind.CERTIFICATE,
            observe=observe_mass,
            about="units of length one turned into ramps, their weights compared",
        ),
    ),
)


def observe_jump(context: Context) -> Evidence:
    """One-sided difference quotients of w φ_(s,c) at its kink, and the jump of the feature itself."""
    draw = context.random()
    instances, continuous = [], True
    for s in (1, -1):
        for c in (Fraction(0), Fraction(-1), Fraction(1, 2), Fraction(2, 3)):
            w = Fraction(draw.choice([-1, 1]) * draw.randint(1, 15), 2)

            def ramp(x: Fraction, s: int = s, c: Fraction = c, w: Fraction = w) -> Fraction:
                return w * max(Fraction(0), s * (x - c))

            h = Fraction(1, 1000)
            right, left = (ramp(c + h) - ramp(c)) / h, (ramp(c) - ramp(c - h)) / h
            continuous = continuous and abs(ramp(c + h) - ramp(c - h)) <= 2 * abs(w) * h and ramp(c) == 0
            instances.append(Instance(f"s={s}, c={c}, w={w}", {"w": w, "s": s, "c": c}, right - left))
    return Evidence(
        instances=tuple(instances), premises=(Premise("the feature itself does not jump at its kink", continuous),)
    )


def derive_jump(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    h, w = symbol("h", "positive"), symbol("w")
    import sympy

    d = Derivation()
    identities = []
    for s in (1, -1):
        right = w * sympy.Max(0, s * h) / h
        left = -w * sympy.Max(0, -s * h) / h
        d.identity(f"s = {s}: slope to the right minus slope to the left", right - left, w)
        identities.append(Identity(f"s = {s}", {"w": "real", "c": "real"}, {"w": "w", "s": str(s), "c": "c"}, "w"))
    d.identity("the feature itself is continuous: its value at distance 0", sympy.Max(0, 0 * w), sympy.Integer(0))
    return Evidence(identities=tuple(identities), steps=d.steps)


JUMP = Claim(
    id="stewart2022.section_5_1_discontinuity",
    source=Source("stewart2022", "Section 5.1, after equation (6)"),
    title="What jumps at a kink",
    statement=(
        "At its kink the slope of w φ_(s,c) jumps by w, for ramps to the right and to the left alike. The feature "
        "itself "
        "is continuous there: where the text calls c its point of discontinuity, the derivative is meant."
    ),
    latex=r"\partial_x w\phi_{(s,c)}(c^+)-\partial_x w\phi_{(s,c)}(c^-)=w",
    formula="w",
    symbols={"w": "weight", "s": "side"},
    controls=(
        Control("s*w", "ramps to the left bend the other way"),
        Control("0", "a feature without a kink"),
        Control("2*w", "the jump of a sign"),
    ),
    checks=(
        Check(
            name="slopes on both sides",
            kind=Kind.PROOF,
            observe=derive_jump,
            about="one-sided slopes for both sides and all weights",
        ),
        Check(
            name="difference quotients at the kink",
            kind=Kind.CERTIFICATE,
            observe=observe_jump,
            about="slopes to the left and to the right of the kink, exactly",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (KINK, WEIGHT, JUMP, MASS)
