"""Appendix D.2: a measure whose margins are all 1, made of a scalar measure per class."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.cheapest.ramp_programme import feature
from ..observed.cheapest.solved_measures import solved_weights
from ..observed.data.points import Points


@certificate("one-hot labels, solved")
def margins(context: Context) -> Observation:
    """One measure per class through the one-hot labels, by exact linear systems; all margins at all data."""
    draw = context.random()
    distinct = True
    for trial in range(6):
        inner = sorted(draw.sample(range(-9, 10), 4))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        labels = [0, *(draw.randrange(3) for _ in x[2:]), 1 + trial % 2]
        measures = [
            solved_weights(Points("one-hot", tuple(x), tuple(Fraction(int(label == j)) for label in labels)))
            for j in range(3)
        ]
        for at, label in zip(x, labels, strict=True):
            scores = [sum((w * feature(u, at) for u, w in m.items()), Fraction(0)) for m in measures]
            for rival in range(3):
                yield seen(
                    scores[label] - scores[rival],
                    f"data {trial}, x={at}, class {rival}",
                    d=int(rival != label),
                    x=at,
                    label=label,
                    rival=rival,
                )
        distinct = distinct and len(set(labels)) > 1
    yield Premise("two labels at least everywhere", distinct)


LEMMA_3_CLASSIFICATION = claim(
    "stewart2022.lemma_3_classification",
    "Lemma 3.2, Appendix D.2",
    "A feasible measure for classification",
    """The measures of Lemma 3.1 through the one-hot labels of each class make up a vector measure with margins
    f_{y_i}(x_i) - f_l(x_i) = 1(y_i ≠ l) exactly: it is feasible for problem (10).""",
    latex=r"(e_{y_i}-e_l)^\top f_\mu(x_i)=\mathbf1(y_i\ne l)",
    formula="d",
    symbols={"d": "1 if the class is not that of the datum, else 0"},
    controls={"2*d": "labels -1 and 1", "1": "a margin against itself as well", "d/2": "the rivals' scores raised"},
    checks=(margins,),
    part_of="stewart2022.lemma_3_regression",
    rests_on=("stewart2022.lemma_3_regression",),
)
