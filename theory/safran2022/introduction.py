"""Section 1: what a teacher of width r can say, and what the summary of the results says of widths and errors."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Flaw, Measured, Observation, certificate, claim, proof, seen

from ..observed.margin.sign_change_proofs import attained, two_of_each
from ..observed.margin.sign_changes import PLACES


@proof("components and kinks")
def derive_changes(d: Derivation) -> None:
    """The bound by components of {N > 0}, when it is met, and networks that meet it. Components of {f > 0}, their
    concave kinks, and the convex ones between them.
    """

    components, unbounded = d.symbols(P="positive integer", u="nonnegative integer")
    d.step("{f > 0} is open, with P components, u of them unbounded: the sign changes at 2P - u places, sign(0) = -1")
    d.identity(
        "a concave kink in every bounded component, a convex one in the closed gap after every component but the last",
        (components - unbounded) + (components - 1),
        (2 * components - unbounded) - 1,
        "kinks >= (P - u) + (P - 1) = changes - 1",
    )
    d.step(
        "equality with r kinks of r units: no further kink, so every gap is a V below zero or touches zero at one "
        "kink, and the outer pieces of f are no constants"
    )
    two_of_each(d)
    d.step(
        "where the first piece ends by touching zero at b1: N(b1) = Σ a_j (p_j - b1) = 0 with one unit facing left "
        "means p = b1, then N = 0 up to the next kink, which is no V: again two units facing left; so r + 1 needs r >= "
        "4"
    )
    attained(d)
    d.step("r <= 3: 0 on the first piece and r units facing right; or |x|, or [-x]_+ + [x]_+ - 2[x-1]_+: r changes")
    for r in (1, 2, 3):
        d.concludes(r, f"r = {r}", over={}, r=r)
    d.concludes("(m + 4) + 1", "r = m + 4", over={"m": "nonnegative integer"}, r="m + 4")


@certificate("exhaustive search")
def observe_changes(context: Context) -> Observation:
    """All sets of units with kinks on three grids, every output weight at once, exactly, with sign(0) = -1."""
    from implicitbias.functions.network import Network

    from ..observed.margin.sign_changes import alternating, search, sign_changes

    tried = 0
    for places in PLACES:
        for r in range(1, context.choose(5, 6) + 1):
            found = search(r, places[: max(5, r)], strict=False)
            tried += found.tried
            yield seen(found.most, f"kinks among {places}", r=r)
    for r in (4, 5, 8, 16, 32):
        changes = sign_changes(alternating(r).to_piecewise_linear())
        yield seen(changes, "an explicit network", relation="<=", r=r)
    for net in (Network([1], [0], [1]), Network([1, -1], [0, 0], [1, 1]), Network([-1, 1, 1], [0, 0, -1], [1, 1, -2])):
        changes = sign_changes(net.to_piecewise_linear())
        yield seen(changes, "an explicit network", relation="<=", r=net.width)
    yield Measured("sets of units", tried)


SIGN_CHANGES = claim(
    "safran2022.introduction_sign_changes",
    "Section 1, of the teacher of width r",
    "How often the teacher changes its sign",
    """With sign(0) = -1 the sign of a network of width r changes at most r times for r <= 3 and at most r + 1 times for
    r >= 4, and these numbers are attained: N_4 = -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ has width 4 and changes at
    -1, 1/2, 3/2, 5/2 and 4.""",
    latex=r"\max\#\text{changes of }\operatorname{sign}N=r\ (r\le 3),\quad r+1\ (r\ge 4)",
    hypotheses=("sign(z) = 1 for z > 0 and -1 otherwise", "no output bias, as in equation (1)"),
    formula="r + Min(1, Max(0, r - 3))",
    symbols={"r": "width of the teacher"},
    flaw=Flaw(
        printed="r",
        word="false statement",
        wrong="""N_4 has width 4 and changes its sign five times, and so on for every r >= 4: r kinks make r + 1 pieces,
        each of which can change.""",
        sure="certain",
        charitable="it is right for r <= 3, and one more change alters no statement with O(r); the constants hold too.",
    ),
    controls={
        "r + 1": "one change a piece for every width",
        "r - 1": "N is zero on one side of all its kinks",
        "r + 2*Min(1, Max(0, r - 3))": "a change more for each of the outer pieces",
    },
    checks=(derive_changes, observe_changes),
    rests_on=("safran2022.sign_changes",),
    part_of="safran2022.theorem_4_2",
)


@proof("the width of (3)")
def width(d: Derivation) -> None:
    """The ratio of the least widths at lengths l and 1."""
    from implicitbias.exact.symbolic import from_sympy, to_sympy

    k = to_sympy("6144*R**4*log(24*r/delta)/l", dict.fromkeys(("R", "r", "delta", "l"), "positive"))
    length = next(s for s in k.free_symbols if s.name == "l")
    ratio = k / k.subs(length, 1)
    d.identity("the least width in (3), times the length of the shortest interval", ratio * length, ratio / ratio)
    d.concludes(from_sympy(ratio), "all lengths", over={"l": "positive"}, l="l")


WIDTH = claim(
    "safran2022.introduction_width",
    "Section 1, of the width that suffices",
    "How the width scales with the shortest interval",
    """The width that Theorem 3.1 asks for grows as the inverse of the length ρ of the shortest interval on which the
    labels do not change: an interval of length l asks for 1/l times the width that length 1 asks for.""",
    latex=r"k\ge 6144\,R^4\log(24r/\delta)/\rho\propto\rho^{-1}",
    formula="1/l",
    symbols={"l": "length of the shortest interval"},
    flaw=Flaw(
        printed="l",
        word="imprecise wording",
        wrong="""the introduction lets the width scale at least linearly with the length; (3) has the length below the
        line.""",
        sure="certain",
        charitable="the inverse of the length is meant, as the theorem itself has it.",
    ),
    controls={
        "1/l**2": "the two ends of the interval counted apart",
        "1/sqrt(l)": "a rate between",
        "1": "no dependence on the length",
    },
    checks=(width,),
    part_of="safran2022.theorem_3_1",
)
