"""One screen or dialogue a file."""
