"""What a result is recorded with: the tables of the ledger, what a result depends on, and whether it is fresh."""
