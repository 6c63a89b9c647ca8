"""Jin, Montúfar: what wide networks learn by gradient descent from the squared loss, in function space."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="jin2021",
    title="Implicit bias of gradient descent for mean squared error regression with wide neural networks",
    authors="H. Jin, G. Montúfar",
    year=2021,
    files=(
        "equations_3_to_14",
        "proposition_7",
        "theorem_9",
        "further_laws",
    ),
)
