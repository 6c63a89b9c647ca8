"""Problem (9) of Stewart et al. (2022): interpolation by ramps."""
