"""Least and greatest values, and where they are attained."""
