"""Exact functions and costs of single units and of small sets of units."""
