"""What several kinds of certificate need, or one kind in more than one file."""
