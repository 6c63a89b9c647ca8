"""Section 1: how often the teacher changes its sign."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Derivation, Flaw, Measured, Observation, certificate, claim, proof, seen

from ..observed.margin.sign_change_proofs import attained, two_of_each
from ..observed.margin.sign_changes import PLACES, alternating, crossing_points, search, sign_changes
from . import errata


@proof("components and kinks")
def changes(d: Derivation) -> None:
    """Counts the components of {f > 0}, their concave kinks and the convex ones between them; networks attain it."""
    components, unbounded = d.symbols(P="positive integer", u="nonnegative integer")
    d.step("{f > 0} is open, with P components, u of them unbounded: the sign changes at 2P - u places, sign(0) = -1")
    d.identity(
        "a concave kink in every bounded component, a convex one in the closed gap after every component but the last",
        (components - unbounded) + (components - 1),
        (2 * components - unbounded) - 1,
        "kinks >= (P - u) + (P - 1) = changes - 1",
    )
    d.step(
        "equality with r kinks of r units: there are no further kinks, so every gap is a V below zero or touches zero "
        "at one kink, and the outer pieces of f are not constant"
    )
    two_of_each(d)
    d.step(
        "where the first piece ends by touching zero at b1: N(b1) = Σ a_j (p_j - b1) = 0 with one unit facing left "
        "means p = b1, then N = 0 up to the next kink, which is not a V: again two units facing left; so r + 1 needs "
        "r >= 4"
    )
    attained(d)
    d.step("r <= 3: 0 on the first piece and r units facing right; or |x|, or [-x]_+ + [x]_+ - 2[x-1]_+: r changes")
    for r in (1, 2, 3):
        d.concludes(r, f"r = {r}", over={}, r=r)
    d.concludes("(m + 4) + 1", "r = m + 4", over={"m": "nonnegative integer"}, r="m + 4")


@certificate("exhaustive search")
def most_changes(context: Context) -> Observation:
    """All sets of units with kinks on three grids, every output weight at once, exactly, with sign(0) = -1."""
    from implicitbias.functions.network import Network

    tried = 0
    for places in PLACES:
        for r in range(1, context.choose(5, 6) + 1):
            found = search(r, places[: max(5, r)], strict=False)
            tried += found.tried
            yield seen(found.most, f"kinks among {places}", r=r)
    explicit = [alternating(r) for r in (4, 5, 8, 16, 32)]
    explicit += [Network([1], [0], [1]), Network([1, -1], [0, 0], [1, 1]), Network([-1, 1, 1], [0, 0, -1], [1, 1, -2])]
    for network in explicit:
        found_changes = sign_changes(network.to_piecewise_linear())
        yield seen(found_changes, "an explicit network", relation="<=", r=network.width)
    yield Measured("sets of units", tried)


@certificate("data of explicit teachers")
def switches(context: Context) -> Observation:
    """Label switches of data that explicit teachers label strictly, and the most that any output weights give."""
    for r in (4, 5, 6, 9, 17):
        teacher = alternating(r)
        values = [teacher(Fraction(x)) for x in crossing_points(r)]
        if any(value == 0 for value in values):
            raise ArithmeticError(f"the teacher of width {r} vanishes on its data")
        labels = [1 if value > 0 else -1 for value in values]
        count = sum(a != b for a, b in pairwise(labels))
        yield seen(count, f"x = {', '.join(map(str, crossing_points(r)))}", r=r)
    for places in PLACES:
        for r in (1, 2, 3, 4, 5):
            most = search(r, places[:5], strict=True).most
            yield seen(most, f"most over kinks among {places[:5]}", relation="=" if r >= 4 else "<=", r=r)


SIGN_CHANGES = claim(
    "safran2022.introduction_sign_changes",
    "Section 1, on the teacher of width r; Theorem 4.2, the note on label switches",
    "Sign changes of the teacher",
    """With sign(0) = -1 the sign of a network of width r changes at most r times for r <= 3 and at most r + 1 times for
    r >= 4, and these numbers are attained: N_4 = -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ has width 4 and changes sign
    at -1, 1/2, 3/2, 5/2 and 4. So data labelled by a teacher of width r have at most that many label switches, and for
    r >= 4 r + 1 switches occur with y_i N*(x_i) > 0 as well.""",
    latex=r"\max\#\text{changes of }\operatorname{sign}N=r\ (r\le 3),\quad r+1\ (r\ge 4)",
    hypotheses=("sign(z) = 1 for z > 0 and -1 otherwise", "no output bias, as in equation (1)"),
    formula="r + Min(1, Max(0, r - 3))",
    symbols={"r": "width of the teacher"},
    flaw=Flaw(errata.SIGN_CHANGES, "r"),
    controls={
        "r + 1": "one change per piece for every width",
        "r - 1": "N is zero on one side of all its kinks",
        "r + 2*Min(1, Max(0, r - 3))": "one more change for each of the outer pieces",
    },
    checks=(changes, most_changes, switches),
    part_of="safran2022.theorem_4_2",
    rests_on=("safran2022.sign_changes",),
    formerly=("safran2022.theorem_4_2_switches", "safran2022.assumption_2_2_intervals", "safran2022.section_2_sign"),
)
