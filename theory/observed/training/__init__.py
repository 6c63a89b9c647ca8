"""Networks that are really trained, and statistics of them."""
