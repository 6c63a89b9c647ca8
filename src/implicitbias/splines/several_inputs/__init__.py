"""What infinitely wide networks learn from data with several inputs."""
