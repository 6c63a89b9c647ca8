"""Section 1: how many neurons are needed at least, and what a small loss says of mistakes."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Identity, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.sign_changes import PLACES


@proof("S increases strictly")
def derive_minimal(d: Derivation) -> Observation:
    """The sharp counts for neighbouring widths, all r. S(r) > S(r - 1) for every r >= 1, so some strict teacher of
    width r needs r units; r always suffice.
    """
    from implicitbias.exact.symbolic import to_sympy

    (m,) = d.symbols(m="nonnegative integer")
    strict = {0: -1, 1: 0, 2: 1, 3: 2}  # no unit at all classifies nothing: N = 0
    for r in (1, 2, 3):
        d.nonnegative(f"S({r}) - S({r - 1}) - 1", to_sympy(str(strict[r] - strict[r - 1] - 1), {}))
    d.nonnegative("S(4) - S(3) - 1 = 5 - 2 - 1", to_sympy("5 - 2 - 1", {}))
    d.nonnegative("S(m + 5) - S(m + 4) - 1 = (m + 6) - (m + 5) - 1", (m + 6) - (m + 5) - 1)
    d.step("so some data with S(r) switches, labelled by a teacher of width r, are misclassified by every narrower one")
    d.step("c·N* has width r, and its loss tends to 0 as c grows: every margin grows, and P(N* = 0) = 0")
    cases = [Identity(f"r = {r}", {}, {"r": str(r)}, str(r)) for r in (1, 2, 3)]
    cases.append(Identity("r = m + 4", {"m": "nonnegative integer"}, {"r": "m + 4"}, "m + 4"))
    yield from cases


@certificate("exhaustive search")
def observe_minimal(context: Context) -> Observation:
    """The narrowest networks that switch as often as the best of width r, on three grids."""
    from ..observed.margin.sign_changes import search

    for places in PLACES:
        most = [-1, *(search(r, places[:5], strict=True).most for r in range(1, 6))]
        for r in range(1, 6):
            needed = next(m for m in range(r + 1) if most[m] >= most[r])
            yield seen(needed, f"kinks among {places[:5]}", r=r)
    yield Step("the least width whose networks switch as often")


MINIMAL = claim(
    "safran2022.introduction_minimal_neurons",
    "Section 1, of the minimal number of neurons",
    "The least number of neurons for arbitrarily small loss",
    """Over teachers of width r that vanish with probability 0, the least number of neurons that reaches arbitrarily
    small loss is r in the worst case, for every r >= 1: the scaled teacher does it with r, and since S(r) > S(r - 1)
    some teacher has labels that no narrower network fits.""",
    latex=r"\max_{N^*}\min\{m:\inf_{N\text{ of width }m}L_D(N)=0\}=r",
    hypotheses=("P(N*(x) = 0) = 0",),
    formula="r",
    symbols={"r": "width of the teacher"},
    controls={
        "r + 1": "as if r units gave at most r - 1 switches and r were asked for",
        "r - 1": "one change a piece from the start",
        "Max(1, r - 1)": "r - 1 units for r switches",
    },
    checks=(derive_minimal, observe_minimal),
    rests_on=("safran2022.sign_changes",),
    part_of="safran2022.theorem_3_2",
)


@certificate("data of teachers")
def observe_vanishing(context: Context) -> Observation:
    """The most switches by exhaustive search, separating networks in rationals, the sharp count from below. The most
    switches with sign(0) = -1, data with so many, and the narrowest network that separates them.
    """
    from implicitbias.functions.network import Network

    from ..observed.data.targets import sign
    from ..observed.margin.prescribed_zeros import separating
    from ..observed.margin.sign_changes import search, sign_changes

    draw = context.random()
    most = [-1, *(search(m, PLACES[0], strict=True).most for m in (1, 2, 3, 4, 5))]
    for r in (1, 2, 3, 4, 5):
        s = search(r, PLACES[0], strict=False).most
        x = sorted(Fraction(p, 10) for p in draw.sample(range(-300, 300), s + 1))
        network = separating(x, [(-1) ** i for i in range(s + 1)])
        if most[network.width - 1] >= s:
            raise ArithmeticError(f"{s} switches need fewer than {network.width} units")
        yield seen(network.width, f"{s} switches, the most of width {r}", r=r)
    vanishing = (
        Network([1], [0], [1]),
        Network([-1, 1], [0, -1], [1, 1]),
        Network([1, 1, 1], [0, -1, -3], [1, -2, 4]),
        Network([1, 1, 1, 1], [0, -1, -3, -6], [1, -2, 4, -8]),
    )
    for teacher in vanishing:
        x = [Fraction(p, 4) for p in range(-40, 41)]
        network = separating(x, [sign(teacher(place)) for place in x])
        if sign_changes(teacher.to_piecewise_linear()) != teacher.width:
            raise ArithmeticError(f"{teacher} should change once a unit")
        yield seen(network.width, f"{teacher}", relation="=" if teacher.width <= 4 else "<=", r=teacher.width)
    yield Step("margins positive, or the loss stays at l(0)/n or above")


VANISHING = claim(
    "safran2022.introduction_minimal_neurons_zeros",
    "beside Section 1 and Assumption 2.2",
    "Teachers that may vanish",
    """Assumption 2.2 allows teachers that vanish on a set of positive mass, where the label is -1 and a network that
    vanishes too has loss l(0). Over all data labelled by y = sign(N*(x)), N* of width r, the least number of neurons
    for arbitrarily small empirical loss is min(r + 1, max(4, r)) in the worst case: one more than r for r <= 3 (N* =
    [x]_+ needs two, since one neuron never changes its sign strictly), and r for r >= 4.""",
    latex=r"\max_{N^*,x}\min\{m:\inf L=0\}=\min(r+1,\max(4,r))",
    hypotheses=("y = sign(N*(x)), sign(0) = -1", "finitely many data"),
    formula="Min(r + 1, Max(4, r))",
    symbols={"r": "width of the teacher"},
    controls={
        "r": "the teacher itself, scaled",
        "r + 1": "the teacher and a negative constant, for every width",
        "2*r": "every unit doubled",
    },
    checks=(observe_vanishing,),
    rests_on=("safran2022.sign_changes_least_width", "safran2022.introduction_sign_changes"),
    own=True,
    part_of="safran2022.theorem_3_2",
)


@certificate("cheapest mistakes")
def mistakes(context: Context) -> Observation:
    """How many data can have margin 0 within a total loss, both losses. The most data on the wrong side that a given
    total loss allows, by filling it with the cheapest mistakes.
    """
    from implicitbias.exact.enclosure import enclose, upper

    for name, mistake in (("logistic", enclose("log(2)")), ("exponential", Fraction(1))):
        for total in (
            Fraction(1, 2),
            Fraction(69, 100),
            Fraction(7, 10),
            Fraction(3, 2),
            Fraction(11, 4),
            Fraction(19, 2),
        ):
            wrong = 0
            while (wrong + 1) * upper(mistake) < total:  # a margin 0 costs l(0), a negative one more, the others > 0
                wrong += 1
            yield seen(wrong, f"{name} loss", T=total, z=mistake)


TRAINING_ERROR = claim(
    "safran2022.introduction_training_error",
    "Section 1, contributions: training error at most 1/(2n), below 1/n",
    "Loss and mistakes",
    """The training error of the contributions is the loss of equation (2). A total loss n·L = T leaves at most
    floor(T/l(0)) data with y_i N(x_i) <= 0 (exactly so many are possible in large samples unless T/l(0) is whole): none
    at n·L <= 1/2, for both losses. (Read as the share of mistakes, at most 1/(2n) and below 1/n both mean none.)""",
    latex=r"\#\{i:y_iN(x_i)\le 0\}\le\lfloor nL/\ell(0)\rfloor",
    hypotheses=("T/l(0) is not a whole number", "logistic loss log(1 + e^{-q}) or exponential loss e^{-q}"),
    formula="floor(T/z)",
    symbols={"T": "total loss n·L", "z": "l(0): log 2 or 1"},
    controls={
        "floor(T)": "every mistake costs 1, also under the logistic loss",
        "floor(2*T/z)": "a mistake costs half of l(0)",
        "floor(T/z) + 1": "one mistake is forgiven",
    },
    checks=(mistakes,),
    part_of="safran2022.theorem_4_1",
)
