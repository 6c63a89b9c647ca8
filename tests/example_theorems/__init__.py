"""Claims with theorems, one of each sort that the contracts tell apart."""
