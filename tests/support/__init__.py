"""Shared by test files: data with known answers, altered certificates, strategies, scripted key presses."""
