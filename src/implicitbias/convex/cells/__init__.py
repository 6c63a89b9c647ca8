"""The cells into which data cut parameter space."""
