"""Laws of one real variable."""
