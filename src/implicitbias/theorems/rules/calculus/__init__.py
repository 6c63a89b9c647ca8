"""Derivatives, limits and integrals."""
