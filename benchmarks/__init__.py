"""Speed against what a user would pick instead, as ratios in one run. `python -m benchmarks` writes RESULTS.md."""
