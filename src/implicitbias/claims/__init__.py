"""What is claimed, and the one import of whoever writes claims."""

from implicitbias.claims.claim import Paper

__all__ = ["Paper"]
