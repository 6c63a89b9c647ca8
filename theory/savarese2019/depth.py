"""Beside Figure 2: a lower bound on the cost of deep networks, and deep minimisers that are not shallow ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, Instance, Observation, Premise, Step, Value, certificate, claim, seen
from implicitbias.claims.evidence import Relation

from ..observed.data.datasets import TAILS, DataSet
from ..observed.data.draws import of_any_size
from ..observed.functions.second_derivative import SecondDerivative, cheapest_exact_network
from ..observed.units.deep_networks import (
    HAT,
    TENT,
    Layer,
    Rational,
    between_tent_and_hat,
    exact_function,
    path_norm,
    random_network,
    slope_norm,
    squared_norms,
    through_a_bend,
    through_tent_data,
)

X = (Fraction(-1), Fraction(0), Fraction(1))

WHY = (
    Step("N(f) = |f'(-∞)| + ∫|f''| + |f'(+∞)| is a seminorm that no constant changes, and N(wx + b) = 2|w|"),
    Step(
        "N([g]_+) <= N(g): where g > 0 begins g' enters with a value >= 0, where it ends g' leaves with one <= 0; over "
        "a gap with g <= 0, or beyond the last such place, g' varies by at least |leave| + |enter|, which is all that "
        "[g]_+ varies there"
    ),
    Step("so N(h) <= 2 Σ over paths of the product of |weights| for every network, for all biases"),
    Step("and that sum is at most Π ‖W_l‖_F, by Cauchy-Schwarz layer by layer"),
)


@certificate("exact functions of random networks")
def observe_slope_norm(context: Context) -> Observation:
    """N(f) of random exact networks of two to five layers, and of networks that attain the bound."""
    generator = context.random()
    sound = True

    def case(label: str, network: Sequence[Layer], relation: Relation = "<=") -> Instance:
        nonlocal sound
        f = exact_function(network)
        F = Fraction(1)
        for squares in squared_norms(network):
            F *= squares
        sound = sound and slope_norm(f) <= 2 * path_norm(network)
        return seen(slope_norm(f), label, relation=relation, F=F, L=len(network))

    yield case("one unit, [x]_+", [([[1]], [0]), ([[1]], [0])], "=")
    yield case("1 - |x|, two hidden layers", TENT, "=")
    yield case("[1 - |x|]_+, two hidden layers", HAT, "=")
    yield case("3[2x]_+ passed on twice", [([[2]], [0]), ([[1]], [0]), ([[1]], [0]), ([[3]], [5])], "=")
    yield case("|x| - 1 twice folded", [([[1], [-1]], [0, 0]), ([[1, 1], [-1, -1]], [-1, 1]), ([[1, 1]], [0])], "=")
    for i in range(40):  # one unit a layer, and tents and hats, of all sizes
        factors = [Fraction(generator.randint(1, 12), generator.choice((1, 5, 24))) for _ in range(2 + i % 8)]
        yield case(f"a chain of {len(factors)} layers", [([[c]], [0]) for c in factors], "=")
        (W, bias), *between, (last, shift) = generator.choice((TENT, HAT))
        out = [[c * factors[0] for c in row] for row in last]
        yield case(f"a tent or hat {factors[0]} high", [(W, bias), *between, (out, shift)], "=")
    for i in range(context.choose(120, 3000)):
        hidden = [generator.randint(1, 3) for _ in range(1 + i % 4)]
        yield case(f"random network {i}, hidden layers of {hidden} units", random_network(generator, hidden))
    yield Premise("N(f) is at most twice the path norm everywhere", sound)
    yield from WHY
    yield Step("each network's function is worked out exactly, layer by layer, as a piecewise-linear function")


BOUND = claim(
    "savarese2019.figure_2_depth_bound",
    "beside Figure 2 and Section 6",
    "Lower bound on the cost of deep networks",
    """Every ReLU network of one input and any depth, with free biases, has |f'(-∞)| + ∫|f''| + |f'(+∞)| ≤ 2 Π ‖W_l‖_F;
    so (1/L) Σ ‖W_l‖_F² ≥ (N(f)/2)^{2/L}, N(f) the left side.""",
    part_of="savarese2019.figure_2",
    latex=r"|f'(-\infty)|+\int|f''|+|f'(+\infty)|\le 2\prod_l\|W_l\|_F",
    hypotheses=("scalar input and output", "ReLU after every layer but the last", "biases not penalised"),
    domain=("F >= 0", "L >= 2"),
    formula="2*sqrt(F)",
    symbols={
        "F": "Π ‖W_l‖_F², the product of the squared Frobenius norms",
        "L": "the number of weight layers",
    },
    controls={
        "sqrt(F)": "half of it: enough for ∫|f''| alone in some networks",
        "2*sqrt(F)/L": "the mean over the layers",
        "2*F": "the norms' squares for the norms",
        "2*F**(1/L)": "the mean of the squares for the product",
    },
    checks=(observe_slope_norm,),
    own=True,
)


def tent_data(height: Fraction, half_width: Fraction) -> DataSet:
    """(-h, 0), (0, v), (h, 0)."""
    label = f"tent of height {height} over [-{half_width}, {half_width}]"
    return DataSet(label, (-half_width, Fraction(0), half_width), (Fraction(0), height, Fraction(0)))


@certificate("explicit deep networks")
def tent_and_hat(context: Context) -> Observation:
    """The cost of balanced networks of depth 3, 4, 5 through three points, two functions for each."""
    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    interpolates = met = True
    sizes: list[tuple[Rational, Rational]] = [(1, 1), (2, 1), (Fraction(1, 2), 3), (7, Fraction(2, 5))]
    sizes += [(Fraction(4 * k + draw.randint(1, 4), 4), Fraction(draw.randint(5, 8), 8)) for k in range(16)]
    for height, half_width in sizes:
        data = tent_data(Fraction(height), Fraction(half_width))
        least = data.variation + abs(data.a) + abs(data.b)
        for depth in (3, 4, 5):
            for kind in ("tent", "hat"):
                network = through_tent_data(kind, depth, Fraction(height), Fraction(half_width))
                f = exact_function(network)
                interpolates = interpolates and all(f(x) == y for x, y in zip(data.x, data.y, strict=True))
                F = Fraction(1)
                for squares in squared_norms(network):
                    F *= squares
                # balanced: a positive factor per layer, of product 1, makes all norms F^(1/2L)
                met = met and slope_norm(f) ** 2 == 4 * F and slope_norm(f) == least
                cost = enclose("F**(1/L)", F=F, L=depth)
                yield seen(cost, f"{kind}, {data.label}, depth {depth}", N=least, L=depth, f=kind, **data.given)
    yield Premise("both functions pass through the data", interpolates)
    yield Premise("both meet the lower bound N(f) = 2 Π ‖W_l‖_F, and N(f) is the least an interpolant can have", met)
    yield Step(
        "f' of any interpolant has the averages l_1, …, l_{N-1}, so N(f) >= |l_1| + Σ|l_n - l_{n-1}| + |l_{N-1}|"
    )
    yield Step("tent: ReLUs x, -x; their sum; v - (v/h)·that. Hat: [v - (v/h)(…)]_+ in the second layer")
    yield Step("rescaling the layers to equal norms does not change the function: cost (Π ‖W_l‖_F²)^{1/L}")


MINIMUM = claim(
    "savarese2019.figure_2_tent_and_hat",
    "beside Figure 2 and Section 6",
    "The least cost at greater depth",
    """Through (-h,0), (0,v), (h,0) the least (1/L)Σ‖W_l‖_F² at depth L ≥ 3 is (N/2)^{2/L} with N = |l_1| + |l_2 - l_1|
    + |l_2|, reached both by the tent with straight tails and by the hat with flat ones.""",
    part_of="savarese2019.figure_2",
    latex=r"\min\tfrac1L\sum_l\|W_l\|_F^2=(N/2)^{2/L}",
    hypotheses=("L ≥ 3", "biases not penalised"),
    formula="(N/2)**(2/L)",
    symbols={
        "N": "|l_1| + Σ|l_n - l_{n-1}| + |l_{N-1}|, the least N(f) of an interpolant",
        "L": "number of weight layers",
    },
    controls={
        "N/2": "as at depth two",
        "N**(2/L)": "the two sides of a ReLU counted once",
        "(N/2)**(1/L)": "norms for their squares",
        "(N/4)**(2/L)": "the cost of the tent's variation halved",
    },
    checks=(tent_and_hat,),
    rests_on=("savarese2019.figure_2_depth_bound",),
    own=True,
)


@certificate("tents, hats, ramps and shelves")
def other_tails(context: Context) -> Observation:
    """The cost of deep minimisers through (-1, ·), (0, ·), (1, ·), as two-layer networks."""
    optimal = True
    draw = context.random()
    sides: list[tuple[Rational, Rational]] = [(1, 1), (1, 2), (3, 1), (2, 3), (1, 0)]
    sides += [(of_any_size(draw, -3, 2), of_any_size(draw, -3, 2)) for _ in range(5)]
    for kind in ("tent", "hat", "ramp", "shelf", "ledge", "between"):
        for i, (left, right) in enumerate(sides):
            for depth, sign, mirrored in ((3, 1, i % 2), (4, -1, i % 3 % 2)):
                if kind == "between":
                    tangent = Fraction(draw.randint(1, 18), 19)
                    network = between_tent_and_hat(depth, left, right, sign, tangent)
                else:
                    network = through_a_bend(kind, depth, left, right, sign)
                if mirrored:
                    network[0] = ([[-w for w in row] for row in network[0][0]], network[0][1])
                f = exact_function(network)
                data = DataSet(f"{kind} with sides {left}², {right}²", X, tuple(f(x) for x in X))
                F = Fraction(1)
                for squares in squared_norms(network):
                    F *= squares
                least = abs(data.a) + data.variation + abs(data.b)
                optimal = optimal and slope_norm(f) ** 2 == 4 * F and slope_norm(f) == least
                atoms = {t: jump for t, jump in zip(f.knots, f.jumps, strict=True) if jump}
                cost = cheapest_exact_network(SecondDerivative(atoms, {}, f.left_slope, Fraction(0)))
                given: dict[str, Value] = {**data.symbols, "l_0": f.left_slope, "l_N": f.right_slope, "f": kind}
                yield seen(cost, f"{data.label}, depth {depth}", **given | data.given)
    yield Premise(
        "all are minimisers at their depth: N(f) = 2 Π ‖W_l‖_F, and no interpolant has a smaller N(f)", optimal
    )
    yield Step("the cheapest two-layer network equal to the deep one, by linear programming over its knots")


TAILS_FREE = claim(
    "savarese2019.figure_2_tails",
    "beside Figure 2 and Section 6",
    "Deep minimisers need not be shallow ones",
    """Minimisers at depth 3 or more may have tails that two-layer minimisers do not have; R̄ of such a minimiser is T +
    |a - l_0| + |b - l_N|. The hat [1 - |x|]_+ is optimal through (-1,0), (0,1), (1,0) at depth 3 and costs R̄ = 4, twice
    the minimum. So the universal statement that Figure 2 may suggest, that networks of any depth recover a minimiser of
    R̄, is false; the paper claims it of one experiment only, as an anecdote.""",
    part_of="savarese2019.figure_2",
    latex=r"\bar R(f)=T+|a-l_0|+|b-l_N|",
    hypotheses=(
        "three points, and deep minimisers with one bend between them: tents, hats, what lies between, ramps, shelves, "
        "ledges",
        "slopes monotone from the data to each tail",
    ),
    # a function with N(f) = |a| + T + |b| has its tails between 0 and the slopes beside them
    domain=("a*l_0 >= l_0**2", "b*l_N >= l_N**2"),
    formula="T + Abs(a - l_0) + Abs(b - l_N)",
    symbols=TAILS,
    controls={
        "Max(T, (T + Abs(a + b))/2)": "the conjecture: the deep minimiser minimises R̄",
        "T + Abs(a) + Abs(b)": "every deep minimiser has flat tails",
        "T + 2*Abs(a - l_0)": "both tails bend alike",
        "Max(T, Abs(l_0 + l_N))": "the kinks outside the data left out",
        "T + a - l_0 + l_N - b": "the tails bent upwards only: right for a hat, not for a valley",
        "(T + Abs(a) + Abs(b))/2": "the cost at greater depth",
    },
    checks=(other_tails,),
    rests_on=("savarese2019.figure_2_tent_and_hat", "savarese2019.equation_27"),
    own=True,
)
