"""The engines behind `train`."""
