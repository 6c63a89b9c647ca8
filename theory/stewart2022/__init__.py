"""Stewart, Bach, Berthet, Vert: what regression and classification ask of the features of a shallow network."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="stewart2022",
    title="Regression as Classification: Influence of Task Formulation on Neural Network Features",
    authors="L. Stewart, F. Bach, Q. Berthet, J.-P. Vert",
    year=2022,
    files=(
        "section_2",
        "section_3",
        "section_4",
        "section_5_1",
        "section_5_2",
        "section_5_3",
        "equation_9",
        "equation_9_values",
        "equation_10",
        "theorem_1",
        "theorem_1_sparsity",
        "lemma_1",
        "lemma_2",
        "proposition_1",
        "section_6_counts",
        "section_6_binning",
        "section_6_variance",
        "section_6_kinks",
        "section_6_local_minimum",
        "section_7",
        "appendix_a",
        "appendix_f",
        "appendix_g",
        "appendix_d",
        "appendix_e",
    ),
)
