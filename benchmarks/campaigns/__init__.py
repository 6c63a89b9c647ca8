"""Campaigns: many seeded trials of a promise. `python -m benchmarks.campaigns NAME` prints its figures."""
