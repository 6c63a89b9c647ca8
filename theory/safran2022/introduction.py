"""Section 1: what a teacher of width r can say, and what the summary of the results says of widths and errors."""

from __future__ import annotations

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import Claim, Control, Flaw, Source

from .sign_changes import PLACES, attained, two_of_each


def derive_changes(context: Context) -> Evidence:
    """Components of {f > 0}, their concave kinks, and the convex ones between them."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    components, unbounded = symbol("P", "positive integer"), symbol("u", "nonnegative integer")
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
    cases = [Identity(f"r = {r}", {}, {"r": str(r)}, str(r)) for r in (1, 2, 3)]
    cases.append(Identity("r = m + 4", {"m": "nonnegative integer"}, {"r": "m + 4"}, "(m + 4) + 1"))
    return Evidence(identities=tuple(cases), steps=d.steps)


def observe_changes(context: Context) -> Evidence:
    from implicitbias.functions.network import Network

    from .observed.sign_changes import alternating, search, sign_changes

    instances, tried = [], 0
    for places in PLACES:
        for r in range(1, context.choose(5, 6) + 1):
            found = search(r, places[: max(5, r)], strict=False)
            tried += found.tried
            instances.append(Instance(f"kinks among {places}", {"r": r}, found.most))
    for r in (4, 5, 8, 16, 32):
        changes = sign_changes(alternating(r).to_piecewise_linear())
        instances.append(Instance("an explicit network", {"r": r}, changes, "<="))
    for net in (Network([1], [0], [1]), Network([1, -1], [0, 0], [1, 1]), Network([-1, 1, 1], [0, 0, -1], [1, 1, -2])):
        changes = sign_changes(net.to_piecewise_linear())
        instances.append(Instance("an explicit network", {"r": net.width}, changes, "<="))
    return Evidence(instances=tuple(instances), measured={"sets of units": tried})


SIGN_CHANGES = Claim(
    id="safran2022.introduction_sign_changes",
    source=Source("safran2022", "Section 1, of the teacher of width r"),
    title="How often the teacher changes its sign",
    statement=(
        "With sign(0) = -1 the sign of a network of width r changes at most r times for r <= 3 and at most r + 1 times "
        "for r >= 4, and these numbers are attained: N_4 = -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ has width 4 and "
        "changes at -1, 1/2, 3/2, 5/2 and 4."
    ),
    latex=r"\max\#\text{changes of }\operatorname{sign}N=r\ (r\le 3),\quad r+1\ (r\ge 4)",
    hypotheses=("sign(z) = 1 for z > 0 and -1 otherwise", "no output bias, as in equation (1)"),
    rests_on=("safran2022.sign_changes",),
    formula="r + Min(1, Max(0, r - 3))",
    symbols={"r": "width of the teacher"},
    flaw=Flaw(
        printed="r",
        word="false statement",
        wrong=(
            "N_4 has width 4 and changes its sign five times, and so on for every r >= 4: r kinks make r + 1 pieces, "
            "each of which can change."
        ),
        sure="certain",
        charitable="it is right for r <= 3, and one more change alters no statement with O(r); the constants hold too.",
    ),
    controls=(
        Control("r + 1", "one change a piece for every width"),
        Control("r - 1", "N is zero on one side of all its kinks"),
        Control("r + 2*Min(1, Max(0, r - 3))", "a change more for each of the outer pieces"),
    ),
    checks=(
        Check(
            name="components and kinks",
            kind=Kind.PROOF,
            observe=derive_changes,
            about="the bound by components of {N > 0}, when it is met, and networks that meet it",
        ),
        Check(
            name="exhaustive search",
            kind=Kind.CERTIFICATE,
            observe=observe_changes,
            about=(
                "all sets of units with kinks on three grids, every output weight at once, exactly, with sign(0) = -1"
            ),
        ),
    ),
)


def derive_width(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, to_sympy

    k = to_sympy("6144*R**4*log(24*r/delta)/l", dict.fromkeys(("R", "r", "delta", "l"), "positive"))
    length = next(s for s in k.free_symbols if s.name == "l")
    ratio = k / k.subs(length, 1)
    d = Derivation()
    d.identity("the least width in (3), times the length of the shortest interval", ratio * length, ratio / ratio)
    identity = Identity("all lengths", {"l": "positive"}, {"l": "l"}, from_sympy(ratio))
    return Evidence(identities=(identity,), steps=d.steps)


WIDTH = Claim(
    id="safran2022.introduction_width",
    source=Source("safran2022", "Section 1, of the width that suffices"),
    title="How the width scales with the shortest interval",
    statement=(
        "The width that Theorem 3.1 asks for grows as the inverse of the length ρ of the shortest interval on which "
        "the labels do not change: an interval of length l asks for 1/l times the width that length 1 asks for."
    ),
    latex=r"k\ge 6144\,R^4\log(24r/\delta)/\rho\propto\rho^{-1}",
    formula="1/l",
    symbols={"l": "length of the shortest interval"},
    flaw=Flaw(
        printed="l",
        word="imprecise wording",
        wrong=(
            "the introduction lets the width scale at least linearly with the length; (3) has the length below the "
            "line."
        ),
        sure="certain",
        charitable="the inverse of the length is meant, as the theorem itself has it.",
    ),
    controls=(
        Control("1/l**2", "the two ends of the interval counted apart"),
        Control("1/sqrt(l)", "a rate between"),
        Control("1", "no dependence on the length"),
    ),
    checks=(
        Check(
            name="the width of (3)",
            kind=Kind.PROOF,
            observe=derive_width,
            about="the ratio of the least widths at lengths l and 1",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    SIGN_CHANGES,
    WIDTH,
)
