"""Forged certificates: true ones of every kind, ways to alter them, and what is true of those that are accepted."""
