"""What several claims of this paper observe: exact functions and networks, oracles, data, a trainer. No claims here."""
