"""Formulas in primitives, and what is put together from quantities."""
