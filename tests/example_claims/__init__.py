"""Claims for tests of the runner: one of every standing, and some that behave badly."""

from implicitbias.claims.claim import Paper

PAPER = Paper("tested", "Claims that tests can rely on", "Nobody", 2000, ("standings", "behaviour", "sweeps"))
