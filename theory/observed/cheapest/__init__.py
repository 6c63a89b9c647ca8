"""Networks and measures of least cost, computed by exact optimisation programmes."""
