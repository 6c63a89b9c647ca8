"""Recording results: the tables of the ledger, what a result depends on, and whether it is fresh."""
