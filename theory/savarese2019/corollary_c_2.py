"""Corollary C.2 and (53): the cheapest scaling of a deep sub-network gives all its layers the same norm."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    experiment,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimiser, ListMinimum

from ..observed.training.parallel_runs import PROBLEMS, RUNS, parallel_job, parallel_runs
from ..observed.units.layer_norms import least_layer_cost, root_of_product

CLOSE = Fraction(1, 1000)
"""Relative distance that is allowed between a layer's squared norm and the formula."""
ACTIVE = 1e-4
"""The least product of the layers' norms, as a share of the largest label, that counts as an output."""


@certificate("downhill from random norms")
def cheapest_norms(context: Context) -> Observation:
    """The least cost of a sub-network over the norms of its layers with a given product, bracketed."""
    draw = context.random()
    small = [(2, Fraction(2)), (3, Fraction(2)), (4, Fraction(2)), (3, Fraction(1, 3)), (5, Fraction(3, 2))]
    for depth, product in small + [(draw.randint(2, 9), root_of_product(draw)) for _ in range(15)]:
        yield seen(least_layer_cost(product, depth, draw), f"L={depth}, product {product}", p=product, L=depth)


@theorem("tangent of the logarithm")
def equal_norms() -> Observation:
    """Every other layer costs more than its norm's logarithm is worth: t - 1 - log t >= 0, for every depth L."""
    common = "exp(l/L)"
    ratio = f"(n/{common})**2"
    least = ListMinimum(
        cost="layer_cost(n, L)",
        over={"n": "positive"},
        length="L",
        totals={"l": "log(n)"},
        at={"n": common},
        multipliers={"l": f"2*{common}**2/L"},
        gap=(f"{common}**2/L*({ratio} - 1 - log({ratio}))",),
    )
    layer = ListMinimiser(
        of="n**2",
        cost=least.cost,
        over=least.over,
        length="L",
        totals=least.totals,
        at=least.at,
        multipliers=least.multipliers,
        gap=least.gap,
    )
    domains: dict[str, Assumption] = {"l": "real", "L": "positive integer"}
    yield shows(least, "the cost", for_all=domains, assuming=("L >= 2",), p="exp(l)", L="L")
    yield shows(layer, "the squared norm of a layer", for_all=domains, assuming=("L >= 2",), p="exp(l)", L="L")


@experiment(
    "layers of trained networks",
    parallel_runs,
    parallel_job,
    acceptance="""Before the judging seeds: in the best run of each problem the squared norm of every layer is within
    0.1% of the formula, in every sub-network whose norms have a product above 1e-4 of the largest label (others have no
    output); each control is 10% off in one problem or more. 12 starts for each of five problems at the quick budget, 60
    for each of nine at full.""",
    shared=RUNS,
)
def trained_layers(context: Context) -> Observation:
    """Layers of parallel networks trained on (48) from random weights, in which they differ, to the least objective."""
    for output in context.outputs:
        task = PROBLEMS[output["problem"]]
        scale = float(max(map(abs, task.y)))
        active = [norms for norms in output["squared_norms"] if prod(norms) ** 0.5 > ACTIVE * scale]
        for i, norms in enumerate(active):
            p = Fraction(prod(norms) ** 0.5)
            for layer, square in enumerate(norms):
                observed = Interval.around(Fraction(square), CLOSE * Fraction(square))
                yield seen(observed, f"{task.label}: sub-network {i}, layer {layer + 1}", p=p, L=task.depth)
        yield Premise(f"{task.label}: some sub-network has an output", bool(active), f"{len(active)}")


COROLLARY_C_2 = claim(
    "savarese2019.corollary_c_2",
    "Corollary C.2, (47) and (53)",
    "Equal norms of the layers",
    """In a parallel network of least norm, the squared norm of every layer of a sub-network, the output weight
    included, is p^(2/L), where p is the product of the layers' norms. Among all rescalings of the L layers that keep p,
    and so the function, p^(2/L) is also the least (1/L)(|w|² + Σ‖W_l‖_F²).""",
    latex=r"""\|W_i^{(1)}\|_F^2=\dots=\|W_i^{(L-1)}\|_F^2=|w_i^{(L)}|^2 = p^{2/L}
    =\min_{\prod n_l = p}\ \frac1L\sum_{l=1}^L n_l^2""",
    hypotheses=("p > 0", "L ≥ 2"),
    formula="p**(2/L)",
    symbols={"p": "|w| Π ‖W_l‖_F, the product of the norms", "L": "number of layers, L >= 2"},
    controls={
        "p**(2/(L-1))": "only the inner layers share the product",
        "p**(2/L)/L": "the cost divided by the depth once more",
        "p**2": "each layer carries the product",
        "p**(1/L)": "the norm instead of its square",
        "2*p/L": "the two-layer value divided by the depth",
    },
    checks=(cheapest_norms, equal_norms, trained_layers),
    formerly=("savarese2019.equation_53",),
)
