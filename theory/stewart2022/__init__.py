"""Stewart, Bach, Berthet, Vert: what regression and classification ask of the features of a shallow network."""

from implicitbias.claims import Paper

PAPER = Paper(
    key="stewart2022",
    title="Regression as Classification: Influence of Task Formulation on Neural Network Features",
    authors="L. Stewart, F. Bach, Q. Berthet, J.-P. Vert",
    year=2022,
    venue="AISTATS 2023 (PMLR 206)",
    identifier="arXiv:2211.05641, hal-03846706",
    edition="version 2 of the preprint at HAL, with the version of record beside it",
    about="""Why regression turned into classification by bins learns other features than regression does. In one
    dimension the networks of least norm for the two tasks have optimal measures with different supports:
    what they are, and what trained networks show of it.""",
    order=(
        "section_2",
        "section_3",
        "section_4",
        "section_5_1",
        "section_5_2",
        "section_5_3",
        "equation_9",
        "equation_10",
        "theorem_1",
        "lemma_1",
        "lemma_4",
        "lemma_2",
        "proposition_1",
        "section_6_counts",
        "section_6_figure_4",
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
