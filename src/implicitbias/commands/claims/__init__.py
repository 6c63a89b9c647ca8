"""Commands about claims."""
