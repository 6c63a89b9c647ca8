"""Commands about the user's own data."""
