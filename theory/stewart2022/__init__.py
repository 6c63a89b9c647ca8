"""Stewart, Bach, Berthet, Vert: what regression and classification ask of the features of a shallow network."""

from implicitbias.claims import Paper

PAPER = Paper(
    key="stewart2022",
    title="Regression as Classification: Influence of Task Formulation on Neural Network Features",
    authors="L. Stewart, F. Bach, Q. Berthet, J.-P. Vert",
    year=2022,
    venue="AISTATS 2023 (PMLR 206)",
    identifier="arXiv:2211.05641, hal-03846706",
    edition="version 1 of the preprint at HAL, November 2022, compared with the version of record",
    about="""Why regression recast as classification by bins learns different features. In one dimension the networks
    of least norm for the two tasks are optimal measures with different supports: what these supports are, and what
    trained networks show of them.""",
    order=(
        "equation_9",
        "section_3",
        "section_4",
        "section_5_1",
        "section_5_2",
        "equation_10_changes",
        "equation_10",
        "theorem_1",
        "section_5_3",
        "appendix_e",
        "lemma_1",
        "lemma_2",
        "appendix_d",
        "lemma_4",
        "proposition_1",
        "section_5_2_problem_4",
        "section_6_figure_4",
        "section_6_counts",
        "section_6_binning",
        "section_2",
        "section_6_variance",
        "section_6_kinks",
        "section_6_local_minimum",
        "section_6_hessian",
        "appendix_f",
        "section_7",
        "appendix_a",
        "appendix_g",
    ),
)
