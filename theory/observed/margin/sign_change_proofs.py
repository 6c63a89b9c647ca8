"""Proof steps about the sign changes of a network, shared by several claims."""

from __future__ import annotations

from implicitbias.claims import Derivation

from .sign_changes import alternating, crossing_points, strict_changes


def two_of_each(d: Derivation) -> None:
    """A sign change left of all kinks needs two units facing left."""
    from implicitbias.exact.symbolic import symbol

    a, p, first = symbol("a"), symbol("p"), symbol("b1")
    d.step(
        "left of the first kink b1 only units facing left are active: slope s0 = -Σ a_j, value N(b1) = Σ a_j (p_j - b1)"
    )
    d.identity("a single one, jump a at p >= b1", (-a) * (a * (p - first)), -(a**2) * (p - first), "s0·N(b1) <= 0")
    d.step("a zero left of b1 needs s0·N(b1) > 0, so two units facing left; right of the last kink: two facing right")
    d.step("which makes four, and all r must have kinks of their own: r + 1 changes need r >= 4")


def at_most_two_for_three(d: Derivation) -> None:
    """For r <= 3 at most r - 1 changes are possible."""
    from implicitbias.exact.symbolic import symbol

    d.step(
        "r <= 3, all units facing right: N = 0 up to the first kink, on the next piece one sign, then at most one "
        "change per piece: r - 1; facing left by reflection"
    )
    a, c, gap = symbol("a"), symbol("c"), symbol("D", "positive")
    left = c + a * gap
    d.identity(
        "one constant c (or several): r changes need all of at most r pieces to change, so units of both orientations: "
        "r = 3, right-facing kink b1, left-facing b2 = b1 + D",
        c,
        left + (-a) * gap,
        "c = N(b1) + s0·D",
    )
    d.step(
        "the outer pieces change where s0·N(b1) > 0 and s_r·N(b2) < 0, so c has the sign of N(b1); by reflection that "
        "of N(b2); but these differ. Kinks the other way round: N = c between them, no change"
    )
    d.step(
        "r = 2, one of each orientation, no constant: both outer pieces keep their sign, the middle one changes once"
    )
    d.step(
        "r = 3, one facing left with kink p (or reflect): the first piece keeps its sign, so 3 changes would fill the "
        "other three pieces, N(b1) > 0 > N(b2), N(b3) > 0 and a negative last slope, up to the sign; and p is not b1, "
        "else N has the two units facing right and at most 1 + 1 changes"
    )
    one, g, h = symbol("a1"), symbol("g", "positive"), symbol("h", "positive")
    d.identity(
        "p = b2 = b1 + g, b3 = b2 + h: N(b2) and N(b3) have one sign",
        (one * (g + h)) * g,
        (one * g) * (g + h),
        "N(b3)·g = N(b2)·(g + h)",
    )
    two = symbol("a2")
    d.identity(
        "p = b3: with the last slope a1 + a2 < 0 and a1 < 0 (from N(b2) = a_L h + a1 g < 0 < a_L) N(b3) < 0",
        one * (g + h) + two * h,
        (one + two) * h + one * g,
        "N(b3) = (a1 + a2) h + a1 g",
    )
    d.step("two kinks at one place only leave fewer pieces, of which the outer ones still keep their sign")
    d.step("r - 1 is attained by r units facing right with output weights of alternating sign, large enough")


def attained(d: Derivation) -> None:
    """r + 1 changes are attained for every r >= 4."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    network = alternating(4)
    values = [network(x) for x in crossing_points(4)]
    for x, value, sign in zip(crossing_points(4), values, (-1, 1, -1, 1, -1, 1), strict=True):
        d.identity(f"N_4({x})", sympy.Rational(value.numerator, value.denominator), sympy.Integer(sign))
    d.step(
        f"N_4 = -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ has {strict_changes(network.to_piecewise_linear())} changes"
    )
    h, s, u = symbol("h"), symbol("s"), symbol("u", "positive")
    d.identity(
        (
            "a unit with jump -2s, placed behind the last zero where N = h with slope s, sends N back through zero at "
            "u = h/s"
        ),
        h + s * u - 2 * s * u,
        h - s * u,
        "N = h - s·u",
    )


def any_five_places(d: Derivation) -> None:
    """Four units can have zeros at any z_0 < … < z_4: check the order of their kinks and the places of the zeros."""
    from implicitbias.exact.symbolic import symbol

    g1, g2, g3, g4 = (symbol(f"g{i}", "positive") for i in (1, 2, 3, 4))
    z0 = symbol("z0")
    z1, z2, z3, z4 = z0 + g1, z0 + g1 + g2, z0 + g1 + g2 + g3, z0 + g1 + g2 + g3 + g4
    sigma = (z2 - z0) / (z4 - z2)
    b1, b4 = (z0 + z1) / 2, (z3 + z4) / 2
    rho, tau = (z1 - z0) / (z1 - b1), sigma * (z4 - z3) / (b4 - z3)
    b2, b3 = (sigma * z4 + rho * b1) / (sigma + rho), (z0 + tau * b4) / (1 + tau)
    d.step(
        "four units: L = x - z0 up to b3, then -τ(x - b4) down to 0 at b4, facing left; R = -ρ(x - b1) from b1 to b2, "
        "then -σ(z4 - x), facing right; b1, b4 midpoints of (z0, z1), (z3, z4)"
    )
    d.identity("L and its second line meet at b3", b3 - z0, tau * (b4 - b3))
    d.identity("R's lines meet at b2", rho * (b2 - b1), sigma * (z4 - b2))
    d.nonnegative("b2 lies right of z1", ((b2 - z1) * (sigma + rho)).together().expand().factor())
    d.nonnegative("and left of z2", ((z2 - b2) * (sigma + rho)).together().expand().factor())
    d.nonnegative("b3 lies right of z2", ((b3 - z2) * (1 + tau)).together().expand().factor())
    d.nonnegative("and left of z3", ((z3 - b3) * (1 + tau)).together().expand().factor())
    d.identity("L + R at z1, between b1 and b2", (z1 - z0) - rho * (z1 - b1), z1 - z1)
    d.identity("L + R at z2, between b2 and b3", (z2 - z0) - sigma * (z4 - z2), z1 - z1)
    d.identity("L + R at z3, between b3 and b4", tau * (b4 - z3) - sigma * (z4 - z3), z1 - z1)
    d.step("left of b1 only L, zero at z0; right of b4 only R, zero at z4: five strict changes, - + - + - +")
    d.step("every further switch takes one unit more: midway between two switches, slope ±σ into ∓σ")
