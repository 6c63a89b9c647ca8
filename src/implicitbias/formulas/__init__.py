"""What a function given as a formula costs."""
