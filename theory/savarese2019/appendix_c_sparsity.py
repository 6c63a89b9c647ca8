"""Appendix C, Theorem C.3 and the text about it: how many sub-networks an optimal solution uses."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Flaw, Rule, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.exact.rational import Interval

from .observed.parallel_networks import SubNetwork, forward, normalised_sub_network

Column = tuple[Fraction, ...]


def _outputs(subs: Sequence[SubNetwork], points: Sequence[Sequence[Fraction]]) -> list[Column]:
    """One column a sub-network: its outputs at the points."""
    return [tuple(forward(sub, x) for x in points) for sub in subs]


def _kernel(columns: Sequence[Column]) -> list[list[Fraction]]:
    """A basis of {b : Σ b_i column_i = 0}, exact."""
    import flint

    rows, count = len(columns[0]), len(columns)
    entries = [flint.fmpq(c[n].numerator, c[n].denominator) for n in range(rows) for c in columns]
    reduced, rank = flint.fmpq_mat(rows, count, entries).rref()
    matrix = [[Fraction(int(reduced[r, c].p), int(reduced[r, c].q)) for c in range(count)] for r in range(rank)]
    pivots = [next(c for c in range(count) if row[c] != 0) for row in matrix]
    basis = []
    for free in (c for c in range(count) if c not in pivots):
        vector = [Fraction(int(c == free)) for c in range(count)]
        for row, pivot in zip(matrix, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def _penalty(alpha: Sequence[Fraction], depth: int) -> tuple[Fraction, Fraction]:
    """‖α‖_{2/L}^{2/L}, enclosed."""
    from implicitbias.exact.enclosure import enclose, lower, upper

    parts = [enclose("a**(2/L)", a=abs(a), L=depth) for a in alpha if a != 0]
    return sum(map(lower, parts), Fraction(0)), sum(map(upper, parts), Fraction(0))


def _strictly_improved(alpha: Sequence[Fraction], columns: Sequence[Column], depth: int) -> bool:
    """Whether some α ± ρβ with the same outputs on the data is provably cheaper, β in the kernel of the outputs."""
    for beta in _kernel(columns):
        rho = min(abs(a / b) for a, b in zip(alpha, beta, strict=True) if b != 0) / 2
        for sign in (1, -1):
            other = [a + sign * rho * b for a, b in zip(alpha, beta, strict=True)]
            if _penalty(other, depth)[1] < _penalty(alpha, depth)[0]:
                return True
    return False


def improvable_solutions(context: Context) -> Evidence:
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
        instances.append(Instance(label, {"L": depth, "N": points, "k": active}, improvable))

    for depth in (2, 3, 4, 7):
        unit: SubNetwork = right * (depth - 1)
        duplicated = _outputs([unit, unit], [one])
        halves = [Fraction(1, 2), Fraction(1, 2)]
        found = _strictly_improved(halves, duplicated, depth)
        if not found and depth == 2:  # |α₁|+|α₂| >= |α₁+α₂| = 1 for every solution, and it is 1 here
            found = sum(map(abs, halves)) > 1
        add(f"L={depth}, [x]₊ twice with weights ½, ½, through (1, 1)", depth, 1, 2, found)
        add(f"L={depth}, [x]₊ once, through (1, 1)", depth, 1, 1, _penalty([Fraction(1)], depth)[1] > 1)
        # x = ±1, y = (1, -1): every sub-network of positive weight adds at most its weight on the right, and so on
        cost = _penalty([Fraction(1), Fraction(-1)], depth)[1]
        add(f"L={depth}, [x]₊ - [-x]₊ through (1, 1) and (-1, -1)", depth, 2, 2, cost > 2)
    for depth, count in [(3, 2), (3, 3), (4, 2), (5, 3), (6, 2)]:
        points = [[Fraction(draw.randint(-5, 5)), Fraction(draw.randint(1, 9))] for _ in range(count)]
        subs: list[SubNetwork] = []
        while len(subs) < count + 1:
            candidate = normalised_sub_network(draw, depth, 2, 2)
            if any(v != 0 for v in _outputs([candidate], points)[0]):
                subs.append(candidate)
        alpha = [Fraction(draw.choice([-1, 1]) * draw.randint(1, 9), draw.randint(1, 4)) for _ in subs]
        found = _strictly_improved(alpha, _outputs(subs, points), depth)
        add(f"L={depth}, {count + 1} random sub-networks on {count} points", depth, count, count + 1, found)
    return Evidence(instances=tuple(instances))


def smallest_supports(context: Context) -> Evidence:
    """The fewest active sub-networks among the optimal solutions over a given exact dictionary, all bases tried.

    The penalty is concave on every orthant, so some optimal solution is basic: columns independent. L = 2 included.
    """
    from implicitbias.exact.enclosure import Comparison, compare

    draw = context.random()
    instances: list[Instance] = []
    settled = True
    for depth, count in [(2, 1), (2, 2), (3, 1), (3, 2), (4, 2), (2, 3), (3, 3)]:
        points = [[Fraction(draw.randint(-6, 6)), Fraction(draw.randint(1, 7))] for _ in range(count)]
        columns = _outputs([normalised_sub_network(draw, depth, 2, 2) for _ in range(12)], points)
        columns = sorted({c for c in columns if any(c)})
        labels = [Fraction(draw.randint(1, 9)) for _ in range(count)]
        if len(_kernel([*columns, tuple(labels)])) == len(_kernel(columns)):
            continue  # these sub-networks cannot fit these labels
        supports = _basic_solutions(columns, labels)
        best = min(supports, key=lambda a: _penalty(a, depth)[1])
        ties = [
            a
            for a in supports
            if compare(Interval(*_penalty(a, depth)), Interval(*_penalty(best, depth))) is not Comparison.GREATER
        ]
        settled = settled and all(_penalty(a, depth)[0] <= _penalty(best, depth)[1] for a in ties)
        fewest = min(sum(x != 0 for x in a) for a in ties)
        given = {"N": count, "k": len(columns), "L": depth}
        instances.append(Instance(f"L={depth}, {len(columns)} sub-networks, {count} points", given, fewest, "<="))
    for depth in (2, 3, 5):  # one-sided sub-networks: either point needs its own
        given = {"N": 2, "k": 2, "L": depth}
        instances.append(Instance(f"L={depth}, x=±1, y=(1, -1), [x]₊ and [-x]₊ at hand", given, 2))
        given = {"N": 1, "k": 1, "L": depth}
        instances.append(Instance(f"L={depth}, x=1, y=1, [x]₊ at hand", given, 1))
    return Evidence(
        instances=tuple(instances), premises=(Premise("the optimal bases are told apart in balls", settled),)
    )


def _basic_solutions(columns: Sequence[Column], labels: Sequence[Fraction]) -> list[list[Fraction]]:
    """All α supported on independent columns with Σ α_i column_i = labels."""
    found = []
    for size in range(1, len(labels) + 1):
        for chosen in itertools.combinations(range(len(columns)), size):
            sub = [columns[i] for i in chosen]
            relations = _kernel([*sub, tuple(labels)])
            if _kernel(sub) or not relations:
                continue
            (relation,) = relations
            alpha = [Fraction(0)] * len(columns)
            for i, c in zip(chosen, relation[:-1], strict=True):
                alpha[i] = -c / relation[-1]
            found.append(alpha)
    return found


def kernel_dimensions(context: Context) -> Evidence:
    """The dimension of {b ∈ ℝ^(N+1) : Σ_i b_i v(W_i, x_n) = 0 for all n}, from exact outputs of N+1 sub-networks."""
    draw = context.random()
    instances = []
    for count in (1, 2, 3, 4, 5):
        for repeats in (1, 2):
            points = [[Fraction(draw.randint(-5, 5)), Fraction(draw.randint(1, 9))] for _ in range(count)]
            points[-1] = points[0] if repeats == 2 else points[-1]  # a repeated point lowers the rank
            subs = [normalised_sub_network(draw, 3, 2, 2) for _ in range(count + 1)]
            columns = _outputs(subs, points)
            rank = _rank(columns)
            instances.append(
                Instance(f"{count} points, {count + 1} sub-networks", {"N": count, "r": rank}, len(_kernel(columns)))
            )
    return Evidence(instances=tuple(instances))


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


def penalty_limits(context: Context) -> Evidence:
    """lim ‖α‖_{2/L}^{2/L} as L → ∞, by sympy, for exact α."""
    import sympy

    draw = context.random()
    depth = sympy.Symbol("L", positive=True)
    instances = []
    cases: list[list[Fraction]] = [
        [Fraction(2)],
        [Fraction(1, 2), Fraction(0)],
        [Fraction(3), Fraction(-1), Fraction(0)],
    ]
    cases += [[Fraction(draw.randint(-9, 9), draw.randint(1, 5)) for _ in range(draw.randint(2, 7))] for _ in range(8)]
    for alpha in cases:
        parts = [sympy.Rational(abs(a).numerator, abs(a).denominator) for a in alpha]
        limit = sum(sympy.limit(a ** (2 / depth), depth, sympy.oo) for a in parts if a != 0)
        given: dict[str, Value] = {
            "k": sum(a != 0 for a in alpha),
            "n": len(alpha),
            "S": sum(map(abs, alpha), Fraction(0)),
        }
        label = "α=(" + ", ".join(map(str, alpha)) + ")"
        instances.append(Instance(label, given, int(limit)))
    return Evidence(instances=tuple(instances))


def derive_penalty_limit(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, b, depth = symbol("a", "positive"), symbol("b", "positive"), sympy.Symbol("L", positive=True)
    d = Derivation()
    single = sympy.limit(a ** (2 / depth), depth, sympy.oo)
    d.step("one non-zero weight a > 0", f"lim a^(2/L) = {single}")
    both = sympy.limit(a ** (2 / depth) + b ** (2 / depth), depth, sympy.oo)
    d.step("two; a weight that is zero adds 0 for every L", f"lim a^(2/L) + b^(2/L) = {both}")
    return Evidence(
        identities=(
            Identity("one of three weights", {"a": "positive"}, {"k": "1", "n": "3", "S": "a"}, from_sympy(single)),
            Identity(
                "two of three weights",
                {"a": "positive", "b": "positive"},
                {"k": "2", "n": "3", "S": "a+b"},
                from_sympy(both),
            ),
        ),
        steps=d.steps,
    )


def midpoint_penalty(context: Context) -> Evidence:
    """‖·‖_{2/L}^{2/L} at the midpoint of two unit vectors, where it is 1 at both ends."""
    instances = []
    for depth in (2, 3, 4, 5, 10, 40):
        value = Interval(*_penalty([Fraction(1, 2), Fraction(1, 2)], depth))
        observed = value.lower if value.lower == value.upper else value
        instances.append(Instance(f"L={depth}, (½, ½)", {"L": depth}, observed))
    return Evidence(instances=tuple(instances))


def derive_midpoint_penalty(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    depth = symbol("L", "positive integer")
    d = Derivation()
    value = 2 * sympy.Rational(1, 2) ** (2 / depth)
    d.step("two weights of ½", f"2·(1/2)^(2/L) = {value}")
    d.identity("each end has a single weight 1", sympy.Integer(1) ** (2 / depth), sympy.Integer(1))
    return Evidence(
        identities=(Identity("all depths", {"L": "positive integer"}, {"L": "L"}, from_sympy(value)),), steps=d.steps
    )


def tie_counts(context: Context) -> Evidence:
    """The numbers of units among the global minimisers of (p - A)² + λ p^(2/L), p >= 0: one point, one direction.

    With p = q^L the objective minus its value at 0 is q²(q^(2L-2) - 2A q^(L-2) + λ). The bracket has a single minimum
    on q > 0 for L >= 3; its sign there, by sympy, decides between 0 units, 1 unit, or both.
    """
    import sympy

    instances = []
    undecided = []
    for depth, a in [(3, 2), (4, 1), (4, 2), (6, 2), (6, 1), (10, 3)]:
        q = sympy.Symbol("q", positive=True)
        place = sympy.Rational(a * (depth - 2), depth - 1) ** sympy.Rational(1, depth)
        bracket = q ** (2 * depth - 2) - 2 * a * q ** (depth - 2)
        if sympy.simplify(sympy.diff(bracket, q).subs(q, place)) != 0:
            raise ArithmeticError("the minimum is elsewhere")
        lowest = sympy.simplify(bracket.subs(q, place))
        for where, factor in (
            ("at the critical λ", 1),
            ("above it", sympy.Rational(11, 10)),
            ("below it", sympy.Rational(9, 10)),
        ):
            gap = sympy.simplify(lowest - factor * lowest)
            counts = (0, 1) if gap == 0 else (0,) if gap.is_positive else (1,) if gap.is_negative else ()
            if not counts:
                undecided.append(f"L={depth}, A={a}, {where}")
            given: dict[str, Value] = {
                "L": depth,
                "A": a,
                "critical": where == "at the critical λ",
                "above": where == "above it",
            }
            instances.append(Instance(f"x=1, y={a}, L={depth}, λ {where}", given, counts))
    return Evidence(
        instances=tuple(instances), premises=(Premise("every sign is decided", not undecided, "; ".join(undecided)),)
    )


def tied_unit(context: Context) -> Evidence:
    """The unit p > 0 that ties with no unit at the critical λ, enclosed without derivatives.

    λ(p) = (2A - p) p^(1-2/L) is the λ at which p and 0 cost the same. For p to be a global minimiser no other p may
    need a larger λ: the place of the largest λ(p), bracketed by a search in balls on a strictly unimodal function.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    instances = []
    proved = True
    for depth, a in [(3, 2), (4, 2), (6, 2), (3, 1), (5, 3), (100, 2), (3, 5)]:
        low, high = Fraction(0), Fraction(2 * a)
        for _ in range(60):
            third = (high - low) / 3
            left, right = (low + third, high - third)
            level = [enclose("(2*A-p)*p**(1-2/L)", A=a, p=p, L=depth) for p in (left, right)]
            order = compare(*level)
            proved = proved and order is not Comparison.UNKNOWN
            low, high = (left, high) if order is Comparison.LESS else (low, right)
        instances.append(Instance(f"A={a}, L={depth}", {"A": a, "L": depth}, Interval(low, high)))
    return Evidence(instances=tuple(instances), premises=(Premise("every comparison is proved", proved),))


def derive_tied_unit(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, p, lam = symbol("A", "positive"), symbol("p", "positive"), symbol("lam", "positive")
    extra = symbol("m", "positive integer")
    depth = extra + 2  # L >= 3
    s = 2 / depth
    d = Derivation()
    objective = (p - a) ** 2 + lam * p**s
    (tie,) = sympy.solve(sympy.Eq(sympy.expand(objective - a**2), 0), lam)
    d.step("p costs as much as no unit at all where (p-A)² + λp^s = A²", f"λ = {sympy.simplify(tie)}")
    stationary = sympy.simplify(sympy.diff(objective, p).subs(lam, tie) * p)
    (unit,) = [r for r in sympy.solve(sympy.Eq(sympy.expand(stationary), 0), p) if r != 0]
    d.step("and p is stationary there, 2(p-A) + λ s p^(s-1) = 0, for", f"p = {sympy.factor(unit)}")
    d.identity("at that p the tie is stationary", stationary.subs(p, unit), sympy.Integer(0))
    identity = Identity(
        "all A > 0 and L = m+2 >= 3",
        {"A": "positive", "m": "positive integer"},
        {"A": "A", "L": "m+2"},
        from_sympy(sympy.factor(unit)),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def _more_than_points(given: Mapping[str, Value]) -> Value:
    return given["L"] >= 3 and given["k"] > given["N"]  # type: ignore[operator]


def _at_any_depth(given: Mapping[str, Value]) -> Value:
    return given["k"] > given["N"]  # type: ignore[operator]


def _one_fewer(given: Mapping[str, Value]) -> Value:
    return given["L"] >= 3 and given["k"] >= given["N"]  # type: ignore[operator]


def _never(given: Mapping[str, Value]) -> Value:
    return False


def _counts_with_tie(given: Mapping[str, Value]) -> Value:
    return (0, 1) if given["critical"] else (0,) if given["above"] else (1,)


def _counts_without_tie(given: Mapping[str, Value]) -> Value:
    return (0,) if given["critical"] or given["above"] else (1,)


def _counts_always_one(given: Mapping[str, Value]) -> Value:
    return (1,)


def _counts_tie_everywhere(given: Mapping[str, Value]) -> Value:
    return (0, 1)


CLAIMS = (
    Claim(
        id="savarese2019.theorem_c_3_existence",
        source=Source("savarese2019", "Theorem C.3, first part"),
        title="Some optimal solution uses at most N sub-networks",
        statement=(
            "Where (49) is attained, some optimal solution has at most N non-zero last-layer weights, N points given."
        ),
        latex=r"\min\{\|\alpha^*\|_0\}\le N",
        formula="N",
        symbols={"N": "number of data points", "k": "number of sub-networks at hand", "L": "number of layers"},
        controls=(
            Control("N - 1", "one fewer: the bias saves a unit in Section 3, but there is none here"),
            Control("Min(k, N)/2", "half of them"),
            Control("N/L + 1/2", "depth would lower the number in proportion"),
        ),
        checks=(
            Check(
                "all bases of exact dictionaries",
                Kind.CERTIFICATE,
                smallest_supports,
                "the fewest sub-networks among optimal basic solutions, penalties compared in balls",
            ),
        ),
    ),
    Claim(
        id="savarese2019.theorem_c_3",
        source=Source("savarese2019", "Theorem C.3, second part"),
        title="For L ≥ 3 a solution with more than N sub-networks is never optimal",
        statement=(
            "On N points, a solution of (49) with k > N active sub-networks can be made strictly cheaper without "
            "changing "
            "its outputs on the data if L ≥ 3: move along a kernel vector of the outputs in the direction in which the "
            "strictly concave penalty falls. For L = 2 it need not be: a unit split into two equal halves is optimal "
            "too."
        ),
        latex=r"L\ge 3,\ \alpha^*\ \text{optimal}\ \Longrightarrow\ \|\alpha^*\|_0\le N",
        hypotheses=("the loss depends on the outputs at the N points only",),
        formula=Rule(
            "improvable iff L >= 3 and k > N", "a cheaper solution exists exactly if L ≥ 3 and k > N", _more_than_points
        ),
        controls=(
            Control(
                Rule("improvable iff k > N", "at every depth, L = 2 too", _at_any_depth), "forgets that ℓ₁ has ties"
            ),
            Control(
                Rule("improvable iff L >= 3 and k >= N", "N - 1 sub-networks suffice", _one_fewer),
                "as with the bias in Section 3",
            ),
            Control(Rule("never improvable", "all solutions are optimal", _never), "no sparsity"),
        ),
        checks=(
            Check(
                "kernel vectors of the outputs",
                Kind.CERTIFICATE,
                improvable_solutions,
                (
                    "exact solutions with k sub-networks; a cheaper one found by a kernel vector, or excluded by a "
                    "lower bound"
                ),
            ),
        ),
    ),
    Claim(
        id="savarese2019.equation_62",
        source=Source("savarese2019", "before (62)"),
        title="The kernel vector of the proof exists because the outputs are summed",
        statement=(
            "The vectors b ∈ ℝ^(N+1) with Σ_i b_i v(W_i, x_n) = 0 for all n form a space of dimension N + 1 - r ≥ 1, "
            "where "
            "r ≤ N is the rank of the outputs."
        ),
        latex=r"\dim\{b:\textstyle\sum_i b_i\,v(\bar W_i,x_n)=0\ \forall n\}=N+1-r",
        formula="N + 1 - r",
        symbols={"N": "number of data points", "r": "rank of the outputs of N+1 sub-networks at the points"},
        flaw=Flaw(
            printed="0",
            word="misprint",
            wrong=(
                "The text asks for b_i v(W_i, x_n) = 0 for all i and n. That leaves only b = 0, space of dimension 0, "
                "once "
                "every sub-network is on at some point."
            ),
            sure="likely",
            charitable="The sum over i, as in the line after (62), is meant; it counts N constraints.",
        ),
        controls=(
            Control("N - r", "as if the sub-networks were N"),
            Control("1", "right for outputs of full rank only"),
        ),
        checks=(Check("exact null spaces", Kind.CERTIFICATE, kernel_dimensions, "null space against rank by minors"),),
    ),
    Claim(
        id="savarese2019.appendix_c_limit",
        source=Source("savarese2019", "after Theorem C.3"),
        title="The bridge penalty tends to the number of active sub-networks",
        statement="As L → ∞, ‖α‖_{2/L}^{2/L} = Σ|α_i|^(2/L) tends to the number of non-zero weights.",
        latex=r"\lim_{L\to\infty}\|\alpha\|_{2/L}^{2/L}=\|\alpha\|_0",
        formula="k",
        symbols={"k": "number of non-zero weights", "n": "number of weights", "S": "Σ|α_i|"},
        controls=(
            Control("n", "zero weights counted as 0⁰ = 1"),
            Control("S", "the penalty at L = 2"),
            Control("Min(S, n)", "between the two"),
        ),
        checks=(
            Check("limits of exact vectors", Kind.CERTIFICATE, penalty_limits, "sympy's limit for exact weights"),
            Check(
                "limit for symbols", Kind.PROOF, derive_penalty_limit, "sympy's limit for arbitrary positive weights"
            ),
        ),
    ),
    Claim(
        id="savarese2019.appendix_c_midpoint",
        source=Source("savarese2019", "proof of Theorem C.3"),
        title="The bridge penalty is not quasi-convex",
        statement=(
            "At the midpoint of two unit vectors ‖·‖_{2/L}^{2/L} is 2^(1-2/L) > 1 for L ≥ 3, but 1 at both ends: "
            "sublevel "
            "sets are not convex. What the proof uses is that the penalty is strictly concave on every orthant."
        ),
        latex=r"\left\|\tfrac12 e_1+\tfrac12 e_2\right\|_{2/L}^{2/L}=2^{1-2/L}",
        formula="2**(1-2/L)",
        symbols={"L": "number of layers"},
        flaw=Flaw(
            printed="1",
            word="imprecise wording",
            wrong="The penalty is called quasi-convex; then its value at the midpoint could not exceed 1.",
            sure="certain",
            charitable="‖·‖_p with p < 1 is a quasi-norm; that word is meant, and the proof needs neither.",
        ),
        controls=(
            Control("2**(2/L)", "the exponent of the ends' sum"),
            Control("2**(1/L)", "exponent 1/L"),
            Control("2 - 2/L", "its tangent at L = 2"),
        ),
        checks=(
            Check("value in balls", Kind.CERTIFICATE, midpoint_penalty, "the penalty at (½, ½)"),
            Check("value for all L", Kind.PROOF, derive_midpoint_penalty, "two weights of ½"),
        ),
    ),
    Claim(
        id="savarese2019.appendix_c_same_count",
        source=Source("savarese2019", "after Theorem C.3"),
        title="Optimal solutions of different sparsity tie at the critical λ",
        statement=(
            "For one point x = 1, y = A and squared loss, (49) has a λ at which a solution without sub-networks and "
            "one with "
            "a single sub-network are both optimal, at every depth L ≥ 3; above it only none, below it only one is."
        ),
        latex=r"\#\{\|\alpha^*\|_0\}=2\ \text{at}\ \lambda=\lambda^*(A,L)",
        rests_on=("savarese2019.theorem_c_1",),
        formula=Rule("tie at the critical λ", "both 0 and 1 at the critical λ, else one of them", _counts_with_tie),
        flaw=Flaw(
            printed=Rule("one count", "all optimal solutions have the same number of units", _counts_without_tie),
            word="heuristic",
            wrong=(
                "For large L all optimal solutions should have equally many non-zero weights; at critical λ they do "
                "not."
            ),
            sure="certain",
            charitable=(
                "The sentence is hedged. The optimal value is concave in λ; where it is differentiable, for all but "
                "countably many λ, all optimal solutions have the same penalty, which tends to the number of units."
            ),
        ),
        controls=(
            Control(Rule("always one", "a single unit whatever λ", _counts_always_one), "λ small enough"),
            Control(Rule("tie at every λ", "0 and 1 always tie", _counts_tie_everywhere), "the tie is not generic"),
        ),
        checks=(
            Check(
                "sign of the objective's gap",
                Kind.CERTIFICATE,
                tie_counts,
                (
                    "the objective minus its value without units, at its minimum, exact at 6 pairs (L, A) and 3 values "
                    "of λ"
                ),
            ),
        ),
    ),
    Claim(
        id="savarese2019.appendix_c_tie",
        source=Source("implicitbias", "beside the text after Theorem C.3"),
        title="The unit that ties with none",
        statement=(
            "For one point x = 1, y = A > 0, squared loss and L ≥ 3, the output of the single sub-network that is as "
            "cheap as "
            "no sub-network at the critical λ is p = A(L-2)/(L-1); the critical λ is (2A - p)p^(1-2/L). Proof: equate "
            "the "
            "objective at p to that at 0, and its derivative to 0. As L → ∞, p → A and λ → A²: hard thresholding."
        ),
        latex=r"p^*=\frac{A(L-2)}{L-1}",
        hypotheses=("A > 0", "L ≥ 3"),
        rests_on=("savarese2019.appendix_c_same_count",),
        formula="A*(L-2)/(L-1)",
        symbols={"A": "label y", "L": "number of layers"},
        controls=(
            Control("A", "the limit of hard thresholding"),
            Control("A*(L-1)/L", "the same with L shifted by one"),
            Control("A/2", "right for L = 3 only"),
        ),
        checks=(
            Check(
                "largest tying λ", Kind.CERTIFICATE, tied_unit, "the place of the largest tying λ, by search in balls"
            ),
            Check("tie and stationarity", Kind.PROOF, derive_tied_unit, "both equations solved for all A and L"),
        ),
    ),
)
