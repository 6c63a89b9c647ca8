"""Campaigns: seeded trials of a promise. `python -m benchmarks.campaigns NAME --count N --seed S` prints figures."""
