"""Commands on data with several inputs."""
