"""Savarese, Evron, Soudry, Srebro: what the Euclidean norm of the weights means in function space."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="savarese2019",
    title="How do infinite width bounded norm networks look in function space?",
    authors="P. Savarese, I. Evron, D. Soudry, N. Srebro",
    year=2019,
)
