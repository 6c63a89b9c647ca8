"""Section 6, Figure 4: the sizes of both supports on the figure's data."""

from __future__ import annotations

from implicitbias.claims import Context, Measured, Observation, Rule, Step, certificate, claim, seen

from ..observed.data.figure_4 import bends, bins_to_the_right, changes, figure_data, target


@certificate("the figure's data drawn again")
def counts(context: Context) -> Observation:
    """Both supports of the figure's data, counted in rationals with and without repeated points."""
    x = figure_data()
    distinct = sorted(set(x))
    all_labels, labels = (bins_to_the_right([target(at) for at in points]) for points in (x, distinct))
    regression = bends(distinct, [target(at) for at in distinct])
    yield seen((len(x), regression, changes(all_labels)), "every point counted", counted="all")
    yield seen((len(distinct), regression, changes(labels)), "different points", counted="different")
    yield Measured("points that occur more than once", len(x) - len(distinct))
    yield Step("five draws per piece of every bin's preimage, five of them kept with replacement, single precision")
    yield Step("supports by their definitions in exact rationals; ties between bins go to the right as in the program")


def table(every: tuple[int, int, int], different: tuple[int, int, int]) -> Rule:
    """(points, |R_reg|, |R_class|), counting all points or the different ones."""
    return Rule(
        f"{every}, {different}",
        f"(n, |R_reg|, |R_class|) = {every} of all points, {different} of the different ones",
        lambda given: every if given["counted"] == "all" else different,
    )


COUNTS = claim(
    "stewart2022.figure_4",
    "Figure 4",
    "Eighteen points for regression, 230 for classification",
    """On the data of Figure 4, drawn with the seed of the released program (the text names none), |R_reg| = 18 and,
    with k = 50 bins, |R_class| = 230 of 250 points. 21 of the points are repetitions: of the 229 different ones 219 are
    in R_class.""",
    latex=r"|R_{\mathrm{reg}}|=18,\quad|R_{\mathrm{class}}|=230",
    hypotheses=(
        "numpy's RandomState with seed 52354, the first 250 points of its stream",
        "ties between bins go to the right",
    ),
    formula=table((250, 18, 230), (229, 18, 219)),
    controls={
        table((250, 18, 230), (250, 18, 230)): "no point occurs twice",
        table((250, 10, 230), (229, 10, 219)): "one point for each kink",
        table((250, 18, 250), (229, 18, 229)): "every label differs from a neighbour's",
    },
    checks=(counts,),
    rests_on=("stewart2022.figure_4_teacher", "stewart2022.figure_4_r_reg"),
)
