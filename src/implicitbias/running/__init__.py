"""Running checks: worker processes whose work can be ended, and the order of their jobs."""
