"""The curvature penalty ζ of an initialisation, computed in several ways."""
