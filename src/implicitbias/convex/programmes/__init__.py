"""Solvers that are not specific to one problem; their callers check what they return."""
