"""Rationals, enclosures and symbolic residuals: the arithmetic everything else trusts."""
