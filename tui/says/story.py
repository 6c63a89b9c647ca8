"""The tour's story: ten chapters on one claim each, from what a norm means to data of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.statement import Claim

from .blocks import Block, Gap, Paragraph
from .wording import BOLD, plain


@dataclass(frozen=True)
class Chapter:
    """A question, the claim that answers it, and what to know before it is told."""

    question: str
    claim: str
    says: str
    look: str
    """What to see in the plot of the judgement."""


STORY = (
    Chapter(
        "What does a norm of the weights mean?",
        "savarese2019.theorem_3_1",
        "A function on the line can be written as a two-layer ReLU network in many ways. The least norm of the weights"
        " among them is a property of the function alone: how much its slope changes altogether. Small weights mean"
        " few and gentle bends, and end slopes that nearly cancel.",
        "Each dot is a function: to the right what the formula says it costs, upwards the cost that was found."
        " All lie on the diagonal; the crosses are a control, and leave it.",
    ),
    Chapter(
        "What does training pick?",
        "savarese2019.figure_1",
        "Many networks fit the same points. Here networks are trained with a little weight decay from random weights,"
        " several runs for each data set, and the norm that the best run ends with is compared with the least one"
        " possible.",
        "Each dot is the best run of one width on one data set, the small points are the other runs; some get stuck"
        " far above. The plots of functions show networks of two widths: they learn the same one.",
    ),
    Chapter(
        "Why a spline?",
        "jin2021.abstract_natural_spline",
        "Without weight decay, gradient descent on a very wide network changes the function as little as it can, in a"
        " sense that the initialisation decides. For weights drawn uniformly, that is the cubic spline of drawing"
        " tables. The claim gives it for three points, and the observation solves for the limit of training.",
        "Each dot is the value of one trained infinite network at one place x: to the right what the cubic spline"
        " says there. The control, another curve through the same three points, leaves the diagonal.",
    ),
    Chapter(
        "Why are minimisers sparse?",
        "dedios2020.corollary_4_6",
        "A network of any width, or even a measure over all units, that fits n points at least cost can do with few"
        " units. The reason is a dual variable: units live only where a certain function touches its bound.",
        "A neuron was put anywhere by force, and the rest chosen as cheaply as possible. To the right what the"
        " formula says that costs. Where g = 1 it costs nothing more: there, and only there, units of a minimiser"
        " live.",
    ),
    Chapter(
        "How many linear pieces are left?",
        "safran2022.theorem_4_2",
        "A classifier of a million units could have a million linear pieces. Gradient flow on data that a small"
        " teacher labelled ends with a number of pieces that depends on the teacher, not on the width.",
        "The dots lie beneath the line, and far beneath: nothing that was seen breaks the bound, or comes near it."
        " Among the parts, a bound of our own, 6s + 5, is closer.",
    ),
    Chapter(
        "Why does classification learn other features than regression?",
        "stewart2022.theorem_1_classification",
        "For regression, kinks at the data suffice. Asked to tell classes apart with a large margin, networks may need"
        " kinks elsewhere, in a set that the data determine.",
        "To the right the least cost with kinks in that set alone, upwards the least cost with kinks anywhere:"
        " equal for all data that were tried, which needed no other kinks.",
    ),
    Chapter(
        "What was wrong in print?",
        "dedios2020.equation_13",
        "Papers are written by people. Where a printed formula differs from what is observed, the claim is corrected:"
        " the printed form is kept, judged by the same evidence, and refuted by a case that can be worked out by hand.",
        "The printed form (×) leaves the diagonal: it forgets the factor 2√B. Put A, B and c of the first case into"
        " both, and compare with the value observed.",
    ),
    Chapter(
        "What is a control?",
        "savarese2019.lemma_1",
        "A check that accepts everything shows nothing. So each claim has false neighbours, formulas that are nearly"
        " right, and its checks must reject every one of them. Watch them fall in the fifth stage.",
        "The dots lie on the diagonal, the control ab/2 (+) lies beneath it everywhere. The observations cannot"
        " tell which of the two formulas is the claim's, and accept only one.",
    ),
    Chapter(
        "A conjecture of your own",
        "savarese2019.theorem_3_3",
        "The observations have not seen the formula, so they judge any other as well. Press escape to leave the tour"
        " at this claim, then t: change the formula, and see at once whether the evidence refutes it, and where.",
        "The dots are data sets, the diagonal is the formula, and the crosses are the control that comes nearest:"
        " it is right for many data sets, and wrong for some.",
    ),
    Chapter(
        "Data of your own",
        "jin2021.theorem_1_rate",
        "The wider the network, the closer it ends to the spline that theory predicts. Press P for the playground:"
        " give points and an initialisation, train a network, and see it approach the predicted function. On the"
        " command line, `implicitbias predict DATA.csv` computes that function.",
        "Dots are means over trained networks, small points single networks. The slope of a straight line on"
        " these axes is the exponent of the rate: the fitted one stands beside the claimed -1/2.",
    ),
)


def told(catalogue: Catalogue) -> Sequence[Claim]:
    """The claims of the story in its order; none if the catalogue is another one."""
    by_id = {claim.id: claim for claim in catalogue.claims}
    return [by_id[chapter.claim] for chapter in STORY] if all(c.claim in by_id for c in STORY) else ()


def look(number: int) -> list[Block]:
    """What to see in the plot of the judgement of chapter `number`, from 0."""
    return [Paragraph(plain(STORY[number].look)), Gap()]


def opening(number: int) -> list[Block]:
    """What stands before the first stage of chapter `number`, from 0."""
    chapter = STORY[number]
    return [Paragraph(plain(chapter.question, BOLD)), Gap(), Paragraph(plain(chapter.says)), Gap()]
