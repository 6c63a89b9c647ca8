"""Jin, Montúfar: what wide networks learn by gradient descent from the squared loss, in function space."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="jin2021",
    title="Implicit bias of gradient descent for mean squared error regression with wide neural networks",
    authors="H. Jin, G. Montúfar",
    year=2021,
    files=(
        "section_2",
        "natural_spline",
        "theorem_1_zero_error",
        "theorem_1_any_data",
        "theorem_1_adjustment",
        "theorem_1_rate",
        "theorem_1_penalty",
        "equation_4",
        "anti_symmetric",
        "training_data",
        "raw_data_limit",
        "capacity",
        "figure_1",
        "equations_3_to_14",
        "theorem_4",
        "equation_15",
        "theorem_5",
        "theorem_5_radius",
        "equation_16",
        "footnote_2",
        "equation_17",
        "theorem_6",
        "proposition_7",
        "theorem_9",
        "theorem_9b_density",
        "further_laws",
        "appendix_o",
    ),
)
