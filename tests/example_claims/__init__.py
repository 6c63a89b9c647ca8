"""Claims for tests of the runner: one of every standing, a headline with parts, and some that behave badly."""

from implicitbias.claims import Paper

PAPER = Paper(
    "tested",
    "Claims that tests can rely on",
    "A. Tester",
    2000,
    venue="Tests 1",
    identifier="arXiv:0000.00000",
    edition="the first",
    about="Squares, and what can go wrong with them.",
    order=("standings", "behaviour", "sweeps", "headlines"),
)
