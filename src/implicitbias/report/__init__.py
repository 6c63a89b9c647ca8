"""How results are shown: one table of formats."""
