"""Ways in which a check may depend on something, each with a change that makes the claim false."""
