"""What this paper claims."""

from implicitbias.claims import Paper

PAPER = Paper(
    key="ergen2021",
    title="Convex Geometry and Duality of Over-parameterized Neural Networks",
    authors="T. Ergen, M. Pilanci",
    year=2021,
    venue="JMLR 22 (2021), 1-63",
)
