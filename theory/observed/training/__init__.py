"""Networks that are actually trained, and statistics of the results."""
