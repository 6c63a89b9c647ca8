"""Convex programmes, solved exactly or with a certificate."""
