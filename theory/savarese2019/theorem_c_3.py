"""Theorem C.3: the number of sub-networks of an optimal solution."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.sparse_weights import AlwaysImprovable, SparsestMinimiser

from ..observed.cheapest.programme_49 import Column, kernel, outputs, penalty, some_columns, some_points
from ..observed.units.parallel_networks import normalised_sub_network


@dataclass(frozen=True)
class Solution:
    """Weights α over sub-networks with the columns as outputs at the points: it solves (49) for Σ α_i v_i."""

    label: str
    depth: int
    columns: tuple[Column, ...]
    alpha: tuple[Fraction, ...]

    @property
    def labels(self) -> list[Fraction]:
        """What the solution fits."""
        return [
            sum((a * column[n] for a, column in zip(self.alpha, self.columns, strict=True)), Fraction(0))
            for n in range(len(self.columns[0]))
        ]

    @property
    def active(self) -> int:
        return sum(a != 0 for a in self.alpha)


def basic_solutions(columns: Sequence[Column], labels: Sequence[Fraction]) -> list[list[Fraction]]:
    """All α supported on independent columns with Σ α_i column_i = labels.

    ‖α‖_{2/L}^{2/L} is concave on every orthant and grows with |α|: some optimal α is among them, at every L >= 2.
    """
    found = [[Fraction(0)] * len(columns)] if not any(labels) else []
    for size in range(1, len(labels) + 1):
        for chosen in itertools.combinations(range(len(columns)), size):
            sub = [columns[i] for i in chosen]
            relations = kernel([*sub, tuple(labels)])
            if kernel(sub) or not relations:
                continue
            (relation,) = relations
            if not all(relation[:-1]):
                continue  # found with fewer columns
            alpha = [Fraction(0)] * len(columns)
            for i, c in zip(chosen, relation[:-1], strict=True):
                alpha[i] = -c / relation[-1]
            found.append(alpha)
    return found


def cheaper_exists(solution: Solution) -> bool | None:
    """Whether other weights over the same sub-networks have the same outputs and a smaller penalty; None: undecided.

    All basic solutions are compared with the solution in balls.
    """
    from implicitbias.exact.enclosure import Comparison, compare

    undecided = False
    for other in basic_solutions(solution.columns, solution.labels):
        if sorted(map(abs, other)) == sorted(map(abs, solution.alpha)):
            continue
        order = compare(Interval(*penalty(other, solution.depth)), Interval(*penalty(solution.alpha, solution.depth)))
        if order is Comparison.LESS:
            return True
        undecided = undecided or order is Comparison.UNKNOWN
    return None if undecided else False


def solutions(context: Context) -> Iterator[Solution]:
    """By hand: units that stand twice, with weights of either sign. Drawn: any weights over random sub-networks; the
    cheapest weights for the same labels; and these with a weight split between two copies of its sub-network.
    """
    draw = context.random()
    half, one = Fraction(1, 2), Fraction(1)
    for depth in (2, 3, 4, 7):
        for label, points in (("(1, 1)", (1,)), ("(1, 1), (2, 2)", (1, 2)), ("(1, 1), (2, 2), (3, 3)", (1, 2, 3))):
            column = tuple(map(Fraction, points))
            yield Solution(f"[x]₊ twice with ½, ½, through {label}", depth, (column, column), (half, half))
            yield Solution(f"[x]₊ once, through {label}", depth, (column,), (one,))
        column = (one,)
        yield Solution("[x]₊ twice with 2, -1, through (1, 1)", depth, (column, column), (2 * one, -one))
        sides = ((one, Fraction(0)), (Fraction(0), one))
        yield Solution("[x]₊ - [-x]₊ through (1, 1), (-1, -1)", depth, sides, (one, -one))
        twice = (*sides, sides[1])
        yield Solution("[x]₊ - [-x]₊, the second split", depth, twice, (one, -half, -half))
    for i in range(context.choose(70, 700)):
        depth, count = draw.choice([2, 2, 3, 3, 4, 5, 7]), 1 + i % 3
        columns = some_columns(draw, depth, count, 1 + i % 2, draw.randint(1, 5))
        weights = [Fraction(draw.choice([-1, 1]) * draw.randint(1, 9), draw.randint(1, 4)) for _ in columns]
        drawn = Solution(f"drawn weights {i}", depth, tuple(columns), tuple(weights))
        yield drawn
        best = min(basic_solutions(columns, drawn.labels), key=lambda a: penalty(a, depth)[1])
        kept = [j for j, a in enumerate(best) if a]
        if not kept:
            continue
        cheapest = Solution(f"the cheapest for the labels of drawn weights {i}", depth, tuple(columns), tuple(best))
        yield cheapest
        j = draw.choice(kept)
        share = best[j] * Fraction(draw.randint(1, 4), 5)
        split = [a - share if n == j else a for n, a in enumerate(best)]
        yield Solution(f"{cheapest.label}, a unit split", depth, (*columns, columns[j]), (*split, share))


@certificate("all weights of the same outputs")
def improvable_solutions(context: Context) -> Observation:
    """Solutions with k active sub-networks on N points: 1 if other weights over the sub-networks at hand have the same
    outputs and a smaller penalty, 0 if none have. All basic solutions are tried, and one of them is optimal.
    """
    undecided = []
    for solution in solutions(context):
        found = cheaper_exists(solution)
        if found is None:
            undecided.append(solution.label)
            continue
        label = f"L={solution.depth}, {solution.label}"
        given = {"L": solution.depth, "N": len(solution.columns[0]), "k": solution.active}
        yield seen(int(found), label, relation=">=", **given)
    yield Premise("every comparison is decided in balls", not undecided, "; ".join(undecided))


@certificate("all bases of exact dictionaries")
def smallest_supports(context: Context) -> Observation:
    """The fewest active sub-networks among the optimal solutions over an exact dictionary, all bases tried.

    Where every sub-network at hand is active at one point only and no label is 0, the number itself is claimed.
    """
    from implicitbias.exact.enclosure import Comparison, compare

    draw = context.random()
    settled = True
    for i in range(context.choose(40, 200)):
        depth, count, alone = draw.choice([2, 2, 3, 4, 6, 9]), 1 + i % 4, i % 5 > 1
        if alone:  # [x_n]₊ and [-x_n]₊ at hand, points on the axes
            columns = [
                tuple(Fraction(draw.randint(1, 9), 9) if n == m else Fraction(0) for n in range(count))
                for m in range(count)
                for _ in range(draw.choice((1, 1, 2, 3)))
            ]
        else:
            columns = some_columns(draw, depth, count, 2, 6)
        labels = [Fraction(draw.choice([-1, 1]) * draw.randint(1, 9)) for _ in range(count)]
        supports = basic_solutions(columns, labels)
        if not supports:
            continue  # these sub-networks cannot fit these labels
        best = min(supports, key=lambda a: penalty(a, depth)[1])
        ties = [
            a
            for a in supports
            if compare(Interval(*penalty(a, depth)), Interval(*penalty(best, depth))) is not Comparison.GREATER
        ]
        settled = settled and all(
            penalty(a, depth)[0] == penalty(best, depth)[0] or sorted(map(abs, a)) == sorted(map(abs, best))
            for a in ties
        )
        fewest = min(sum(x != 0 for x in a) for a in ties)
        where = "each active at one point" if alone else "drawn"
        label = f"L={depth}, {len(columns)} sub-networks, {where}, {count} points"
        yield seen(fewest, label, relation="=" if alone else "<=", N=count, k=len(columns), L=depth)
    yield Premise("the optimal bases are told apart in balls", settled)


@certificate("exact null spaces")
def kernel_dimensions(context: Context) -> Observation:
    """The dimension of {b ∈ ℝ^(N+1) : Σ_i b_i v(W_i, x_n) = 0 for all n}, from exact outputs of N+1 sub-networks."""
    draw = context.random()
    for count in (1, 2, 3, *range(1, 7)):
        for distinct in (count, *range(1, count + 1)):  # repeated points lower the rank
            points = some_points(draw, distinct, 4)
            points += [draw.choice(points) for _ in range(count - distinct)]
            subs = [normalised_sub_network(draw, 2, 4, 1) for _ in range(count + 1)]
            columns = outputs(subs, points)
            rank = _rank(columns)
            yield seen(len(kernel(columns)), f"{count} points, {count + 1} sub-networks", N=count, r=rank)
        idle: list[Column] = []
        while len(idle) < count + 1:  # at some points no sub-network is idle: others are drawn
            points = some_points(draw, 1, 4) * count
            drawn = outputs([normalised_sub_network(draw, 2, 4, 1) for _ in range(40)], points)
            idle = [c for c in drawn if not any(c)][: count + 1]
        yield seen(len(kernel(idle)), f"{count} points, {count + 1} idle sub-networks", N=count, r=_rank(idle))


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


COUNTS: dict[str, Assumption] = dict.fromkeys(("N", "k", "L"), "positive integer")


@theorem("concave along dependent vectors")
def fewest_weights() -> Observation:
    """The most weights that the sparsest optimal solution has, over all outputs of sub-networks at N points."""
    fewest = SparsestMinimiser(cost="bridge_penalty(a, L)", weight="a", equations="N")
    yield shows(fewest, for_all=COUNTS, assuming=("L >= 2", "k >= N"), **{name: name for name in COUNTS})


@theorem("strictly concave along dependent vectors")
def improvable_or_not() -> Observation:
    """Whether all solutions with k active sub-networks have a cheaper one beside them, over all outputs at N points."""
    improvable = AlwaysImprovable(cost="bridge_penalty(a, L)", weight="a", equations="N", active="k")
    yield shows(improvable, "more than points", for_all=COUNTS, assuming=("L >= 3", "k >= N + 1"), N="N", k="k", L="L")
    yield shows(
        improvable,
        "as many as points at most",
        for_all=COUNTS,
        assuming=("L >= 2", "k <= N"),
        indifferent_to=("bridge_penalty",),
        N="N",
        k="k",
        L="L",
    )
    split = AlwaysImprovable(
        cost="bridge_penalty(a, 2)", weight="a", equations="N", active="k", at="1/k", multiplier="1"
    )
    two_layers: dict[str, Assumption] = {name: COUNTS[name] for name in ("N", "k")}
    yield shows(split, "L = 2", for_all=two_layers, assuming=("k >= N + 1",), N="N", k="k", L="2")


EXISTENCE = claim(
    "savarese2019.theorem_c_3_existence",
    "Theorem C.3, first part",
    "An optimal solution with at most N sub-networks",
    """Some optimal solution of (49) for N points has at most N non-zero last-layer weights; exactly N where every
    sub-network at hand is active at one point only and no label is 0.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\min\{\|\alpha^*\|_0\}\le N",
    formula="N",
    symbols={"N": "number of data points", "k": "number of sub-networks at hand", "L": "number of layers"},
    controls={
        "N - 1": "one fewer: the bias saves a unit in Section 3, but there is none here",
        "Min(k, N)/2": "half of them",
        "N/L + 1/2": "depth would lower the number in proportion",
        "N + 1": "with a bias, as in Section 2: not attained here",
    },
    checks=(fewest_weights, smallest_supports),
)


THEOREM_C_3 = claim(
    "savarese2019.theorem_c_3",
    "Theorem C.3, second part",
    "At most N sub-networks for L ≥ 3",
    """For L ≥ 3 a solution of (49) with more active sub-networks than points, k > N, is not optimal: other weights over
    the same sub-networks have the same outputs at the points and a smaller penalty (move along a kernel vector of the
    outputs; the penalty is strictly concave). The formula is 1 where all solutions with k active sub-networks can be
    improved, 0 where some cannot: with k ≤ N, though others can be, and at L = 2, where a unit may be split into two of
    the same sign.""",
    latex=r"L\ge 3,\ \alpha^*\ \text{optimal}\ \Longrightarrow\ \|\alpha^*\|_0\le N",
    hypotheses=("the loss depends on the outputs at the N points only",),
    domain=("L >= 2", "N >= 1", "k >= 1"),
    formula="Min(1, Max(0, L - 2))*Min(1, Max(0, k - N))",
    symbols={"L": "number of layers", "N": "number of data points", "k": "number of active sub-networks"},
    controls={
        "Min(1, Max(0, k - N))": "at every depth, L = 2 too: forgets that ℓ₁ has ties",
        "Min(1, Max(0, L - 2))*Min(1, Max(0, k - N + 1))": "N - 1 sub-networks suffice, like the bias in Section 3",
        "Min(1, Max(0, L - 2))*Min(1, Max(0, k - 1))": "a single sub-network suffices",
    },
    checks=(improvable_or_not, improvable_solutions),
)


EQUATION_62 = claim(
    "savarese2019.equation_62",
    "before (62)",
    "Dimension of the kernel in the proof",
    """The vectors b ∈ ℝ^(N+1) with Σ_i b_i v(W_i, x_n) = 0 for all n form a space of dimension N + 1 - r ≥ 1, where r ≤
    N is the rank of the outputs.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\dim\{b:\textstyle\sum_i b_i\,v(\bar W_i,x_n)=0\ \forall n\}=N+1-r",
    domain=("N >= r", "r >= 0"),
    formula="N + 1 - r",
    symbols={"N": "number of data points", "r": "rank of the outputs of N+1 sub-networks at the points"},
    controls={
        "0": "the constraints taken for each unit by itself, without the sum",
        "N - r": "for N sub-networks",
        "1": "right only for outputs of full rank",
    },
    checks=(kernel_dimensions,),
)
