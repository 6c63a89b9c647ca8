"""Laws of the initial weights and biases of units with several inputs, which no rotation of the inputs changes."""
