"""What test files share: data with known answers, altered certificates, strategies, a player of keys."""
