"""The cheapest networks and measures, by exact programmes."""
