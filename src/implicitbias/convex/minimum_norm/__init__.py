"""Interpolants of least representation cost."""
