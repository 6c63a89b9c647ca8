"""Speed compared with what a user would use instead, as ratios. `python -m benchmarks` writes RESULTS.md."""
