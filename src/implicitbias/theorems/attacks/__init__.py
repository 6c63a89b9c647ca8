"""Theorems altered so that they are false, or are shown otherwise: what must not be accepted, and whether it is."""
