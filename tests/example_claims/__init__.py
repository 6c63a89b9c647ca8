"""Claims for tests of the runner: one of every standing, and some that behave badly."""

from implicitbias.claims.statement import Paper

PAPER = Paper("tested", "Claims that tests can rely on", "Nobody", 2000, order=("standings", "behaviour", "sweeps"))
