"""Gradient flow of classification losses to its limit."""
