"""Data sets on which claims are tried."""
