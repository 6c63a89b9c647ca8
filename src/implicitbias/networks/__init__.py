"""Trained networks as others write them, and what theory says of one: `implicitbias inspect`."""
