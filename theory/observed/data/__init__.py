"""Data sets on which claims are tested."""
