"""How long tests wait."""

AT_ONCE = 20.0
"""Seconds: what happens at once does on a machine that is busy otherwise too; what it is told from takes a minute, or
does not end."""
