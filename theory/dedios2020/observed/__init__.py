"""What several claims of this paper observe."""
