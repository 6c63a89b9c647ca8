"""Claims to look at: one of every standing, with everything that a screen can show."""

from implicitbias.claims.statement import Paper

PAPER = Paper("shown", "Squares, seen from all sides", "A. Reader and B. Writer", 2001, ("squares",))
