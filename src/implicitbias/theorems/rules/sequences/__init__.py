"""What depends on a whole number: sequences, moments, lists of any length."""
