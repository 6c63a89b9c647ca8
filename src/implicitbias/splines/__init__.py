"""Splines that wide networks converge to: adaptive natural splines, their smoothing forms, and limits on raw data."""
