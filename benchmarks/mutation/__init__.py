"""What `benchmarks.mutants` is made of: how a formula is broken, what the evidence says of it, why one may survive."""
