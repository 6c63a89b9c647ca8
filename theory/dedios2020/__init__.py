"""de Dios, Bruna: when the minimisers of a shallow network's regularised loss are sparse."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="dedios2020",
    title="On Sparsity in Overparametrised Shallow ReLU Networks",
    authors="J. de Dios, J. Bruna",
    year=2020,
    files=(
        "section_2_measures",
        "section_2_potentials",
        "section_2_norm",
        "section_2_2",
        "equation_7",
        "algorithm_1",
        "equations_10_11",
        "equation_12",
        "equation_13",
        "equation_13_consequences",
        "section_3_drift",
        "section_3_label_noise",
        "section_3_walls",
        "definition_3_1",
        "definition_3_2",
        "proposition_3_3",
        "section_4",
        "definition_4_1",
        "theorem_4_2",
        "cells",
        "lemma_4_3",
        "corollary_4_6",
        "figure_1",
        "theorem_4_7",
        "corollary_4_8",
        "equation_21",
        "appendix_a",
    ),
)
