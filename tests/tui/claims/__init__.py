"""Claims to look at: one of every standing, a headline with parts, and everything that a screen can show."""

from implicitbias.claims import Paper

PAPER = Paper(
    "shown",
    "Squares, seen from all sides",
    "A. Reader and B. Writer",
    2001,
    venue="Journal of Squares 1",
    identifier="arXiv:0101.00001",
    edition="the first",
    about="What a square is worth. Its area is found in three ways. Nothing else is in it.",
    order=("squares",),
)
