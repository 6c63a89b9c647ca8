"""Hostile and half-right inputs by seed, one file per kind, and the watch under which the command line reads them."""
