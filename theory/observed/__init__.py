"""What the claims of all papers observe: oracles that know no formula of a claim."""
