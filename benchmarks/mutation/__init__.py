"""The parts of `benchmarks.mutants`: how formulas are mutated, how mutants are judged, and why some may survive."""
