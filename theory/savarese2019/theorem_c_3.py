"""Theorem C.3: the number of sub-networks of an optimal solution."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Instance,
    Interval,
    Observation,
    Premise,
    Rule,
    Value,
    certificate,
    claim,
    rule,
    seen,
)

from ..observed.cheapest.programme_49 import Column, kernel, outputs, penalty
from ..observed.units.parallel_networks import SubNetwork, normalised_sub_network


def _strictly_improved(alpha: Sequence[Fraction], columns: Sequence[Column], depth: int) -> bool:
    """Whether some α ± ρβ with the same outputs on the data is provably cheaper, β in the kernel of the outputs."""
    for beta in kernel(columns):
        rho = min(abs(a / b) for a, b in zip(alpha, beta, strict=True) if b != 0) / 2
        for sign in (1, -1):
            other = [a + sign * rho * b for a, b in zip(alpha, beta, strict=True)]
            if penalty(other, depth)[1] < penalty(alpha, depth)[0]:
                return True
    return False


@certificate("kernel vectors of the outputs")
def improvable_solutions(context: Context) -> Observation:
    """Solutions with k active sub-networks on N points: is there a strictly cheaper one with the same outputs?

    Where one is found by the kernel of the outputs, the answer is yes, proved in balls. No is proved by a lower bound:
    at N = 1, x > 0, any solution of p = Σα_i v_i costs at least |p/max v|^(2/L), and a solution that costs that is
    optimal; at N = 2, x = ±1, one-sided sub-networks with y = (1, -1) need weight 1 on either side.
    """
    draw = context.random()
    instances: list[Instance] = []
    one = [Fraction(1)]
    right: SubNetwork = [[[Fraction(1)]]]

    def add(label: str, depth: int, points: int, active: int, improvable: bool) -> None:
        instances.append(seen(improvable, label, L=depth, N=points, k=active))

    for depth in (2, 3, 4, 7):
        unit: SubNetwork = right * (depth - 1)
        duplicated = outputs([unit, unit], [one])
        halves = [Fraction(1, 2), Fraction(1, 2)]
        found = _strictly_improved(halves, duplicated, depth)
        if not found and depth == 2:  # |α₁|+|α₂| >= |α₁+α₂| = 1 for every solution, and it is 1 here
            found = sum(map(abs, halves)) > 1
        add(f"L={depth}, [x]₊ twice with weights ½, ½, through (1, 1)", depth, 1, 2, found)
        add(f"L={depth}, [x]₊ once, through (1, 1)", depth, 1, 1, penalty([Fraction(1)], depth)[1] > 1)
        # x = ±1, y = (1, -1): every sub-network of positive weight adds at most its weight on the right, and so on
        cost = penalty([Fraction(1), Fraction(-1)], depth)[1]
        add(f"L={depth}, [x]₊ - [-x]₊ through (1, 1) and (-1, -1)", depth, 2, 2, cost > 2)
    for depth, count in [(3, 2), (3, 3), (4, 2), (5, 3), (6, 2)]:
        points = [[Fraction(draw.randint(-5, 5)), Fraction(draw.randint(1, 9))] for _ in range(count)]
        subs: list[SubNetwork] = []
        while len(subs) < count + 1:
            candidate = normalised_sub_network(draw, depth, 2, 2)
            if any(v != 0 for v in outputs([candidate], points)[0]):
                subs.append(candidate)
        alpha = [Fraction(draw.choice([-1, 1]) * draw.randint(1, 9), draw.randint(1, 4)) for _ in subs]
        found = _strictly_improved(alpha, outputs(subs, points), depth)
        add(f"L={depth}, {count + 1} random sub-networks on {count} points", depth, count, count + 1, found)
    yield from instances


@certificate("all bases of exact dictionaries")
def smallest_supports(context: Context) -> Observation:
    """The fewest active sub-networks among the optimal solutions over an exact dictionary, all bases tried.

    The penalty is concave on every orthant, so some optimal solution is basic: columns independent. L = 2 included.
    """
    from implicitbias.exact.enclosure import Comparison, compare

    draw = context.random()
    settled = True
    for depth, count in [(2, 1), (2, 2), (3, 1), (3, 2), (4, 2), (2, 3), (3, 3)]:
        points = [[Fraction(draw.randint(-6, 6)), Fraction(draw.randint(1, 7))] for _ in range(count)]
        columns = outputs([normalised_sub_network(draw, depth, 2, 2) for _ in range(12)], points)
        columns = sorted({c for c in columns if any(c)})
        labels = [Fraction(draw.randint(1, 9)) for _ in range(count)]
        if len(kernel([*columns, tuple(labels)])) == len(kernel(columns)):
            continue  # these sub-networks cannot fit these labels
        supports = _basic_solutions(columns, labels)
        best = min(supports, key=lambda a: penalty(a, depth)[1])
        ties = [
            a
            for a in supports
            if compare(Interval(*penalty(a, depth)), Interval(*penalty(best, depth))) is not Comparison.GREATER
        ]
        settled = settled and all(penalty(a, depth)[0] <= penalty(best, depth)[1] for a in ties)
        fewest = min(sum(x != 0 for x in a) for a in ties)
        yield seen(
            fewest,
            f"L={depth}, {len(columns)} sub-networks, {count} points",
            relation="<=",
            N=count,
            k=len(columns),
            L=depth,
        )
    for depth in (2, 3, 5):  # one-sided sub-networks: either point needs its own
        yield seen(2, f"L={depth}, x=±1, y=(1, -1), [x]₊ and [-x]₊ at hand", N=2, k=2, L=depth)
        yield seen(1, f"L={depth}, x=1, y=1, [x]₊ at hand", N=1, k=1, L=depth)
    yield Premise("the optimal bases are told apart in balls", settled)


def _basic_solutions(columns: Sequence[Column], labels: Sequence[Fraction]) -> list[list[Fraction]]:
    """All α supported on independent columns with Σ α_i column_i = labels."""
    found = []
    for size in range(1, len(labels) + 1):
        for chosen in itertools.combinations(range(len(columns)), size):
            sub = [columns[i] for i in chosen]
            relations = kernel([*sub, tuple(labels)])
            if kernel(sub) or not relations:
                continue
            (relation,) = relations
            alpha = [Fraction(0)] * len(columns)
            for i, c in zip(chosen, relation[:-1], strict=True):
                alpha[i] = -c / relation[-1]
            found.append(alpha)
    return found


@certificate("exact null spaces")
def kernel_dimensions(context: Context) -> Observation:
    """The dimension of {b ∈ ℝ^(N+1) : Σ_i b_i v(W_i, x_n) = 0 for all n}, from exact outputs of N+1 sub-networks."""
    draw = context.random()
    for count in (1, 2, 3, 4, 5):
        for repeats in (1, 2):
            points = [[Fraction(draw.randint(-5, 5)), Fraction(draw.randint(1, 9))] for _ in range(count)]
            points[-1] = points[0] if repeats == 2 else points[-1]  # a repeated point lowers the rank
            subs = [normalised_sub_network(draw, 3, 2, 2) for _ in range(count + 1)]
            columns = outputs(subs, points)
            rank = _rank(columns)
            yield seen(len(kernel(columns)), f"{count} points, {count + 1} sub-networks", N=count, r=rank)


def _rank(columns: Sequence[Column]) -> int:
    """The rank by minors: the largest size of a square submatrix with a determinant that is not zero."""
    import flint

    rows = len(columns[0])
    for size in range(min(rows, len(columns)), 0, -1):
        for chosen in itertools.combinations(range(len(columns)), size):
            for kept in itertools.combinations(range(rows), size):
                entries = [flint.fmpq(columns[c][r].numerator, columns[c][r].denominator) for r in kept for c in chosen]
                if flint.fmpq_mat(size, size, entries).det() != 0:
                    return size
    return 0


@rule("improvable iff L >= 3 and k > N")
def _more_than_points(given: Mapping[str, Value]) -> Value:
    """a cheaper solution exists exactly if L ≥ 3 and k > N"""
    return given["L"] >= 3 and given["k"] > given["N"]  # type: ignore[operator]


@rule("improvable iff k > N")
def _at_any_depth(given: Mapping[str, Value]) -> Value:
    """at every depth, L = 2 too"""
    return given["k"] > given["N"]  # type: ignore[operator]


@rule("improvable iff L >= 3 and k >= N")
def _one_fewer(given: Mapping[str, Value]) -> Value:
    """N - 1 sub-networks suffice"""
    return given["L"] >= 3 and given["k"] >= given["N"]  # type: ignore[operator]


EXISTENCE = claim(
    "savarese2019.theorem_c_3_existence",
    "Theorem C.3, first part",
    "An optimal solution with at most N sub-networks",
    "Where (49) is attained, some optimal solution for N points has at most N non-zero last-layer weights.",
    part_of="savarese2019.theorem_c_3",
    latex=r"\min\{\|\alpha^*\|_0\}\le N",
    formula="N",
    symbols={"N": "number of data points", "k": "number of sub-networks at hand", "L": "number of layers"},
    controls={
        "N - 1": "one fewer: the bias saves a unit in Section 3, but there is none here",
        "Min(k, N)/2": "half of them",
        "N/L + 1/2": "depth would lower the number in proportion",
    },
    checks=(smallest_supports,),
)


THEOREM_C_3 = claim(
    "savarese2019.theorem_c_3",
    "Theorem C.3, second part",
    "At most N sub-networks for L ≥ 3",
    """On N points, a solution of (49) with k > N active sub-networks can be made strictly cheaper without changing its
    outputs on the data if L ≥ 3: move along a kernel vector of the outputs in the direction in which the strictly
    concave penalty falls. For L = 2 it need not be: a unit split into two equal halves is optimal too.""",
    latex=r"L\ge 3,\ \alpha^*\ \text{optimal}\ \Longrightarrow\ \|\alpha^*\|_0\le N",
    hypotheses=("the loss depends on the outputs at the N points only",),
    formula=_more_than_points,
    controls={
        _at_any_depth: "forgets that ℓ₁ has ties",
        _one_fewer: "like the bias in Section 3",
        Rule("never improvable", "all solutions are optimal", lambda given: False): "no sparsity",
    },
    checks=(improvable_solutions,),
)


EQUATION_62 = claim(
    "savarese2019.equation_62",
    "before (62)",
    "Dimension of the kernel in the proof",
    """The vectors b ∈ ℝ^(N+1) with Σ_i b_i v(W_i, x_n) = 0 for all n form a space of dimension N + 1 - r ≥ 1, where r ≤
    N is the rank of the outputs.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\dim\{b:\textstyle\sum_i b_i\,v(\bar W_i,x_n)=0\ \forall n\}=N+1-r",
    formula="N + 1 - r",
    symbols={"N": "number of data points", "r": "rank of the outputs of N+1 sub-networks at the points"},
    flaw=Flaw(
        printed="0",
        word="misprint",
        wrong="""The text asks for b_i v(W_i, x_n) = 0 for all i and n. That leaves only b = 0, space of dimension 0,
        once every sub-network is active at some point.""",
        sure="likely",
        charitable="The sum over i, as in the line after (62), is meant; it counts N constraints.",
    ),
    controls={"N - r": "for N sub-networks", "1": "right only for outputs of full rank"},
    checks=(kernel_dimensions,),
)
