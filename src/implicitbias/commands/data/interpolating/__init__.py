"""The functions that `interpolate` finds for other costs than the least of a network through the points."""
