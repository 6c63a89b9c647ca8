"""Speed against what a user would pick instead, as ratios measured in one run. `python -m benchmarks` writes RESULTS.md."""
