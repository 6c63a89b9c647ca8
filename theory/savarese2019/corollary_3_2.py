"""Corollary 3.2 and equation (25): training a regularised network is a problem in function space."""

from __future__ import annotations

import random
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, Premise, Step, certificate, claim, seen

from ..observed.cheapest.cheapest_network import cheapest_network, cheapest_with_absolute_loss
from ..observed.data.datasets import DataSet, by_hand, random_batch, random_data, through
from ..observed.functions.second_derivative import SecondDerivative, cheapest_exact_network, spline_with_tails
from . import errata


@certificate("optimal networks in rationals")
def optimal_values(context: Context) -> Observation:
    """The least L(h) + λ C over networks, exactly, for losses of the values at the data and the slopes at infinity."""
    draw = context.random()
    batch = [*by_hand(), *random_batch(context.seed % 10**6, context.choose(12, 60))]
    for data in batch:
        for lam, straight in ((_drawn(draw, 2), False), (_drawn(draw, 3), True), (_drawn(draw, 8), True)):
            weight, tails = _drawn(draw, 6), None
            if straight:  # to any slopes, or to some that the tails have nearly by themselves, at a high price
                near = draw.choice((0, 1))
                left, right = (draw.choice((1, -1)) * _drawn(draw, 1 if near else 9) for _ in range(2))
                tails = (data.a * near + left, data.b * near + right)
                weight += 2 * lam * near
            best = cheapest_with_absolute_loss(data, lam, tails, weight)
            left, right = best.end_slopes
            rest = draw.choice((0, 1)) * _drawn(draw, 9)  # what no function avoids: L > 0 where |s| > T too
            loss = sum((abs(best(x) - y) for x, y in zip(data.x, data.y, strict=True)), rest)
            if tails is not None:
                loss += weight * (abs(left - tails[0]) + abs(right - tails[1]))
            label = f"{data.label}, λ = {lam}" + (f", tails drawn to {tails[0]} and {tails[1]}" if tails else "")
            yield seen(best.objective + rest, label, L=loss, lam=lam, T=best.variation, s=left + right)
            # between the data another minimiser bends as little as it can: T < |s| where the tails rule
            spline = spline_with_tails(data.with_labels([best(x) for x in data.x]), left, right)
            bends, ends = spline.variation, spline.end_slope_sum
            cost = cheapest_exact_network(spline)
            if bends < best.variation and cost is not None and loss + lam * cost == best.objective + rest:
                yield seen(best.objective + rest, f"without detours, {label}", L=loss, lam=lam, T=bends, s=ends)
            # the straight spline is one function among all: the optimal networks must not cost more than it does
            other = {"L": rest, "lam": lam, "T": data.variation, "s": data.a + data.b}
            if tails is not None:
                other["L"] += weight * (abs(data.a - tails[0]) + abs(data.b - tails[1]))
            yield seen(best.objective + rest, f"the straight spline, {label}", relation="<=", **other)
    yield Step(
        "L is the sum of the distances to the labels, with or without those of f'(±∞) to given slopes, and a constant"
    )
    yield Step(
        "the exact linear programme over networks has an optimal dual vector that prices every kink at λ or less",
        "|Σ ν_n [w(x_n - t)]_+ + ν_w| <= λ at all data points t, hence for all t",
        "in rationals",
    )
    yield Step("so its value is the minimum over all finite networks, not only over those in the programme")


def _drawn(draw: random.Random, most: int) -> Fraction:
    """A rational number in (0, most]."""
    return Fraction(draw.randint(1, 20 * most), 20)


COROLLARY_3_2 = claim(
    "savarese2019.corollary_3_2",
    "Corollary 3.2, equation (24)",
    "Regularised training in function space",
    """For a loss functional L, the least value of L(h_θ) + λ C(θ) over networks of any width is the least value of L(f)
    + λ max(T, |s|) over functions f, T = ∫|f''| and s = f'(-∞) + f'(+∞): the regularisation of a minimising network is
    exactly λ max(T, |s|), and no function has a smaller value.""",
    latex=r"""\min_\theta L(h_\theta)+\lambda C(\theta)=\min_f
    L(f)+\lambda\max\Big(\int|f''|,\,|f'(-\infty)+f'(\infty)|\Big)""",
    hypotheses=("λ > 0", "both minima exist, or both sides are read as infima"),
    formula="L + lam*Max(T, Abs(s))",
    symbols={
        "L": "the loss of the function",
        "lam": "λ, the strength of the regularisation",
        "T": "∫|f''|, the total variation of f'",
        "s": "f'(-∞) + f'(+∞)",
    },
    controls={
        "L + lam*T": "the second derivative alone: true only with an unpenalised affine term",
        "L + lam*(T + Abs(s))": "both terms added",
        "L + lam*Max(T, (T + Abs(s))/2)": "the cost of functions on an interval",
        "L + lam*Max(T, Abs(s))/2": "one half too much, from C = ½(…)",
    },
    checks=(optimal_values,),
    rests_on=("savarese2019.theorem_3_1",),
)


@certificate("linear, merged and smooth interpolants")
def argmin(context: Context) -> Observation:
    """Which interpolating functions are optimal, which are finite networks, and which are optimal networks."""
    batch = [
        DataSet("x = 0, 1, 2, 3 and y = 1, 0, 0, 1", (0, 1, 2, 3), (1, 0, 0, 1)),
        through("bowl", [-3, -1, 0, 1, 3]),
        through("plateau", [1, 0, -1]),
        through("hill on a slope", [5, 3, -1, -2], [1, 2, 1, "1/2"]),
    ]
    batch += [random_data(context.seed % 10**6 + i, 5) for i in range(context.choose(6, 40))]
    instances = []
    for data in batch:
        spline = SecondDerivative.of_spline(data)
        for name, f in spline.variants(data):
            least = _least_cost(data)
            optimal = f.interpolates(data) and max(f.variation, abs(f.end_slope_sum)) == least
            network = cheapest_exact_network(f)
            attained = network is not None and network == least and f.interpolates(data)
            instances.append(
                seen(
                    int(attained), f"{name}, {data.label}", m=int(optimal), p=int(not f.densities), f=name, **data.given
                )
            )
    yield from instances
    yield Premise(
        "optimal smooth functions are among the instances",
        any(i.given["m"] == 1 and i.given["p"] == 0 for i in instances),
    )
    yield Step("a network of k units has at most k kinks, so its second derivative has no density")
    yield Step(
        "for a piecewise-linear f the cheapest network that equals f is found by linear programming over the "
        "two orientations at each knot"
    )


def _least_cost(data: DataSet) -> Fraction:

    return cheapest_network(data).cost


EQUATION_25 = claim(
    "savarese2019.equation_25",
    "equation (25), and (24)",
    "Minimisers among networks and among functions",
    """The minimisers of C(θ) among interpolating networks are, as functions, exactly those minimisers of R̄ among
    interpolating functions that have finitely many pieces. The two problems have the same value, but where the
    minimiser is not unique R̄ has smooth minimisers too, which no finite network represents.""",
    part_of="savarese2019.corollary_3_2",
    latex=r"\{h_{\theta^*}\}=\operatorname{argmin}_f\bar R(f)\cap\{\text{finitely many pieces}\}",
    hypotheses=("N ≥ 1 points with distinct x",),
    formula="m*p",
    symbols={
        "m": "1 if f minimises max(∫|f''|, |f'(-∞)+f'(+∞)|) among the interpolants, else 0",
        "p": "1 if f is piecewise linear with finitely many pieces, else 0",
    },
    flaw=Flaw(errata.EQUATION_25, "m"),
    controls={
        "p": "every interpolating network is optimal",
        "Max(m, p)": "either property suffices",
        "1 - m": "the optimal functions are those that networks miss",
    },
    checks=(argmin,),
    rests_on=("savarese2019.theorem_3_1",),
)
